"""Noun phrases at random: subjects, people, and objects that suit a verb."""

from __future__ import annotations

from data.workshop.adjectives import fitting
from data.workshop.chooser import Chooser
from data.workshop.lexicon import Entry, find, nouns_of
from data.workshop.noun_phrases import NounPhrase, demonstrative, it, noun
from data.workshop.people import any_owner, known_person, person_subject
from data.workshop.words import english

GENERIC_VERBS = (
    "like",
    "love",
    "hate",
    "enjoy",
    "collect",
    "draw",
    "sell",
    "grow",
    "learn about",
    "know about",
)


OWN_VERBS = (
    "lose", "find", "look for", "bring", "lend", "forget", "clean", "hide", "fix", "use", "show",
    "put on", "take off", "wear",
    "take care of",
)  # fmt: skip


COUNTED_VERBS = (
    "eat", "see", "read", "write", "find", "sell", "bring", "catch", "give", "borrow", "bake",
    "plant", "carry", "count", "use", "lose",
    "cut", "send", "wash", "draw",
)  # fmt: skip


THAT_VERBS = (
    "eat", "drink", "buy", "sell", "read", "write", "see", "look at", "like", "love", "hate",
    "want", "need", "open", "close", "find",
    "look for", "lose", "use", "bring", "carry", "put", "give", "send", "show", "touch",
    "remember", "forget", "believe", "understand",
    "know", "do", "finish", "start", "make", "fix", "check", "change", "choose", "order", "watch",
    "throw", "cut", "break", "hide",
    "think about", "talk about", "pick up", "lend", "borrow", "learn",
)  # fmt: skip


THE_VERBS = (
    "open", "close", "turn on", "turn off", "answer", "solve", "climb", "cross", "get on",
    "get off", "paint", "check", "change", "win",
    "stop", "join", "clean", "pull", "push", "throw", "kick", "start", "finish", "catch", "touch",
    "fix", "ask", "understand", "miss",
    "wait for", "take", "fly", "believe", "remember", "forget",
)  # fmt: skip


NEW_VERBS = ("buy", "want", "need", "make", "draw")


def animal_subject(chooser: Chooser, classes: tuple[str, ...]) -> NounPhrase:
    """Make the dog, my cat, birds."""
    entry = chooser.entry(nouns_of(classes))
    if entry["kind"] in ("bare", "unique"):
        return noun(entry, "the" if entry["kind"] == "unique" else "")
    if entry["english"] == "school":
        return noun(entry)
    if "pet" in entry.list("classes") and chooser.chance(0.4):
        return noun(entry, owner=any_owner(chooser))
    return noun(
        entry,
        chooser.weighted([("the", 8), ("the plural", 3), ("this", 1), ("that", 1), ("those", 1)]),
    )


def subject_for(chooser: Chooser, verb: Entry) -> NounPhrase:
    """Make a subject that can do what the verb says."""
    classes = verb.list("subjects")
    others = tuple(name for name in classes if name != "person")
    if "person" in classes and (not others or chooser.chance(0.8)):
        return person_subject(chooser)
    return animal_subject(chooser, others)


def object_for(chooser: Chooser, verb: Entry, subject: NounPhrase) -> NounPhrase:
    """Make an object that suits the verb."""
    classes = verb.list("objects")
    others = tuple(name for name in classes if name != "person_known")
    if "person_known" in classes and (not others or chooser.chance(0.5)):
        return known_person(chooser, subject)
    candidates = nouns_of(others)
    if (
        chooser.chance(0.09)
        and verb["english"] in THAT_VERBS
        and find("verbs", "english", verb["english"]) is verb
    ):
        word = chooser.weighted(
            [("it", 6), ("this", 1.5), ("that", 1.5), ("these", 0.5), ("those", 0.5)]
        )
        return it() if word == "it" else demonstrative(word)
    return thing(chooser, chooser.entry(candidates), verb, subject)


