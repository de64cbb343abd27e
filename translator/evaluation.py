"""How good translations are: exact match and chrF.

chrF (Popović 2015) counts shared runs of characters, so a Korean word with another particle still counts for something; sacrebleu computes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sacrebleu

from translator.corpus import SentencePair
from translator.pipeline import Translator


class Scores(NamedTuple):
    """Over some sentences: the share that is exactly right, and chrF."""

    sentences: int
    exact: float  # 0 to 1
    chrf: float  # 0 to 100


def score(hypotheses: Sequence[str], references: Sequence[str]) -> Scores:
    """Score translations against one reference each.

    >>> score(["나는 너를 사랑해"], ["나는 너를 사랑해"])
    Scores(sentences=1, exact=1.0, chrf=100.0)
    """
    exact = sum(hypothesis == reference for hypothesis, reference in zip(hypotheses, references, strict=True))
    chrf = sacrebleu.CHRF().corpus_score(hypotheses, [references]).score
    return Scores(len(references), exact / len(references), float(chrf))


def evaluate(translator: Translator, pairs: Sequence[SentencePair], *, beam_size: int = 1) -> Scores:
    """Score free-running translations: the very ones that `translate` gives."""
    translations = translator.translate([pair.source for pair in pairs], beam_size=beam_size)
    return score([translation.target for translation in translations], [pair.target for pair in pairs])
