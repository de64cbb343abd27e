"""What holds of every attention matrix, over random networks and random sentences."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from test_beam_search import END, NEVER, START, V, random_network

from translator.inference.beam_search import beam_search
from translator.inference.forced_decoding import force_decode
from translator.inference.gru import Network
from translator.inference.hypotheses import Hypothesis
from translator.model.attention import SCORE_FUNCTIONS
from translator.settings import ATTENTIONS, ModelConfig

WITH_WEIGHTS = [name for name in ATTENTIONS if name != "none"]
SENTENCES = st.lists(st.lists(st.sampled_from([4, 5]), max_size=6), min_size=1, max_size=4)
NETWORKS = st.builds(random_network, st.sampled_from(WITH_WEIGHTS), st.integers(0, 1_000_000))
BEAM_SIZES = st.integers(1, 5)


def found(network: Network, sentences: list[list[int]], beam_size: int) -> list[list[Hypothesis]]:
    """All hypotheses of sentences that are translated together."""
    lengths = np.array([len(sentence) + 1 for sentence in sentences])
    sources = np.array(
        [
            [*sentence, END, *[0] * (lengths.max() - length)]
            for sentence, length in zip(sentences, lengths, strict=True)
        ]
    )
    limits = np.full(len(sentences), 7)
    return beam_search(
        network,
        sources,
        lengths,
        limits,
        start=START,
        end=END,
        never=NEVER,
        beam_size=beam_size,
        n_best=beam_size,
    )


@given(NETWORKS, SENTENCES, BEAM_SIZES)
def test_rows_sum_to_one_and_padding_is_exactly_zero(network, sentences, beam_size):
    for sentence, hypotheses in zip(sentences, found(network, sentences, beam_size), strict=True):
        for weights in (hypothesis.weights for hypothesis in hypotheses):
            assert (weights >= 0).all()
            np.testing.assert_allclose(weights.sum(1), 1, atol=1e-12)
            assert (weights[:, len(sentence) + 1 :] == 0).all()


@given(NETWORKS, SENTENCES, BEAM_SIZES)
def test_other_sentences_in_the_batch_change_nothing(network, sentences, beam_size):
    for sentence, together in zip(sentences, found(network, sentences, beam_size), strict=True):
        (alone,) = found(network, [sentence], beam_size)
        assert [hypothesis.ids.tolist() for hypothesis in together] == [
            hypothesis.ids.tolist() for hypothesis in alone
        ]
        for one, other in zip(together, alone, strict=True):
            np.testing.assert_allclose(
                one.weights[:, : len(sentence) + 1], other.weights, atol=1e-10
            )


@given(NETWORKS, SENTENCES, BEAM_SIZES)
def test_each_hypothesis_of_a_beam_keeps_its_own_rows(network, sentences, beam_size):
    """Forced decoding of the same pieces gives the same matrix."""
    for sentence, hypotheses in zip(sentences, found(network, sentences, beam_size), strict=True):
        assert len({tuple(hypothesis.ids) for hypothesis in hypotheses}) == len(hypotheses)
        assert not {*NEVER} & {
            int(number) for hypothesis in hypotheses for number in hypothesis.ids
        }
        for hypothesis in hypotheses:
            forced = force_decode(network, np.array([*sentence, END]), hypothesis.ids, START)
            np.testing.assert_allclose(
                hypothesis.weights[:, : len(sentence) + 1], forced.weights, atol=1e-10
            )
            np.testing.assert_allclose(
                hypothesis.log_probabilities, forced.log_probabilities, atol=1e-10
            )


@pytest.mark.parametrize("name", WITH_WEIGHTS)
@given(
    seed=st.integers(0, 1_000_000),
    order=st.integers(1, 9).flatmap(lambda size: st.permutations(range(size))),
    size=st.integers(1, 8),
)
def test_permuting_keys_and_values_permutes_the_weights(name, seed, order, size):
    torch.manual_seed(seed)
    attention = SCORE_FUNCTIONS[name](
        ModelConfig(V, V, name, embedding_size=2, hidden_size=size)
    ).double()
    states, state = (
        torch.randn(1, len(order), 2 * size, dtype=torch.double),
        torch.randn(1, size, dtype=torch.double),
    )
    keys, values = attention.keys_and_values(states, states[:, 0])
    mask = torch.ones(1, len(order), dtype=torch.bool)
    weights, context = attention(state, keys, values, mask)
    permuted, same = attention(state, keys[:, order], values[:, order], mask)
    torch.testing.assert_close(permuted, weights[:, order])
    torch.testing.assert_close(same, context)
