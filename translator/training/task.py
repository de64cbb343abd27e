"""A training's task: the sentence pairs to learn from, and the checkpoint to write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from translator.errors import TranslatorError
from translator.settings import TrainingConfig
from translator.text.corpus import SentencePair, corpus_digest
from translator.text.tokenizer import Tokenizer

SAMPLE_SOURCE = "I love you"


@dataclass(frozen=True, slots=True)
class Task:
    """What to train on, and where to save the model."""

    pairs: Sequence[SentencePair]
    dev: Sequence[SentencePair]
    path: Path  # of the checkpoint
    name: str = ""  # of the corpus, for the record
    sample_source: str = SAMPLE_SOURCE
    reverse: bool = False  # whether the pairs are a corpus read from target to source

    def tokenizers(
        self, settings: TrainingConfig, *, verbose: bool = False
    ) -> tuple[Tokenizer, Tokenizer]:
        """Learn both sides' pieces from the training pairs."""
        source_lines = [pair.source for pair in self.pairs]
        target_lines = [pair.target for pair in self.pairs]
        source_size, target_size = settings.source_vocabulary, settings.target_vocabulary
        source = Tokenizer.train(source_lines, source_size, folds=True, verbose=verbose)
        target = Tokenizer.train(target_lines, target_size, folds=False, verbose=verbose)
        return source, target

    def check_state(self, record: Mapping[str, Any]) -> None:
        """Raise `TranslatorError` if this training state is of another corpus or dev set."""
        restart = "train again with --force"
        if record["digest"] != corpus_digest(self.pairs):
            message = f"{self.path} was being trained on another corpus"
            hint = f"name the corpus that it began with ({record['name']}), or {restart}"
            raise TranslatorError(message, hint=hint)
        # An earlier version of the program saved no digest of the dev set.
        if record.get("dev_digest") not in (None, corpus_digest(self.dev)):
            message = f"{self.path} was being trained with another dev set"
            hint = f"name the dev set that it began with, or {restart}"
            raise TranslatorError(message, hint=hint)
