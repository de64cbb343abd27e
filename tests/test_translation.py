"""`Translation`: what it refuses, its alignment, and JSON both ways."""

from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from translator import TranslatorError
from translator.translation import FIELDS, Translation, group_words, word_weights

SIXTHS = [[1 / 6, 1 / 3, 1 / 2], [1, 0, 0]]
CAT = Translation(
    "Cats run.",
    "고양이",
    ("▁Cats", "▁run", ".", "</s>"),
    ("▁고양", "이", "</s>"),
    np.eye(4)[[0, 1, 3]],
    (0.5, 0.5, 1.0),
    -1.5,
    True,
)


def make(weights=SIXTHS, **changes) -> Translation:
    """`I love` → `나는`, three source pieces and two target pieces."""
    pieces = {"source_pieces": ("▁I", "▁love", "</s>"), "target_pieces": ("▁나는", "</s>")}
    values = {
        "source": "I love",
        "target": "나는",
        **pieces,
        "weights": weights,
        "probabilities": (0.5, 1.0),
        "log_probability": -0.7,
    }
    return Translation(**{**values, "finished": True, **changes})


EXAMPLES = {
    "empty": Translation.empty(),
    "empty with a source": Translation.empty("?"),
    "weights": make(),
    "no attention": make(None),
    "unfinished": make(finished=False, target_pieces=("▁나", "는")),
    "an end at once": make([[0, 0, 1]], target="", target_pieces=("</s>",), probabilities=(1.0,)),
    "a cat": CAT,
    "odd characters": make(
        source='"\\\u2028🐈', target="\u3000", source_pieces=('▁"\\', "\u2028", "🐈")
    ),
}
examples = pytest.mark.parametrize("translation", EXAMPLES.values(), ids=EXAMPLES)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weights": np.zeros((0, 0))}, "weights of shape"),
        ({"weights": np.transpose(SIXTHS)}, "weights of shape"),
        ({"weights": [1, 0, 0]}, "weights of shape"),
        ({"weights": [[0.5, 0.4, 0], [1, 0, 0]]}, "sum to 1"),
        ({"weights": [[1.5, -0.5, 0], [1, 0, 0]]}, "non-negative"),
        ({"weights": [[math.nan, 0, 0], [1, 0, 0]]}, "non-negative"),
        ({"weights": [[0, 0, 0], [1, 0, 0]]}, "sum to 1"),
        ({"probabilities": ()}, "0 probabilities"),
        ({"probabilities": (0.5, 0.5, 0.5)}, "3 probabilities"),
        ({"probabilities": (0.5, 1.1)}, "between 0 and 1"),
        ({"probabilities": (0.5, -0.1)}, "between 0 and 1"),
        ({"probabilities": (0.5, math.nan)}, "between 0 and 1"),
        ({"log_probability": 0.1}, "log-probability"),
        ({"log_probability": -math.inf}, "log-probability"),
        ({"log_probability": math.nan}, "log-probability"),
        ({"target_pieces": ("▁나", "는")}, "ends with </s>"),
    ],
)
def test_it_refuses_to_exist_inconsistent(changes, message):
    with pytest.raises(ValueError, match=message):
        make(**changes)


def test_it_and_its_weights_cannot_change():
    with pytest.raises(FrozenInstanceError):
        make().target = "너는"
    with pytest.raises(ValueError, match="read-only"):
        make().weights[0, 0] = 1


def test_the_callers_array_stays_the_callers():
    weights = np.array(SIXTHS, np.float32)
    made = make(weights)
    weights[0] = 0
    assert made == make()


def test_weights_are_float32():
    assert make(np.array(SIXTHS, np.float64)).weights.dtype == np.float32


def test_the_answer_to_a_blank_line_is_empty_but_whole():
    empty = Translation.empty()
    assert (empty.source, empty.target, empty.alignment, empty.finished) == ("", "", "", True)
    assert empty.weights.shape == (0, 0)
    assert empty.merged() == empty


