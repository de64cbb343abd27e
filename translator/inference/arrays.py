"""Array types of the numpy networks, and the few operations that every layer needs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Integers = NDArray[np.integer]
Booleans = NDArray[np.bool_]
Parameters = dict[str, Floats]

CACHED = 1 << 17  # numbers; half a megabyte of float32


def matmul(inputs: Floats, matrix: Floats) -> Floats:
    """Give `inputs @ matrix` as one product over all leading axes.

    numpy itself would make one small product for each of them.
    """
    flat = inputs.reshape(-1, inputs.shape[-1]) @ matrix
    return flat.reshape(*inputs.shape[:-1], matrix.shape[1])


def matmul_real(vectors: Floats, mask: Booleans, matrix: Floats) -> Floats:
    """Multiply the vectors (B, S, ·) of real pieces with a matrix; padding stays 0."""
    product = np.zeros((*mask.shape, matrix.shape[1]), vectors.dtype)
    product[mask] = vectors[mask] @ matrix
    return product


def sigmoid(numbers: Floats) -> None:
    """Compute 1 / (1 + e^-x) in place, by tanh, which can't overflow."""
    numbers *= 0.5
    np.tanh(numbers, out=numbers)
    numbers += 1
    numbers *= 0.5


def log_softmax(logits: Floats) -> None:
    """Turn the logits in each row (·, V) into log-probabilities, in place."""
    for part in cache_sized(*logits.shape):
        scores = logits[part]
        # subtle: before the sum, or the rounding of a large logit would be larger than its logarithm
        scores -= scores.max(1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(1, keepdims=True))


def cache_sized(rows: int, size: int) -> Iterator[slice]:
    """Cut rows of `size` numbers into parts that stay in the processor's cache between operations."""
    step = max(1, CACHED // size)
    return (slice(start, start + step) for start in range(0, rows, step))
