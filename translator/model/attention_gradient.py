"""The score functions with hand-written gradients, for the fast loop in `gru/decoder_gradient.py`.

An optimization of `attention.py`: skip it on a first reading. `grad_x` is the gradient of the loss
with respect to x.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch import Tensor


class ScoreGradient(Protocol):
    """A score function and its gradient, one decoder step at a time."""

    def scores(self, query: Tensor, keys: Tensor, energy: Any) -> tuple[Tensor, Tensor]:
        """Score queries (B, H) against keys (B, S, H): (B, S), and what the gradient needs."""

    def query_gradient(
        self, grad_scores: Tensor, saved: Tensor, keys: Tensor, energy: Any, grad_keys: Tensor
    ) -> Tensor:
        """Give a step's gradient of the queries (B, H).

        May add the step's gradient of the keys to `grad_keys`, or leave it to `key_gradient`.
        """

    def key_gradient(
        self, grad_scores: Tensor, saved: Sequence[Tensor], grad_keys: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """Give the gradients of the keys and of v, from that of all steps' scores (B, T, S)."""


class DotGradient:
    """The score q·k_j times a scale."""

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def scores(self, query: Tensor, keys: Tensor, energy: None) -> tuple[Tensor, Tensor]:
        """Give (scale · q)·k_j."""
        query = query * self.scale
        return (query.unsqueeze(1) @ keys.mT).squeeze(1), query

    def query_gradient(
        self, grad_scores: Tensor, saved: Tensor, keys: Tensor, energy: None, grad_keys: Tensor
    ) -> Tensor:
        """Mix the keys by the gradient of their scores."""
        return (grad_scores.unsqueeze(1) @ keys).squeeze(1).mul_(self.scale)

    def key_gradient(
        self, grad_scores: Tensor, saved: Sequence[Tensor], grad_keys: Tensor
    ) -> tuple[Tensor, None]:
        """Handle all steps in one product."""
        queries = torch.stack(list(saved), 1)  # (B, T, H)
        return grad_scores.mT @ queries, None  # (B, S, T) @ (B, T, H) -> (B, S, H)


class AdditiveGradient:
    """The score vᵀ tanh(q + k_j), with tanh x = 2 σ(2x) - 1: torch's σ is five times faster.

    The -1 is left out. It shifts all scores of a sentence alike, and softmax ignores that.
    """

    def scores(self, query: Tensor, keys: Tensor, energy: Tensor) -> tuple[Tensor, Tensor]:
        """Give v·2σ(2(q + k_j)), and σ."""
        sums = query.unsqueeze(1) + keys
        logistic = sums.add_(sums).sigmoid_()
        return logistic @ (2 * energy), logistic

    def query_gradient(
        self, grad_scores: Tensor, saved: Tensor, keys: Tensor, energy: Tensor, grad_keys: Tensor
    ) -> Tensor:
        """Apply tanh' x = 4 σ (1 - σ), with σ at 2x."""
        slope = torch.addcmul(saved, saved, saved, value=-1)  # σ (1 - σ), (B, S, H)
        grad_sums = slope.mul_(grad_scores.unsqueeze(2)).mul_(4 * energy)
        grad_keys += grad_sums
        return grad_sums.sum(1)

    def key_gradient(
        self, grad_scores: Tensor, saved: Sequence[Tensor], grad_keys: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Give the gradient of v by one product per step: a single product would need a copy."""
        steps = zip(grad_scores.unbind(1), saved, strict=True)
        products = [scores.flatten() @ logistic.flatten(0, 1) for scores, logistic in steps]
        return grad_keys, 2 * torch.stack(products).sum(0)
