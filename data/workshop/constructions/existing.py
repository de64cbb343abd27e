"""There is and are, have, and where things are: 있어 and 없어."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.constructions.being import be
from data.workshop.constructions.how_questions import many
from data.workshop.constructions.scenes import existing_thing, somewhere
from data.workshop.lexicon import nouns_of
from data.workshop.moods import BE
from data.workshop.noun_phrases import NounPhrase, noun, pronoun_row, random_pronoun
from data.workshop.people import person
from data.workshop.places import at_place
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag


@construction("there is", 7)
def there_is(chooser: Chooser) -> Sentence | None:
    """There are three apples on the table.

    Is there a bank near the station? There isn't any milk.
    """
    place_english, place_korean, classes = somewhere(chooser)
    phrase = existing_thing(chooser, classes)
    if (
        phrase.korean[-1].text in [word.text.removesuffix("에") for word in place_korean]
        or place_korean[0].text == phrase.korean[-1].text
    ):
        return None
    tag = new_tag()
    if chooser.chance(0.08):
        place_english, place_korean = [], []
    past = chooser.chance(0.16)
    denied = phrase.english[0].text == "some" and len(phrase.counter) == 0 and chooser.chance(0.4)
    denied = denied or (
        phrase.english[0].text == "a"
        and phrase.english[1].text != "lot"
        and not phrase.counter
        and chooser.chance(0.12)
    )
    question = not denied and chooser.chance(0.2)
    there = english("there", tag)
    finite = english(BE[phrase.number][past], tag)
    words = [*finite, *there] if question else [*there, *finite]
    what = list(phrase.english)
    if denied:
        words += english("not", tag)
        if what[0].text == "some":
            what[0] = English("any", what[0].links)
    if question and what[0].text == "some":
        what[0] = English("any", what[0].links)
        if phrase.counter:
            return None
    verb = ("없" if denied else "있") + ("었어" if past else "어")
    made = [*place_korean, *phrase.with_particle("이", floating=True), Korean(verb, tag, False)]
    return Sentence([*words, *what, *place_english], made, "?" if question else ".")


@construction("how many are there", 0.8)
def how_many_there(chooser: Chooser) -> Sentence | None:
    """How many books are there on the desk? How many people are there in your family?"""
    place_english, place_korean, classes = somewhere(chooser)
    entry = chooser.entry([one for one in nouns_of(classes) if one["kind"] == "count"])
    tag = new_tag()
    first, asked = many(entry, "이")
    return Sentence(
        [*first, *english("are there", tag), *place_english],
        [*place_korean, *asked, Korean("있어", tag, False)],
        "?",
    )


@construction("where things are", 4)
def located(chooser: Chooser) -> Sentence | None:
    """The cat is under the table. Is Tom at school? Where is my bag?"""
    kind = chooser.weighted([("person", 4), ("thing", 4), ("where", 3)])
    people = kind == "person" or (kind == "where" and chooser.chance(0.4))
    if people:
        subject = (
            random_pronoun(chooser)
            if chooser.chance(0.5) and kind != "where"
            else person(chooser, chooser.one(["name", "kin", "kin", "the"]))
        )
    else:
        entry = chooser.entry(
            [
                one
                for one in nouns_of(("thing", "pet", "fruit", "book"))
                if one["kind"] in ("count", "plural")
            ]
        )
        subject = noun(
            entry,
            chooser.one(["the", "the", "owner", "this"])
            if kind != "where"
            else chooser.one(["the", "owner", "owner"]),
            owner=None,
        )
        if subject.english[0].text == subject.english[-1].text:
            subject = noun(entry, owner=pronoun_row(chooser.one(["I", "you", "he", "she"])))
    past = chooser.chance(0.2)
    tag = new_tag()
    if kind == "where":
        entry_place = chooser.row("places", "uses", "exist") if chooser.chance(0.3) else None
        if entry_place is not None:
            own = new_tag()
            name = tuple(english(entry_place["english"], own, -1))
            subject = NounPhrase(
                name,
                name,
                tuple(korean(entry_place["korean"], own)),
                own,
                "third",
                pronoun_row("he"),
            )
        words_where = [
            *english("where", tag, 0),
            *english(BE[subject.number][past], tag),
            *subject.english,
        ]
        return Sentence(
            words_where,
            [
                *subject.with_particle("은"),
                *korean("어디에", tag),
                Korean("있었어" if past else "있어", tag, False),
            ],
            "?",
        )
    if people:
        place_english, place_korean = at_place(
            chooser.row("places", "uses", "work", "play", "study", "cook"), "에"
        )
    else:
        place_english, place_korean, _ = somewhere(chooser, rooms=True)
        if len(place_english) < 3 and place_english[0].text not in ("on", "in", "under"):
            return None
    if subject.korean[-1].text == place_korean[0].text:
        return None
    question = chooser.chance(0.22) and subject.pronoun["subject"] not in ("I", "we")
    negative = not question and chooser.chance(0.15)
    words = be(subject, "past" if past else "present", negative, question, tag, place_english)
    verb = ("없" if negative else "있") + ("었어" if past else "어")
    return Sentence(
        words,
        [*subject.with_particle("은"), *place_korean, Korean(verb, tag, False)],
        "?" if question else ".",
    )
