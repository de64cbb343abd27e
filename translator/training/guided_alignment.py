"""Guided alignment: gold alignments between words as target attention weights between pieces.

Attention learns where to look from predicting the next piece, without any help. Guided alignment
(Chen et al. 2016) adds help: the attention weights α_i of a target piece should be close to

    g_ij = 1/n if the words of pieces i and j are linked, where n pieces are linked to i; else 0

The loss gets their cross-entropy, -Σ_j g_ij ln α_ij, times the value of `--guided-alignment`. A
piece without a gold link, such as `</s>`, is free. This is off by default, because what attention
finds by itself is more interesting.
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
        """Check the gold alignments of all pairs.

        Raises `TranslatorError` if there are none, or if one links a word that its pair doesn't
        have.
        """
        if not sum(gold_alignment(pair) is not None for pair in pairs):
            message = "this corpus has no gold alignments to guide attention"
            hint = "add them as a third column, as in 0-0 1-2, or leave out --guided-alignment"
            raise TranslatorError(message, hint=hint)
        return cls(source, target, pairs)

    def gold_weights(self, numbers: Integers, source_ids: Integers, target_ids: Integers) -> Floats:
        """Give the weights g_ij (B, T, S) of the pairs with these numbers.

        Their padded ids are (B, S) and (B, T). Rows sum to 1, or to 0 for a piece without links.
        """
        gold = np.zeros((*target_ids.shape, source_ids.shape[1]), np.float32)
        rows = zip(gold, numbers, source_ids, target_ids, strict=True)
        for matrix, number, source, target in rows:
            words = _words(self.source, source), _words(self.target, target)
            self._fill(matrix, self.pairs[number], *words)
        return gold

    def _fill(
        self, matrix: Floats, pair: SentencePair, sources: list[list[int]], targets: list[list[int]]
    ) -> None:
        """Write a pair's weights into a matrix (T, S) of zeros.

        A word's sure links count, or its possible ones if it has no sure one.
        """
        links = gold_alignment(pair)
        # If folding has split a word in two (U+00B4), the numbers in the links are wrong.
        words = len(pair.source.split()), len(pair.target.split())
        if links is None or (len(sources), len(targets)) != words:
            return
        for word, rows in enumerate(targets):
            sure = [j for j, i in links.sure if i == word]
            linked = sure or [j for j, i in links.possible if i == word]
            if columns := [column for j in linked for column in sources[j]]:
                matrix[np.ix_(rows, columns)] = 1 / len(columns)


def _words(tokenizer: Tokenizer, ids: Integers) -> list[list[int]]:
    """Give the positions of each word's pieces in a row of padded ids."""
    return group_words(tuple(tokenizer.piece(int(number)) for number in ids[ids != PAD_ID]))
