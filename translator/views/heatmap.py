"""A `Translation` as a table in the terminal: the heatmap.

A row is a decoding step, a column a source piece. Each cell has a number and a shade, made of
characters in one hue, so you can read it without colour, in a pipe, and on a light or dark
background. A matrix wider than the terminal is split into bands of columns; nothing is cut. Widths
are measured in terminal cells: a Hangul syllable takes two.
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
HUE = "dodger_blue1"  # of medium lightness, so it contrasts with both black and white
CELL = 8  # the width of a shade and its number: "▓▓ 0.71*"
NARROWEST = 20  # a narrower terminal has no room even for a single column
NEARLY_UNIFORM = 0.95  # a share of the largest possible entropy
PROBABILITY_WIDTH = 4  # the width of "0.97"

MARK = "; * marks its largest weight"
CAPTION = (
    "Rows: the pieces written, one a step. Columns: the source pieces looked at. "
    f"A row is the attention of one step and sums to 1{MARK}. p: the piece's probability."
)
NO_WEIGHTS = (
    "This model has no attention: there are no weights to show. p: the piece's probability."
)
UNIFORM = (
    "Note: the weights are almost uniform over the pieces, so none is shaded or marked. "
    "This model hardly uses its attention."
)
BLANK = "(a blank line: nothing to translate)"


def shade(weight: float) -> int:
    """Return the shade of a weight, 0 to 4, which all formats share. Weights below 0.05 get none.

    >>> [shade(weight) for weight in (0, 0.04, 0.05, 0.3, 0.5, 0.74, 0.75, 1)]
    [0, 0, 1, 2, 3, 3, 4, 4]
    """
    return 0 if weight < 0.05 else 1 + min(3, int(float(weight) * 4))


def mean_entropy(weights: Weights) -> float:
    """Return the rows' mean entropy divided by the entropy of equal weights: 0 to 1.

    >>> float(round(mean_entropy(np.full((2, 4), 0.25)), 6))
    1.0
    """
    T, S = weights.shape
    if T == 0 or S < 2:
        return 0.0
    surprisal = -np.log(np.where(weights > 0, weights, 1))  # (T, S); 0 ln 0 counts as 0
    return float((weights * surprisal).sum(1).mean() / np.log(S))


def is_uniform(translation: Translation) -> bool:
    """Return whether the weights are almost equal, so that a heatmap of them would show noise.

    Ask this of pieces, before merging: a word of many pieces collects the weight of all of them.
    """
    return translation.weights is not None and mean_entropy(translation.weights) > NEARLY_UNIFORM


class Cell(NamedTuple):
    """A weight, and how every format highlights it."""

    weight: float
    level: int  # of its shade, 0 to 4
    is_largest: bool  # in its row


def cells(translation: Translation, i: int, *, uniform: bool) -> list[Cell]:
    """Return row i of the weights, or no cells without attention.

    If the weights are `uniform`, no cell is shaded or marked.
    """
    if translation.weights is None:
        return []
    row = translation.weights[i]
    largest = row.argmax()
    return [
        Cell(float(weight), 0 if uniform else shade(weight), not uniform and j == largest)
        for j, weight in enumerate(row)
    ]


class Heatmap(JupyterMixin):
    """A rich renderable of one translation's weights, in pieces or in words, also for notebooks."""

    def __init__(self, translation: Translation, *, words: bool = False) -> None:
        # subtle: ask `is_uniform` of the pieces, before they are merged
        self.uniform = is_uniform(translation)
        self.translation = translation.merged() if words else translation

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.translation.target_pieces:
            yield Text(BLANK)
            return
        encodable = copy(self)
        encodable.translation = _encodable(self.translation, options.encoding)
        yield from encodable._parts(options)

    def _parts(self, options: ConsoleOptions) -> Iterator[Table | Text]:
        """Yield the bands and the captions."""
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
        """Return the width of the row labels.

        At most a third of the width, and always room for one column and the probabilities.
        """
        return max(2, min(self._label_width, width // 3, width - CELL - PROBABILITY_WIDTH - 4))

    def _column_width(self, piece: str, width: int) -> int:
        """Return a source piece's column width: its label's, if that fits beside a row label."""
        borders = 4  # of three columns
        room = width - self._label_room(width) - PROBABILITY_WIDTH - borders
        return max(CELL, min(cell_len(piece), room))

    def _bands(self, width: int) -> Iterator[list[int]]:
        """Yield the column numbers in bands that fit the width, probabilities included."""
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
        """Return a band: the row labels, some source pieces, and, if last, the probabilities."""
        translation = self.translation
        table = Table(box=box.SQUARE, padding=0)
        table.add_column("", width=self._label_room(width), overflow="fold")
        for column in columns:
            label = translation.source_pieces[column]
            column_width = self._column_width(label, width)
            table.add_column(Text(label), width=column_width, overflow="fold", justify="center")
        if is_last:
            table.add_column("p", width=PROBABILITY_WIDTH, justify="center")
        for row, piece in enumerate(translation.target_pieces):
            row_cells = cells(translation, row, uniform=self.uniform)
            texts = [Text(piece), *(_text(row_cells[column], shades) for column in columns)]
            if is_last:
                texts.append(Text(f"{translation.probabilities[row]:.2f}"))
            table.add_row(*texts)
        return table


def _text(cell: Cell, shades: Sequence[str]) -> Text:
    """Return a weight as shade and number; the largest of its row is bold and has a star."""
    text = Text(shades[cell.level] * 2, style=HUE)
    star, style = ("*", "bold default") if cell.is_largest else (" ", "default")
    return text.append(f" {cell.weight:.2f}{star}", style=style)


def _encodable(translation: Translation, encoding: str) -> Translation:
    """Escape the pieces that this encoding can't write, while column widths aren't fixed yet."""
    sources, targets = translation.source_pieces, translation.target_pieces
    if all(_fits(piece, encoding) for piece in sources + targets):
        return translation
    return replace(
        translation,
        source_pieces=tuple(_escaped(piece, encoding) for piece in sources),
        target_pieces=tuple(_escaped(piece, encoding) for piece in targets),
    )


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _escaped(piece: str, encoding: str) -> str:
    """Escape a piece that doesn't fit; its `▁` becomes `_`."""
    if _fits(piece, encoding):
        return piece
    return piece.replace(WORD_START, "_").encode(encoding, "backslashreplace").decode(encoding)
