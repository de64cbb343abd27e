"""Several processes that train one network, on one or more machines, started by `torchrun`.

    torchrun --nproc-per-node 2 -m translator train …

Each rank has the whole network and draws the same batches, with `--batch-size` sentences for each
rank. It trains on its own part. The gradients are averaged by
torch.nn.parallel.DistributedDataParallel, so the parameters stay equal. Only rank 0 scores, saves,
prints, keeps the time and decides when the training is over.
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

TIMEOUT = timedelta(minutes=30)  # for other ranks: they wait while rank 0 scores the dev set


class ProcessGoneError(TranslatorError):
    """Another process of this training has ended, or can't be reached."""


@dataclass(frozen=True, slots=True)
class ProcessGroup:
    """This process's place among them; a single process has rank 0 of 1."""

    rank: int
    size: int
    device: torch.device

    @classmethod
    def join(cls, device: torch.device) -> ProcessGroup:
        """Join the group if `torchrun` started this process. Each rank uses a GPU of its own."""
        size = int(os.environ.get("WORLD_SIZE", 1))
        if size == 1:
            return cls(0, 1, device)
        if device.type == "cuda":
            _check_gpus(int(os.environ["LOCAL_WORLD_SIZE"]))
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
            torch.cuda.set_device(device)
        with translate_errors():
            if not torch.distributed.is_initialized():
                torch.distributed.init_process_group(
                    "nccl" if device.type == "cuda" else "gloo", timeout=TIMEOUT
                )
        return cls(torch.distributed.get_rank(), size, device)

    def agree(self, value: float) -> float:
        """Give all ranks the value of rank 0."""
        if self.size == 1:
            return value
        with translate_errors():
            shared = torch.tensor(value, dtype=torch.float64, device=self.device)
            torch.distributed.broadcast(shared, 0)
        return shared.item()

    def total(self, value: float) -> float:
        """Sum the value over all ranks."""
        if self.size == 1:
            return value
        with translate_errors():
            shared = torch.tensor(value, dtype=torch.float64, device=self.device)
            torch.distributed.all_reduce(shared)
        return shared.item()


def _check_gpus(processes: int) -> None:
    """Raise `TranslatorError` if this machine has fewer GPUs than processes."""
    found = torch.cuda.device_count()
    if processes > found:
        message = f"each process takes a GPU of its own, and this machine has {found}"
        raise TranslatorError(message, hint=f"--nproc-per-node {found}")


@contextlib.contextmanager
def translate_errors() -> Iterator[None]:
    """Turn torch's error for an unreachable rank into a `ProcessGoneError`."""
    try:
        yield
    except RuntimeError as error:
        if lacks_memory(error):
            raise
        message = "another process of this training has ended, or can't be reached"
        hint = "its own message, above or in its log, says why; start all again with --resume"
        raise ProcessGoneError(message, hint=hint) from error
