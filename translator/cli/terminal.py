"""What all commands share of the terminal: streams, notes, lines from standard input, and the last translation."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

import typer
from typer.core import TyperCommand

from translator.errors import TranslatorError
from translator.printable import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    from translator.translation import Translation

USAGE_ERROR: Any = (
    typer.BadParameter.__base__
)  # what Typer raises for a wrong option, by whatever name
BLOCK = 1 << 16  # bytes read at most before what has arrived is answered
LAST = "last.json"
ESCAPES = "attn-translate.escapes"  # an error handler for encoding


class SentenceCommand(TyperCommand):
    """A command whose arguments are the words of a sentence, which may begin with a dash."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except USAGE_ERROR as error:
            if hasattr(error, "possibilities"):  # an option that doesn't exist
                error.message += "  If a sentence begins with a dash, put -- before it."
            raise


def prepare_streams() -> None:
    """Let the standard streams carry Hangul: UTF-8 where their encoding can't, and an escape for what still can't be written."""
    _replace_closed_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        try:
            "한".encode(stream.encoding)
            encoding = stream.encoding
        except (UnicodeEncodeError, LookupError):
            encoding = "utf-8"
        stream.reconfigure(
            encoding=encoding, errors="surrogateescape" if stream is sys.stdin else ESCAPES
        )


def _escaped(error: UnicodeError) -> tuple[str | bytes, int]:
    """What stands for characters that a stream can't encode: the letters of a file name that the locale couldn't read, else an escape."""
    assert isinstance(error, UnicodeEncodeError)
    try:
        text = decoded(error.object[error.start : error.end])
        return (
            (text.encode(error.encoding), error.end)
            if text.isprintable()
            else codecs.backslashreplace_errors(error)
        )
    except UnicodeError:
        return codecs.backslashreplace_errors(error)


codecs.register_error(ESCAPES, _escaped)


def _replace_closed_streams() -> None:
    """Put something in the place of a stream that the caller has closed: Python has None there, and the next file would get its number."""
    for name, mode, flags in (
        ("stdin", "r", os.O_RDONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            # subtle: what is open for reading only refuses an answer, as a closed stream does
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8"))


def note(text: str) -> None:
    """Say something that isn't the answer. Where that can't be written the work goes on, unless its reader has left."""
    try:
        print(printable(text), file=sys.stderr, flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        _drop(sys.stderr)


def _drop(stream: TextIO) -> None:
    """Let go what is in a stream's buffer and all that follows: the interpreter would complain of it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def heed_no_more() -> None:
    """Take no more notice of Ctrl-C and the like: what is left is to say goodbye, and takes a moment once torch is loaded."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP
            signal.signal(getattr(signal, name), signal.SIG_IGN)


def give_up_stdout(error: OSError) -> None:
    """Tell that the answer can't be written, unless its reader has left."""
    _drop(sys.stdout)
    if not isinstance(error, BrokenPipeError):
        complain(
            TranslatorError(
                f"can't write to standard output: {error.strerror}",
                hint="write elsewhere, or make room there",
            )
        )


def complain(error: TranslatorError) -> None:
    """Tell an error that the user can mend."""
    sys.stdout.flush()
    note(f"error: {' '.join(str(error).split())}")
    note(f"hint: {' '.join(error.hint.split())}")


def console(stream: Any = None) -> Console:
    """A rich console that takes user text literally and never narrows a table to where it must be cut."""
    from rich.console import Console, ConsoleDimensions

    from translator.views.heatmap import NARROWEST

    made = Console(file=stream, markup=False, highlight=False, emoji=False, soft_wrap=False)
    if made.is_dumb_terminal:  # rich takes any of those for 80 cells wide
        made.size = ConsoleDimensions(*shutil.get_terminal_size())
    if made.width < NARROWEST:
        made.width = NARROWEST
    return made


def plain_table(columns: int = 0) -> Table:
    """A table without borders, two cells between its columns; with columns that have no heading, but fold what is too wide."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=columns == 0)
    for _ in range(columns):
        table.add_column(overflow="fold")
    return table


@contextlib.contextmanager
def watched() -> Iterator[Progress]:
    """A progress bar on stderr, at a terminal only."""
    from rich.progress import Progress

    screen = console(sys.stderr)
    disable = not sys.stderr.isatty() or screen.is_dumb_terminal
    with Progress(console=screen, transient=True, disable=disable) as progress:
        yield progress


def check_format(name: str, formats: tuple[str, ...]) -> None:
    """Raise `TranslatorError` for a format that isn't among those of the command."""
    if name not in formats:
        raise TranslatorError(
            f"no format is called {name!r}", hint=f"choose one of {', '.join(formats)}"
        )


def is_interactive() -> bool:
    """Whether a person sits at both ends: only then is there a prompt."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def sentence(words: list[str] | None) -> str | None:
    """The words of the command line as one sentence; None if the lines come from standard input."""
    return None if not words or words == ["-"] else " ".join(map(decoded, words))


def decoded(argument: str) -> str:
    """An argument as UTF-8 where the locale's encoding couldn't read it."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        return os.fsencode(argument).decode("utf-8", "replace")
    return argument


def line_chunks(stream: BinaryIO, encoding: str) -> Iterator[list[str]]:
    """The lines of a stream, in lists of what has arrived: each can be answered before the next is there."""
    rest = b""
    while block := _read_block(stream):
        *lines, rest = (rest + block).split(b"\n")
        if lines:
            yield [_decode(line, encoding) for line in lines]
    if rest:
        yield [_decode(rest, encoding)]


def _read_block(stream: BinaryIO) -> bytes:
    """What has arrived, at least a byte; nothing at the end. Raises `TranslatorError` if it can't be read."""
    try:
        return (
            stream.read1(BLOCK)
            if isinstance(stream, io.BufferedReader | io.BytesIO)
            else stream.read(BLOCK)
        )
    except OSError as error:
        raise TranslatorError(
            f"can't read standard input: {error.strerror}", hint="give the sentence as an argument"
        ) from error


def _decode(line: bytes, encoding: str) -> str:
    return line.removesuffix(b"\r").decode(encoding, "replace").removeprefix("\ufeff")


def prompted_lines() -> Iterator[list[str]]:
    """The lines that a person types, with line editing where the system has it, until Ctrl-D; Ctrl-C clears the line."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (its import gives input() editing and history)
    note("Type a sentence and press Enter. End with Ctrl-D.")
    while True:
        try:
            yield [input("> ")]
        except KeyboardInterrupt:
            print()
        except EOFError:
            print()
            return


def _state_file() -> Path:
    import platformdirs

    return platformdirs.user_state_path("attn-translate") / LAST


def remember(translation: Translation) -> None:
    """Keep the last translation for `show-weights`, readable by this user alone. Where that can't be written, a note says so."""
    path = _state_file()
    temporary = path.with_name(f"{LAST}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(translation.to_json() + "\n")
        os.replace(temporary, path)
    except OSError as error:
        note(
            f"note: the last translation couldn't be kept for show-weights ({error.strerror}: {path})"
        )
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def recall() -> Translation | None:
    """The last translation that this user made, or None."""
    from translator.translation import Translation

    try:
        return Translation.from_json(_state_file().read_text("utf-8"))
    except (OSError, UnicodeDecodeError, TranslatorError):
        return None
