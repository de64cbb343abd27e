"""Places with what may be found there."""

from __future__ import annotations

from data.workshop.chooser import Chooser, UnsuitableError
from data.workshop.lexicon import nouns_of, read
from data.workshop.noun_phrases import NounPhrase, noun
from data.workshop.nouns_at_random import _adjective, measured
from data.workshop.places import at_place, at_spot, between, spot_of
from data.workshop.words import English, Korean

COUNTS = [
    (2, 6.0), (3, 6), (4, 4), (5, 4), (6, 2), (7, 2), (8, 1), (9, 1), (10, 2), (11, 0.4),
    (12, 0.6), (13, 0.4), (14, 0.4), (15, 0.5),
    (16, 0.4), (17, 0.4), (18, 0.4), (19, 0.4), (20, 0.6), (30, 0.4), (100, 0.3),
]  # fmt: skip


SMALL = ("thing", "snack", "fruit", "pet")


def existing_thing(chooser: Chooser, classes: tuple[str, ...]) -> NounPhrase:
    """Make a cat, three apples, some milk, many people."""
    entry = chooser.entry(nouns_of(classes))
    if entry["kind"] == "mass":
        return (
            measured(chooser, entry)
            if chooser.chance(0.4)
            else noun(entry, chooser.one(["some", "some", "", "a lot of"]))
        )
    if entry["kind"] == "plural":
        return noun(
            entry,
            chooser.one(["some", ""])
            if entry["english"] in ("grapes", "noodles", "vegetables", "snacks", "clothes")
            else "",
        )
    adjective = _adjective(chooser, entry, 0.15)
    kind = chooser.weighted(
        [("a", 7), ("number", 5), ("some", 1.5), ("many", 1.2), ("a lot of", 0.6), ("no", 0.4)]
    )
    if kind == "number":
        return noun(
            entry,
            adjective=adjective,
            count=chooser.weighted(COUNTS),
        )
    return noun(entry, kind if kind != "no" else "a", adjective if kind == "a" else None)


ROOMS = (
    "the kitchen", "the living room", "the room", "my room", "his room", "her room",
    "the classroom", "the office", "the garden", "the yard",
)  # fmt: skip


OUTDOORS: tuple[str, ...] = (
    "child", "boy", "girl", "man", "woman", "people", "kid", "bench", "tree", "dog", "cat", "bird",
    "chair", "table", "car", "bike",
)  # fmt: skip


SPECIAL_PLACES: dict[str, tuple[str, ...]] = {
    "zoo": ("animal",), "farm": ("cow", "horse", "pig", "sheep", "goat", "duck"),
    "classroom": ("student", "desk", "chair", "boy", "girl", "computer", "kid"),
}  # fmt: skip


PREPOSITION_WEIGHTS = [
    ("on", 6.0), ("in", 4), ("under", 4), ("behind", 2), ("in front of", 2), ("next to", 2),
    ("near", 1), ("by", 0.7), ("beside", 0.4),
    ("across from", 0.6), ("inside", 0.5), ("between", 1.3),
]  # fmt: skip


LANDMARKS = (
    "house", "tree", "door", "car", "building", "school", "park", "station", "hospital", "table",
    "sofa", "window", "bed", "bank", "library",
    "store", "church", "hotel", "desk", "restaurant", "museum", "bridge",
)  # fmt: skip


INDOORS = ("table", "sofa", "bed", "desk", "window", "door")


BUILDINGS = ("house", "school", "park", "bank", "station", "hospital", "library", "store", "church")


WITH_LEGS = ("table", "desk", "chair", "bed", "sofa", "bench")


def somewhere(
    chooser: Chooser, particle: str = "에", rooms: bool = False
) -> tuple[list[English], list[Korean], tuple[str, ...]]:
    """Make a place, and the classes of what may be there."""
    if chooser.chance(0.4):
        return _at_a_place(chooser, particle, rooms)
    preposition = chooser.weighted(PREPOSITION_WEIGHTS)
    if preposition in ("in", "inside"):
        spot = chooser.entry(nouns_of(("container",)))
        return *at_spot(preposition, spot_of(chooser, spot), particle), SMALL[:3]
    if preposition in ("on", "under"):
        surfaces = [
            one
            for one in nouns_of(("surface",))
            if preposition == "on" or one["english"] in WITH_LEGS
        ]
        spot = chooser.entry(surfaces)
        return *at_spot(preposition, spot_of(chooser, spot), particle), SMALL if spot[
            "english"
        ] not in ("roof",) else ("bird", "cat")
    return _beside(chooser, preposition, particle)


def _at_a_place(
    chooser: Chooser, particle: str, rooms: bool
) -> tuple[list[English], list[Korean], tuple[str, ...]]:
    """Make at the zoo, in the kitchen."""
    place = chooser.entry(
        [
            one
            for one in read("places")
            if "exist" in one.list("uses") and (not rooms or one["english"] in ROOMS)
        ]
    )
    name = place["english"].removeprefix("the ")
    usual = OUTDOORS
    if name in ("river", "sea", "lake"):
        usual = ("fish", "boat", "ship", "duck", "island")
    if name in (
        "kitchen",
        "living room",
        "room",
        "my room",
        "his room",
        "her room",
        "library",
        "office",
        "bookstore",
    ):
        usual = ("furniture", "device", "book", "picture", "clock", "people", "lamp", "cat")
    words, translation = at_place(place, particle)
    return words, translation, SPECIAL_PLACES.get(name, usual)


def _beside(
    chooser: Chooser, preposition: str, particle: str
) -> tuple[list[English], list[Korean], tuple[str, ...]]:
    """Make behind the house, next to the sofa, between the bank and the park."""
    spot = chooser.entry(nouns_of(LANDMARKS))
    small = spot["english"] in INDOORS
    there: tuple[str, ...] = (
        "dog",
        "cat",
        "bike",
        "bench",
        "tree",
        "car",
        "child",
        "man",
        "woman",
        "boy",
        "girl",
        "people",
    )
    if small:
        there = (
            "thing_small",
            "chair",
            "bag",
            "box",
            "cat",
            "dog",
            "lamp",
            "ball",
            "basket",
            "umbrella",
            "puppy",
        )
    elif preposition in ("next to", "near", "across from", "beside", "between"):
        there += ("place",)
    if preposition == "between":
        second = chooser.entry(nouns_of((*INDOORS, "chair") if small else BUILDINGS))
        if second is spot:
            raise UnsuitableError
        return *between(noun(spot, "the"), noun(second, "the"), particle), there
    return *at_spot(preposition, noun(spot, "the"), particle), there
