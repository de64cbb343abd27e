"""Where attention is told to look: gold alignments between words as shares between pieces.

Attention learns by itself where to look, from nothing but the wish to predict the next piece. Guided alignment (Chen et al. 2016) adds a
wish: the weights α_i of a target piece should be like the gold alignment's,

    g_ij = 1/n if piece i's word is linked to piece j's, n pieces being linked to it; else 0

and the loss gets their cross-entropy, -Σ_j g_ij ln α_ij, times what `--guided-alignment` says. A piece without a gold link, as `</s>`, is
free. It is off by default: what attention finds unaided is the more interesting thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from translator.errors import TranslatorError
from translator.inference.arrays import Floats, Integers
from translator.text.alignment import gold_alignment
from translator.text.corpus import SentencePair
from translator.text.tokenizer import PAD_ID, Tokenizer
from translator.translation import group_words


class GuidedAlignment(NamedTuple):
    """The gold alignments of some sentence pairs, for these tokenizers' pieces."""

    source: Tokenizer
    target: Tokenizer
    pairs: Sequence[SentencePair]

    @classmethod
    def checked(
        cls, source: Tokenizer, target: Tokenizer, pairs: Sequence[SentencePair]
    ) -> GuidedAlignment:
        """Raises `TranslatorError` if no pair has a gold alignment, or one links words that its pair doesn't have."""
        if not sum(gold_alignment(pair) is not None for pair in pairs):
            hint = "add them as a third column, as in 0-0 1-2, or leave out --guided-alignment"
            raise TranslatorError(
                "this corpus has no gold alignments to guide attention", hint=hint
            )
        return cls(source, target, pairs)

    def shares(self, numbers: Integers, source_ids: Integers, target_ids: Integers) -> Floats:
        """The shares g_ij, (B, T, S), of the pairs with these numbers, whose padded ids are (B, S) and (B, T).

        Rows sum to 1, or to 0 where the gold alignment says nothing.
        """
        gold = np.zeros((*target_ids.shape, source_ids.shape[1]), np.float32)
        for matrix, number, source, target in zip(
            gold, numbers, source_ids, target_ids, strict=True
        ):
            self._fill(
                matrix, self.pairs[number], _words(self.source, source), _words(self.target, target)
            )
        return gold

    def _fill(
        self, matrix: Floats, pair: SentencePair, sources: list[list[int]], targets: list[list[int]]
    ) -> None:
        """Write one pair's shares into a matrix (T, S) of zeros: a word's sure links count, or its possible ones if it has no sure one."""
        links = gold_alignment(pair)
        # Folding may make two words of one (U+00B4): then the links' numbers mean nothing.
        if links is None or (len(sources), len(targets)) != (
            len(pair.source.split()),
            len(pair.target.split()),
        ):
            return
        for word, rows in enumerate(targets):
            linked = [j for j, i in links.sure if i == word] or [
                j for j, i in links.possible if i == word
            ]
            if columns := [column for j in linked for column in sources[j]]:
                matrix[np.ix_(rows, columns)] = 1 / len(columns)


def _words(tokenizer: Tokenizer, ids: Integers) -> list[list[int]]:
    """The places of each word's pieces in a row of padded ids."""
    return group_words(tuple(tokenizer.piece(int(number)) for number in ids[ids != PAD_ID]))
