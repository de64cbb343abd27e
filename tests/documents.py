"""The documents as they can be checked: what each block shows is made again, and `make docs` writes it into them.

A console block is lines `$ command`, each with its output below. A Python block with `>>>` is a session. A Python block under a line
`<!-- translator/attention.py: ScaledDot.score -->` is that definition. A command that takes minutes stands in an `sh` block, without output.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from command_line import CLEARED, ROOT

DOCUMENTS = sorted([*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^(?:<!-- (?P<path>[\w/]+\.py): (?P<name>[\w.]+) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "COLUMNS": "80", "TERM": "dumb", "PYTHON": sys.executable}
DEFINED = 'attn-translate() { "$PYTHON" -m translator "$@"; }\nset -o pipefail\n'


class Block(NamedTuple):
    """A fenced block of a document, and what makes its text again; nothing, if it is only read."""

    document: Path
    line: int
    language: str
    text: str
    made: Callable[[], str] | None


def blocks(document: Path) -> Iterator[Block]:
    """All blocks of a document."""
    content = document.read_text("utf-8")
    for found in BLOCK.finditer(content):
        line = content.count("\n", 0, found.start("text")) + 1
        yield Block(document, line, found["language"], found["text"], _maker(found))


def _maker(found: re.Match[str]) -> Callable[[], str] | None:
    text = found["text"]
    if found["path"]:
        return lambda: definition(ROOT / found["path"], found["name"])
    if text.startswith("$ "):
        return lambda: console(text)
    return (lambda: session(text)) if text.startswith(">>> ") else None


def definition(path: Path, name: str) -> str:
    """The source of a function, a class or a method, `Dot.score`, without what indents it."""
    source = path.read_text("utf-8")
    node: Any = ast.parse(source)
    for part in name.split("."):
        node = next(child for child in ast.iter_child_nodes(node) if getattr(child, "name", None) == part)
    return textwrap.dedent("".join(source.splitlines(keepends=True)[node.lineno - 1 : node.end_lineno]))


@cache
def console(text: str) -> str:
    """A console block with the output that its commands have now, in a folder of its own.

    What it writes below `docs/` belongs to the documents, and must be what stands there.
    """
    commands = [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "docs").mkdir()
        (Path(name) / "data").symlink_to(ROOT / "data")
        shown = "".join(f"$ {command}\n{_output(command, Path(name))}" for command in commands)
        for path in (Path(name) / "docs").iterdir():
            _keep(path.name, path.read_bytes())
    return shown


def _output(command: str, folder: Path) -> str:
    """What a command shows, both streams as a reader sees them. Fails if it fails otherwise than by a told error."""
    inherited = {name: value for name, value in os.environ.items() if name not in CLEARED}
    environment = inherited | ENVIRONMENT | {"XDG_STATE_HOME": str(folder / "state")}
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(["bash", "-c", DEFINED + command], cwd=folder, env=environment, **streams)
    output = done.stdout.decode()
    assert done.returncode == 0 or output.startswith("error: "), f"$ {command}\n{output}"
    return output


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
            shown.extend(f"{'...' if number else '>>>'} {line}".rstrip() + "\n" for number, line in enumerate(lines))
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
        document.write_text(BLOCK.sub(_remade, document.read_text("utf-8")), "utf-8")


def _remade(found: re.Match[str]) -> str:
    made = _maker(found)
    return found[0].removesuffix(found["text"] + "```") + made() + "```" if made else found[0]


if __name__ == "__main__":
    REWRITING = True
    rewrite()
