"""A `Translation` as a table in the terminal: the heatmap.

A row is a decoding step, a column a source piece. Each cell has a number and a shade, made of characters in one hue, so it can be read
without colour, in a pipe, and on a light or dark background. A matrix wider than the terminal is folded into bands of columns; nothing is
cut. Widths are measured in terminal cells: a Hangul syllable takes two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.jupyter import JupyterMixin
from rich.table import Table
from rich.text import Text

from translator.translation import WORD_START, Translation, Weights

SHADES = (" ", "░", "▒", "▓", "█")
ASCII_SHADES = (" ", ".", ":", "+", "#")  # for terminals without block characters
HUE = "dodger_blue1"  # of middle lightness: stands out from black and from white
CELL = 8  # cells of a shade and its number: "▓▓ 0.71*"
NARROWEST = 20  # cells; below that even a single column has no room
NEARLY_UNIFORM = 0.95  # of the largest possible entropy
PROBABILITY_WIDTH = 4  # of "0.97"

MARK = "; * marks its largest weight"
CAPTION = (
    "Rows: the pieces written, one a step. Columns: the source pieces looked at. A row is the attention of one step and sums to 1"
    f"{MARK}. p: the piece's probability."
)
NO_WEIGHTS = (
    "This model has no attention: there are no weights to show. p: the piece's probability."
)
UNIFORM = "Note: the weights are almost uniform over the pieces, so none is shaded or marked. This model hardly uses its attention."
BLANK = "(a blank line: nothing to translate)"


def shade(weight: float) -> int:
    """The level of a weight, 0 to 4: the one ramp of every surface. A twentieth is the least that shows.

    >>> [shade(weight) for weight in (0, 0.04, 0.05, 0.3, 0.5, 0.74, 0.75, 1)]
    [0, 0, 1, 2, 3, 3, 4, 4]
    """
    return 0 if weight < 0.05 else 1 + min(3, int(float(weight) * 4))


def mean_entropy(weights: Weights) -> float:
    """The mean entropy of the rows as a share of the largest possible, that of equal weights: 0 to 1.

    >>> float(round(mean_entropy(np.full((2, 4), 0.25)), 6))
    1.0
    """
    T, S = weights.shape
    if T == 0 or S < 2:
        return 0.0
    surprise = -np.log(np.where(weights > 0, weights, 1))  # 0 ln 0 counts as 0
    return float((weights * surprise).sum(1).mean() / np.log(S))


def is_uniform(translation: Translation) -> bool:
    """Whether the weights are almost equal. Ask it of pieces: a word of many pieces gets more weight without being looked at."""
    return translation.weights is not None and mean_entropy(translation.weights) > NEARLY_UNIFORM


class Cell(NamedTuple):
    """A weight, and how it stands out on every surface."""

    weight: float
    level: int
    is_largest: bool  # of its row


def cells(translation: Translation, i: int, *, uniform: bool) -> list[Cell]:
    """Row i of the weights, none without attention. Of `uniform` weights nothing stands out: it would be noise."""
    if translation.weights is None:
        return []
    row = translation.weights[i]
    largest = row.argmax()
    return [
        Cell(float(weight), 0 if uniform else shade(weight), not uniform and j == largest)
        for j, weight in enumerate(row)
    ]


class Heatmap(JupyterMixin):
    """A rich renderable of one translation's weights, in pieces or in words; also shows itself in a notebook."""

    def __init__(self, translation: Translation, *, words: bool = False) -> None:
        self.translation = translation.merged() if words else translation
        self.uniform = is_uniform(translation)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.translation.target_pieces:
            yield Text(BLANK)
            return
        shown = copy(self)
        shown.translation = _encodable(self.translation, options.encoding)
        yield from shown._parts(options)

    def _parts(self, options: ConsoleOptions) -> Iterator[Table | Text]:
        """The bands and the captions."""
        width = max(options.max_width, NARROWEST)
        shades = ASCII_SHADES if options.ascii_only else SHADES
        bands = list(self._bands(width))
        for number, columns in enumerate(bands):
            yield self._table(columns, width, shades, is_last=number == len(bands) - 1)
        yield from self._captions(width)

    def _captions(self, width: int) -> Iterator[Text]:
        caption = CAPTION.replace(MARK, "") if self.uniform else CAPTION
        yield Text(NO_WEIGHTS if self.translation.weights is None else caption, style="dim")
        if self.uniform:
            yield Text(UNIFORM, style="bold")

    @property
    def _label_width(self) -> int:
        return max(map(cell_len, self.translation.target_pieces))

    def _label_room(self, width: int) -> int:
        """Cells for the row labels: what they need, at most a third of the width or what one column and the probabilities leave."""
        return max(2, min(self._label_width, width // 3, width - CELL - PROBABILITY_WIDTH - 4))

    def _column_width(self, piece: str, width: int) -> int:
        """Cells for a source piece's column: its label in one line if that fits beside a row label."""
        room = (
            width - self._label_room(width) - PROBABILITY_WIDTH - 4
        )  # the borders of three columns
        return max(CELL, min(cell_len(piece), room))

    def _bands(self, width: int) -> Iterator[list[int]]:
        """Column numbers in groups that fit the width; the last one leaves room for the probabilities."""
        if self.translation.weights is None:
            yield []
            return
        fixed = self._label_room(width) + PROBABILITY_WIDTH + 3
        band: list[int] = []
        used = fixed
        for column, piece in enumerate(self.translation.source_pieces):
            needed = self._column_width(piece, width) + 1
            if band and used + needed > width:
                yield band
                band, used = [], fixed
            band.append(column)
            used += needed
        yield band

    def _table(
        self, columns: Sequence[int], width: int, shades: Sequence[str], *, is_last: bool
    ) -> Table:
        """One band: row labels, some source pieces, and in the last band the probabilities."""
        translation = self.translation
        table = Table(box=box.SQUARE, padding=0)
        table.add_column("", width=self._label_room(width), overflow="fold")
        for column in columns:
            piece = translation.source_pieces[column]
            table.add_column(
                Text(piece),
                width=self._column_width(piece, width),
                overflow="fold",
                justify="center",
            )
        if is_last:
            table.add_column("p", width=PROBABILITY_WIDTH, justify="center")
        for row, piece in enumerate(translation.target_pieces):
            weights = cells(translation, row, uniform=self.uniform)
            texts = [Text(piece), *(_text(weights[column], shades) for column in columns)]
            if is_last:
                texts.append(Text(f"{translation.probabilities[row]:.2f}"))
            table.add_row(*texts)
        return table


def _text(cell: Cell, shades: Sequence[str]) -> Text:
    """A weight as shade and number; the largest of its row in bold, with a star."""
    text = Text(shades[cell.level] * 2, style=HUE)
    return text.append(
        f" {cell.weight:.2f}{'*' if cell.is_largest else ' '}",
        style="bold default" if cell.is_largest else "default",
    )


def _encodable(translation: Translation, encoding: str) -> Translation:
    """The same with pieces that this encoding can write, so that their width is known before they are escaped; `▁` becomes `_`."""
    pieces = translation.source_pieces + translation.target_pieces
    shown = tuple(
        piece if _fits(piece, encoding) else _escaped(piece, encoding) for piece in pieces
    )
    S = len(translation.source_pieces)
    return (
        translation
        if shown == pieces
        else replace(translation, source_pieces=shown[:S], target_pieces=shown[S:])
    )


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _escaped(piece: str, encoding: str) -> str:
    return piece.replace(WORD_START, "_").encode(encoding, "backslashreplace").decode(encoding)
