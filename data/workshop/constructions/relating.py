"""Relative clauses, and that-clauses after think, know, say, hope."""

from __future__ import annotations

from dataclasses import replace

from data.workshop.adjectives import fitting, predicate
from data.workshop.chooser import Chooser
from data.workshop.clause_maker import make_clause, verbs
from data.workshop.clauses import Clause
from data.workshop.constructions.being import be, classified, closed, is_noun
from data.workshop.constructions.describing import adjective_words, tensed
from data.workshop.korean import copula
from data.workshop.lexicon import find, nouns_of
from data.workshop.moods import BE, BY_NAME, Mood, verb_group
from data.workshop.noun_phrases import NounPhrase, demonstrative, noun, random_pronoun
from data.workshop.people import any_owner, person_subject, relative_of_gender
from data.workshop.registry import construction
from data.workshop.words import Sentence, english, new_tag

RELATIVE = [("present progressive", 5.0), ("present", 3), ("past", 4), ("can", 1.5)]


PEOPLE = (
    "boy",
    "girl",
    "man",
    "woman",
    "child",
    "person",
    "baby",
    "student",
    "teacher",
    "doctor",
    "singer",
    "friend",
)


def ending_of(mood: Mood) -> str:
    """Give the ending before a noun: 읽은 in the past, else 읽는, 읽고 있는."""
    return "past relative" if mood.name == "past" else "relative"


def extra_of(mood: Mood) -> tuple[str, ...]:
    """Give the auxiliaries before a noun: the past is in the ending."""
    return () if mood.name == "past" else mood.positive


def subject_relative(chooser: Chooser) -> NounPhrase:
    """Make the boy who is singing, 노래하고 있는 소년."""
    mood = BY_NAME[chooser.weighted(RELATIVE)]
    head = noun(chooser.entry(nouns_of(PEOPLE)), "the")
    clause = make_clause(chooser, mood, head, rich=0.08)
    clause.nothing_in_front()
    group = verb_group(mood, clause.verb, clause.tag, "third")
    middle = [*clause.middle, *group.finite] if group.does else [*group.finite, *clause.middle]
    words = (*head.english, *english("who", clause.tag), *middle, *group.rest, *clause.after)
    if mood.name == "present progressive" and chooser.chance(0.15):
        words = (*head.english, *clause.base_words("ing"))
    made = clause.korean_with(extra_of(mood), ending_of(mood), "")
    return replace(head, english=words, objective=words, korean=(*made, *head.korean))


@construction("relative: subject", 3.4)
def who_relative(chooser: Chooser) -> Sentence:
    """The boy who is singing is my brother. I know the girl who lives here."""
    phrase = subject_relative(chooser)
    kind = chooser.one(["is", "is", "adjective", "know", "who is"])
    if kind == "is":
        return is_noun(
            phrase,
            relative_of_gender(chooser, phrase, any_owner(chooser))
            if chooser.chance(0.6)
            else classified(chooser, phrase),
        )
    if kind == "adjective":
        entry = chooser.entry(fitting(find("nouns", "english", "person"), "predicative"))
        tag = new_tag()
        words = be(phrase, "present", False, False, tag, english(entry["english"], tag, 0))
        return Sentence(
            words, [*phrase.with_particle("은"), *adjective_words(predicate(entry), tag)]
        )
    if kind == "who is":
        tag = new_tag()
        words_who = [*english("who", tag, 0), *english(BE["third"][0], tag), *phrase.english]
        return Sentence(
            words_who, [*phrase.with_particle("은"), *closed(copula("누구"), tag, "present")], "?"
        )
    mood = BY_NAME[chooser.one(["present", "present", "past"])]
    verb = chooser.entry(
        [
            one
            for one in verbs(("transitive",))
            if one["english"]
            in (
                ("know", "like", "love")
                if mood.name == "present"
                else ("meet", "see", "call", "help", "visit")
            )
        ]
    )
    subject = random_pronoun(chooser)
    clause = Clause(subject, verb)
    clause.add("object", list(phrase.objective), phrase.with_particle(verb["particle"]))
    return clause.statement(mood)


OBJECT_VERBS = (
    "buy", "read", "see", "make", "write", "draw", "meet", "like", "love", "eat", "use", "want",
    "watch", "find", "lose", "wear", "cook",
    "know", "need", "help", "bring",
)  # fmt: skip


def object_relative(chooser: Chooser) -> tuple[NounPhrase, NounPhrase]:
    """Make the book that I read yesterday, 내가 어제 읽은 책; and give its plain noun too."""
    verb = chooser.entry(
        [
            one
            for one in verbs(("transitive",))
            if one["english"] in OBJECT_VERBS and one["particle"] in ("을", "이")
        ]
    )
    state = "state" in verb.list("extras")
    mood = BY_NAME["present" if state or chooser.chance(0.15) else "past"]
    heads = [
        one
        for one in nouns_of(
            verb.list("objects") if "person_known" not in verb.list("objects") else PEOPLE
        )
        if one["kind"] in ("count", "mass")
    ]
    head = noun(chooser.entry(heads), "the")
    subject = person_subject(chooser)
    clause = make_clause(chooser, mood, subject, rich=0.15, verb=verb)
    clause.nothing_in_front()
    taken = clause.objects
    clause.after = clause.after[len(taken.objective) :] if taken is not None else clause.after
    clause.slots = [part for part in clause.slots if part[0] != "object"]
    who = "person" in head.entry.list("classes") if head.entry is not None else False
    link = chooser.weighted([("that", 4), ("who" if who else "which", 1.5), ("", 3)])
    words = (*head.english, *english(link, clause.tag), *clause.english_words(mood))
    made = clause.korean_with(extra_of(mood), ending_of(mood), "이")
    return replace(head, english=words, objective=words, korean=(*made, *head.korean)), head


@construction("relative: object", 3.4)
def that_relative(chooser: Chooser) -> Sentence | None:
    """The book that I read yesterday was interesting. This is the bag I bought."""
    phrase, head = object_relative(chooser)
    if head.entry is None:
        return None
    if chooser.chance(0.5):
        people = "person" in head.entry.list("classes")
        return is_noun(demonstrative(chooser.one(["this", "that"]), people), phrase)
    entries = fitting(head.entry, "predicative")
    if not entries:
        return None
    entry = chooser.entry(entries)
    past = chooser.chance(0.4)
    tag = new_tag()
    words = be(
        phrase, "past" if past else "present", False, False, tag, english(entry["english"], tag, 0)
    )
    return Sentence(
        words,
        [
            *phrase.with_particle("은"),
            *adjective_words(tensed(entry, "past" if past else "present", False), tag),
        ],
    )
