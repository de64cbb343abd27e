"""Embeddings: a vector for each piece, and the dropout that acts on vectors in training."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Dropout(nn.Module):
    """Some numbers of each sentence's vectors become 0 in training, the same ones at every place of the sentence.

    One mask for all steps suits a recurrent network better than a new one at each (Gal and Ghahramani 2016), and costs less. The masks come
    from a generator of this module's own, so that copies of a network that learn side by side don't draw from each other's.
    """

    generator: torch.Generator | None = None  # None: torch's own

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, vectors: Tensor) -> Tensor:
        """Drop from the vectors of some sentences: (B, …, n) -> (B, …, n)."""
        return self.drop(
            vectors, (vectors.shape[0], *(1,) * (vectors.dim() - 2), vectors.shape[-1])
        )

    def drop(self, vectors: Tensor, shape: tuple[int, ...]) -> Tensor:
        """Multiply with a mask of this shape; what stays is scaled up, so that the mean stays."""
        if not self.training or self.p == 0:
            return vectors
        mask = vectors.new_empty(shape).bernoulli_(1 - self.p, generator=self.generator)
        return vectors * mask.div_(1 - self.p)


class Embedding(nn.Embedding):
    """A vector for each piece. In training, some numbers and some whole pieces are dropped.

    Dropping a whole piece (Gal and Ghahramani 2016) keeps a small model from learning its few sentences by heart.
    """

    def __init__(self, vocabulary: int, size: int, dropout: float, word_dropout: float) -> None:
        super().__init__(vocabulary, size)
        nn.init.normal_(self.weight, std=size**-0.5)
        self.dropout = Dropout(dropout)
        self.word_dropout = Dropout(word_dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """Look ids up: (B, S) -> (B, S, E)."""
        embedded: Tensor = self.dropout(super().forward(ids))  # (B, S, E)
        return self.word_dropout.drop(embedded, (*ids.shape, 1))
