"""One step of training: a batch in, slightly better parameters out."""

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
from translator.training.distributed import ProcessGroup, translate_errors
from translator.training.gradient_workers import Differentiator, Worker, tensors

# AdamW's decay of the gradients' mean and of their squares' (Vaswani et al. 2017, section 5.3).
BETAS = (0.9, 0.98)
ADAM_STATE = ("exp_avg", "exp_avg_sq", "step")  # what AdamW keeps for each parameter


class Optimizer:
    """A network in training, with AdamW and the worker processes that share its batches."""

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
        """Restart all random dropout masks from this seed."""
        self.mine.seed(seed)
        for worker in self.workers:
            worker.seed(seed)

    def learn(self, batch: Batch, learning_rate: float) -> float:
        """Take one step. Returns the mean loss per piece, in nats.

        If the loss isn't finite, no step is taken. Raises `TranslatorError` if a worker process or
        another rank has ended.
        """
        is_alone = self.group.size == 1
        loss = self._differentiate(batch) if is_alone else self._differentiate_in_group(batch)
        if not math.isfinite(loss):
            return loss
        torch.nn.utils.clip_grad_norm_(self.parameters.values(), self.settings.clip)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate
        self.optimiser.step()
        return loss

    def _differentiate(self, batch: Batch) -> float:
        """Set the gradients of a batch, one part per core, and return the loss.

        If the loss isn't finite, no gradient is set.
        """
        pieces = int(batch.target_lengths.sum())
        parts = batch.split(1 + len(self.workers))
        shares = [int(part.target_lengths.sum()) / pieces for part in parts]
        workers = self.workers[: len(parts) - 1]
        for worker, part, share in zip(workers, parts[1:], shares[1:], strict=True):
            worker.begin(part, share)
        results = [self.mine.differentiate(parts[0], shares[0])]
        results += [worker.finish() for worker in workers]
        loss = sum(loss for loss, _ in results)
        if math.isfinite(loss):
            all_gradients = (gradient for _, gradient in results)
            for parameter, *gradients in zip(self.parameters.values(), *all_gradients, strict=True):
                parameter.grad = sum(gradients[1:], start=gradients[0])
        return loss

    def _differentiate_in_group(self, batch: Batch) -> float:
        """Set the gradients of a batch, one part per rank, and return the loss.

        If there are fewer parts than ranks, the other ranks repeat a part with weight 0, because
        every rank must join in.
        """
        parts = batch.split(self.group.size)
        part = parts[self.group.rank % len(parts)]
        counted = int(part.target_lengths.sum()) if self.group.rank < len(parts) else 0
        self.optimiser.zero_grad()
        with translate_errors():
            part_loss = self.shared_loss(*tensors(part, self.device))
            part_loss = part_loss * (counted / int(batch.target_lengths.sum()))
            loss = self.group.total(part_loss.item())
            if math.isfinite(loss):
                # The ranks' gradients are averaged, but these must be added up.
                (part_loss * self.group.size).backward()
        return loss

    def arrays(self) -> Arrays:
        """Give the parameters and AdamW's state, for `--resume`."""
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
        """Restore what `arrays` gave.

        Raises `KeyError` or `RuntimeError` if it is of another network.
        """
        for name, parameter in self.parameters.items():
            parameter.copy_(torch.from_numpy(arrays[f"parameter.{name}"]))
            kept = {
                kind: torch.from_numpy(arrays[f"{kind}.{name}"]).to(self.device)
                for kind in ADAM_STATE
            }
            self.optimiser.state[parameter] = kept | {"step": kept["step"].squeeze()}
