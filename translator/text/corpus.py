"""Parallel text files → clean sentence pairs, and a report of what was skipped.

A corpus is one TSV file, `source<TAB>target`, or two files paired by line number. A third TSV column may hold gold word alignments,
`0-0 1-2 2?1` (source word - target word; `-` sure, `?` possible); a third column that holds anything else is ignored.
Lines are paired first and judged afterwards, so a blank line never shifts the rest.
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
from translator.text.normalization import clean, fold

LONGEST = 400  # characters a side: about a hundred pieces; longer pairs cost memory by the square and teach little
ALIGNMENT = re.compile(r"\d+[-?]\d+( \d+[-?]\d+)*")


class SentencePair(NamedTuple):
    """A source sentence, its translation, and the gold alignment between their words if the corpus has one."""

    source: str
    target: str
    alignment: str = ""


@dataclass(slots=True)
class CorpusReport:
    """What was read and kept, and for each reason to skip: how many lines, and the number of the first."""

    name: str
    read: int = 0
    kept: int = 0
    skipped: dict[str, tuple[int, int]] = field(default_factory=dict)

    def skip(self, reason: str, line: int) -> None:
        """Count one skipped line."""
        count, first = self.skipped.get(reason, (0, line))
        self.skipped[reason] = (count + 1, first)

    def __str__(self) -> str:
        reasons = [
            f"{count:,} {reason} (first: line {first})"
            for reason, (count, first) in self.skipped.items()
        ]
        return f"{self.name}: {self.read:,} lines, {self.kept:,} pairs" + (
            f"; skipped {', '.join(reasons)}" if reasons else ""
        )


def read_corpus(path: Path) -> tuple[list[SentencePair], CorpusReport]:
    """Read a TSV file. Raises `TranslatorError` if there is nothing to learn from in it."""
    return _keep(
        path, ((number, line.split("\t")) for number, line in enumerate(read_lines(path), 1))
    )


def read_parallel(source: Path, target: Path) -> tuple[list[SentencePair], CorpusReport]:
    """Read two files paired by line number. Raises `TranslatorError` if they have different numbers of lines."""
    sources, targets = list(read_lines(source)), list(read_lines(target))
    if len(sources) != len(targets):
        message = f"{source} has {len(sources):,} lines and {target} has {len(targets):,}"
        raise TranslatorError(message, hint="line n of the one must translate line n of the other")
    # A tab inside a sentence is only white space here.
    columns = (
        [left.replace("\t", " "), right.replace("\t", " ")]
        for left, right in zip(sources, targets, strict=True)
    )
    return _keep(source, enumerate(columns, 1))


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file without their ends; byte-order marks and CR are dropped. Raises `TranslatorError` if it can't be read."""
    if path.is_dir():
        raise TranslatorError(
            f"{path} is a folder", hint="give a file: one pair a line, source, tab, target"
        )
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise TranslatorError(f"there is no file {path}", hint="check the path") from error
    except OSError as error:
        raise TranslatorError(
            f"can't read {path}: {error.strerror}", hint="check its permissions"
        ) from error
    if not data.strip():
        raise TranslatorError(
            f"{path} is empty", hint="give a file: one pair a line, source, tab, target"
        )
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        try:
            # subtle: `cat a b` leaves the second file's mark at the start of a line in the middle
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
    return TranslatorError(
        message,
        hint=f"convert it: iconv -f {encoding} -t UTF-8 {shlex.quote(str(path))} > NEW_FILE",
    )


def _keep(
    path: Path, rows: Iterable[tuple[int, list[str]]]
) -> tuple[list[SentencePair], CorpusReport]:
    """Clean the rows (line number, columns) and keep each good pair once."""
    report = CorpusReport(str(path))
    kept: dict[SentencePair, None] = {}
    for number, columns in rows:
        report.read += 1
        reason, pair = _judge(columns)
        if pair is not None and pair in kept:
            reason, pair = "duplicates", None
        if pair is None:
            report.skip(reason, number)
        else:
            kept[pair] = None
    report.kept = len(kept)
    if not kept:
        worst = max(report.skipped, key=lambda reason: report.skipped[reason])
        hint = "each line is a source sentence, a tab and its translation"
        raise TranslatorError(
            f"{path}: none of its {report.read:,} lines is a sentence pair ({worst})", hint=hint
        )
    return list(kept), report


def _judge(columns: list[str]) -> tuple[str, SentencePair | None]:
    """The pair of a row, or the reason why it has none."""
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
    """Split off a dev set by a hash of the folded source, so that no source stands on both sides: (training pairs, dev pairs).

    Raises `TranslatorError` if the corpus has too few different sources to split.
    """
    digests = {fold(pair.source): b"" for pair in pairs}
    for source in digests:
        digests[source] = hashlib.sha256(source.encode()).digest()
    if len(digests) < 2:
        raise TranslatorError(
            "a corpus needs at least two different sources",
            hint="add pairs, or name a dev set with --dev",
        )
    wanted = min(most, max(1, round(share * len(digests))))
    held = set(sorted(digests, key=digests.__getitem__)[:wanted])
    training = [pair for pair in pairs if fold(pair.source) not in held]
    dev = [pair for pair in pairs if fold(pair.source) in held]
    return training, dev


def reverse(pairs: Iterable[SentencePair]) -> list[SentencePair]:
    """The same pairs with source and target exchanged, alignments too."""
    return [
        SentencePair(
            pair.target, pair.source, re.sub(r"(\d+)([-?])(\d+)", r"\3\2\1", pair.alignment)
        )
        for pair in pairs
    ]


def corpus_digest(pairs: Iterable[SentencePair]) -> str:
    """A SHA-256 of the pairs in their order: tells whether a training goes on with the corpus that it began with."""
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(f"{pair.source}\t{pair.target}\n".encode())
    return digest.hexdigest()
