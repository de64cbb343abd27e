"""`Translation`: a source, its translation and the attention matrix between them.

The search makes it; every view (text, heatmap, JSON, pictures) only shows it. The constructor
checks it, so no view has to. Rows are target pieces and columns are source pieces: weights[i, j] is
α_ij, the attention that the decoder paid to source piece j when it wrote target piece i.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from translator.errors import TranslatorError
from translator.printable import is_printable

FORMAT = 1  # of the JSON lines
WORD_START = "▁"  # SentencePiece's mark for a piece that begins a word
END = "</s>"  # the end of a sentence, as it is shown

Weights = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Translation:
    """A source, its translation, and the attention weights between their pieces.

    Raises ValueError if the parts don't fit each other.
    """

    source: str  # as it was typed
    target: str  # detokenized
    source_pieces: tuple[str, ...]  # S pieces with "</s>", exactly what was attended
    target_pieces: tuple[str, ...]  # T pieces, with "</s>" if the model ended the sentence itself
    weights: Weights | None  # (T, S), rows sum to 1, read-only; None for a model without attention
    probabilities: tuple[float, ...]  # T, of each target piece
    log_probability: float  # of the whole translation: natural logarithm
    finished: bool  # whether the model ended the sentence itself, before the length limit

    def __post_init__(self) -> None:
        T, S = len(self.target_pieces), len(self.source_pieces)
        if self.weights is not None:
            object.__setattr__(self, "weights", _checked_weights(self.weights, T, S))
        # `clean` removes control characters, so text with some comes from an untrusted file.
        if not is_printable(self._text):
            raise ValueError("a text holds control characters")
        if len(self.probabilities) != T:
            raise ValueError(f"{T} target pieces, but {len(self.probabilities)} probabilities")
        # Rounding can lift a probability slightly above 1.
        if not all(0 <= probability <= 1 + 1e-6 for probability in self.probabilities):
            raise ValueError("probabilities must lie between 0 and 1")
        if not (math.isfinite(self.log_probability) and self.log_probability <= 1e-3):
            raise ValueError("a log-probability must be finite and at most 0")
        if self.finished and T and self.target_pieces[-1] != END:
            raise ValueError(f"a finished translation ends with {END}")

    @classmethod
    def empty(cls, source: str = "") -> Translation:
        """Give the translation of a blank line: output line n always answers input line n."""
        return cls(source, "", (), (), np.zeros((0, 0), np.float32), (), 0.0, True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Translation):
            return NotImplemented
        mine, yours = self.weights, other.weights
        is_same = mine is yours or (
            mine is not None and yours is not None and np.array_equal(mine, yours)
        )
        others = [name for name in FIELDS if name != "weights"]
        return is_same and all(getattr(self, name) == getattr(other, name) for name in others)

    def __hash__(self) -> int:
        return hash((self.source, self.target, self.target_pieces, self.log_probability))

    @property
    def _text(self) -> str:
        """All text of the translation, for checking."""
        return "".join((self.source, self.target, *self.source_pieces, *self.target_pieces))

    @property
    def source_words(self) -> list[list[int]]:
        """The column numbers of each white-space word of the source."""
        return group_words(self.source_pieces)

    @property
    def target_words(self) -> list[list[int]]:
        """The row numbers of each white-space word of the target."""
        return group_words(self.target_pieces)

    @property
    def alignment(self) -> str:
        """The source word with the most weight for each target word, as `0-0 1-2 2-1`.

        Weights are summed over the source word's pieces and averaged over the target word's. Empty
        without attention.
        """
        if self.weights is None or not self.source_words:
            return ""
        words = word_weights(self.weights, self.target_words, self.source_words)
        links = sorted((int(column), row) for row, column in enumerate(words.argmax(1)))
        return " ".join(f"{column}-{row}" for column, row in links)

    def merged(self) -> Translation:
        """Give the same translation with words instead of pieces.

        Weights are summed over source pieces and averaged over target pieces.
        """
        rows = group_words(self.target_pieces, keep_end=True)
        columns = group_words(self.source_pieces, keep_end=True)
        weights = None if self.weights is None else word_weights(self.weights, rows, columns)
        if weights is not None:
            weights = weights / weights.sum(1, keepdims=True)  # keeps rounding from adding up
        return Translation(
            self.source,
            self.target,
            tuple("".join(self.source_pieces[j] for j in column) for column in columns),
            tuple("".join(self.target_pieces[i] for i in row) for row in rows),
            weights,
            tuple(min(1.0, math.prod(self.probabilities[i] for i in row)) for row in rows),
            self.log_probability,
            self.finished,
        )

    def to_json(self, **extra: int) -> str:
        """Write one line of JSON: the format, `extra` (line, rank), all fields, the alignment."""
        record: dict[str, Any] = {"format": FORMAT, **extra}
        record |= {name: getattr(self, name) for name in FIELDS}
        # subtle: a float32 as a float has a long but exact repr, so reading it loses nothing
        if self.weights is not None:
            record["weights"] = self.weights.tolist()
        record["alignment"] = self.alignment
        return json.dumps(record, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> Translation:
        """Read what `to_json` wrote. Raises `TranslatorError` for anything else."""
        try:
            record = json.loads(line)
            if record["format"] != FORMAT:
                raise TranslatorError(
                    f"format {record['format']} of saved translations is unknown",
                    hint=f"this program reads format {FORMAT}",
                )
            return cls._from_record(record)
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            message = f"not a saved translation ({_describe(error)})"
            hint = "give the lines that `attn-translate translate --format json` writes"
            raise TranslatorError(message, hint=hint) from error

    @classmethod
    def _from_record(cls, record: dict[str, Any]) -> Translation:
        """Build from parsed JSON, and check the types that the constructor relies on."""
        source_pieces, target_pieces = record["source_pieces"], record["target_pieces"]
        if not (isinstance(source_pieces, list) and isinstance(target_pieces, list)):
            raise TypeError("a field has the wrong type")
        texts = record["source"], record["target"], *source_pieces, *target_pieces
        are_texts = all(isinstance(text, str) for text in texts)
        if not (are_texts and isinstance(record["finished"], bool)):
            raise TypeError("a field has the wrong type")
        weights = record["weights"]
        return cls(
            record["source"],
            record["target"],
            tuple(source_pieces),
            tuple(target_pieces),
            None if weights is None else _matrix(weights, len(source_pieces)),
            tuple(float(probability) for probability in record["probabilities"]),
            float(record["log_probability"]),
            record["finished"],
        )


def _checked_weights(weights: Weights, T: int, S: int) -> Weights:
    """Return a read-only copy of attention weights. Raises ValueError if they aren't (T, S)."""
    # Numbers too large for a float32 become infinite, and are refused below.
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.array(weights, np.float32)
        if weights.shape != (T, S):
            shape = weights.shape
            raise ValueError(f"{T} target and {S} source pieces, but weights of shape {shape}")
        # subtle: a NaN compares as False with everything, and is refused too
        if not ((weights >= 0).all() and (abs(weights.sum(1) - 1) <= 1e-3).all()):
            raise ValueError("each row of weights must be non-negative and sum to 1")
    weights.flags.writeable = False
    return weights


