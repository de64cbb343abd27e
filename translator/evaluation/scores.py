"""How good translations are, and how far the attention agrees with a gold alignment.

chrF (Popović 2015) counts shared runs of characters, so a Korean word with another particle still counts for something; BLEU (Papineni et al.
2002) counts shared runs of words, and on few sentences is mostly noise, so it is given from 100 sentences up. sacrebleu computes both, and its
signatures say how. Scores are those of free-running translations; only the alignment error rate is measured under the forced reference,
because the links have to join the words that the gold alignment joins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import sacrebleu

from translator.evaluation.alignment_error_rate import LinkCounts, alignment_error_rate, count_links
from translator.inference.translator import BATCH_SIZE, BATCHES_A_CHUNK, Translator
from translator.text.alignment import GoldAlignment, gold_alignment, parse_links
from translator.text.corpus import SentencePair
from translator.translation import Translation

FEWEST_FOR_BLEU = 100  # sentences
LENGTHS = (1, 3, 5, 7, 10, 15, 20, 30, 40)  # source words at which a bucket begins


class Scores(NamedTuple):
    """Over some sentences: the share that is exactly right, and chrF."""

    sentences: int
    exact: float  # 0 to 1
    chrf: float  # 0 to 100


class Measured(NamedTuple):
    """One sentence pair with its free-running translation and what the error rate needs."""

    pair: SentencePair
    translation: Translation
    links: (
        LinkCounts | None
    )  # None where the corpus has no gold alignment or the model no attention


class Summary(NamedTuple):
    """All scores over some sentences."""

    scores: Scores
    bleu: float | None  # 0 to 100; None on too few sentences
    aer: float | None  # 0 to 1; None without gold alignments or without attention
    aligned: int  # sentences with gold alignments

    def record(self) -> dict[str, float | int | None]:
        """The scores by name, as JSON has them."""
        return {
            **self.scores._asdict(),
            "bleu": self.bleu,
            "aer": self.aer,
            "aligned": self.aligned,
        }


def score(hypotheses: Sequence[str], references: Sequence[str]) -> Scores:
    """Score translations against one reference each.

    >>> score(["나는 너를 사랑해"], ["나는 너를 사랑해"])
    Scores(sentences=1, exact=1.0, chrf=100.0)
    """
    exact = sum(
        hypothesis == reference
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    )
    chrf = sacrebleu.CHRF().corpus_score(hypotheses, [references]).score
    return Scores(len(references), exact / len(references), float(chrf))


def evaluate(
    translator: Translator, pairs: Sequence[SentencePair], *, beam_size: int = 1
) -> Scores:
    """Score free-running translations: the very ones that `translate` gives."""
    translations = translator.translate([pair.source for pair in pairs], beam_size=beam_size)
    return score(
        [translation.target for translation in translations], [pair.target for pair in pairs]
    )


def measure(
    translator: Translator, pairs: Sequence[SentencePair], *, beam_size: int
) -> Iterator[Measured]:
    """Translate the sources and align the references, in order, a few batches at a time.

    Raises `TranslatorError` if a gold alignment links words that its pair doesn't have.
    """
    has_attention = translator.checkpoint.config.attention != "none"
    golds = [gold_alignment(pair) if has_attention else None for pair in pairs]
    for start in range(0, len(pairs), BATCH_SIZE * BATCHES_A_CHUNK):
        chunk = slice(start, start + BATCH_SIZE * BATCHES_A_CHUNK)
        translations = list(
            translator.translate([pair.source for pair in pairs[chunk]], beam_size=beam_size)
        )
        links = _links(translator, pairs[chunk], golds[chunk])
        yield from map(Measured, pairs[chunk], translations, links)


def _links(
    translator: Translator, pairs: Sequence[SentencePair], golds: Sequence[GoldAlignment | None]
) -> list[LinkCounts | None]:
    """The links of the weights under the forced references, compared with the gold ones."""
    forced = translator.align_all(
        (pair.source, pair.target)
        for pair, gold in zip(pairs, golds, strict=True)
        if gold is not None
    )
    return [
        None if gold is None else count_links(parse_links(next(forced).alignment).sure, gold)
        for gold in golds
    ]


def summarise(measured: Sequence[Measured]) -> Summary:
    """All scores over these sentences."""
    hypotheses, references = (
        [one.translation.target for one in measured],
        [one.pair.target for one in measured],
    )
    links = [one.links for one in measured if one.links is not None]
    bleu = (
        sacrebleu.BLEU().corpus_score(hypotheses, [references]).score
        if len(measured) >= FEWEST_FOR_BLEU
        else None
    )
    return Summary(
        score(hypotheses, references),
        bleu,
        alignment_error_rate(links) if links else None,
        len(links),
    )


def by_length(measured: Sequence[Measured]) -> dict[str, list[Measured]]:
    """The sentences in buckets of source words, shortest first, without empty ones."""
    buckets: dict[str, list[Measured]] = {}
    for one in sorted(measured, key=lambda one: len(one.pair.source.split())):
        buckets.setdefault(bucket(len(one.pair.source.split())), []).append(one)
    return buckets


def bucket(words: int) -> str:
    """The name of a length's bucket.

    >>> [bucket(words) for words in (1, 4, 12, 97)]
    ['1-2', '3-4', '10-14', '40+']
    """
    number = sum(first <= words for first in LENGTHS) - 1
    return (
        f"{LENGTHS[number]}-{LENGTHS[number + 1] - 1}"
        if number + 1 < len(LENGTHS)
        else f"{LENGTHS[number]}+"
    )


def signatures() -> dict[str, str]:
    """How sacrebleu computes its scores, in its own notation."""
    metrics = {"chrf": sacrebleu.CHRF(), "bleu": sacrebleu.BLEU()}
    for metric in metrics.values():
        metric.corpus_score(
            [""], [[""]]
        )  # subtle: only then does a signature know its number of references
    return {name: str(metric.get_signature()) for name, metric in metrics.items()}
