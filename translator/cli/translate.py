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

from translator.cli.terminal import (
    SentenceCommand,
    check_format,
    console,
    is_interactive,
    line_chunks,
    note,
    prompted_lines,
    remember,
    sentence,
    watched,
)
from translator.files import cannot_write, check_spares
from translator.printable import printable

if TYPE_CHECKING:
    from translator.inference.translator import Translator
    from translator.translation import Translation

FORMATS = ("text", "heatmap", "json")

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[WORD]...", help="The sentence, quoted or not. None, or -: one a line of stdin."
    ),
]
CheckpointPath = Annotated[
    Path | None, typer.Option("--checkpoint", help="The model to use.", show_default="see `info`")
]
BeamSize = Annotated[
    int, typer.Option("--beam-size", help="Hypotheses kept at each step; 1 is greedy search.")
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("translate", cls=SentenceCommand)(translate)


def translate(
    words: Words = None,
    checkpoint: CheckpointPath = None,
    beam_size: BeamSize = 5,
    n_best: Annotated[
        int,
        typer.Option(
            "--n-best", help="Translations of each sentence: line, rank, log-probability, text."
        ),
    ] = 1,
    max_length: Annotated[
        int | None,
        typer.Option(
            "--max-length", help="Most pieces of a translation.", show_default="2 × source + 10"
        ),
    ] = None,
    batch_size: Annotated[
        int, typer.Option("--batch-size", help="Sentences translated at once.")
    ] = 64,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead.")
    ] = None,
    format_name: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="text, heatmap or json.",
            show_default="heatmap at a terminal, else text",
            autocompletion=lambda: FORMATS,
        ),
    ] = None,
) -> None:
    """Translate a sentence, or standard input line by line, and show the attention behind each step."""
    from translator.inference.translator import Translator, check_numbers, find_checkpoint

    check_numbers(n_best, beam_size, max_length, batch_size)
    if format_name is not None:
        check_format(format_name, FORMATS)
    path = find_checkpoint(checkpoint)
    translator = Translator.load(path)
    if output is not None:
        check_spares(output, path.stat(), *_standard_input())
    with _opened(output) as stream, _advancing(output) as advance:
        view = _View(stream, format_name or ("heatmap" if stream.isatty() else "text"), n_best)
        notes, last = (
            _Notes(translator, numbered=sentence(words) is None and not _prompts(words)),
            None,
        )
        try:
            for chunk in _chunks(words):
                answers = translator.n_best(
                    chunk, n_best, beam_size=beam_size, max_length=max_length, batch_size=batch_size
                )
                for line, hypotheses in zip(chunk, answers, strict=True):
                    view.show(hypotheses)
                    notes.tell(view.line, line, hypotheses[0])
                    last = hypotheses[0] if hypotheses[0].source else last
                advance(chunk)
                stream.flush()
        finally:
            if last is not None:
                remember(last)


def _chunks(words: list[str] | None) -> Iterable[list[str]]:
    """The lines to translate, in lists that can be answered at once."""
    line = sentence(words)
    if line is not None:
        return [[line]]
    if _prompts(words):
        return prompted_lines()
    return line_chunks(sys.stdin.buffer, sys.stdin.encoding)


def _prompts(words: list[str] | None) -> bool:
    """Whether the lines are asked for."""
    return not words and is_interactive()


def _standard_input() -> Iterator[os.stat_result]:
    """What the system knows of standard input, if it is a file or the like."""
    with suppress(OSError):
        yield os.fstat(sys.stdin.fileno())


@contextmanager
def _opened(output: Path | None) -> Iterator[TextIO]:
    """The stream to write to: a file, or standard output."""
    if output is None:
        yield sys.stdout
        return
    try:
        with output.open("w", encoding="utf-8", newline="\n") as file:
            yield file
    except OSError as error:
        raise cannot_write(output, error) from error


@contextmanager
def _advancing(output: Path | None) -> Iterator[Callable[[list[str]], None]]:
    """What moves a progress bar behind answered lines: on stderr, at a terminal, while the answers go into a file."""
    if output is None or not sys.stderr.isatty():
        yield lambda lines: None
        return
    status = os.fstat(sys.stdin.fileno())
    with watched() as progress:
        # Of a pipe nobody knows the length: then the bar only moves.
        task = progress.add_task(
            printable(output.name), total=status.st_size if stat.S_ISREG(status.st_mode) else None
        )
        yield lambda lines: progress.advance(
            task, sum(len(line.encode(errors="replace")) + 1 for line in lines)
        )


class _Notes:
    """What a reader should know of the lines: unknown words, each of which is named once, and cuts."""

    def __init__(self, translator: Translator, *, numbered: bool) -> None:
        self.translator, self.numbered = translator, numbered
        self.named: set[str] = set()

    def tell(self, number: int, line: str, translation: Translation) -> None:
        """Write the notes on a line, with its number if they are `numbered`."""
        remarks = self.translator.remarks(line, self.named) if translation.source else []
        if not translation.finished:
            remarks.append(
                f"stopped after {len(translation.target_pieces)} pieces without an end: {translation.source[:60]}"
            )
        for remark in remarks:
            note(f"note: line {number}: {remark}" if self.numbered else f"note: {remark}")


class _View:
    """How translations are written: a format on a stream."""

    def __init__(self, stream: TextIO, format_name: str, n_best: int) -> None:
        self.stream, self.format_name, self.n_best = stream, format_name, n_best
        self.line = 0
        self.console = console(stream) if format_name == "heatmap" else None

    def show(self, hypotheses: list[Translation]) -> None:
        """Write the hypotheses of one line."""
        self.line += 1
        for rank, translation in enumerate(hypotheses, 1):
            self._show(translation, rank)

    def _show(self, translation: Translation, rank: int) -> None:
        where = {"line": self.line, "rank": rank} if self.n_best > 1 else {}
        if self.format_name == "json":
            self._write(translation.to_json(**where))
        elif self.n_best > 1:
            self._write(
                f"{self.line}\t{rank}\t{translation.log_probability:.4f}\t{translation.target}"
            )
        else:
            self._write(translation.target)
        if self.console is not None and translation.source:
            from translator.views.heatmap import Heatmap

            self.console.print(Heatmap(translation))

    def _write(self, text: str) -> None:
        print(text, file=self.stream)
