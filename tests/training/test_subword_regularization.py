"""Words cut at random: the same text in other pieces."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import PAIRS
from hypothesis import given
from hypothesis import strategies as st

from translator.inference.translator import Translator
from translator.text.tokenizer import END_ID, Tokenizer
from translator.training.batches import EncodedPairs
from translator.training.subword_regularization import SubwordSampler
from translator.translation import WORD_START, group_words

SENTENCES = ["i like fish", "she goes to school by bus.", "where is the library?", "hi", ""]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Translator.load().checkpoint.source_tokenizer


@given(sentence=st.sampled_from(SENTENCES), seed=st.integers(0, 10_000))
def test_the_text_stays_and_one_word_at_most_is_cut(tokenizer, sentence, seed):
    usual = tokenizer.encode(sentence)
    cut = SubwordSampler(tokenizer, 1.0)(usual, np.random.default_rng(seed))
    assert tokenizer.decode(cut) == sentence
    assert cut[-1] == END_ID
    words, others = (group_words(tuple(map(tokenizer.piece, ids))) for ids in (usual, cut))
    assert len(words) == len(others)
    assert sum(len(word) != len(other) for word, other in zip(words, others, strict=True)) <= 1
    assert tokenizer.piece_ids([WORD_START])[0] not in cut, (
        "a mark without a letter is no way to begin a word"
    )


def test_frequent_words_are_cut_in_many_ways(tokenizer):
    sampler, generator = SubwordSampler(tokenizer, 1.0), np.random.default_rng(1)
    ways = {
        tuple(map(tokenizer.piece, sampler(tokenizer.encode("school"), generator)))
        for _ in range(200)
    }
    assert len(ways) > 10
    assert ("▁school", "</s>") in ways, "a word may stay as it is"


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_a_share_of_sentences_is_cut(tokenizer, share):
    sampler, generator = SubwordSampler(tokenizer, share), np.random.default_rng(1)
    usual = tokenizer.encode("my grandmother likes beautiful flowers")
    changed = sum(sampler(usual, generator) != usual for _ in range(2_000)) / 2_000
    assert share * 0.7 < changed < share


def test_batches_are_cut_only_where_it_is_asked_for(tokenizers):
    usual, sampled = (
        EncodedPairs.encode(*tokenizers, PAIRS, subword_sampling=share) for share in (0.0, 1.0)
    )
    lengths = [
        sum(
            int(batch.source_lengths.sum())
            for batch in pairs.batches(4, np.random.default_rng(seed))
        )
        for pairs, seed in ((usual, 1), (sampled, 1), (sampled, 1), (sampled, 2))
    ]
    assert lengths[0] < lengths[1] == lengths[2] != lengths[3]
    assert np.array_equal(
        sampled.batch(np.arange(4)).source_ids, usual.batch(np.arange(4)).source_ids
    ), "no generator, no chance"
