"""Several processes that train one network, on one machine or more, as `torchrun` starts them.

    torchrun --nproc-per-node 2 -m translator train …

Each rank has the whole network and draws the same batches, `--batch-size` sentences for every rank; it learns from its own part, and
the gradients are averaged (torch.nn.parallel.DistributedDataParallel), so the parameters stay equal. Rank 0 alone scores, saves, prints,
keeps the time and says when it is over.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import torch
import torch.distributed

from translator.errors import TranslatorError, lacks_memory

PATIENCE = timedelta(
    minutes=30
)  # how long ranks wait for each other: rank 0 scores the dev set alone


class ProcessGoneError(TranslatorError):
    """Another process of the training has ended, or can't be reached."""


@dataclass(frozen=True, slots=True)
class ProcessGroup:
    """Which of them this process is; alone it is number 0 of 1."""

    rank: int
    size: int
    device: torch.device

    @classmethod
    def join(cls, device: torch.device) -> ProcessGroup:
        """Meet the others, if `torchrun` has started this process; on GPUs each rank of a machine takes its own."""
        size = int(os.environ.get("WORLD_SIZE", 1))
        if size == 1:
            return cls(0, 1, device)
        if device.type == "cuda":
            _check_gpus(int(os.environ["LOCAL_WORLD_SIZE"]))
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
            torch.cuda.set_device(device)
        with told_if_one_is_gone():
            if not torch.distributed.is_initialized():
                torch.distributed.init_process_group(
                    "nccl" if device.type == "cuda" else "gloo", timeout=PATIENCE
                )
        return cls(torch.distributed.get_rank(), size, device)

    def agree(self, value: float) -> float:
        """Rank 0's value."""
        if self.size == 1:
            return value
        with told_if_one_is_gone():
            shared = torch.tensor(value, dtype=torch.float64, device=self.device)
            torch.distributed.broadcast(shared, 0)
        return shared.item()

    def total(self, value: float) -> float:
        """The sum over all ranks."""
        if self.size == 1:
            return value
        with told_if_one_is_gone():
            shared = torch.tensor(value, dtype=torch.float64, device=self.device)
            torch.distributed.all_reduce(shared)
        return shared.item()


def _check_gpus(processes: int) -> None:
    """Raise `TranslatorError` if this machine has fewer GPUs than that."""
    there = torch.cuda.device_count()
    if processes > there:
        raise TranslatorError(
            f"each process takes a GPU of its own, and this machine has {there}",
            hint=f"--nproc-per-node {there}",
        )


@contextlib.contextmanager
def told_if_one_is_gone() -> Iterator[None]:
    """Turn what torch raises when it can't reach another rank into an error for people."""
    try:
        yield
    except RuntimeError as error:
        if lacks_memory(error):
            raise
        hint = "its own message, above or in its log, says why; start all again with --resume"
        raise ProcessGoneError(
            "another process of this training has ended, or can't be reached", hint=hint
        ) from error
