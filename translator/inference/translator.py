"""`Translator`: turns lines into `Translation`s, lazily and in order.

    from translator import Translator
    for translation in Translator.load().translate(["I love you"]):
        print(translation.target, translation.weights)

Lines are read a chunk at a time and sorted by length within it, so a batch has little padding. The
results come in the order of the lines. A line gets the same translation and weights whatever other
lines are in its batch.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from translator.errors import TranslatorError
from translator.inference.batching import batches_by_length, pad
from translator.inference.beam_search import beam_search
from translator.inference.forced_decoding import force_decode_batch
from translator.inference.gru import Network
from translator.inference.hypotheses import Hypothesis
from translator.inference.remarks import source_remarks
from translator.settings import bundled
from translator.storage.checkpoint import Checkpoint
from translator.text.normalization import clean
from translator.text.tokenizer import END_ID, NEVER_PRODUCED, START_ID
from translator.translation import END, Translation

BEAM_SIZE = 5
BATCH_SIZE = 64
BATCHES_A_CHUNK = 16  # batches whose lines are sorted by length together
LONGEST_SOURCE = 128  # pieces; more than in training. The rest of a longer line is left out
MOST = 1000  # limit of beam size and length: more would only take memory and time
ENVIRONMENT_VARIABLE = "ATTN_TRANSLATE_CHECKPOINT"
LOCAL_CHECKPOINT = Path("checkpoints/eng-kor.safetensors")


def find_checkpoint(path: str | Path | None = None) -> Path:
    """Return the checkpoint to use.

    That is `path`, or the one in the environment variable, or the one trained in this folder, or
    the one that ships with the program.
    """
    if path is not None:
        return Path(path)
    if chosen := os.environ.get(ENVIRONMENT_VARIABLE):
        return Path(chosen)
    if LOCAL_CHECKPOINT.is_file():
        return LOCAL_CHECKPOINT
    return bundled("checkpoints/default.safetensors")


class Translator:
    """A checkpoint, ready to translate."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint
        self.network = Network(checkpoint.config, checkpoint.parameters)
        self._words = frozenset(checkpoint.words.tolist())

    @classmethod
    def load(cls, path: str | Path | None = None) -> Translator:
        """Load a checkpoint, by default the one from `find_checkpoint`.

        Raises `TranslatorError` if it can't be used.
        """
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

        `max_length` is the most target pieces (default: twice the source's, plus ten). Beam size 1
        is greedy search.
        """
        best = self.n_best(
            lines, 1, beam_size=beam_size, max_length=max_length, batch_size=batch_size
        )
        yield from (translations[0] for translations in best)

    def n_best(
        self,
        lines: Iterable[str],
        count: int,
        *,
        beam_size: int = BEAM_SIZE,
        max_length: int | None = None,
        batch_size: int = BATCH_SIZE,
    ) -> Iterator[list[Translation]]:
        """Give up to `count` translations of each line, best first; otherwise like `translate`.

        Raises `TranslatorError` if `check_numbers` refuses a number, and TypeError for a single
        sentence instead of a list.
        """
        if isinstance(lines, str):  # a string is an iterable of strings too: its characters
            raise TypeError("give a list of sentences, not one sentence")
        check_numbers(count, beam_size, max_length, batch_size)
        lines = iter(lines)
        while chunk := list(itertools.islice(lines, batch_size * BATCHES_A_CHUNK)):
            yield from self._translate_chunk(chunk, count, beam_size, max_length, batch_size)

    def _translate_chunk(
        self, lines: list[str], count: int, beam_size: int, max_length: int | None, batch_size: int
    ) -> Iterator[list[Translation]]:
        encoded = [self.encode(line) for line in lines]
        results = {}
        numbers = [number for number, ids in enumerate(encoded) if len(ids) > 1]
        for batch in batches_by_length(numbers, [len(ids) for ids in encoded], batch_size):
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
                line, ids = lines[number], encoded[number]
                results[number] = [self._translation(line, ids, each) for each in hypotheses]
        for number, line in enumerate(lines):  # blank lines have no result
            yield results.get(number) or [Translation.empty(clean(line))]

    def align(self, source: str, target: str) -> Translation:
        """Give the attention weights and probabilities of a given translation.

        Raises `TranslatorError` if either side is blank, or the target too long.
        """
        return next(self.align_all([(source, target)]))

    def align_all(
        self, pairs: Iterable[tuple[str, str]], *, batch_size: int = BATCH_SIZE
    ) -> Iterator[Translation]:
        """Align many (source, target) pairs, in order, a batch at a time."""
        pairs = iter(pairs)
        while chunk := list(itertools.islice(pairs, batch_size * BATCHES_A_CHUNK)):
            yield from self._align_chunk(chunk, batch_size)

    def _align_chunk(self, pairs: list[tuple[str, str]], batch_size: int) -> list[Translation]:
        encoded = [self._encode_pair(source, target) for source, target in pairs]
        target_lengths = [len(target_ids) for _, target_ids in encoded]
        results = {}
        for batch in batches_by_length(range(len(pairs)), target_lengths, batch_size):
            source_rows, target_rows = zip(*(encoded[number] for number in batch), strict=True)
            sources, targets = pad(source_rows), pad(target_rows)
            forced = force_decode_batch(self.network, *sources, *targets, START_ID)
            for number, hypothesis in zip(batch, forced, strict=True):
                (source, target), (source_ids, _) = pairs[number], encoded[number]
                results[number] = self._translation(source, source_ids, hypothesis, target)
        return [results[number] for number in range(len(pairs))]

    def _encode_pair(self, source: str, target: str) -> tuple[list[int], list[int]]:
        """Give the ids of a pair. Raises `TranslatorError` if they are none or too many."""
        source_ids = self.encode(source)
        target_ids = self.checkpoint.target_tokenizer.encode(target)
        for side, ids in (("source", source_ids), ("target", target_ids)):
            if len(ids) < 2:
                hint = "give a sentence and its translation"
                raise TranslatorError(f"the {side} is blank", hint=hint)
        most = 2 * LONGEST_SOURCE
        if len(target_ids) > most:
            message = f"the target has {len(target_ids)} pieces"
            raise TranslatorError(message, hint=f"give at most {most}")
        return source_ids, target_ids

    def remarks(self, line: str, named: set[str] | None = None) -> list[str]:
        """Say what makes a line's translation less reliable: unknown characters or words, a cut.

        Words in `named` aren't named again; those of this line are added to it.
        """
        tokenizer = self.checkpoint.source_tokenizer
        named = set() if named is None else named
        return source_remarks(line, tokenizer, self._words, LONGEST_SOURCE, named)

    def encode(self, line: str) -> list[int]:
        """Give the ids of a line, cut to the longest source that is translated."""
        ids = self.checkpoint.source_tokenizer.encode(line)
        return ids if len(ids) <= LONGEST_SOURCE else [*ids[: LONGEST_SOURCE - 1], END_ID]

    def _translation(
        self, line: str, source_ids: list[int], hypothesis: Hypothesis, target: str | None = None
    ) -> Translation:
        """Turn a hypothesis into text. A forced target keeps its own text and pieces."""
        ids, tokenizer = hypothesis.ids.tolist(), self.checkpoint.target_tokenizer
        if target is None:
            shown, target_pieces = tokenizer.decode(ids), tuple(map(tokenizer.piece, ids))
        else:
            shown, target_pieces = clean(target), tokenizer.pieces(target)
        source_pieces = self.checkpoint.source_tokenizer.pieces(line, source_ids)
        if len(source_pieces) > LONGEST_SOURCE:
            source_pieces = (*source_pieces[: LONGEST_SOURCE - 1], END)
        S = len(source_pieces)
        has_attention = self.checkpoint.config.attention != "none"
        return Translation(
            source=clean(line),
            target=shown,
            source_pieces=source_pieces,
            target_pieces=target_pieces,
            weights=hypothesis.weights[:, :S].astype(np.float32) if has_attention else None,
            probabilities=tuple(np.exp(hypothesis.log_probabilities).tolist()),
            log_probability=float(hypothesis.log_probabilities.sum()),
            finished=hypothesis.finished,
        )


def check_numbers(count: int, beam_size: int, max_length: int | None, batch_size: int) -> None:
    """Raise `TranslatorError` for numbers that `n_best` doesn't accept."""
    numbers = {
        "beam size": beam_size,
        "n-best": count,
        "max length": max_length,
        "batch size": batch_size,
    }
    for name, value in numbers.items():
        if value is not None and not 1 <= value <= MOST:
            hint = f"give a number from 1 to {MOST}"
            raise TranslatorError(f"{name} can't be {value}", hint=hint)
    if count > beam_size:
        message = f"{count} best translations don't come out of a beam of {beam_size}"
        raise TranslatorError(message, hint=f"give --beam-size {count}")
