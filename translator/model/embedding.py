"""Embeddings, which give each piece a vector, and the dropout that training applies to vectors."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Dropout(nn.Module):
    """Variational dropout: in training, set some numbers of a sentence's vectors to 0.

    The same numbers are dropped at every position. For a recurrent network this works better than
    a new mask at each step (Gal and Ghahramani 2016), and it costs less. Each module may have its
    own generator, so that copies of a network that train side by side stay independent.
    """

    generator: torch.Generator | None = None  # None: torch's global generator

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, vectors: Tensor) -> Tensor:
        """Drop numbers from the vectors of each sentence: (B, …, n) -> (B, …, n)."""
        B, *positions, n = vectors.shape
        return self.drop(vectors, (B, *(1 for _ in positions), n))

    def drop(self, vectors: Tensor, shape: tuple[int, ...]) -> Tensor:
        """Multiply with a random mask of this shape, and scale up what is left to keep the mean."""
        if not self.training or self.p == 0:
            return vectors
        mask = vectors.new_empty(shape).bernoulli_(1 - self.p, generator=self.generator)
        return vectors * mask.div_(1 - self.p)


class Embedding(nn.Embedding):
    """A vector for each piece. Training drops some numbers and some whole pieces.

    Dropping whole pieces (Gal and Ghahramani 2016) keeps a model from memorizing a small corpus.
    """

    def __init__(self, vocabulary: int, size: int, dropout: float, word_dropout: float) -> None:
        super().__init__(vocabulary, size)
        nn.init.normal_(self.weight, std=size**-0.5)
        self.dropout = Dropout(dropout)
        self.word_dropout = Dropout(word_dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """Look up ids: (B, S) -> (B, S, E)."""
        embedded: Tensor = self.dropout(super().forward(ids))  # (B, S, E)
        return self.word_dropout.drop(embedded, (*ids.shape, 1))
