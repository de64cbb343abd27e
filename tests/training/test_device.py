"""Training on another device than the CPU: all tensors are there, and are saved from there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
import torch
from conftest import PAIRS
from elsewhere import ELSEWHERE, Elsewhere, There

from translator import Translator, TranslatorError
from translator.settings import ATTENTIONS, ModelConfig, TrainingConfig
from translator.training.distributed import ProcessGroup
from translator.training.training import Task, Training

SETTINGS = TrainingConfig(
    epochs=3,
    patience=None,
    batch_size=5,
    learning_rate=0.01,
    dropout=0.3,
    word_dropout=0.1,
    threads=2,
    device="elsewhere",
)


class Generator(torch.Generator):
    """One for each device, also for the one that isn't there."""

    def __new__(cls, device: torch.device = ELSEWHERE) -> Generator:
        return super().__new__(cls, "cpu" if device == ELSEWHERE else device)


@pytest.fixture
def elsewhere(monkeypatch) -> Iterator[None]:
    """Pretend that the test's device exists and has AdamW and random numbers."""
    monkeypatch.setattr(torch, "Generator", Generator)
    monkeypatch.setattr(
        "translator.training.optimization.find_device",
        {"elsewhere": ELSEWHERE, "cpu": torch.device("cpu")}.get,
    )
    # The module torch.optim.optimizer; torch hides it behind another name.
    module = sys.modules[torch.optim.Optimizer.__module__]
    kinds = ["cpu", ELSEWHERE.type]
    monkeypatch.setattr(module, "_get_fused_kernels_supported_devices", lambda: kinds)
    with Elsewhere():
        yield


@pytest.fixture
def task(tmp_path) -> Task:
    return Task(PAIRS, PAIRS[:4], tmp_path / "model.safetensors", "pairs")


def begin(
    task: Task, tokenizers, settings: TrainingConfig = SETTINGS, attention: str = "additive"
) -> Training:
    return Training(
        task,
        ModelConfig(*map(len, tokenizers), attention, embedding_size=8, hidden_size=8),
        settings,
        tokenizers,
    )


def parameters(training: Training) -> dict[str, np.ndarray]:
    return {
        name: parameter.detach().cpu().numpy()
        for name, parameter in training.optimizer.parameters.items()
    }


def test_a_tensor_left_behind_is_reported(elsewhere):
    there = torch.ones(2, device=ELSEWHERE)
    assert isinstance(there + there, There)
    assert (there + there).cpu().tolist() == [2, 2]
    with pytest.raises(RuntimeError, match="got 1 of its 2 tensors on the CPU"):
        there + torch.ones(2)
    with pytest.raises((RuntimeError, TypeError)):
        there.numpy()


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_it_learns_there_what_it_learns_on_the_cpu(elsewhere, task, tokenizers, attention):
    settings = replace(SETTINGS, dropout=0.0, word_dropout=0.0)
    there, here = (
        begin(task, tokenizers, settings, attention),
        begin(task, tokenizers, replace(settings, device="cpu"), attention),
    )
    assert {parameter.device for parameter in there.optimizer.model.parameters()} == {ELSEWHERE}
    assert [epoch.loss for epoch in there] == pytest.approx(
        [epoch.loss for epoch in here], rel=1e-3
    )
    assert next(
        Translator.load(task.path).translate(["I love you"])
    ).target_pieces  # the checkpoint doesn't remember its device


def test_a_training_resumed_there_equals_an_uninterrupted_one(
    elsewhere, task, tokenizers, tmp_path
):
    whole = begin(replace(task, path=tmp_path / "whole.safetensors"), tokenizers)
    losses = [epoch.loss for epoch in whole]
    next(iter(begin(task, tokenizers)))
    resumed, _ = Training.resume(task)
    assert [epoch.loss for epoch in resumed] == losses[1:]
    for name, parameter in parameters(resumed).items():
        np.testing.assert_array_equal(parameter, parameters(whole)[name])


def test_a_training_goes_on_elsewhere(elsewhere, task, tokenizers):
    next(iter(begin(task, tokenizers)))
    resumed, changes = Training.resume(task, device="cpu")
    assert {parameter.device.type for parameter in resumed.optimizer.model.parameters()} == {"cpu"}
    assert len(list(resumed)) == 2
    assert "device" in " ".join(changes)


def test_each_rank_takes_a_gpu_of_its_own(monkeypatch):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.setenv("WORLD_SIZE", "3")
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "3")
    with pytest.raises(TranslatorError, match="this machine has 2") as refused:
        ProcessGroup.join(torch.device("cuda"))
    assert refused.value.hint == "--nproc-per-node 2"
