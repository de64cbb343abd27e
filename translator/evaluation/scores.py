"""How good translations are, and how well the attention agrees with a gold alignment.

chrF (Popović 2015) counts shared character n-grams, so a Korean word with a different particle
still gets some credit. BLEU (Papineni et al. 2002) counts shared word n-grams; on few sentences it
is mostly noise, so it needs at least 100. sacrebleu computes both, and its signatures say how.

Scores are those of free-running translations. Only the alignment error rate uses forced references,
because its links must join the same words as the gold alignment.
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
    """The share of sentences that are exactly right, and chrF."""

    sentences: int
    exact: float  # 0 to 1
    chrf: float  # 0 to 100


class Measured(NamedTuple):
    """A sentence pair with its free-running translation, and its links for the error rate."""

    pair: SentencePair
    translation: Translation
    links: LinkCounts | None  # None without gold alignment or without attention


class Summary(NamedTuple):
    """All scores over some sentences."""

    scores: Scores
    bleu: float | None  # 0 to 100; None on too few sentences
    aer: float | None  # 0 to 1; None without gold alignments or without attention
    aligned: int  # sentences with gold alignments

    def record(self) -> dict[str, float | int | None]:
        """Give the scores by name, for JSON."""
        others = {"bleu": self.bleu, "aer": self.aer, "aligned": self.aligned}
        return self.scores._asdict() | others


def score(hypotheses: Sequence[str], references: Sequence[str]) -> Scores:
    """Score translations against one reference each.

    >>> score(["나는 너를 사랑해"], ["나는 너를 사랑해"])
    Scores(sentences=1, exact=1.0, chrf=100.0)
    """
    pairs = zip(hypotheses, references, strict=True)
    exact = sum(hypothesis == reference for hypothesis, reference in pairs)
    chrf = sacrebleu.CHRF().corpus_score(hypotheses, [references]).score
    return Scores(len(references), exact / len(references), float(chrf))


def evaluate(
    translator: Translator, pairs: Sequence[SentencePair], *, beam_size: int = 1
) -> Scores:
    """Score free-running translations, the same that `translate` gives."""
    translations = translator.translate([pair.source for pair in pairs], beam_size=beam_size)
    hypotheses = [translation.target for translation in translations]
    return score(hypotheses, [pair.target for pair in pairs])


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
        sources = [pair.source for pair in pairs[chunk]]
        translations = list(translator.translate(sources, beam_size=beam_size))
        links = _links(translator, pairs[chunk], golds[chunk])
        yield from map(Measured, pairs[chunk], translations, links)


def _links(
    translator: Translator, pairs: Sequence[SentencePair], golds: Sequence[GoldAlignment | None]
) -> list[LinkCounts | None]:
    """Compare the links of the forced references with the gold ones."""
    aligned = [pair for pair, gold in zip(pairs, golds, strict=True) if gold is not None]
    forced = translator.align_all((pair.source, pair.target) for pair in aligned)
    return [
        None if gold is None else count_links(parse_links(next(forced).alignment).sure, gold)
        for gold in golds
    ]


def summarise(measured: Sequence[Measured]) -> Summary:
    """Give all scores over these sentences."""
    hypotheses = [one.translation.target for one in measured]
    references = [one.pair.target for one in measured]
    links = [one.links for one in measured if one.links is not None]
    aer = alignment_error_rate(links) if links else None
    bleu = None
    if len(measured) >= FEWEST_FOR_BLEU:
        bleu = sacrebleu.BLEU().corpus_score(hypotheses, [references]).score
    return Summary(score(hypotheses, references), bleu, aer, len(links))


def by_length(measured: Sequence[Measured]) -> dict[str, list[Measured]]:
    """Group the sentences into buckets by their number of source words, shortest first."""
    buckets: dict[str, list[Measured]] = {}
    for one in sorted(measured, key=lambda one: len(one.pair.source.split())):
        buckets.setdefault(bucket(len(one.pair.source.split())), []).append(one)
    return buckets


def bucket(words: int) -> str:
    """Give the name of the bucket for this number of words.

    >>> [bucket(words) for words in (1, 4, 12, 97)]
    ['1-2', '3-4', '10-14', '40+']
    """
    number = sum(first <= words for first in LENGTHS) - 1
    if number + 1 == len(LENGTHS):
        return f"{LENGTHS[number]}+"
    return f"{LENGTHS[number]}-{LENGTHS[number + 1] - 1}"


def signatures() -> dict[str, str]:
    """Say how sacrebleu computes its scores, in its own notation."""
    metrics = {"chrf": sacrebleu.CHRF(), "bleu": sacrebleu.BLEU()}
    for metric in metrics.values():
        # subtle: before a score is computed, a signature doesn't know the number of references
        metric.corpus_score([""], [[""]])
    return {name: str(metric.get_signature()) for name, metric in metrics.items()}
