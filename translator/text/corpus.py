"""Parallel text files → clean sentence pairs, and a report of what was skipped.

A corpus is a TSV file, `source<TAB>target`, or two files paired by line number. A third TSV column
may have gold word alignments, `0-0 1-2 2?1` (source word - target word; `-` sure, `?` possible).
Anything else in the third column is ignored. Lines are paired before they are checked, so a blank
line doesn't shift the rest.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from translator.errors import TranslatorError
from translator.printable import counted
from translator.text.normalization import clean, fold

# Characters per side, about a hundred pieces: memory grows with the square, for little gain.
LONGEST = 400
ALIGNMENT = re.compile(r"\d+[-?]\d+( \d+[-?]\d+)*")


class SentencePair(NamedTuple):
    """A source sentence, its translation, and their gold alignment ("" if there is none)."""

    source: str
    target: str
    alignment: str = ""


@dataclass(slots=True)
class CorpusReport:
    """How many lines were read, kept and skipped."""

    name: str
    read: int = 0
    kept: int = 0
    skipped: dict[str, tuple[int, int]] = field(default_factory=dict)  # reason: (count, first line)

    def skip(self, reason: str, line: int) -> None:
        """Count one skipped line."""
        count, first = self.skipped.get(reason, (0, line))
        self.skipped[reason] = (count + 1, first)

    def __str__(self) -> str:
        reasons = [
            f"{count:,} {reason} (first: line {first})"
            for reason, (count, first) in self.skipped.items()
        ]
        skipped = f"; skipped {', '.join(reasons)}" if reasons else ""
        lines, pairs = counted(self.read, "line"), counted(self.kept, "pair")
        return f"{self.name}: {lines}, {pairs}{skipped}"


def read_corpus(path: Path) -> tuple[list[SentencePair], CorpusReport]:
    """Read a TSV file. Raises `TranslatorError` if it has no sentence pair."""
    rows = (line.split("\t") for line in read_lines(path))
    return _keep(path, enumerate(rows, 1))


def read_parallel(source: Path, target: Path) -> tuple[list[SentencePair], CorpusReport]:
    """Read two files paired by line number.

    Raises `TranslatorError` if they have different numbers of lines, or no sentence pair.
    """
    sources, targets = list(read_lines(source)), list(read_lines(target))
    if len(sources) != len(targets):
        message = f"{source} has {len(sources):,} lines and {target} has {len(targets):,}"
        raise TranslatorError(message, hint="line n of one file must translate line n of the other")
    # A tab inside a sentence is only white space here.
    columns = (
        [left.replace("\t", " "), right.replace("\t", " ")]
        for left, right in zip(sources, targets, strict=True)
    )
    return _keep(source, enumerate(columns, 1))


def read_lines(path: Path) -> Iterator[str]:
    """Give the lines of a UTF-8 file without line ends, CRs and byte-order marks.

    Raises `TranslatorError` if it can't be read.
    """
    hint = "give a file: one pair a line, source, tab, target"
    if path.is_dir():
        raise TranslatorError(f"{path} is a folder", hint=hint)
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise TranslatorError(f"there is no file {path}", hint="check the path") from error
    except OSError as error:
        message = f"can't read {path}: {error.strerror}"
        raise TranslatorError(message, hint="check its permissions") from error
    if not data.strip():
        raise TranslatorError(f"{path} is empty", hint=hint)
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        try:
            # subtle: `cat a b` leaves the second file's byte-order mark in the middle
            yield line.removesuffix(b"\r").decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            raise _not_utf8(path, number, data) from error


def _not_utf8(path: Path, number: int, data: bytes) -> TranslatorError:
    encoding = "UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data else "cp949"
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return TranslatorError(f"{path}, line {number}: not UTF-8", hint="save it as UTF-8")
    message = f"{path}, line {number}: not UTF-8; looks like {encoding}"
    command = f"iconv -f {encoding} -t UTF-8 {shlex.quote(str(path))} > NEW_FILE"
    return TranslatorError(message, hint=f"convert it: {command}")


def _keep(
    path: Path, rows: Iterable[tuple[int, list[str]]]
) -> tuple[list[SentencePair], CorpusReport]:
    """Clean the rows (line number, columns) and keep each good pair once."""
    report = CorpusReport(str(path))
    kept: dict[SentencePair, None] = {}
    for number, columns in rows:
        report.read += 1
        reason, pair = _check(columns)
        if pair is not None and pair in kept:
            reason, pair = "duplicates", None
        if pair is None:
            report.skip(reason, number)
        else:
            kept[pair] = None
    report.kept = len(kept)
    if not kept:
        reason = max(report.skipped, key=lambda reason: report.skipped[reason])
        message = f"{path}: none of its {report.read:,} lines is a sentence pair ({reason})"
        hint = "each line is a source sentence, a tab and its translation"
        raise TranslatorError(message, hint=hint)
    return list(kept), report


def _check(columns: list[str]) -> tuple[str, SentencePair | None]:
    """Give the pair of a row, or the reason to skip it."""
    if not "".join(columns[:2]).strip():
        return "blank", None
    if len(columns) < 2:
        return "without a tab", None
    source, target = clean(columns[0]), clean(columns[1])
    if not source or not target:
        return "blank on one side", None
    if max(len(source), len(target)) > LONGEST:
        return f"longer than {LONGEST} characters", None
    third = columns[2].strip() if len(columns) > 2 else ""
    return "", SentencePair(source, target, third if ALIGNMENT.fullmatch(third) else "")


def hold_out(
    pairs: list[SentencePair], share: float = 0.05, most: int = 1000
) -> tuple[list[SentencePair], list[SentencePair]]:
    """Split into training and dev pairs, by a hash of the source: no source is in both.

    Raises `TranslatorError` if the corpus has too few different sources to split.
    """
    sources = dict.fromkeys(fold(pair.source) for pair in pairs)
    digests = {source: hashlib.sha256(source.encode()).digest() for source in sources}
    if len(digests) < 2:
        message = "a corpus needs at least two different sources"
        raise TranslatorError(message, hint="add pairs, or name a dev set with --dev")
    wanted = min(most, max(1, round(share * len(digests))))
    held = set(sorted(digests, key=digests.__getitem__)[:wanted])
    training = [pair for pair in pairs if fold(pair.source) not in held]
    dev = [pair for pair in pairs if fold(pair.source) in held]
    return training, dev


def reverse(pairs: Iterable[SentencePair]) -> list[SentencePair]:
    """Exchange source and target of all pairs, and turn their alignments round."""
    link = re.compile(r"(\d+)([-?])(\d+)")
    return [
        SentencePair(pair.target, pair.source, link.sub(r"\3\2\1", pair.alignment))
        for pair in pairs
    ]


def corpus_digest(pairs: Iterable[SentencePair]) -> str:
    """Give a SHA-256 of the pairs in order, to check that `--resume` gets the same corpus."""
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(f"{pair.source}\t{pair.target}\n".encode())
    return digest.hexdigest()
