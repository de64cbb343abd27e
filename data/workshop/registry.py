"""The list of constructions; a module of `constructions` adds to it with the decorator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from data.workshop.chooser import Chooser
from data.workshop.words import Sentence

Maker = Callable[[Chooser], Sentence | list[Sentence] | None]


@dataclass(frozen=True)
class Construction:
    """A way to make a sentence, and its share in the corpus.

    The maker may answer None: these words don't suit.
    """

    name: str
    weight: float
    make: Maker


CONSTRUCTIONS: list[Construction] = []


def construction(name: str, weight: float) -> Callable[[Maker], Maker]:
    """Register a maker under its name."""

    def register(make: Maker) -> Maker:
        CONSTRUCTIONS.append(Construction(name, weight, make))
        return make

    return register


def named(name: str) -> Construction:
    """Give a construction by its name."""
    return next(one for one in CONSTRUCTIONS if one.name == name)
