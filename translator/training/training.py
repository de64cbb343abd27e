"""Training: from sentence pairs to a checkpoint, one `Epoch` at a time.

A `Training` is an iterable of `Epoch`s: it never prints. An epoch shows every pair once; of a large corpus it has several
rounds, so that one can watch. Each round ends with scoring the dev set with the engine that translates, and with saving: the checkpoint if the
score is the best so far, and what `--resume` needs in any case. A round's random numbers depend on the seed and the round's number alone, so a
training that was stopped anywhere goes on exactly as if it hadn't been.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
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
from translator.text.corpus import SentencePair, corpus_digest
from translator.text.tokenizer import Tokenizer
from translator.text.words import word_digests
from translator.training.batches import EncodedPairs
from translator.training.optimization import Optimizer
from translator.translation import Translation

SAMPLE_SOURCE = "I love you"
START = (
    0.25  # share of the plan whose scores neither end a training nor hold against what comes later
)
PAIRS_A_ROUND = 50_000  # at most: half a minute on a laptop


@dataclass(frozen=True, slots=True)
class Epoch:
    """How training stands after a pass over the corpus, or after a round of it."""

    number: float  # passes done
    loss: float  # mean cross-entropy a piece, in nats, label smoothing and guidance included
    scores: Scores  # of the dev set, greedy
    is_best: bool  # the best dev score so far: the checkpoint is this epoch's
    pieces_per_second: float  # target pieces, `</s>` included, while learning
    seconds: float  # since the training began, earlier parts of a resumed one included
    seconds_left: float  # until the end of the plan; early stopping may come first
    sample: Translation  # what the sample sentence translates to now


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be learnt, and where it goes."""

    pairs: Sequence[SentencePair]
    dev: Sequence[SentencePair]
    path: Path  # of the checkpoint
    name: str = ""  # of the corpus, for the record
    sample_source: str = SAMPLE_SOURCE

    def tokenizers(
        self, settings: TrainingConfig, *, verbose: bool = False
    ) -> tuple[Tokenizer, Tokenizer]:
        """Find the pieces of both sides in the training pairs."""
        source = Tokenizer.train(
            [pair.source for pair in self.pairs],
            settings.source_vocabulary,
            folds=True,
            verbose=verbose,
        )
        target = Tokenizer.train(
            [pair.target for pair in self.pairs],
            settings.target_vocabulary,
            folds=False,
            verbose=verbose,
        )
        return source, target


