"""`Translator`: lines in, `Translation`s out, lazily and in order.

    from translator import Translator
    for translation in Translator.load().translate(["I love you"]):
        print(translation.target, translation.weights)

Lines are taken a chunk at a time and sorted by length inside it, so that a batch has little padding; they come out in the order given. The
padding can't be seen in a result: a line gets the same translation and weights whatever it was translated with.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from translator.errors import TranslatorError
from translator.inference.arrays import Integers
from translator.inference.beam_search import Hypothesis, beam_search, force_all
from translator.inference.gru import Network
from translator.settings import bundled
from translator.storage.checkpoint import Checkpoint
from translator.text.normalization import clean
from translator.text.tokenizer import END_ID, NEVER_PRODUCED, PAD_ID, START_ID, UNKNOWN_ID
from translator.text.words import unseen_words
from translator.translation import END, Translation

BEAM_SIZE = 5
BATCH_SIZE = 64
BATCHES_A_CHUNK = 16  # lines that are sorted by length together: this many batches
LONGEST_SOURCE = (
    128  # pieces; more than training shows. The rest of a longer line is left out, and said
)
LONGEST_LISTED = 40  # characters of a word in a remark
MOST = 1000  # hypotheses of a beam, pieces of a translation: more would only take memory and time
ENVIRONMENT_VARIABLE = "ATTN_TRANSLATE_CHECKPOINT"
LOCAL_CHECKPOINT = Path("checkpoints/eng-kor.safetensors")


def find_checkpoint(path: str | Path | None = None) -> Path:
    """The checkpoint to use: `path`, else the environment's, else the one trained below this folder, else the shipped one."""
    if path is not None:
        return Path(path)
    if chosen := os.environ.get(ENVIRONMENT_VARIABLE):
        return Path(chosen)
    return (
        LOCAL_CHECKPOINT
        if LOCAL_CHECKPOINT.is_file()
        else bundled("checkpoints/default.safetensors")
    )


