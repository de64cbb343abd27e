"""Where: at school, on the table, between the bank and the park."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.korean import attach
from data.workshop.lexicon import Entry
from data.workshop.noun_phrases import NounPhrase, noun
from data.workshop.people import any_owner
from data.workshop.words import English, Korean, english, korean, new_tag

PREPOSITIONS = {
    "on": "위", "under": "아래", "in": "안", "behind": "뒤", "in front of": "앞", "next to": "옆",
    "near": "근처", "by": "옆", "beside": "옆",
    "inside": "안", "across from": "맞은편", "around": "주위", "above": "위",
}  # fmt: skip


SEATS = ("chair", "bench", "sofa", "bed", "floor")


def spot_of(chooser: Chooser, entry: Entry) -> NounPhrase:
    """Make the table, my table, this table, a table."""
    kind = chooser.weighted([("the", 7), ("owner", 2.2), ("this", 0.6), ("that", 0.5), ("a", 0.8)])
    if entry["english"] in ("floor", "wall", "roof"):
        kind = "the"
    return noun(entry, kind, owner=any_owner(chooser) if kind == "owner" else None)


def at_place(place: Entry, particle: str) -> tuple[list[English], list[Korean]]:
    """Make at school, 학교에서."""
    tag = new_tag()
    preposition = place["preposition"].removeprefix("-")
    return english(f"{preposition} {place['english']}", tag, -1), korean(
        attach(place["korean"], particle), tag
    )


def to_place(place: Entry) -> str:
    """Give to the park, there."""
    return place["to"].removeprefix("-") if place["to"].startswith("-") else f"to {place['to']}"


def at_spot(
    preposition: str, phrase: NounPhrase, particle: str
) -> tuple[list[English], list[Korean]]:
    """Make under the table, 탁자 아래에. One sits on a chair (의자에), but on a mat (매트 위에)."""
    plain = (
        preposition == "on"
        and phrase.entry is not None
        and phrase.entry["english"] in (*SEATS, "wall")
    )
    if plain:
        return [*english("on", phrase.tag), *phrase.english], phrase.with_particle(particle)
    tag = new_tag()
    words = [*english(preposition, tag, 0 if preposition != "in front of" else 1), *phrase.english]
    return words, [
        *phrase.with_particle(""),
        Korean(attach(PREPOSITIONS[preposition], particle), tag),
    ]


def between(
    first: NounPhrase, second: NounPhrase, particle: str
) -> tuple[list[English], list[Korean]]:
    """Make between the bank and the park, 은행과 공원 사이에."""
    tag = new_tag()
    words = [
        *english("between", tag, 0),
        *first.english,
        *english("and", first.tag),
        *second.english,
    ]
    return words, [
        *first.with_particle("와"),
        *second.with_particle(""),
        Korean(attach("사이", particle), tag),
    ]
