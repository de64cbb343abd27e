"""One step of learning: a batch in, the parameters a little better.

The cores share a batch (`--threads`): each takes a part of its sentences through a copy of the network that owns no parameters of its own,
and the sum of their gradients is the batch's gradient. That is faster than sharing each matrix product: products this small are over
before a second core has joined in, and cores that wait for each other at every product are slow as soon as another program wants one.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from torch import Tensor

from translator.batching import Batch
from translator.checkpoint import Arrays
from translator.config import ModelConfig, TrainingConfig
from translator.encoder import Dropout
from translator.model import Model, find_device

MOMENTS = ("exp_avg", "exp_avg_sq")  # what AdamW remembers of each parameter


class Learner:
    """A network in training, with its optimiser."""

    def __init__(self, config: ModelConfig, settings: TrainingConfig) -> None:
        torch.manual_seed(settings.seed)
        torch.set_num_threads(1)
        self.settings = settings
        self.device = find_device(settings.device)
        self.model = Model(config, settings.dropout, settings.word_dropout).to(self.device)
        self.parameters = dict(self.model.named_parameters())
        self.optimiser = torch.optim.AdamW(self.parameters.values(), lr=0.0, weight_decay=settings.weight_decay, fused=True)
        workers = settings.threads if self.device.type == "cpu" else 1
        # subtle: deepcopy takes the parameters for already copied, so all copies share them
        shared = {id(parameter): parameter for parameter in self.parameters.values()}
        self._models = [copy.deepcopy(self.model, dict(shared)) for _ in range(workers)]
        self._pool = ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(1,)) if workers > 1 else None

    def seed(self, number: int) -> None:
        """Begin the dropout masks of each copy anew, from this seed."""
        for worker, model in enumerate(self._models):
            generator = torch.Generator(self.device).manual_seed(number + 7_919 * worker)
            for module in model.modules():
                if isinstance(module, Dropout):
                    module.generator = generator

    def learn(self, batch: Batch, learning_rate: float) -> float:
        """One step of the optimiser. The mean loss of a piece, in nats; where it isn't finite, no step was made."""
        pieces = int(batch.target_lengths.sum())
        parts = [part for part in batch.split(len(self._models)) if len(part.target_lengths)]
        work = (self._models, parts, [int(part.target_lengths.sum()) / pieces for part in parts])
        results = list(self._pool.map(self._differentiate, *work) if self._pool else map(self._differentiate, *work))
        loss = sum(loss for loss, _ in results)
        if not math.isfinite(loss):
            return loss
        for parameter, *gradients in zip(self.parameters.values(), *(gradients for _, gradients in results), strict=True):
            parameter.grad = sum(gradients[1:], start=gradients[0])
        torch.nn.utils.clip_grad_norm_(self.parameters.values(), self.settings.clip)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate
        self.optimiser.step()
        return loss

    def _differentiate(self, model: Model, part: Batch, share: float) -> tuple[float, tuple[Tensor, ...]]:
        """A part's share of the batch's loss and of its gradient, which a loss that isn't finite has none of."""
        source_ids, source_lengths, previous_ids, target_ids, target_lengths = (torch.from_numpy(array).to(self.device) for array in part)
        smoothing = self.settings.label_smoothing
        loss = share * model.loss(source_ids, source_lengths, previous_ids, target_ids, target_lengths, smoothing)
        number = loss.item()
        return number, torch.autograd.grad(loss, tuple(self.parameters.values())) if math.isfinite(number) else ()

    def arrays(self) -> Arrays:
        """The parameters and what the optimiser remembers of them, to go on with later."""
        return dict(self._arrays())

    def _arrays(self) -> Iterator[tuple[str, np.ndarray]]:
        for name, parameter in self.parameters.items():
            yield f"parameter.{name}", parameter.detach().cpu().numpy()
            for moment, tensor in self.optimiser.state[parameter].items():
                yield f"{moment}.{name}", np.atleast_1d(tensor.cpu().numpy())

    @torch.no_grad()
    def restore(self, arrays: Arrays) -> None:
        """Take up what `arrays` gave. Raises `KeyError` or `RuntimeError` if it belongs to another network."""
        for name, parameter in self.parameters.items():
            parameter.copy_(torch.from_numpy(arrays[f"parameter.{name}"]))
            moments = {moment: torch.from_numpy(arrays[f"{moment}.{name}"]).to(self.device) for moment in MOMENTS}
            self.optimiser.state[parameter] = {"step": torch.tensor(float(arrays[f"step.{name}"][0])), **moments}
