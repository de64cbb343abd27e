"""Sentence pairs as flat arrays of ids, and batches of pairs of like length.

A Python list of a million small lists takes gigabytes; two flat arrays and their offsets take what the ids take. A batch is as long as its
longest sentence, so pairs of like length go together, and little of a batch is padding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from translator.corpus import SentencePair
from translator.guidance import Guide
from translator.inference import Floats, Integers
from translator.tokenizer import PAD_ID, START_ID, Tokenizer

LINES_AT_ONCE = 20_000


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


class Side(NamedTuple):
    """All sentences of one language: sentence n is ids[offsets[n]:offsets[n + 1]]."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def encode(cls, tokenizer: Tokenizer, lines: Sequence[str]) -> Side:
        """Encode the lines, each with its `</s>`."""
        ids, lengths = [np.zeros(0, np.int32)], [np.zeros(1, np.int64)]
        for start in range(0, len(lines), LINES_AT_ONCE):
            encoded = tokenizer.encode_lines(lines[start : start + LINES_AT_ONCE])
            ids.append(np.fromiter((number for row in encoded for number in row), np.int32))
            lengths.append(np.fromiter(map(len, encoded), np.int64))
        return cls(np.concatenate(ids), np.concatenate(lengths).cumsum())

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of pieces of each sentence."""
        return np.diff(self.offsets)

    def padded(self, numbers: Integers) -> tuple[Integers, Integers]:
        """The sentences with these numbers as one array (B, longest), and their lengths (B,)."""
        lengths = self.lengths[numbers]
        places = np.arange(lengths.max())
        inside = places < lengths[:, None]  # (B, longest)
        ids = np.full(inside.shape, PAD_ID, np.int64)
        ids[inside] = self.ids[(self.offsets[numbers][:, None] + places)[inside]]
        return ids, lengths


class EncodedPairs(NamedTuple):
    """A corpus as ids."""

    source: Side
    target: Side
    guide: Guide | None = None

    @classmethod
    def encode(
        cls, source_tokenizer: Tokenizer, target_tokenizer: Tokenizer, pairs: Sequence[SentencePair], *, guided: bool = False
    ) -> EncodedPairs:
        """Encode both sides of the pairs. Raises `TranslatorError` if attention is to be guided and there is nothing to guide it."""
        guide = Guide.checked(source_tokenizer, target_tokenizer, pairs) if guided else None
        source = Side.encode(source_tokenizer, [pair.source for pair in pairs])
        return cls(source, Side.encode(target_tokenizer, [pair.target for pair in pairs]), guide)

    def __len__(self) -> int:
        return len(self.source.offsets) - 1

    def batches(self, batch_size: int, generator: np.random.Generator, part: int = 0, parts: int = 1) -> Iterator[Batch]:
        """Every pair once, in batches of like length; which pairs meet, and the order of batches, is drawn from `generator`.

        Of several `parts`, the batches of one, from 0; with generators of one seed they make up the whole.
        """
        shuffled = generator.permutation(len(self))
        # subtle: lexsort is stable, so pairs of the same lengths keep the shuffled order and meet others each time
        by_length = shuffled[np.lexsort((self.source.lengths[shuffled], self.target.lengths[shuffled]))]
        starts = np.arange(0, len(self), batch_size)
        for start in generator.permutation(starts)[part::parts]:
            yield self.batch(by_length[start : start + batch_size])

    def batch(self, numbers: Integers) -> Batch:
        """The pairs with these numbers."""
        source_ids, source_lengths = self.source.padded(numbers)
        target_ids, target_lengths = self.target.padded(numbers)
        previous_ids = np.concatenate([np.full((len(numbers), 1), START_ID), target_ids[:, :-1]], 1)
        T, S = (target_ids.shape[1], source_ids.shape[1]) if self.guide else (0, 0)
        gold = self.guide.shares(numbers, T, S) if self.guide else np.zeros((len(numbers), T, S), np.float32)
        return Batch(source_ids, source_lengths, previous_ids, target_ids, target_lengths, gold)