class Training:
    """One run, an iterable of its epochs; `progress` and `seconds_left` may be watched from another thread meanwhile.

    Of several ranks only the first gives epochs.
    """

    def __init__(
        self,
        task: Task,
        config: ModelConfig,
        settings: TrainingConfig,
        tokenizers: tuple[Tokenizer, Tokenizer],
    ) -> None:
        self.task, self.config, self.settings, self.tokenizers = task, config, settings, tokenizers
        self.optimizer = Optimizer(config, settings)
        self.group = self.optimizer.group
        self.sentences_a_step = settings.batch_size * self.group.size
        guided = settings.guided_alignment > 0
        self.encoded = EncodedPairs.encode(
            *tokenizers, task.pairs, guided=guided, subword_sampling=settings.subword_sampling
        )
        self.digest, self.dev_digest = corpus_digest(task.pairs), corpus_digest(task.dev)
        self.words = word_digests(pair.source for pair in task.pairs)
        self.steps_an_epoch = math.ceil(len(self.encoded) / self.sentences_a_step)
        self.rounds_an_epoch = math.ceil(len(self.encoded) / PAIRS_A_ROUND)
        self.step = self.round = 0
        self.best_epoch: float = 0  # the checkpoint's
        self.improved_round = 0  # the first that scored as well as the checkpoint
        self.best_score = -1.0
        self.counts = False  # whether the plan's start is over, whose scores say little
        self.seconds_before = 0.0  # of the parts before a resumption
        self.scoring_seconds = 0.0  # what the last scoring and saving took
        self.began = time.perf_counter()

    @classmethod
    def resume(cls, task: Task, **changes: Any) -> tuple[Training, list[str]]:
        """Go on with the training that writes `task.path`, and say which settings changed; a change to `None` is none.

        Raises `TranslatorError` if there is nothing to go on with, or if it was another corpus's.
        """
        checkpoint = Checkpoint.load(task.path)
        arrays, record = load_training_state(task.path)
        if record["digest"] != corpus_digest(task.pairs):
            hint = (
                f"name the corpus that it began with ({record['name']}), or train anew with --force"
            )
            raise TranslatorError(f"{task.path} was being trained on another corpus", hint=hint)
        if record.get("dev_digest") not in (
            None,
            corpus_digest(task.dev),
        ):  # None: a state that an earlier version wrote
            hint = "name the dev set that it began with, or train anew with --force"
            raise TranslatorError(f"{task.path} was being trained with another dev set", hint=hint)
        before = TrainingConfig(**record["settings"])
        changes = {name: value for name, value in changes.items() if value is not None}
        if (
            "epochs" in changes or "minutes" in changes
        ):  # a plan of its own is run in full, and takes the place of the other kind
            changes = {"minutes": None, "patience": None, **changes}
        settings = replace(before, **changes)
        training = cls(
            task,
            checkpoint.config,
            settings,
            (checkpoint.source_tokenizer, checkpoint.target_tokenizer),
        )
        training._restore(arrays, record)
        return training, settings.changed_from(before)

    def __iter__(self) -> Iterator[Epoch]:
        """Learn, an epoch at a time.

        Raises `TranslatorError` if the loss stops being finite or the disk refuses; the last good checkpoint stays.
        """
        while not self.group.agree(self.is_over):
            self.round += 1
            loss, rate = self._learn()
            if self.group.rank == 0:
                yield self._score_and_save(loss, rate)

    @property
    def seconds(self) -> float:
        """Since the training began, earlier parts of a resumed one included."""
        return self.seconds_before + time.perf_counter() - self.began

    @property
    def epoch(self) -> float:
        """Passes over the corpus, this one included; whole wherever it is."""
        done, rest = divmod(self.round, self.rounds_an_epoch)
        return round(self.round / self.rounds_an_epoch, 2) if rest else done

    @property
    def progress(self) -> float:
        """The share of the plan that is done, 0 to 1: of its steps, or of its time less the last scoring."""
        if self.settings.minutes is None:
            return self.step / (self.settings.epochs * self.steps_an_epoch)
        return min(1.0, (self.seconds + self.scoring_seconds) / (60 * self.settings.minutes))

    @property
    def is_over(self) -> bool:
        """Whether the plan is done, or the dev score has stopped rising."""
        patience = self.settings.patience
        return self.progress >= 1 or (
            patience is not None and self.counts and self.round - self.improved_round >= patience
        )

    @property
    def seconds_left(self) -> float:
        """Until the end of the plan, by the time taken so far; early stopping may come first."""
        return self.seconds * (1 / self.progress - 1) if self.progress > 0 else math.inf

    def _learn(self) -> tuple[float, float]:
        """One round, shorter if the planned time is up: mean loss a piece, and target pieces a second.

        Raises `TranslatorError` if the loss stops being finite.
        """
        self.optimizer.seed(self.settings.seed + 1_000_003 * self.round)
        # All rounds of an epoch draw the same order and take different parts of it.
        number, part = divmod(self.round - 1, self.rounds_an_epoch)
        generator = np.random.default_rng([self.settings.seed, number])
        batches = self.encoded.batches(self.sentences_a_step, generator, part, self.rounds_an_epoch)
        began, total, pieces = time.perf_counter(), 0.0, 0
        progress = self.group.agree(self.progress)
        for batch in batches:
            loss, written = (
                self.optimizer.learn(batch, self.settings.learning_rate * self._schedule(progress)),
                int(batch.target_lengths.sum()),
            )
            self.step += 1
            if not math.isfinite(loss):
                hint = f"try a smaller --learning-rate than {self.settings.learning_rate:g}; the last good checkpoint is kept"
                raise TranslatorError(
                    f"the loss became {loss} at step {self.step}, epoch {self.epoch}", hint=hint
                )
            total, pieces = total + loss * written, pieces + written
            progress = self.group.agree(self.progress)
            if progress >= 1:
                break
        return total / pieces, pieces / (time.perf_counter() - began)

    def _schedule(self, progress: float) -> float:
        """The learning rate's share of its peak: a straight rise over the warm-up, then a straight fall to 0 at the end of the plan."""
        warmup = self.settings.warmup
        # A first step of rate 0 would teach nothing.
        rise = max(progress, 1e-3) / warmup if progress < warmup else 1.0
        return min(rise, (1 - progress) / (1 - warmup) if warmup < 1 else 1.0)

    def _score_and_save(self, loss: float, rate: float) -> Epoch:
        began = time.perf_counter()
        translator = Translator(self._checkpoint())
        scores = evaluate(translator, self.task.dev)
        sample = next(translator.translate([self.task.sample_source], beam_size=1))
        # A model that writes but a full stop may score better by chance than one that has learnt its first words.
        if not self.counts and self.progress >= START:
            self.counts, self.best_score = True, -1.0
        if scores.chrf > self.best_score:
            self.best_score, self.improved_round = scores.chrf, self.round
        # Of equally good rounds the later one has learnt more: a small dev set is soon all right.
        is_best = scores.chrf == self.best_score
        if is_best:
            translator.checkpoint.record["dev"] = scores._asdict()
            translator.checkpoint.save(self.task.path)
            if not self.best_epoch:  # the state of a training that this one replaces
                training_state_path(self.task.path).unlink(missing_ok=True)
            self.best_epoch = self.epoch
        self._save_state()
        self.scoring_seconds = time.perf_counter() - began
        return Epoch(
            self.epoch, loss, scores, is_best, rate, self.seconds, self.seconds_left, sample
        )

    def _checkpoint(self) -> Checkpoint:
        """The model as it is now, its parameters rounded as a checkpoint stores them. Raises `TranslatorError` if one is too large."""
        record = {
            "corpus": self.task.name,
            "digest": self.digest,
            "pairs": len(self.task.pairs),
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
            "step": self.step,
            "steps_an_epoch": self.steps_an_epoch,
            "round": self.round,
            "best_epoch": self.best_epoch,
            "improved_round": self.improved_round,
            "best_score": self.best_score,
            "counts": self.counts,
            "seconds": self.seconds,
        }
        save_training_state(self.task.path, self.optimizer.arrays(), record)

    def _restore(self, arrays: dict[str, Any], record: dict[str, Any]) -> None:
        """Take up what `_save_state` wrote. Raises `TranslatorError` if it belongs to another model."""
        try:
            self.optimizer.restore(arrays)
            self.step, self.round = int(record["step"]), int(record["round"])
            # Of another batch size so many steps are as far in the plan.
            self.step = round(
                self.step * self.steps_an_epoch / record.get("steps_an_epoch", self.steps_an_epoch)
            )
            self.best_epoch, self.improved_round = (
                record["best_epoch"],
                int(record["improved_round"]),
            )
            self.best_score, self.counts, self.seconds_before = (
                float(record["best_score"]),
                bool(record["counts"]),
                float(record["seconds"]),
            )
        except (KeyError, RuntimeError) as error:
            state = training_state_path(self.task.path)
            raise TranslatorError(
                f"{state} doesn't belong to {self.task.path}", hint="train anew with --force"
            ) from error
