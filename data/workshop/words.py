"""Words of both languages, and the links between them.

Every phrase has a tag, a number of its own. An English word carries one or more tags, a Korean word
one. Words of equal tag are linked: surely if both are heads of the phrase (`dog` and `개가`),
possibly if not (`the` and `개가`). So a construction never counts positions: it puts words in order
on each side, and the alignment follows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from data.workshop.lexicon import Entry

_tags = itertools.count()


def new_tag() -> int:
    """Give a number that no other phrase has."""
    return next(_tags)


@dataclass(frozen=True)
class English:
    """An English word with its links: (tag, is it the head of that phrase?)."""

    text: str
    links: tuple[tuple[int, bool], ...] = ()


@dataclass(frozen=True)
class Korean:
    """A Korean word between two spaces; `head` if it is the content word of its phrase."""

    text: str
    tag: int
    head: bool = True
    also: tuple[int, ...] = ()  # other phrases whose words it may be linked with


@dataclass
class Sentence:
    """Both sides, the final mark, and the combinations (construction × word) that it shows.

    `contracts`: whether `finish` may contract its words; a frame's sentence is contracted already
    where it should be.
    """

    english: list[English]
    korean: list[Korean]
    mark: str = "."
    combinations: list[tuple[str, Entry]] = field(default_factory=list)
    contracts: bool = True


@dataclass(frozen=True)
class Pair:
    """One line of the corpus."""

    source: str
    target: str
    alignment: str


def english(text: str, tag: int, head: int | None = None) -> list[English]:
    """Make the words of `text`, of which number `head` is the head; None: none of them."""
    words = text.split()
    if head is not None:
        head %= len(words)
    return [English(word, ((tag, number == head),)) for number, word in enumerate(words)]


def korean(text: str, tag: int, head: int | None = -1) -> list[Korean]:
    """Make the words of `text`, of which number `head` is the head; None: none of them."""
    words = text.split()
    if head is not None:
        head %= len(words)
    return [Korean(word, tag, number == head) for number, word in enumerate(words)]


def alignment(source: Sequence[English], target: Sequence[Korean]) -> str:
    """Write the links as `0-0 1?2`: source number, sure or possible, target number.

    >>> source = english("the dog", 1, -1) + english("sleeps", 2, 0)
    >>> alignment(source, korean("개는", 1) + korean("자", 2))
    '0?0 1-0 2-1'
    """
    links = []
    taken: set[int] = (
        set()
    )  # a pronoun said twice in English, once in Korean: the first is the sure one
    for source_number, word in enumerate(source):
        for target_number, other in enumerate(target):
            heads = [head for tag, head in word.links if tag == other.tag]
            if heads or any(tag in other.also for tag, _ in word.links):
                sure = other.head and any(heads) and target_number not in taken
                taken.update({target_number} if sure else ())
                sign = "-" if sure else "?"
                links.append(f"{source_number}{sign}{target_number}")
    return " ".join(links)


def merge(text: str, words: Iterable[English]) -> English:
    """Make one word of several, which keeps all their links: I + am = I'm."""
    return English(text, tuple(link for word in words for link in word.links))
