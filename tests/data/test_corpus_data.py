"""The bundled corpus.

Its files are sound, its Korean agrees, and it says what was written by hand beforehand.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "data"
NAMES = ("train", "dev", "test", "compose", "long")
LINK = re.compile(r"(\d+)([-?])(\d+)")


@cache
def pairs(name: str) -> tuple[tuple[str, str, str], ...]:
    """The lines of one file of the corpus."""
    with (DATA / f"eng-kor.{name}.tsv").open(encoding="utf-8", newline="") as stream:
        return tuple(
            (source, target, links)
            for source, target, links in csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        )


def all_pairs() -> Iterator[tuple[str, str, str]]:
    """Give the lines of all files."""
    for name in NAMES:
        yield from pairs(name)


def folded(source: str) -> str:
    """Fold a source as the translator does, without its final mark."""
    return unicodedata.normalize("NFKC", source).casefold().rstrip(".!?").strip()


@cache
def lexicon(name: str) -> tuple[dict[str, str], ...]:
    """Read one file of the lexicon."""
    with (DATA / "lexicon" / f"{name}.tsv").open(encoding="utf-8", newline="") as stream:
        return tuple(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_sizes_are_as_promised() -> None:
    sizes = {name: len(pairs(name)) for name in NAMES}
    assert 40_000 <= sizes["train"] <= 120_000
    assert (sizes["dev"], sizes["test"], sizes["compose"], sizes["long"]) == (
        1_500,
        2_000,
        1_000,
        500,
    )


def test_no_source_stands_in_two_files() -> None:
    seen: dict[str, str] = {}
    for name in NAMES:
        for source, _, _ in pairs(name):
            assert seen.setdefault(folded(source), name) == name, source


def test_no_source_has_two_targets() -> None:
    targets: dict[str, str] = {}
    for source, target, _ in all_pairs():
        assert targets.setdefault(source.casefold(), target) == target, source


def test_a_full_stop_stands_on_both_sides_or_on_neither() -> None:
    for source, target, _ in all_pairs():
        assert source.endswith(".") == target.endswith("."), source
        assert not source.endswith("?") or target.endswith("?"), source


def test_text_is_clean() -> None:
    for source, target, _ in all_pairs():
        for text in (source, target):
            assert text == unicodedata.normalize("NFC", text) == " ".join(text.split())
        assert source.isascii(), source
        assert re.fullmatch(r"[가-힣 .,!?]+", target), target


def test_alignments_are_inside_both_sentences() -> None:
    for source, target, links in all_pairs():
        source_size, target_size = len(source.split()), len(target.split())
        found = [LINK.fullmatch(link) for link in links.split()]
        assert all(found), links
        assert all(
            match and int(match[1]) < source_size and int(match[3]) < target_size for match in found
        ), (source, target)


def test_a_korean_word_has_one_sure_link_at_most_and_some_link_always() -> None:
    for source, target, links in all_pairs():
        parts = [match.groups() for match in LINK.finditer(links)]
        sure = Counter(word for _, sign, word in parts if sign == "-")
        assert max(sure.values(), default=0) <= 1, (source, target, links)
        assert {int(word) for _, _, word in parts} == set(range(len(target.split()))), (
            source,
            target,
            links,
        )


def test_long_sentences_are_long() -> None:
    assert all(15 <= len(source.split()) <= 40 for source, _, _ in pairs("long"))


def test_most_sentences_are_short() -> None:
    lengths = [len(source.split()) for source, _, _ in pairs("train")]
    assert sum(length <= 7 for length in lengths) > 0.7 * len(lengths)


def test_the_lexicon_is_as_large_as_promised() -> None:
    wanted = {
        "nouns": 350,
        "verbs": 160,
        "adjectives": 100,
        "names": 40,
        "numbers": 100,
        "calendar": 19,
    }
    assert all(len(lexicon(name)) >= size for name, size in wanted.items())
    assert len({row["english"] for row in lexicon("verbs")}) >= 160


def test_every_word_of_the_lexicon_is_in_the_training_set() -> None:
    text = "\n".join(f" {folded(source)} ".replace(",", "") for source, _, _ in pairs("train"))
    for name in ("nouns", "verbs", "adjectives", "names", "countries", "colors", "adverbs"):
        for row in lexicon(name):
            forms = [
                row[column]
                for column in (
                    "english",
                    "plural",
                    "third",
                    "past",
                    "participle",
                    "ing",
                    "comparative",
                )
                if column in row
            ]
            assert any(
                f" {form.casefold().rstrip('.')} " in text or f" {form.casefold()} " in text
                for form in forms
            ), row


def test_the_phrases_are_many_and_all_in_the_training_set() -> None:
    with (DATA / "phrases.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    known = {(source, target) for source, target, _ in pairs("train")}
    assert len(rows) >= 400
    assert all((row["english"], row["korean"]) in known for row in rows)


def test_sentences_come_out_as_written_by_hand() -> None:
    with (Path(__file__).parent / "corpus_sentences.tsv").open(
        encoding="utf-8", newline=""
    ) as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    made = {source: target for source, target, _ in all_pairs()}
    present = [row for row in rows if row["source"] in made]
    assert [made[row["source"]] for row in present] == [row["target"] for row in present]
    assert len(present) >= 150
    assert len({row["construction"] for row in present}) >= 50


SUBJECTS = {True: ("은", "이", "을", "과"), False: ("는", "가", "를", "와")}


@pytest.mark.parametrize("file", ["nouns", "names", "countries", "places", "pronouns"])
def test_particles_agree_with_the_final_consonant(file: str) -> None:
    """Every word of the lexicon that stands with a particle has the form its last syllable asks
    for.
    """
    nouns = {row["korean"].split()[-1] for row in lexicon(file)}
    others = {
        row["korean"].split()[-1]
        for name in ("nouns", "names", "countries", "places")
        for row in lexicon(name)
    }
    nouns -= {
        row["korean"].split()[-1] for name in ("verbs", "adjectives") for row in lexicon(name)
    }  # 입는 is a verb, 입은 may be one
    for _, target, _ in all_pairs():
        for word in target.rstrip(".?!").split():
            stem, particle = word[:-1], word[-1]
            if stem in nouns and word not in others and particle in "은이을과는가를와":
                assert particle in SUBJECTS[closed(stem)], (word, target)


def closed(word: str) -> bool:
    """Say whether the last syllable ends in a consonant."""
    return (ord(word[-1]) - 0xAC00) % 28 != 0


@cache
def workshop() -> Any:
    """Import the workshop's Korean, which needs kiwipiepy."""
    pytest.importorskip("kiwipiepy")
    from data.workshop import korean

    return korean


