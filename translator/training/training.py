"""Training: from sentence pairs to a checkpoint, one `Epoch` at a time.

A `Training` is an iterable of `Epoch`s; it never prints. An epoch is a pass over all pairs. With a
large corpus it has several rounds, so you can follow the progress. Each round ends by scoring the
dev set with the numpy network, and by saving: the checkpoint if the score is the best so far, and
always the state for `--resume`. The random numbers of a round depend only on the seed and the
round's number, so a resumed training equals one that was never stopped.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from typing import Any

import numpy as np

from translator.errors import TranslatorError
from translator.evaluation.scores import Scores, evaluate
from translator.inference.translator import Translator
from translator.settings import ModelConfig, TrainingConfig
from translator.storage.checkpoint import (
    Checkpoint,
    halved,
    load_training_state,
    save_training_state,
    training_state_path,
)
from translator.text.corpus import corpus_digest
from translator.text.tokenizer import Tokenizer
from translator.text.words import word_digests
from translator.training.batches import EncodedPairs
from translator.training.optimization import Optimizer
from translator.training.progress import KEPT, Progress
from translator.training.task import SAMPLE_SOURCE, Task
from translator.translation import Translation

__all__ = ["SAMPLE_SOURCE", "Epoch", "Task", "Training"]

START = 0.25  # share of the plan whose scores are only provisional
PAIRS_A_ROUND = 50_000  # at most: half a minute on a laptop


@dataclass(frozen=True, slots=True)
class Epoch:
    """The state of a training after a pass over the corpus, or after a round of it."""

    number: float  # passes completed
    loss: float  # per piece, in nats: cross-entropy with label smoothing and guided alignment
    scores: Scores  # of the dev set, with greedy search
    is_best: bool  # whether the dev score is the best so far, so the checkpoint was saved
    pieces_per_second: float  # target pieces with `</s>`, while learning
    seconds: float  # since the training began, with the earlier parts of a resumed one
    seconds_left: float  # until the end of the plan; early stopping may come first
    sample: Translation  # the current translation of the sample sentence


class Training(Progress):
    """One run, an iterable of its epochs.

    Another thread may read `progress` and `seconds_left` meanwhile. In a process group, only rank 0
    yields epochs.
    """

    def __init__(
        self,
        task: Task,
        config: ModelConfig,
        settings: TrainingConfig,
        tokenizers: tuple[Tokenizer, Tokenizer],
    ) -> None:
        self.task, self.config, self.tokenizers = task, config, tokenizers
        self.optimizer = Optimizer(config, settings)
        self.group = self.optimizer.group
        self.sentences_a_step = settings.batch_size * self.group.size
        guided = settings.guided_alignment > 0
        self.encoded = EncodedPairs.encode(
            *tokenizers, task.pairs, guided=guided, subword_sampling=settings.subword_sampling
        )
        self.digest, self.dev_digest = corpus_digest(task.pairs), corpus_digest(task.dev)
        self.words = word_digests(pair.source for pair in task.pairs)
        steps_an_epoch = math.ceil(len(self.encoded) / self.sentences_a_step)
        super().__init__(settings, steps_an_epoch, math.ceil(len(self.encoded) / PAIRS_A_ROUND))

    @classmethod
    def resume(cls, task: Task, **changes: Any) -> tuple[Training, list[str]]:
        """Resume the training that writes `task.path`, with changed settings (None: unchanged).

        Returns it and the list of changes. Raises `TranslatorError` if there is nothing to resume,
        or if it had another corpus.
        """
        checkpoint = Checkpoint.load(task.path)
        arrays, record = load_training_state(task.path)
        task.check_state(record)
        before = TrainingConfig(**record["settings"])
        changes = {name: value for name, value in changes.items() if value is not None}
        # A new plan replaces the old one, whichever kind it was, and runs in full.
        if "epochs" in changes or "minutes" in changes:
            changes = {"minutes": None, "patience": None, **changes}
        settings = replace(before, **changes)
        tokenizers = checkpoint.source_tokenizer, checkpoint.target_tokenizer
        training = cls(task, checkpoint.config, settings, tokenizers)
        training._restore(arrays, record)
        return training, settings.changed_from(before)

    def __iter__(self) -> Iterator[Epoch]:
        """Train, an epoch at a time.

        Raises `TranslatorError` if the loss stops being finite or a file can't be written. The last
        good checkpoint is kept.
        """
        while not self.group.agree(self.is_over):
            self.round += 1
            loss, rate = self._learn()
            if self.group.rank == 0:
                yield self._score_and_save(loss, rate)

    def _learn(self) -> tuple[float, float]:
        """Train for one round, or until the time is up.

        Returns the mean loss per piece, and target pieces per second. Raises `TranslatorError` if
        the loss stops being finite.
        """
        self.optimizer.seed(self.settings.seed + 1_000_003 * self.round)
        # All rounds of an epoch draw the same order, and each takes a different part of it.
        number, part = divmod(self.round - 1, self.rounds_an_epoch)
        generator = np.random.default_rng([self.settings.seed, number])
        batches = self.encoded.batches(self.sentences_a_step, generator, part, self.rounds_an_epoch)
        began, total, pieces = time.perf_counter(), 0.0, 0
        progress = self.group.agree(self.progress)
        for batch in batches:
            learning_rate = self.settings.learning_rate * self._schedule(progress)
            loss = self.optimizer.learn(batch, learning_rate)
            self.step += 1
            if not math.isfinite(loss):
                raise self._diverged(loss)
            batch_pieces = int(batch.target_lengths.sum())
            total, pieces = total + loss * batch_pieces, pieces + batch_pieces
            progress = self.group.agree(self.progress)
            if progress >= 1:
                break
        return total / pieces, pieces / (time.perf_counter() - began)

    def _diverged(self, loss: float) -> TranslatorError:
        message = f"the loss became {loss} at step {self.step}, epoch {self.epoch}"
        remedy = f"try a smaller --learning-rate than {self.settings.learning_rate:g}"
        return TranslatorError(message, hint=f"{remedy}; the last good checkpoint is kept")

    def _score_and_save(self, loss: float, rate: float) -> Epoch:
        began = time.perf_counter()
        translator = Translator(self._checkpoint())
        scores = evaluate(translator, self.task.dev)
        sample = next(translator.translate([self.task.sample_source], beam_size=1))
        # Early scores mislead: a model that only writes a full stop can beat one that knows a few
        # words. So at the end of the start, the search for the best score begins again.
        if not self.counts and self.progress >= START:
            self.counts, self.best_score = True, -1.0
        if scores.chrf > self.best_score:
            self.best_score, self.improved_round = scores.chrf, self.round
        # If scores are equal, the later model has learned more: a small dev set is soon all right.
        is_best = scores.chrf == self.best_score
        if is_best:
            translator.checkpoint.record["dev"] = scores._asdict()
            translator.checkpoint.save(self.task.path)
            if not self.best_epoch:  # remove the state of a training that this one replaces
                training_state_path(self.task.path).unlink(missing_ok=True)
            self.best_epoch = self.epoch
        self._save_state()
        self.scoring_seconds = time.perf_counter() - began
        return Epoch(
            self.epoch, loss, scores, is_best, rate, self.seconds, self.seconds_left, sample
        )

    def _checkpoint(self) -> Checkpoint:
        """Give the current model, rounded as in a checkpoint file.

        Raises `TranslatorError` if a parameter is too large.
        """
        record = {
            "corpus": self.task.name,
            "digest": self.digest,
            "pairs": len(self.task.pairs),
            "reverse": self.task.reverse,
            "epochs": self.epoch,
            "seconds": round(self.seconds, 1),
            "settings": asdict(self.settings),
            "versions": {name: version(name) for name in ("torch", "numpy", "sentencepiece")},
        }
        parameters = {
            name: tensor.detach().cpu().numpy()
            for name, tensor in self.optimizer.parameters.items()
        }
        return Checkpoint(self.config, halved(parameters), *self.tokenizers, self.words, record)

    def _save_state(self) -> None:
        record = {
            "name": self.task.name,
            "digest": self.digest,
            "dev_digest": self.dev_digest,
            "settings": asdict(self.settings),
            **{name: getattr(self, name) for name in KEPT},
            "seconds": self.seconds,
        }
        save_training_state(self.task.path, self.optimizer.arrays(), record)

    def _restore(self, arrays: dict[str, Any], record: dict[str, Any]) -> None:
        """Restore what `_save_state` wrote. Raises `TranslatorError` if it is of another model."""
        try:
            self.optimizer.restore(arrays)
            # With another batch size, another number of steps is as far in the plan.
            steps_an_epoch = record.get("steps_an_epoch", self.steps_an_epoch)
            self.step = round(int(record["step"]) * self.steps_an_epoch / steps_an_epoch)
            self.round, self.best_epoch = int(record["round"]), record["best_epoch"]
            self.improved_round = int(record["improved_round"])
            self.best_score = float(record["best_score"])
            self.counts = bool(record["counts"])
            self.seconds_before = float(record["seconds"])
        except (KeyError, RuntimeError) as error:
            state = training_state_path(self.task.path)
            message = f"{state} doesn't belong to {self.task.path}"
            raise TranslatorError(message, hint="train again with --force") from error
