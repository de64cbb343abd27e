"""Fillers that are conjugated: what people do (activities), and adjectives."""

from __future__ import annotations

from functools import cache

from data.workshop.frames.korean_forms import Filler
from data.workshop.frames.tables import cell, rows, share
from data.workshop.korean import attach
from data.workshop.lexicon import Entry
from data.workshop.noun_phrases import article

FEELINGS = (
    "happy", "sad", "angry", "tired", "sleepy", "hungry", "thirsty", "sick", "busy", "excited",
    "surprised", "bored", "nervous", "lonely", "scared",
)  # fmt: skip


TRAITS = (
    "kind", "smart", "clever", "brave", "honest", "funny", "strong", "shy", "lazy", "diligent",
    "polite", "friendly", "famous", "tall",
)  # fmt: skip


QUALITIES = (
    "big",
    "small",
    "good",
    "expensive",
    "cheap",
    "heavy",
    "light",
    "old",
    "beautiful",
    "pretty",
    "special",
)


TASTES = ("delicious", "sweet", "sour", "salty", "spicy", "fresh")


WEATHERS = ("sunny", "cloudy", "hot", "cold", "warm", "cool")


OUTINGS = (
    "go swimming",
    "go shopping",
    "go out",
    "take a walk",
    "swim",
    "have a picnic",
    "go hiking",
    "go fishing",
    "go camping",
    "eat out",
)


CHORES = ("wash the dishes", "clean", "cook", "study", "work", "go shopping", "practice")


# Verbs whose objects make a whole activity: play soccer, study math, play the piano.
WITH_OBJECTS = {
    ("play", "하"): ("sport",),
    ("play", "치"): ("keys",),
    ("study", "공부하"): ("subject", "language"),
}


@cache
def activities(name: str) -> tuple[Filler, ...]:
    """Give the verb phrases of a class: rows of activities.tsv, and some of verbs.tsv."""
    written = [
        row for row in rows("activities") if name in row.list("classes") or name == "activity"
    ]
    return (*map(activity, written), *(made for made in _from_verbs() if _is(made, name)))


def _is(made: Filler, name: str) -> bool:
    word = made.english
    if name == "outing":
        return word in OUTINGS or word.startswith("play ")
    return name == "activity" or word in CHORES or word.startswith("study ")


@cache
def activity(row: Entry) -> Filler:
    """Make a verb phrase in all its forms."""
    forms = {
        "": row["english"],
        "3rd": row["third"],
        "past": row["past"],
        "done": row["participle"],
        "ing": row["ing"],
    }
    return Filler(forms, row["korean"], row["tag"], "verb", share=share(row["english"]))


@cache
def _from_verbs() -> tuple[Filler, ...]:
    """Give what people do day by day: go swimming, rest, play the piano, study math."""
    found = []
    for row in rows("verbs"):
        if (
            row["frame"] == "intransitive"
            and "person" in row.list("subjects")
            and "daily" in row.list("extras")
        ):
            found.append(_verb(row, "", ""))
        for noun in _objects(row):
            the = "the " if noun["kind"] == "theme" else ""
            found.append(_verb(row, f" {the}{noun['english']}", attach(noun["korean"], "을") + " "))
    return tuple(found)


def _objects(row: Entry) -> list[Entry]:
    classes = WITH_OBJECTS.get((row["english"], row["korean"]), ())
    return [
        noun
        for noun in rows("nouns")
        if noun["kind"] in ("bare", "theme") and set(classes) & set(noun.list("classes"))
    ]


def _verb(row: Entry, object_english: str, object_korean: str) -> Filler:
    columns = {"": "english", "3rd": "third", "past": "past", "done": "participle", "ing": "ing"}
    forms = {form: row[column] + object_english for form, column in columns.items()}
    return Filler(forms, object_korean + row["korean"], row["tag"], "verb", share=share(forms[""]))


LISTS = {"feeling": FEELINGS, "trait": TRAITS, "quality": QUALITIES, "taste": TASTES}


@cache
def adjectives(name: str) -> tuple[Filler, ...]:
    """Give the adjectives of a class: those of the lists above, and rows that name the class."""
    found = [adjective(row) for row in _chosen(name)]
    if name == "weather":
        found += [
            adjective(row)
            for row in rows("weather")
            if row["english"] in WEATHERS and row["kind"] == "adjective"
        ]
    return tuple(found)


def _chosen(name: str) -> list[Entry]:
    """Give the rows of a class; of two rows for one word the first that suits."""
    chosen = []
    for row in rows("adjectives"):
        ours = (
            name in row.list("classes")
            if cell(row, "classes")
            else row["english"] in LISTS.get(name, ()) and _suits(row, name)
        )
        if ours and row["tag"] != "MM":
            chosen.append(row)
    return chosen


def _suits(row: Entry, name: str) -> bool:
    """Say whether this reading is the class's: old things are 오래됐어, old people aren't."""
    nouns = row.list("nouns")
    if name in ("feeling", "trait"):
        return bool({"person", "singer"} & set(nouns))
    return name == "taste" or not {"person", "man"} & set(nouns)


@cache
def adjective(row: Entry) -> Filler:
    """Make an adjective: big, bigger, biggest, a big."""
    word = row["english"]
    forms = {"": word, "a": f"{article(word)} {word}"}
    forms |= {
        form: cell(row, column)
        for form, column in (("er", "comparative"), ("est", "superlative"))
        if cell(row, column) not in ("", "-")
    }
    korean = cell(row, "korean") or row["korean_stem"]
    return Filler(
        forms,
        korean,
        row["tag"],
        "adjective",
        share=share(word),
        state=cell(row, "uses") == "state",
    )
