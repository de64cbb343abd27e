"""The gradient of a part of a batch, in this process or in a worker process.

The cores share a batch. Each takes some of its sentences, and the gradient of the batch is the sum
of the parts' gradients. Sharing each matrix product would be slower: products this small are over
before a second core has joined.

Each core has a process, because threads would wait for Python's global lock. Parameters and
gradients are in shared memory; a part and its loss go through a pipe.
"""

from __future__ import annotations

import contextlib
import math
import signal
from collections.abc import Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection

import torch
from torch import Tensor

from translator.errors import TranslatorError
from translator.model.embedding import Dropout
from translator.model.encoder_decoder import Model
from translator.model.objective import Objective
from translator.settings import TrainingConfig
from translator.training.batches import Batch

Result = tuple[float, tuple[Tensor, ...]]  # a loss, and its gradient for each parameter


def tensors(batch: Batch, device: torch.device) -> Iterator[Tensor]:
    """Turn the arrays of a batch into tensors on this device."""
    return (torch.from_numpy(array).to(device) for array in batch)


class Differentiator:
    """Computes gradients of a network's loss; `number` is different in each process."""

    def __init__(self, model: Model, settings: TrainingConfig, number: int = 0) -> None:
        self.number = number
        self.loss = Objective(model, settings.label_smoothing, settings.guided_alignment)
        self.parameters = tuple(model.parameters())
        self.device = self.parameters[0].device

    def seed(self, seed: int) -> None:
        """Restart the random dropout masks from this seed."""
        generator = torch.Generator(self.device).manual_seed(seed + 7_919 * self.number)
        for module in self.loss.modules():
            if isinstance(module, Dropout):
                module.generator = generator

    def differentiate(self, part: Batch, share: float) -> Result:
        """Give the loss of a part of a batch times its share, and the gradient of that.

        The gradient is () if the loss isn't finite.
        """
        total = 0.0
        gradient: tuple[Tensor, ...] = ()
        pieces = int(part.target_lengths.sum())
        # On a GPU, more steps cost more than padding.
        for batch in part.split_by_length() if self.device.type == "cpu" else [part]:
            weight = share * int(batch.target_lengths.sum()) / pieces
            loss = self.loss(*tensors(batch, self.device)) * weight
            total += loss.item()
            if not math.isfinite(total):
                return total, ()
            summand = torch.autograd.grad(loss, self.parameters)
            gradient = tuple(map(torch.add, gradient, summand)) if gradient else summand
        return total, gradient


class Worker:
    """A differentiator in a worker process, which ends together with this object.

    Python spawns the process, so a script that uses workers must keep its own code behind
    `if __name__ == "__main__":`.
    """

    def __init__(self, differentiator: Differentiator) -> None:
        parameters = differentiator.parameters
        sizes = [parameter.numel() for parameter in parameters]
        flat: Tensor = torch.zeros(sum(sizes)).share_memory_()  # type: ignore[no-untyped-call]
        parts = zip(torch.split(flat, sizes), parameters, strict=True)
        self.gradient = tuple(part.view_as(parameter) for part, parameter in parts)
        context = torch.multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        # subtle: the tracker unblocks signals when it starts, so start it before blocking them
        resource_tracker.ensure_running()
        with _block_interrupts():
            process = context.Process(
                target=_serve, args=(differentiator, self.gradient, theirs), daemon=True
            )
            process.start()
        self.pid = process.pid
        theirs.close()

    def seed(self, seed: int) -> None:
        """Restart the random dropout masks from this seed."""
        self._send("seed", seed)

    def begin(self, part: Batch, share: float) -> None:
        """Start to differentiate this part; `finish` gives the result."""
        self._send("differentiate", part, share)

    def finish(self) -> Result:
        """Wait for the result of `begin`. Its gradient is valid until the next `begin`.

        Raises `TranslatorError` if the process has ended.
        """
        try:
            loss: float = self.pipe.recv()
        except (EOFError, ConnectionError) as error:
            raise _gone() from error
        return loss, self.gradient if math.isfinite(loss) else ()

    def _send(self, *message: object) -> None:
        try:
            self.pipe.send(message)
        except ConnectionError as error:
            raise _gone() from error


def _gone() -> TranslatorError:
    hint = "was the memory used up? --resume goes on, --threads 1 needs less"
    return TranslatorError("a process that shared the work has ended", hint=hint)


def _serve(differentiator: Differentiator, gradient: tuple[Tensor, ...], pipe: Connection) -> None:
    """Handle requests from the pipe until its other end is closed."""
    torch.set_num_threads(1)
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            match pipe.recv():
                case "seed", seed:
                    differentiator.seed(seed)
                case "differentiate", part, share:
                    loss, parts = differentiator.differentiate(part, share)
                    for mine, shared in zip(parts, gradient, strict=bool(parts)):
                        shared.copy_(mine)
                    pipe.send(loss)


@contextlib.contextmanager
def _block_interrupts() -> Iterator[None]:
    """Start processes that ignore Ctrl-C and a closed terminal: their parent handles both."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
