"""Adjectives: before a noun (큰 집) and as what is said of it (집이 커)."""

from __future__ import annotations

from functools import cache

from data.workshop.korean import Predicate, verb
from data.workshop.lexicon import Entry, find, read
from data.workshop.words import English, Korean, english, korean, new_tag


def predicate(entry: Entry, adverbs: tuple[str, ...] = ()) -> Predicate:
    """Open the adjective; a state that has come about (화나) is in the past in Korean: 화났어."""
    opened = verb(entry["korean"], entry["tag"], adverbs)
    return opened.also("past") if entry["uses"] == "state" else opened


def attributive(entry: Entry, degree: str = "") -> tuple[list[English], list[Korean]]:
    """Make the adjective before a noun on both sides, with an adverb of degree if one is given."""
    tag = new_tag()
    before_english: list[English] = []
    before_korean: list[Korean] = []
    if degree:
        own = new_tag()
        before_english, before_korean = (
            english(degree, own, -1),
            korean(find("adverbs", "english", degree)["korean"], own),
        )
    return [*before_english, *english(entry["english"], tag, 0)], [
        *before_korean,
        *korean(attributive_korean(entry), tag),
    ]


def attributive_korean(entry: Entry) -> str:
    """Give 큰, 화난, 초록색, 새."""
    if entry["tag"] == "MM":
        return entry["korean"]
    if entry["korean"].endswith("색이"):
        return entry["korean"].removesuffix("이")
    opened = verb(entry["korean"], entry["tag"])
    return " ".join(opened.close("past relative" if entry["uses"] == "state" else "relative"))


@cache
def fitting(noun: Entry, use: str) -> tuple[Entry, ...]:
    """Give the adjectives that can be said of this noun, as attributive or predicative."""
    names = {noun["english"], *noun.list("classes")}
    return tuple(
        entry
        for entry in read("adjectives")
        if names.intersection(entry.list("nouns")) and _usable(entry, use)
    )


def _usable(entry: Entry, use: str) -> bool:
    return (
        entry["uses"] in (use, "both")
        or (entry["uses"] == "state" and entry["english"] != "late")
        or (use == "predicative" and entry["uses"] == "state")
    )