@examples
def test_equal_values_are_equal(translation):
    assert translation == replace(translation)
    assert hash(translation) == hash(replace(translation))


@pytest.mark.parametrize("name", FIELDS)
def test_a_difference_in_any_field_counts(name):
    other = {
        "weights": np.eye(3)[:2],
        "probabilities": (0.5, 0.9),
        "log_probability": -0.6,
        "finished": False,
    }
    other |= {
        "source": "I",
        "target": "나",
        "source_pieces": ("▁i", "▁love", "</s>"),
        "target_pieces": ("▁너는", "</s>"),
    }
    assert make() != make(**{name: other[name]})
    assert make(None) != make()
    assert make() != "나는"


@examples
def test_json_goes_both_ways(translation):
    assert Translation.from_json(translation.to_json()) == translation


@examples
def test_json_is_one_line_with_the_fields_in_order(translation):
    line = translation.to_json()
    assert "\n" not in line
    assert list(json.loads(line)) == ["format", *FIELDS, "alignment"]


def test_random_weights_survive_json_to_the_last_bit():
    weights = np.random.default_rng(1).dirichlet(np.ones(3), 2).astype(np.float32)
    assert np.array_equal(Translation.from_json(make(weights).to_json()).weights, weights)


def test_json_is_exactly_so():
    assert make([[0.5, 0.25, 0.25], [0, 0, 1]]).to_json(line=3, rank=1) == (
        '{"format": 1, "line": 3, "rank": 1, "source": "I love", "target": "나는", '
        '"source_pieces": ["▁I", "▁love", "</s>"], "target_pieces": ["▁나는", "</s>"], '
        '"weights": [[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]], "probabilities": [0.5, 1.0], '
        '"log_probability": -0.7, "finished": true, "alignment": "0-0"}'
    )


def test_a_line_and_a_rank_are_ignored_when_read():
    assert Translation.from_json(make().to_json(line=3, rank=2)) == make()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hello",
        "3",
        "null",
        "[]",
        "{}",
        "[" * 100_000,
        '{"format": 1}',
        '{"format": 1, "source": "a"}',
    ],
)
def test_what_is_no_translation_is_refused(line):
    with pytest.raises(TranslatorError, match=r"^not a saved translation") as refused:
        Translation.from_json(line)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"source": None},
        {"source_pieces": [1, 2, 3]},
        {"source_pieces": None},
        {"source_pieces": "abc"},
        {"weights": [[1, 0], [1, 0]]},
        {"weights": [[1, 0, 0], [1]]},
        {"weights": [[0.5, 0.5], [0, 1], [0, 0]]},
        {"weights": [0.5, 0.5, 0, 1, 0, 0]},
        {"weights": "x"},
        {"probabilities": [0.5, "x"]},
        {"probabilities": [0.5]},
        {"log_probability": 10**400},
        {"log_probability": None},
        {"finished": 1},
    ],
    ids=str,
)
def test_a_damaged_field_is_refused(changes):
    line = json.dumps(json.loads(make().to_json()) | changes)
    with pytest.raises(TranslatorError):
        Translation.from_json(line)


@pytest.mark.parametrize("number", [0, 2, "1", None])
def test_another_format_is_told(number):
    line = json.dumps(json.loads(make().to_json()) | {"format": number})
    with pytest.raises(TranslatorError, match=f"format {number} of saved translations is unknown"):
        Translation.from_json(line)


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ((), []),
        (("</s>",), []),
        (("a",), [[0]]),
        (("▁",), [[0]]),
        (("▁a", "▁b", "</s>"), [[0], [1]]),
        (("▁a", "b", "▁c", "d"), [[0, 1], [2, 3]]),
        (("▁run", ".", "</s>"), [[0, 1]]),
        (("▁", "a", "▁", "b"), [[0, 1], [2, 3]]),
        (("▁", "▁a"), [[0, 1]]),
        (("</s>", "▁a"), [[0], [1]]),
    ],
)
def test_pieces_group_to_words(pieces, words):
    assert group_words(pieces) == words
    end = [[len(pieces) - 1]] if pieces[-1:] == ("</s>",) else []
    assert group_words(pieces, keep_end=True) == words + end


