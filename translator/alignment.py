"""Word alignments: what a corpus says belongs together, and how far attention agrees.

A gold alignment has sure links S, which every annotator would draw, and possible ones P, which some would (so S ⊆ P). Of predicted links A

    AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)        the alignment error rate (Och and Ney 2003, section 4.1)

is 0 if all of A is possible and no sure link is missing. Here A has one link for each target word: the source word that the decoder looked
at most. A target word without any gold link therefore always costs something, and so do two sure links into one target word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from translator.corpus import SentencePair
from translator.errors import TranslatorError

LINK = re.compile(r"(\d+)([-?])(\d+)")

Link = tuple[int, int]  # source word, target word, from 0


class GoldAlignment(NamedTuple):
    """The links of one sentence pair."""

    sure: frozenset[Link]
    possible: frozenset[Link]  # the sure ones too


class LinkCounts(NamedTuple):
    """What the error rate of one or more sentence pairs is made of."""

    predicted: int  # |A|
    sure: int  # |S|
    predicted_sure: int  # |A ∩ S|
    predicted_possible: int  # |A ∩ P|


def parse_links(text: str) -> GoldAlignment:
    """Read `0-0 1-2 2?1`: `-` is a sure link, `?` a possible one.

    >>> parse_links("0-0 2?1").sure
    frozenset({(0, 0)})
    """
    links = [((int(source), int(target)), kind) for source, kind, target in LINK.findall(text)]
    return GoldAlignment(frozenset(link for link, kind in links if kind == "-"), frozenset(link for link, _ in links))


def gold_alignment(pair: SentencePair) -> GoldAlignment | None:
    """The links of a pair; None if the corpus has none. Raises `TranslatorError` for a word that the pair doesn't have."""
    if not pair.alignment:
        return None
    gold = parse_links(pair.alignment)
    sources, targets = len(pair.source.split()), len(pair.target.split())
    if wrong := sorted(link for link in gold.possible if link[0] >= sources or link[1] >= targets):
        message = f"the alignment of {pair.source[:40]!r} links words {wrong[0][0]} and {wrong[0][1]} of {sources} and {targets}"
        raise TranslatorError(message, hint="count white-space words from 0: source, then target, as in 0-0 1-2")
    return gold


def count_links(predicted: frozenset[Link], gold: GoldAlignment) -> LinkCounts:
    """Compare the links of one sentence pair with its gold ones."""
    return LinkCounts(len(predicted), len(gold.sure), len(predicted & gold.sure), len(predicted & gold.possible))


def alignment_error_rate(counts: Iterable[LinkCounts]) -> float:
    """The error rate over all sentence pairs together, 0 to 1.

    >>> alignment_error_rate([LinkCounts(predicted=3, sure=2, predicted_sure=1, predicted_possible=2)])
    0.4
    """
    total = LinkCounts(*map(sum, zip(*counts, strict=True)))
    return 1 - (total.predicted_sure + total.predicted_possible) / (total.predicted + total.sure)
