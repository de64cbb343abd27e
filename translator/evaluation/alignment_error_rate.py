"""The alignment error rate: how far attention agrees with a gold alignment.

Of predicted links A, with sure gold links S and possible ones P (S ⊆ P), the alignment error rate

    AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)        (Och and Ney 2003, section 4.1)

is 0 if all of A is possible and no sure link is missing. Here A has one link for each target word: the
source word that the decoder looked at most. So a target word without any gold link always costs
something, and so do two sure links into one target word.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from translator.text.alignment import GoldAlignment, Link


class LinkCounts(NamedTuple):
    """What the error rate of one or more sentence pairs is made of."""

    predicted: int  # |A|
    sure: int  # |S|
    predicted_sure: int  # |A ∩ S|
    predicted_possible: int  # |A ∩ P|


def count_links(predicted: frozenset[Link], gold: GoldAlignment) -> LinkCounts:
    """Compare the links of one sentence pair with its gold ones."""
    return LinkCounts(
        len(predicted), len(gold.sure), len(predicted & gold.sure), len(predicted & gold.possible)
    )


def alignment_error_rate(counts: Iterable[LinkCounts]) -> float:
    """The error rate over all sentence pairs together, 0 to 1.

    >>> alignment_error_rate([LinkCounts(predicted=3, sure=2, predicted_sure=1, predicted_possible=2)])
    0.4
    """
    total = LinkCounts(*map(sum, zip(*counts, strict=True)))
    return 1 - (total.predicted_sure + total.predicted_possible) / (total.predicted + total.sure)