def thing(chooser: Chooser, entry: Entry, verb: Entry, subject: NounPhrase) -> NounPhrase:
    """Make a noun phrase of this noun, in a shape that suits the verb."""
    kind = entry["kind"]
    if kind in ("bare", "unique", "theme"):
        return noun(entry, {"bare": "", "unique": "the", "theme": "the"}[kind])
    if kind in ("body", "single"):
        return own_body(entry, subject)
    if entry["english"] in ("homework", "housework", "work"):
        return own_body(entry, subject)
    if "kin" in entry.list("classes"):
        return noun(entry, "owner", owner=any_owner(chooser))
    if "person" in entry.list("classes"):
        return noun(entry, chooser.one(["the", "a", "that", "the plural"]))
    if verb["english"] in GENERIC_VERBS and chooser.chance(0.75):
        return noun(entry, "plural", _adjective(chooser, entry, 0.02))
    return _counted_thing(chooser, entry, verb, subject)


def own_body(entry: Entry, subject: NounPhrase) -> NounPhrase:
    """Make wash your hands, do my homework: whose they are goes without saying in Korean."""
    made = noun(entry)
    row = subject.pronoun
    words = (*english(row["possessive"], made.tag), *made.english)
    return NounPhrase(words, words, made.korean, made.tag, made.number, made.pronoun, entry)


def _counted_thing(chooser: Chooser, entry: Entry, verb: Entry, subject: NounPhrase) -> NounPhrase:
    """Choose among a, the, my, this, two, some … ."""
    mass = entry["kind"] == "mass"
    plural_only = entry["kind"] == "plural"
    choices = [("the", 6.0), ("this", 1.5), ("that", 1.2), ("owner", 2.0), ("some", 1.5)]
    if mass:
        choices = [
            ("", 8.0),
            ("the", 2),
            ("some", 3),
            ("this", 0.7),
            ("measure", 5),
            ("a lot of", 1),
        ]
    elif plural_only:
        choices = [("", 2.0), ("the", 3), ("these", 1.5), ("owner", 3), ("those", 0.7)]
    elif verb["english"] in THE_VERBS:
        choices = [
            ("the", 9),
            ("this", 2),
            ("that", 2),
            ("owner", 1.5),
            ("a", 1),
            ("these", 0.4),
            ("the plural", 0.4),
        ]
    elif verb["english"] in NEW_VERBS:
        choices += [("a", 8), ("number", 4), ("many", 0.6), ("a lot of", 0.5)]
    else:
        choices += [
            ("a", 4),
            ("number", 2.0 if verb["english"] in COUNTED_VERBS else 0.0),
            ("plural", 0.7),
            ("these", 0.5),
            ("many", 0.5),
            ("the plural", 0.7),
        ]
    if verb["english"] in OWN_VERBS and not mass:
        choices.append(("owner", 8))
    kind = chooser.weighted(choices)
    adjective = _adjective(chooser, entry, 0.12)
    if kind == "owner":
        owner = subject.pronoun if chooser.chance(0.7) else any_owner(chooser)
        return noun(entry, "owner", adjective, owner)
    if kind == "some" and verb["english"] in GENERIC_VERBS:
        kind = "this"
    if kind == "measure":
        return measured(chooser, entry)
    if kind == "number":
        return noun(
            entry,
            adjective=adjective,
            count=chooser.weighted(
                [
                    (2, 6),
                    (3, 5),
                    (4, 3),
                    (5, 3),
                    (6, 1),
                    (7, 1),
                    (8, 1),
                    (9, 1),
                    (10, 2),
                    (12, 0.5),
                    (20, 0.5),
                ]
            ),
        )
    return noun(entry, kind, adjective if kind not in ("some", "many", "a lot of") else None)


def measured(chooser: Chooser, entry: Entry) -> NounPhrase:
    """Make a glass of water, two cups of coffee; without a measure: bare."""
    units = [unit.removesuffix("_of") for unit in entry.list("classes") if unit.endswith("_of")]
    if "slice" in units:
        units.append("piece")
    if entry["english"] in ("rice", "soup", "salad", "ramen"):
        units.append("bowl")
    if not units:
        return noun(entry, "")
    unit = chooser.one(units)
    many = {"glass": "glasses"}.get(unit, unit + "s")
    how_many = chooser.weighted(
        [(f"a {unit}", 6.0), (f"two {many}", 2), (f"three {many}", 1), (f"four {many}", 0.5)]
    )
    return noun(entry, f"{how_many} of")


def _adjective(chooser: Chooser, entry: Entry, chance: float) -> Entry | None:
    adjectives = fitting(entry, "attributive")
    return chooser.entry(adjectives) if adjectives and chooser.chance(chance) else None
