"""`Translation`: a sentence pair with the matrix that explains it.

The search makes it, and every surface (text, heatmap, JSON, pictures) only shows it. It refuses to exist inconsistent, so nothing that
shows it has to check it again. Rows are target pieces, columns are source pieces: weights[i, j] is α_ij, the attention that the decoder
paid to source piece j when it wrote target piece i.
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
WORD_START = "▁"  # SentencePiece's mark of a piece that begins a word
END = "</s>"  # how the end of a sentence is shown

Weights = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Translation:
    """A source, its translation, and the attention weights between their pieces.

    Raises ValueError if the parts don't fit each other.
    """

    source: str  # as it was typed
    target: str  # detokenised
    source_pieces: tuple[str, ...]  # S pieces with "</s>", exactly what was attended
    target_pieces: tuple[str, ...]  # T pieces, with "</s>" if the model ended the sentence itself
    weights: (
        Weights | None
    )  # (T, S), rows sum to 1, read-only; None where the model has no attention
    probabilities: tuple[float, ...]  # T, of each produced piece
    log_probability: float  # of the whole: natural logarithm
    finished: bool  # whether the model ended the sentence itself, before the length limit

    def __post_init__(self) -> None:
        T, S = len(self.target_pieces), len(self.source_pieces)
        if self.weights is not None:
            with np.errstate(
                over="ignore", invalid="ignore"
            ):  # a stranger's numbers may be too large, and are refused below
                weights = np.array(self.weights, np.float32)
                if weights.shape != (T, S):
                    raise ValueError(
                        f"{T} target and {S} source pieces, but weights of shape {weights.shape}"
                    )
                # subtle: written so that a NaN, which compares as False with everything, is refused too
                if not ((weights >= 0).all() and (abs(weights.sum(1) - 1) <= 1e-3).all()):
                    raise ValueError("each row of weights must be non-negative and sum to 1")
            weights.flags.writeable = False
            object.__setattr__(self, "weights", weights)
        # What moves a terminal's cursor or turns its text round is no text. `clean` leaves none, so this came from a stranger's file.
        if not is_printable(self._text):
            raise ValueError("a text holds control characters")
        if len(self.probabilities) != T:
            raise ValueError(f"{T} target pieces, but {len(self.probabilities)} probabilities")
        # Rounding may carry a probability a hair over 1.
        if not all(0 <= probability <= 1 + 1e-6 for probability in self.probabilities):
            raise ValueError("probabilities must lie between 0 and 1")
        if not (math.isfinite(self.log_probability) and self.log_probability <= 1e-3):
            raise ValueError("a log-probability must be finite and at most 0")
        if self.finished and T and self.target_pieces[-1] != END:
            raise ValueError(f"a finished translation ends with {END}")

    @classmethod
    def empty(cls, source: str = "") -> Translation:
        """The answer to a blank line: nothing, so that output line n always answers input line n."""
        return cls(source, "", (), (), np.zeros((0, 0), np.float32), (), 0.0, True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Translation):
            return NotImplemented
        mine, yours = self.weights, other.weights
        same = mine is yours or (
            mine is not None and yours is not None and np.array_equal(mine, yours)
        )
        return same and all(
            getattr(self, name) == getattr(other, name) for name in FIELDS if name != "weights"
        )

    def __hash__(self) -> int:
        return hash((self.source, self.target, self.target_pieces, self.log_probability))

    @property
    def _text(self) -> str:
        """All that is text, for checking."""
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
        """For each target word the source word with most weight, `0-0 1-2 2-1`; empty without attention.

        Weights are summed over the source word's pieces and averaged over the target word's.
        """
        if self.weights is None or not self.source_words:
            return ""
        words = word_weights(self.weights, self.target_words, self.source_words)
        return " ".join(
            f"{column}-{row}"
            for column, row in sorted(
                (int(column), row) for row, column in enumerate(words.argmax(1))
            )
        )

    def merged(self) -> Translation:
        """The same with words instead of pieces: weights summed over source pieces, averaged over target pieces."""
        rows = group_words(self.target_pieces, keep_end=True)
        columns = group_words(self.source_pieces, keep_end=True)
        weights = None if self.weights is None else word_weights(self.weights, rows, columns)
        if weights is not None:
            weights = weights / weights.sum(
                1, keepdims=True
            )  # what rounding has left of 1 grows no further
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
        """One line: `"format": 1`, the fields in their order, `"alignment"`; `extra` (line, rank) stands behind the format."""
        # subtle: repr of a float32 widened to float is long but exact, so nothing is lost on the way back
        record: dict[str, Any] = {
            "format": FORMAT,
            **extra,
            **{name: getattr(self, name) for name in FIELDS},
        }
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
            hint = "give the lines that `attn-translate translate --format json` writes"
            raise TranslatorError(
                f"not a saved translation ({_describe(error)})", hint=hint
            ) from error

    @classmethod
    def _from_record(cls, record: dict[str, Any]) -> Translation:
        """Build from parsed JSON, checking the types that the constructor takes for granted."""
        sides = [record["source_pieces"], record["target_pieces"]]
        if not all(isinstance(side, list) for side in sides) or not isinstance(
            record["finished"], bool
        ):
            raise TypeError("a field has the wrong type")
        if not all(
            isinstance(text, str)
            for text in (record["source"], record["target"], *sides[0], *sides[1])
        ):
            raise TypeError("a field has the wrong type")
        S = len(record["source_pieces"])
        return cls(
            record["source"],
            record["target"],
            tuple(record["source_pieces"]),
            tuple(record["target_pieces"]),
            None if record["weights"] is None else _matrix(record["weights"], S),
            tuple(float(probability) for probability in record["probabilities"]),
            float(record["log_probability"]),
            record["finished"],
        )


def _matrix(rows: Any, S: int) -> Weights:
    """The matrix that these rows of JSON are, of which an empty one tells no width. Raises ValueError for anything else."""
    try:
        with np.errstate(over="ignore"):  # infinite numbers are refused with the rest
            return np.array(rows, np.float32) if rows else np.zeros((0, S), np.float32)
    except ValueError as error:
        raise ValueError("the weights are no rows of as many numbers each") from error


FIELDS = tuple(field.name for field in fields(Translation))


def group_words(pieces: tuple[str, ...], *, keep_end: bool = False) -> list[list[int]]:
    """The piece numbers of each word: a piece with `▁` begins one; the last `</s>` is left out, or kept as a group of its own.

    >>> group_words(("▁I", "▁lo", "ve", "</s>"))
    [[0], [1, 2]]
    >>> group_words(("▁I", "▁lo", "ve", "</s>"), keep_end=True)
    [[0], [1, 2], [3]]
    """
    ended = bool(pieces) and pieces[-1] == END
    words: list[list[int]] = []
    for number, piece in enumerate(pieces[:-1] if ended else pieces):
        # subtle: `▁` alone, then a piece with `▁`, is one space written twice, not an empty word
        if not words or (
            piece.startswith(WORD_START)
            and any(pieces[inside] != WORD_START for inside in words[-1])
        ):
            words.append([])
        words[-1].append(number)
    return [*words, [len(pieces) - 1]] if ended and keep_end else words


def word_weights(weights: Weights, rows: list[list[int]], columns: list[list[int]]) -> Weights:
    """Weights between words, (T words, S words): summed over each word's columns, averaged over its rows."""
    summed = (
        np.stack([weights[:, column].sum(1) for column in columns], 1)
        if columns
        else weights[:, :0]
    )
    return np.stack([summed[row].mean(0) for row in rows]) if rows else summed[:0]


def _describe(error: Exception) -> str:
    """What was wrong, in words that need no knowledge of Python."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos + 1}"
    return f"no field {error}" if isinstance(error, KeyError) else str(error).splitlines()[0]
