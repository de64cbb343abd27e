"""The network for training: encoder and decoder together, and the loss.

The letters of all shapes, in this package:

    B  sentences in a batch        S  pieces of the source       T  pieces of the target
    K  hypotheses in a beam        V  pieces in a vocabulary
    E  numbers in an embedding     H  numbers in a state         C  numbers in a context

Masks are True on real pieces. Translating is done by `inference.py`, the same network in numpy.
"""

from __future__ import annotations

import contextlib
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import Function

from translator.config import ModelConfig
from translator.decoder import Decoder
from translator.encoder import Encoder
from translator.errors import TranslatorError
from translator.products import LARGE, has_bfloat16, products_in

SMALLEST_WEIGHT = 1e-9  # whose logarithm is taken


class Model(nn.Module):
    """An encoder and a decoder with attention, shaped by a `ModelConfig`."""

    def __init__(self, config: ModelConfig, dropout: float = 0.0, word_dropout: float = 0.0) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config, dropout, word_dropout)
        self.decoder = Decoder(config, dropout, word_dropout)

    def forward(self, source_ids: Tensor, source_lengths: Tensor, previous_ids: Tensor) -> tuple[Tensor, Tensor]:
        """Follow given targets: sources (B, S) and previous pieces (B, T) to readouts (B, T, E) and weights (B, T, S)."""
        mask = real(source_lengths, source_ids.shape[1])  # (B, S)
        states, last = self.encoder(source_ids, mask)  # (B, S, 2H), (B, 2H)
        readouts, weights = self.decoder(previous_ids, states, last, mask)
        return readouts, weights

    def loss(
        self,
        source_ids: Tensor,
        source_lengths: Tensor,
        previous_ids: Tensor,
        target_ids: Tensor,
        target_lengths: Tensor,
        smoothing: float,
        gold: Tensor | None = None,
        guidance: float = 0.0,
    ) -> Tensor:
        """The mean cross-entropy of the target's real pieces, in nats, with label smoothing (Szegedy et al. 2016, section 7).

        With `guidance`, that many times the weights' cross-entropy with the gold alignment (B, T, S) comes on top (see `guidance.py`).
        """
        readouts, weights = self(source_ids, source_lengths, previous_ids)  # (B, T, E), (B, T, S)
        # Only real positions meet the vocabulary: the largest product of all.
        written = real(target_lengths, target_ids.shape[1])  # (B, T)
        logits = self.decoder.logits(readouts[written])  # (N, V)
        logits = logits.to(torch.promote_types(logits.dtype, torch.float32))  # a sum over V pieces needs the digits
        loss: Tensor = CrossEntropy.apply(logits, target_ids[written], smoothing)  # type: ignore[no-untyped-call]
        return loss if gold is None or guidance == 0 else loss + guidance * misalignment(weights, gold) / len(logits)


class Loss(nn.Module):
    """A model with the loss that it is to make small: what is differentiated."""

    def __init__(self, model: Model, smoothing: float, guidance: float) -> None:
        super().__init__()
        self.model, self.smoothing, self.guidance = model, smoothing, guidance

    def forward(
        self, source_ids: Tensor, source_lengths: Tensor, previous_ids: Tensor, target_ids: Tensor, target_lengths: Tensor, gold: Tensor
    ) -> Tensor:
        """`Model.loss` of the arrays of a `Batch`; on the CPU by the quick loops, and with products in bfloat16 where that is worth it."""
        with self._quickly(source_ids.device.type):
            return self.model.loss(source_ids, source_lengths, previous_ids, target_ids, target_lengths, self.smoothing, gold, self.guidance)

    def _quickly(self, device: str) -> AbstractContextManager[None]:
        if device == "cuda":
            return torch.autocast(device, torch.bfloat16)
        if device != "cpu":
            return contextlib.nullcontext()
        rounds = self.model.config.hidden_size >= LARGE and has_bfloat16()
        return products_in(torch.bfloat16 if rounds else self.model.decoder.output_bias.dtype, self.model)


class CrossEntropy(Function):
    """`torch.nn.functional.cross_entropy` with label smoothing, in half of its passes over (N, V).

    The wanted distribution q has 1 - ε on the target and ε spread over all V pieces. From logits z the loss is log Σ e^z - q·z, and its
    gradient softmax(z) - q.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, targets: Tensor, smoothing: float) -> Tensor:
        """Logits (N, V) and target ids (N,) to the mean loss of a row."""
        N, V = logits.shape
        rows = torch.arange(N, device=logits.device)
        chances = logits.softmax(1)  # (N, V)
        log_sums = logits.amax(1) - chances.amax(1).log()  # log Σ e^z, by the likeliest piece: its chance is never 0
        losses = log_sums - (1 - smoothing) * logits[rows, targets] - smoothing * logits.mean(1)  # (N,)
        chances -= smoothing / V
        chances[rows, targets] -= 1 - smoothing
        ctx.save_for_backward(chances.div_(N))
        return losses.mean()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        """The gradient by the logits: (N, V)."""
        (gradient,) = ctx.saved_tensors
        return gradient * gradients[0], None, None


def misalignment(weights: Tensor, gold: Tensor) -> Tensor:
    """The cross-entropy -Σ g_ij ln α_ij of weights with a gold alignment, both (B, T, S), summed over all pieces, in nats."""
    # Padding has weight 0, whose logarithm no gold alignment asks for.
    return -(gold * weights.float().clamp_min(SMALLEST_WEIGHT).log()).sum()


def real(lengths: Tensor, longest: int) -> Tensor:
    """The mask of sequences with these lengths (B,), padded to the longest: (B, longest), True on real pieces."""
    return torch.arange(longest, device=lengths.device) < lengths.unsqueeze(1)


def find_device(name: str) -> torch.device:
    """The device of this name, or for `auto` the fastest there is."""
    found = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if name == "auto":
        return torch.device(next(kind for kind, there in found.items() if there))
    if not found.get(name, False):
        there = ", ".join(kind for kind, is_there in found.items() if is_there)
        raise TranslatorError(f"there is no device {name!r} here", hint=f"choose auto or one of {there}")
    return torch.device(name)
