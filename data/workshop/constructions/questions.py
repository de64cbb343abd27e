"""Questions with who, what, which, whose, where, when, why and how."""

from __future__ import annotations

from data.workshop.adjectives import fitting, predicate
from data.workshop.adverbials import add_time
from data.workshop.chooser import Chooser
from data.workshop.clause_maker import add_goal, make_clause, verbs
from data.workshop.clauses import Clause
from data.workshop.lexicon import Entry, find
from data.workshop.moods import BE, BY_NAME, Mood
from data.workshop.noun_phrases import NounPhrase, pronoun, pronoun_row
from data.workshop.people import person
from data.workshop.registry import construction
from data.workshop.words import Korean, Sentence, english, korean, merge, new_tag

MOODS = [
    ("present", 5.0), ("past", 6), ("will", 2), ("going to", 3), ("present progressive", 4),
    ("can", 2), ("want to", 4), ("have to", 1),
    ("should", 1),
]  # fmt: skip


WHATS = (
    "eat", "drink", "buy", "read", "watch", "see", "draw", "make", "cook", "write", "learn",
    "study", "play", "want", "need", "like",
    "teach", "sell", "wear", "bring", "find", "look for", "use", "choose", "order", "listen to",
    "lose",
)  # fmt: skip


def asked_subject(chooser: Chooser) -> NounPhrase:
    """Make the one who is asked about: you most of all."""
    if chooser.chance(0.8):
        return pronoun(
            pronoun_row(
                chooser.weighted(
                    [("you", 7), ("he", 2), ("she", 2), ("they", 1.5), ("we", 0.5), ("I", 0.2)]
                )
            )
        )
    return person(chooser, chooser.one(["name", "kin", "kin", "the"]))


def asked_mood(chooser: Chooser, *without: str) -> Mood:
    """Choose a mood that people ask in."""
    return BY_NAME[
        chooser.weighted([(name, weight) for name, weight in MOODS if name not in without])
    ]


def bare(subject: NounPhrase, verb: Entry) -> Clause:
    """Make a clause without complements."""
    return Clause(subject, verb)


@construction("what: object", 5)
def what_object(chooser: Chooser) -> Sentence:
    """What did you eat?"""
    mood = asked_mood(chooser)
    entries = [
        entry
        for entry in verbs(("transitive",))
        if entry["english"] in WHATS and (mood.stative or "state" not in entry.list("extras"))
    ]
    entries = [one for one in entries if find("verbs", "english", one["english"]) is one]
    if chooser.chance(0.12):
        entries = [
            one
            for one in entries
            if one["english"] in ("eat", "want", "buy", "like", "need", "see")
        ]
    clause = bare(asked_subject(chooser), chooser.entry(entries))
    if chooser.chance(0.3):
        add_time(chooser, clause, mood)
        clause.nothing_in_front()
    tag = new_tag()
    clause.slots.append(
        ("object", korean("무엇이" if clause.verb["particle"] == "이" else "무엇을", tag))
    )
    return clause.question(mood, english("what", tag, 0))


@construction("what: doing", 1.6)
def what_doing(chooser: Chooser) -> Sentence:
    """What are you doing? What will you do tomorrow?"""
    mood = asked_mood(chooser, "can")
    clause = bare(asked_subject(chooser), find("verbs", "english", "do"))
    if chooser.chance(0.6) or mood.name == "present":
        add_time(chooser, clause, mood)
        clause.nothing_in_front()
    tag = new_tag()
    clause.slots.append(("object", korean("무엇을", tag)))
    return clause.question(mood, english("what", tag, 0))


@construction("who: subject", 2)
def who_subject(chooser: Chooser) -> Sentence:
    """Who broke the window?"""
    mood = BY_NAME[
        chooser.weighted(
            [
                ("present", 3),
                ("past", 5),
                ("can", 2),
                ("will", 1),
                ("going to", 1),
                ("present progressive", 2),
                ("want to", 2),
            ]
        )
    ]
    tag = new_tag()
    words = tuple(english("who", tag, 0))
    subject = NounPhrase(words, words, tuple(korean("누구", tag)), tag, "third", pronoun_row("he"))
    clause = make_clause(chooser, mood, subject, rich=0.1)
    return Sentence([*clause.english_words(mood)], clause.korean_words(mood, particle="이"), "?")


