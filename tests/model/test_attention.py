"""The score functions: against their formulas, and the properties that all attention has."""

from __future__ import annotations

import math

import pytest
import torch

from translator.model.attention import (
    SCORE_FUNCTIONS,
    Additive,
    Attention,
    Dot,
    General,
    NoAttention,
    ScaledDot,
)
from translator.settings import ATTENTIONS, ModelConfig

B, S, H = 3, 5, 4
WITH_WEIGHTS = [name for name in ATTENTIONS if name != "none"]


def config(name: str) -> ModelConfig:
    return ModelConfig(10, 10, name, embedding_size=2, hidden_size=H)


def attend(
    attention: Attention, lengths: tuple[int, ...] = (5, 3, 1)
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Weights, context and values for random states."""
    states, last, state = torch.randn(B, S, 2 * H), torch.randn(B, 2 * H), torch.randn(B, H)
    mask = torch.arange(S) < torch.tensor(lengths).unsqueeze(1)
    keys, values = attention.keys_and_values(states, last)
    return *attention(state, keys, values, mask), values


def test_the_table_has_every_name_of_the_configuration():
    assert tuple(SCORE_FUNCTIONS) == ATTENTIONS


def test_a_hand_can_check_it():
    """Scores ln 1, ln 2, ln 3 give weights 1/6, 1/3, 1/2. The context mixes the values so."""

    class Given(Attention):
        def score(self, state, keys):
            return torch.tensor([[math.log(1), math.log(2), math.log(3)]])

    values = torch.tensor([[[6.0, 0.0], [0.0, 6.0], [2.0, 2.0]]])
    weights, context = Given()(
        torch.zeros(1, H), values, values, torch.ones(1, 3, dtype=torch.bool)
    )
    torch.testing.assert_close(weights, torch.tensor([[1 / 6, 1 / 3, 1 / 2]]))
    torch.testing.assert_close(context, torch.tensor([[2.0, 3.0]]))


@pytest.mark.case(18)
@pytest.mark.parametrize("name", WITH_WEIGHTS)
def test_rows_sum_to_one(name):
    weights, _, _ = attend(SCORE_FUNCTIONS[name](config(name)))
    torch.testing.assert_close(weights.sum(1), torch.ones(B))


@pytest.mark.case(18)
@pytest.mark.parametrize("name", WITH_WEIGHTS)
def test_padding_gets_no_attention(name):
    weights, _, _ = attend(SCORE_FUNCTIONS[name](config(name)))
    assert (weights[1, 3:] == 0).all()
    assert weights[2].tolist() == [1, 0, 0, 0, 0]


@pytest.mark.parametrize("name", WITH_WEIGHTS)
def test_the_context_is_the_weighted_sum_of_the_values(name):
    weights, context, values = attend(SCORE_FUNCTIONS[name](config(name)))
    for sentence in range(B):
        expected = sum(weights[sentence, j] * values[sentence, j] for j in range(S))
        torch.testing.assert_close(context[sentence], expected)


@pytest.mark.parametrize("name", WITH_WEIGHTS)
def test_permuting_the_source_permutes_the_weights(name):
    attention, order = SCORE_FUNCTIONS[name](config(name)), torch.tensor([3, 0, 4, 1, 2])
    states, state, mask = (
        torch.randn(1, S, 2 * H),
        torch.randn(1, H),
        torch.ones(1, S, dtype=torch.bool),
    )
    weights, context = attention(state, *attention.keys_and_values(states, states[:, 0]), mask)
    permuted, same = attention(
        state, *attention.keys_and_values(states[:, order], states[:, 0]), mask
    )
    torch.testing.assert_close(permuted, weights[:, order])
    torch.testing.assert_close(same, context)


@pytest.mark.parametrize("name", ATTENTIONS)
def test_the_context_has_the_size_that_the_configuration_says(name):
    _, context, _ = attend(SCORE_FUNCTIONS[name](config(name)))
    assert context.shape == (B, config(name).context_size)


def scores_of(attention: Attention) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """One state (H,), states (S, 2H), and their scores (S,)."""
    state, states = torch.randn(H), torch.randn(S, 2 * H)
    keys, _ = attention.keys_and_values(states.unsqueeze(0), states[:1])
    return state, states, attention.score(state.unsqueeze(0), keys)[0]


def test_dot_is_the_dot_product_of_both_projections():
    attention = Dot(config("dot"))
    s, h, scores = scores_of(attention)
    expected = [(attention.query.weight @ s) @ (attention.key.weight @ h_j) for h_j in h]
    torch.testing.assert_close(scores, torch.stack(expected))


def test_scaled_dot_divides_by_the_root_of_the_key_size():
    attention = ScaledDot(config("scaled-dot"))
    s, h, scores = scores_of(attention)
    expected = [
        (attention.query.weight @ s) @ (attention.key.weight @ h_j) / math.sqrt(H) for h_j in h
    ]
    torch.testing.assert_close(scores, torch.stack(expected))


def test_general_has_one_matrix_between():
    attention = General(config("general"))
    s, h, scores = scores_of(attention)
    torch.testing.assert_close(scores, torch.stack([s @ attention.key.weight @ h_j for h_j in h]))


def test_additive_is_a_small_network():
    attention = Additive(config("additive"))
    s, h, scores = scores_of(attention)
    v, W, U = attention.energy.weight[0], attention.query.weight, attention.key.weight
    torch.testing.assert_close(scores, torch.stack([v @ torch.tanh(W @ s + U @ h_j) for h_j in h]))


def test_none_hands_on_the_last_state_whatever_asks():
    attention = NoAttention(config("none"))
    states, last = torch.randn(B, S, 2 * H), torch.randn(B, 2 * H)
    keys, values = attention.keys_and_values(states, last)
    weights, context = attention(
        torch.randn(B, H), keys, values, torch.ones(B, S, dtype=torch.bool)
    )
    assert (weights == 0).all()
    assert (context == last).all()
