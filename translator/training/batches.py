"""Sentence pairs as flat arrays of ids, and batches of pairs of like length.

A Python list of a million small lists takes gigabytes; two flat arrays and their offsets take what the ids take. A batch is as long as its
longest sentence, so pairs of like length go together, and little of a batch is padding.
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

LINES_AT_ONCE = 20_000
WORTH_A_CUT = 0.9  # of a batch's cost


class Batch(NamedTuple):
    """B sentence pairs as padded arrays of ids."""

    source_ids: Integers  # (B, S)
    source_lengths: Integers  # (B,)
    previous_ids: Integers  # (B, T): the target one step later, what the decoder has read when it writes target_ids
    target_ids: Integers  # (B, T)
    target_lengths: Integers  # (B,)
    gold: Floats  # (B, T, S): where the target's pieces should look; (B, 0, 0) where nothing guides attention

    def split(self, parts: int) -> list[Batch]:
        """The sentences dealt out like cards to this many batches, or to one each if there are fewer."""
        parts = min(parts, len(self.target_lengths))
        return [Batch._make(array[part::parts] for array in self) for part in range(parts)]

    def evened(self) -> list[Batch]:
        """The batch cut into parts of like length, where they cost less than padding every sentence to the length of the longest."""
        order = np.argsort(self.target_lengths, kind="stable")
        source, target = self.source_lengths[order], self.target_lengths[order]
        first = np.arange(1, len(order))  # how many sentences the first part may have
        costs = _cost(first, np.maximum.accumulate(source)[:-1], target[:-1])
        costs += _cost(len(order) - first, np.maximum.accumulate(source[::-1])[-2::-1], target[-1])
        if costs.min(initial=np.inf) > WORTH_A_CUT * _cost(len(order), source.max(), target[-1]):
            return [self]
        cut = costs.argmin() + 1
        return [*self._only(order[:cut]).evened(), *self._only(order[cut:]).evened()]

    def _only(self, rows: Integers) -> Batch:
        """The sentences of these rows, padded no more than they need."""
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
    """The time of learning from such a batch, in those of one piece: a GRU's step costs as much as 16 sentences in it (docs/performance.md)."""
    return (sentences + 16) * (S + T) + sentences * S * T / 32 + 150


class Side(NamedTuple):
    """All sentences of one language: sentence n is ids[offsets[n]:offsets[n + 1]]."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def encode(cls, tokenizer: Tokenizer, lines: Sequence[str]) -> Side:
        """Encode the lines, each with its `</s>`."""
        chunks = range(0, len(lines), LINES_AT_ONCE)
        sides = [
            cls.of(tokenizer.encode_lines(lines[start : start + LINES_AT_ONCE])) for start in chunks
        ] or [cls.of([])]
        lengths = np.concatenate([side.lengths for side in sides])
        return cls(
            np.concatenate([side.ids for side in sides]), np.concatenate([[0], lengths.cumsum()])
        )

    @classmethod
    def of(cls, sentences: Sequence[Sequence[int]]) -> Side:
        """The sentences, given as lists of ids."""
        ids = np.fromiter((number for sentence in sentences for number in sentence), np.int32)
        return cls(ids, np.cumsum([0, *map(len, sentences)]))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of pieces of each sentence."""
        return np.diff(self.offsets)

    def take(self, numbers: Integers) -> Side:
        """The sentences with these numbers."""
        lengths = self.lengths[numbers]
        offsets = np.concatenate([[0], lengths.cumsum()])
        return Side(
            self.ids[
                np.repeat(self.offsets[numbers] - offsets[:-1], lengths) + np.arange(offsets[-1])
            ],
            offsets,
        )

    def sentences(self) -> list[list[int]]:
        """Each sentence as a list of ids."""
        return [self.ids[start:end].tolist() for start, end in itertools.pairwise(self.offsets)]

    def padded(self) -> tuple[Integers, Integers]:
        """All sentences as one array (B, longest), and their lengths (B,)."""
        lengths = self.lengths
        inside = np.arange(lengths.max()) < lengths[:, None]  # (B, longest)
        ids = np.full(inside.shape, PAD_ID, np.int64)
        ids[inside] = self.ids
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
        """Encode both sides of the pairs. Raises `TranslatorError` if attention is to be guided and there is nothing to guide it."""
        guide = (
            GuidedAlignment.checked(source_tokenizer, target_tokenizer, pairs) if guided else None
        )
        sampler = SubwordSampler(source_tokenizer, subword_sampling) if subword_sampling else None
        source = Side.encode(source_tokenizer, [pair.source for pair in pairs])
        return cls(
            source, Side.encode(target_tokenizer, [pair.target for pair in pairs]), guide, sampler
        )

    def __len__(self) -> int:
        return len(self.source.offsets) - 1

    def batches(
        self, batch_size: int, generator: np.random.Generator, part: int = 0, parts: int = 1
    ) -> Iterator[Batch]:
        """Every pair once, in batches of like length; which pairs meet, and the order of batches, is drawn from `generator`.

        Of several `parts`, the batches of one, from 0; with generators of one seed they make up the whole.
        """
        shuffled = generator.permutation(len(self))
        source, target = self.source.lengths[shuffled], self.target.lengths[shuffled]
        longest, more = np.maximum(source, target), source - target
        # By the longer side, then by how much longer it is: upwards and downwards in turns, so that neighbours are alike everywhere.
        # subtle: lexsort is stable, so pairs of the same lengths keep the shuffled order and meet others each time
        by_length = shuffled[np.lexsort((np.where(longest % 2, more, -more), longest))]
        starts = np.arange(0, len(self), batch_size)
        for start in generator.permutation(starts)[part::parts]:
            yield self.batch(by_length[start : start + batch_size], generator)

    def batch(self, numbers: Integers, generator: np.random.Generator | None = None) -> Batch:
        """The pairs with these numbers; words are cut at random, if they are to be, by a `generator` alone."""
        source, target = self.source.take(numbers), self.target.take(numbers)
        if self.sampler is not None and generator is not None:
            source = Side.of([self.sampler(sentence, generator) for sentence in source.sentences()])
        source_ids, source_lengths = source.padded()
        target_ids, target_lengths = target.padded()
        previous_ids = np.concatenate([np.full((len(numbers), 1), START_ID), target_ids[:, :-1]], 1)
        gold = (
            np.zeros((len(numbers), 0, 0), np.float32)
            if self.guide is None
            else self.guide.shares(numbers, source_ids, target_ids)
        )
        return Batch(source_ids, source_lengths, previous_ids, target_ids, target_lengths, gold)
