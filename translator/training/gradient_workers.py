"""The gradient of a batch's part, in this process or in another one.

The cores share a batch: each takes a part of its sentences, and the sum of the parts' gradients is the batch's gradient. That is faster than
sharing each matrix product: products this small are over before a second core has joined in. A core is a process, for threads would wait
for each other at Python's lock. Parameters and gradients lie in memory that the processes share; a part and its loss go through a pipe.
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

Result = tuple[float, tuple[Tensor, ...]]  # a loss, and its gradient by the parameters


def tensors(batch: Batch, device: torch.device) -> Iterator[Tensor]:
    """The arrays of a batch for torch, on this device."""
    return (torch.from_numpy(array).to(device) for array in batch)


class Differentiator:
    """A network with its loss; `number` tells the ones apart that share a batch."""

    def __init__(self, model: Model, settings: TrainingConfig, number: int = 0) -> None:
        self.loss, self.number = (
            Objective(model, settings.label_smoothing, settings.guided_alignment),
            number,
        )
        self.parameters = tuple(model.parameters())
        self.device = self.parameters[0].device

    def seed(self, seed: int) -> None:
        """Begin the dropout masks anew, from this seed."""
        generator = torch.Generator(self.device).manual_seed(seed + 7_919 * self.number)
        for module in self.loss.modules():
            if isinstance(module, Dropout):
                module.generator = generator

    def differentiate(self, part: Batch, share: float) -> Result:
        """A part's share of the batch's loss and of its gradient, which a loss that isn't finite has none of."""
        total = 0.0
        gradient: tuple[Tensor, ...] = ()
        pieces = int(part.target_lengths.sum())
        # A GPU takes padding more easily than steps.
        for even in part.evened() if self.device.type == "cpu" else [part]:
            loss = self.loss(*tensors(even, self.device)) * (
                share * int(even.target_lengths.sum()) / pieces
            )
            total += loss.item()
            if not math.isfinite(total):
                return total, ()
            summand = torch.autograd.grad(loss, self.parameters)
            gradient = tuple(map(torch.add, gradient, summand)) if gradient else summand
        return total, gradient


class Worker:
    """A differentiator in a process of its own, which ends when this object or its whole process does.

    As with every process that Python spawns, a script that starts one keeps its own doings behind `if __name__ == "__main__":`.
    """

    def __init__(self, differentiator: Differentiator) -> None:
        sizes = [parameter.numel() for parameter in differentiator.parameters]
        flat: Tensor = torch.zeros(sum(sizes)).share_memory_()  # type: ignore[no-untyped-call]
        self.gradient = tuple(
            part.view_as(parameter)
            for part, parameter in zip(
                torch.split(flat, sizes), differentiator.parameters, strict=True
            )
        )
        context = torch.multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        resource_tracker.ensure_running()  # subtle: when the first process makes it start, it lets signals through again
        with _interrupts_held():
            process = context.Process(
                target=_serve, args=(differentiator, self.gradient, theirs), daemon=True
            )
            process.start()
        self.pid = process.pid
        theirs.close()

    def seed(self, seed: int) -> None:
        """Begin the dropout masks anew, from this seed."""
        self._send("seed", seed)

    def begin(self, part: Batch, share: float) -> None:
        """Let the process differentiate this part; `finish` has the result."""
        self._send("differentiate", part, share)

    def finish(self) -> Result:
        """What `begin` asked for; the gradient stays until the next `begin`. Raises `TranslatorError` if the process is gone."""
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
    return TranslatorError(
        "a process that shared the work has ended",
        hint="was the memory used up? --resume goes on, --threads 1 needs less",
    )


def _serve(differentiator: Differentiator, gradient: tuple[Tensor, ...], pipe: Connection) -> None:
    """Do what comes through the pipe until its other end is closed."""
    torch.set_num_threads(1)
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            match pipe.recv():
                case "seed", seed:
                    differentiator.seed(seed)
                case "differentiate", part, share:
                    loss, parts = differentiator.differentiate(part, share)
                    for mine, shared in zip(
                        parts, gradient, strict=False
                    ):  # none if the loss isn't finite
                        shared.copy_(mine)
                    pipe.send(loss)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Processes that start in here see neither Ctrl-C nor a closed terminal: whoever started them decides what it means."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
