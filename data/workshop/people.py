"""People at random: pronouns, names, relatives, and whoever else there is."""

from __future__ import annotations

from data.workshop.adjectives import fitting
from data.workshop.chooser import Chooser
from data.workshop.lexicon import Entry, nouns_of, read
from data.workshop.noun_phrases import NounPhrase, name, noun, pronoun, pronoun_row, random_pronoun
from data.workshop.words import english, korean, new_tag


def person_subject(chooser: Chooser) -> NounPhrase:
    """Make a person: a pronoun, a name, somebody's relative, the boy, this man."""
    kind = chooser.weighted(
        [
            ("pronoun", 60),
            ("name", 16),
            ("kin", 13),
            ("the", 8),
            ("this", 2),
            ("plural", 4),
            ("every", 1),
        ]
    )
    if kind == "pronoun":
        return random_pronoun(chooser) if chooser.chance(0.97) else somebody(chooser)
    return person(chooser, kind)


def somebody(chooser: Chooser) -> NounPhrase:
    """Make everyone, everybody, someone, somebody."""
    word = chooser.one(["everyone", "everybody", "someone", "somebody"])
    tag = new_tag()
    words = tuple(english(word, tag, 0))
    return NounPhrase(
        words,
        words,
        tuple(korean("모두" if word.startswith("every") else "누군가", tag)),
        tag,
        "third",
        pronoun_row("they"),
    )


def person(chooser: Chooser, kind: str = "") -> NounPhrase:
    """Make a person who is no pronoun."""
    kind = kind or chooser.weighted(
        [("name", 30), ("kin", 35), ("the", 20), ("this", 4), ("plural", 5)]
    )
    if kind == "name":
        return name(chooser.row("names"))
    if kind == "kin":
        return relative(chooser)
    unfit = ("kin",) if kind == "plural" or kind == "this" else ("kin", "people")
    people = tuple(
        entry for entry in nouns_of(("person",)) if not set(unfit) & set(entry.list("classes"))
    )
    entry = chooser.entry(people)
    if kind == "plural":
        return noun(entry, chooser.one(["the plural", "these", "those", "many"]))
    adjectives = fitting(entry, "attributive")
    adjective = chooser.entry(adjectives) if adjectives and chooser.chance(0.15) else None
    return noun(entry, chooser.one(["this", "that"]) if kind == "this" else kind, adjective)


def relative(chooser: Chooser, owner: Entry | None = None) -> NounPhrase:
    """Make my mother, his friends, Minsu's brother."""
    kin = chooser.entry(nouns_of(("kin", "social", "teacher") if chooser.chance(0.4) else ("kin",)))
    if owner is None and chooser.chance(0.06):
        return noun(kin, owner=name(chooser.row("names")))
    if kin["english"] in ("husband", "wife"):
        owner = pronoun_row(
            chooser.one(["I", "I", "you", "she" if kin["english"] == "husband" else "he"])
        )
    plural = chooser.chance(0.07) and kin["english"] not in (
        "mother",
        "father",
        "mom",
        "dad",
        "husband",
        "wife",
    )
    return noun(kin, "owner plural" if plural else "owner", owner=owner or any_owner(chooser))


def relative_of_gender(chooser: Chooser, subject: NounPhrase, owner: Entry) -> NounPhrase:
    """Make what this person may be to somebody: she is no uncle."""
    unfit = {"he": "female", "she": "male"}.get(subject.pronoun["subject"], "both")
    kin = [
        entry
        for entry in nouns_of(("kin", "social", "teacher"))
        if unfit not in entry.list("classes") and entry["kind"] == "count"
    ]
    return noun(chooser.entry(kin), "owner", owner=owner)


def any_owner(chooser: Chooser) -> Entry:
    """Choose whose: my and your most."""
    return pronoun_row(
        chooser.weighted([("I", 8), ("you", 4), ("he", 3), ("she", 3), ("we", 2), ("they", 1.5)])
    )


def known_person(chooser: Chooser, subject: NounPhrase) -> NounPhrase:
    """Make somebody else than the subject: me, him, my friend, Minsu."""
    if chooser.chance(0.45):
        rows = [
            row
            for row in read("pronouns")
            if row is not subject.pronoun and _others(row, subject.pronoun)
        ]
        return pronoun(chooser.one(rows))
    while True:
        other = person(chooser)
        if other.text != subject.text:
            return other


def _others(row: Entry, subject: Entry) -> bool:
    first = ("I", "we")
    return not (row["subject"] in first and subject["subject"] in first)
