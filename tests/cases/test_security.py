"""What an untrusted file can do: these tests check the claims of `docs/security.md`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command_line import ROOT, error_of
from forgery import change, parts, piece, rewritten, swap, write
from hostile import Page, is_tame

from translator.storage.checkpoint import Checkpoint
from translator.translation import Translation

ESCAPES = [
    "\x1b[35m",  # a colour
    "\x9b35m",  # the same in one character
    "\x1b]8;;http://a.example\x1b\\",  # a link
    "\x1b]52;c;YQ==\x07",  # writes the clipboard
    "\u202e",  # what follows reads backwards
    "\u2066",
    "\n",
    "\r",
    "\x08",
    "\x7f",
    "\u200b",
]
MARKUP = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "&lt;",
    "$script",
    "[red]",
    "]]>",
    "<!--",
]
EVERY = "".join(ESCAPES)
SENTENCES = ["I love you", "The cat sat on the mat.", "you run."]


def evil(number: int, text: str) -> str:
    """Put escapes and markup into a piece; the number makes it unique."""
    inside = f"{ESCAPES[number % len(ESCAPES)]}{MARKUP[number % len(MARKUP)]}"
    return f"{text[:1]}{inside}{text[1:]}{number}{ESCAPES[number // 2 % len(ESCAPES)]}"


@pytest.fixture(scope="session")
def forged(trained_path, tokenizers, tmp_path_factory) -> Path:
    """Save a working model with escapes and markup in its target pieces and its metadata."""
    path = tmp_path_factory.mktemp("forged") / "model.safetensors"
    path.write_bytes(trained_path.read_bytes())
    swap(path, target=rewritten(tokenizers[1], evil))
    text = EVERY + "".join(MARKUP)
    change(
        path,
        record={
            "corpus": text,
            "digest": text,
            "epochs": text,
            "settings": {"seed": text},
            "versions": {text: text},
            text: text,
        },
    )
    return path


@pytest.fixture(autouse=True)
def used(request) -> None:
    """Make the commands use the forged checkpoint."""
    if "cli" in request.fixturenames:
        request.getfixturevalue("cli").monkeypatch.setenv(
            "ATTN_TRANSLATE_CHECKPOINT", str(request.getfixturevalue("forged"))
        )


COMMANDS = [
    ["translate", "--format", "text"],
    ["translate", "--format", "heatmap"],
    ["translate", "--format", "json"],
    ["translate", "--format", "text", "--n-best", 3],
    ["translate", "--format", "json", "--n-best", 3],
    ["translate", "--max-length", 2],
    ["show-weights"],
    ["show-weights", "--words"],
    ["show-weights", "--target", f"나는{EVERY} 봐"],
    ["explain", "--step", 2],
    ["explain", "--step", 1, "--format", "json"],
]
SHOWN = pytest.mark.parametrize(
    "command", COMMANDS, ids=lambda command: " ".join(map(str, command))[:40]
)


def separators(command: list[object]) -> str:
    """Return the control characters that a command's own output contains."""
    return "\n\t" if command[2:4] == ["text", "--n-best"] else "\n"


# The terminal


def test_the_forged_pieces_do_hold_escapes(forged):
    """The pieces reach the output without their escapes, so the tests below prove something."""
    tokenizer = Checkpoint.load(forged).target_tokenizer
    assert all(escape.encode() in tokenizer.model for escape in ESCAPES)
    assert not any(
        escape in tokenizer.piece(number) for number in range(len(tokenizer)) for escape in ESCAPES
    )


@SHOWN
@pytest.mark.parametrize("sentence", [*SENTENCES, f"you{EVERY} 字{EVERY} run."], ids=ascii)
def test_no_command_shows_an_escape_of_a_model(cli, command, sentence):
    result = cli(*command, sentence)
    assert result.status == 0
    # A forged piece has reached the output.
    assert any(rest in result.out for rest in ("35m", "8;;http", "alert(1)", "[red]", "$script"))
    assert is_tame(result.out + result.err, allowed=separators(command))


