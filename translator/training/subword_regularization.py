"""Subword regularization: in training, some words are cut into other pieces than usual.

A word that is frequent in the corpus is one piece. A network that sees only such pieces learns
nothing about the small ones, and fails at an unknown word, which is made of small pieces:

    "i like broccoli ."  →  ▁i ▁like ▁bro c co li .

So in a share of the source sentences one word is cut at random (Kudo 2018; pieces are split into
smaller ones as in the BPE-dropout of Provilkov et al. 2020). The network learns to read a word from
small pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from translator.text.tokenizer import Tokenizer
from translator.translation import WORD_START

KEPT = 0.15  # share of pieces that are left whole although they could be cut


class SubwordSampler:
    """Cuts one word into smaller pieces of the vocabulary, in a share of the sentences.

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
        """Give the ids of a sentence with `</s>`, maybe with one word cut at random."""
        if generator.random() >= self.share or len(ids) == 1:
            return list(ids)
        pieces = [self.pieces[number] for number in ids[:-1]]
        later = (place for place, piece in enumerate(pieces) if piece.startswith(WORD_START))
        starts = sorted({0, *later})
        word = generator.integers(len(starts))
        start, end = starts[word], [*starts, len(pieces)][word + 1]
        cut = (part for number in ids[start:end] for part in self._cut(number, generator))
        return [*ids[:start], *cut, *ids[end:]]

    def _cut(self, number: int, generator: np.random.Generator) -> list[int]:
        """Cut a piece into two smaller ones, and those again, or leave it whole."""
        halves = self.halves[number]
        if not halves or generator.random() < KEPT:
            return [number]
        left, right = halves[generator.integers(len(halves))]
        return self._cut(left, generator) + self._cut(right, generator)


def _halves(piece: str, numbers: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    """Give the pairs of pieces that a piece can be cut into."""
    # `▁` keeps at least one letter, as it does in unknown words.
    for place in range(1 + piece.startswith(WORD_START), len(piece)):
        left, right = numbers.get(piece[:place]), numbers.get(piece[place:])
        if left is not None and right is not None:
            yield left, right
