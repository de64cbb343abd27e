"""Everyday phrases from `phrases.tsv`: alone, next to other sentences, and said to somebody.

Nobody aligned them by hand: every word of a phrase is linked possibly with every word of its
translation.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import cache
from pathlib import Path

from data.workshop.chooser import Chooser
from data.workshop.registry import construction, named
from data.workshop.words import English, Pair, Sentence, alignment, english, korean, new_tag

FILE = Path(__file__).resolve().parent.parent / "phrases.tsv"


SHORT = (
    "is: person", "is: thing", "what is this", "names and favorites", "nationality and origin",
    "age", "adjective", "adjective: it, this",
    "how is", "what: object", "where", "there is", "have", "weather", "illness", "imperative",
    "short statement", "negation",
    "yes/no question",
)  # fmt: skip


@cache
def rows() -> tuple[tuple[str, str, str], ...]:
    """Read topic, English and Korean of every phrase."""
    with FILE.open(encoding="utf-8", newline="") as stream:
        return tuple(
            (row["topic"], row["english"], row["korean"])
            for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        )


def phrase_pairs() -> list[Pair]:
    """Give every phrase with its final mark and without, and a statement exclaimed too.

    A question keeps its mark in Korean.
    """
    pairs = []
    for _, source, target in rows():
        pairs.append(_pair(source, target))
        if source[-1] in ".!?":
            pairs.append(_pair(source[:-1], target if source[-1] == "?" else target[:-1]))
        if source[-1] == ".":
            pairs.append(_pair(f"{source[:-1]}!", f"{target[:-1]}!"))
    return pairs


def _pair(source: str, target: str) -> Pair:
    tag = new_tag()
    return Pair(source, target, alignment(_words(source, tag), korean(target, tag, None)))


def _words(source: str, tag: int) -> list[English]:
    return english(source, tag)


def phrase_sentence(source: str, target: str) -> Sentence:
    """Make a phrase a `Sentence`, its mark apart."""
    tag = new_tag()
    mark = source[-1] if source[-1] in ".!?" else ""
    if mark:
        source, target = source[:-1], target[:-1]
    return Sentence(english(source, tag), korean(target, tag, None), mark)


@construction("phrase and sentence", 0.8)
def phrase_and_sentence(chooser: Chooser) -> list[Sentence] | None:
    """Hello. My name is Minsu. I'm tired. Good night."""
    _, source, target = chooser.one(rows())
    phrase = phrase_sentence(source, target)
    other = named(chooser.one(SHORT)).make(chooser)
    if (
        not isinstance(other, Sentence)
        or len(other.english) > 5
        or len(phrase.english) > 5
        or not phrase.mark
    ):
        return None
    return [phrase, other] if chooser.chance(0.5) else [other, phrase]


@construction("phrase to somebody", 2.4)
def to_somebody(chooser: Chooser) -> Sentence | None:
    """Thank you, Minsu. Come here, Tom."""
    topics = (
        "greetings",
        "thanks",
        "apologies",
        "requests",
        "classroom",
        "feelings",
        "congratulations",
        "phone",
        "travel",
        "time",
        "weather",
    )
    topic, source, target = chooser.one(rows())
    if chooser.chance(0.4):
        made = named("imperative").make(chooser)
        if not isinstance(made, Sentence) or made.english[-1].text == "please":
            return None
        phrase = made
    elif topic not in topics or "," in source or source[-2] in ".!?":
        return None
    else:
        phrase = phrase_sentence(source, target)
    row = chooser.row("names")
    tag = new_tag()
    last = phrase.english[-1]
    words = [
        *phrase.english[:-1],
        English(last.text + ",", last.links),
        *english(row["english"], tag, 0),
    ]
    end = phrase.korean[-1]
    phrase.english, phrase.korean = (
        words,
        [*phrase.korean[:-1], replace(end, text=end.text + ","), *korean(row["vocative"], tag)],
    )
    return phrase
