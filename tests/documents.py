"""The documents as they can be checked: what each block shows is made again, and `make docs` writes it into them.

A console block is lines `$ command`, each with its output below; all commands of a document run in one folder, one after the other. Under a
line `<!-- in outline -->` stands what comes out differently each time, such as a training: `hurried.py` runs it, a number stands for any number
and `…` for any text. A Python block with `>>>` is a session. A Python block under a line `<!-- translator/attention.py: ScaledDot.score -->` is
that definition. What a test can't or needn't do, such as an installation, stands in an `sh` block, without output.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import itertools
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from command_line import CLEARED, ROOT

DOCUMENTS = sorted([*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(
    r"^(?:<!-- (?:(?P<path>[\w/]+\.py): (?P<name>[\w.]+)|(?P<outline>in outline)) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COMMENT = re.compile(r" +# .*")  # behind a command
ENVIRONMENT = {
    "PYTHONPATH": str(ROOT),
    "LC_ALL": "C.UTF-8",
    "COLUMNS": "80",
    "TERM": "dumb",
    "PYTHON": sys.executable,
    "ROOT": str(ROOT),
}
PROGRAMS = {
    "attn-translate": 'if [ "$HURRIED" ]; then exec "$PYTHON" "$ROOT/tests/hurried.py" "$@"; else exec "$PYTHON" -m translator "$@"; fi',
    "python": 'cd "$ROOT" && exec "$PYTHON" "$@" -p no:cacheprovider',  # the tests that a reader is asked to run
}
# A reader's own pairs: so regular that a model of them is right after seconds.
PAIRS = [
    tuple(" ".join(words).strip() for words in zip(*pair, strict=True))
    for pair in itertools.product(
        [("Good", "좋은"), ("Nice", "멋진"), ("Bad", "나쁜"), ("Long", "긴"), ("Short", "짧은")],
        [("morning", "아침"), ("night", "밤"), ("evening", "저녁"), ("day", "하루")],
        [
            ("", ""),
            ("Tom", "톰"),
            ("Mary", "메리"),
            ("Ann", "앤"),
            ("Bill", "빌"),
            ("Jane", "제인"),
        ],
    )
]


class Block(NamedTuple):
    """A fenced block of a document, and what makes its text again; nothing, if it is only read."""

    document: Path
    start: int
    line: int
    language: str
    text: str
    made: Callable[[], str] | None


class Command(NamedTuple):
    """A line for the shell, and whether it is run by `hurried.py`."""

    line: str
    is_hurried: bool = False


class Shown(NamedTuple):
    """What a command did: its exit status, and both streams as a reader sees them."""

    status: int
    output: str


def blocks(document: Path) -> Iterator[Block]:
    """All blocks of a document."""
    content = document.read_text("utf-8")
    every = list(BLOCK.finditer(content))
    commands = tuple(
        command for found in every for command in _commands(found["text"], bool(found["outline"]))
    )
    first = 0
    for found in every:
        start = found.start("text")
        yield Block(
            document,
            start,
            content.count("\n", 0, start) + 1,
            found["language"],
            found["text"],
            _maker(found, commands, first),
        )
        first += len(_commands(found["text"]))


def _commands(text: str, is_hurried: bool = False) -> list[Command]:
    return [
        Command(COMMENT.sub("", line[2:]), is_hurried)
        for line in text.splitlines()
        if line.startswith("$ ")
    ]


def _maker(
    found: re.Match[str], commands: tuple[Command, ...], first: int
) -> Callable[[], str] | None:
    text = found["text"]
    if found["path"]:
        return lambda: definition(ROOT / found["path"], found["name"])
    if text.startswith("$ "):
        return lambda: console(text, run(commands)[first:], in_outline=bool(found["outline"]))
    return (lambda: session(text)) if text.startswith(">>> ") else None


def definition(path: Path, name: str) -> str:
    """The source of a function, a class or a method, `Dot.score`, without what indents it."""
    source = path.read_text("utf-8")
    node: Any = ast.parse(source)
    for part in name.split("."):
        node = next(
            child for child in ast.iter_child_nodes(node) if getattr(child, "name", None) == part
        )
    return textwrap.dedent(
        "".join(source.splitlines(keepends=True)[node.lineno - 1 : node.end_lineno])
    )


def console(text: str, shown: Sequence[Shown] = (), *, in_outline: bool = False) -> str:
    """A console block with the output that its commands have now; in outline, as it is if that has the same outline.

    Fails if a command fails otherwise than by a told error.
    """
    lines = [line for line in text.splitlines() if line.startswith("$ ")]
    made = ""
    for line, (status, output) in zip(lines, shown or run(tuple(_commands(text))), strict=False):
        assert status == 0 or output.startswith("error: "), f"{line}\n{output}"
        made += f"{line}\n{output}"
    return text if in_outline and has_outline(made, text) else made


NUMBER = re.compile(r"\d[\d.,:]*%?|(?<= )-(?= )")  # or none, in a table
PADDING = re.compile(r"[ ▁-█]+(?=\n)|(?<= ) +")


def has_outline(output: str, outline: str) -> bool:
    """Whether an output is that of an outline, but for numbers, bars at a line's end, how columns are padded, and what `…` stands for."""
    output, outline = (PADDING.sub("", NUMBER.sub("0", text)) for text in (output, outline))
    return re.fullmatch(re.escape(outline).replace("…", ".*"), output, re.DOTALL) is not None


