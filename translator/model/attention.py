"""Attention: a soft look-up, the heart of this program.

    score_ij = score(s_i, h_j)       how well does source piece j answer the query of state s_i?
    α_ij     = softmax_j(score_ij)   the attention weights: row i of the heatmap, which sums to 1
    c_i      = Σ_j α_ij · value_j    the context: what the decoder sees of the source in step i

A dictionary returns the value of the one key that equals the query. Attention compares the query
with every key and returns a mixture of all values. The mixture has a gradient, so the network can
learn where to look.

Score functions differ only in how they compare a state with a key. Each is a class and a row of
`SCORE_FUNCTIONS`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from translator.model.attention_gradient import AdditiveGradient, DotGradient, ScoreGradient
from translator.model.mixed_precision import Linear
from translator.settings import ModelConfig


class Attention(nn.Module):
    """What all score functions share.

    Keys and values are computed once per sentence. Each step then scores, weights and mixes them.
    """

    query: Linear | None  # W_q; None: the state itself is the query
    energy: nn.Linear | None  # v, for a score function that is a small network
    score_gradient: ScoreGradient | None  # for the fast loops in `gru/decoder_gradient.py`

    def __init__(self, score_gradient: ScoreGradient | None = None) -> None:
        super().__init__()
        self.query = self.energy = None
        self.score_gradient = score_gradient

    def keys_and_values(self, states: Tensor, final_state: Tensor) -> tuple[Tensor, Tensor]:
        """Give keys (B, S, H) and values (B, S, C) of the encoder's states (B, S, 2H)."""
        raise NotImplementedError

    def score(self, state: Tensor, keys: Tensor) -> Tensor:
        """Give score(s_i, key_j) of the decoder's states (B, H) with every key: (B, S)."""
        raise NotImplementedError

    def forward(
        self, state: Tensor, keys: Tensor, values: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Give the weights α_i (B, S) and the context c_i (B, C) of a state s_i (B, H)."""
        scores = self.score(state, keys)  # (B, S)
        # e^-inf = 0: padding gets no weight at all.
        weights = torch.where(mask, scores, -torch.inf).softmax(1)  # (B, S)
        context = (weights.unsqueeze(1) @ values).squeeze(1)  # (B, 1, S) @ (B, S, C) -> (B, 1, C)
        return weights, context


class Dot(Attention):
    """(W_q s)·(W_k h): both sides projected to one space (Luong et al. 2015, section 3.1)."""

    query: Linear

    def __init__(self, config: ModelConfig, scale: float = 1.0) -> None:
        super().__init__(DotGradient(scale))
        H = config.hidden_size
        self.query = Linear(H, H, bias=False)
        self.key = Linear(2 * H, H, bias=False)

    def keys_and_values(self, states: Tensor, final_state: Tensor) -> tuple[Tensor, Tensor]:
        return self.key(states), states

    def score(self, state: Tensor, keys: Tensor) -> Tensor:
        query: Tensor = self.query(state)  # (B, H)
        return (query.unsqueeze(1) @ keys.mT).squeeze(1)  # (B, 1, H) @ (B, H, S) -> (B, 1, S)


class ScaledDot(Dot):
    """(W_q s)·(W_k h) / √d_k, with values W_v h (Vaswani et al. 2017, equation 1).

    The dot product of d_k independent numbers of variance 1 has variance d_k. Without the root, a
    large d_k drives the softmax to 0 and 1, where it has no gradient.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config, 1 / math.sqrt(config.hidden_size))
        self.value = Linear(2 * config.hidden_size, config.hidden_size, bias=False)

    def keys_and_values(self, states: Tensor, final_state: Tensor) -> tuple[Tensor, Tensor]:
        return self.key(states), self.value(states)

    def score(self, state: Tensor, keys: Tensor) -> Tensor:
        return super().score(state, keys) / math.sqrt(keys.shape[2])


class General(Attention):
    """sᵀ W h: one matrix between the two sides (Luong et al. 2015, equation 8)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(DotGradient(1.0))
        self.key = Linear(2 * config.hidden_size, config.hidden_size, bias=False)

    def keys_and_values(self, states: Tensor, final_state: Tensor) -> tuple[Tensor, Tensor]:
        return self.key(states), states

    def score(self, state: Tensor, keys: Tensor) -> Tensor:
        return (state.unsqueeze(1) @ keys.mT).squeeze(1)  # (B, 1, H) @ (B, H, S) -> (B, 1, S)


class Additive(Attention):
    """vᵀ tanh(W s + U h): a small network compares (Bahdanau et al. 2015, appendix A.1.2)."""

    query: Linear
    energy: nn.Linear

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(AdditiveGradient())
        H = config.hidden_size
        self.query = Linear(H, H, bias=False)  # W
        self.key = Linear(2 * H, H, bias=False)  # U
        self.energy = nn.Linear(H, 1, bias=False)  # v

    def keys_and_values(self, states: Tensor, final_state: Tensor) -> tuple[Tensor, Tensor]:
        return self.key(states), states

    def score(self, state: Tensor, keys: Tensor) -> Tensor:
        query: Tensor = self.query(state).unsqueeze(1)  # (B, 1, H)
        energies: Tensor = self.energy(torch.tanh(query + keys))  # (B, S, 1)
        return energies.squeeze(2)


class NoAttention(Attention):
    """The encoder's final state as the context of every step (Cho et al. 2014).

    One fixed vector for the whole sentence: the baseline that shows what attention adds.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()

    def keys_and_values(self, states: Tensor, final_state: Tensor) -> tuple[Tensor, Tensor]:
        return states[:, :, :0], final_state

    def forward(
        self, state: Tensor, keys: Tensor, values: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        return torch.zeros_like(mask, dtype=state.dtype), values


SCORE_FUNCTIONS: dict[str, Callable[[ModelConfig], Attention]] = {
    "scaled-dot": ScaledDot,
    "dot": Dot,
    "general": General,
    "additive": Additive,
    "none": NoAttention,
}
