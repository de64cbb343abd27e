"""The output layer in numpy: from the decoder's vectors to probabilities of the next piece."""

from __future__ import annotations

import numpy as np

from translator.inference.arrays import Floats, log_softmax


class OutputLayer:
    """The transposed target embedding (Press and Wolf 2017), with a bias."""

    def __init__(self, embedding: Floats, bias: Floats) -> None:
        # The bias is one more row: each vector gets a 1 at its end.
        self.matrix = np.vstack([np.ascontiguousarray(embedding.T), bias])  # (E + 1, V)

    def log_probabilities(self, vectors: Floats) -> Floats:
        """Give the log-probabilities of every target piece: (B, K, E) -> (B, K, V)."""
        flat = vectors.reshape(-1, vectors.shape[-1])
        logits: Floats = np.hstack([flat, np.ones((len(flat), 1), flat.dtype)]) @ self.matrix
        log_softmax(logits)
        return logits.reshape(*vectors.shape[:-1], -1)
