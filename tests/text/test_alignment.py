"""The alignment error rate, by hand."""

from __future__ import annotations

import pytest

from translator import TranslatorError
from translator.evaluation.alignment_error_rate import LinkCounts, alignment_error_rate, count_links
from translator.text.alignment import gold_alignment, parse_links
from translator.text.corpus import SentencePair


def error_rate(predicted: str, gold: str) -> float:
    return alignment_error_rate([count_links(parse_links(predicted).sure, parse_links(gold))])


@pytest.mark.parametrize(
    ("predicted", "gold", "rate"),
    [
        ("0-0 1-1", "0-0 1-1", 0),  # all right
        ("0-1 1-0", "0-0 1-1", 1),  # all wrong
        ("0-0 1-0", "0-0 1-1", 0.5),  # 1 - (1 + 1) / (2 + 2)
        ("0-0 1-1", "0-0 1?1", 0),  # a possible link is no mistake
        ("0-0", "0-0 1?1", 0),  # nor is it one to leave it out
        ("0-0", "0-0 1-1", 1 / 3),  # 1 - (1 + 1) / (1 + 2): a missing sure link is
        ("0-0 1-1 2-2", "0-0 1?1 2-1", 0.4),  # A∩S = 1, A∩P = 2: 1 - 3 / (3 + 2)
        ("1-1", "1?1", 0),
        ("0-0", "1?1", 1),
    ],
)
def test_the_error_rate_by_hand(predicted, gold, rate):
    assert error_rate(predicted, gold) == pytest.approx(rate)


def test_the_rate_is_over_all_sentences_and_no_mean_of_rates():
    counts = [
        count_links(parse_links("0-0").sure, parse_links("0-0")),
        count_links(parse_links("0-1 1-0 2-0").sure, parse_links("0-0 1-1 2-2")),
    ]
    assert counts == [LinkCounts(1, 1, 1, 1), LinkCounts(3, 3, 0, 0)]
    assert alignment_error_rate(counts) == 0.75  # 1 - 2 / 8, not (0 + 1) / 2


def test_sure_links_are_possible_too():
    assert parse_links("0-0 10?2") == (frozenset({(0, 0)}), frozenset({(0, 0), (10, 2)}))


def test_a_pair_without_alignment_has_no_gold():
    assert gold_alignment(SentencePair("a b", "가")) is None
    assert gold_alignment(SentencePair("a b", "가", "1?0")) == parse_links("1?0")


@pytest.mark.parametrize("links", ["0-0 2-0", "0-1", "0?1"])
def test_a_link_to_a_word_that_is_not_there_is_reported(links):
    with pytest.raises(TranslatorError, match="of 2 and 1"):
        gold_alignment(SentencePair("a b", "가", links))
