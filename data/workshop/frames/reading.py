"""Read frames: rows of `data/frames/*.tsv`, cut into words, and words into text and gaps."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent.parent / "frames"


MARKS = ".?!"


@dataclass(frozen=True)
class Gap:
    """A gap: `{ing:activity#2}` has the form "ing", the name "activity" and the number "2"."""

    name: str
    form: str = ""
    number: str = ""

    @property
    def reference(self) -> str:
        """Give what names the filler, the same in both languages: activity#2."""
        return f"{self.name}#{self.number}" if self.number else self.name


@dataclass(frozen=True)
class Agreement:
    """A verb that agrees with a person: `{am|are|is}`; `{go|goes#2}` with `{who#2}`."""

    forms: tuple[str, ...]
    number: str = ""


Piece = str | Gap | Agreement
Token = tuple[Piece, ...]


class FrameError(Exception):
    """A frame that can't be read or filled; the message says why."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A row: both sides as words that may hold gaps, the final mark apart, the links as written."""

    english: tuple[Token, ...]
    korean: tuple[Token, ...]
    mark: str
    links: tuple[tuple[str, str], ...]
    source: str
    target: str
    place: str  # file:line

    @property
    def gaps(self) -> dict[str, Gap]:
        """Give the English gaps by their reference, the first of each."""
        found: dict[str, Gap] = {}
        for gap in gaps_of(self.english):
            found.setdefault(gap.reference, gap)
        return found


@dataclass(frozen=True)
class Row:
    """A row as it is written."""

    english: str
    korean: str
    links: str
    place: str


def gaps_of(tokens: tuple[Token, ...]) -> Iterator[Gap]:
    """Give the gaps of one side, in order."""
    yield from (piece for token in tokens for piece in token if isinstance(piece, Gap))


def files() -> list[Path]:
    """Give all files of frames, in order of their names."""
    return sorted(FOLDER.glob("*.tsv"))


def rows(path: Path) -> list[Row]:
    """Read the rows of one file."""
    with path.open(encoding="utf-8", newline="") as stream:
        table = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        found = []
        for row in table:
            cells = [
                (row.get(column) or "").strip("\r\n") for column in ("english", "korean", "links")
            ]
            found.append(Row(cells[0], cells[1], cells[2], f"{path.name}:{table.line_num}"))
        return [row for row in found if row.english or row.korean]


def parse(row: Row) -> Frame:
    """Make a frame of a row; FrameError if its braces or marks are wrong."""
    for text in (row.english, row.korean):
        if not text or text[-1] not in MARKS:
            raise FrameError("no final mark (. ? !)")
    if row.english[-1] != row.korean[-1]:
        raise FrameError(f"marks differ: {row.english[-1]} and {row.korean[-1]}")
    english = tuple(_token(word, True) for word in words(row.english[:-1]))
    korean = tuple(_token(word, False) for word in words(row.korean[:-1]))
    return Frame(
        english, korean, row.english[-1], _links(row.links), row.english, row.korean, row.place
    )


def words(text: str) -> list[str]:
    """Cut at spaces, except those inside braces.

    >>> words("I {do not|does not} know")
    ['I', '{do not|does not}', 'know']
    """
    outside = re.sub(r"\{[^{}]*\}", "", text)
    if "{" in outside or "}" in outside:
        raise FrameError("braces don't match")
    return re.findall(r"(?:\{[^{}]*\}|[^\s{}])+", text)


def _token(word: str, english: bool) -> Token:
    """Read the pieces of a word; {someone}'s is {my:someone}."""
    if english:
        word = (
            re.sub(r"\{(who|someone|name|kin)(#\d)?\}'s\b", r"{my:\1\2}", word)
            if word[0] == "{"
            else word
        )
    pieces = [piece for piece in re.split(r"(\{[^{}]*\})", word) if piece]
    return tuple(
        (_english_gap if english else _korean_gap)(piece[1:-1]) if piece[0] == "{" else piece
        for piece in pieces
    )


def _english_gap(text: str) -> Piece:
    """Read `fruit`, `a:fruit`, `food#2`, `digits:10-99` or `go|goes`."""
    text, _, number = text.partition("#")
    if "|" in text:
        return Agreement(tuple(text.split("|")), number)
    form, _, name = text.rpartition(":")
    return Gap(f"{form}:{name}", "", number) if form == "digits" else Gap(name, form, number)


def _korean_gap(text: str) -> Piece:
    """Read `fruit`, `fruit:을`, `food#2:을` or `digits:10-99`."""
    name, _, form = text.partition(":")
    if name.partition("#")[0] == "digits" and form[:1].isdigit():
        reach, _, form = form.partition(":")
        reach, _, number = reach.partition("#")
        return Gap(f"digits:{reach}", form, number or name.partition("#")[2])
    if "#" in form:
        form, _, number = form.partition("#")
        return Gap(name, form, number)
    name, _, number = name.partition("#")
    return Gap(name, form, number)


def _links(text: str) -> tuple[tuple[str, str], ...]:
    pairs = []
    for link in text.split():
        first, equals, second = link.partition("=")
        if not (first and equals and second):
            raise FrameError(f"a link is no pair: {link}")
        pairs.append((first, second))
    return tuple(pairs)
