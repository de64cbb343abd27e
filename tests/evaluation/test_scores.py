"""Scores of translations."""

from __future__ import annotations

import pytest
import sacrebleu
from conftest import PAIRS

from translator import Translator
from translator.evaluation.alignment_error_rate import alignment_error_rate, count_links
from translator.evaluation.scores import (
    Measured,
    by_length,
    evaluate,
    measure,
    score,
    signatures,
    summarise,
)
from translator.text.alignment import parse_links
from translator.text.corpus import SentencePair
from translator.translation import Translation

GOLD = [
    SentencePair("I love you", "나는 너를 사랑해", "0-0 2-1 1-2"),
    SentencePair("I run.", "나는 달려.", "0-0 1-1"),
    SentencePair("Hi!", "안녕!"),
]


@pytest.fixture(scope="module")
def translator(trained_path) -> Translator:
    return Translator.load(trained_path)


def measured(source: str, target: str, reference: str) -> Measured:
    return Measured(
        SentencePair(source, reference),
        Translation(source, target, (), (), None, (), 0.0, True),
        None,
    )


@pytest.mark.parametrize(
    ("hypotheses", "references", "exact"),
    [
        (["나는"], ["나는"], 1.0),
        (["나는"], ["너는"], 0.0),
        (["가", "나", "다", "라"], ["가", "나", "다", "마"], 0.75),
    ],
)
def test_exact_match_is_a_share(hypotheses, references, exact):
    assert score(hypotheses, references).exact == exact


def test_a_wrong_particle_still_counts_for_something():
    right, close, far = (
        score([text], ["나는 너를 사랑해"]).chrf
        for text in ("나는 너를 사랑해", "나는 너가 사랑해", "고양이")
    )
    assert right == 100 > close > far == 0


@pytest.mark.case(45)
@pytest.mark.parametrize("beam_size", [1, 5])
def test_what_is_scored_is_what_translate_gives(translator, beam_size):
    wrong = [*PAIRS[:3], SentencePair(PAIRS[3].source, "다른 말")]
    scores = evaluate(translator, wrong, beam_size=beam_size)
    assert (scores.sentences, scores.exact) == (4, 0.75)
    translations = list(translator.translate([p.source for p in wrong], beam_size=beam_size))
    assert scores == score([t.target for t in translations], [p.target for p in wrong])
    found = list(measure(translator, wrong, beam_size=beam_size))
    assert ([one.translation for one in found], summarise(found).scores) == (translations, scores)


@pytest.mark.case(44)
@pytest.mark.parametrize(("sentences", "has_bleu"), [(1, False), (99, False), (100, True)])
def test_bleu_needs_a_hundred_sentences(sentences, has_bleu):
    summary = summarise(
        [
            measured("a b", f"나는 너를 {n} 번 봐", f"나는 너를 {n % 7} 번 봐")
            for n in range(sentences)
        ]
    )
    assert (summary.bleu is not None) == has_bleu


def test_bleu_and_chrf_are_sacrebleu_s():
    some = [
        measured("a b", f"나는 너를 {n} 번 아주 잘 봐", f"나는 너를 {n % 90} 번 아주 잘 봐")
        for n in range(120)
    ]
    hypotheses, references = (
        [one.translation.target for one in some],
        [[one.pair.target for one in some]],
    )
    summary = summarise(some)
    assert summary.bleu == sacrebleu.corpus_bleu(hypotheses, references).score
    assert summary.scores.chrf == sacrebleu.corpus_chrf(hypotheses, references).score
    assert 0 < summary.bleu < 100


@pytest.mark.case(44)
def test_a_signature_says_how():
    version = f"version:{sacrebleu.__version__}"
    assert signatures() == {
        "chrf": f"nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|{version}",
        "bleu": f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|{version}",
    }


def test_the_links_are_those_of_the_forced_reference(translator):
    found = list(measure(translator, GOLD, beam_size=1))
    expected = [
        count_links(
            parse_links(translator.align(p.source, p.target).alignment).sure,
            parse_links(p.alignment),
        )
        for p in GOLD[:2]
    ]
    assert [one.links for one in found] == [*expected, None]
    summary = summarise(found)
    assert (summary.aligned, summary.aer) == (2, alignment_error_rate(expected))


def test_the_attention_of_a_trained_model_aligns_better_than_that_of_a_random_one(
    translator, make_checkpoint
):
    aligned = [SentencePair(p.source, p.target, "0-0 1-2 2-1") for p in PAIRS[:8]]
    trained, random = (
        summarise(list(measure(t, aligned, beam_size=1))).aer
        for t in (translator, Translator(make_checkpoint()))
    )
    assert trained < random


def test_without_alignments_or_attention_there_is_no_error_rate(translator, make_checkpoint):
    assert summarise(list(measure(translator, PAIRS[:2], beam_size=1))).aer is None
    summary = summarise(list(measure(Translator(make_checkpoint("none")), GOLD, beam_size=1)))
    assert (summary.aer, summary.aligned) == (None, 0)


def test_buckets_are_by_source_words_and_lose_nothing():
    lengths = [3, 1, 40, 2, 9, 10, 4, 39, 100]
    some = [measured(" ".join("a" * words), "가", "가") for words in lengths]
    sizes = {name: len(bucket) for name, bucket in by_length(some).items()}
    assert list(sizes.items()) == [
        ("1-2", 2),
        ("3-4", 2),
        ("7-9", 1),
        ("10-14", 1),
        ("30-39", 1),
        ("40+", 2),
    ]


def test_more_pairs_than_a_chunk_stay_in_order(translator):
    pairs = PAIRS * 100
    assert [one.translation.target for one in measure(translator, pairs, beam_size=1)] == [
        pair.target for pair in pairs
    ]
