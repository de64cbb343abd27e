"""What all commands share of the terminal: streams, notes and errors, signals, tables."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

from translator.errors import TranslatorError
from translator.printable import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

ESCAPE_HANDLER = "attn-translate.escapes"  # the name of our error handler for encoding


def prepare_streams() -> None:
    """Let the standard streams carry Hangul.

    A stream whose encoding lacks Hangul becomes UTF-8. Characters that still can't be written
    become escapes.
    """
    _replace_closed_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        try:
            "한".encode(stream.encoding)
            encoding = stream.encoding
        except (UnicodeEncodeError, LookupError):
            encoding = "utf-8"
        errors = "surrogateescape" if stream is sys.stdin else ESCAPE_HANDLER
        stream.reconfigure(encoding=encoding, errors=errors)


def _replace_closed_streams() -> None:
    """Open the null device for each stream that the caller has closed.

    Python sets such a stream to None, and the next file to be opened would get its number.
    """
    for name, mode, flags in (
        ("stdin", "r", os.O_RDONLY),
        # subtle: opened for reading only, so that writing fails as it does on a closed stream
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8"))


def _escape(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace the characters that a stream can't encode.

    They may be the bytes of a UTF-8 file name that the locale couldn't decode. Those are written
    unchanged if they are printable. Everything else becomes a backslash escape.
    """
    assert isinstance(error, UnicodeEncodeError)
    with contextlib.suppress(UnicodeError):
        text = decode_argument(error.object[error.start : error.end])
        if text.isprintable():
            return text.encode(error.encoding), error.end
    return codecs.backslashreplace_errors(error)


codecs.register_error(ESCAPE_HANDLER, _escape)


def decode_argument(argument: str) -> str:
    """Decode an argument as UTF-8 if the locale's encoding couldn't read it."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        return os.fsencode(argument).decode("utf-8", "replace")
    return argument


def note(text: str) -> None:
    """Print a message to stderr.

    If stderr can't be written, the work goes on. If its reader has left, raises BrokenPipeError.
    """
    try:
        print(printable(text), file=sys.stderr, flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        _redirect_to_null(sys.stderr)


def print_error(error: TranslatorError) -> None:
    """Print an error that the user can fix: a line each for the message and the hint."""
    sys.stdout.flush()
    note(f"error: {' '.join(str(error).split())}")
    note(f"hint: {' '.join(error.hint.split())}")


def abandon_stdout(error: OSError) -> None:
    """Stop writing to stdout, and print why unless its reader has left."""
    _redirect_to_null(sys.stdout)
    if not isinstance(error, BrokenPipeError):
        message = f"can't write to standard output: {error.strerror}"
        print_error(TranslatorError(message, hint="write elsewhere, or free some space there"))


def _redirect_to_null(stream: TextIO) -> None:
    """Discard a stream's buffer and later output, which would fail when the interpreter exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def ignore_signals() -> None:
    """Ignore Ctrl-C and other requests to stop, because the program is about to exit.

    Exiting takes a moment once torch is loaded.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP
            signal.signal(getattr(signal, name), signal.SIG_IGN)


def console(stream: Any = None) -> Console:
    """Make a rich console that prints user text literally and is wide enough for a table."""
    from rich.console import Console, ConsoleDimensions

    from translator.views.heatmap import NARROWEST

    screen = Console(file=stream, markup=False, highlight=False, emoji=False, soft_wrap=False)
    if screen.is_dumb_terminal:  # rich assumes that a dumb terminal is 80 cells wide
        screen.size = ConsoleDimensions(*shutil.get_terminal_size())
    if screen.width < NARROWEST:
        screen.width = NARROWEST
    return screen


def plain_table(columns: int = 0) -> Table:
    """Make a table without borders, with two cells between columns.

    If you give a number of columns, they have no headings and fold long text.
    """
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=columns == 0)
    for _ in range(columns):
        table.add_column(overflow="fold")
    return table


@contextlib.contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show a progress bar on stderr, if it is a terminal."""
    from rich.progress import Progress

    screen = console(sys.stderr)
    disable = not sys.stderr.isatty() or screen.is_dumb_terminal
    with Progress(console=screen, transient=True, disable=disable) as progress:
        yield progress


def check_format(name: str, formats: tuple[str, ...]) -> None:
    """Raise `TranslatorError` if the command has no such format."""
    if name not in formats:
        hint = f"choose one of {', '.join(formats)}"
        raise TranslatorError(f"no format is called {name!r}", hint=hint)
