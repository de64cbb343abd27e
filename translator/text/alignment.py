"""Gold word alignments: which words of a pair translate each other.

A gold alignment has sure links S, which every annotator would draw, and possible ones P, which some
would (so S ⊆ P).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from translator.errors import TranslatorError
from translator.text.corpus import SentencePair

LINK = re.compile(r"(\d+)([-?])(\d+)")

Link = tuple[int, int]  # source word, target word, from 0


class GoldAlignment(NamedTuple):
    """The links of one sentence pair."""

    sure: frozenset[Link]
    possible: frozenset[Link]  # the sure ones too


def parse_links(text: str) -> GoldAlignment:
    """Read `0-0 1-2 2?1`: `-` is a sure link, `?` a possible one.

    >>> parse_links("0-0 2?1").sure
    frozenset({(0, 0)})
    """
    links = [((int(source), int(target)), kind) for source, kind, target in LINK.findall(text)]
    sure = frozenset(link for link, kind in links if kind == "-")
    return GoldAlignment(sure, frozenset(link for link, _ in links))


def gold_alignment(pair: SentencePair) -> GoldAlignment | None:
    """Give the links of a pair, or None if the corpus has none.

    Raises `TranslatorError` if a link names a word that the pair doesn't have.
    """
    if not pair.alignment:
        return None
    gold = parse_links(pair.alignment)
    sources, targets = len(pair.source.split()), len(pair.target.split())
    if wrong := sorted(link for link in gold.possible if link[0] >= sources or link[1] >= targets):
        words = f"words {wrong[0][0]} and {wrong[0][1]} of {sources} and {targets}"
        message = f"the alignment of {pair.source[:40]!r} links {words}"
        hint = "count white-space words from 0: source, then target, as in 0-0 1-2"
        raise TranslatorError(message, hint=hint)
    return gold
