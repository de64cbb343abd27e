"""Hostile and unusual text, and translations made of it, for the fuzz tests."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from translator import TranslatorError
from translator.translation import END, Translation

ESCAPES = [
    "\x1b[31m",  # a colour
    "\x9b31m",  # the same in one character of C1
    "\x1b]8;;http://a.example\x1b\\",  # a link
    "\x1b]0;title\x07",
    "\u202e",  # what follows reads backwards
    "\u2066",
    "\n",
    "\r",
    "\x08",
    "\x00",
]
ODDITIES = [
    "👩‍👩‍👧",
    "🏳️‍🌈",
    "🇰🇷",
    "שלום",
    "مرحبا",
    "a\u0301\u0323",
    "\u0301",
    "각",  # decomposed
    "ᄀ",
    "ᅡ",
    "\udc80\udcff",  # bytes of the command line that aren't UTF-8
    "\ud800",
    "\uffff",
    "\u2028",
    "\ufeff",
    "▁",
    "</s>",
    "<script>",
    "\"&'",
    "=1+1",
    "[bold]",
    "\t",
    "ﷺ",  # folds to eighteen characters
]
WORDS = ["I", "love", "you", " ", ".", "나는"]
# JSON values that a field of numbers or texts shouldn't have.
STRANGE = [
    None,
    True,
    -1,
    0,
    1,
    6.0,
    8.0,
    1e300,
    float("nan"),
    float("inf"),
    10**400,
    2**63,
    "",
    "8",
    "\x1b[31m",
    [],
    [[1]],
    {},
    {"a": {}},
]
quick = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
texts = st.lists(st.characters() | st.sampled_from([*ESCAPES, *ODDITIES, *WORDS]), max_size=12).map(
    "".join
)
# As a program receives them: bytes that aren't UTF-8 have become lone surrogates.
arguments = texts.map(
    lambda text: (
        text.replace("\0", "").encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
    )
)


def outcome(call: Callable[..., Any], *arguments: Any) -> Any:
    """Return a call's result or its `TranslatorError`. Any other exception is a bug."""
    try:
        return call(*arguments)
    except TranslatorError as error:
        return error


def shown(text: str) -> str:
    """Remove control and format characters, which a `Translation` refuses."""
    return "".join(
        character for character in text if unicodedata.category(character) not in ("Cc", "Cf")
    )


pieces = texts.map(shown)


@st.composite
def translations(draw: st.DrawFn) -> Translation:
    """Draw any `Translation` that an untrusted file may contain, with weights or without."""
    sources = (*draw(st.lists(pieces, max_size=6)), END)
    finished = draw(st.booleans())
    targets = (*draw(st.lists(pieces, min_size=1, max_size=6)), *([END] if finished else []))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    weights = (
        generator.dirichlet([0.3] * len(sources), len(targets)) if draw(st.booleans()) else None
    )
    probabilities = tuple(
        draw(st.lists(st.floats(0, 1 + 1e-6), min_size=len(targets), max_size=len(targets)))
    )
    return Translation(
        draw(pieces),
        draw(pieces),
        sources,
        targets,
        weights,
        probabilities,
        -draw(st.floats(0, 1e6)),
        finished,
    )


def is_tame(written: str, *, allowed: str = "\n") -> bool:
    """Return whether a command's output can do no more to a terminal than start new lines."""
    return all(
        unicodedata.category(character) not in ("Cc", "Cf") or character in allowed
        for character in written
    )


class Page(HTMLParser):
    """The tags, attribute names, scripts and texts of an HTML document."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.scripts: list[str] = []
        self.texts: list[str] = []
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        (self.scripts if self.tags[-1:] == ["script"] else self.texts).append(data)
