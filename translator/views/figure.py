"""Translations as a figure in SVG, for a slide or a paper: the heatmap, with text that stays text.

Several translations stand one below the other. All lengths are in pixels of 1/96 inch. Without attention a figure has only the pieces and
their probabilities.
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
    bare,
    escaped,
    folded,
    widest,
)

MOST = 20  # translations in one figure
MARGIN = 16
SIZE, TITLE_SIZE, NOTE_SIZE = 14, 16, 11  # of letters
ROW = 28
LEADING = 1.4  # the height of a line of text, in letters
NARROWEST = 380  # of a figure, so that its title and note have room
COLUMN, TIGHT_COLUMN = 48, 36  # least width of a column
WIDE_LABEL = 90  # a wider source label is turned on its side
MANY = 16  # with more columns than that all labels are
MARK = "; its largest weight has a frame"
NOTE = f"A row is the attention of one step and sums to 1{MARK}. p: the piece's probability."


def as_svg(translations: Sequence[Translation], *, words: bool = False) -> str:
    """One SVG document. Raises `TranslatorError` for more translations than a figure holds."""
    if len(translations) > MOST:
        hint = f"write a page (.html), which holds any number, or give at most {MOST}"
        raise TranslatorError(f"{len(translations)} translations don't fit a figure", hint=hint)
    figures = [_Figure(translation, words=words) for translation in translations]
    width, height = (
        max(figure.width for figure in figures),
        sum(figure.height for figure in figures),
    )
    name = escaped("; ".join(figure.title for figure in figures))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"',
        f' font-family="{FONTS}" font-size="{SIZE}" fill="{INK}" role="img" aria-label="{name}">',
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    top = 0
    for figure in figures:
        lines += [f'<g transform="translate(0 {top})">', *figure.elements(), "</g>"]
        top += figure.height
    return "\n".join([*lines, "</svg>\n"])


class _Figure:
    """One translation in pieces or in words: where its parts stand, and its elements."""

    def __init__(self, translation: Translation, *, words: bool) -> None:
        self.uniform = is_uniform(translation)
        self.translation = translation = bare(translation) if words else translation
        sources = translation.source_pieces if translation.weights is not None else ()
        label = widest(sources) * SIZE
        self.is_turned = label > WIDE_LABEL or len(sources) > MANY
        self.column = TIGHT_COLUMN if self.is_turned else max(COLUMN, round(label) + 12)
        self.left = (
            MARGIN + round(widest(translation.target_pieces) * SIZE) + 8
        )  # of the first column
        self.right = self.left + len(sources) * self.column  # of the last one; then comes p
        room = max(NARROWEST, self.right + COLUMN) - MARGIN
        self.title = f"{translation.source} → {translation.target}"
        self.titles = folded(self.title, room / TITLE_SIZE)
        self.notes = [line for note in self._notes() for line in folded(note, room / NOTE_SIZE)]
        self.width = room + 2 * MARGIN
        header = round(label) + 16 if self.is_turned else ROW
        self.top = MARGIN + self._height(self.titles, TITLE_SIZE) + header  # of the first row
        self.bottom = self.top + len(translation.target_pieces) * ROW
        if not translation.target_pieces:
            self.bottom = self.top = self.top - header
        self.height = self.bottom + 8 + self._height(self.notes, NOTE_SIZE) + MARGIN

    def _notes(self) -> Iterator[str]:
        if not self.translation.target_pieces:
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
        """The figure's elements, from its title to its notes."""
        for number, line in enumerate(self.titles, 1):
            yield _text(
                MARGIN,
                MARGIN + round(number * TITLE_SIZE * LEADING) - 6,
                line,
                f' font-size="{TITLE_SIZE}"',
            )
        if self.translation.target_pieces:
            yield from self._header()
            for row in range(len(self.translation.target_pieces)):
                yield from self._row(row)
            yield from self._frames()
        for number, line in enumerate(self.notes, 1):
            y = self.bottom + 8 + round(number * NOTE_SIZE * LEADING) - 4
            yield _text(MARGIN, y, line, f' font-size="{NOTE_SIZE}" fill="{MUTED}"')

    def _header(self) -> Iterator[str]:
        """The source labels and the p above their columns."""
        y = self.top - 8
        sources = self.translation.source_pieces if self.translation.weights is not None else ()
        for j, piece in enumerate(sources):
            x = self.left + j * self.column + self.column // 2
            if self.is_turned:
                yield _text(x + 5, y, piece, f' transform="rotate(-90 {x + 5} {y})"')
            else:
                yield _text(x, y, piece, ' text-anchor="middle"')
        yield _text(self.right + COLUMN // 2, y, "p", f' text-anchor="middle" fill="{MUTED}"')

    def _row(self, i: int) -> Iterator[str]:
        """A target label, its weights and its probability."""
        y = self.top + i * ROW
        yield _text(self.left - 8, y + 19, self.translation.target_pieces[i], ' text-anchor="end"')
        for j, cell in enumerate(cells(self.translation, i, uniform=self.uniform)):
            yield from self._cell(self.left + j * self.column, y, cell)
        probability = f"{self.translation.probabilities[i]:.2f}"
        yield _text(
            self.right + COLUMN // 2,
            y + 19,
            probability,
            f' text-anchor="middle" font-size="12" fill="{MUTED}"',
        )

    def _cell(self, x: int, y: int, cell: Cell) -> Iterator[str]:
        yield f'<rect x="{x}" y="{y}" width="{self.column}" height="{ROW}" fill="{RAMP[cell.level]}" stroke="{RULE}"/>'
        fill = (
            f' fill="{MUTED}"'
            if cell.level == 0
            else f' fill="{PAPER}"'
            if cell.level == len(RAMP) - 1
            else ""
        )
        yield _text(
            x + self.column // 2,
            y + 19,
            f"{cell.weight:.2f}",
            f' text-anchor="middle" font-size="12"{fill}',
        )

    def _frames(self) -> Iterator[str]:
        """Round the largest weight of each row; behind all cells, so that none covers it."""
        for i in range(len(self.translation.target_pieces)):
            for j, cell in enumerate(cells(self.translation, i, uniform=self.uniform)):
                if cell.is_largest:
                    x, y = self.left + j * self.column, self.top + i * ROW
                    yield f'<rect x="{x}" y="{y}" width="{self.column}" height="{ROW}" fill="none" stroke="{INK}" stroke-width="2"/>'


def _text(x: int, y: int, text: str, attributes: str = "") -> str:
    """A text element; the mark of a word's beginning is pale, for it is no letter."""
    content = escaped(text).replace(WORD_START, f'<tspan fill="{RULE}">{WORD_START}</tspan>')
    return f'<text x="{x}" y="{y}"{attributes}>{content}</text>'
