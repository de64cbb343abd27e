"""The lexicon: tab-separated files with a header row, read into plain records."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "lexicon"


@dataclass(frozen=True, eq=False)
class Entry:
    """A row of a lexicon file.

    `entry["korean"]` is a cell, `entry.list("classes")` a cell's parts.
    """

    file: str
    cells: tuple[tuple[str, str], ...]

    def __getitem__(self, column: str) -> str:
        return _cells(self)[column]

    def list(self, column: str) -> tuple[str, ...]:
        """Split a cell at its commas; `-` stands for nothing."""
        cell = self[column]
        return () if cell == "-" else tuple(cell.split(","))


@cache
def _cells(entry: Entry) -> dict[str, str]:
    return dict(entry.cells)


@cache
def read(name: str) -> tuple[Entry, ...]:
    """Read `data/lexicon/<name>.tsv`."""
    with (FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(Entry(name, tuple(row.items())) for row in rows)


def find(name: str, column: str, value: str) -> Entry:
    """Give the first row whose cell is `value`."""
    for entry in read(name):
        if entry[column] == value:
            return entry
    raise KeyError(f"{name}.tsv has no row with {column} = {value}")


@cache
def nouns_of(classes: tuple[str, ...]) -> tuple[Entry, ...]:
    """Give the nouns that belong to one of these classes, or bear one of these names."""
    wanted = frozenset(classes)
    return tuple(
        noun
        for noun in read("nouns")
        if noun["english"] in wanted or wanted.intersection(noun.list("classes"))
    )


@cache
def number(value: int) -> Entry:
    """Give the row of a number from 1 to 100."""
    return find("numbers", "value", str(value))
