"""Names, favourites, owners, origin and age."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.constructions.being import asking, be, closed, is_noun
from data.workshop.korean import attach, copula
from data.workshop.lexicon import Entry, find, nouns_of, number
from data.workshop.moods import BE
from data.workshop.noun_phrases import (
    NounPhrase,
    demonstrative,
    name,
    noun,
    possessive,
    pronoun_row,
    random_pronoun,
)
from data.workshop.people import any_owner, person
from data.workshop.registry import construction
from data.workshop.words import Korean, Sentence, english, korean, new_tag


@construction("names and favorites", 2.5)
def attribute(chooser: Chooser) -> Sentence:
    """What is your name?

    My name is Minsu. What is your favorite food? My favorite color is blue.
    """
    owner: Entry | NounPhrase = (
        any_owner(chooser)
        if chooser.chance(0.75)
        else person(chooser, chooser.one(["name", "kin"]))
    )
    if isinstance(owner, NounPhrase) and (
        owner.number == "plural" or (owner.entry is not None and owner.entry.file == "names")
    ):
        owner = owner.pronoun
    if not isinstance(owner, NounPhrase) and owner["subject"] in ("we", "they"):
        owner = pronoun_row(chooser.one(["I", "you", "he", "she"]))
    if chooser.chance(0.45):
        word = chooser.weighted(
            [
                ("name", 6),
                ("hobby", 2),
                ("phone number", 1),
                ("address", 1),
                ("job", 1.5),
                ("dream", 1.5),
                ("plan", 1),
                ("birthday", 1),
            ]
        )
        thing = noun(find("nouns", "english", word), owner=owner)
        if thing.entry is not None and thing.entry["english"] == "name" and chooser.chance(0.6):
            return is_noun(thing, name(chooser.row("names")), "present", False, chooser.chance(0.1))
        if thing.entry is not None and thing.entry["english"] == "birthday":
            return when_is(thing)
        return asking("what", "뭐", thing)
    category, classes = chooser.one(
        [
            ("color", ""),
            ("food", "dish"),
            ("fruit", "fruit"),
            ("subject", "subject"),
            ("sport", "sport"),
            ("animal", "animal"),
            ("season", "season"),
        ]
    )
    subject = favorite(owner, category)
    if chooser.chance(0.3):
        return asking("what", "뭐", subject)
    if category == "color":
        row = chooser.row("colors")
        tag = new_tag()
        words = be(subject, "present", False, False, tag, english(row["english"], tag, 0))
        return Sentence(
            words, [*subject.with_particle("은"), *closed(copula(row["korean"]), tag, "present")]
        )
    entry = chooser.entry(
        [one for one in nouns_of((classes,)) if one["english"] not in (category,)]
    )
    return is_noun(
        subject,
        noun(
            entry, "the" if category == "animal" else ("plural" if entry["kind"] == "count" else "")
        ),
    )


CATEGORIES = {
    "color": "색",
    "food": "음식",
    "fruit": "과일",
    "subject": "과목",
    "sport": "운동",
    "animal": "동물",
    "season": "계절",
}


def favorite(owner: Entry | NounPhrase, category: str) -> NounPhrase:
    """Make my favorite color, 내가 가장 좋아하는 색."""
    tag, own = new_tag(), new_tag()
    first, _ = possessive(owner)
    who = (
        owner.with_particle("이")
        if isinstance(owner, NounPhrase)
        else korean(attach(owner["korean"], "이"), first[0].links[0][0])
    )
    words = (*first, *english("favorite", own, 0), *english(category, tag, 0))
    translation = (*who, *korean("가장 좋아하는", own), *korean(CATEGORIES[category], tag))
    return NounPhrase(words, words, translation, tag, "third", pronoun_row("he"))


def when_is(thing: NounPhrase) -> Sentence:
    """Make when is your birthday?"""
    return asking("when", "언제", thing)


@construction("whose", 1.5)
def mine(chooser: Chooser) -> Sentence:
    """This book is mine. Whose bag is this?"""
    entry = chooser.entry(
        [one for one in nouns_of(("thing", "vehicle", "pet")) if one["kind"] == "count"]
    )
    tag = new_tag()
    if chooser.chance(0.4):
        subject = demonstrative(chooser.one(["this", "that"]))
        thing = noun(entry)
        words = [
            *english("whose", tag, 0),
            *thing.english,
            *english(BE["third"][0], thing.tag),
            *subject.english,
        ]
        made = [
            *subject.with_particle("은"),
            *korean("누구의", tag),
            *closed(copula(thing.text.split()[-1]), thing.tag, "present", list(thing.korean[:-1])),
        ]
        return Sentence(words, made, "?")
    row = any_owner(chooser)
    subject = (
        noun(entry, chooser.one(["this", "that", "the"]))
        if chooser.chance(0.7)
        else demonstrative(chooser.one(["this", "that"]))
    )
    negative, question = chooser.chance(0.15), False
    if not negative:
        question = chooser.chance(0.2) and row["subject"] not in ("I", "we")
    words = be(subject, "present", negative, question, tag, english(row["mine"], tag, 0))
    owner = "우리" if row["subject"] == "we" else row["korean_possessive"]
    made = [
        Korean(owner, tag),
        *(Korean(part.text, tag, False) for part in closed(copula("것", negative), tag, "present")),
    ]
    return Sentence(words, [*subject.with_particle("은"), *made], "?" if question else ".")


@construction("nationality and origin", 1.6)
def origin(chooser: Chooser) -> Sentence:
    """I'm from Korea. Are you Chinese? She is Canadian. Where are you from?"""
    subject = (
        random_pronoun(chooser)
        if chooser.chance(0.6)
        else person(chooser, chooser.one(["name", "kin", "the"]))
    )
    asked = subject.pronoun["subject"] not in ("I", "we")
    question = asked and chooser.chance(0.25)
    negative = not question and chooser.chance(0.15)
    country = chooser.row("countries")
    tag = new_tag()
    if chooser.chance(0.55):
        place = new_tag()
        words = be(
            subject,
            "present",
            negative,
            question,
            tag,
            [*english("from", tag, 0), *english(country["english"], place, -1)],
        )
        made = [
            *korean(country["korean"] + "에서", place),
            *korean("오지 않았어" if negative else "왔어", tag, 0),
        ]
        return Sentence(words, [*subject.with_particle("은"), *made], "?" if question else ".")
    if asked and chooser.chance(0.12):
        words = [*english("where", tag, 0), *be(subject, "present", False, True, tag, [])]
        own = new_tag()
        words += english("from", own, 0)
        return Sentence(
            words,
            [*subject.with_particle("은"), *korean("어디에서", tag), *korean("왔어", own)],
            "?",
        )
    while country["nationality"] == "-":
        country = chooser.row("countries")
    words = be(subject, "present", negative, question, tag, english(country["nationality"], tag, 0))
    made = closed(copula("사람", negative), tag, "present", [Korean(country["korean"], tag)])
    made = [made[0], *(Korean(part.text, tag, False) for part in made[1:])]
    return Sentence(words, [*subject.with_particle("은"), *made], "?" if question else ".")


