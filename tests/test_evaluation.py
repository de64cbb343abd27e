"""Scores of translations."""

from __future__ import annotations

import pytest
from conftest import PAIRS

from translator import Translator
from translator.corpus import SentencePair
from translator.evaluation import evaluate, score


@pytest.mark.parametrize(
    ("hypotheses", "references", "exact"),
    [(["나는"], ["나는"], 1.0), (["나는"], ["너는"], 0.0), (["가", "나", "다", "라"], ["가", "나", "다", "마"], 0.75)],
)
def test_exact_match_is_a_share(hypotheses, references, exact):
    assert score(hypotheses, references).exact == exact


def test_a_wrong_particle_still_counts_for_something():
    right, close, far = (score([text], ["나는 너를 사랑해"]).chrf for text in ("나는 너를 사랑해", "나는 너가 사랑해", "고양이"))
    assert right == 100 > close > far == 0


def test_what_is_scored_is_what_translate_gives(trained_path):
    translator = Translator.load(trained_path)
    wrong = [*PAIRS[:3], SentencePair(PAIRS[3].source, "다른 말")]
    scores = evaluate(translator, wrong)
    assert (scores.sentences, scores.exact) == (4, 0.75)
    assert scores == score([t.target for t in translator.translate([p.source for p in wrong], beam_size=1)], [p.target for p in wrong])
