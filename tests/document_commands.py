"""Runs the commands of a document as its reader would, in order, in a folder of their own."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from command_line import CLEARED, ROOT

REWRITING = False  # whether `make docs` is running, which replaces pictures
ENVIRONMENT = {
    "PYTHONPATH": str(ROOT),
    "LC_ALL": "C.UTF-8",
    "COLUMNS": "80",
    "TERM": "dumb",
    "PYTHON": sys.executable,
    "ROOT": str(ROOT),
}
PROGRAMS = {
    "attn-translate": """\
if [ "$HURRIED" ]; then exec "$PYTHON" "$ROOT/tests/hurried.py" "$@"; fi
exec "$PYTHON" -m translator "$@"
""",
    # The documents use `python` only to run tests.
    "python": 'cd "$ROOT" && exec "$PYTHON" "$@" -p no:cacheprovider\n',
}
# The reader's own pairs: so regular that a model learns them in seconds.
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


class Command(NamedTuple):
    """A line for the shell, and whether `hurried.py` runs it."""

    line: str
    is_hurried: bool = False


class Result(NamedTuple):
    """The exit status of a command, and both output streams together."""

    status: int
    output: str


@cache
def run(commands: tuple[Command, ...]) -> tuple[Result, ...]:
    """Run commands in order, in a temporary folder.

    A picture that they draw must equal the one of the same name in `docs/`.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _furnish(folder)
        results = tuple(_run(command, folder) for command in commands)
        for path in folder.glob("*.svg"):
            _check_picture(path.name, path.read_bytes())
    return results


def _furnish(folder: Path) -> None:
    """Give the folder what a reader has: the data, the Makefile, the programs, and own pairs."""
    for shared in ("data", "Makefile"):
        (folder / shared).symlink_to(ROOT / shared)
    programs = folder / ".venv/bin"
    programs.mkdir(parents=True)
    for program, script in PROGRAMS.items():
        (programs / program).write_text(f"#!/bin/sh\n{script}")
        (programs / program).chmod(0o755)
    (folder / "pairs.tsv").write_text(
        "".join(f"{english}\t{korean}\n" for english, korean in PAIRS), "utf-8"
    )
    for side, file in enumerate(("en.txt", "ko.txt")):
        (folder / file).write_text("".join(f"{pair[side]}\n" for pair in PAIRS), "utf-8")


def _run(command: Command, folder: Path) -> Result:
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
    return Result(done.returncode, done.stdout.decode())


def _check_picture(name: str, data: bytes) -> None:
    path = ROOT / "docs" / name
    if REWRITING:
        path.write_bytes(data)
    assert path.read_bytes() == data, f"docs/{name} is out of date; run `make docs`"
