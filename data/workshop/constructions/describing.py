"""Adjectives said of people and things, in every tense; look, feel and become; what a …!"""

from __future__ import annotations

from data.workshop.adjectives import fitting, predicate
from data.workshop.chooser import Chooser
from data.workshop.constructions.being import be, professions
from data.workshop.korean import Predicate, verb
from data.workshop.lexicon import Entry, find, read
from data.workshop.noun_phrases import NounPhrase, demonstrative_or_it, noun, random_pronoun
from data.workshop.people import any_owner, person
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag

DEGREES = [("very", 6.0), ("so", 2), ("too", 1.5), ("really", 2), ("a little", 0.5), ("quite", 0.7)]


FEELINGS = (
    "tired", "happy", "sad", "angry", "hungry", "sick", "busy", "sleepy", "healthy", "lonely",
    "nervous", "excited", "cold", "hot",
    "thirsty", "bored", "scared",
)  # fmt: skip


def adjective_words(predicate_open: Predicate, tag: int, ending: str = "final") -> list[Korean]:
    """Close an adjective; its main word is the head."""
    return [
        Korean(text, tag, place == predicate_open.main)
        for place, text in enumerate(predicate_open.close(ending))
    ]


def tensed(entry: Entry, tense: str, negative: bool) -> Predicate:
    """Open the adjective in its tense, denied or not."""
    names = (["not"] if negative else []) + {
        "present": [],
        "past": ["past"],
        "future": ["future"],
        "may": ["perhaps"],
        "must": [],
    }[tense]
    if entry["uses"] == "state" and (negative or tense in ("future", "may")):
        opened = verb(entry["korean"], entry["tag"])
        return (
            opened.also("not", "past") if negative and tense == "present" else opened.also(*names)
        )
    if entry["uses"] == "state":  # he is angry, he was angry: 화났어
        return predicate(entry)
    return predicate(entry).also(*names)


def described_subject(chooser: Chooser) -> tuple[NounPhrase, Entry] | None:
    """Make a person or thing, and an adjective that can be said of it."""
    if chooser.chance(0.5):
        subject = (
            random_pronoun(chooser)
            if chooser.chance(0.6)
            else person(chooser, chooser.one(["name", "kin", "kin", "the", "this"]))
        )
        source = (
            subject.entry
            if subject.entry is not None and subject.entry.file == "nouns"
            else find("nouns", "english", "person")
        )
        return subject, chooser.entry(fitting(source, "predicative"))
    if chooser.chance(0.4):  # the adjective first, so that rare ones get their share
        wanted = chooser.entry(
            [one for one in read("adjectives") if one["uses"] in ("both", "predicative", "state")]
        )
        entry = chooser.entry(
            [one for one in read("nouns") if wanted in fitting(one, "predicative")]
        )
        if "person" not in entry.list("classes"):
            return described_thing(chooser, entry), wanted
        kind = "owner" if "kin" in entry.list("classes") else chooser.one(["the", "this", "that"])
        return noun(entry, kind, owner=any_owner(chooser) if kind == "owner" else None), wanted
    entry = chooser.entry(
        [
            one
            for one in read("nouns")
            if "person" not in one.list("classes") and fitting(one, "predicative")
        ]
    )
    subject = described_thing(chooser, entry)
    return subject, chooser.entry(fitting(entry, "predicative"))


def described_thing(chooser: Chooser, entry: Entry) -> NounPhrase:
    """Make the house, this bag, my dog, his eyes, snow."""
    if entry["kind"] in ("bare", "unique", "theme"):
        return noun(entry, "" if entry["kind"] == "bare" else "the")
    if entry["kind"] == "body":
        return noun(entry, owner=any_owner(chooser))
    choices = [("the", 6.0), ("this", 3), ("that", 2), ("owner", 4)]
    if entry["kind"] == "count":
        choices += [("these", 1), ("the plural", 1), ("those", 1)]
    if entry["kind"] == "plural":
        choices = [("the", 4), ("these", 3), ("owner", 4)]
    kind = chooser.weighted(choices)
    if (
        "place" in entry.list("classes")
        and kind == "owner"
        and entry["english"] not in ("house", "school", "room", "town", "garden")
    ):
        kind = "the"
    return noun(entry, kind, owner=any_owner(chooser) if kind == "owner" else None)


