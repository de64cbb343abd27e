"""The corpus of a training: reads the files that the options name, and prints their size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from translator.cli.terminal import note
from translator.errors import TranslatorError
from translator.printable import counted
from translator.settings import bundled

if TYPE_CHECKING:
    from translator.text.corpus import SentencePair
    from translator.training.task import Task

BUNDLED_CORPUS = "data/eng-kor.train.tsv"
BUNDLED_DEV = "data/eng-kor.dev.tsv"


@dataclass(frozen=True, slots=True)
class TrainingCorpus:
    """The pairs to learn from, the dev pairs, and the corpus's name."""

    pairs: Sequence[SentencePair]
    dev: Sequence[SentencePair]
    name: str  # for the record and the checkpoint's default name
    reverse: bool  # whether the pairs' sides are swapped already

    def task(self, path: Path) -> Task:
        """Make the task of training a checkpoint at `path` on this corpus."""
        from translator.text.normalization import fold
        from translator.training.task import SAMPLE_SOURCE, Task

        # The sample sentence is translated after every epoch. Take one that the model can know.
        folded = fold(SAMPLE_SOURCE)
        is_known = any(fold(pair.source).rstrip(".!") == folded for pair in self.pairs)
        sample = SAMPLE_SOURCE if is_known else self.dev[0].source
        return Task(self.pairs, self.dev, path, self.name, sample, self.reverse)


def read_training_corpus(
    corpus: Path | None,
    source: Path | None,
    target: Path | None,
    dev: Path | None,
    *,
    reverse: bool = False,
) -> TrainingCorpus:
    """Read the files, and print how many pairs they have.

    Raises `TranslatorError` if a file can't be read, or if the options contradict each other.
    """
    from translator.text.corpus import hold_out, read_corpus
    from translator.text.corpus import reverse as reverse_pairs

    pairs, name = _read_pairs(corpus, source, target)
    # Reverse before holding out: the dev set mustn't share a source with the training pairs.
    if reverse:
        pairs, name = reverse_pairs(pairs), f"{name}-reverse"
    if dev is None and (corpus is not None or source is not None):
        pairs, dev_pairs = hold_out(pairs)
        note(f"dev set: {counted(len(dev_pairs), 'pair')} held out by a hash of their source")
        return TrainingCorpus(pairs, dev_pairs, name, reverse)
    dev_pairs, report = read_corpus(dev or bundled(BUNDLED_DEV))
    note(str(report))
    return TrainingCorpus(pairs, reverse_pairs(dev_pairs) if reverse else dev_pairs, name, reverse)


def _read_pairs(
    corpus: Path | None, source: Path | None, target: Path | None
) -> tuple[list[SentencePair], str]:
    """Read all pairs; return them and the corpus's name."""
    from translator.text.corpus import read_corpus, read_parallel

    if (source is None) != (target is None) or (source is not None and corpus is not None):
        message = "a corpus is one TSV file, or --source and --target"
        raise TranslatorError(message, hint="give one or the other")
    if source is not None and target is not None:
        pairs, report = read_parallel(source, target)
        name = source.stem
    else:
        path = corpus or bundled(BUNDLED_CORPUS)
        pairs, report = read_corpus(path)
        name = "eng-kor" if corpus is None else path.stem
    note(str(report))
    return pairs, name
