"""Comparison: more, most, as … as."""

from __future__ import annotations

from data.workshop.adjectives import attributive_korean, fitting, predicate
from data.workshop.chooser import Chooser
from data.workshop.constructions.being import be, closed
from data.workshop.constructions.describing import adjective_words, described_thing
from data.workshop.korean import copula
from data.workshop.lexicon import Entry, find, nouns_of, read
from data.workshop.moods import BE
from data.workshop.noun_phrases import NounPhrase, demonstrative_or_it, noun, random_pronoun
from data.workshop.people import known_person, person
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag

PASSING = (
    "different", "special", "perfect", "cold", "hot", "thirsty", "hungry", "bored", "sleepy",
    "scared", "free", "full", "sick", "careful",
    "sad", "tired",
)  # fmt: skip


def comparable(noun_entry: Entry, use: str) -> list[Entry]:
    """Give the adjectives of this noun that have degrees."""
    return [
        entry
        for entry in fitting(noun_entry, use)
        if entry["comparative"] != "-"
        and entry["uses"] != "state"
        and entry["english"] not in PASSING
    ]


def two_things(chooser: Chooser) -> tuple[NounPhrase, NounPhrase, Entry] | None:
    """Make two people or two things, and an adjective for both."""
    if chooser.chance(0.55):
        subject = (
            random_pronoun(chooser)
            if chooser.chance(0.5)
            else person(chooser, chooser.one(["name", "kin", "this"]))
        )
        other = known_person(chooser, subject)
        return (
            subject,
            other,
            chooser.entry(comparable(find("nouns", "english", "person"), "predicative")),
        )
    entry = chooser.entry(
        [
            one
            for one in read("nouns")
            if one["kind"] == "count"
            and "person" not in one.list("classes")
            and comparable(one, "predicative")
        ]
    )
    adjective = chooser.entry(comparable(entry, "predicative"))
    similar = [
        one
        for one in nouns_of((entry.list("classes")[0],))
        if one["kind"] == "count" and adjective in comparable(one, "predicative")
    ]
    return (
        described_thing(chooser, entry),
        described_thing(chooser, chooser.entry(similar)),
        adjective,
    )


@construction("more than", 3.6)
def more_than(chooser: Chooser) -> Sentence | None:
    """He is taller than me. This book is more interesting than that one."""
    found = two_things(chooser)
    if found is None or found[0].text == found[1].text:
        return None
    subject, other, entry = found
    past, question = chooser.chance(0.15), False
    tag, than = new_tag(), new_tag()
    comparative = entry["comparative"].split()
    rest = [
        *(english("more", than, 0) if len(comparative) > 1 else []),
        *english(comparative[-1], tag, 0),
    ]
    words = be(
        subject,
        "past" if past else "present",
        False,
        question,
        tag,
        [*rest, *english("than", other.tag), *other.objective],
    )
    more = Korean("더", than) if len(comparative) > 1 else Korean("더", tag, False)
    opened = predicate(entry, ("더",)).also(*(["past"] if past else []))
    last = [more if word.text == "더" else word for word in adjective_words(opened, tag)]
    made = [*subject.with_particle("은"), *other.with_particle("보다"), *last]
    return Sentence(words, made, ".", [("more than", entry)])


@construction("as … as", 1)
def as_as(chooser: Chooser) -> Sentence | None:
    """She is as tall as her mother."""
    found = two_things(chooser)
    if found is None or found[0].text == found[1].text:
        return None
    subject, other, entry = found
    tag = new_tag()
    negative = chooser.chance(0.3)
    rest = [
        *english("as", tag),
        *english(entry["english"], tag, 0),
        *english("as", other.tag),
        *other.objective,
    ]
    words = be(subject, "present", negative, False, tag, rest)
    opened = predicate(entry).also(*(["not"] if negative else []))
    return Sentence(
        words,
        [*subject.with_particle("은"), *other.with_particle("만큼"), *adjective_words(opened, tag)],
        ".",
        [("as as", entry)],
    )


@construction("most", 2)
def most(chooser: Chooser) -> Sentence | None:
    """He is the tallest boy in our class. Which is the biggest?"""
    head = chooser.entry(
        [one for one in read("nouns") if one["kind"] == "count" and comparable(one, "attributive")]
    )
    entry = chooser.entry(comparable(head, "attributive"))
    people = "person" in head.list("classes")
    tag = new_tag()
    superlative = entry["superlative"].split()
    own = new_tag()
    first = [
        *english("the", tag),
        *(english("most", own, 0) if len(superlative) > 1 else []),
        *english(superlative[-1], tag, 0),
    ]
    phrase = noun(head)
    before = [
        Korean("가장", own) if len(superlative) > 1 else Korean("가장", tag, False),
        *korean(attributive_korean(entry), tag),
    ]
    where_english, where_korean = _where(chooser, head) if chooser.chance(0.7) else ([], [])
    subject = (
        (
            random_pronoun(chooser)
            if chooser.chance(0.5)
            else person(chooser, chooser.one(["name", "kin"]))
        )
        if people
        else demonstrative_or_it(chooser.one(["it", "this", "that"]))
    )
    if subject.number == "plural" or subject.pronoun["subject"] == "we":
        return None
    words = be(
        subject, "present", False, False, phrase.tag, [*first, *phrase.english, *where_english]
    )
    *described, last = phrase.korean
    made = [
        *subject.with_particle("은"),
        *where_korean,
        *before,
        *closed(copula(last.text), last.tag, "present", described),
    ]
    return Sentence(words, made, ".", [("most", entry)])


def _where(chooser: Chooser, head: Entry) -> tuple[list[English], list[Korean]]:
    tag = new_tag()
    people = "person" in head.list("classes")
    sold = {"thing", "food", "device", "vehicle", "furniture"} & set(head.list("classes"))
    inside = (
        [("class", "반"), ("family", "가족"), ("school", "학교"), ("team", "팀")]
        if people
        else [
            ("city", "도시"),
            ("world", "세계"),
            ("country", "나라"),
            ("store" if sold else "world", "가게" if sold else "세계"),
        ]
    )
    word, translation = chooser.one(inside)
    if word in ("world", "store", "city", "country") and (word != "country" or chooser.chance(0.5)):
        return english(f"in the {word}", tag, -1), korean(f"{translation}에서", tag)
    if chooser.chance(0.4):  # in the class
        return english(f"in the {word}", tag, -1), korean(f"{translation}에서", tag)
    own = new_tag()
    return [*english("in", tag), *english("our", own, 0), *english(word, tag, 0)], [
        *korean("우리", own),
        *korean(f"{translation}에서", tag),
    ]


@construction("which is more", 0.4)
def which_more(chooser: Chooser) -> Sentence | None:
    """Who is taller, Minsu or Jisoo?"""
    first, second = person(chooser, "name"), person(chooser, "name")
    if first.text == second.text:
        return None
    entry = chooser.entry(
        [
            one
            for one in comparable(find("nouns", "english", "person"), "predicative")
            if one["comparative"].split()[0] != "more"
        ]
    )
    tag, own = new_tag(), new_tag()
    words = [
        *english("who", own, 0),
        *english(BE["third"][0], tag),
        *english(entry["comparative"] + ",", tag, 0),
        *first.english,
        *english("or", first.tag),
        *second.english,
    ]
    made = [
        *first.with_particle("와"),
        *second.with_particle(""),
        *korean("중에", own, None),
        *korean("누가", own),
        *adjective_words(predicate(entry, ("더",)), tag),
    ]
    return Sentence(words, made, "?")
