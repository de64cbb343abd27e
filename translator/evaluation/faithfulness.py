"""Whether the decoder needs what it looks at: erase it, and see what the piece's probability does.

A heatmap claims that the most attended source word made the decoder write a piece. If so, masking that word from attention, in this one
step, must lower the piece's probability, and by more than masking another word, drawn at random (erasure: Li et al. 2016; for attention:
Serrano and Smith 2019). Only the step's own attention is masked: the decoder's state and the encoder have seen the whole sentence, so a fall
is what *looking* there was worth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from translator.errors import TranslatorError
from translator.inference.arrays import Booleans, Floats, Integers
from translator.inference.gru import Memory, State
from translator.inference.translator import BATCH_SIZE, Translator, pad
from translator.text.tokenizer import START_ID
from translator.translation import END, Translation

TWO_SIDED_95 = 1.96  # standard errors


class Falls(NamedTuple):
    """How far the probability of each written piece of one translation falls, (T,): its most attended word erased, or a random other."""

    attended: Floats
    random: Floats


class Faithfulness(NamedTuple):
    """Mean falls of probability over some translations, the end of sentence not counted."""

    sentences: int
    pieces: int
    attended: float  # -1 to 1: the most attended source word erased
    random: float  # -1 to 1: another source word erased
    difference: float  # the mean over sentences of attended - random
    interval: (
        float | None
    )  # half of the 95 % confidence interval of the difference; None for a single sentence


def faithfulness(
    translator: Translator, translations: Sequence[Translation], *, seed: int = 0
) -> Faithfulness:
    """Measure translations that this very model made. Sentences of one word have no other to erase and are left out.

    Raises `TranslatorError` if the model has no attention, or no sentence is left.
    """
    if translator.checkpoint.config.attention == "none":
        raise TranslatorError(
            "a model without attention looks at nothing that could be erased",
            hint="leave out --faithfulness for it",
        )
    usable = [t for t in translations if len(t.source_words) > 1 and t.target_words]
    if not usable:
        raise TranslatorError(
            "no sentence has two words, so there is no other to erase",
            hint="give a corpus with longer sentences",
        )
    generator = np.random.default_rng(seed)
    falls: list[Falls] = []
    for start in range(0, len(usable), BATCH_SIZE):
        falls += erase(translator, usable[start : start + BATCH_SIZE], generator)
    return summarise(falls)


def summarise(falls: Sequence[Falls]) -> Faithfulness:
    """Means over pieces; the interval is over sentences, since the pieces of one aren't independent (normal approximation)."""
    attended, random = (np.concatenate(column) for column in zip(*falls, strict=True))
    differences = np.array([(fall.attended - fall.random).mean() for fall in falls])  # (N,)
    n = len(falls)
    interval = TWO_SIDED_95 * float(differences.std(ddof=1)) / math.sqrt(n) if n > 1 else None
    return Faithfulness(
        n,
        len(attended),
        float(attended.mean()),
        float(random.mean()),
        float(differences.mean()),
        interval,
    )


def erase(
    translator: Translator, translations: Sequence[Translation], generator: np.random.Generator
) -> list[Falls]:
    """Write the translations again, and at each step twice more with a source word masked from attention."""
    source_ids, source_lengths, target_ids = _ids(translator, translations)
    network, sentence = translator.network, np.arange(len(translations))
    memory, state = network.encode(source_ids, source_lengths)
    memory = network.multiply(memory)  # each step looks at it three times
    previous_ids = np.full(len(translations), START_ID)
    steps = []
    for current in target_ids.T:  # (B,)
        log_probabilities, weights, after = network.step(previous_ids[:, None], state, memory)
        masks = [
            _erasures(t, row[0], generator) for t, row in zip(translations, weights, strict=True)
        ]
        before = np.exp(log_probabilities[sentence, 0, current])  # (B,)
        steps.append(
            [
                before
                - _probability(translator, previous_ids, state, memory, current, masks, which)
                for which in (0, 1)
            ]
        )
        previous_ids, state = current, after
    falls = np.array(steps, float)  # (T, 2, B)
    lengths = [len(t.target_pieces) - (t.target_pieces[-1] == END) for t in translations]
    return [Falls(falls[:T, 0, n], falls[:T, 1, n]) for n, T in enumerate(lengths)]


def _ids(
    translator: Translator, translations: Sequence[Translation]
) -> tuple[Integers, Integers, Integers]:
    """Source ids (B, S), their lengths (B,), and the ids of the pieces that were written (B, T)."""
    source_ids, lengths = pad([translator.encode(t.source) for t in translations])
    target_ids, _ = pad(
        [translator.checkpoint.target_tokenizer.piece_ids(t.target_pieces) for t in translations]
    )
    return source_ids, lengths, target_ids


def _erasures(
    translation: Translation, weights: Floats, generator: np.random.Generator
) -> tuple[list[int], list[int]]:
    """The pieces of the most attended source word (weights (S,) summed over its pieces), and those of another at random."""
    words = translation.source_words
    most = int(np.argmax([weights[word].sum() for word in words]))
    other = int(generator.integers(len(words) - 1))
    return words[most], words[other + (other >= most)]


def _probability(
    translator: Translator,
    previous_ids: Integers,
    state: State,
    memory: Memory,
    current: Integers,
    masks: list[tuple[list[int], list[int]]],
    which: int,
) -> Floats:
    """The probabilities (B,) of the `current` pieces with the erasures `which` of each sentence masked."""
    mask: Booleans = memory.mask.copy()
    for number, erasures in enumerate(masks):
        mask[number, erasures[which]] = False
    log_probabilities, _, _ = translator.network.step(
        previous_ids[:, None], state, memory._replace(mask=mask)
    )
    probabilities: Floats = np.exp(log_probabilities[np.arange(len(current)), 0, current])
    return probabilities
