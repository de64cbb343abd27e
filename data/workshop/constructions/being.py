"""Sentences with to be and a noun.

Who and what somebody or something is, whose, where from, how old.
"""

from __future__ import annotations

from dataclasses import replace

from data.workshop.chooser import Chooser
from data.workshop.korean import Predicate, attach, copula
from data.workshop.lexicon import Entry, find, nouns_of, read
from data.workshop.moods import BE
from data.workshop.noun_phrases import NounPhrase, demonstrative, it, name, noun, random_pronoun
from data.workshop.nouns_at_random import _adjective
from data.workshop.people import any_owner, person, relative, relative_of_gender
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag

TENSES = [("present", 8.0), ("past", 2), ("future", 1)]


def be(
    subject: NounPhrase, tense: str, negative: bool, question: bool, tag: int, rest: list[English]
) -> list[English]:
    """Put subject, be and the rest in order."""
    finite = "will" if tense == "future" else BE[subject.number][tense == "past"]
    after = english("be", tag) if tense == "future" else []
    denial = english("not", tag) if negative else []
    first = english(finite, tag)
    if question:
        return [*first, *subject.english, *denial, *after, *rest]
    return [*subject.english, *first, *denial, *after, *rest]


def closed(
    predicate: Predicate, tag: int, tense: str, before: list[Korean] | None = None
) -> list[Korean]:
    """Close a copula in its tense; the words of `before` come first, with their own tags."""
    extra = {"present": (), "past": ("past",), "future": ("future",)}[tense]
    opened = predicate.also(*extra)
    return [
        *(before or []),
        *(
            Korean(text, tag, place == opened.main)
            for place, text in enumerate(opened.close("final"))
        ),
    ]


def is_noun(
    subject: NounPhrase,
    phrase: NounPhrase,
    tense: str = "present",
    negative: bool = False,
    question: bool = False,
    particle: str = "은",
) -> Sentence:
    """Make X is Y from two noun phrases."""
    words = be(subject, tense, negative, question, phrase.tag, list(phrase.english))
    *before, last = (*phrase.korean, *phrase.counter)
    if tense == "future" and not negative:
        extra = Korean(attach(last.text, "이"), last.tag, last.head)
        made = [*before, extra, *korean("될 거야", phrase.tag, None)]
    else:
        made = closed(copula(last.text, negative), last.tag, tense, before)
    return Sentence(words, [*subject.with_particle(particle), *made], "?" if question else ".")


def professions(subject: NounPhrase) -> tuple[Entry, ...]:
    """Give what this person can be: he is no queen."""
    unfit = {"he": ("queen", "princess"), "she": ("king", "prince")}.get(
        subject.pronoun["subject"], ()
    )
    return tuple(entry for entry in nouns_of(("profession",)) if entry["english"] not in unfit)


def plain_plural(phrase: NounPhrase) -> NounPhrase:
    """Take 들 off: we are students is 우리는 학생이야."""
    *before, last = phrase.korean
    return replace(phrase, korean=(*before, replace(last, text=last.text.removesuffix("들"))))


def other_owner(chooser: Chooser, subject: NounPhrase) -> Entry:
    """Choose an owner other than the subject: we are his friends, not our friends."""
    return chooser.one([row for row in read("pronouns") if row is not subject.pronoun])


def classified(chooser: Chooser, subject: NounPhrase) -> NounPhrase:
    """Make what a person is: a doctor, my friend, a good singer."""
    jobs = professions(subject)
    kind = chooser.weighted([("job", 6), ("kin", 2)])
    if subject.number == "plural" or subject.pronoun["subject"] in ("we", "they"):
        return (
            plain_plural(noun(chooser.entry(jobs), "plural"))
            if kind == "job"
            else plain_plural(
                noun(
                    chooser.entry(nouns_of(("social",))),
                    "owner plural",
                    owner=other_owner(chooser, subject),
                )
            )
        )
    if kind == "job":
        entry = chooser.entry(jobs)
        return noun(entry, "a", _adjective(chooser, entry, 0.15))
    owner = chooser.one([row for row in read("pronouns") if row is not subject.pronoun])
    return relative_of_gender(chooser, subject, owner)


