"""The alignment error rate: how well attention agrees with a gold alignment.

For predicted links A, sure gold links S and possible gold links P (S ⊆ P), the alignment error rate

    AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)        (Och and Ney 2003, section 4.1)

is 0 if all links in A are possible and no sure link is missing. Here A has one link for each target
word, to the source word with the most attention. So a target word without a gold link always costs
something, and so does a target word with two sure links.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from translator.text.alignment import GoldAlignment, Link


class LinkCounts(NamedTuple):
    """The numbers in the error rate of one or more sentence pairs."""

    predicted: int  # |A|
    sure: int  # |S|
    predicted_sure: int  # |A ∩ S|
    predicted_possible: int  # |A ∩ P|


def count_links(predicted: frozenset[Link], gold: GoldAlignment) -> LinkCounts:
    """Compare the links of one sentence pair with its gold ones."""
    shared = len(predicted & gold.sure), len(predicted & gold.possible)
    return LinkCounts(len(predicted), len(gold.sure), *shared)


def alignment_error_rate(counts: Iterable[LinkCounts]) -> float:
    """Give the error rate over all sentence pairs together, 0 to 1.

    >>> counts = LinkCounts(predicted=3, sure=2, predicted_sure=1, predicted_possible=2)
    >>> alignment_error_rate([counts])
    0.4
    """
    total = LinkCounts(*map(sum, zip(*counts, strict=True)))
    return 1 - (total.predicted_sure + total.predicted_possible) / (total.predicted + total.sure)
