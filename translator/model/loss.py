"""The loss of the written pieces, and that of attention where a gold alignment guides it."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

SMALLEST_WEIGHT = 1e-9  # whose logarithm is taken


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
        log_sums = (
            logits.amax(1) - chances.amax(1).log()
        )  # log Σ e^z, by the likeliest piece: its chance is never 0
        losses = (
            log_sums - (1 - smoothing) * logits[rows, targets] - smoothing * logits.mean(1)
        )  # (N,)
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
