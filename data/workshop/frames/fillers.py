"""What may stand in a gap: the classes of frames, from the lexicon's files.

A class is a function in `CLASSES`, or, if there is none, a class of `nouns.tsv`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from data.workshop.frames import numbers, people, predicates
from data.workshop.frames.korean_forms import Filler
from data.workshop.frames.reading import FrameError
from data.workshop.frames.tables import rows, share
from data.workshop.lexicon import Entry
from data.workshop.noun_phrases import article

CITIES_OF_PLACES = ("Seoul", "Busan", "Incheon", "New York", "London", "Paris", "Tokyo")


SAME_COUNTRY = ("South Korea", "America")


NOUN_CLASSES = {
    "hobby": ("hobby", "pastime"),
    "instrument": ("instrument", "keys", "strings"),
    "bodypart": ("bodypart", "body"),
}


ILLNESSES = {
    "headache": "두통", "stomachache": "복통", "toothache": "치통", "backache": "허리 통증",
    "cold": "감기", "fever": "열", "cough": "기침", "runny nose": "콧물", "sore throat": "목 통증",
}  # fmt: skip


@cache
def fillers(name: str) -> tuple[Filler, ...]:
    """Give the fillers of a class; FrameError if there is no such class, or nothing in it."""
    if name.startswith("digits:"):
        return tuple(numbers.digits(name.removeprefix("digits:")))
    found = [*CLASSES[name]()] if name in CLASSES else []
    found += _nouns(*NOUN_CLASSES.get(name, (name,))) if name not in ONLY_THESE else []
    if not found:
        raise FrameError(f"no class {name}" if name not in CLASSES else f"no words in class {name}")
    return tuple(_once(found))


def _once(found: Iterable[Filler]) -> list[Filler]:
    """Drop the second of two with the same English."""
    by_english: dict[str, Filler] = {}
    for filler in found:
        by_english.setdefault(filler.english, filler)
    return list(by_english.values())


def _nouns(*classes: str) -> list[Filler]:
    return [noun(entry) for entry in rows("nouns") if set(classes) & set(entry.list("classes"))]


@cache
def noun(entry: Entry) -> Filler:
    """Make a noun with its forms: apple, an apple, apples; water, some water; pants, some pants."""
    word, kind = entry["english"], entry["kind"]
    several = entry["plural"] if kind == "count" and entry["plural"] != "-" else word
    single = kind == "count" or (kind == "single")
    forms = {
        "": word,
        "s": several,
        "the": word if kind == "bare" else f"the {word}",
        "my": f"my {word}",
        "your": f"your {word}",
    }
    forms["a"] = (
        f"{article(word)} {word}"
        if single
        else f"some {word}"
        if kind in ("mass", "plural")
        else word
    )
    forms["any"] = f"any {word}" if kind in ("mass", "plural") else forms["a"]
    if kind == "unique" and not word.startswith("the "):
        forms["a"] = f"the {word}"
    extra = {} if entry["counter"] == "-" else {"counter": entry["counter"]}
    person = "plural" if kind in ("plural", "body") and entry["plural"] != "-" else "third"
    human = "person" in entry.list("classes")
    return Filler(
        forms,
        entry["korean"],
        kind=kind,
        korean_forms=extra,
        person=person,
        share=share(word),
        human=human,
        pronoun=_he_or_she(entry),
    )


def _he_or_she(entry: Entry) -> Entry | None:
    return (
        people.pronoun_of("female" in entry.list("classes"))
        if "person" in entry.list("classes")
        else None
    )


def _places() -> list[Filler]:
    """Give places that one goes to, with their prepositions; no towns, no "here", no "my room"."""
    found = []
    for entry in rows("places"):
        word = entry["english"]
        if (
            "goal" in entry.list("uses")
            and word not in CITIES_OF_PLACES
            and not word.startswith(("a ", "an ", "my ", "here", "there"))
        ):
            found.append(place(entry))
    return found


@cache
def place(entry: Entry) -> Filler:
    """Make a place: the bank, to the bank, at the bank, a bank, banks."""
    word = entry["english"]
    bare = word.removeprefix("the ")
    to = entry["to"].removeprefix("-") if entry["to"].startswith("-") else f"to {entry['to']}"
    forms = {
        "": word,
        "to": to,
        "in": f"{entry['preposition'].removeprefix('-')} {word}",
        "the": f"the {bare}",
    }
    proper = bare[0].isupper() or bare.endswith("s")
    forms["a"] = word if proper else f"{article(bare)} {bare}"
    return Filler(forms, entry["korean"], share=share(word), kind="unique" if proper else "count")


def _cities() -> list[Filler]:
    known = [
        plain(entry["english"], entry["korean"])
        for entry in rows("places")
        if entry["english"] in CITIES_OF_PLACES
    ]
    return [
        *known,
        *(
            plain(entry["english"], entry["korean"])
            for entry in rows("cities")
            if entry["class"] == "city"
        ),
    ]


def _countries() -> list[Filler]:
    known = [
        plain(entry["english"], entry["korean"])
        for entry in rows("countries")
        if entry["english"] not in SAME_COUNTRY
    ]
    return [
        *known,
        *(
            plain(entry["english"], entry["korean"])
            for entry in rows("cities")
            if entry["class"] == "country"
        ),
    ]


def _nationalities() -> list[Filler]:
    """Give Korean, 한국 사람; {nationality:country} is 한국."""
    found = [entry for entry in rows("countries") if entry["nationality"] != "-"]
    return [
        plain(entry["nationality"], f"{entry['korean']} 사람", country=entry["korean"])
        for entry in found
    ]


def plain(word: str, korean: str, kind: str = "bare", **korean_forms: str) -> Filler:
    """Make a word that has no forms in English."""
    return Filler(
        {"": word, "a": f"{article(word)} {word}"},
        korean,
        kind=kind,
        korean_forms=korean_forms,
        share=share(word),
    )


def _calendar(kind: str) -> list[Filler]:
    return [_with_plural(entry) for entry in rows("calendar") if entry["kind"] == kind]


def _with_plural(entry: Entry) -> Filler:
    word = entry["english"]
    return Filler({"": word, "s": f"{word}s", "a": f"a {word}"}, entry["korean"], kind="bare")


def _times(tense: str) -> list[Filler]:
    """Give the adverbs of time for a tense; all are drawn equally often."""
    return [
        Filler({"": entry["english"]}, entry["korean"], kind="bare")
        for entry in rows("times")
        if tense in entry.list("tense")
    ]


def _colors() -> list[Filler]:
    return [plain(entry["english"], entry["korean"], "adjective") for entry in rows("colors")]


def _illnesses() -> list[Filler]:
    return [
        Filler({"": word, "a": f"a {word}"}, korean, share=share(word))
        for word, korean in ILLNESSES.items()
    ]


def _persons() -> list[Filler]:
    found = [
        entry
        for entry in rows("nouns")
        if "person" in entry.list("classes") and entry["kind"] == "count"
    ]
    return [noun(entry) for entry in found if not {"kin", "people"} & set(entry.list("classes"))]


CLASSES: dict[str, Callable[[], Iterable[Filler]]] = {
    "who": people.who, "someone": people.someone, "name": people.names, "kin": people.kin,
    "person": _persons, "activity": lambda: predicates.activities("activity"),
    "outing": lambda: predicates.activities("outing"),
    "chore": lambda: predicates.activities("chore"),
    "feeling": lambda: predicates.adjectives("feeling"),
    "trait": lambda: predicates.adjectives("trait"),
    "quality": lambda: predicates.adjectives("quality"),
    "taste": lambda: predicates.adjectives("taste"),
    "weather": lambda: predicates.adjectives("weather"), "place": _places, "city": _cities,
    "country": _countries, "nationality": _nationalities,
    "color": _colors, "weekday": lambda: _calendar("weekday"), "month": lambda: _calendar("month"),
    "illness": _illnesses, "past": lambda: _times("past"), "future": lambda: _times("future"),
    "habit": lambda: _times("habit"), "now": lambda: _times("prog"), "duration": numbers.durations,
    "number": numbers.small_numbers, "year": numbers.years, "clock": numbers.clock,
    "hour": numbers.hours, "date": numbers.dates, "price": numbers.prices,
}  # fmt: skip


# Classes that nouns.tsv has too, in another sense.
ONLY_THESE = ("place", "person", "kin", "someone", "weather")