@construction("is: person", 4)
def person_is(chooser: Chooser) -> Sentence:
    """She is a doctor. I'm not a student. Is he your brother?"""
    subject = random_pronoun(chooser) if chooser.chance(0.55) else person(chooser)
    tense = chooser.weighted(TENSES)
    question = (
        chooser.chance(0.22)
        and tense == "present"
        and subject.pronoun["subject"] not in ("I", "we")
    )
    negative = chooser.chance(0.2) and not question and tense != "future"
    phrase = classified(chooser, subject)
    if tense == "future" and "profession" not in (
        phrase.entry or find("nouns", "english", "boy")
    ).list("classes"):
        tense = "present"
    return is_noun(subject, phrase, tense, negative, question)


def any_thing(chooser: Chooser, plural: bool = False) -> NounPhrase:
    """Make a book, my bag, an old house, Minsu's cap."""
    pool = nouns_of(("thing", "food", "animal", "vehicle", "furniture", "device", "place", "part"))
    entry = chooser.entry(
        [one for one in pool if one["kind"] in (("count",) if not plural else ("count", "plural"))]
    )
    adjective = _adjective(chooser, entry, 0.2) if "animal" not in entry.list("classes") else None
    if plural:
        return (
            noun(entry, "plural", adjective)
            if chooser.chance(0.6)
            else noun(entry, "owner plural", owner=any_owner(chooser))
        )
    if chooser.chance(0.45) and (
        "animal" not in entry.list("classes") or "pet" in entry.list("classes")
    ):
        owner: Entry | NounPhrase = (
            any_owner(chooser) if chooser.chance(0.75) else name(chooser.row("names"))
        )
        return noun(entry, "owner", adjective, owner)
    return noun(entry, "a", adjective)


@construction("is: thing", 5)
def thing_is(chooser: Chooser) -> Sentence:
    """This is my book. Is that your bag? It isn't a cat. These are apples."""
    word = chooser.weighted([("this", 4), ("that", 3), ("it", 2), ("these", 1), ("those", 1)])
    plural = word in ("these", "those")
    subject = it() if word == "it" else demonstrative(word)
    question = chooser.chance(0.3)
    return is_noun(
        subject,
        any_thing(chooser, plural),
        "present",
        chooser.chance(0.2) and not question,
        question,
    )


@construction("is: introducing", 1.2)
def introducing(chooser: Chooser) -> Sentence:
    """This is my friend. This is Minsu. Is that your sister?"""
    subject = demonstrative(chooser.one(["this", "this", "that"]), person=True)
    other = relative(chooser) if chooser.chance(0.7) else name(chooser.row("names"))
    if other.number == "plural":
        subject = demonstrative("these", person=True)
    question = chooser.chance(0.3)
    return is_noun(subject, other, "present", chooser.chance(0.1) and not question, question)


@construction("what is this", 0.7)
def what_is(chooser: Chooser) -> Sentence:
    """What is this? Who is that man? What are those?"""
    if chooser.chance(0.5):
        subject = (
            demonstrative(chooser.one(["this", "that", "these", "those"]))
            if chooser.chance(0.8)
            else it()
        )
        return asking("what", "뭐", subject)
    subject = person(chooser) if chooser.chance(0.7) else random_pronoun(chooser)
    return asking("who", "누구", subject)


def asking(word: str, translation: str, subject: NounPhrase, tense: str = "present") -> Sentence:
    """Make what is X? who is X?"""
    tag = new_tag()
    words = [
        *english(word, tag, 0),
        *english(BE[subject.number][tense == "past"], tag),
        *subject.english,
    ]
    return Sentence(
        words, [*subject.with_particle("은"), *closed(copula(translation), tag, tense)], "?"
    )
