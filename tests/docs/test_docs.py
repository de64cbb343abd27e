"""The documents are up to date: every output, code excerpt, option, file and test they show."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import tomllib

import numpy as np
import pytest
from command_line import ROOT
from document_commands import Command, run
from documents import COMMENT, DOCUMENTS, Block, blocks
from torch.distributed.run import get_args_parser
from typer.main import get_command

from translator import Translator
from translator.cli import app
from translator.settings import bundled

BLOCKS = [block for document in DOCUMENTS for block in blocks(document)]
COMMANDS = get_command(app).commands
OPTIONS = {
    name
    for command in COMMANDS.values()
    for parameter in command.params
    for name in parameter.opts + parameter.secondary_opts
}
LINES = [
    (block, line)
    for block in BLOCKS
    if block.language == "sh"
    for line in block.text.splitlines()
    if line
]

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)


@pytest.fixture(scope="module")
def shipped() -> Translator:
    """Load the shipped model."""
    return Translator.load(bundled("checkpoints/default.safetensors"))


def place(block: Block) -> str:
    return f"{block.document.name}:{block.line}"


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.regenerate], ids=place)
def test_a_block_is_up_to_date(block):
    if "jq" in block.text and not shutil.which("jq") and not os.environ.get("CI"):
        pytest.skip("needs jq")
    assert block.regenerate() == block.text, "run `make docs`"


def test_no_block_goes_unchecked():
    assert [
        place(block) for block in BLOCKS if not block.regenerate and block.language != "sh"
    ] == []


@pytest.mark.parametrize(
    ("block", "line"),
    LINES,
    ids=[f"{place(block)} {line.split('#')[0].strip()}" for block, line in LINES],
)
def test_a_command_without_output_could_be_run(block, line):
    program, *words = shlex.split(line, comments=True)
    match program:
        case "make":
            subprocess.run(
                ["make", "--dry-run", *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
            )
        case "pip":
            extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
                "optional-dependencies"
            ]
            assert set(re.findall(r"\[(\w+)\]", line)) <= set(extras)
        case "torchrun":
            started = get_args_parser().parse_args(words)
            assert (started.module, started.training_script, started.training_script_args[0]) == (
                True,
                "translator",
                "train",
            )
            assert {
                word for word in started.training_script_args if word.startswith("--")
            } <= OPTIONS
        case "export":
            assert f"{words[0].replace('=', ': ')}\n" in (
                ROOT / ".github/workflows/ci.yml"
            ).read_text("utf-8")
        case _:
            pytest.fail(f"{program} could show its output")


def test_the_demo_shows_what_the_readme_says():
    [(status, output)] = run((Command("make --old-file install demo", is_hurried=True),))
    assert status == 0, output
    for expected in ("loss", "chrF", "I love you → ", "dev sentence", "reference", "┌"):
        assert expected in output


@pytest.mark.parametrize(
    ("english", "korean"), [("README.md", "README.ko.md"), ("attention.en.md", "attention.ko.md")]
)
def test_both_languages_show_the_same(english, korean):
    """The same blocks (without comments), headings, table rows, links, files and tests."""
    contents = {document.name: document.read_text("utf-8") for document in DOCUMENTS}
    shown = {
        name: [COMMENT.sub("", block.text) for block in BLOCKS if block.document.name == name]
        for name in (english, korean)
    }
    assert shown[english] == shown[korean]
    for pattern in (r"^#+ ", r"https?://\S+?(?=\))", r"`[\w/]+\.py(?:::\w+)?`", r"^\|"):
        found = {
            name: sorted(re.findall(pattern, contents[name], re.MULTILINE))
            for name in (english, korean)
        }
        assert found[english] == found[korean]


@every_document
def test_every_option_exists(document):
    codes = re.findall(r"`[^`\n]*`", document.read_text("utf-8"))
    mine = [code for code in codes if "attn-translate" in code or code.startswith("`--")]
    assert {option for code in mine for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", code)} - {
        "--help"
    } <= OPTIONS


@every_document
def test_a_command_within_a_sentence_could_be_run(document):
    for line in re.findall(r"`attn-translate ([a-z][^`\[]*)`", document.read_text("utf-8")):
        name, *words = shlex.split(line)
        COMMANDS[name].make_context(name, words)


@every_document
def test_every_test_that_is_named_with_its_file_exists(document):
    for path, name in re.findall(r"(tests/[\w/]+\.py)::(\w+)", document.read_text("utf-8")):
        tree = ast.parse((ROOT / path).read_text("utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, (
            f"{path}::{name}"
        )


@every_document
def test_every_test_that_is_named_alone_exists(document):
    names = re.findall(r"`(test_\w+)`", document.read_text("utf-8"))
    sources = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    known = {name for source in sources for name in re.findall(r"^def (test_\w+)", source, re.M)}
    assert set(names) - known == set()


@every_document
def test_every_file_and_heading_that_is_linked_exists(document):
    content = document.read_text("utf-8")
    for link in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", content):
        path, _, anchor = "".join(link).partition("#")
        target = document.parent / path if path else document
        if not path.startswith("http"):
            assert target.exists(), link
            assert not anchor or anchor in anchors(target.read_text("utf-8")), link


def anchors(content: str) -> set[str]:
    """Give the names by which GitHub links headings."""
    headings = re.findall(
        r"^#+ (.*)$",
        re.sub(r"^```.*?^```$", "", content, flags=re.MULTILINE | re.DOTALL),
        re.MULTILINE,
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_document
def test_every_file_that_is_named_exists(document):
    paths = re.findall(r"`((?:translator|tests|docs|data)/[\w./-]+)`", document.read_text("utf-8"))
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize(
    ("source", "links"),
    [("I love you", {"0-0", "2-1", "1-2"}), ("The cat sat on the mat", {"5-1", "3-2", "2-3"})],
    ids=["love", "cat"],
)
def test_the_shipped_model_looks_where_the_documents_say(shipped, source, links):
    assert links <= set(next(shipped.translate([source])).alignment.split())


def test_a_row_comes_before_its_piece(shipped):
    """As the tutorial says: the first row of a forced translation is that of the model's own."""
    own = next(shipped.translate(["I love you"]))
    forced = shipped.align("I love you", "너를 나는 사랑해")
    np.testing.assert_allclose(forced.weights[0], own.weights[0], atol=1e-6)
    assert forced.probabilities[0] < 0.05 < 0.5 < own.probabilities[0]


def test_no_alignments_guided_the_shipped_model(shipped):
    assert not shipped.checkpoint.record["settings"].get("guided_alignment")
