"""Subword regularisation: in training, a word now and then comes in other pieces than usual.

A word that is frequent in the corpus is one piece, so a network that sees only such pieces learns nothing from the small ones, and is lost at
a word that it doesn't know, which comes in small ones:

    "i like broccoli ."  →  ▁i ▁like ▁bro c co li .

So in a share of the source sentences one word is cut at random (Kudo 2018; by pieces that have other pieces within, as in BPE-dropout of
Provilkov et al. 2020). The network learns to read a word from its letters, and that whatever comes in small pieces is a word like others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from translator.text.tokenizer import Tokenizer
from translator.translation import WORD_START

KEPT = 0.15  # share of pieces that are not cut further though they could be


class SubwordSampler:
    """Cuts a word of a share of sentences into smaller pieces of `tokenizer`'s vocabulary.

    >>> from translator.inference.translator import Translator
    >>> tokenizer = Translator.load().checkpoint.source_tokenizer
    >>> sampler = SubwordSampler(tokenizer, share=1.0)
    >>> ids = sampler(tokenizer.encode("i like fish"), np.random.default_rng(1))
    >>> tokenizer.decode(ids)
    'i like fish'
    """

    def __init__(self, tokenizer: Tokenizer, share: float) -> None:
        self.share = share
        self.pieces = [tokenizer.piece(number) for number in range(len(tokenizer))]
        numbers = {piece: number for number, piece in enumerate(self.pieces)}
        self.halves = [list(_halves(piece, numbers)) for piece in self.pieces]

    def __call__(self, ids: Sequence[int], generator: np.random.Generator) -> list[int]:
        """The ids of a sentence, `</s>` at its end, perhaps with one word cut at random."""
        if generator.random() >= self.share or len(ids) == 1:
            return list(ids)
        starts = [
            place
            for place, number in enumerate(ids[:-1])
            if place == 0 or self.pieces[number].startswith(WORD_START)
        ]
        word = generator.integers(len(starts))
        start, end = starts[word], [*starts, len(ids) - 1][word + 1]
        return [
            *ids[:start],
            *(part for number in ids[start:end] for part in self._cut(number, generator)),
            *ids[end:],
        ]

    def _cut(self, number: int, generator: np.random.Generator) -> list[int]:
        """A piece as two smaller ones, which are cut in turn, or as itself."""
        halves = self.halves[number]
        if not halves or generator.random() < KEPT:
            return [number]
        left, right = halves[generator.integers(len(halves))]
        return self._cut(left, generator) + self._cut(right, generator)


def _halves(piece: str, numbers: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    """The pairs of pieces that a piece can be cut into."""
    # The mark of a word's beginning stays with a letter: so it does in words that were never seen.
    for place in range(1 + piece.startswith(WORD_START), len(piece)):
        left, right = numbers.get(piece[:place]), numbers.get(piece[place:])
        if left is not None and right is not None:
            yield left, right