class Translator:
    """A checkpoint, ready to translate."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint
        self.network = Network(checkpoint.config, checkpoint.parameters)
        self._words = frozenset(checkpoint.words.tolist())

    @classmethod
    def load(cls, path: str | Path | None = None) -> Translator:
        """Load a checkpoint, by default the one that `find_checkpoint` finds. Raises `TranslatorError` if it can't be used."""
        return cls(Checkpoint.load(find_checkpoint(path)))

    def translate(
        self,
        lines: Iterable[str],
        *,
        beam_size: int = BEAM_SIZE,
        max_length: int | None = None,
        batch_size: int = BATCH_SIZE,
    ) -> Iterator[Translation]:
        """Translate lines, in order: one `Translation` for each, an empty one for a blank line.

        `max_length` is the most target pieces (default: twice the source's and ten). Beam size 1 is greedy search.
        """
        for best in self.n_best(
            lines, 1, beam_size=beam_size, max_length=max_length, batch_size=batch_size
        ):
            yield best[0]

    def n_best(
        self,
        lines: Iterable[str],
        count: int,
        *,
        beam_size: int = BEAM_SIZE,
        max_length: int | None = None,
        batch_size: int = BATCH_SIZE,
    ) -> Iterator[list[Translation]]:
        """As `translate`, with the up to `count` best translations of each line, best first.

        Raises `TranslatorError` for a number that `check_numbers` refuses, and TypeError for a sentence in place of sentences.
        """
        if isinstance(lines, str):  # which is an iterable of strings, too: its letters
            raise TypeError("give a list of sentences, not one sentence")
        check_numbers(count, beam_size, max_length, batch_size)
        lines = iter(lines)
        while chunk := list(itertools.islice(lines, batch_size * BATCHES_A_CHUNK)):
            yield from self._translate_chunk(chunk, count, beam_size, max_length, batch_size)

    def _translate_chunk(
        self, lines: list[str], count: int, beam_size: int, max_length: int | None, batch_size: int
    ) -> Iterator[list[Translation]]:
        encoded = [self.encode(line) for line in lines]
        results = {
            number: [Translation.empty(clean(lines[number]))]
            for number, ids in enumerate(encoded)
            if len(ids) == 1
        }
        by_length = sorted(
            (number for number, ids in enumerate(encoded) if len(ids) > 1),
            key=lambda number: len(encoded[number]),
        )
        for start in range(0, len(by_length), batch_size):
            batch = by_length[start : start + batch_size]
            source_ids, lengths = pad([encoded[number] for number in batch])
            limits = 2 * lengths + 10 if max_length is None else np.full_like(lengths, max_length)
            found = beam_search(
                self.network,
                source_ids,
                lengths,
                limits,
                beam_size=beam_size,
                n_best=count,
                start=START_ID,
                end=END_ID,
                never=NEVER_PRODUCED,
            )
            for number, hypotheses in zip(batch, found, strict=True):
                results[number] = [
                    self._translation(lines[number], encoded[number], hypothesis)
                    for hypothesis in hypotheses
                ]
        yield from (results[number] for number in range(len(lines)))

    def align(self, source: str, target: str) -> Translation:
        """The weights and probabilities of a translation that the caller chose.

        Raises `TranslatorError` if either side is blank or too long.
        """
        return next(self.align_all([(source, target)]))

    def align_all(
        self, pairs: Iterable[tuple[str, str]], *, batch_size: int = BATCH_SIZE
    ) -> Iterator[Translation]:
        """As `align` for many (source, target) pairs, in order, a batch at a time."""
        pairs = iter(pairs)
        while chunk := list(itertools.islice(pairs, batch_size * BATCHES_A_CHUNK)):
            yield from self._align_chunk(chunk, batch_size)

    def _align_chunk(self, pairs: list[tuple[str, str]], batch_size: int) -> list[Translation]:
        encoded = [self._encode_pair(source, target) for source, target in pairs]
        by_length = sorted(range(len(pairs)), key=lambda number: len(encoded[number][1]))
        results = {}
        for start in range(0, len(by_length), batch_size):
            batch = by_length[start : start + batch_size]
            sources, targets = (
                pad([encoded[number][0] for number in batch]),
                pad([encoded[number][1] for number in batch]),
            )
            for number, hypothesis in zip(
                batch, force_all(self.network, *sources, *targets, START_ID), strict=True
            ):
                results[number] = self._translation(
                    pairs[number][0], encoded[number][0], hypothesis, pairs[number][1]
                )
        return [results[number] for number in range(len(pairs))]

    def _encode_pair(self, source: str, target: str) -> tuple[list[int], list[int]]:
        """The ids of a pair. Raises `TranslatorError` if either side is blank or the target too long."""
        source_ids, target_ids = (
            self.encode(source),
            self.checkpoint.target_tokenizer.encode(target),
        )
        for side, ids in (("source", source_ids), ("target", target_ids)):
            if len(ids) < 2:
                raise TranslatorError(
                    f"the {side} is blank", hint="give a sentence and its translation"
                )
        if len(target_ids) > 2 * LONGEST_SOURCE:
            raise TranslatorError(
                f"the target has {len(target_ids)} pieces",
                hint=f"give at most {2 * LONGEST_SOURCE}",
            )
        return source_ids, target_ids

    def remarks(self, line: str, named: set[str] | None = None) -> list[str]:
        """What a reader should know of a line before trusting its translation: unknown characters and words, a cut.

        `named` are words that the reader knows of already; those of this line join them.
        """
        tokenizer, remarks = self.checkpoint.source_tokenizer, []
        named = set() if named is None else named
        ids = tokenizer.encode(line)
        strange = tokenizer.unknown_characters(line) if UNKNOWN_ID in ids else []
        unseen = [word for word in unseen_words(line, self._words) if word not in strange]
        for what, words in (
            ("characters unknown to this model in", strange),
            ("not seen in training", unseen),
        ):
            if new := [word for word in words if word not in named]:
                remarks.append(f"{what}: {_listed(new)}")
        named.update(strange, unseen)
        if len(ids) > LONGEST_SOURCE:
            remarks.append(f"only the first {LONGEST_SOURCE} of {len(ids)} pieces were translated")
        return remarks

    def encode(self, line: str) -> list[int]:
        """The ids of a line, cut to the longest source that is translated."""
        ids = self.checkpoint.source_tokenizer.encode(line)
        return ids if len(ids) <= LONGEST_SOURCE else [*ids[: LONGEST_SOURCE - 1], END_ID]

    def _translation(
        self, line: str, source_ids: list[int], hypothesis: Hypothesis, target: str | None = None
    ) -> Translation:
        """Dress a hypothesis in text. A forced target keeps its own text and pieces."""
        ids, tokenizer = hypothesis.ids.tolist(), self.checkpoint.target_tokenizer
        source_pieces = self.checkpoint.source_tokenizer.pieces(line, source_ids)
        if len(source_pieces) > LONGEST_SOURCE:
            source_pieces = (*source_pieces[: LONGEST_SOURCE - 1], END)
        S = len(source_pieces)
        has_attention = self.checkpoint.config.attention != "none"
        return Translation(
            source=clean(line),
            target=tokenizer.decode(ids) if target is None else clean(target),
            source_pieces=source_pieces,
            target_pieces=tuple(map(tokenizer.piece, ids))
            if target is None
            else tokenizer.pieces(target),
            weights=hypothesis.weights[:, :S].astype(np.float32) if has_attention else None,
            probabilities=tuple(np.exp(hypothesis.log_probabilities).tolist()),
            log_probability=float(hypothesis.log_probabilities.sum()),
            finished=hypothesis.finished,
        )


def check_numbers(count: int, beam_size: int, max_length: int | None, batch_size: int) -> None:
    """Raise `TranslatorError` for what `n_best` can't work with."""
    for name, value in (
        ("beam size", beam_size),
        ("n-best", count),
        ("max length", max_length),
        ("batch size", batch_size),
    ):
        if value is not None and not 1 <= value <= MOST:
            raise TranslatorError(
                f"{name} can't be {value}", hint=f"give a number from 1 to {MOST}"
            )
    if count > beam_size:
        raise TranslatorError(
            f"{count} best translations don't come out of a beam of {beam_size}",
            hint=f"give --beam-size {count}",
        )


def pad(rows: list[list[int]]) -> tuple[Integers, Integers]:
    """Rows of ids as one array, short rows filled up, and their lengths: (B, S), (B,)."""
    lengths = np.array([len(row) for row in rows])
    ids = np.full((len(rows), lengths.max()), PAD_ID)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
    return ids, lengths


def _listed(words: list[str]) -> str:
    """Up to ten different words, in order."""
    different = [
        word if len(word) <= LONGEST_LISTED else f"{word[:LONGEST_LISTED]}…"
        for word in dict.fromkeys(words)
    ]
    return ", ".join(different[:10]) + (
        f" and {len(different) - 10} more" if len(different) > 10 else ""
    )
