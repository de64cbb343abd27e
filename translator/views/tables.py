"""Translations as CSV and JSON, for analysis.

The CSV is tidy, with one line per weight: a spreadsheet's pivot table or pandas' `pivot` gives the
matrix back, and several sentences fit one table. Numbers are the shortest that read back as the
same float32.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from translator.translation import Translation

COLUMNS = (
    *("sentence", "step", "target_piece", "probability"),
    *("source_position", "source_piece", "weight"),
)


def as_csv(translations: Sequence[Translation]) -> str:
    """Return a line per weight, counting from 1.

    Without attention there is a line per step, with its last three fields empty.
    """
    # subtle: text that begins with = isn't escaped, because a CSV file is data. Import it as text
    # if your spreadsheet evaluates formulas.
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for sentence, translation in enumerate(translations, 1):
        writer.writerows((sentence, *row) for row in _rows(translation))
    return stream.getvalue()


def _rows(translation: Translation) -> Iterator[tuple[object, ...]]:
    """Yield the fields after the sentence number."""
    steps = zip(translation.target_pieces, translation.probabilities, strict=True)
    for i, (piece, probability) in enumerate(steps):
        step = (i + 1, piece, probability)
        if translation.weights is None:
            yield (*step, "", "", "")
            continue
        for j, source_piece in enumerate(translation.source_pieces):
            yield (*step, j + 1, source_piece, str(translation.weights[i, j]))


def as_json(translations: Sequence[Translation]) -> str:
    """Return the object that `translate --format json` writes, or a list of such objects.

    A single translation is written as a bare object. `--from` reads both.
    """
    records = [translation.to_json() for translation in translations]
    return f"{records[0]}\n" if len(records) == 1 else "[\n" + ",\n".join(records) + "\n]\n"
