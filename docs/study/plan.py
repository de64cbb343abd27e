"""How much of everything: the full study, and one of seconds for the tests."""

from __future__ import annotations

from typing import NamedTuple


class Plan(NamedTuple):
    """The sizes of a study. All score functions get the same."""

    short_lines: int  # training lines that are pairs of the corpus
    joined_lines: int  # training lines that are several pairs of the corpus, one after the other
    dev_lines: int  # by which the best epoch is chosen; half of them are joined
    test_lines: int  # of each test set, at most
    epochs: int
    size: int  # E and H of the network
    vocabulary: int  # pieces a side, at most
    key_sizes: tuple[int, ...]  # d_k
    draws: int  # of random queries, each with its keys
    steps: int  # of the short trainings with each key size
    batch_size: int  # of these short trainings


FULL = Plan(
    20_000, 20_000, 400, 2_000, 4, 128, 2_000, (16, 32, 64, 128, 256, 512, 1024), 2_000, 400, 64
)
QUICK = Plan(60, 20, 10, 30, 1, 16, 120, (4, 8), 50, 3, 8)
