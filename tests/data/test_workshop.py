"""The workshop that builds the corpus: Korean agreement, alignments, and determinism.

Needs kiwipiepy, which the `dev` extra installs.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "data"
LINK = re.compile(r"(\d+)([-?])(\d+)")
PARTICLES = {True: "은이을과", False: "는가를와"}  # behind a final consonant, and without one


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """Read one table of the workshop."""
    with (DATA / f"{name}.tsv").open(encoding="utf-8", newline="") as stream:
        return tuple(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def sampled() -> tuple[tuple[str, str, str], ...]:
    """A few hundred lines of the grammar: source, target, alignment."""
    from data.workshop.build import sample

    return tuple((pair.source, pair.target, pair.alignment) for pair in sample(7, 600))


def closed(word: str) -> bool:
    """Whether the last syllable ends in a consonant."""
    return (ord(word[-1]) - 0xAC00) % 28 != 0


@pytest.mark.parametrize(
    ("name", "size"),
    [("nouns", 350), ("verbs", 160), ("adjectives", 100), ("names", 40), ("numbers", 100)],
)
def test_the_lexicon_is_as_large_as_promised(name, size):
    assert len({row.get("english", row.get("value")) for row in rows(f"lexicon/{name}")}) >= size


def test_the_phrases_are_many_and_different():
    sources = [row["english"] for row in rows("phrases")]
    assert len(sources) == len(set(sources)) >= 400


def test_text_is_clean():
    for source, target, _ in sampled():
        assert source.isascii()
        assert target == unicodedata.normalize("NFC", target)
        assert re.fullmatch(r"[가-힣 .,!?]+", target), target
        assert source.endswith(".") == target.endswith("."), source


def test_alignments_are_inside_both_sentences_and_every_korean_word_has_one():
    for source, target, links in sampled():
        found = [LINK.fullmatch(link).groups() for link in links.split()]
        assert all(int(left) < len(source.split()) for left, _, _ in found)
        assert {int(right) for _, _, right in found} == set(range(len(target.split()))), (
            source,
            target,
        )
        assert (
            max(Counter(right for _, sign, right in found if sign == "-").values(), default=1) == 1
        ), (source, target)


def test_no_source_has_two_targets():
    targets: dict[str, str] = {}
    for source, target, _ in sampled():
        assert targets.setdefault(source.casefold(), target) == target


def test_particles_agree_with_the_final_consonant():
    nouns = {
        row["korean"].split()[-1] for name in ("nouns", "names") for row in rows(f"lexicon/{name}")
    }
    stems = {
        row["korean"].split()[-1]
        for name in ("verbs", "adjectives")
        for row in rows(f"lexicon/{name}")
    }
    for _, target, _ in sampled():
        for word in target.rstrip(".?!").split():
            stem, particle = word[:-1], word[-1]
            if stem in nouns - stems and word not in nouns and particle in "은이을과는가를와":
                assert particle in PARTICLES[closed(stem)], (word, target)


@pytest.mark.parametrize(
    ("stem", "tag", "expected"),
    [
        ("가", "VV", "가"),
        ("오", "VV", "와"),
        ("마시", "VV", "마셔"),
        ("되", "VV", "돼"),
        ("돕", "VV-I", "도와"),
        ("듣", "VV-I", "들어"),
        ("모르", "VV", "몰라"),
        ("예쁘", "VA", "예뻐"),
        ("하얗", "VA-I", "하얘"),
        ("짓", "VV-I", "지어"),
        ("입", "VV-R", "입어"),
        ("걷", "VV-I", "걸어"),
    ],
)
def test_contracted_endings_are_spelt_right(stem, tag, expected):
    from data.workshop import korean

    assert korean.verb(stem, tag).close("final") == [expected]


def test_it_makes_the_same_sentences_each_time():
    from data.workshop.build import sample

    assert sample(7, 100) == sample(7, 100)
