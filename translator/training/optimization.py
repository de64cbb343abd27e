"""One step of learning: a batch in, the parameters a little better."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch.nn.parallel import DistributedDataParallel

from translator.model.device import find_device
from translator.model.encoder_decoder import Model
from translator.settings import ModelConfig, TrainingConfig
from translator.storage.checkpoint import Arrays
from translator.training.batches import Batch
from translator.training.distributed import ProcessGroup, told_if_one_is_gone
from translator.training.gradient_workers import Differentiator, Worker, tensors

BETAS = (
    0.9,
    0.98,
)  # how slowly AdamW forgets gradients and their squares (Vaswani et al. 2017, section 5.3): runs are short
REMEMBERED = ("exp_avg", "exp_avg_sq", "step")  # what AdamW remembers of each parameter


class Optimizer:
    """A network in training, with its optimiser and the processes that share its batches."""

    def __init__(self, config: ModelConfig, settings: TrainingConfig) -> None:
        torch.manual_seed(settings.seed)
        torch.set_num_threads(1)
        self.settings = settings
        self.group = ProcessGroup.join(find_device(settings.device))
        self.device = self.group.device
        self.model = Model(config, settings.dropout, settings.word_dropout).to(self.device)
        self.parameters = dict(self.model.named_parameters())
        self.optimiser = torch.optim.AdamW(
            self.parameters.values(),
            lr=0.0,
            betas=BETAS,
            weight_decay=settings.weight_decay,
            fused=True,
        )
        helpers = settings.threads - 1 if self.device.type == "cpu" and self.group.size == 1 else 0
        if helpers:
            self.model.share_memory()
        self.mine = Differentiator(self.model, settings)
        self.workers = [
            Worker(Differentiator(self.model, settings, number)) for number in range(1, 1 + helpers)
        ]
        if self.group.size > 1:
            self.shared_loss = DistributedDataParallel(self.mine.loss)
            self.mine.number = self.group.rank

    def seed(self, seed: int) -> None:
        """Begin all dropout masks anew, from this seed."""
        self.mine.seed(seed)
        for worker in self.workers:
            worker.seed(seed)

    def learn(self, batch: Batch, learning_rate: float) -> float:
        """One step of the optimiser. The mean loss of a piece, in nats; where it isn't finite, no step was made.

        Raises `TranslatorError` if a worker's process or another rank is gone.
        """
        loss = (
            self._differentiate(batch)
            if self.group.size == 1
            else self._differentiate_in_group(batch)
        )
        if not math.isfinite(loss):
            return loss
        torch.nn.utils.clip_grad_norm_(self.parameters.values(), self.settings.clip)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate
        self.optimiser.step()
        return loss

    def _differentiate(self, batch: Batch) -> float:
        """Give the parameters the batch's gradient, each core a part of it. The loss; where it isn't finite, there is no gradient."""
        pieces = int(batch.target_lengths.sum())
        (part, share), *rest = [
            (part, int(part.target_lengths.sum()) / pieces)
            for part in batch.split(1 + len(self.workers))
        ]
        at_work = self.workers[: len(rest)]
        for worker, work in zip(at_work, rest, strict=True):
            worker.begin(*work)
        results = [self.mine.differentiate(part, share), *(worker.finish() for worker in at_work)]
        loss = sum(loss for loss, _ in results)
        if math.isfinite(loss):
            for parameter, *gradients in zip(
                self.parameters.values(), *(gradient for _, gradient in results), strict=True
            ):
                parameter.grad = sum(gradients[1:], start=gradients[0])
        return loss

    def _differentiate_in_group(self, batch: Batch) -> float:
        """The same, each rank a part. A small batch has none for some: they take one that counts nothing, since all must take part."""
        parts = batch.split(self.group.size)
        part = parts[self.group.rank % len(parts)]
        counted = int(part.target_lengths.sum()) if self.group.rank < len(parts) else 0
        self.optimiser.zero_grad()
        with told_if_one_is_gone():
            share = self.shared_loss(*tensors(part, self.device)) * (
                counted / int(batch.target_lengths.sum())
            )
            loss = self.group.total(share.item())
            if math.isfinite(loss):
                (
                    share * self.group.size
                ).backward()  # the ranks' gradients are averaged, but the shares add up
        return loss

    def arrays(self) -> Arrays:
        """The parameters and what the optimiser remembers of them, to go on with later."""
        arrays = {
            f"parameter.{name}": parameter.detach().cpu().numpy()
            for name, parameter in self.parameters.items()
        }
        for name, parameter in self.parameters.items():
            for kind, tensor in self.optimiser.state[parameter].items():
                arrays[f"{kind}.{name}"] = np.atleast_1d(tensor.cpu().numpy())
        return arrays

    @torch.no_grad()
    def restore(self, arrays: Arrays) -> None:
        """Take up what `arrays` gave. Raises `KeyError` or `RuntimeError` if it belongs to another network."""
        for name, parameter in self.parameters.items():
            parameter.copy_(torch.from_numpy(arrays[f"parameter.{name}"]))
            kept = {
                kind: torch.from_numpy(arrays[f"{kind}.{name}"]).to(self.device)
                for kind in REMEMBERED
            }
            self.optimiser.state[parameter] = kept | {"step": kept["step"].squeeze()}