@construction("who: object", 2)
def who_object(chooser: Chooser) -> Sentence:
    """Who did you meet? Who do you live with?"""
    mood = asked_mood(chooser)
    tag = new_tag()
    if chooser.chance(0.35):
        entries = [
            entry
            for entry in verbs(("intransitive", "goal"), False)
            if "with" in entry.list("extras")
        ]
        clause = bare(asked_subject(chooser), chooser.entry(entries))
        if clause.verb["frame"] == "goal":
            add_goal(chooser, clause)
        clause.add("companion", english("with", tag), korean("누구와", tag))
        return clause.question(mood, english("who", tag, 0))
    entries = [
        entry
        for entry in verbs(("transitive",), mood.stative)
        if "person_known" in entry.list("objects") and entry["particle"] in ("을", "에게")
    ]
    clause = bare(asked_subject(chooser), chooser.entry(entries))
    clause.slots.append(
        ("object", korean("누구" + ("를" if clause.verb["particle"] == "을" else "에게"), tag))
    )
    return clause.question(mood, english("who", tag, 0))


@construction("where", 4)
def where(chooser: Chooser) -> Sentence:
    """Where did you go? Where do you study English?"""
    mood = asked_mood(chooser)
    tag = new_tag()
    entries = [
        entry
        for entry in verbs((), False)
        if entry["frame"] in ("goal", "located") or entry.list("places")
    ]
    verb = find("verbs", "english", "live") if chooser.chance(0.06) else chooser.entry(entries)
    if verb["english"] in ("arrive at", "enter", "leave", "get") or verb["korean"] in (
        "뛰어가",
        "걸어가",
    ):
        verb = next(entry for entry in verbs(("goal",)) if entry["english"] == "go")
    clause = bare(asked_subject(chooser), verb)
    if verb["frame"] in ("transitive", "about"):
        clause = make_clause(chooser, mood, clause.subject, rich=0.0, verb=verb)
    static = verb["frame"] in ("goal", "located")
    clause.slots.append(
        (
            "goal" if static else "place",
            korean(
                "어디로" if verb["particle"] == "로" else ("어디에" if static else "어디에서"), tag
            ),
        )
    )
    return clause.question(mood, english("where", tag, 0))


@construction("when", 3)
def when(chooser: Chooser) -> Sentence | list[Sentence] | None:
    """When will you come back? What time do you get up?"""
    mood = asked_mood(chooser, "present progressive", "can")
    clause = make_clause(chooser, mood, asked_subject(chooser), rich=0.0)
    if "state" in clause.verb.list("extras"):
        return what_object(chooser)
    tag = new_tag()
    clock = chooser.chance(0.4)
    clause.slots.append(("time", korean("몇 시에" if clock else "언제", tag, 0)))
    return clause.question(mood, english("what time" if clock else "when", tag, 0))


@construction("why", 2.5)
def why(chooser: Chooser) -> Sentence:
    """Why are you crying? Why are you so sad? Why don't you …?"""
    tag = new_tag()
    first, translation = english("why", tag, 0), korean("왜", tag)
    subject = asked_subject(chooser)
    if chooser.chance(0.35):
        entry = chooser.entry(
            [
                one
                for one in fitting(find("nouns", "english", "person"), "predicative")
                if one["english"] not in ("tall", "old", "short")
            ]
        )
        own = new_tag()
        past = chooser.chance(0.25)
        words = [
            *first,
            *english(BE[subject.number][past], own),
            *subject.english,
            *english(entry["english"], own, 0),
        ]
        opened = predicate(entry).also(*(["past"] if past else []))
        made = [
            Korean(text, own, number == opened.main)
            for number, text in enumerate(opened.close("final"))
        ]
        return Sentence(words, [*subject.with_particle("은"), *translation, *made], "?")
    mood = asked_mood(chooser, "can")
    clause = make_clause(chooser, mood, subject, rich=0.0)
    clause.slots.append(("time", translation))
    negative = (
        mood.name in ("present", "past")
        and subject.pronoun["subject"] != "we"
        and chooser.chance(0.3)
    )
    if negative:
        group = clause.question(mood, first, negative=True)
        auxiliary = {"do": "don't", "does": "doesn't", "did": "didn't"}[group.english[1].text]
        group.english[1:3] = [merge(auxiliary, group.english[1:3])]
        return group
    return clause.question(mood, first)
