"""Does the decoder need what it looks at? Erase it, and see how far the probability drops.

A heatmap suggests that the most attended source word made the decoder write a piece. If so, masking
that word in this step's attention must lower the piece's probability, and by more than masking
another word, drawn at random (erasure: Li et al. 2016; for attention: Serrano and Smith 2019).

Only the attention of the step is masked. The encoder and the decoder's state have still seen the
whole sentence, so the drop measures what *looking* there was worth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from translator.errors import TranslatorError
from translator.inference.arrays import Booleans, Floats, Integers
from translator.inference.batching import pad
from translator.inference.translator import BATCH_SIZE, Translator
from translator.text.tokenizer import START_ID
from translator.translation import END, Translation

TWO_SIDED_95 = 1.96  # standard errors


class Drops(NamedTuple):
    """By how much the probability of each piece of one translation drops, (T,)."""

    attended: Floats  # with the most attended source word erased
    random: Floats  # with another source word erased


class Faithfulness(NamedTuple):
    """Mean drops of probability over some translations, without the end of sentence."""

    sentences: int
    pieces: int
    attended: float  # -1 to 1: the most attended source word erased
    random: float  # -1 to 1: another source word erased
    difference: float  # the mean over sentences of attended - random
    interval: float | None  # ± of the difference, 95 % confidence; None for a single sentence


def faithfulness(
    translator: Translator, translations: Sequence[Translation], *, seed: int = 0
) -> Faithfulness:
    """Measure translations made by the same model.

    Sentences of one word have no other word to erase, and are left out. Raises `TranslatorError` if
    the model has no attention, or no sentence is left.
    """
    if translator.checkpoint.config.attention == "none":
        message = "a model without attention looks at nothing that could be erased"
        raise TranslatorError(message, hint="leave out --faithfulness for it")
    usable = [t for t in translations if len(t.source_words) > 1 and t.target_words]
    if not usable:
        message = "no sentence has two words, so there is no other to erase"
        raise TranslatorError(message, hint="give a corpus with longer sentences")
    generator = np.random.default_rng(seed)
    drops: list[Drops] = []
    for start in range(0, len(usable), BATCH_SIZE):
        drops += erase(translator, usable[start : start + BATCH_SIZE], generator)
    return summarise(drops)


def summarise(drops: Sequence[Drops]) -> Faithfulness:
    """Give means over pieces, and the interval over sentences (normal approximation).

    The pieces of one sentence aren't independent, so the interval can't be over pieces.
    """
    attended, random = (np.concatenate(column) for column in zip(*drops, strict=True))
    differences = np.array([(drop.attended - drop.random).mean() for drop in drops])  # (N,)
    n = len(drops)
    interval = TWO_SIDED_95 * float(differences.std(ddof=1)) / math.sqrt(n) if n > 1 else None
    means = float(attended.mean()), float(random.mean()), float(differences.mean())
    return Faithfulness(n, len(attended), *means, interval)


def erase(
    translator: Translator, translations: Sequence[Translation], generator: np.random.Generator
) -> list[Drops]:
    """Decode the translations again, and each step twice more with a source word masked."""
    source_ids, source_lengths, target_ids = _ids(translator, translations)
    network, sentence = translator.network, np.arange(len(translations))
    memory, state = network.encode(source_ids, source_lengths)
    memory = network.project_values(memory)  # each step uses it three times
    previous_ids = np.full(len(translations), START_ID)
    steps = []
    for current in target_ids.T:  # (B,)
        log_probabilities, weights, new_state = network.step(previous_ids[:, None], state, memory)
        pairs = zip(translations, weights, strict=True)
        erasures = [_erasures(translation, row[0], generator) for translation, row in pairs]
        before = np.exp(log_probabilities[sentence, 0, current])  # (B,)
        step = []
        for erased in zip(*erasures, strict=True):  # the most attended words, then the others
            masked = memory._replace(mask=_without(memory.mask, erased))
            log_probabilities, *_ = network.step(previous_ids[:, None], state, masked)
            step.append(before - np.exp(log_probabilities[sentence, 0, current]))
        steps.append(step)
        previous_ids, state = current, new_state
    drops = np.array(steps, float)  # (T, 2, B)
    lengths = [len(t.target_pieces) - (t.target_pieces[-1] == END) for t in translations]
    return [Drops(drops[:T, 0, n], drops[:T, 1, n]) for n, T in enumerate(lengths)]


def _ids(
    translator: Translator, translations: Sequence[Translation]
) -> tuple[Integers, Integers, Integers]:
    """Give source ids (B, S), their lengths (B,) and target ids (B, T)."""
    tokenizer = translator.checkpoint.target_tokenizer
    source_ids, lengths = pad([translator.encode(t.source) for t in translations])
    target_ids, _ = pad([tokenizer.piece_ids(t.target_pieces) for t in translations])
    return source_ids, lengths, target_ids


def _erasures(
    translation: Translation, weights: Floats, generator: np.random.Generator
) -> tuple[list[int], list[int]]:
    """Give the pieces of the source word with the most weight, and those of a random other.

    `weights` (S,) are summed over a word's pieces.
    """
    words = translation.source_words
    most = int(np.argmax([weights[word].sum() for word in words]))
    other = int(generator.integers(len(words) - 1))
    return words[most], words[other + (other >= most)]


def _without(mask: Booleans, erased: Sequence[list[int]]) -> Booleans:
    """Give the mask (B, S) without some pieces of each sentence."""
    masked = mask.copy()
    for number, pieces in enumerate(erased):
        masked[number, pieces] = False
    return masked
