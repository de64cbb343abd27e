"""Erasing what the decoder looks at."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import PAIRS

from translator import Translator, TranslatorError
from translator.evaluation.faithfulness import Drops, erase, faithfulness, summarise
from translator.inference.gru import Memory, Network
from translator.settings import ATTENTIONS
from translator.translation import END

SOURCES = ["I love you", "The cat sat on the mat.", "you see him"]


@pytest.mark.parametrize("attention", [name for name in ATTENTIONS if name != "none"])
def test_a_drop_is_that_of_a_step_with_the_word_masked(make_checkpoint, attention):
    """In a sentence of two words, one is the most attended and the other is the random one."""
    translator = Translator(make_checkpoint(attention, seed=1))
    translation = next(translator.translate(["I see"], beam_size=1, max_length=6))
    (drops,) = erase(translator, [translation], np.random.default_rng(0))
    T = len(translation.target_pieces) - (translation.target_pieces[-1] == END)
    assert len(drops.attended) == len(drops.random) == T > 0
    for i in range(T):
        words = sorted(
            translation.source_words, key=lambda word: -translation.weights[i][word].sum()
        )
        expected = [
            translation.probabilities[i] - erased_probability(translator, translation, i, word)
            for word in words
        ]
        np.testing.assert_allclose([drops.attended[i], drops.random[i]], expected, atol=1e-6)


def erased_probability(translator: Translator, translation, i: int, word: list[int]) -> float:
    """Give the probability of piece i if only its own step can't see a source word."""
    network: Network = translator.network
    source = np.array([translator.encode(translation.source)])
    memory, state = network.encode(source, np.array([source.shape[1]]))
    ids = [2, *translator.checkpoint.target_tokenizer.piece_ids(translation.target_pieces)]
    for previous in ids[:i]:
        _, _, state = network.step(np.array([[previous]]), state, memory)
    keep = [j for j in range(source.shape[1]) if j not in word]
    log_probabilities, _, _ = network.step(
        np.array([[ids[i]]]), state, Memory(*(part[:, keep] for part in memory[:3]))
    )
    return float(np.exp(log_probabilities[0, 0, ids[i + 1]]))


def test_other_sentences_change_no_drop_of_the_attended_word(make_checkpoint):
    translator = Translator(make_checkpoint("general", seed=2))
    translations = list(translator.translate(SOURCES, beam_size=1, max_length=7))
    together = erase(translator, translations, np.random.default_rng(0))
    for translation, drops in zip(translations, together, strict=True):
        (alone,) = erase(translator, [translation], np.random.default_rng(0))
        np.testing.assert_allclose(drops.attended, alone.attended, atol=1e-5)


def test_what_a_trained_model_looks_at_matters(trained_path):
    translator = Translator.load(trained_path)
    found = faithfulness(
        translator, list(translator.translate([pair.source for pair in PAIRS], beam_size=1))
    )
    assert found.sentences == len(PAIRS) - 1  # "Hi!" has no other word to erase
    assert found.attended > found.random
    assert found.difference - found.interval > 0


def test_the_seed_decides_the_random_words(trained_path):
    translator = Translator.load(trained_path)
    translations = list(translator.translate([pair.source for pair in PAIRS], beam_size=1))
    first, again, other = (faithfulness(translator, translations, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first.attended == other.attended
    assert first.random != other.random


def test_the_summary_by_hand():
    drops = [
        Drops(np.array([0.5, 0.7]), np.array([0.1, 0.1])),
        Drops(np.array([0.3]), np.array([0.0])),
    ]
    found = summarise(drops)
    assert (found.sentences, found.pieces) == (2, 3)
    assert found.attended == pytest.approx(0.5)
    assert found.random == pytest.approx(0.2 / 3)
    assert found.difference == pytest.approx(0.4)  # the mean of 0.5 and 0.3
    assert found.interval == pytest.approx(1.96 * 0.1)  # 1.96 · √0.02 / √2


def test_one_sentence_has_no_interval():
    assert summarise([Drops(np.array([0.5]), np.array([0.1]))]).interval is None


def test_without_attention_there_is_nothing_to_erase(make_checkpoint):
    with pytest.raises(TranslatorError, match="without attention"):
        faithfulness(Translator(make_checkpoint("none")), [])


def test_sentences_of_one_word_are_not_enough(trained_path):
    translator = Translator.load(trained_path)
    with pytest.raises(TranslatorError, match="two words"):
        faithfulness(translator, list(translator.translate(["Hi!", ""])))
