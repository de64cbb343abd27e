"""How long, how tall, what colour, from when to when, for how long."""

from __future__ import annotations

from dataclasses import replace

from data.workshop.adjectives import fitting, predicate
from data.workshop.chooser import Chooser, UnsuitableError
from data.workshop.clause_maker import make_clause, verbs_named
from data.workshop.constructions.describing import described_thing
from data.workshop.constructions.preferring import some_subject
from data.workshop.korean import attach
from data.workshop.lexicon import nouns_of, number, read
from data.workshop.moods import BE, BY_NAME
from data.workshop.noun_phrases import it, noun, pronoun, pronoun_row
from data.workshop.people import any_owner
from data.workshop.registry import construction
from data.workshop.times import clock
from data.workshop.words import Korean, Sentence, english, korean, new_tag


@construction("it takes", 0.4)
def it_takes(chooser: Chooser) -> Sentence:
    """It takes ten minutes. It took two hours by bus. How long does it take?"""
    tag, own = new_tag(), new_tag()
    past = chooser.chance(0.35)
    value = chooser.one([2, 3, 4, 5, 10, 15, 20, 30, 40, 50])
    row = number(value)
    unit = chooser.one(
        [("minutes", "분", "sino"), ("hours", "시간", "native")]
        if value < 6
        else [("minutes", "분", "sino")]
    )
    words = [
        *it().english,
        *english("took" if past else "takes", tag, 0),
        *english(row["english"], own, 0),
        *english(unit[0], own),
    ]
    made = [
        Korean(row[unit[2]], own),
        Korean(unit[1], own, False),
        *korean("걸렸어" if past else "걸려", tag),
    ]
    if chooser.chance(0.5):
        vehicle = chooser.entry(
            nouns_of(("bus", "train", "taxi", "subway", "car", "plane", "bike", "ship"))
        )
        means = new_tag()
        words += english(f"by {vehicle['english']}", means, -1)
        made = [*korean(attach(vehicle["korean"], "로"), means), *made]
    return Sentence(words, made)


@construction("what color", 0.4)
def what_color(chooser: Chooser) -> Sentence:
    """What color is your bag?"""
    entry = chooser.entry(
        [
            one
            for one in nouns_of(
                ("colored", "clothes", "hat", "shoes", "hair", "eyes", "house", "dog", "cat")
            )
            if one["kind"] in ("count", "plural", "body")
        ]
    )
    owner = any_owner(chooser)
    phrase = (
        noun(entry, owner=owner)
        if entry["kind"] == "body" or chooser.chance(0.6)
        else noun(
            entry, "the" if entry["kind"] == "plural" else chooser.one(["the", "this", "that"])
        )
    )
    tag, own = new_tag(), new_tag()
    words = [
        *english("what", own, 0),
        *english("color", tag, 0),
        *english(BE[phrase.number][0], tag),
        *phrase.english,
    ]
    return Sentence(
        words, [*phrase.with_particle("은"), *korean("무슨", own), *korean("색이야", tag)], "?"
    )


@construction("how tall", 0.6)
def how_tall(chooser: Chooser) -> Sentence:
    """How tall are you? How long is this bridge? How far is the station?"""
    tag, own = new_tag(), new_tag()
    if chooser.chance(0.4):
        subject = some_subject(chooser)
        entry = next(
            one
            for one in read("adjectives")
            if one["english"] == "tall" and "person" in one.list("nouns")
        )
    else:
        measurable = ("big", "tall", "high", "long", "heavy", "wide", "old", "expensive")
        source = chooser.entry(
            [
                one
                for one in read("nouns")
                if one["kind"] == "count"
                and "person" not in one.list("classes")
                and any(
                    e["english"] in measurable and e["uses"] != "state"
                    for e in fitting(one, "predicative")
                )
            ]
        )
        subject = described_thing(chooser, source)
        entry = chooser.entry(
            [
                e
                for e in fitting(source, "predicative")
                if e["english"] in measurable and e["uses"] != "state"
            ]
        )
    if subject.pronoun["subject"] == "I":
        subject = pronoun(pronoun_row("you"))
    opened = predicate(entry, ("얼마나",))
    words = [
        *english("how", own, 0),
        *english(entry["english"], tag, 0),
        *english(BE[subject.number][0], tag),
        *subject.english,
    ]
    made = [
        Korean(text, own if text == "얼마나" else tag, text == "얼마나" or place == opened.main)
        for place, text in enumerate(opened.close("final"))
    ]
    return Sentence(words, [*subject.with_particle("은"), *made], "?")


