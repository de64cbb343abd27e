"""The first experiment: translation quality, by length, and alignment of each score function."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from docs.study.lines import Lines
from docs.study.plan import Plan
from docs.study.results import Result, cached
from translator.evaluation.scores import Measured, measure, summarise
from translator.inference.translator import Translator
from translator.settings import ModelConfig, TrainingConfig
from translator.text.corpus import SentencePair, corpus_digest
from translator.training.task import Task
from translator.training.training import Training

BUCKET = 5  # words: lengths 1 to 5, 6 to 10, …
SETTINGS_OF = 100_000  # pairs: use the settings that `train` chooses for such a corpus


def settings_of(plan: Plan) -> TrainingConfig:
    """Give the settings of every training: one core, and all epochs."""
    vocabulary = {"source_vocabulary": plan.vocabulary, "target_vocabulary": plan.vocabulary}
    return TrainingConfig.for_corpus(SETTINGS_OF, epochs=plan.epochs, threads=1, **vocabulary)


def quality(attention: str, plan: Plan, lines: Lines, folder: Path) -> Result:
    """Train with this score function and measure on every test set, unless already done."""
    settings = settings_of(plan)
    digests = {
        name: corpus_digest(pairs)
        for name, pairs in {"training": lines.training, "dev": lines.dev, **lines.tests}.items()
    }
    key = {
        "attention": attention,
        "size": plan.size,
        "settings": asdict(settings),
        "digests": digests,
    }
    return cached(
        folder / f"quality-{attention}.json",
        key,
        lambda: _measure(attention, plan, lines, settings, folder),
    )


def _measure(
    attention: str, plan: Plan, lines: Lines, settings: TrainingConfig, folder: Path
) -> Result:
    path = folder / f"{attention}.safetensors"
    path.unlink(missing_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    task = Task(lines.training, lines.dev, path, "study")
    source, target = task.tokenizers(settings)
    training = Training(
        task,
        ModelConfig(len(source), len(target), attention, plan.size, plan.size),
        settings,
        (source, target),
    )
    began, cpu_began = time.perf_counter(), time.process_time()
    epochs = list(training)
    seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu_began
    translator = Translator.load(path)
    return {
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "pieces_per_second": sum(epoch.pieces_per_second for epoch in epochs) / len(epochs),
        "loss": epochs[-1].loss,
        "epochs": len(epochs),
        "best_epoch": training.best_epoch,
        "steps": training.step,
        "parameters": sum(
            parameter.numel() for parameter in training.optimizer.parameters.values()
        ),
        "tests": {name: _test(translator, pairs) for name, pairs in lines.tests.items()},
    }


def _test(translator: Translator, pairs: Sequence[SentencePair]) -> dict[str, Any]:
    """Score greedy translations, overall and by length."""
    measured = list(measure(translator, pairs, beam_size=1))
    buckets: dict[int, list[Measured]] = {}
    for one in sorted(measured, key=lambda one: len(one.pair.source.split())):
        buckets.setdefault((len(one.pair.source.split()) - 1) // BUCKET, []).append(one)
    lengths = [
        {"from": number * BUCKET + 1, "to": (number + 1) * BUCKET, **summarise(some).record()}
        for number, some in buckets.items()
    ]
    return {**summarise(measured).record(), "by_length": lengths}
