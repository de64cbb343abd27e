"""Array types of the numpy network, and the few operations that all layers need."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Integers = NDArray[np.integer]
Booleans = NDArray[np.bool_]
Parameters = dict[str, Floats]

CACHE_SIZE = 1 << 17  # numbers; half a megabyte of float32


def matmul(inputs: Floats, matrix: Floats) -> Floats:
    """Compute `inputs @ matrix` as one product; numpy would compute many small ones."""
    flat = inputs.reshape(-1, inputs.shape[-1]) @ matrix
    return flat.reshape(*inputs.shape[:-1], matrix.shape[1])


def masked_matmul(vectors: Floats, mask: Booleans, matrix: Floats) -> Floats:
    """Multiply the vectors (B, S, ·) of real pieces with a matrix; padding stays 0."""
    product = np.zeros((*mask.shape, matrix.shape[1]), vectors.dtype)
    product[mask] = vectors[mask] @ matrix
    return product


def sigmoid(numbers: Floats) -> None:
    """Compute 1 / (1 + e^-x) in place, by tanh because it can't overflow."""
    numbers *= 0.5
    np.tanh(numbers, out=numbers)
    numbers += 1
    numbers *= 0.5


def log_softmax(logits: Floats) -> None:
    """Turn the logits in each row (·, V) into log-probabilities, in place."""
    for part in cache_sized_parts(*logits.shape):
        scores = logits[part]
        # subtle: first, because the rounding error of a large logit exceeds the logarithm
        scores -= scores.max(1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(1, keepdims=True))


def cache_sized_parts(rows: int, size: int) -> Iterator[slice]:
    """Split rows of `size` numbers into parts that fit into the processor's cache."""
    step = max(1, CACHE_SIZE // size)
    return (slice(start, start + step) for start in range(0, rows, step))