@construction("from … to", 0.5)
def from_to(chooser: Chooser) -> Sentence:
    """I work from nine to five. We go to school from Monday to Friday."""
    mood = BY_NAME[chooser.one(["present", "past", "will", "have to"])]
    clause = make_clause(
        chooser,
        mood,
        some_subject(chooser),
        rich=0.0,
        verb=chooser.entry(
            verbs_named(
                ("work", "study", "sleep", "practice", "exercise", "play", "watch", "read", "swim")
            )
        ),
    )
    if chooser.chance(0.65):
        first, second = clock(chooser, minutes=False), clock(chooser, minutes=False)
        while first[1][0].text == second[1][0].text:
            second = clock(chooser, minutes=False)
    else:
        days = [chooser.row("calendar", "kind", "weekday") for _ in range(2)]
        if days[0] is days[1]:
            raise UnsuitableError
        tags = [new_tag(), new_tag()]
        first, second = (
            (english(day["english"], tag, 0), korean(day["korean"], tag))
            for day, tag in zip(days, tags, strict=True)
        )
    words = [
        *english("from", first[1][-1].tag),
        *first[0],
        *english("to", second[1][-1].tag),
        *second[0],
    ]
    clause.add("duration", words, [*_ended(first[1], "부터"), *_ended(second[1], "까지")])
    return clause.statement(mood)


def _ended(words: list[Korean], particle: str) -> list[Korean]:
    return [*words[:-1], replace(words[-1], text=attach(words[-1].text, particle))]


@construction("have been", 0.8)
def have_been(chooser: Chooser) -> Sentence:
    """I have lived in Seoul for ten years. Have you ever been to Japan?"""
    if chooser.chance(0.45):
        country = (
            chooser.row("countries")
            if chooser.chance(0.6)
            else chooser.row("places", "uses", "travel")
        )
        tag, own = new_tag(), new_tag()
        goal_english, goal_korean = (
            english(f"to {country['english']}", own, -1),
            korean(attach(country["korean"], "에"), own),
        )
        if chooser.chance(0.55):
            you = pronoun(pronoun_row("you"))
            words = [
                *english("have", tag),
                *you.english,
                *english("ever", tag),
                *english("been", tag, 0),
                *goal_english,
            ]
            return Sentence(
                words,
                [*you.with_particle("은"), *goal_korean, *korean("가 본 적이 있어", tag, 0)],
                "?",
            )
        subject = some_subject(chooser)
        never = chooser.chance(0.5)
        helper = "has" if subject.number == "third" else "have"
        once = new_tag()
        words = [
            *subject.english,
            *english(helper, tag),
            *(english("never", once, 0) if never else []),
            *english("been", tag, 0),
            *goal_english,
        ]
        first = korean("한 번도", once, 0) if never else []
        return Sentence(
            words,
            [
                *subject.with_particle("은"),
                *first,
                *goal_korean,
                *korean(f"가 본 적이 {'없어' if never else '있어'}", tag, 0),
            ],
        )
    clause = make_clause(
        chooser,
        BY_NAME["past"],
        some_subject(chooser),
        rich=0.0,
        verb=chooser.entry(verbs_named(("live", "work", "study", "learn", "play", "teach"))),
    )
    own = new_tag()
    value = chooser.one(range(1, 16))
    unit, translation = ("year" if value == 1 else "years", "년")
    clause.add(
        "duration",
        [
            *english("for", own),
            *english(number(value)["english"] if value > 1 else "a", own),
            *english(unit, own, 0),
        ],
        [
            Korean(number(value)["sino"], own),
            Korean(translation, own, False),
            Korean("동안", own, False),
        ],
    )
    helper = "has" if clause.subject.number == "third" else "have"
    words = [
        *clause.subject.english,
        *english(helper, clause.tag),
        *english(clause.verb["participle"], clause.tag, 0),
        *clause.after,
    ]
    return Sentence(words, clause.korean_with(("past",)))