def ages(subject: NounPhrase) -> range:
    """Give the ages that suit somebody."""
    word = (
        subject.entry["english"]
        if subject.entry is not None and subject.entry.file == "nouns"
        else ""
    )
    if word.startswith("grand"):
        return range(60, 100)
    if word in (
        "mother",
        "father",
        "mom",
        "dad",
        "parents",
        "uncle",
        "aunt",
        "husband",
        "wife",
        "teacher",
    ):
        return range(30, 60)
    if word in (
        "boy",
        "girl",
        "child",
        "kid",
        "classmate",
        "student",
        "brother",
        "sister",
        "cousin",
        "friend",
        "younger brother",
        "younger sister",
        "little sister",
    ):
        return range(3, 20)
    return range(20, 66) if word else range(1, 100)


@construction("age", 5)
def age(chooser: Chooser) -> Sentence:
    """How old are you? I'm ten years old. She is thirty-five."""
    subject = (
        random_pronoun(chooser)
        if chooser.chance(0.6)
        else person(chooser, chooser.one(["name", "kin", "kin", "the"]))
    )
    tag = new_tag()
    if chooser.chance(0.12) and subject.pronoun["subject"] != "I":
        words = [*english("how old", tag, 1), *be(subject, "present", False, True, tag, [])]
        return Sentence(
            words,
            [*subject.with_particle("은"), *korean("몇", tag), *korean("살이야", tag, None)],
            "?",
        )
    row = chooser.entry([number(value) for value in ages(subject)])
    value = int(row["value"])
    tense = chooser.weighted([("present", 8), ("past", 1.5), ("future", 0.5)])
    text = row["value"] if chooser.chance(0.2) else row["english"]
    own = new_tag()
    rest = english(text, own, 0) + (
        english("years old" if value > 1 else "year old", tag, 0) if chooser.chance(0.75) else []
    )
    subject_words = be(subject, tense, False, False, tag, rest)
    if len(rest) == 1:
        own = tag = rest[0].links[0][0]
    ending = {"present": "살이야", "past": "살이었어", "future": "살이 될 거야"}[tense]
    return Sentence(
        subject_words,
        [
            *subject.with_particle("은"),
            Korean(row["native"], own),
            *korean(ending, tag, 0 if len(rest) > 1 else None),
        ],
    )
