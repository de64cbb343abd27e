"""Batches of similar length, as padded arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from translator.inference.arrays import Integers
from translator.text.tokenizer import PAD_ID


def batches_by_length(
    numbers: Iterable[int], lengths: Sequence[int], batch_size: int
) -> Iterator[list[int]]:
    """Sort the numbers of some sentences by length, and split them into batches.

    >>> list(batches_by_length([0, 1, 2], lengths=[9, 5, 7], batch_size=2))
    [[1, 2], [0]]
    """
    by_length = sorted(numbers, key=lengths.__getitem__)
    starts = range(0, len(by_length), batch_size)
    return (by_length[start : start + batch_size] for start in starts)


def pad(rows: Sequence[list[int]]) -> tuple[Integers, Integers]:
    """Join rows of ids into one padded array (B, S), and give their lengths (B,)."""
    lengths = np.array([len(row) for row in rows])
    ids = np.full((len(rows), lengths.max()), PAD_ID)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
    return ids, lengths