@construction("adjective", 9)
def adjective(chooser: Chooser) -> Sentence | None:
    """She is kind. My bag was very heavy. Are you tired? The water isn't cold."""
    found = described_subject(chooser)
    if found is None:
        return None
    subject, entry = found
    tense = chooser.weighted([("present", 7), ("past", 3), ("future", 0.6), ("may", 0.4)])
    question = (
        chooser.chance(0.22)
        and tense in ("present", "past")
        and subject.pronoun["subject"] not in ("I", "we")
    )
    negative = not question and tense != "may" and chooser.chance(0.18)
    return is_adjective(chooser, subject, entry, tense, negative, question)


def is_adjective(
    chooser: Chooser,
    subject: NounPhrase,
    entry: Entry,
    tense: str,
    negative: bool = False,
    question: bool = False,
) -> Sentence:
    """Make X is (very) kind."""
    tag = new_tag()
    degree_english: list[English] = []
    degree_korean: list[Korean] = []
    if chooser.chance(0.28):
        row = find(
            "adverbs",
            "english",
            chooser.weighted(DEGREES) if not (negative or question) else "very",
        )
        own = new_tag()
        degree_english, degree_korean = english(row["english"], own, -1), korean(row["korean"], own)
    rest = [*degree_english, *english(entry["english"], tag, 0)]
    words = (
        [*subject.english, *english("may be", tag), *rest]
        if tense == "may"
        else be(subject, tense, negative, question, tag, rest)
    )
    weather = (
        subject.entry is not None
        and subject.entry.file == "nouns"
        and subject.entry["english"] == "weather"
    )
    made = [
        *subject.with_particle("이" if weather else "은"),
        *degree_korean,
        *adjective_words(tensed(entry, tense, negative), tag),
    ]
    sentence = Sentence(words, made, "?" if question else ".")
    sentence.combinations.append((f"adjective {tense}{' not' if negative else ''}", entry))
    return sentence


@construction("adjective: it, this", 1.5)
def this_is(chooser: Chooser) -> Sentence:
    """This is good. That is too expensive. It's delicious."""
    subject = demonstrative_or_it(chooser.one(["it", "this", "that"]))
    names = (
        "good",
        "big",
        "small",
        "expensive",
        "cheap",
        "delicious",
        "important",
        "easy",
        "difficult",
        "beautiful",
        "interesting",
        "dangerous",
        "new",
        "heavy",
        "dirty",
        "clean",
        "useful",
        "strange",
        "wonderful",
        "special",
        "bad",
        "boring",
        "red",
        "blue",
        "yellow",
        "green",
        "black",
        "white",
        "fun",
        "simple",
        "perfect",
        "safe",
    )
    entry = chooser.entry(
        [one for one in read("adjectives") if one["english"] in names and one["uses"] == "both"]
    )
    question = chooser.chance(0.25)
    return is_adjective(
        chooser,
        subject,
        entry,
        chooser.weighted([("present", 6), ("past", 2)]),
        not question and chooser.chance(0.2),
        question,
    )


@construction("look, feel, become", 1.6)
def seems(chooser: Chooser) -> Sentence | None:
    """You look tired. I felt happy. He got angry. She became a doctor."""
    subject = (
        random_pronoun(chooser)
        if chooser.chance(0.6)
        else person(chooser, chooser.one(["name", "kin", "the"]))
    )
    entries = [
        one
        for one in read("adjectives")
        if one["english"] in FEELINGS and "person" in one.list("nouns")
    ]
    entry = chooser.entry(entries)
    past = chooser.chance(0.5)
    tag, own = new_tag(), new_tag()
    third = subject.number == "third"
    kind = chooser.weighted([("look", 4), ("feel", 2), ("become", 2)])
    if kind == "look" and entry["uses"] != "state":
        finite = "looked" if past else ("looks" if third else "look")
        opened = predicate(entry).also("look", *(["past"] if past else []))
        made = [
            *subject.with_particle("은"),
            *(
                Korean(text, tag if place <= opened.main else own, True)
                for place, text in enumerate(opened.close("final"))
            ),
        ]
        return Sentence(
            [*subject.english, *english(finite, own, 0), *english(entry["english"], tag, 0)], made
        )
    if kind == "become":
        entry = chooser.entry(professions(subject))
        phrase = noun(
            entry,
            "a"
            if subject.number in ("first", "third") or subject.pronoun["subject"] == "you"
            else "plural",
        )
        words = [*subject.english, *english("became", own, 0), *phrase.english]
        return Sentence(
            words, [*subject.with_particle("은"), *phrase.with_particle("이"), *korean("됐어", own)]
        )
    finite = "felt" if past else ("feels" if third else "feel")
    opened = tensed(entry, "past" if past else "present", False)
    return Sentence(
        [*subject.english, *english(finite, tag), *english(entry["english"], tag, 0)],
        [*subject.with_particle("은"), *adjective_words(opened, tag)],
    )