@cache
def run(commands: tuple[Command, ...]) -> tuple[Shown, ...]:
    """Run commands one after the other in a folder of their own.

    A picture that they draw belongs to the documents, and must be the one in `docs/`.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _furnish(folder)
        shown = tuple(_run(command, folder) for command in commands)
        for path in folder.glob("*.svg"):
            _keep(path.name, path.read_bytes())
    return shown


def _furnish(folder: Path) -> None:
    """Give a folder what a reader has: the repository's data and targets, the installed programs, and pairs of their own."""
    for shared in ("data", "Makefile"):
        (folder / shared).symlink_to(ROOT / shared)
    programs = folder / ".venv/bin"
    programs.mkdir(parents=True)
    for program, script in PROGRAMS.items():
        (programs / program).write_text(f"#!/bin/sh\n{script}\n")
        (programs / program).chmod(0o755)
    (folder / "pairs.tsv").write_text(
        "".join(f"{english}\t{korean}\n" for english, korean in PAIRS), "utf-8"
    )
    for side, file in enumerate(("en.txt", "ko.txt")):
        (folder / file).write_text("".join(f"{pair[side]}\n" for pair in PAIRS), "utf-8")


def _run(command: Command, folder: Path) -> Shown:
    inherited = {name: value for name, value in os.environ.items() if name not in CLEARED}
    own = {
        "XDG_STATE_HOME": str(folder / "state"),
        "PATH": f"{folder}/.venv/bin:{os.environ['PATH']}",
        "HURRIED": "1" * command.is_hurried,
    }
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command.line],
        cwd=folder,
        env=inherited | ENVIRONMENT | own,
        **streams,
    )
    return Shown(done.returncode, done.stdout.decode())


REWRITING = False


def _keep(name: str, data: bytes) -> None:
    kept = ROOT / "docs" / name
    if REWRITING:
        kept.write_bytes(data)
    assert kept.read_bytes() == data, f"docs/{name} is not what the program makes; run `make docs`"


def session(text: str) -> str:
    """A Python session with the output that it has now."""
    shown: list[str] = []

    class Recorder(doctest.DocTestRunner):
        def report_success(self, out, test, example, got):
            lines = example.source.splitlines()
            shown.extend(
                f"{'...' if number else '>>>'} {line}".rstrip() + "\n"
                for number, line in enumerate(lines)
            )
            shown.append(got)

        report_failure = report_success

    # The model that ships, whatever has been trained here or is chosen.
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name), mock.patch.dict(os.environ):
        os.environ.pop("ATTN_TRANSLATE_CHECKPOINT", None)
        Recorder().run(doctest.DocTestParser().get_doctest(text, {}, "session", None, None))
    return "".join(shown)


def rewrite() -> None:
    """Write into the documents what their blocks show now."""
    for document in DOCUMENTS:
        content = document.read_text("utf-8")
        for block in reversed(list(blocks(document))):
            if block.made:
                content = (
                    content[: block.start] + block.made() + content[block.start + len(block.text) :]
                )
        document.write_text(content, "utf-8")


if __name__ == "__main__":
    REWRITING = True
    rewrite()
