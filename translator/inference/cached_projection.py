"""A linear layer on embeddings that caches its results, since a piece always gives the same."""

from __future__ import annotations

import threading

import numpy as np

from translator.inference.arrays import Floats, Integers

CACHE_SIZE = 1 << 22  # numbers; 16 megabytes of float32, enough for thousands of pieces


class CachedProjection:
    """A linear layer on the vectors of a vocabulary.

    A piece's row is computed when it first occurs. When the cache is full, it is emptied. Threads
    may share one object: rows that were returned never change.
    """

    def __init__(self, vectors: Floats, matrix: Floats, bias: Floats) -> None:
        self._layer = vectors, matrix, bias  # (V, E), (E, n), (n,)
        self._capacity = min(len(vectors), CACHE_SIZE // len(bias))
        self._rows = np.empty((0, len(bias)), vectors.dtype)
        self._count = 0
        self._places = np.full(len(vectors), -1)  # each piece's row; -1: none yet
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[type[CachedProjection], tuple[Floats, ...]]:
        return CachedProjection, self._layer  # a copy starts empty, with its own lock

    def find(self, ids: Integers) -> tuple[Floats, Integers]:
        """Give the cached rows (·, n), and the row number of each id (any shape, not empty)."""
        with self._lock:
            places = self._places[ids]
            if places.min() < 0:
                self._add(np.unique(ids))
                places = self._places[ids]
            return self._rows, places

    def _add(self, pieces: Integers) -> None:
        """Compute the rows of the pieces that have none."""
        new = pieces[self._places[pieces] < 0]
        if self._count + len(new) > len(self._rows):
            new, self._count = pieces, 0
            self._places[:] = -1
            size = max(self._capacity, len(new)), self._rows.shape[1]
            self._rows = np.empty(size, self._rows.dtype)
        vectors, matrix, bias = self._layer
        places = np.arange(self._count, self._count + len(new))
        self._rows[places] = vectors[new] @ matrix + bias
        self._places[new] = places
        self._count += len(new)
