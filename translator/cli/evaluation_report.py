"""The results of `attn-translate evaluate`: as JSON values, and as tables for a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from translator.cli.terminal import plain_table
from translator.printable import counted, printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from translator.evaluation.faithfulness import Faithfulness
    from translator.evaluation.scores import Summary
    from translator.text.corpus import SentencePair

BAR_WIDTH = 20  # cells of a bar for chrF 100
MIN_WIDTH = 70  # cells of the widest table; a narrower terminal wraps lines, so nothing is cut


@dataclass(frozen=True, slots=True)
class Result:
    """The scores of one checkpoint."""

    path: Path
    attention: str
    summary: Summary
    buckets: dict[str, Summary]  # by source length, if wanted
    faithfulness: Faithfulness | None

    @property
    def name(self) -> str:
        """The path, safe to print."""
        return printable(str(self.path))

    def record(self) -> dict[str, Any]:
        """Give the scores as JSON values."""
        record: dict[str, Any] = {"checkpoint": str(self.path), "attention": self.attention}
        record |= self.summary.record()
        if self.buckets:
            record["by_length"] = [
                {"words": words, **summary.record()} for words, summary in self.buckets.items()
            ]
        if self.faithfulness is not None:
            record["faithfulness"] = self.faithfulness._asdict()
        return record


def show_results(
    screen: Console,
    path: Path,
    pairs: list[SentencePair],
    beam_size: int,
    results: Sequence[Result],
) -> None:
    """Print a table of all checkpoints, then the details of each, then what the columns mean."""
    screen.width = max(screen.width, MIN_WIDTH)
    sentences = counted(len(pairs), "sentence")
    screen.print(f"{printable(str(path))}: {sentences}, beam size {beam_size}\n")
    rows = {f"{result.name} ({result.attention})": result.summary for result in results}
    screen.print(_table("checkpoint", rows))
    block = "#" if screen.options.ascii_only else "█"
    for result in results:
        if result.buckets:
            screen.print(f"\nBy length of the source: {result.name}")
            screen.print(_table("words", result.buckets, block))
        if result.faithfulness is not None:
            screen.print(f"\nFaithfulness: {result.name}")
            screen.print(_describe_faithfulness(result.faithfulness))
    screen.print(f"\n{_legend(pairs)}", style="dim")


def _table(heading: str, rows: dict[str, Summary], block: str = "") -> Table:
    """Make a table with a row of scores per name, and with a bar of chrF if there is a `block`."""
    table = plain_table()
    table.add_column(heading, overflow="fold")
    for column in ("sentences", "exact", "chrF", "BLEU", "AER"):
        table.add_column(column, justify="right", no_wrap=True)
    if block:
        table.add_column("", no_wrap=True)
    for name, summary in rows.items():
        scores = summary.scores
        cells = [
            name,
            f"{scores.sentences:,}",
            f"{scores.exact:.1%}",
            f"{scores.chrf:.2f}",
            _format_score(summary.bleu, 2),
            _format_score(summary.aer, 3),
        ]
        bar = [block * round(scores.chrf / 100 * BAR_WIDTH)] if block else []
        table.add_row(*cells, *bar)
    return table


def _format_score(value: float | None, places: int) -> str:
    return "-" if value is None else f"{value:.{places}f}"


def _describe_faithfulness(faithfulness: Faithfulness) -> str:
    """Give the falls of probability in words."""
    f = faithfulness
    interval = "" if f.interval is None else f" ± {f.interval:.3f}"
    pieces = f"{f.pieces:,} pieces of {f.sentences:,} sentences"
    return (
        f"  most attended source word erased   p falls by {f.attended:.3f}\n"
        f"  another one, at random             p falls by {f.random:.3f}\n"
        f"  difference                         {f.difference:.3f}{interval}\n"
        f"  ({pieces}, the end not counted; ±: 95 % interval)"
    )


def _legend(pairs: list[SentencePair]) -> str:
    """Explain what the columns mean and how they were computed."""
    from translator.evaluation.scores import FEWEST_FOR_BLEU, signatures

    aligned = sum(bool(pair.alignment) for pair in pairs)
    if aligned:
        aer = f"over the {aligned:,} sentences with gold alignments"
    else:
        aer = "none as the corpus has no gold alignments"
    notation = signatures()
    return (
        f"exact: the translation is the reference, character by character.\n"
        f"chrF: {notation['chrf']}\n"
        f"BLEU: {notation['bleu']}; none below {FEWEST_FOR_BLEU} sentences\n"
        f"AER: alignment error rate of the attention (0 is best), {aer}"
    )
