"""Rows for fillers: the lexicon's files, and what writers propose in `lexicon/staging/`."""

from __future__ import annotations

import csv
from functools import cache

from wordfreq import zipf_frequency

from data.workshop.lexicon import FOLDER, Entry, read

SOFTENED = 0.5


@cache
def rows(name: str) -> tuple[Entry, ...]:
    """Read a file of the lexicon; the first row of an English word wins."""
    found = read(name) if (FOLDER / f"{name}.tsv").exists() else ()
    found += staged(name)  # the staging files, until they are merged into the lexicon
    return found


@cache
def staged(name: str) -> tuple[Entry, ...]:
    """Read `data/lexicon/staging/<name>-*.tsv`; a row that lacks a cell is passed over."""
    entries: list[Entry] = []
    for path in sorted((FOLDER / "staging").glob(f"{name}-*.tsv")):
        with path.open(encoding="utf-8", newline="") as stream:
            table = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
            complete = [row for row in table if None not in row and all(row.values())]
        entries += [Entry(name, tuple(row.items())) for row in complete]
    return tuple(entries)


def cell(entry: Entry, column: str) -> str:
    """Give a cell, or nothing if the file has no such column."""
    return dict(entry.cells).get(column, "")


@cache
def share(word: str) -> float:
    """Say how often a word is to be drawn: as people use it, softened for the rare ones.

    >>> share("dog") > share("ladle") > 0
    True
    """
    return float(10 ** (SOFTENED * zipf_frequency(word.removeprefix("the "), "en")))
