"""Clauses at random.

A verb, a subject and an object that suit each other, and adverbials that suit the verb.
"""

from __future__ import annotations

from functools import cache

from data.workshop.adverbials import decorate
from data.workshop.chooser import Chooser, UnsuitableError
from data.workshop.clauses import Clause
from data.workshop.korean import attach
from data.workshop.lexicon import Entry, nouns_of, read
from data.workshop.moods import Mood
from data.workshop.noun_phrases import NounPhrase, noun
from data.workshop.nouns_at_random import object_for, subject_for
from data.workshop.people import known_person
from data.workshop.places import at_place, at_spot, spot_of, to_place
from data.workshop.words import Korean, english, korean, new_tag


@cache
def verbs(frames: tuple[str, ...] = (), stative: bool = True) -> tuple[Entry, ...]:
    """Give the verbs of these frames; none: of all."""
    found = (
        entry
        for entry in read("verbs")
        if entry["frame"] != "special" and (not frames or entry["frame"] in frames)
    )
    return tuple(entry for entry in found if stative or "state" not in entry.list("extras"))


def fit(entry: Entry) -> bool:
    """Say whether people do this, and not with their eyes or mouth."""
    return "person" in entry.list("subjects") and "bodily" not in entry.list("extras")


@cache
def verbs_named(names: tuple[str, ...]) -> tuple[Entry, ...]:
    """Give the verbs of people with these English forms."""
    return tuple(entry for entry in read("verbs") if entry["english"] in names and fit(entry))


@cache
def daily_verbs() -> tuple[Entry, ...]:
    """Give what people do every day: these go together in longer sentences."""
    return tuple(
        entry
        for entry in read("verbs")
        if "daily" in entry.list("extras") and "person" in entry.list("subjects")
    )


@cache
def daily_named(name: str) -> tuple[Entry, ...]:
    """Give the daily verbs with this English form."""
    return tuple(entry for entry in daily_verbs() if entry["english"] == name)


def in_turn(chooser: Chooser) -> tuple[Entry, Entry]:
    """Take two verbs of one scene of `lexicon/scenes.tsv`, in the order in which one does them.

    Cook, then eat.
    """
    names = chooser.row("scenes").list("verbs")
    first, second = sorted(chooser.random.sample(range(len(names)), 2))
    earlier, later = (
        chooser.entry(daily_named(names[first])),
        chooser.entry(daily_named(names[second])),
    )
    if earlier["korean"] == later["korean"]:
        raise UnsuitableError  # he woke up and got up: 일어나고 일어났어
    return earlier, later


def daily_clause(
    chooser: Chooser, mood: Mood, subject: NounPhrase, verb: Entry | None = None
) -> Clause:
    """Make a clause of everyday life for a longer sentence, with nothing in front and no adverb of
    frequency.
    """
    clause = make_clause(
        chooser, mood, subject, rich=0.0, verb=verb or chooser.entry(daily_verbs())
    )
    if verb is not None and clause.verb is not verb:
        raise UnsuitableError  # the mood didn't suit it
    clause.nothing_in_front()
    return clause


def make_clause(
    chooser: Chooser,
    mood: Mood,
    subject: NounPhrase | None = None,
    frames: tuple[str, ...] = (),
    rich: float = 0.32,
    verb: Entry | None = None,
) -> Clause:
    """Make a clause that suits the mood; `rich` is the chance of each adverbial."""
    while verb is None or not suits(verb, mood, subject):
        if verb is not None and frames == ("given",):
            raise UnsuitableError
        verb = chooser.entry(verbs(frames, mood.stative))
    clause = Clause(subject or subject_for(chooser, verb), verb)
    complete(chooser, clause)
    decorate(chooser, clause, mood, rich)
    return clause


THINGS_MOODS = (
    "present",
    "past",
    "will",
    "going to",
    "present progressive",
    "past progressive",
    "may",
    "might",
    "began to",
    "started to",
)


MOMENTS = (
    "pass", "marry", "find", "break", "drop", "miss", "forget", "fall down", "receive", "get",
    "see", "hear", "win", "make a mistake",
    "catch", "believe", "remember", "understand",
)  # fmt: skip


ONCE = ("move", "marry", "get married", "pass", "join")


UNWANTED = (
    "hurt",
    "miss",
    "lose",
    "break",
    "drop",
    "forget",
    "fall down",
    "make a mistake",
    "fight with",
)


def suits(verb: Entry, mood: Mood, subject: NounPhrase | None) -> bool:
    """Say whether the verb goes with the mood.

    Nobody wants to miss a bus, the sun does not try to rise.
    """
    name = verb["english"]
    people = "person" in verb.list("subjects")
    if not people and (subject is not None or mood.name not in THINGS_MOODS):
        return False
    if "progressive" in mood.name or mood.trail == "ing":
        return name not in MOMENTS and name not in ONCE and name not in UNWANTED
    if mood.name == "present":
        return name not in ONCE
    return name not in UNWANTED or mood.name in ("past", "will", "may", "might", "could")


