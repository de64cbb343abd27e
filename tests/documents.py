"""Runs what the documents show; `make docs` writes the results into them.

A document may have these blocks:

- A console block: lines `$ command`, each followed by its output. All commands of a document run in
  one folder, in order. After a line `<!-- in outline -->`, only the outline of the output has to
  match, because it differs each time (a training): a number stands for any number, and `…` for any
  text. `hurried.py` shortens those commands.
- A Python block with `>>>`: a session.
- A Python block after a line `<!-- translator/model/attention.py: ScaledDot.score -->`: that
  definition.
- An `sh` block: commands without output that a test can't or needn't run, such as an installation.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import os
import re
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import document_commands
from command_line import ROOT
from document_commands import Command, Result, run

DOCUMENTS = sorted([*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md")])
MARKER = r"<!-- (?:(?P<path>[\w/]+\.py): (?P<name>[\w.]+)|(?P<outline>in outline)) -->\n"
BLOCK = re.compile(
    rf"^(?:{MARKER})?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
COMMENT = re.compile(r" +# .*")  # after a command


class Block(NamedTuple):
    """A fenced block of a document, and the function that regenerates its text, if there is one."""

    document: Path
    start: int
    line: int
    language: str
    text: str
    regenerate: Callable[[], str] | None


def blocks(document: Path) -> Iterator[Block]:
    """Give all blocks of a document."""
    content = document.read_text("utf-8")
    matches = list(BLOCK.finditer(content))
    commands = tuple(
        command for match in matches for command in _commands(match["text"], bool(match["outline"]))
    )
    first = 0
    for match in matches:
        start = match.start("text")
        yield Block(
            document,
            start,
            content.count("\n", 0, start) + 1,
            match["language"],
            match["text"],
            _regenerator(match, commands, first),
        )
        first += len(_commands(match["text"]))


def _commands(text: str, is_hurried: bool = False) -> list[Command]:
    return [
        Command(COMMENT.sub("", line[2:]), is_hurried)
        for line in text.splitlines()
        if line.startswith("$ ")
    ]


def _regenerator(
    match: re.Match[str], commands: tuple[Command, ...], first: int
) -> Callable[[], str] | None:
    text = match["text"]
    if match["path"]:
        return lambda: definition(ROOT / match["path"], match["name"])
    if text.startswith("$ "):
        return lambda: console(text, run(commands)[first:], in_outline=bool(match["outline"]))
    return (lambda: session(text)) if text.startswith(">>> ") else None


def definition(path: Path, name: str) -> str:
    """Give the source of a function, class or method (`Dot.score`), dedented."""
    source = path.read_text("utf-8")
    node: Any = ast.parse(source)
    for part in name.split("."):
        node = next(
            child for child in ast.iter_child_nodes(node) if getattr(child, "name", None) == part
        )
    return textwrap.dedent(
        "".join(source.splitlines(keepends=True)[node.lineno - 1 : node.end_lineno])
    )


def console(text: str, results: Sequence[Result] = (), *, in_outline: bool = False) -> str:
    """Give a console block with its commands' current output.

    In outline, the block stays as it is if the output matches its outline. A command may fail with
    an `error:` line, but not otherwise.
    """
    lines = [line for line in text.splitlines() if line.startswith("$ ")]
    results = results or run(tuple(_commands(text)))
    current = ""
    for line, (status, output) in zip(lines, results, strict=False):
        assert status == 0 or output.startswith("error: "), f"{line}\n{output}"
        current += f"{line}\n{output}"
    return text if in_outline and has_outline(current, text) else current


NUMBER = re.compile(r"\d[\d.,:]*%?|(?<= )-(?= )")  # or a table cell without a number
PADDING = re.compile(r"[ ▁-█]+(?=\n)|(?<= ) +")


def has_outline(output: str, outline: str) -> bool:
    """Say whether an output matches an outline.

    Numbers, bars at the end of a line and the padding of columns may differ. `…` is any text.
    """
    output, outline = (PADDING.sub("", NUMBER.sub("0", text)) for text in (output, outline))
    return re.fullmatch(re.escape(outline).replace("…", ".*"), output, re.DOTALL) is not None


def session(text: str) -> str:
    """Give a Python session with its current output."""
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

    # Always use the shipped model, whatever is in this folder or in the environment.
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name), mock.patch.dict(os.environ):
        os.environ.pop("ATTN_TRANSLATE_CHECKPOINT", None)
        Recorder().run(doctest.DocTestParser().get_doctest(text, {}, "session", None, None))
    return "".join(shown)


def rewrite() -> None:
    """Write the current output of each block into the documents."""
    for document in DOCUMENTS:
        content = document.read_text("utf-8")
        for block in reversed(list(blocks(document))):
            if block.regenerate:
                content = (
                    content[: block.start]
                    + block.regenerate()
                    + content[block.start + len(block.text) :]
                )
        document.write_text(content, "utf-8")


if __name__ == "__main__":
    document_commands.REWRITING = True
    rewrite()
