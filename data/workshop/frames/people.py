"""Fillers that are people: pronouns, names, my mother, my friend."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from data.workshop.frames.korean_forms import Filler
from data.workshop.frames.tables import rows, share
from data.workshop.lexicon import Entry

# How often {who} is which pronoun, and a name or a relative.
PRONOUNS = {"I": 5.0, "you": 2.5, "he": 3.0, "she": 3.0, "we": 2.0, "they": 1.5}


NAMES, KIN = 7.0, 6.0


TITLES = ("Mr.", "Mrs.", "Ms.", "Miss")


NEAR = ("social", "teacher")


@cache
def who() -> list[Filler]:
    """Give any person: I, you, he; Tom; my mother."""
    pronouns = [pronoun(row) for row in rows("pronouns")]
    return [
        *pronouns,
        *_weighing([_name(row) for row in rows("names")], NAMES),
        *_weighing(kin(), KIN),
    ]


@cache
def someone() -> list[Filler]:
    """Give a third person: Tom, my mother, my friend."""
    others = [
        row
        for row in rows("nouns")
        if set(NEAR) & set(row.list("classes")) and row["kind"] == "count"
    ]
    relatives = [person for person in kin() if person.person == "third"]
    return [
        *_weighing([_name(row) for row in rows("names")], NAMES),
        *_weighing(relatives, KIN),
        *_weighing([mine(row) for row in others], 2.0),
    ]


@cache
def names() -> list[Filler]:
    """Give given names."""
    return [_name(row) for row in rows("names") if not row["english"].startswith(TITLES)]


@cache
def kin() -> list[Filler]:
    """Give my mother, my brother, my parents."""
    return [mine(row) for row in rows("nouns") if "kin" in row.list("classes")]


def _weighing(people: list[Filler], weight: float) -> list[Filler]:
    """Give a group of people this weight together."""
    total = sum(person.share for person in people) or 1.0
    return [replace(person, share=weight * person.share / total) for person in people]


@cache
def pronoun(row: Entry) -> Filler:
    """Make I, me, my, mine, myself."""
    forms = {
        "": row["subject"],
        "him": row["object"],
        "my": row["possessive"],
        "mine": row["mine"],
        "myself": row["reflexive"],
    }
    persons = {"I": "first", "you": "second", "we": "plural", "they": "plural"}
    own = {"의": row["korean_possessive"]}
    person = persons.get(row["subject"], "third")
    return Filler(forms, row["korean"], "NP", "pronoun", own, person, row, PRONOUNS[row["subject"]])


@cache
def _name(row: Entry) -> Filler:
    own = {"vocative": row["vocative"], "야": row["vocative"], "아": row["vocative"]}
    weight = min(share(row["english"]), share("Emily"))  # Will, Rose and May are words too
    made = _third(row["english"], row["korean"], pronoun_of(row["gender"] == "f"), weight)
    return replace(made, kind="name", korean_forms=own)


@cache
def mine(row: Entry) -> Filler:
    """Make my mother, 우리 어머니."""
    korean = f"{'우리' if row['my'] == '우리' else '내'} {row['korean']}"
    several = row["kind"] == "plural"
    refers = subject_row("they") if several else pronoun_of("female" in row.list("classes"))
    made = _third(f"my {row['english']}", korean, refers, share(row["english"]))
    return replace(made, person="plural" if several else "third")


def _third(word: str, korean: str, refers: Entry, weight: float) -> Filler:
    possessive = f"{word}'" if word.endswith("parents") else f"{word}'s"
    forms = {
        "": word,
        "him": word,
        "my": possessive,
        "mine": possessive,
        "myself": refers["reflexive"],
    }
    return Filler(forms, korean, kind="person", pronoun=refers, share=weight)


def pronoun_of(female: bool) -> Entry:
    """Give the row of she or he."""
    return subject_row("she" if female else "he")


@cache
def subject_row(subject: str) -> Entry:
    """Give a pronoun's row."""
    return next(row for row in rows("pronouns") if row["subject"] == subject)
