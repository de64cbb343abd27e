"""`attn-translate evaluate`: scores of translations, and whether the attention is faithful."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from translator.cli.evaluation_report import Result, show_results
from translator.cli.terminal import check_format, console, note, progress_bar
from translator.cli.translate import BeamSize
from translator.printable import printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from translator.evaluation.faithfulness import Faithfulness
    from translator.inference.translator import Translator
    from translator.text.corpus import SentencePair
    from translator.translation import Translation

BUNDLED_TEST = "data/eng-kor.test.tsv"
FORMATS = ("text", "json")

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
ByLength = Annotated[
    bool, typer.Option("--by-length", help="Also show the scores by source length.")
]
MeasureFaithfulness = Annotated[
    bool,
    typer.Option(
        "--faithfulness", help="Erase the most attended word: how far does the probability fall?"
    ),
]
FormatName = Annotated[
    str, typer.Option("--format", help="text or json.", autocompletion=lambda: FORMATS)
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("evaluate")(evaluate)


def evaluate(
    corpus: CorpusPath = None,
    checkpoint: Checkpoints = None,
    by_length: ByLength = False,
    faithfulness: MeasureFaithfulness = False,
    beam_size: BeamSize = 5,
    format_name: FormatName = "text",
) -> None:
    """Score the translations of a corpus, and compare the attention with its gold alignments."""
    from translator.inference.translator import check_numbers, find_checkpoint
    from translator.settings import bundled
    from translator.text.corpus import read_corpus

    check_numbers(1, beam_size, None, 1)
    check_format(format_name, FORMATS)
    corpus_path = bundled(BUNDLED_TEST) if corpus is None else corpus
    pairs, report = read_corpus(corpus_path)
    if report.skipped:
        note(f"note: {report}")
    paths = map(find_checkpoint, checkpoint) if checkpoint else [find_checkpoint()]
    with progress_bar() as progress:
        results = [
            _evaluate_checkpoint(path, pairs, progress, by_length, faithfulness, beam_size)
            for path in dict.fromkeys(paths)
        ]
    if format_name == "json":
        record = _record(corpus_path, len(pairs), beam_size, results)
        print(json.dumps(record, ensure_ascii=False))
    else:
        show_results(console(sys.stdout), corpus_path, pairs, beam_size, results)


def _evaluate_checkpoint(
    path: Path,
    pairs: list[SentencePair],
    progress: Progress,
    by_length: bool,
    faithfulness: bool,
    beam_size: int,
) -> Result:
    """Load a checkpoint and score it."""
    from translator.evaluation import scores
    from translator.inference.translator import Translator
    from translator.text.corpus import reverse as reverse_pairs

    translator = Translator.load(path)
    if translator.checkpoint.record.get("reverse"):
        pairs = reverse_pairs(pairs)
        note(f"note: {path} was trained with --reverse: columns 1 and 2 are swapped")
    task = progress.add_task(printable(path.name), total=len(pairs))
    measured = []
    for measurement in scores.measure(translator, pairs, beam_size=beam_size):
        measured.append(measurement)
        progress.advance(task)
    buckets = scores.by_length(measured) if by_length else {}
    summaries = {words: scores.summarise(bucket) for words, bucket in buckets.items()}
    faithful = None
    if faithfulness:
        translations = [measurement.translation for measurement in measured]
        faithful = _measure_faithfulness(path, translator, translations, progress, task)
    attention = translator.checkpoint.config.attention
    return Result(path, attention, scores.summarise(measured), summaries, faithful)


def _measure_faithfulness(
    path: Path,
    translator: Translator,
    translations: list[Translation],
    progress: Progress,
    task: TaskID,
) -> Faithfulness | None:
    """Measure the faithfulness of the attention, or return None if there is no attention."""
    from translator.evaluation.faithfulness import faithfulness

    if translator.checkpoint.config.attention == "none":
        note(f"note: {path} has no attention: nothing could be erased")
        return None
    # Without a total, the bar only moves.
    progress.update(task, description=f"{printable(path.name)}, erasing words", total=None)
    return faithfulness(translator, translations)


def _record(path: Path, sentences: int, beam_size: int, results: list[Result]) -> dict[str, Any]:
    """Give the results as JSON values."""
    from translator.evaluation.scores import signatures

    return {
        "format": 1,
        "corpus": str(path),
        "sentences": sentences,
        "beam_size": beam_size,
        "signatures": signatures(),
        "checkpoints": [result.record() for result in results],
    }
