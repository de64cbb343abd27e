"""Shared fixtures: a corpus of a dozen pairs, its tokenizers, random and trained models of it."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from command_line import CommandLine
from hypothesis import settings

from translator.settings import ModelConfig, TrainingConfig
from translator.storage.checkpoint import Checkpoint
from translator.text.corpus import SentencePair
from translator.text.tokenizer import Tokenizer
from translator.text.words import word_digests

settings.register_profile("untimed", deadline=None)  # speed is for benchmarks
settings.load_profile("untimed")
signal.signal(
    signal.SIGINT, signal.default_int_handler
)  # a shell lets what it starts in the background ignore Ctrl-C
if (
    signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
):  # by nohup; a handler keeps it from this process, but not from those it starts
    signal.signal(signal.SIGHUP, lambda *_: None)

PAIRS = [
    SentencePair("I love you", "나는 너를 사랑해"),
    SentencePair("you love me", "너는 나를 사랑해"),
    SentencePair("I see you", "나는 너를 봐"),
    SentencePair("you see me", "너는 나를 봐"),
    SentencePair("I love him", "나는 그를 사랑해"),
    SentencePair("he loves me", "그는 나를 사랑해"),
    SentencePair("you see him", "너는 그를 봐"),
    SentencePair("he sees you", "그는 너를 봐"),
    SentencePair("I run.", "나는 달려."),
    SentencePair("you run.", "너는 달려."),
    SentencePair("The cat sat on the mat.", "고양이가 매트 위에 앉았어."),
    SentencePair("Hi!", "안녕!"),
]

# Tests that share something slow to make run in one process, one after the other.
GROUPS = {"tests/data": "corpus", "tests/docs": "documents"}

MakeCheckpoint = Callable[..., Checkpoint]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group tests for pytest-xdist."""
    for item in items:
        for folder, group in GROUPS.items():
            if item.nodeid.startswith(folder):
                item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture(scope="session")
def tokenizers() -> tuple[Tokenizer, Tokenizer]:
    """Source and target tokenizers of `PAIRS`."""
    return (
        Tokenizer.train([pair.source for pair in PAIRS], 60, folds=True),
        Tokenizer.train([pair.target for pair in PAIRS], 60, folds=False),
    )


@pytest.fixture(scope="session")
def make_checkpoint(tokenizers: tuple[Tokenizer, Tokenizer]) -> MakeCheckpoint:
    """Make a random checkpoint: `make_checkpoint("additive", seed=3, scale=0.5)`."""

    def make(attention: str = "scaled-dot", *, seed: int = 0, scale: float = 0.5) -> Checkpoint:
        source, target = tokenizers
        config = ModelConfig(len(source), len(target), attention, embedding_size=8, hidden_size=6)
        generator = np.random.default_rng(seed)
        parameters = {
            name: generator.normal(0, scale, shape).astype(np.float16).astype(np.float32)
            for name, shape in config.parameter_shapes().items()
        }
        return Checkpoint(
            config,
            parameters,
            source,
            target,
            word_digests(pair.source for pair in PAIRS),
            {"pairs": len(PAIRS)},
        )

    return make


@pytest.fixture(scope="session")
def trained_path(
    tmp_path_factory: pytest.TempPathFactory, tokenizers: tuple[Tokenizer, Tokenizer]
) -> Path:
    """A checkpoint that has learnt `PAIRS` by heart, in a few seconds."""
    from translator.training.training import Task, Training

    path = tmp_path_factory.mktemp("trained") / "tiny.safetensors"
    settings = TrainingConfig(
        epochs=60,
        patience=None,
        batch_size=3,
        learning_rate=0.02,
        dropout=0.0,
        label_smoothing=0.0,
        threads=1,
    )
    config = ModelConfig(*map(len, tokenizers), embedding_size=32, hidden_size=32)
    scores = [
        epoch.scores.exact
        for epoch in Training(Task(PAIRS, PAIRS, path, "tiny"), config, settings, tokenizers)
    ]
    assert max(scores) == 1.0
    return path


@pytest.fixture
def cli(tmp_path, monkeypatch, capfd, trained_path) -> CommandLine:
    """The command line, with the trained checkpoint as the one that is used."""
    command_line = CommandLine(tmp_path, monkeypatch, capfd)
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", str(trained_path))
    return command_line
