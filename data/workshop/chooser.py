"""Random choices that keep the corpus balanced: of a few candidates, the one used least so far."""

from __future__ import annotations

import random
from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from data.workshop.lexicon import Entry, find, read

T = TypeVar("T")


CANDIDATES = 6


class UnsuitableError(Exception):
    """No word fits here: the sentence is given up, and another one tried."""


class Chooser:
    """A seeded source of choices; `usage` counts how often each row or filler was taken."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.usage: Counter[object] = Counter()

    def chance(self, probability: float) -> bool:
        """Say yes with this probability."""
        return self.random.random() < probability

    def one(self, items: Sequence[T]) -> T:
        """Take any item."""
        if not items:
            raise UnsuitableError
        return items[int(self.random.random() * len(items))]

    def weighted(self, items: Sequence[tuple[T, float]]) -> T:
        """Take an item with a chance in proportion to its weight."""
        left = self.random.random() * sum(weight for _, weight in items)
        for item, weight in items:
            left -= weight
            if left < 0:
                return item
        return items[-1][0]

    def entry(self, entries: Sequence[Entry]) -> Entry:
        """Take a row of the lexicon, the least used of a few."""
        if not entries:
            raise UnsuitableError
        drawn = [self.one(entries) for _ in range(CANDIDATES)]
        chosen = min(drawn, key=lambda entry: self.usage[entry])
        self.usage[chosen] += 1
        return chosen

    def by_share(self, items: Sequence[T], cumulated: Sequence[float], floor: float) -> T:
        """Take an item in proportion to its share, given as running totals.

        With the probability `floor`, take the least used of a few instead.
        """
        if self.chance(floor):
            chosen = min((self.one(items) for _ in range(CANDIDATES)), key=self.usage.__getitem__)
        else:
            point = self.random.random() * cumulated[-1]
            chosen = items[bisect(cumulated, point, hi=len(items) - 1)]
        self.usage[chosen] += 1
        return chosen

    def row(self, name: str, column: str = "", *values: str) -> Entry:
        """Take a row of a lexicon file; if values are given, one that holds one of them."""
        rows = read(name)
        if column:
            rows = tuple(
                entry for entry in rows if any(value in entry.list(column) for value in values)
            )
        return self.entry(rows)

    def named(self, name: str, value: str) -> Entry:
        """Take the row whose English is `value`."""
        entry = find(name, "english", value)
        self.usage[entry] += 1
        return entry