@SHOWN
def test_the_only_colours_are_our_own(cli, monkeypatch, command, trained_path):
    """With colours on, a terminal gets no sequences beyond those for an honest model."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    colours = "\x1b\\[[0-9;]*m"
    forged_result = cli(*command, SENTENCES[0])
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", str(trained_path))
    honest = cli(*command, SENTENCES[0])
    assert set(re.findall(colours, forged_result.out)) <= set(re.findall(colours, honest.out))
    assert is_tame(
        re.sub(colours, "", forged_result.out + forged_result.err), allowed=separators(command)
    )


def test_the_last_translation_is_shown_without_escapes(cli):
    cli("translate", SENTENCES[0])
    for command in (["show-weights"], ["explain"]):
        assert is_tame(cli(*command).out)


def test_info_shows_metadata_with_escapes_spelt_out(cli, forged):
    result = cli("info", forged)
    assert (result.status, result.err) == (0, "")
    assert is_tame(result.out)
    assert len(result.out.splitlines()) == 11  # as many as for an honest model
    assert result.out.count(r"\x1b[35m") >= 4
    assert r"\u202e" in result.out


@pytest.mark.parametrize("text", ESCAPES, ids=ascii)
def test_an_error_about_a_checkpoint_holds_no_escape(cli, forged, tmp_path, text):
    path = tmp_path / "other.safetensors"
    path.write_bytes(forged.read_bytes())
    change(path, format=text * 3)
    for command in (
        ["info", path],
        ["translate", "--checkpoint", path, "Hi!"],
        ["evaluate", "--checkpoint", path],
    ):
        result = cli(*command)
        assert "made by another version" in error_of(result)
        assert is_tame(result.err)


def test_a_score_function_that_is_an_escape_is_not_shown(cli, forged, tmp_path):
    path = tmp_path / "other.safetensors"
    path.write_bytes(forged.read_bytes())
    change(path, model={"attention": EVERY})
    result = cli("info", path)
    assert error_of(result) == f"{path} is damaged"
    assert is_tame(result.err)


@pytest.mark.parametrize("format_name", ["text", "json"])
def test_evaluation_shows_no_escape(cli, tmp_path, format_name):
    (tmp_path / "corpus.tsv").write_text(
        f"I love you\t나는{EVERY.replace(chr(10), '')} 봐\t0-0\n{EVERY}a\tb\n",
        "utf-8",
        newline="\n",
    )
    result = cli("evaluate", "corpus.tsv", "--format", format_name, "--by-length", "--faithfulness")
    assert result.status == 0
    assert is_tame(result.out + result.err)


# Other files


@pytest.mark.parametrize("text", [escape for escape in ESCAPES if escape != "\n"], ids=ascii)
def test_a_corpus_in_an_error_holds_no_escape(cli, tmp_path, text):
    (tmp_path / "corpus.tsv").write_text(
        f"I{text} love\t{text}\u200b나는\t9-9\n", "utf-8", newline="\n"
    )
    for command in (["evaluate", "corpus.tsv"], ["train", "corpus.tsv"]):
        result = cli(*command)
        assert error_of(result)
        assert is_tame(result.err)


HONEST = Translation(
    "a b", "가", ("▁a", "▁b"), ("▁가",), [[0.5, 0.5]], (0.5,), -0.7, False
).to_json()


@pytest.mark.parametrize("text", ESCAPES, ids=ascii)
@pytest.mark.parametrize(
    "old", ['"a b"', '"가"', '"▁a"', '"▁가"', "1,", '"target"', "0.5,", "-0.7"]
)
def test_a_saved_line_with_an_escape_is_refused_without_it(cli, tmp_path, old, text):
    """Both as a raw character and as a JSON escape."""
    for escape in (f'"{text}"', json.dumps(text)):
        line = HONEST.replace(
            old, old[:-1].replace('"', "") and (escape + "," if old.endswith(",") else escape), 1
        )
        assert line != HONEST
        (tmp_path / "saved.jsonl").write_text(f"{line}\n", "utf-8", newline="\n")
        for more in ([], ["--output", "a.html"]):
            result = cli("show-weights", "--from", "saved.jsonl", *more)
            assert error_of(result).startswith("saved.jsonl, line 1: ")
            assert is_tame(result.err)


@pytest.mark.parametrize(
    "command",
    [
        ["translate", "Hi!", "--checkpoint"],
        ["info"],
        ["show-weights", "--from"],
        ["evaluate"],
        ["train"],
    ],
    ids=" ".join,
)
def test_a_file_s_name_in_an_error_is_spelt_out(cli, command):
    result = cli(*command, "\x1b[35m\u202e\n.safetensors")
    assert r"\x1b[35m\u202e" in error_of(result)
    assert is_tame(result.err)


@pytest.mark.parametrize(
    "command",
    [
        ["info", "NAME"],
        ["evaluate", "corpus.tsv", "--by-length", "--faithfulness", "--checkpoint", "NAME"],
    ],
    ids=" ".join,
)
def test_a_file_s_name_in_an_answer_is_spelt_out(cli, forged, tmp_path, command):
    name = "\x1b[35m\u202e\n.safetensors"
    (tmp_path / name).write_bytes(forged.read_bytes())
    (tmp_path / "corpus.tsv").write_text("I love you\t나는\n")
    result = cli(*(name if word == "NAME" else word for word in command))
    assert result.status == 0
    assert r"\x1b[35m\u202e" in result.out
    assert is_tame(result.out + result.err)


# Exported files


@pytest.fixture(params=SENTENCES)
def exported(cli, request, tmp_path):
    """Write the forged translation of a sentence in a format."""

    def export(name: str, *options: str) -> str:
        assert cli("show-weights", request.param, "--output", name, *options).status == 0
        return (tmp_path / name).read_bytes().decode()

    return export


def test_a_page_has_no_markup_of_a_model(exported, cli, trained_path, tmp_path):
    page = Page(exported("forged.html"))
    cli("show-weights", "I love you", "--checkpoint", trained_path, "--output", "honest.html")
    honest = Page((tmp_path / "honest.html").read_bytes().decode())
    assert (set(page.tags), page.attributes, page.tags.count("script")) == (
        set(honest.tags),
        honest.attributes,
        1,
    )
    assert any("alert(1)" in text or "$script" in text for text in page.texts)
    assert is_tame("".join(page.texts))


def test_a_page_allows_our_script_only_and_no_network(exported):
    policy = (
        re.search('Content-Security-Policy" content="([^"]*)"', exported("forged.html"))
        .group(1)
        .split("; ")
    )
    rules = dict(rule.split(" ", 1) for rule in policy)
    assert rules["default-src"] == "'none'"
    assert {name for name in rules if name.endswith("-src")} == {
        "default-src",
        "script-src",
        "style-src",
    }
    assert all(re.fullmatch("'sha256-[^' ]+'", rules[name]) for name in ("script-src", "style-src"))


def test_a_figure_has_no_markup_of_a_model(exported):
    root = ElementTree.fromstring(exported("forged.svg"))
    assert {element.tag.rpartition("}")[2] for element in root.iter()} == {
        "svg",
        "g",
        "rect",
        "text",
        "tspan",
    }
    assert is_tame("".join(root.itertext()))


@pytest.mark.parametrize("name", ["forged.csv", "forged.json"])
def test_a_table_has_no_escape_of_a_model(exported, name):
    assert is_tame(exported(name))


# The machine


WATCHED = """
import os, sys
import numpy, rich.console, sentencepiece, safetensors.numpy, translator.cli
allowed = sys.argv.pop(1)
harmless = {"os.listdir", "os.scandir", "os.walk", "os.putenv", "os.unsetenv"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
SYSTEM = ("os.", "shutil.", "tempfile.", "ctypes.dlopen", "pickle.")
OUTSIDE = ("socket.", "subprocess.", "urllib.", "http.")
def watch(event, arguments):
    opens = event == "open" and isinstance(arguments[0], (str, bytes))
    writes = opens and arguments[2] & WRITING
    acts = event.startswith(SYSTEM + OUTSIDE) and event not in harmless
    is_allowed = any(str(argument).startswith(allowed) for argument in arguments)
    if (writes or acts) and not is_allowed:
        print("EVENT", event, arguments, file=sys.stderr)
sys.addaudithook(watch)
translator.cli.main()
"""


def watched(cli, tmp_path, *arguments: object) -> list[str]:
    """Run a command in another process, and return what it does outside its state folder.

    That is: each file it writes, each process it starts, each network connection.
    """
    command = [sys.executable, "-B", "-c", WATCHED, str(tmp_path / "state"), *map(str, arguments)]
    # Without coverage, which writes a file.
    unmeasured = {name: value for name, value in os.environ.items() if name[:3] != "COV"}
    done = subprocess.run(
        command, env=unmeasured, capture_output=True, text=True, encoding="utf-8", check=True
    )
    return [line for line in done.stderr.splitlines() if line.startswith("EVENT")]


@pytest.mark.parametrize(
    "command",
    [["translate", "I love you"], ["explain", "I love you"], ["show-weights", "Hi!"], ["info"]],
    ids=" ".join,
)
def test_a_checkpoint_writes_no_file_starts_nothing_and_reaches_nowhere(cli, tmp_path, command):
    assert watched(cli, tmp_path, *command) == []


def test_the_watch_sees_a_file_that_is_written(cli, tmp_path):
    events = watched(cli, tmp_path, "translate", "Hi!", "--output", "file.txt")
    assert len(events) == 1
    assert "file.txt" in events[0]


MEASURED = r"""
import re, sys
from pathlib import Path
from translator import TranslatorError, Translator
def peak():
    try:
        list(Translator.load(sys.argv.pop(1)).translate(["I love you"]))
    except TranslatorError:
        pass
    status = Path("/proc/self/status").read_text()
    return 1024 * int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1))
