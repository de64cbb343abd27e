"""Which words of a filler translate each other: words of one tag, heads surely (see `words`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from data.workshop.frames.korean_forms import Filler
from data.workshop.words import English, Korean, new_tag

ARTICLES = ("a", "an", "the", "some", "any")


SMALL = (
    *ARTICLES, "to", "at", "in", "on", "of", "for", "with", "from", "up", "out", "off", "down",
    "about", "over", "around", "into", "away", "back", "my", "your", "his", "her", "our", "their",
    "by", "after", "more", "most", "than", "as", "like", "until", "since", "and", "or", "if",
    "that",
)  # fmt: skip


LIGHT = ("do", "take", "have", "make", "go", "get", "give")


@dataclass(frozen=True)
class Plan:
    """The links of a filler: the group of each word, and whether an English word is its head.

    A Korean word without a group (None) belongs to the group of the last one, but isn't its head.
    """

    english: tuple[tuple[int, bool], ...]
    korean: tuple[int | None, ...]


@cache
def plan(filler: Filler) -> Plan:
    """Plan the links of a filler, by the words of its plain form."""
    words, translation = filler.english.split(), filler.korean.split()
    if filler.tag[:2] == "VV":
        return _verb(words, translation)
    inverted = filler.kind == "bare" and set(words) & set(SMALL)  # once a week, 일주일에 한 번
    if len(words) == len(translation) > 1 and not inverted:
        return Plan(tuple((number, True) for number in range(len(words))), tuple(range(len(words))))
    return Plan(_one_group(words, len(words) - 1), (*(None for _ in translation[1:]), 0))


def _one_group(words: list[str], head: int) -> tuple[tuple[int, bool], ...]:
    return tuple((0, number == head) for number in range(len(words)))


def _verb(words: list[str], translation: list[str]) -> Plan:
    """Link a verb with the last Korean word, one object with the word before, others possibly."""
    content = [number for number, word in enumerate(words) if number == 0 or word not in SMALL]
    if len(content) == 2 and len(translation) == 2:
        other = content[1]
        groups = tuple(
            (1 if number >= other - _determiners(words, other) else 0, number in content)
            for number in range(len(words))
        )
        return Plan(groups, (1, 0))
    head = content[-1] if len(content) == 2 and len(translation) == 1 and words[0] in LIGHT else 0
    return Plan(_one_group(words, head), (*(None for _ in translation[1:]), 0))


def _determiners(words: list[str], noun: int) -> int:
    """Count the small words right before a noun that belong to it: the, my; not up."""
    count = 0
    while noun - count - 1 > 0 and words[noun - count - 1] in (
        *ARTICLES,
        "my",
        "your",
        "his",
        "her",
        "our",
        "their",
    ):
        count += 1
    return count


class Groups:
    """The tags of one sentence's gaps: a tag for each group of each filler."""

    def __init__(self) -> None:
        self.tags: dict[tuple[str, int], int] = {}

    def tag(self, reference: str, group: int) -> int:
        """Give the tag of a group, the same each time."""
        return self.tags.setdefault((reference, group), new_tag())


def english_words(filler: Filler, form: str, reference: str, groups: Groups) -> list[English]:
    """Make the words of an English form: `to the bank` has two more than `bank`, no heads."""
    planned = plan(filler).english
    text = filler.forms[form].split()
    more = len(text) - len(planned)
    result = []
    for number, word in enumerate(text):
        group, head = planned[max(0, min(number - more, len(planned) - 1))]
        result.append(English(word, ((groups.tag(reference, group), head and number >= more),)))
    if more < 0:  # a possessive or another pronoun stands for several words: Tom's, his
        result = [English(text[-1], ((groups.tag(reference, planned[-1][0]), True),))]
    return result


def korean_words(filler: Filler, words: list[str], reference: str, groups: Groups) -> list[Korean]:
    """Make the words of a Korean form; what is more than the plain form has is no head."""
    planned = plan(filler).korean
    result = []
    for number, word in enumerate(words):
        group = planned[min(number, len(planned) - 1)]
        tag = groups.tag(reference, group if group is not None else 0)
        result.append(Korean(word, tag, group is not None and number < len(planned)))
    return result