def _matrix(rows: Any, S: int) -> Weights:
    """Turn JSON rows into a matrix of width S. Raises ValueError if they are no matrix."""
    try:
        with np.errstate(over="ignore"):  # the constructor refuses infinite numbers
            return np.array(rows, np.float32) if rows else np.zeros((0, S), np.float32)
    except ValueError as error:
        raise ValueError("the weights aren't rows of equally many numbers") from error


FIELDS = tuple(field.name for field in fields(Translation))


def group_words(pieces: tuple[str, ...], *, keep_end: bool = False) -> list[list[int]]:
    """Give the piece numbers of each word. A piece with `▁` begins a word.

    The final `</s>` is left out, or with `keep_end` a group of its own.

    >>> group_words(("▁I", "▁lo", "ve", "</s>"))
    [[0], [1, 2]]
    >>> group_words(("▁I", "▁lo", "ve", "</s>"), keep_end=True)
    [[0], [1, 2], [3]]
    """
    ended = bool(pieces) and pieces[-1] == END
    words: list[list[int]] = []
    for number, piece in enumerate(pieces[:-1] if ended else pieces):
        # subtle: `▁` alone, then a piece with `▁`, is one space written twice, not an empty word
        has_letters = bool(words) and any(pieces[inside] != WORD_START for inside in words[-1])
        if not words or (piece.startswith(WORD_START) and has_letters):
            words.append([])
        words[-1].append(number)
    return [*words, [len(pieces) - 1]] if ended and keep_end else words


def word_weights(weights: Weights, rows: list[list[int]], columns: list[list[int]]) -> Weights:
    """Give the weights between words: summed over a word's columns, averaged over its rows."""
    summed = weights[:, :0]
    if columns:
        summed = np.stack([weights[:, column].sum(1) for column in columns], 1)
    return np.stack([summed[row].mean(0) for row in rows]) if rows else summed[:0]


def _describe(error: Exception) -> str:
    """Say what was wrong, for readers who don't know Python."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos + 1}"
    return f"no field {error}" if isinstance(error, KeyError) else str(error).splitlines()[0]
