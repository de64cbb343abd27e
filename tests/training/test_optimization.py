"""One step of training: cores that share a batch learn the same as a single core."""

from __future__ import annotations

import gc
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from command_line import ROOT
from conftest import PAIRS

from translator.errors import TranslatorError
from translator.settings import ModelConfig, TrainingConfig
from translator.text.corpus import SentencePair
from translator.training.batches import EncodedPairs
from translator.training.gradient_workers import tensors
from translator.training.optimization import Optimizer


@pytest.fixture
def batch(tokenizers):
    return EncodedPairs.encode(*tokenizers, PAIRS).batch(np.arange(7))


def make(tokenizers, **settings: object) -> Optimizer:
    config = ModelConfig(*map(len, tokenizers), embedding_size=8, hidden_size=8)
    return Optimizer(config, TrainingConfig(**{"dropout": 0.0, "threads": 1} | settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [2, 3, 9])  # nine share seven sentences
def test_cores_that_share_a_batch_learn_what_one_core_does(tokenizers, batch, threads):
    alone, shared = make(tokenizers), make(tokenizers, threads=threads)
    for _ in range(3):
        assert shared.learn(batch, 0.01) == pytest.approx(alone.learn(batch, 0.01), rel=1e-5)
    for name, parameter in alone.parameters.items():
        # Adam's steps hang on the sign of a gradient, so where it is nearly 0 they may differ.
        assert (shared.parameters[name] - parameter).abs().median() < 1e-5, name


@pytest.mark.parametrize("guided", [0.0, 0.5])
def test_a_batch_that_is_cut_has_the_gradient_of_the_whole(tokenizers, guided):
    pairs = [SentencePair("I love you", "나는 너를 사랑해", "0-0 1-2 2-1")] * 40
    pairs += [
        SentencePair(" ".join(["I love you"] * 9), " ".join(["나는 너를 사랑해"] * 9), "0-0 26-26")
    ] * 2
    batch = EncodedPairs.encode(*tokenizers, pairs, guided=guided > 0).batch(np.arange(42))
    optimizer = make(tokenizers, guided_alignment=guided)
    assert len(batch.split_by_length()) == 2
    loss, gradient = optimizer.mine.differentiate(batch, 1.0)
    whole = optimizer.mine.loss(*tensors(batch, optimizer.device))
    assert loss == pytest.approx(whole.item())
    for mine, theirs in zip(
        gradient, torch.autograd.grad(whole, optimizer.mine.parameters), strict=True
    ):
        torch.testing.assert_close(mine, theirs, rtol=1e-3, atol=1e-6)


def test_a_worker_whose_process_is_gone_is_reported_and_nothing_hangs(tokenizers, batch):
    optimizer = make(tokenizers, threads=2)
    optimizer.learn(batch, 0.01)
    (process,) = (
        process
        for process in multiprocessing.active_children()
        if process.pid == optimizer.workers[0].pid
    )
    process.kill()
    process.join()
    with pytest.raises(TranslatorError, match="a process that shared the work has ended"):
        optimizer.learn(batch, 0.01)


def test_workers_end_with_their_learner(tokenizers, batch):
    optimizer = make(tokenizers, threads=3)
    optimizer.learn(batch, 0.01)
    pids = {worker.pid for worker in optimizer.workers}
    processes = [process for process in multiprocessing.active_children() if process.pid in pids]
    assert len(processes) == 2
    del optimizer
    gc.collect()
    for process in processes:
        process.join(30)
    assert [process.exitcode for process in processes] == [0, 0]


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for the process in /proc")
def test_workers_end_when_their_learners_process_is_killed(tmp_path):
    program = """
import os, time
if __name__ == "__main__":
    from translator.settings import ModelConfig, TrainingConfig
    from translator.training.optimization import Optimizer
    config = ModelConfig(9, 9, embedding_size=4, hidden_size=4)
    optimizer = Optimizer(config, TrainingConfig(threads=2))
    print(optimizer.workers[0].pid, flush=True)
    time.sleep(60)
"""
    script = tmp_path / "script.py"
    script.write_text(program)
    with subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        worker = int(process.stdout.readline())
        process.kill()
    deadline = time.monotonic() + 30
    while Path(f"/proc/{worker}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{worker}").exists()


def test_the_same_seed_drops_the_same(tokenizers, batch):
    losses = []
    for number in (1, 1, 2):
        optimizer = make(tokenizers, dropout=0.5, threads=2)
        optimizer.seed(number)
        torch.rand(number)  # what else is drawn doesn't matter
        losses.append([optimizer.learn(batch, 0.01) for _ in range(3)])
    assert losses[0] == losses[1] != losses[2]


def test_the_loss_falls(tokenizers, batch):
    optimizer = make(tokenizers)
    losses = [optimizer.learn(batch, 0.01) for _ in range(60)]
    assert losses[-1] < losses[0] / 2


def test_a_step_that_would_ruin_the_parameters_is_not_made(tokenizers, batch):
    optimizer = make(tokenizers, threads=2)
    with torch.no_grad():
        optimizer.parameters["decoder.output_bias"][4] = float("inf")
    before = {name: parameter.clone() for name, parameter in optimizer.parameters.items()}
    assert not np.isfinite(optimizer.learn(batch, 0.01))
    assert all(
        torch.equal(parameter, before[name]) for name, parameter in optimizer.parameters.items()
    )