def complete(chooser: Chooser, clause: Clause) -> None:
    """Add the complements that the verb's frame asks for."""
    frame, verb = clause.verb["frame"], clause.verb
    if frame == "transitive":
        add_object(clause, object_for(chooser, verb, clause.subject))
    elif frame == "ditransitive":
        _give(chooser, clause)
    elif frame == "about":
        _about(clause, object_for(chooser, verb, clause.subject))
    elif frame == "goal":
        add_goal(chooser, clause)
    elif frame == "located":
        _located(chooser, clause)
    elif frame == "place":
        place = chooser.row("places", "uses", verb["places"])
        tag = new_tag()
        words = english(place["english"], tag, -1)
        clause.add("object", words, korean(attach(place["korean"], verb["particle"]), tag))
    elif frame == "put":
        add_object(clause, object_for(chooser, verb, clause.subject))
        inside = chooser.chance(0.4)
        spot = spot_of(chooser, chooser.entry(nouns_of(("container" if inside else "surface",))))
        if clause.objects is not None and spot.entry is clause.objects.entry:
            raise UnsuitableError
        clause.add("recipient", *at_spot("in" if inside else "on", spot, "에"))


def add_object(clause: Clause, phrase: NounPhrase) -> None:
    """Add the object with the verb's own particle."""
    clause.objects = phrase
    clause.add("object", list(phrase.objective), phrase.with_particle(clause.verb["particle"]))


def _about(clause: Clause, phrase: NounPhrase) -> None:
    """Add what one talks about.

    The preposition belongs to the verb, 에 대해 to the object, and they may be linked.
    """
    clause.objects = phrase
    words = [*phrase.with_particle("에"), Korean("대해", phrase.tag, False, (clause.tag,))]
    clause.add("object", list(phrase.objective), words)


def _give(chooser: Chooser, clause: Clause) -> None:
    """Add what is given and to whom: give me a book, give a book to me."""
    given = object_for(chooser, clause.verb, clause.subject)
    receiver = known_person(chooser, clause.subject)
    while receiver.text == given.text:
        receiver = known_person(chooser, clause.subject)
    short = (
        len(receiver.english) < 3
        and clause.verb["english"] not in ("introduce",)
        and given.entry is not None
        and given.entry.file != "pronouns"
    )
    her = receiver.objective[0].text == "her" and given.english[0].text not in (
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "some",
        "it",
    )
    if short and chooser.chance(0.6) and not her:  # sell her lemons: whose?
        words = [*receiver.objective, *given.objective]
    else:
        words = [*given.objective, *english("to", receiver.tag), *receiver.objective]
    clause.objects = given
    clause.add("recipient", words, receiver.with_particle("에게"))
    clause.add("object", [], given.with_particle("을"))


def add_goal(chooser: Chooser, clause: Clause) -> None:
    """Add where one goes."""
    kinds = clause.verb.list("places")
    tag = new_tag()
    if ("travel" in kinds and chooser.chance(0.5)) or chooser.chance(0.08):
        country = chooser.row("countries")
        words, text = english(f"to {country['english']}", tag, -1), country["korean"]
    else:
        place = chooser.row("places", "uses", *kinds)
        words, text = english(to_place(place), tag, -1), place["korean"]
    clause.add("goal", words, korean(attach(text, clause.verb["particle"]), tag))


def _located(chooser: Chooser, clause: Clause) -> None:
    """Add where one sits, lives or stands."""
    kinds = clause.verb.list("places")
    if "furniture" in kinds or ("lie" in kinds and chooser.chance(0.7)):
        entry = chooser.entry(nouns_of(("surface",)))
        near = (
            ("on", "on", "on", "next to", "under", "behind", "in front of")
            if "furniture" in kinds
            else ("on",)
        )
        clause.add("goal", *at_spot(chooser.one(near), spot_of(chooser, entry), "에"))
    elif "live" in kinds and chooser.chance(0.35):
        country, tag = chooser.row("countries"), new_tag()
        clause.add(
            "goal",
            english(f"in {country['english']}", tag, -1),
            korean(attach(country["korean"], "에"), tag),
        )
    elif "stand" in kinds:
        entry = chooser.entry(
            nouns_of(("door", "window", "tree", "house", "car", "building", "gate", "wall"))
        )
        clause.add(
            "goal",
            *at_spot(
                chooser.one(["in front of", "behind", "next to", "near"]), noun(entry, "the"), "에"
            ),
        )
    else:
        place = chooser.row("places", "uses", *kinds)
        clause.add("goal", *at_place(place, "에"))
