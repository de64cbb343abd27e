"""Questions with how: how, how often, how many, how much; and which."""

from __future__ import annotations

from dataclasses import replace

from data.workshop.adverbials import close_by
from data.workshop.chooser import Chooser, UnsuitableError
from data.workshop.clause_maker import make_clause, verbs
from data.workshop.constructions.questions import asked_mood, asked_subject, bare, what_object
from data.workshop.lexicon import Entry, find, nouns_of
from data.workshop.moods import BY_NAME
from data.workshop.noun_phrases import noun
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag


@construction("how", 2)
def how(chooser: Chooser) -> Sentence:
    """How do you go to school? How did you make this cake?"""
    mood = asked_mood(chooser, "present progressive", "want to")
    tag = new_tag()
    if chooser.chance(0.5):
        going = chooser.one(["go", "come"])
        verb = next(entry for entry in verbs(("goal",)) if entry["english"] == going)
    else:
        names = (
            "make",
            "cook",
            "find",
            "fix",
            "solve",
            "open",
            "use",
            "learn",
            "know",
            "bake",
            "meet",
        )
        verb = chooser.entry(
            [
                entry
                for entry in verbs(("transitive",))
                if entry["english"] in names and (mood.stative or entry["english"] != "know")
            ]
        )
    clause = make_clause(chooser, mood, asked_subject(chooser), rich=0.0, verb=verb)
    if close_by(clause):
        raise UnsuitableError
    clause.slots.append(("time", korean("어떻게", tag)))
    return clause.question(mood, english("how", tag, 0))


@construction("how often, how long", 1)
def how_often(chooser: Chooser) -> Sentence:
    """How often do you exercise? How long did you sleep?"""
    tag = new_tag()
    often = chooser.chance(0.55)
    mood = BY_NAME["present" if often else chooser.one(["past", "will"])]
    names = (
        "sleep",
        "study",
        "live",
        "stay",
        "wait",
        "work",
        "exercise",
        "practice",
        "walk",
        "travel",
        "wait for",
        "watch",
        "read",
        "swim",
        "play",
    )
    entries = [
        entry
        for entry in verbs((), False)
        if (often and "state" not in entry.list("extras")) or entry["english"] in names
    ]
    clause = make_clause(
        chooser, mood, asked_subject(chooser), rich=0.0, verb=chooser.entry(entries)
    )
    clause.middle = []
    clause.slots = [part for part in clause.slots if part[0] != "frequency"]
    text = "얼마나 자주" if often else "얼마나 오래"
    clause.slots.append(("time", korean(text, tag)))
    return clause.question(mood, english("how often" if often else "how long", tag, 1))


@construction("how many, how much: object", 2.5)
def how_many(chooser: Chooser) -> Sentence | list[Sentence] | None:
    """How many apples did you eat? How much water do you drink?"""
    mood = asked_mood(chooser, "present progressive")
    names = (
        "eat",
        "drink",
        "buy",
        "read",
        "see",
        "watch",
        "draw",
        "make",
        "write",
        "want",
        "need",
        "sell",
        "find",
        "learn",
        "order",
    )
    entries = [entry for entry in verbs(("transitive",), mood.stative) if entry["english"] in names]
    verb = chooser.entry(entries)
    candidates = [
        entry for entry in nouns_of(verb.list("objects")) if entry["kind"] in ("count", "mass")
    ]
    if not candidates:
        return what_object(chooser)
    entry = chooser.entry(candidates)
    clause = bare(asked_subject(chooser), verb)
    first, translation = many(entry, verb["particle"])
    clause.slots.append(("object", translation))
    return clause.question(mood, first)


def many(entry: Entry, particle: str) -> tuple[list[English], list[Korean]]:
    """Make how many books, 책을 몇 권; how much water, 물을 얼마나."""
    own = new_tag()
    phrase = noun(entry, "plural" if entry["kind"] == "count" else "")
    if entry["kind"] == "mass":
        return [*english("how much", own, 1), *phrase.english], [
            *phrase.with_particle(particle),
            *korean("얼마나 많이", own, -1),
        ]
    bare_words = [  # without 들, but linked like the plural
        replace(word, tag=other.tag)
        for word, other in zip(noun(entry).with_particle(particle), phrase.korean, strict=True)
    ]
    return [*english("how many", own, 1), *phrase.english], [
        *bare_words,
        Korean("몇", own),
        Korean(entry["counter"], own, False),
    ]


@construction("which, what kind", 2)
def which(chooser: Chooser) -> Sentence | None:
    """Which bag do you want? What sport do you like? Whose book did you read?"""
    mood = asked_mood(chooser, "present progressive", "can")
    names = (
        "eat",
        "drink",
        "buy",
        "read",
        "watch",
        "play",
        "want",
        "like",
        "learn",
        "study",
        "wear",
        "use",
        "choose",
        "take",
        "listen to",
    )
    verb = chooser.entry(
        [entry for entry in verbs(("transitive",), mood.stative) if entry["english"] in names]
    )
    word = chooser.one(["which", "which", "what", "whose"])
    candidates = [
        entry
        for entry in nouns_of(verb.list("objects"))
        if entry["kind"] == "count" and (word == "which" or "thing" in entry.list("classes"))
    ]
    if word == "what":
        kinds = {
            "eat": "fruit",
            "drink": "juice",
            "watch": "movie",
            "read": "book",
            "take": "bus",
            "listen to": "song",
            "like": "animal",
        }
        kind = find("nouns", "english", kinds.get(verb["english"], "sun"))
        candidates = (
            [kind]
            if kind in nouns_of(verb.list("objects")) or verb["english"] in ("eat", "drink")
            else []
        )
    if not candidates:
        return None
    clause = bare(asked_subject(chooser), verb)
    own = new_tag()
    phrase = noun(chooser.entry(candidates))
    asked = {"which": "어느", "what": "어떤", "whose": "누구의"}[word]
    clause.slots.append(("object", [*korean(asked, own), *phrase.with_particle(verb["particle"])]))
    return clause.question(mood, [*english(word, own, 0), *phrase.english])