def test_every_piece_belongs_to_exactly_one_word():
    words = group_words(CAT.source_pieces, keep_end=True)
    assert [number for word in words for number in word] == list(range(len(CAT.source_pieces)))


def test_word_weights_are_summed_over_columns_and_averaged_over_rows():
    weights = np.array([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2]], np.float32)
    np.testing.assert_allclose(
        word_weights(weights, [[0, 1]], [[0, 1], [2]]), [[0.55, 0.45]], atol=1e-7
    )
    np.testing.assert_allclose(word_weights(weights, [[0], [1]], [[0], [1], [2]]), weights)


def test_no_words_have_no_weights():
    assert word_weights(np.zeros((0, 0), np.float32), [], []).shape == (0, 0)
    assert word_weights(np.ones((2, 1), np.float32), [[0], [1]], []).shape == (2, 0)
    assert word_weights(np.ones((1, 2), np.float32) / 2, [], [[0], [1]]).shape == (0, 2)


@pytest.mark.parametrize(
    ("source", "target", "weights", "alignment"),
    [
        ("</s>", "▁나는 </s>", [[1], [1]], ""),
        ("▁Hi </s>", "</s>", [[0.5, 0.5]], ""),
        ("▁Hi </s>", "▁안녕 </s>", [[0.1, 0.9], [0, 1]], "0-0"),
        ("▁I ▁love ▁you </s>", "▁나는 ▁너를 ▁사랑해 </s>", np.eye(4)[[0, 2, 1, 3]], "0-0 1-2 2-1"),
        ("▁a ▁b </s>", "▁가 ▁나", [[0, 1, 0], [0, 1, 0]], "1-0 1-1"),
        ("▁a ▁b c </s>", "▁가 </s>", [[0.4, 0.3, 0.3, 0], [0, 0, 0, 1]], "1-0"),
        ("▁a ▁b </s>", "▁가 나 </s>", [[0.6, 0.4, 0], [0.1, 0.9, 0], [0, 0, 1]], "1-0"),
    ],
)
def test_each_target_word_is_aligned_with_the_source_word_of_most_weight(
    source, target, weights, alignment
):
    pieces = tuple(target.split())
    made = make(
        weights,
        source_pieces=tuple(source.split()),
        target_pieces=pieces,
        probabilities=(1.0,) * len(pieces),
        finished=pieces[-1] == "</s>",
    )
    assert made.alignment == alignment
    assert make(None).alignment == ""


def test_merging_gives_words_whose_rows_still_sum_to_1():
    merged = CAT.merged()
    assert merged.source_pieces == ("▁Cats", "▁run.", "</s>")
    assert merged.target_pieces == ("▁고양이", "</s>")
    np.testing.assert_allclose(merged.weights, [[0.5, 0.5, 0], [0, 0, 1]])
    assert merged.probabilities == (0.25, 1.0)


@examples
def test_merging_twice_is_merging_once(translation):
    merged = translation.merged()
    assert merged.merged() == merged
    assert merged.alignment == translation.alignment


def test_what_is_a_hair_over_one_can_be_merged():
    """Rows may be off by 1e-3 and probabilities by 1e-6; merging must not add that up."""
    generator = np.random.default_rng(0)
    for _ in range(200):
        weights = generator.dirichlet([1] * 7, 2).astype(np.float32)
        weights *= np.float32(1.000999)
        sources, targets = ("▁a", "b", "c", "▁d", "e", "f", "g"), ("▁b", "c")
        merged = Translation(
            "a d", "b", sources, targets, weights, (1 + 1e-6,) * 2, -1.0, False
        ).merged()
        assert merged.probabilities == (1.0,)
        np.testing.assert_allclose(merged.weights.sum(1), 1, atol=1e-6)
