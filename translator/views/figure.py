"""Draw translations as an SVG figure, for a slide or a paper. Its text stays text.

Several translations are stacked from top to bottom. All lengths are in pixels of 1/96 inch. Without
attention a figure shows only the pieces and their probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from translator.errors import TranslatorError
from translator.translation import WORD_START, Translation
from translator.views.heatmap import BLANK, NO_WEIGHTS, UNIFORM, Cell, cells, is_uniform
from translator.views.markup import (
    FONTS,
    INK,
    MUTED,
    PAPER,
    RAMP,
    RULE,
    escaped,
    largest_em_width,
    merged_without_marks,
    wrapped,
)

MAX_TRANSLATIONS = 20
MARGIN = 16
SIZE, TITLE_SIZE, NOTE_SIZE, NUMBER_SIZE = 14, 16, 11, 12  # font sizes
ROW = 28
BASELINE = 19  # of a row's text, below the row's top
LEADING = 1.4  # line height, in font sizes
MIN_WIDTH = 380  # so that the title and the note have room
COLUMN, NARROW_COLUMN = 48, 36  # minimum widths
MAX_LABEL_WIDTH = 90  # with a wider source label, all source labels are rotated
MAX_LABELS = 16  # with more source labels than this, all are rotated
MARK = "; its largest weight has a frame"
NOTE = f"A row is the attention of one step and sums to 1{MARK}. p: the piece's probability."


def as_svg(translations: Sequence[Translation], *, words: bool = False) -> str:
    """Return one SVG document. Raises `TranslatorError` for more than `MAX_TRANSLATIONS`."""
    if len(translations) > MAX_TRANSLATIONS:
        hint = f"write a page (.html), which has no limit, or give at most {MAX_TRANSLATIONS}"
        raise TranslatorError(f"{len(translations)} translations don't fit a figure", hint=hint)
    figures = [_Figure(translation, words=words) for translation in translations]
    width = max(figure.width for figure in figures)
    height = sum(figure.height for figure in figures)
    name = escaped("; ".join(figure.title for figure in figures))
    size = f'width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}"',
        f' font-family="{FONTS}" font-size="{SIZE}" fill="{INK}" role="img" aria-label="{name}">',
        f'<rect {size} fill="{PAPER}"/>',
    ]
    top = 0
    for figure in figures:
        lines += [f'<g transform="translate(0 {top})">', *figure.elements(), "</g>"]
        top += figure.height
    return "\n".join([*lines, "</svg>\n"])


class _Figure:
    """The layout and the elements of one translation, in pieces or in words."""

    def __init__(self, translation: Translation, *, words: bool) -> None:
        # subtle: ask this of the pieces, before they are merged
        self.uniform = is_uniform(translation)
        self.translation = merged_without_marks(translation) if words else translation
        self.targets = self.translation.target_pieces
        has_weights = self.translation.weights is not None
        self.sources = self.translation.source_pieces if has_weights else ()
        label = largest_em_width(self.sources) * SIZE
        self.is_rotated = label > MAX_LABEL_WIDTH or len(self.sources) > MAX_LABELS
        self.column = NARROW_COLUMN if self.is_rotated else max(COLUMN, round(label) + 12)
        self.left = MARGIN + round(largest_em_width(self.targets) * SIZE) + 8
        self.right = self.left + len(self.sources) * self.column  # the p column starts here
        room = max(MIN_WIDTH, self.right + COLUMN) - MARGIN
        self.width = room + 2 * MARGIN
        self.title = f"{translation.source} → {translation.target}"
        self.titles = wrapped(self.title, room / TITLE_SIZE)
        self.notes = [line for note in self._notes() for line in wrapped(note, room / NOTE_SIZE)]
        header = (round(label) + 16 if self.is_rotated else ROW) if self.targets else 0
        self.top = MARGIN + self._height(self.titles, TITLE_SIZE) + header  # of the first row
        self.bottom = self.top + len(self.targets) * ROW
        self.height = self.bottom + 8 + self._height(self.notes, NOTE_SIZE) + MARGIN

    def _notes(self) -> Iterator[str]:
        if not self.targets:
            yield BLANK
            return
        note = NOTE.replace(MARK, "") if self.uniform else NOTE
        yield NO_WEIGHTS if self.translation.weights is None else note
        if self.uniform:
            yield UNIFORM

    @staticmethod
    def _height(lines: Sequence[str], size: int) -> int:
        return round(len(lines) * size * LEADING)

    def elements(self) -> Iterator[str]:
        """Yield the figure's elements, from its title to its notes."""
        for number, line in enumerate(self.titles, 1):
            y = MARGIN + round(number * TITLE_SIZE * LEADING) - 6
            yield _text(MARGIN, y, line, f' font-size="{TITLE_SIZE}"')
        if self.targets:
            yield from self._header()
            for row in range(len(self.targets)):
                yield from self._row(row)
            yield from self._frames()
        for number, line in enumerate(self.notes, 1):
            y = self.bottom + 8 + round(number * NOTE_SIZE * LEADING) - 4
            yield _text(MARGIN, y, line, f' font-size="{NOTE_SIZE}" fill="{MUTED}"')

    def _header(self) -> Iterator[str]:
        """Yield the source labels and the p above their columns."""
        y = self.top - 8
        for j, piece in enumerate(self.sources):
            x = self.left + j * self.column + self.column // 2
            if self.is_rotated:
                yield _text(x + 5, y, piece, f' transform="rotate(-90 {x + 5} {y})"')
            else:
                yield _text(x, y, piece, ' text-anchor="middle"')
        yield _text(self.right + COLUMN // 2, y, "p", f' text-anchor="middle" fill="{MUTED}"')

    def _row(self, i: int) -> Iterator[str]:
        """Yield a target label, its weights and its probability."""
        y = self.top + i * ROW
        yield _text(self.left - 8, y + BASELINE, self.targets[i], ' text-anchor="end"')
        for j, cell in enumerate(cells(self.translation, i, uniform=self.uniform)):
            yield from self._cell(self.left + j * self.column, y, cell)
        x = self.right + COLUMN // 2
        yield _number(x, y, self.translation.probabilities[i], f' fill="{MUTED}"')

    def _cell(self, x: int, y: int, cell: Cell) -> Iterator[str]:
        """Yield a shaded rectangle and the weight on it."""
        yield self._rectangle(x, y, f'fill="{RAMP[cell.level]}" stroke="{RULE}"')
        colours = {0: f' fill="{MUTED}"', len(RAMP) - 1: f' fill="{PAPER}"'}
        yield _number(x + self.column // 2, y, cell.weight, colours.get(cell.level, ""))

    def _frames(self) -> Iterator[str]:
        """Yield a frame around each row's largest weight, after all cells, which would hide it."""
        for i in range(len(self.targets)):
            for j, cell in enumerate(cells(self.translation, i, uniform=self.uniform)):
                if cell.is_largest:
                    x, y = self.left + j * self.column, self.top + i * ROW
                    yield self._rectangle(x, y, f'fill="none" stroke="{INK}" stroke-width="2"')

    def _rectangle(self, x: int, y: int, paint: str) -> str:
        """Return a rectangle of a cell's size."""
        return f'<rect x="{x}" y="{y}" width="{self.column}" height="{ROW}" {paint}/>'


def _number(x: int, y: int, number: float, attributes: str = "") -> str:
    """Return a number centred on `x` in the row with the top `y`."""
    style = f' text-anchor="middle" font-size="{NUMBER_SIZE}"{attributes}'
    return _text(x, y + BASELINE, f"{number:.2f}", style)


def _text(x: int, y: int, text: str, attributes: str = "") -> str:
    """Return a text element. The word-start mark is pale, since it isn't part of the word."""
    content = escaped(text).replace(WORD_START, f'<tspan fill="{RULE}">{WORD_START}</tspan>')
    return f'<text x="{x}" y="{y}"{attributes}>{content}</text>'
