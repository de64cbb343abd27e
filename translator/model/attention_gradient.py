"""The score functions with their gradients written out, for the loops of `gru/backpropagation.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch import Tensor


class ScoreGradient(Protocol):
    """How a loop scores, step by step, and the gradient of that."""

    def scores(self, query: Tensor, keys: Tensor, energy: Any) -> tuple[Tensor, Tensor]:
        """The scores (B, S) of queries (B, H) with keys (B, S, H), and what the gradient needs."""

    def by_query(
        self, by_scores: Tensor, kept: Tensor, keys: Tensor, energy: Any, by_keys: Tensor
    ) -> Tensor:
        """A step's gradient by its queries; that by the keys is added to `by_keys`, or left to the end."""

    def by_keys(
        self, by_scores: Tensor, kept: Sequence[Tensor], by_keys: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """The gradients by the keys and by v, from that of all scores (B, T, S)."""


class ProductGradient:
    """Scores q·k_j times a scale."""

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def scores(self, query: Tensor, keys: Tensor, energy: None) -> tuple[Tensor, Tensor]:
        """(scale · q)·k_j."""
        query = query * self.scale
        return (query.unsqueeze(1) @ keys.mT).squeeze(1), query

    def by_query(
        self, by_scores: Tensor, kept: Tensor, keys: Tensor, energy: None, by_keys: Tensor
    ) -> Tensor:
        """The keys, mixed by the scores' gradient."""
        return (by_scores.unsqueeze(1) @ keys).squeeze(1).mul_(self.scale)

    def by_keys(
        self, by_scores: Tensor, kept: Sequence[Tensor], by_keys: Tensor
    ) -> tuple[Tensor, None]:
        """All steps in one product."""
        return by_scores.mT @ torch.stack(list(kept), 1), None


class AdditiveGradient:
    """Scores vᵀ tanh(q + k_j), by the logistic function, which torch computes five times faster: tanh x = 2 σ(2x) - 1.

    The -1 is left out: a softmax doesn't see what all scores of a sentence have in common.
    """

    def scores(self, query: Tensor, keys: Tensor, energy: Tensor) -> tuple[Tensor, Tensor]:
        """v·2σ(2(q + k_j)), and σ."""
        sums = query.unsqueeze(1) + keys
        logistic = sums.add_(sums).sigmoid_()
        return logistic @ (2 * energy), logistic

    def by_query(
        self, by_scores: Tensor, kept: Tensor, keys: Tensor, energy: Tensor, by_keys: Tensor
    ) -> Tensor:
        """Through tanh' x = 4 σ (1 - σ) at 2x."""
        by_sums = (
            torch.addcmul(kept, kept, kept, value=-1).mul_(by_scores.unsqueeze(2)).mul_(4 * energy)
        )
        by_keys += by_sums
        return by_sums.sum(1)

    def by_keys(
        self, by_scores: Tensor, kept: Sequence[Tensor], by_keys: Tensor
    ) -> tuple[Tensor, Tensor]:
        """By v, a product for each step: all of them at once would have to be copied together."""
        steps = zip(by_scores.unbind(1), kept, strict=True)
        return by_keys, 2 * torch.stack(
            [by_step.flatten() @ logistic.flatten(0, 1) for by_step, logistic in steps]
        ).sum(0)
