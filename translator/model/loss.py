"""The two losses: cross-entropy of the target pieces, and of the attention where it is guided."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

SMALLEST_WEIGHT = 1e-9  # keeps the logarithm of an attention weight finite


class CrossEntropy(Function):
    """`torch.nn.functional.cross_entropy` with label smoothing, in half as many passes over (N, V).

    The target distribution q has 1 - ε on the right piece and ε spread over all V pieces. For
    logits z the loss is log Σ e^z - q·z, and its gradient is softmax(z) - q.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, targets: Tensor, smoothing: float) -> Tensor:
        """Give the mean loss of logits (N, V) and target ids (N,)."""
        N, V = logits.shape
        rows = torch.arange(N, device=logits.device)
        probabilities = logits.softmax(1)  # (N, V)
        # log Σ e^z = z_max - log p_max: the largest probability is never 0.
        log_sums = logits.amax(1) - probabilities.amax(1).log()  # (N,)
        expected = (1 - smoothing) * logits[rows, targets]  # (N,), with the next line q·z
        losses = log_sums - expected - smoothing * logits.mean(1)
        gradient = probabilities.sub_(smoothing / V)
        gradient[rows, targets] -= 1 - smoothing
        ctx.save_for_backward(gradient.div_(N))
        return losses.mean()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        """Give the gradient of the logits: (N, V)."""
        (gradient,) = ctx.saved_tensors
        return gradient * gradients[0], None, None


def alignment_cross_entropy(weights: Tensor, gold: Tensor) -> Tensor:
    """Give -Σ g_ij ln α_ij of weights and a gold alignment (B, T, S), summed over all pieces."""
    # Padding has weight 0, but also gold 0, so its logarithm counts nothing.
    return -(gold * weights.float().clamp_min(SMALLEST_WEIGHT).log()).sum()
