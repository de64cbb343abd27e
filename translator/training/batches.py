"""Sentence pairs as flat arrays of ids, and batches of pairs of similar length.

A Python list of a million small lists takes gigabytes. A flat array with offsets takes only the
memory of the ids. A batch is as long as its longest sentence, so pairs of similar length go
together and a batch has little padding.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from translator.inference.arrays import Floats, Integers
from translator.text.corpus import SentencePair
from translator.text.tokenizer import PAD_ID, START_ID, Tokenizer
from translator.training.guided_alignment import GuidedAlignment
from translator.training.subword_regularization import SubwordSampler

LINES_AT_ONCE = 20_000  # encoded together
WORTH_SPLITTING = 0.9  # split a batch if its parts cost less than this share of it


class Batch(NamedTuple):
    """B sentence pairs as padded arrays of ids."""

    source_ids: Integers  # (B, S)
    source_lengths: Integers  # (B,)
    previous_ids: Integers  # (B, T): the target shifted by one step, the decoder's input
    target_ids: Integers  # (B, T)
    target_lengths: Integers  # (B,)
    gold: Floats  # (B, T, S): where attention should look; (B, 0, 0) if it isn't guided

    def split(self, parts: int) -> list[Batch]:
        """Deal out the sentences to this many batches, or fewer if there are fewer sentences."""
        parts = min(parts, len(self.target_lengths))
        return [Batch._make(array[part::parts] for array in self) for part in range(parts)]

    def split_by_length(self) -> list[Batch]:
        """Split into parts of similar length, where that costs less than the padding."""
        order = np.argsort(self.target_lengths, kind="stable")
        source, target = self.source_lengths[order], self.target_lengths[order]
        first = np.arange(1, len(order))  # the possible sizes of the first part
        costs = _cost(first, np.maximum.accumulate(source)[:-1], target[:-1])
        costs += _cost(len(order) - first, np.maximum.accumulate(source[::-1])[-2::-1], target[-1])
        if costs.min(initial=np.inf) > WORTH_SPLITTING * _cost(
            len(order), source.max(), target[-1]
        ):
            return [self]
        cut = costs.argmin() + 1
        parts = self._rows(order[:cut]), self._rows(order[cut:])
        return [batch for part in parts for batch in part.split_by_length()]

    def _rows(self, rows: Integers) -> Batch:
        """Give the sentences in these rows, without unnecessary padding."""
        S, T = self.source_lengths[rows].max(), self.target_lengths[rows].max()
        return Batch(
            self.source_ids[rows, :S],
            self.source_lengths[rows],
            self.previous_ids[rows, :T],
            self.target_ids[rows, :T],
            self.target_lengths[rows],
            self.gold[rows, :T, :S],
        )


def _cost(sentences: Any, S: Any, T: Any) -> Any:
    """Estimate the time to train on such a batch, in units of one piece.

    A GRU step costs as much as 16 sentences in it (docs/performance.md).
    """
    return (sentences + 16) * (S + T) + sentences * S * T / 32 + 150


class Side(NamedTuple):
    """All sentences of one language: sentence n is ids[offsets[n]:offsets[n + 1]]."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def encode(cls, tokenizer: Tokenizer, lines: Sequence[str]) -> Side:
        """Encode the lines, each with its `</s>`."""
        starts = range(0, len(lines), LINES_AT_ONCE) or [0]
        chunks = (lines[start : start + LINES_AT_ONCE] for start in starts)
        sides = [cls.of(tokenizer.encode_lines(chunk)) for chunk in chunks]
        ids = np.concatenate([side.ids for side in sides])
        lengths = np.concatenate([side.lengths for side in sides])
        return cls(ids, np.concatenate([[0], lengths.cumsum()]))

    @classmethod
    def of(cls, sentences: Sequence[Sequence[int]]) -> Side:
        """Join sentences, given as lists of ids."""
        ids = np.fromiter((number for sentence in sentences for number in sentence), np.int32)
        return cls(ids, np.cumsum([0, *map(len, sentences)]))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of pieces of each sentence."""
        return np.diff(self.offsets)

    def take(self, numbers: Integers) -> Side:
        """Give the sentences with these numbers."""
        lengths = self.lengths[numbers]
        offsets = np.concatenate([[0], lengths.cumsum()])
        moves = np.repeat(self.offsets[numbers] - offsets[:-1], lengths)
        return Side(self.ids[moves + np.arange(offsets[-1])], offsets)

    def sentences(self) -> list[list[int]]:
        """Give each sentence as a list of ids."""
        return [self.ids[start:end].tolist() for start, end in itertools.pairwise(self.offsets)]

    def padded(self) -> tuple[Integers, Integers]:
        """Give all sentences as one array (B, longest), and their lengths (B,)."""
        lengths = self.lengths
        mask = np.arange(lengths.max()) < lengths[:, None]  # (B, longest)
        ids = np.full(mask.shape, PAD_ID, np.int64)
        ids[mask] = self.ids
        return ids, lengths


class EncodedPairs(NamedTuple):
    """A corpus as ids."""

    source: Side
    target: Side
    guide: GuidedAlignment | None = None
    sampler: SubwordSampler | None = None

    @classmethod
    def encode(
        cls,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        pairs: Sequence[SentencePair],
        *,
        guided: bool = False,
        subword_sampling: float = 0.0,
    ) -> EncodedPairs:
        """Encode both sides of the pairs.

        Raises `TranslatorError` if attention is `guided` but the pairs have no gold alignments.
        """
        guide = sampler = None
        if guided:
            guide = GuidedAlignment.checked(source_tokenizer, target_tokenizer, pairs)
        if subword_sampling:
            sampler = SubwordSampler(source_tokenizer, subword_sampling)
        source = Side.encode(source_tokenizer, [pair.source for pair in pairs])
        target = Side.encode(target_tokenizer, [pair.target for pair in pairs])
        return cls(source, target, guide, sampler)

    def __len__(self) -> int:
        return len(self.source.offsets) - 1

    def batches(
        self, batch_size: int, generator: np.random.Generator, part: int = 0, parts: int = 1
    ) -> Iterator[Batch]:
        """Give every pair once, in random batches of pairs of similar length.

        With several `parts`, gives only the batches of part number `part`, from 0. Generators with
        the same seed give parts of the same whole.
        """
        shuffled = generator.permutation(len(self))
        source, target = self.source.lengths[shuffled], self.target.lengths[shuffled]
        # Sort by the longer side, then by the difference, rising and falling in turn: so neighbours
        # are always similar.
        longest, difference = np.maximum(source, target), source - target
        in_turn = np.where(longest % 2, difference, -difference)
        # subtle: lexsort is stable, so pairs of equal lengths keep their random order
        by_length = shuffled[np.lexsort((in_turn, longest))]
        starts = np.arange(0, len(self), batch_size)
        for start in generator.permutation(starts)[part::parts]:
            yield self.batch(by_length[start : start + batch_size], generator)

    def batch(self, numbers: Integers, generator: np.random.Generator | None = None) -> Batch:
        """Give the pairs with these numbers. Only with a `generator`, words are cut at random."""
        source, target = self.source.take(numbers), self.target.take(numbers)
        if self.sampler is not None and generator is not None:
            source = Side.of([self.sampler(sentence, generator) for sentence in source.sentences()])
        source_ids, source_lengths = source.padded()
        target_ids, target_lengths = target.padded()
        previous_ids = np.concatenate([np.full((len(numbers), 1), START_ID), target_ids[:, :-1]], 1)
        gold = np.zeros((len(numbers), 0, 0), np.float32)
        if self.guide is not None:
            gold = self.guide.gold_weights(numbers, source_ids, target_ids)
        return Batch(source_ids, source_lengths, previous_ids, target_ids, target_lengths, gold)
