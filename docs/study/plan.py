"""The sizes of the full study, and of a tiny one for the tests."""

from __future__ import annotations

from typing import NamedTuple


class Plan(NamedTuple):
    """The sizes of a study, the same for all score functions."""

    short_lines: int  # training lines of one pair each
    joined_lines: int  # training lines of several pairs each
    dev_lines: int  # to choose the best epoch; half of them are joined
    test_lines: int  # per test set, at most
    epochs: int
    size: int  # E and H of the network
    vocabulary: int  # pieces per side, at most
    key_sizes: tuple[int, ...]  # d_k
    draws: int  # random queries, each with its own keys
    steps: int  # of each short training, one per key size
    batch_size: int  # of these short trainings


FULL = Plan(
    20_000, 20_000, 400, 2_000, 4, 128, 2_000, (16, 32, 64, 128, 256, 512, 1024), 2_000, 400, 64
)
QUICK = Plan(60, 20, 10, 30, 1, 16, 120, (4, 8), 50, 3, 8)
