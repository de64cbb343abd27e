"""`CommandLine` runs the commands in tests: in this process, in a new one, or in a terminal."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pexpect
import pytest

from translator.cli import main

CLEARED = (
    "ATTN_TRANSLATE_CHECKPOINT",
    "NO_COLOR",
    "FORCE_COLOR",
    "TTY_COMPATIBLE",
    "COLUMNS",
    "LINES",
    "LC_ALL",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "PYTHONUNBUFFERED",  # users have a buffer, which is written at the end
)
COMMAND = [sys.executable, "-m", "translator"]
ROOT = Path(__file__).resolve().parent.parent


class Result(NamedTuple):
    """A command's exit status and its output."""

    status: int
    out: str
    err: str


class CommandLine:
    """Runs `attn-translate` in an empty folder, with its own state folder."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        self.monkeypatch, self.capfd = monkeypatch, capfd
        for name in CLEARED:
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.chdir(folder)

    def __call__(self, *arguments: object, stdin: str | bytes = b"") -> Result:
        """Run in this process, which saves the start of a new one."""
        data = stdin.encode() if isinstance(stdin, str) else stdin
        self.monkeypatch.setattr(sys, "argv", ["attn-translate", *map(str, arguments)])
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        before = {
            number: signal.getsignal(number)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        }
        try:
            with pytest.raises(SystemExit) as exited:
                main()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        return Result(int(exited.value.code or 0), *self.capfd.readouterr())

    def start(self, *arguments: object, **options: Any) -> subprocess.Popen[bytes]:
        """Start a new process with pipes for its three streams."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen([*COMMAND, *map(str, arguments)], **pipes | options)

    def process(
        self, *arguments: object, stdin: bytes = b"", limit: float = 60, **environment: str
    ) -> Result:
        """Run in a new process to its end, and decode its output as UTF-8."""
        with self.start(*arguments, env={**os.environ, **environment}) as process:
            out, err = process.communicate(stdin, timeout=limit)
        return Result(process.returncode, out.decode(), err.decode())

    def terminal(self, *arguments: object, width: int = 100, **environment: str) -> pexpect.spawn:
        """Run in a new process, in a pseudo-terminal."""
        env = {**os.environ, **environment}
        return pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *map(str, arguments)],
            env=env,
            encoding="utf-8",
            dimensions=(40, width),
            timeout=60,
        )


def error_of(result: Result) -> str:
    """Return the error that a failed command printed.

    Check that its last two lines are `error:` and `hint:`, and that stdout is empty.
    """
    assert (result.status, result.out) == (1, "")
    *before, error, hint = result.err.splitlines()
    assert (error[:7], hint[:6]) == ("error: ", "hint: ")
    assert not any(line.startswith(("error", "hint", "Traceback", " ")) for line in before)
    return error.removeprefix("error: ")


def finish(terminal: pexpect.spawn) -> tuple[int | None, str]:
    """Wait for the end, and return the exit status and the rest of the output."""
    terminal.expect(pexpect.EOF)
    written = terminal.before.replace("\r\n", "\n")
    terminal.close()
    return terminal.exitstatus, written
