"""Draw the fillers of a frame: as often as people use the words, all different, all suitable."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import accumulate

from data.workshop.chooser import Chooser, UnsuitableError
from data.workshop.frames.fillers import fillers
from data.workshop.frames.korean_forms import Filler
from data.workshop.frames.reading import Frame, Gap

# How often the least used of a few is taken instead, so that rare words get their share.
FLOOR = 0.3


TRIES = 20


PEOPLE = ("who", "someone", "name", "number", "clock", "price")


# Beside these words a noun must be singular, or one that can be counted, or neither.
SINGULAR = {
    "is",
    "was",
    "it",
    "this",
    "that",
    "one",
    "another",
    "every",
    "each",
    "does",
    "has",
    "it's",
    "isn't",
    "wasn't",
    "doesn't",
    "hasn't",
    "much",
}


COUNTED = {
    "many",
    "these",
    "those",
    "few",
    "are",
    "were",
    "them",
    "they",
    "several",
    "they're",
    "both",
}


ONE = {"one", "another", "each", "every"}


PLURAL_KINDS = ("plural", "body")


def draw(chooser: Chooser, frame: Frame) -> dict[str, Filler]:
    """Give each reference its filler; UnsuitableError if none fits beside the others."""
    drawn: dict[str, Filler] = {}
    for reference, gap in frame.gaps.items():
        floor = 0.0 if gap.name in PEOPLE else FLOOR
        found, totals = suitable(frame, gap), _totals(frame, gap)
        if not found:
            raise UnsuitableError
        tries = (chooser.by_share(found, totals, floor) for _ in range(TRIES))
        chosen = next((one for one in tries if _beside(one, drawn)), None)
        if chosen is None:
            raise UnsuitableError
        drawn[reference] = chosen
    return drawn


@cache
def _totals(frame: Frame, gap: Gap) -> tuple[float, ...]:
    """Give the running totals of the fillers' shares."""
    return tuple(accumulate(filler.share for filler in suitable(frame, gap)))


def _beside(one: Filler, drawn: dict[str, Filler]) -> bool:
    """Say whether a filler may stand beside the others: no word twice, not I and we."""
    others = drawn.values()
    if any(one.english == other.english or one.korean == other.korean for other in others):
        return False
    first = {"I", "we"}
    return not any({one.english, other.english} == first for other in others)


@cache
def suitable(frame: Frame, gap: Gap) -> tuple[Filler, ...]:
    """Give the fillers of a class that suit the sentence."""
    forms = {other.form for other in _same(frame, gap)}
    return tuple(
        one for one in fillers(gap.name) if forms <= set(one.forms) and _suits(frame, gap, one)
    )


def _same(frame: Frame, gap: Gap) -> list[Gap]:
    pieces = [piece for token in frame.english for piece in token]
    return [
        piece for piece in pieces if isinstance(piece, Gap) and piece.reference == gap.reference
    ]


def _suits(frame: Frame, gap: Gap, filler: Filler) -> bool:
    if filler.kind == "pronoun":
        return not (frame.mark == "?" and filler.english == "I")
    if filler.conjugates or filler.kind in ("person", "name", "bare"):
        return True
    plain = _plain_words(frame.source)
    before = _before(frame, gap)
    if gap.form == "s":
        return filler.kind == "count" or not (plain & COUNTED or before == "{number}")
    if filler.kind in PLURAL_KINDS:
        return not plain & SINGULAR
    return filler.kind != "mass" or before not in ONE


@cache
def _plain_words(source: str) -> frozenset[str]:
    text = re.sub(r"\{[^{}]*\}", " ", source).casefold()
    agreeing = re.findall(r"\{([^{}:]*\|[^{}:]*)\}", source)
    return frozenset(re.findall(r"[a-z']+", text)) | frozenset(
        form for forms in agreeing for form in forms.split("|") if "are" not in forms
    )


def _before(frame: Frame, gap: Gap) -> str:
    """Give the word in front of a gap, as it is written."""
    written = frame.source.split()
    for number, token in enumerate(frame.english):
        if gap in token:
            return written[number - 1].casefold() if 0 < number < len(written) else ""
    return ""


def possible(frame: Frame) -> int:
    """Count the different lines that a frame can make.

    Fillers of one class are never the same twice: {food} and {food#2} are n(n - 1).
    """
    seen: dict[str, int] = {}
    sizes = []
    for gap in frame.gaps.values():
        sizes.append(max(0, len(suitable(frame, gap)) - seen.get(gap.name, 0)))
        seen[gap.name] = seen.get(gap.name, 0) + 1
    return math.prod(sizes)
