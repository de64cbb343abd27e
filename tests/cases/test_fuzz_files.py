"""Damaged or forged corpora and saved translations: a clear error, or a correct result."""

from __future__ import annotations

import json
import re
import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest
from conftest import PAIRS
from hostile import STRANGE, outcome
from mangle import mangled

from translator import TranslatorError
from translator.printable import is_printable
from translator.text.corpus import read_corpus
from translator.text.normalization import clean
from translator.translation import Translation


@pytest.fixture(autouse=True)
def numbers_stay_finite() -> Iterator[None]:
    """Turn overflows and NaNs into errors."""
    with np.errstate(all="raise", under="ignore"):
        yield


# Corpora


CORPUS = "".join(f"{pair.source}\t{pair.target}\t0-0 0?0\n" for pair in PAIRS).encode()


def test_mangled_corpora_are_refused_or_read(tmp_path):
    generator, file, read = np.random.default_rng(0), tmp_path / "corpus.tsv", 0
    for _ in range(1500):
        file.write_bytes(mangled(CORPUS, generator))
        corpus = outcome(read_corpus, file)
        if isinstance(corpus, TranslatorError):
            assert is_printable(f"{corpus}{corpus.hint}")
            continue
        pairs, report = corpus
        read += 1
        assert report.kept == len(pairs) <= report.read
        assert all(clean(side) == side != "" for pair in pairs for side in pair[:2])
    assert 200 < read < 1400


def test_mangled_corpora_are_evaluated_or_refused(cli, tmp_path):
    generator, statuses = np.random.default_rng(1), set()
    for _ in range(60):
        (tmp_path / "corpus.tsv").write_bytes(mangled(CORPUS, generator))
        result = cli("evaluate", "corpus.tsv", "--beam-size", 1, "--format", "json")
        statuses.add(result.status)
        assert ("error: " in result.err, bool(result.out)) == (
            (True, False) if result.status == 1 else (False, True)
        )
    assert statuses == {0, 1}


# Saved translations


SAVED = [
    Translation(
        "a b",
        "가나",
        ("▁a", "▁b", "</s>"),
        ("▁가", "나"),
        [[0.5, 0.25, 0.25], [0, 1, 0]],
        (0.5, 1.0),
        -0.7,
        False,
    ),
    Translation("a", "가", ("▁a", "</s>"), ("▁가", "</s>"), None, (0.5, 1.0), -0.7, True),
]
LINES = "".join(f"{translation.to_json()}\n" for translation in SAVED).encode()


def check(translation: Translation) -> None:
    """Check a translation that was read: it can be merged, and writing it loses nothing."""
    assert Translation.from_json(translation.to_json()) == translation
    translation.merged()


def test_mangled_lines_are_refused_or_read():
    generator, read = np.random.default_rng(0), 0
    for _ in range(2000):
        for line in mangled(LINES, generator).decode("utf-8", "surrogateescape").splitlines():
            translation = outcome(Translation.from_json, line)
            if isinstance(translation, TranslatorError):
                assert "\n" not in str(translation)
            else:
                check(translation)
                read += 1
    assert read > 200


def test_mangled_files_are_shown_or_refused(cli, tmp_path):
    generator, statuses = np.random.default_rng(1), set()
    for _ in range(200):
        (tmp_path / "saved.jsonl").write_bytes(mangled(LINES, generator))
        result = cli("show-weights", "--from", "saved.jsonl", "--words")
        statuses.add(result.status)
        assert ("error: " in result.err) == (result.status == 1)
        assert is_printable(re.sub("\n", "", result.out + result.err))
    assert statuses == {0, 1}


VALUES = [
    *STRANGE,
    0.5,
    1 + 1e-6,
    -1e-3,
    1e39,
    "a",
    "0.5",
    ["a"],
    ["a", "b"],
    ["a", "b", "</s>"],
    ["</s>"],
    [0.5, 0.5],
    ["0.5", True],
    [None, None],
]
MATRICES = [
    [[1, 0, 0]] * 2,
    [[0.5005, 0.5005, 0]] * 2,
    [["1", 0, 0]] * 2,
    [[1, 0], [1, 0, 0]],
    [[10**400, 0, 0]] * 2,
    [[[1, 0, 0]] * 2],
    [[True, 0, 0]] * 2,
]


@pytest.mark.parametrize("name", ["format", *Translation.__slots__, "alignment", "other"])
def test_a_strange_field_is_refused_or_read(name):
    for saved in SAVED:
        for value in [*VALUES, *MATRICES]:
            record = json.loads(saved.to_json()) | {name: value}
            translation = outcome(Translation.from_json, json.dumps(record))
            if not isinstance(translation, TranslatorError):
                check(translation)


def test_many_pieces_without_weights_take_no_memory():
    """A missing matrix must not be allocated: here it would have a hundred million numbers."""
    line = json.dumps(
        json.loads(SAVED[0].to_json())
        | {"weights": [], "source_pieces": ["a"] * 10_000, "target_pieces": ["b"] * 10_000}
    )
    tracemalloc.start()
    refused = outcome(Translation.from_json, line)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "10000 target and 10000 source pieces" in str(refused)
    assert peak < 10_000_000


@pytest.mark.parametrize("depth", [10, 500, 900, 990, 1000, 100_000])
def test_deeply_nested_lines_are_refused(depth):
    for line in (
        "[" * depth,
        '{"format":' * depth,
        LINES.decode().splitlines()[0].replace("[[", "[" * depth, 1),
    ):
        assert isinstance(outcome(Translation.from_json, line), TranslatorError)
    for name in ("format", "source", "weights", "probabilities"):
        record = json.loads(SAVED[0].to_json()) | {name: "HERE"}
        line = json.dumps(record).replace('"HERE"', "[" * depth + "]" * depth)
        assert isinstance(outcome(Translation.from_json, line), TranslatorError)
