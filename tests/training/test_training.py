"""Training: that it learns, that it repeats itself, and that nothing is lost."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conftest import PAIRS

from translator import Translator, TranslatorError
from translator.evaluation.scores import evaluate
from translator.settings import ATTENTIONS, ModelConfig, TrainingConfig
from translator.storage.checkpoint import Checkpoint, training_state_path
from translator.text.corpus import SentencePair
from translator.training.training import Task, Training

SHORT = TrainingConfig(
    epochs=4,
    patience=None,
    batch_size=5,
    learning_rate=0.01,
    dropout=0.3,
    word_dropout=0.1,
    threads=1,
)


@pytest.fixture
def task(tmp_path) -> Task:
    return Task(PAIRS, PAIRS[:4], tmp_path / "new" / "model.safetensors", "pairs")


def begin(task: Task, tokenizers, settings: TrainingConfig = SHORT) -> Training:
    return Training(
        task,
        ModelConfig(*map(len, tokenizers), embedding_size=8, hidden_size=8),
        settings,
        tokenizers,
    )


def parameters(training: Training) -> list[np.ndarray]:
    return [
        parameter.detach().numpy().copy() for parameter in training.optimizer.model.parameters()
    ]


def assert_same(first: list[np.ndarray], second: list[np.ndarray]) -> None:
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_it_yields_its_epochs_and_ends(task, tokenizers):
    epochs = list(begin(task, tokenizers))
    assert [epoch.number for epoch in epochs] == [1, 2, 3, 4]
    assert epochs[-1].seconds_left == 0
    assert epochs[-1].loss < epochs[0].loss


def test_the_checkpoint_is_the_best_epochs(task, tokenizers):
    epochs = list(begin(task, tokenizers))
    best = max(epoch.scores.chrf for epoch in epochs)
    saved = Translator.load(task.path)
    assert evaluate(saved, task.dev).chrf == best == saved.checkpoint.record["dev"]["chrf"]


@pytest.mark.case(32)
def test_the_same_seed_gives_the_same_bytes(task, tokenizers, tmp_path):
    first, second = (
        begin(task, tokenizers),
        begin(replace(task, path=tmp_path / "other.safetensors"), tokenizers),
    )
    list(first), list(second)
    assert_same(parameters(first), parameters(second))


def test_another_seed_gives_another_model(task, tokenizers):
    first, second = (begin(task, tokenizers, replace(SHORT, seed=seed)) for seed in (1, 2))
    assert any(
        not np.array_equal(a, b) for a, b in zip(parameters(first), parameters(second), strict=True)
    )


@pytest.mark.case(33)
@pytest.mark.parametrize("stop_after", [1, 3])
def test_a_resumed_training_equals_an_uninterrupted_one(task, tokenizers, tmp_path, stop_after):
    whole = begin(replace(task, path=tmp_path / "whole.safetensors"), tokenizers)
    expected = [epoch.scores for epoch in whole]
    scores = [
        epoch.scores for _, epoch in zip(range(stop_after), begin(task, tokenizers), strict=False)
    ]
    resumed, changes = Training.resume(task)
    scores += [epoch.scores for epoch in resumed]
    assert (scores, changes) == (expected, [])
    assert_same(parameters(whole), parameters(resumed))


def test_an_epoch_of_a_large_corpus_has_rounds(task, tokenizers, monkeypatch):
    monkeypatch.setattr("translator.training.training.PAIRS_A_ROUND", 5)
    training = begin(task, tokenizers, replace(SHORT, epochs=2, batch_size=2))
    epochs = list(training)
    assert [epoch.number for epoch in epochs] == [0.33, 0.67, 1, 1.33, 1.67, 2]
    assert training.step == 2 * training.steps_an_epoch


@pytest.mark.case(33)
def test_a_training_resumes_inside_an_epoch(task, tokenizers, tmp_path, monkeypatch):
    monkeypatch.setattr("translator.training.training.PAIRS_A_ROUND", 5)
    whole, stopped = (
        begin(replace(task, path=tmp_path / "whole.safetensors"), tokenizers),
        iter(begin(task, tokenizers)),
    )
    list(whole), next(stopped), next(stopped)
    resumed, _ = Training.resume(task)
    assert [epoch.number for epoch in resumed] == [1, *np.round(np.arange(4, 13) / 3, 2)]
    assert_same(parameters(whole), parameters(resumed))


def test_a_finished_training_may_go_on(task, tokenizers):
    list(begin(task, tokenizers))
    resumed, changes = Training.resume(task, epochs=6, learning_rate=None)
    assert changes == ["epochs: 4 → 6"]
    assert [epoch.number for epoch in resumed] == [5, 6]


def test_another_corpus_is_not_gone_on_with(task, tokenizers):
    list(begin(task, tokenizers))
    with pytest.raises(TranslatorError, match="another corpus"):
        Training.resume(replace(task, pairs=PAIRS[:-1]))


def test_without_a_state_there_is_nothing_to_go_on_with(task, tokenizers):
    list(begin(task, tokenizers))
    training_state_path(task.path).unlink()
    with pytest.raises(TranslatorError, match="no training to go on with"):
        Training.resume(task)


def test_it_stops_early_when_nothing_gets_better(task, tokenizers):
    training = begin(task, tokenizers, replace(SHORT, epochs=500, patience=2, learning_rate=1e-7))
    epochs = list(training)
    assert len(epochs) < 500
    assert epochs[-1].number == training.improved_round + 2


def test_a_time_is_kept(task, tokenizers):
    epochs = list(begin(task, tokenizers, replace(SHORT, minutes=0.03)))
    assert epochs[-1].seconds == pytest.approx(1.8, rel=0.2)


def test_a_loss_that_is_no_number_stops_and_keeps_the_last_good_model(task, tokenizers):
    training = begin(task, tokenizers)
    epochs: Iterator = iter(training)
    next(epochs)
    good = task.path.read_bytes()
    training.optimizer.model.decoder.output_bias.data[:] = float("nan")
    with pytest.raises(TranslatorError, match=r"the loss became nan at step 4, epoch 2"):
        next(epochs)
    assert task.path.read_bytes() == good


def test_a_parameter_that_no_checkpoint_can_hold_stops_it_too(task, tokenizers):
    training = begin(task, tokenizers, replace(SHORT, learning_rate=1e-7))
    epochs: Iterator = iter(training)
    next(epochs)
    good = task.path.read_bytes()
    training.optimizer.model.decoder.output_bias.data[5] = 1e5
    with pytest.raises(TranslatorError, match="too large to be saved"):
        next(epochs)
    assert task.path.read_bytes() == good


def test_the_rate_rises_then_falls(task, tokenizers):
    training, rates = begin(task, tokenizers, replace(SHORT, epochs=100, warmup=0.1)), []
    for training.step in range(0, 300, 10):
        rates.append(training._schedule(training.progress))
    top = rates.index(max(rates))
    assert rates[:top] == sorted(rates[:top])
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert rates[top] == pytest.approx(1)


def test_an_unknown_device_is_refused(task, tokenizers):
    with pytest.raises(TranslatorError, match="no device 'gpu'"):
        begin(task, tokenizers, replace(SHORT, device="gpu"))
    assert begin(task, tokenizers, replace(SHORT, device="auto")).optimizer.device.type in (
        "cpu",
        "cuda",
        "mps",
    )


def test_a_checkpoint_says_how_it_was_made(task, tokenizers):
    list(begin(task, tokenizers))
    record = Checkpoint.load(task.path).record
    assert (record["corpus"], record["pairs"], record["settings"]["seed"]) == ("pairs", 12, 1)
    assert len(record["digest"]) == 64


def digit_strings(count: int, seed: int) -> list[SentencePair]:
    """Different digit strings of 3 to 8 digits, each with its reverse."""
    generator = random.Random(seed)
    strings = {
        " ".join(generator.choices("0123456789", k=generator.randint(3, 8))) for _ in range(count)
    }
    return [SentencePair(string, string[::-1]) for string in sorted(strings)]


@pytest.mark.case(20)
@pytest.mark.slow
@pytest.mark.parametrize("attention", [name for name in ATTENTIONS if name != "none"])
def test_learning_to_reverse(tmp_path: Path, attention: str):
    """The right attention is known: digit i is copied from digit S - 1 - i."""
    pairs = digit_strings(4500, seed=1)
    unseen = random.Random(2).sample(pairs, 300)
    known = sorted(set(pairs) - set(unseen))
    task = Task(known, unseen[:100], tmp_path / "reverse.safetensors", "digits", unseen[0].source)
    settings = TrainingConfig(
        epochs=20,
        patience=None,
        batch_size=32,
        learning_rate=3e-3,
        dropout=0.1,
        label_smoothing=0.0,
    )
    tokenizers = task.tokenizers(settings)
    for _ in Training(
        task,
        ModelConfig(*map(len, tokenizers), attention, embedding_size=32, hidden_size=64),
        settings,
        tokenizers,
    ):
        pass
    translator = Translator.load(task.path)
    assert evaluate(translator, unseen).exact >= 0.95
    assert np.mean([is_anti_diagonal(translator, pair) for pair in unseen]) >= 0.95


def is_anti_diagonal(translator: Translator, pair: SentencePair) -> bool:
    """Whether the largest weight of each written digit lies on the digit that it copies."""
    words = translator.align(pair.source, pair.target).merged()
    largest = words.weights[:-1].argmax(1)
    return np.array_equal(largest, np.arange(len(largest))[::-1])