@pytest.mark.parametrize(
    ("stem", "tag", "expected"),
    [
        ("가", "VV", "가"), ("오", "VV", "와"), ("마시", "VV", "마셔"), ("되", "VV", "돼"),
        ("돕", "VV-I", "도와"),
        ("듣", "VV-I", "들어"), ("모르", "VV", "몰라"), ("예쁘", "VA", "예뻐"),
        ("하얗", "VA-I", "하얘"), ("짓", "VV-I", "지어"),
        ("입", "VV-R", "입어"), ("쓰", "VV", "써"), ("부르", "VV", "불러"), ("맵", "VA-I", "매워"),
        ("줍", "VV-I", "주워"),
        ("걷", "VV-I", "걸어"), ("공부하", "VV", "공부해"), ("보내", "VV", "보내"),
        ("배우", "VV", "배워"), ("씻", "VV-R", "씻어"),
    ],
)  # fmt: skip
def test_contracted_endings_are_spelt_right(stem: str, tag: str, expected: str) -> None:
    assert workshop().verb(stem, tag).close("final") == [expected]


def test_conjugated_forms_give_back_their_lemma() -> None:
    """Kiwi, asked about each form by itself, finds the stem that it was made from (or that stem
    split: 공부 + 하).
    """
    korean = workshop()
    from kiwipiepy import Kiwi

    kiwi = Kiwi()
    lost = []
    rows = [
        row
        for name in ("verbs", "adjectives")
        for row in lexicon(name)
        if row["tag"].startswith("V") and row["tag"] != "VCP"
    ]
    for row in rows:
        for extra in ((), ("past",), ("not",), ("can",)):
            words = korean.verb(row["korean"], row["tag"]).also(*extra).close("final")
            stem = row["korean"].split()[-1]
            tokens = kiwi.tokenize(" ".join(words))
            if stem not in "".join(token.form for token in tokens):
                lost.append((row["korean"], words))
    assert len(lost) <= 0.02 * 4 * len(rows), lost


def test_the_workshop_makes_the_same_sentences_each_time() -> None:
    workshop()
    from data.workshop.build import sample

    assert sample(7, 200) == sample(7, 200)


@pytest.mark.slow
def test_the_files_are_what_the_workshop_builds() -> None:
    """Byte for byte; a minute and a half."""
    workshop()
    from data.workshop.build import build

    for name, made in build().pairs.items():
        assert pairs(name) == tuple((pair.source, pair.target, pair.alignment) for pair in made), (
            name
        )


def test_a_combination_that_is_withheld_for_compose_is_not_in_training(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the workshop sorts its lines.

    Whatever shows such a combination goes to `compose` alone.
    """
    workshop()
    from data.workshop import build

    shown: dict[str, set[tuple[str, str]]] = {}
    finish = build.finish

    def watched(chooser: Any, sentences: Any) -> Any:
        pair = finish(chooser, sentences)
        combinations = [
            combination for sentence in sentences for combination in sentence.combinations
        ]
        shown[pair.source] = {
            (name, word["korean"]) for name, word in combinations if build.withheld(name, word)
        }
        return pair

    monkeypatch.setattr(build, "finish", watched)
    trained = build.sample(7, 3_000)
    assert not any(shown[pair.source] for pair in trained)
    assert sum(map(bool, shown.values())) > 10
