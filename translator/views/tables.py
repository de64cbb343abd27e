"""Translations as CSV and JSON, for analysis.

The CSV is tidy: a line a weight, so that a spreadsheet's pivot table or pandas' `pivot` gives the matrix back, and several sentences stand in
one table. The numbers are the shortest that read back as the same float32.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from translator.translation import Translation

COLUMNS = (
    "sentence",
    "step",
    "target_piece",
    "probability",
    "source_position",
    "source_piece",
    "weight",
)


def as_csv(translations: Sequence[Translation]) -> str:
    """A line for each weight, all counts from 1; without attention a line a step, its last three fields empty."""
    # subtle: a text that begins with = stays as it is, for this is data; a spreadsheet that computes it must be told not to
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for sentence, translation in enumerate(translations, 1):
        writer.writerows((sentence, *row) for row in _rows(translation))
    return stream.getvalue()


def _rows(translation: Translation) -> Iterator[tuple[object, ...]]:
    """The fields behind the sentence's number."""
    for i, (piece, probability) in enumerate(
        zip(translation.target_pieces, translation.probabilities, strict=True)
    ):
        step = (i + 1, piece, probability)
        if translation.weights is None:
            yield (*step, "", "", "")
            continue
        for j, source_piece in enumerate(translation.source_pieces):
            yield (*step, j + 1, source_piece, str(translation.weights[i, j]))


def as_json(translations: Sequence[Translation]) -> str:
    """One translation as the object that `translate --format json` writes, so that `--from` reads it; any other number as a list of them."""
    records = [translation.to_json() for translation in translations]
    return f"{records[0]}\n" if len(records) == 1 else "[\n" + ",\n".join(records) + "\n]\n"
