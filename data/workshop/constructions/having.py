"""What people have, and what they look like."""

from __future__ import annotations

from functools import cache

from data.workshop.adjectives import predicate
from data.workshop.chooser import Chooser, UnsuitableError
from data.workshop.constructions.describing import adjective_words
from data.workshop.constructions.how_questions import many
from data.workshop.lexicon import Entry, find, nouns_of, read
from data.workshop.noun_phrases import NounPhrase, noun, random_pronoun
from data.workshop.nouns_at_random import _adjective
from data.workshop.people import person
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, new_tag

HAVE = (
    "thing", "pet", "vehicle", "device", "abstract_have", "kin", "social", "idea", "question",
    "problem", "test", "class", "homework",
    "plan", "dream", "secret", "meeting", "job", "hobby", "house", "keys", "strings",
)  # fmt: skip


ONE_OF = (
    "mother", "father", "mom", "dad", "husband", "wife", "grandmother", "grandfather", "grandma",
    "grandpa", "parents", "grandparents",
    "partner",
)  # fmt: skip


@cache
def ownable() -> tuple[Entry, ...]:
    """Give what people have."""
    return tuple(
        entry
        for entry in nouns_of(HAVE)
        if entry["english"] not in ONE_OF and entry["kind"] != "theme"
    )


def had_thing(chooser: Chooser) -> NounPhrase:
    """Make a dog, two brothers, some homework, long hair."""
    entry = chooser.entry(ownable())
    if entry["kind"] == "mass":
        return noun(entry, chooser.one(["some", "", "a lot of"]))
    if entry["kind"] == "plural":
        return noun(entry, "", _adjective(chooser, entry, 0.2))
    kind = chooser.weighted(
        [("a", 7), ("number", 4), ("some", 0.5), ("many", 1), ("a lot of", 0.6)]
    )
    adjective = _adjective(chooser, entry, 0.25)
    if kind == "number":
        return noun(
            entry,
            adjective=adjective,
            count=chooser.weighted([(2, 6), (3, 5), (4, 2), (5, 2), (6, 1), (10, 1)]),
        )
    return noun(entry, kind, adjective if kind == "a" else None)


@construction("have", 6)
def have(chooser: Chooser) -> Sentence:
    """I have a dog.

    She has two brothers. Do you have a pen? I don't have any money. How many books do you have?
    """
    subject = (
        random_pronoun(chooser)
        if chooser.chance(0.6)
        else person(chooser, chooser.one(["name", "kin", "kin", "the"]))
    )
    tag = new_tag()
    past = chooser.chance(0.15)
    can_ask = subject.pronoun["subject"] not in ("I", "we")
    kind = chooser.weighted(
        [
            ("statement", 6),
            ("negative", 2),
            ("question", 2.4 if can_ask else 0),
            ("how many", 0.9 if can_ask else 0),
        ]
    )
    helper = "did" if past else ("does" if subject.number == "third" else "do")
    topic = subject.with_particle("은")
    if kind == "how many":
        first, asked = many(
            chooser.entry(
                [
                    one
                    for one in ownable()
                    if one["kind"] in ("count", "mass") and one["english"] not in ("job", "house")
                ]
            ),
            "이",
        )
        return Sentence(
            [*first, *english(helper, tag), *subject.english, *english("have", tag, 0)],
            [*topic, *asked, Korean("있었어" if past else "있어", tag)],
            "?",
        )
    phrase = had_thing(chooser)
    if kind != "statement":
        while phrase.counter or (
            phrase.english[0].text in ("many", "a", "some") and phrase.english[1].text == "lot"
        ):
            phrase = had_thing(chooser)
    what = list(phrase.english)
    if kind != "statement" and what[0].text == "some":
        what[0] = English("any", what[0].links)
    owned = phrase.with_particle("이", floating=True)
    if kind == "statement":
        finite = "had" if past else ("has" if subject.number == "third" else "have")
        return Sentence(
            [*subject.english, *english(finite, tag, 0), *what],
            [*topic, *owned, Korean("있었어" if past else "있어", tag)],
        )
    if kind == "negative":
        words = [*subject.english, *english(f"{helper} not", tag), *english("have", tag, 0), *what]
        return Sentence(words, [*topic, *owned, Korean("없었어" if past else "없어", tag)])
    words = [*english(helper, tag), *subject.english, *english("have", tag, 0), *what]
    return Sentence(words, [*topic, *owned, Korean("있었어" if past else "있어", tag)], "?")


LOOKS = [
    ("hair", "long"), ("hair", "short"), ("hair", "black"), ("hair", "brown"), ("eyes", "big"),
    ("eyes", "beautiful"), ("eyes", "blue"),
    ("eyes", "brown"), ("legs", "long"), ("nose", "small"), ("hands", "small"), ("hands", "big"),
    ("feet", "big"), ("ears", "big"),
    ("mouth", "small"), ("face", "small"), ("eyes", "small"), ("arms", "long"),
    ("fingers", "long"), ("head", "big"), ("head", "small"),
    ("teeth", "white"), ("hair", "beautiful"), ("mouth", "big"), ("nose", "big"),
]  # fmt: skip


@construction("looks of a person", 0.7)
def looks(chooser: Chooser) -> Sentence:
    """She has long hair. He has big eyes."""
    subject = (
        random_pronoun(chooser)
        if chooser.chance(0.5)
        else person(chooser, chooser.one(["name", "kin", "the"]))
    )
    part, adjective = chooser.one(LOOKS)
    entry = find("nouns", "english", part)
    adjective_entry = next(
        one
        for one in read("adjectives")
        if one["english"] == adjective and one["korean"] not in ("키가 작",)
    )
    tag = new_tag()
    if part in ("nose", "mouth", "face", "head") and subject.number != "third":
        raise UnsuitableError
    phrase = noun(entry, "a" if part in ("nose", "mouth", "face", "head") else "", adjective_entry)
    finite = "has" if subject.number == "third" else "have"
    translation = noun(entry)
    described = phrase.english[-2].links[0][0]
    words = [*subject.english, *english(finite, tag), *phrase.english]
    last = [Korean(word.text, phrase.tag) for word in translation.with_particle("이")]
    return Sentence(
        words,
        [
            *subject.with_particle("은"),
            *last,
            *adjective_words(predicate(adjective_entry), described),
        ],
    )
