"""Reasons: because and so, with causes and effects that go together (`lexicon/reasons.tsv`)."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.clause_maker import daily_clause, make_clause, verbs_named
from data.workshop.constructions.being import be
from data.workshop.constructions.describing import adjective_words, tensed
from data.workshop.constructions.joining import with_comma
from data.workshop.constructions.subordinate import (
    Part,
    adjective_part,
    closed_clause,
    order,
    same_subject,
    two_subjects,
    weather_part,
)
from data.workshop.lexicon import Entry, find, read
from data.workshop.moods import BY_NAME
from data.workshop.noun_phrases import NounPhrase, pronoun, pronoun_row
from data.workshop.people import person, person_subject
from data.workshop.registry import construction
from data.workshop.words import Sentence, english, new_tag

EFFECTS = {
    True: ["past", "past", "past", "could", "wanted to", "had to"],
    False: ["will", "want to", "can", "going to", "have to", "present progressive"],
}


def is_pronoun(phrase: NounPhrase) -> bool:
    """Say whether this is a pronoun: a name must come before the pronoun that refers to it."""
    return phrase.entry is not None and phrase.entry.file == "pronouns"


def feeling(name: str) -> Entry:
    """Give the adjective that is said of people."""
    return next(
        one
        for one in read("adjectives")
        if one["english"] == name and "person" in one.list("nouns")
    )


def effect(chooser: Chooser, subject: NounPhrase, row: Entry, past: bool) -> Part:
    """Make what the cause leads to, or what it prevents."""
    good, bad = row.list("leads_to"), row.list("prevents")
    negative = not good or (bool(bad) and chooser.chance(0.35))
    mood = BY_NAME[chooser.one(EFFECTS[past])]
    if negative:
        mood = BY_NAME[chooser.one(["past", "could"] if past else ["can", "want to", "will"])]
    clause = make_clause(
        chooser,
        mood,
        subject,
        rich=0.03,
        verb=chooser.entry(verbs_named(bad if negative else good)),
    )
    clause.nothing_in_front()
    clause.middle = []
    clause.slots = [part for part in clause.slots if part[0] != "frequency"]
    return clause.english_words(mood, negative), clause.korean_words(mood, negative)


def events(row: Entry) -> list[Entry]:
    """Give the verbs that bring the feeling about.

    Who misses a bus is late, who misses a friend is sad.
    """
    found = verbs_named(row.list("comes_from"))
    return [
        verb
        for verb in found
        if verb["english"] != "miss"
        or ("transit" in verb.list("objects")) == (row["cause"] == "late")
    ]


def cause_and_effect(chooser: Chooser) -> tuple[Part, Part, NounPhrase, bool]:
    """Make a cause closed by -어서, its effect, and say whether both have one subject."""
    past = chooser.chance(0.65)
    kind = chooser.weighted([("feeling", 5), ("weather", 2.5), ("event", 4)])
    first, second, same = two_subjects(
        chooser, {"feeling": 0.8, "weather": 0.5, "event": 1.0}[kind]
    )
    if kind == "weather":
        row = chooser.entry([one for one in read("reasons") if one["kind"] == "weather"])
        weather = next(one for one in read("weather") if one["english"] == row["cause"])
        return weather_part("어서", past, weather), effect(chooser, first, row, past), first, False
    rows = [
        one
        for one in read("reasons")
        if one["kind"] == "adjective" and (kind == "feeling" or one.list("comes_from"))
    ]
    row = chooser.entry(rows)
    if kind == "feeling":
        if not same:
            second = person_subject(chooser)
            first = pronoun(second.pronoun)
        return (
            adjective_part(second, feeling(row["cause"]), "어서", past, ""),
            effect(chooser, first, row, past),
            second,
            True,
        )
    mood = BY_NAME["past"]
    clause = make_clause(chooser, mood, second, rich=0.05, verb=chooser.entry(events(row)))
    if row["cause"] == "late" and clause.verb["english"] in ("wake up", "get up"):
        clause = make_clause(chooser, mood, second, rich=0.0, verb=clause.verb)
        clause.add_adverb(find("adverbs", "english", "late"))
    clause.nothing_in_front()
    tag = new_tag()
    words = be(
        first, "past" if past else "present", False, False, tag, english(row["cause"], tag, 0)
    )
    made = [
        *first.with_particle("은"),
        *adjective_words(tensed(feeling(row["cause"]), "past" if past else "present", False), tag),
    ]
    return (
        (clause.english_words(mood), closed_clause(clause, "어서", True, "" if same else "이")),
        (words, made),
        first,
        same,
    )


@construction("because", 5.1)
def because(chooser: Chooser) -> Sentence:
    """I stayed home because I was tired. Because it rained, we stayed home."""
    part, main, subject, same = cause_and_effect(chooser)
    return same_subject(
        order(chooser, "because", part, main, 0.2 if is_pronoun(subject) or not same else 1.0),
        subject,
        same,
        part,
        main,
    )


@construction("so", 3.4)
def so(chooser: Chooser) -> Sentence:
    """I was tired, so I went to bed early."""
    part, main, subject, same = cause_and_effect(chooser)
    head = with_comma(part[0]) if chooser.chance(0.75) else part[0]
    sentence = Sentence([*head, *english("so", part[1][-1].tag), *main[0]], [*part[1], *main[1]])
    return same_subject(sentence, subject, same, part, main)


@construction("if: reasons", 2.7)
def if_reason(chooser: Chooser) -> Sentence:
    """If it rains, I'll stay home. If you are tired, you should rest."""
    row = chooser.entry(read("reasons"))
    subject = person_subject(chooser)
    other = pronoun(subject.pronoun)
    if row["kind"] == "weather":
        part = weather_part(
            "으면", False, next(one for one in read("weather") if one["english"] == row["cause"])
        )
    else:
        part = adjective_part(subject, feeling(row["cause"]), "으면", False, "")
    good, bad = row.list("leads_to"), row.list("prevents")
    negative = not good or (bool(bad) and chooser.chance(0.2))
    mood = BY_NAME[
        chooser.one(
            ["will", "will"] if negative else ["will", "will", "should", "can", "going to", "may"]
        )
    ]
    clause = make_clause(
        chooser,
        mood,
        other if row["kind"] != "weather" else subject,
        rich=0.02,
        verb=chooser.entry(verbs_named(bad if negative else good)),
    )
    clause.nothing_in_front()
    main = (clause.english_words(mood, negative), clause.korean_words(mood, negative))
    return same_subject(
        order(chooser, "if", part, main, 0.6 if is_pronoun(subject) else 1.0),
        subject,
        row["kind"] != "weather",
        part,
        main,
    )


@construction("why: because", 0.8)
def why_because(chooser: Chooser) -> Sentence:
    """I like him because he is kind."""
    subject = pronoun(pronoun_row(chooser.one(["I", "I", "we", "you"])))
    verb = chooser.entry(
        [one for one in verbs_named(("like", "love")) if "person_known" in one.list("objects")]
    )
    other = person(chooser, chooser.one(["name", "kin"]))
    clause = daily_clause(chooser, BY_NAME["present"], subject)
    clause.verb, clause.after, clause.slots, clause.adverb = verb, [], [], []
    clause.add("object", list(other.objective), other.with_particle(verb["particle"]))
    entry = feeling(
        chooser.one(
            [
                "kind",
                "honest",
                "smart",
                "funny",
                "friendly",
                "nice",
                "diligent",
                "brave",
                "polite",
                "strong",
            ]
        )
    )
    part = adjective_part(pronoun(other.pronoun), entry, "어서", False, "이")
    main = (clause.english_words(BY_NAME["present"]), clause.korean_words(BY_NAME["present"]))
    return order(chooser, "because", part, main, 0.05)