before = peak()
print(peak() - before)
"""


def grown(path: Path, checkpoint: Checkpoint, part: str) -> None:
    """Write a checkpoint in which one part takes several megabytes."""
    header, body = parts(path)
    if part == "parameters":
        config = replace(checkpoint.config, embedding_size=500, hidden_size=500)
        parameters = {
            name: np.full(shape, 0.01, np.float32)
            for name, shape in config.parameter_shapes().items()
        }
        replace(checkpoint, config=config, parameters=parameters).save(path)
    elif part == "words":
        replace(checkpoint, words=np.arange(0, 2**32, 2**12, np.uint32)).save(path)
    elif part == "pieces":
        swap(
            path,
            target=checkpoint.target_tokenizer.model
            + b"".join(piece(b"%x" % number) for number in range(400_000)),
        )
    elif part == "tensors":
        empty = {"dtype": "U8", "shape": [0], "data_offsets": [len(body)] * 2}
        write(path, header | {f"{number:x}": empty for number in range(80_000)}, body)
    elif part == "record":
        change(path, record={"corpus": [{}] * 1_500_000})


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports a process's peak memory")
@pytest.mark.parametrize(
    ("part", "most"),
    [("parameters", 8), ("words", 30), ("pieces", 30), ("tensors", 30), ("record", 30)],
)
def test_a_checkpoint_takes_at_most_thirty_times_its_size(make_checkpoint, tmp_path, part, most):
    """An honest checkpoint is nearly all parameters, and takes at most eight times its size."""
    small, large = tmp_path / "small.safetensors", tmp_path / "large.safetensors"
    for path in (small, large):
        make_checkpoint().save(path)
    grown(large, make_checkpoint(), part)
    size = large.stat().st_size
    assert size > 4_000_000
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, small, large], capture_output=True, text=True, check=True
    )
    assert size < int(done.stdout) < most * size


def test_the_document_names_tests_that_exist():
    document = (ROOT / "docs" / "security.md").read_text("utf-8")
    named = set(re.findall("`(test_[a-z0-9_]+)`", document))
    files = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 8
    assert not {name for name in named if f"def {name}(" not in files}
