"""A layer on embeddings whose results are kept: a piece always gives the same row."""

from __future__ import annotations

import threading

import numpy as np

from translator.inference.arrays import Floats, Integers

KEPT = 1 << 22  # numbers; 16 megabytes of float32, enough for thousands of pieces


class CachedProjection:
    """A layer on the vectors of a vocabulary.

    A piece's row is made when it first occurs. When there are too many rows, all are forgotten. Threads may
    share one: rows that were handed out are never written again.
    """

    def __init__(self, vectors: Floats, matrix: Floats, bias: Floats) -> None:
        self._layer = vectors, matrix, bias  # (V, E), (E, n), (n,)
        self._capacity = min(len(vectors), KEPT // len(bias))
        self._rows = np.empty((0, len(bias)), vectors.dtype)
        self._count = 0
        self._places = np.full(len(vectors), -1)  # each piece's row
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[type[CachedProjection], tuple[Floats, ...]]:
        return CachedProjection, self._layer  # a copy begins empty, with a lock of its own

    def find(self, ids: Integers) -> tuple[Floats, Integers]:
        """Give the layer's rows (·, n), and the row of each id (any shape, at least one id)."""
        with self._lock:
            places = self._places[ids]
            if places.min() < 0:
                self._add(np.unique(ids))
                places = self._places[ids]
            return self._rows, places

    def _add(self, pieces: Integers) -> None:
        """Make the rows of those pieces that have none."""
        new = pieces[self._places[pieces] < 0]
        if self._count + len(new) > len(self._rows):
            new, self._count = pieces, 0
            self._places[:] = -1
            self._rows = np.empty(
                (max(self._capacity, len(new)), self._rows.shape[1]), self._rows.dtype
            )
        vectors, matrix, bias = self._layer
        places = np.arange(self._count, self._count + len(new))
        self._rows[places] = vectors[new] @ matrix + bias
        self._places[new] = places
        self._count += len(new)
