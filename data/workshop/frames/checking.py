"""Check frames as their writers want it: every error of a row in one line, `file:line: what`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from data.workshop.chooser import UnsuitableError
from data.workshop.frames.drawing import suitable
from data.workshop.frames.expansion import fill, named
from data.workshop.frames.fillers import fillers
from data.workshop.frames.korean_forms import Filler, written
from data.workshop.frames.reading import (
    Agreement,
    Frame,
    FrameError,
    Gap,
    Row,
    files,
    gaps_of,
    parse,
    rows,
)
from data.workshop.phrases import rows as phrase_rows

# Polite and honorific endings; some words end alike.
POLITE = re.compile(
    r"(요|니다|니까|십시오|세요|께서|께|시죠|셨어|셔|시겠어|시지|계셔|계신|계시는|계실)$"
)


PLAIN_WORDS = re.compile(
    r"(필요|중요|주요|수요|담요|동요|가요|소요|함께|으니까|아니다|[가-힣]니까|마셔|마셨어|모셔|모셨어|부셔|부셨어|적셔|적셨어|쏘셔|쑤셔|"
    r"마시지|모시지|돌아가셨어|여보세요)$"
)


FORMAL_QUESTION = re.compile(r"(습니까|입니까|합니까|됩니까|갑니까|옵니까)$")


def check(row: Row) -> list[str]:
    """Give every error of a row."""
    errors = list(_of_text(row))
    try:
        frame = parse(row)
    except FrameError as error:
        return [str(error), *errors]
    errors += [*_of_gaps(frame), *_of_agreement(frame), *_of_links(frame), *_of_wishes(frame)]
    return errors or list(_of_filling(frame))


def _of_text(row: Row) -> Iterator[str]:
    for name, text in (("English", row.english), ("Korean", row.korean)):
        if "  " in text or text != text.strip() or re.search(r"\s[.,?!]", text):
            yield f"spacing in the {name}"
    if not row.english.isascii():
        others = sorted({letter for letter in row.english if not letter.isascii()})
        yield f"not plain ASCII in the English: {''.join(others)}"
    strange = re.sub(r"\{[^{}]*\}|[가-힣A-Za-z0-9 .,!?:%'-]", "", row.korean)
    if strange:
        yield f"unusual letters in the Korean: {strange}"
    if row.english[:1].islower():
        yield "the English begins with a small letter"
    for word in re.sub(r"\{[^{}]*\}", "가", row.korean).split():
        bare = word.strip(".,?!\"'")
        if (POLITE.search(bare) and not PLAIN_WORDS.search(bare)) or FORMAL_QUESTION.search(bare):
            yield f"polite or honorific: {bare}"


def _of_gaps(frame: Frame) -> Iterator[str]:
    """Unknown classes and forms; gaps on one side only."""
    english, korean = list(gaps_of(frame.english)), list(gaps_of(frame.korean))
    for gap in english:
        try:
            forms = {form for filler in fillers(gap.name) for form in filler.forms}
        except FrameError as error:
            yield f"{error} in {{{gap.form}{':' * bool(gap.form)}{gap.name}}}"
            continue
        if gap.form not in forms:
            yield f"{{{gap.form}:{gap.name}}}: no such form of {gap.name}"
    references = {gap.reference for gap in english}
    for gap in korean:
        if gap.reference not in references:
            yield f"{{{gap.reference}}} stands in the Korean only"
        else:
            yield from _of_korean_form(gap)
    for reference in sorted(references - {gap.reference for gap in korean}):
        yield f"{{{reference}}} stands in the English only"


def _of_korean_form(gap: Gap) -> Iterator[str]:
    try:
        some: Iterable[Filler] = fillers(gap.name)
    except FrameError:
        return  # said already, of the English
    if gap.form == "counter" and not all("counter" in filler.korean_forms for filler in some):
        some = [filler for filler in some if "counter" in filler.korean_forms] or some
    try:
        written(next(iter(some)), gap.form)
    except FrameError as error:
        yield f"{{{gap.name}:{gap.form}}}: {error}"


def _of_agreement(frame: Frame) -> Iterator[str]:
    for token in frame.korean:
        if any(isinstance(piece, Agreement) for piece in token):
            yield "an agreement gap in the Korean"
    for word in re.findall(r"\{(?:who|kin)(?:#\d)?\}'s", frame.source):
        yield f"{word}: write {{my:…}}"
    for word in re.findall(
        r"\b(?:my|the|our|his|her|your) \{(?:my:|him:)?kin(?:#\d)?\}", frame.source
    ):
        yield f"{word}: kin says its own `my`"


def _of_links(frame: Frame) -> Iterator[str]:
    for first, second in frame.links:
        if not named(frame.source, first):
            yield f"link {first}={second}: no word {first} in the English"
        if not named(frame.target, second):
            yield f"link {first}={second}: no word {second} in the Korean"


def _of_wishes(frame: Frame) -> Iterator[str]:
    if any(gap.name == "who" for gap in gaps_of(frame.english)) and re.search(
        r"고\}? 싶(어[.?]|지만|은|었)", frame.target
    ):
        yield "고 싶어 with {who}: others want with 고 싶어 해"


def _of_filling(frame: Frame) -> Iterator[str]:
    """Fill the frame with some of each class, and with each pronoun."""
    try:
        choices = {reference: suitable(frame, gap) for reference, gap in frame.gaps.items()}
        if not all(choices.values()):
            empty = next(reference for reference, found in choices.items() if not found)
            yield f"no word of {empty} suits this frame's grammar"
            return
        for number in range(8):
            fill(
                frame,
                {
                    reference: found[
                        number * 37 % len(found) if number > 5 else number % len(found)
                    ]
                    for reference, found in choices.items()
                },
            )
    except (FrameError, UnsuitableError) as error:
        yield str(error)


def check_files(paths: list[Path]) -> list[str]:
    """Give all errors of these files, and rows that stand in another row or file too."""
    chosen = {path.name for path in paths}
    lines: list[str] = []
    seen: dict[str, Row] = {}
    known = {english.casefold(): korean for _, english, korean in phrase_rows()}
    others = [path for path in files() if path.name not in chosen]
    for path in [*others, *paths]:
        for row in rows(path):
            before = seen.setdefault(row.english.casefold(), row)
            if path.name in chosen:
                lines += [f"{row.place}: {error}" for error in check(row)]
                lines += _twice(row, before)
                lines += _phrase(row, known.get(row.english.casefold(), ""))
    return lines


def _twice(row: Row, before: Row) -> list[str]:
    """Say that a row stands in another place too, and whether its Korean is another there."""
    if before is row:
        return []
    other = "" if before.korean == row.korean else f", but there: {before.korean}"
    return [f"{row.place}: the same English as {before.place}{other}"]


def _phrase(row: Row, korean: str) -> list[str]:
    if not korean or korean == row.korean:
        return []
    return [f"{row.place}: phrases.tsv has this as {korean}"]


def frames_of(paths: Iterable[Path]) -> list[Frame]:
    """Give the frames that have no errors."""
    return [parse(row) for path in paths for row in rows(path) if not check(row)]
