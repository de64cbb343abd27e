"""The sentences to translate: from the command line, from standard input, or typed at a prompt."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import typer
from typer.core import TyperCommand

from translator.cli.terminal import decode_argument, note
from translator.errors import TranslatorError

# Typer's error for wrong usage, which it doesn't export.
USAGE_ERROR: Any = typer.BadParameter.__base__
BLOCK = 1 << 16  # the most bytes read before the lines so far are translated


class SentenceCommand(TyperCommand):
    """A command whose arguments are the words of a sentence, which may begin with a dash."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except USAGE_ERROR as error:
            if hasattr(error, "possibilities"):  # an option that doesn't exist
                error.message += "  If a sentence begins with a dash, put -- before it."
            raise


def join_words(words: list[str] | None) -> str | None:
    """Join the words of the command line; return None if the lines come from standard input."""
    return None if not words or words == ["-"] else " ".join(map(decode_argument, words))


def is_interactive() -> bool:
    """Return whether stdin and stdout are both a terminal; only then is there a prompt."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def prompted_lines() -> Iterator[list[str]]:
    """Yield the lines that a person types, until Ctrl-D. Ctrl-C clears the line."""
    with contextlib.suppress(ImportError):  # Windows has no readline
        import readline  # noqa: F401  (importing it gives input() editing and history)
    note("Type a sentence and press Enter. End with Ctrl-D.")
    while True:
        try:
            yield [input("> ")]
        except KeyboardInterrupt:
            print()
        except EOFError:
            print()
            return


def line_chunks(stream: BinaryIO, encoding: str) -> Iterator[list[str]]:
    """Yield the lines of a stream in lists, each as soon as it has arrived.

    So a caller can answer a line before the next one is written.
    """
    rest = b""
    while block := _read_block(stream):
        *lines, rest = (rest + block).split(b"\n")
        if lines:
            yield [_decode_line(line, encoding) for line in lines]
    if rest:
        yield [_decode_line(rest, encoding)]


def _read_block(stream: BinaryIO) -> bytes:
    """Read what has arrived: at least one byte, or nothing at the end.

    Raises `TranslatorError` if the stream can't be read.
    """
    try:
        if isinstance(stream, io.BufferedReader | io.BytesIO):
            return stream.read1(BLOCK)
        return stream.read(BLOCK)
    except OSError as error:
        message = f"can't read standard input: {error.strerror}"
        raise TranslatorError(message, hint="give the sentence as an argument") from error


def _decode_line(line: bytes, encoding: str) -> str:
    return line.removesuffix(b"\r").decode(encoding, "replace").removeprefix("\ufeff")
