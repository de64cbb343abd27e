"""`attn-translate evaluate`: scores of translations, and whether the attention tells the truth."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from translator.cli.terminal import check_format, console, note, plain_table, watched
from translator.cli.translate import BeamSize
from translator.printable import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    from translator.evaluation.faithfulness import Faithfulness
    from translator.evaluation.scores import Summary
    from translator.text.corpus import SentencePair

TEST = "data/eng-kor.test.tsv"
FORMATS = ("text", "json")
BAR = 20  # cells of chrF 100
NEEDED = 70  # cells of the widest table; a narrower terminal folds lines, but nothing is cut

CorpusPath = Annotated[
    Path | None,
    typer.Argument(
        help="TSV: source, tab, target[, tab, alignment].", show_default="the bundled test set"
    ),
]
Checkpoints = Annotated[
    list[Path] | None,
    typer.Option(
        "--checkpoint", help="A model; repeat it to compare several.", show_default="see `info`"
    ),
]
FormatName = Annotated[
    str, typer.Option("--format", help="text or json.", autocompletion=lambda: FORMATS)
]


@dataclass(frozen=True, slots=True)
class _Result:
    """What one checkpoint has reached."""

    path: Path
    attention: str
    summary: Summary
    buckets: dict[str, Summary]
    faithfulness: Faithfulness | None

    @property
    def name(self) -> str:
        """The path, as a terminal may have it."""
        return printable(str(self.path))


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("evaluate")(evaluate)


def evaluate(
    corpus: CorpusPath = None,
    checkpoint: Checkpoints = None,
    by_length: Annotated[
        bool, typer.Option("--by-length", help="The scores by length of the source, too.")
    ] = False,
    faithfulness: Annotated[
        bool,
        typer.Option(
            "--faithfulness",
            help="Erase the most attended word: how far does the probability fall?",
        ),
    ] = False,
    beam_size: BeamSize = 5,
    format_name: FormatName = "text",
) -> None:
    """Score translations of a corpus, and its gold alignments against the attention."""
    from translator.inference.translator import check_numbers, find_checkpoint
    from translator.settings import bundled
    from translator.text.corpus import read_corpus

    check_numbers(1, beam_size, None, 1)
    check_format(format_name, FORMATS)
    path = bundled(TEST) if corpus is None else corpus
    pairs, report = read_corpus(path)
    if report.skipped:
        note(f"note: {report}")
    paths = (
        list(dict.fromkeys(map(find_checkpoint, checkpoint))) if checkpoint else [find_checkpoint()]
    )
    with watched() as progress:
        results = [
            _result(name, pairs, progress, by_length, faithfulness, beam_size) for name in paths
        ]
    if format_name == "json":
        print(json.dumps(_record(path, len(pairs), beam_size, results), ensure_ascii=False))
    else:
        _show(console(sys.stdout), path, pairs, beam_size, results)


def _result(
    path: Path,
    pairs: list[SentencePair],
    progress: Progress,
    by_length: bool,
    faithfulness: bool,
    beam_size: int,
) -> _Result:
    """Load a checkpoint and measure it."""
    from translator.evaluation import scores as evaluation
    from translator.evaluation.faithfulness import faithfulness as measured_faithfulness
    from translator.inference.translator import Translator

    translator = Translator.load(path)
    attention = translator.checkpoint.config.attention
    task = progress.add_task(printable(path.name), total=len(pairs))
    measured = []
    for one in evaluation.measure(translator, pairs, beam_size=beam_size):
        measured.append(one)
        progress.advance(task)
    buckets = evaluation.by_length(measured) if by_length else {}
    faith = None
    if faithfulness and attention == "none":
        note(f"note: {path} has no attention: nothing could be erased")
    elif faithfulness:
        progress.update(
            task, description=f"{printable(path.name)}, erasing words", total=None
        )  # a bar that only moves
        faith = measured_faithfulness(translator, [one.translation for one in measured])
    summaries = {name: evaluation.summarise(some) for name, some in buckets.items()}
    return _Result(path, attention, evaluation.summarise(measured), summaries, faith)


def _record(path: Path, sentences: int, beam_size: int, results: list[_Result]) -> dict[str, Any]:
    from translator.evaluation.scores import signatures

    def one(result: _Result) -> dict[str, Any]:
        made: dict[str, Any] = {
            "checkpoint": str(result.path),
            "attention": result.attention,
            **result.summary.record(),
        }
        if result.buckets:
            made["by_length"] = [
                {"words": name, **summary.record()} for name, summary in result.buckets.items()
            ]
        if result.faithfulness is not None:
            made["faithfulness"] = result.faithfulness._asdict()
        return made

    head = {
        "format": 1,
        "corpus": str(path),
        "sentences": sentences,
        "beam_size": beam_size,
        "signatures": signatures(),
    }
    return {**head, "checkpoints": [one(result) for result in results]}


def _show(
    screen: Console, path: Path, pairs: list[SentencePair], beam_size: int, results: list[_Result]
) -> None:
    """Tables for a person: all checkpoints under each other, then each by length, then faithfulness, then what the numbers are."""
    screen.width = max(screen.width, NEEDED)
    screen.print(f"{printable(str(path))}: {len(pairs):,} sentences, beam size {beam_size}\n")
    screen.print(
        _table(
            "checkpoint",
            {f"{result.name} ({result.attention})": result.summary for result in results},
        )
    )
    for result in results:
        if result.buckets:
            screen.print(f"\nBy length of the source: {result.name}")
            screen.print(_table("words", result.buckets, bars=_block(screen)))
        if result.faithfulness is not None:
            screen.print(f"\nFaithfulness: {result.name}\n{_told(result.faithfulness)}")
    screen.print(f"\n{_legend(pairs)}", style="dim")


def _table(heading: str, rows: dict[str, Summary], bars: str = "") -> Table:
    """One row of scores for each name; with `bars` a bar of chrF made of that character."""
    table = plain_table()
    table.add_column(heading, overflow="fold")
    for column in ("sentences", "exact", "chrF", "BLEU", "AER"):
        table.add_column(column, justify="right", no_wrap=True)
    if bars:
        table.add_column("", no_wrap=True)
    for name, summary in rows.items():
        scores = summary.scores
        cells = [
            name,
            f"{scores.sentences:,}",
            f"{scores.exact:.1%}",
            f"{scores.chrf:.2f}",
            _number(summary.bleu, 2),
            _number(summary.aer, 3),
        ]
        table.add_row(*cells, *([bars * round(scores.chrf / 100 * BAR)] if bars else []))
    return table


def _number(value: float | None, places: int) -> str:
    return "-" if value is None else f"{value:.{places}f}"


def _block(screen: Console) -> str:
    return "#" if screen.options.ascii_only else "█"


def _told(faith: Faithfulness) -> str:
    """The falls of probability in words."""
    interval = "" if faith.interval is None else f" ± {faith.interval:.3f}"
    return (
        f"  most attended source word erased   p falls by {faith.attended:.3f}\n"
        f"  another one, at random             p falls by {faith.random:.3f}\n"
        f"  difference                         {faith.difference:.3f}{interval}\n"
        f"  ({faith.pieces:,} pieces of {faith.sentences:,} sentences, the end not counted; ±: 95 % interval)"
    )


def _legend(pairs: list[SentencePair]) -> str:
    """What the columns mean, and how they were computed."""
    from translator.evaluation.scores import FEWEST_FOR_BLEU, signatures

    aligned = sum(bool(pair.alignment) for pair in pairs)
    aer = (
        f"over the {aligned:,} sentences with gold alignments"
        if aligned
        else "none as the corpus has no gold alignments"
    )
    notation = signatures()
    return (
        f"exact: the translation is the reference, character by character.\n"
        f"chrF: {notation['chrf']}\n"
        f"BLEU: {notation['bleu']}; none below {FEWEST_FOR_BLEU} sentences\n"
        f"AER: alignment error rate of the attention (0 is best), {aer}"
    )
