"""`attn-translate translate`: sentences in, translations out."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from translator.cli.last_translation import save_last_translation
from translator.cli.sentences import (
    SentenceCommand,
    is_interactive,
    join_words,
    line_chunks,
    prompted_lines,
)
from translator.cli.terminal import check_format, console, note, progress_bar
from translator.errors import TranslatorError
from translator.files import cannot_write, check_spares
from translator.printable import printable

if TYPE_CHECKING:
    from translator.inference.translator import Translator
    from translator.translation import Translation

SHOW_WEIGHTS_SUFFIXES = (".html", ".htm", ".svg", ".png", ".csv")  # what show-weights writes
FORMATS = ("text", "heatmap", "json")

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[WORD]...",
        help="The sentence, quoted or not. Without words, or with -: stdin, one per line.",
    ),
]
CheckpointPath = Annotated[
    Path | None, typer.Option("--checkpoint", help="The model to use.", show_default="see `info`")
]
BeamSize = Annotated[
    int, typer.Option("--beam-size", help="Hypotheses kept at each step; 1 is greedy search.")
]
NBest = Annotated[
    int,
    typer.Option(
        "--n-best", help="Translations of each sentence: line, rank, log-probability, text."
    ),
]
MaxLength = Annotated[
    int | None,
    typer.Option(
        "--max-length", help="Maximum pieces of a translation.", show_default="2 × source + 10"
    ),
]
BatchSize = Annotated[int, typer.Option("--batch-size", help="Sentences translated at once.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file instead.")]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="text, heatmap or json.",
        show_default="heatmap at a terminal, else text",
        autocompletion=lambda: FORMATS,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("translate", cls=SentenceCommand)(translate)


def translate(
    words: Words = None,
    checkpoint: CheckpointPath = None,
    beam_size: BeamSize = 5,
    n_best: NBest = 1,
    max_length: MaxLength = None,
    batch_size: BatchSize = 64,
    output: Output = None,
    format_name: FormatName = None,
) -> None:
    """Translate a sentence, or standard input line by line, and show the attention weights."""
    from translator.inference.translator import Translator, check_numbers, find_checkpoint

    check_numbers(n_best, beam_size, max_length, batch_size)
    if format_name is not None:
        check_format(format_name, FORMATS)
    path = find_checkpoint(checkpoint)
    translator = Translator.load(path)
    if output is not None:
        _check_suffix(output)
        check_spares(output, path.stat(), *_stdin_status())
    with _open_output(output) as stream, _show_progress(output) as advance:
        writer = _Writer(stream, format_name or ("heatmap" if stream.isatty() else "text"), n_best)
        notes = _Notes(translator, numbered=join_words(words) is None and not _is_prompted(words))
        last = None
        try:
            for chunk in _chunks(words):
                answers = translator.n_best(
                    chunk, n_best, beam_size=beam_size, max_length=max_length, batch_size=batch_size
                )
                for line, hypotheses in zip(chunk, answers, strict=True):
                    writer.write(hypotheses)
                    notes.write(writer.line, line, hypotheses[0])
                    last = hypotheses[0] if hypotheses[0].source else last
                advance(chunk)
                stream.flush()
        finally:
            if last is not None:
                save_last_translation(last)


def _check_suffix(output: Path) -> None:
    """Raise `TranslatorError` if a name promises a page or a picture: we would write text."""
    if output.suffix.lower() in SHOW_WEIGHTS_SUFFIXES:
        message = f"translate writes text or JSON lines, not {output.suffix}"
        command = f"attn-translate show-weights SENTENCE --output {output}"
        raise TranslatorError(message, hint=f"draw one sentence with: {command}")


def _stdin_status() -> Iterator[os.stat_result]:
    """Yield the status of standard input, if it is open."""
    with suppress(OSError):
        yield os.fstat(sys.stdin.fileno())


def _chunks(words: list[str] | None) -> Iterable[list[str]]:
    """Yield the lines to translate, in lists that can be answered at once."""
    line = join_words(words)
    if line is not None:
        return [[line]]
    if _is_prompted(words):
        return prompted_lines()
    return line_chunks(sys.stdin.buffer, sys.stdin.encoding)


def _is_prompted(words: list[str] | None) -> bool:
    return not words and is_interactive()


@contextmanager
def _open_output(output: Path | None) -> Iterator[TextIO]:
    """Give the stream to write to: a file, or standard output."""
    if output is None:
        yield sys.stdout
        return
    try:
        with output.open("w", encoding="utf-8", newline="\n") as file:
            yield file
    except OSError as error:
        raise cannot_write(output, error) from error


@contextmanager
def _show_progress(output: Path | None) -> Iterator[Callable[[list[str]], None]]:
    """Give a function to call with each list of translated lines.

    It moves a progress bar on stderr, if that is a terminal and the answers go into a file.
    """
    if output is None or not sys.stderr.isatty():
        yield lambda lines: None
        return
    status = os.fstat(sys.stdin.fileno())
    # The length of a pipe is unknown. Then the bar only moves.
    total = status.st_size if stat.S_ISREG(status.st_mode) else None
    with progress_bar() as progress:
        task = progress.add_task(printable(output.name), total=total)
        yield lambda lines: progress.advance(task, sum(map(_byte_length, lines)))


def _byte_length(line: str) -> int:
    """Return the bytes of a line in a UTF-8 file, with its line feed."""
    return len(line.encode(errors="replace")) + 1


class _Notes:
    """Notes about the input: unknown words (each word once) and translations that were cut off."""

    def __init__(self, translator: Translator, *, numbered: bool) -> None:
        self.translator, self.numbered = translator, numbered
        self.reported_words: set[str] = set()

    def write(self, number: int, line: str, translation: Translation) -> None:
        """Print the notes about a line, with the line's number if they are `numbered`."""
        remarks = []
        if translation.source:
            remarks = self.translator.remarks(line, self.reported_words)
        if not translation.finished:
            pieces = len(translation.target_pieces)
            remarks.append(
                f"stopped after {pieces} pieces without an end: {translation.source[:60]}"
            )
        for remark in remarks:
            note(f"note: line {number}: {remark}" if self.numbered else f"note: {remark}")


class _Writer:
    """Writes translations to a stream in one format, and counts the lines."""

    def __init__(self, stream: TextIO, format_name: str, n_best: int) -> None:
        self.stream, self.format_name, self.n_best = stream, format_name, n_best
        self.line = 0
        self.console = console(stream) if format_name == "heatmap" else None

    def write(self, hypotheses: list[Translation]) -> None:
        """Write the hypotheses for one line, the best first."""
        self.line += 1
        for rank, translation in enumerate(hypotheses, 1):
            self._write_one(translation, rank)

    def _write_one(self, translation: Translation, rank: int) -> None:
        print(self._as_text(translation, rank), file=self.stream)
        if self.console is not None and translation.source:
            from translator.views.heatmap import Heatmap

            self.console.print(Heatmap(translation))

    def _as_text(self, translation: Translation, rank: int) -> str:
        if self.format_name == "json":
            position = {"line": self.line, "rank": rank} if self.n_best > 1 else {}
            return translation.to_json(**position)
        if self.n_best == 1:
            return translation.target
        log_probability = f"{translation.log_probability:.4f}"
        return f"{self.line}\t{rank}\t{log_probability}\t{translation.target}"
