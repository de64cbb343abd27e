"""Adverbs, companions, means, times and durations that suit a clause."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.clauses import Clause
from data.workshop.korean import attach
from data.workshop.lexicon import find, nouns_of, read
from data.workshop.moods import Mood
from data.workshop.people import known_person
from data.workshop.places import at_place
from data.workshop.times import time_phrase
from data.workshop.words import english, korean, new_tag

VEHICLES = ("bus", "train", "taxi", "subway", "car", "plane", "bike", "ship")


LONG = (
    "sleep", "study", "wait", "work", "practice", "play", "watch", "walk", "swim", "stay", "live",
    "talk", "exercise", "travel", "read",
    "rest", "cry", "cook", "drive", "wait for", "run", "listen to", "learn", "stay home", "dance",
    "sing",
)  # fmt: skip


VERY_LONG = ("stay", "live", "travel", "learn", "work", "study", "practice", "stay home")


def decorate(chooser: Chooser, clause: Clause, mood: Mood, rich: float) -> None:
    """Add adverbials that suit the verb and the mood, seldom more than two."""
    verb, extras = clause.verb, clause.verb.list("extras")
    many = clause.subject.number == "plural" or clause.subject.pronoun["subject"] in ("we", "they")
    adverbs = [word for word in verb.list("adverbs") if word != ("alone" if many else "together")]
    if chooser.chance(rich * 0.7) and adverbs:
        clause.add_adverb(
            chooser.entry([find("adverbs", "english", word) for word in adverbs]), *degree(chooser)
        )
    elif chooser.chance(rich * 0.7) and "with" in extras:
        other = known_person(chooser, clause.subject)
        clause.add(
            "companion", [*english("with", other.tag), *other.objective], other.with_particle("와")
        )
    if chooser.chance(rich) and "by" in extras and not close_by(clause):
        add_means(chooser, clause)
    elif (
        chooser.chance(rich)
        and verb.list("places")
        and verb["frame"] in ("intransitive", "transitive", "about")
    ):
        clause.add("place", *at_place(chooser.row("places", "uses", *verb.list("places")), "에서"))
    if (
        mood.name in ("past", "will", "going to", "past progressive", "have to", "want to")
        and chooser.chance(rich * 1.6)
        and verb["english"] in LONG
        and verb["frame"] != "goal"
    ):
        row, own = (
            chooser.row("durations", "kind", "long" if verb["english"] in VERY_LONG else "short"),
            new_tag(),
        )
        clause.add("duration", english(row["english"], own, -1), korean(row["korean"], own))
    lasting = "state" in extras and mood.name == "present"
    lasting = lasting or any(slot == "duration" for slot, _ in clause.slots)
    if chooser.chance(rich) and not lasting:
        add_time(chooser, clause, mood)
    timed = any(slot in ("time", "front") for slot, _ in clause.slots)
    if mood.name == "present" and not lasting and not timed and chooser.chance(rich * 0.5):
        add_frequency(chooser, clause)


def close_by(clause: Clause) -> bool:
    """Say whether one goes to a room or a garden: not by train."""
    goals = [word.text for slot, words in clause.slots if slot == "goal" for word in words]
    near = [
        place["korean"]
        for place in read("places")
        if "goal" in place.list("uses") and "far" not in place.list("uses")
    ]
    return bool(goals) and goals[-1].removesuffix("에") in near


def degree(chooser: Chooser) -> tuple[str, ...]:
    """Choose very, so or too, or most often nothing."""
    return (chooser.weighted([("very", 6), ("so", 1), ("too", 2)]),) if chooser.chance(0.2) else ()


def add_means(chooser: Chooser, clause: Clause) -> None:
    """Add by bus, 버스로; on foot, 걸어서."""
    tag = new_tag()
    if clause.verb["english"] == "go" and chooser.chance(0.12):
        clause.add("means", english("on foot", tag, -1), korean("걸어서", tag))
        return
    vehicle = chooser.entry(nouns_of(VEHICLES))
    clause.add(
        "means",
        english(f"by {vehicle['english']}", tag, -1),
        korean(attach(vehicle["korean"], "로"), tag),
    )


def add_frequency(chooser: Chooser, clause: Clause) -> None:
    """Add always, often, …"""
    entry = chooser.entry(
        tuple(
            row
            for row in read("adverbs")
            if row["kind"] == "frequency" and row["english"] != "never"
        )
    )
    tag = new_tag()
    clause.add(
        "frequency", english(entry["english"], tag, 0), korean(entry["korean"], tag), "middle"
    )


def add_time(chooser: Chooser, clause: Clause, mood: Mood) -> None:
    """Add a time that suits the mood, last or first in the English sentence."""
    made = time_phrase(chooser, mood.times)
    if made is None:
        return
    words, translation, front = made
    if front and chooser.chance(0.18):
        clause.add("front", words, translation, "front")
    else:
        clause.add("time", words, translation)
