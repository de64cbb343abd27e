"""The attention of `model/attention.py` in numpy, for all hypotheses of a beam at once.

A step handles K hypotheses for each of B sentences. They share the sentence's keys and values.
"""

from __future__ import annotations

import math

import numpy as np

from translator.inference.arrays import (
    Booleans,
    Floats,
    Parameters,
    cache_sized_parts,
    masked_matmul,
    matmul,
)


class Attention:
    """A score function with its parameters, whose names in the checkpoint begin with `prefix`."""

    def __init__(self, score: str, parameters: Parameters, prefix: str) -> None:
        self.kind = score
        names = ("query", "key", "value", "energy")
        found = {name: parameters.get(f"{prefix}.{name}.weight") for name in names}
        self._matrices = {
            name: np.ascontiguousarray(matrix.T)
            for name, matrix in found.items()
            if matrix is not None
        }

    def keys(self, states: Floats, mask: Booleans) -> Floats:
        """Give the key of each encoder state (B, S, 2H): (B, S, H)."""
        return masked_matmul(states, mask, self._matrices["key"])

    def values(self, states: Floats, mask: Booleans) -> Floats:
        """Give the value of each encoder state: W_v h_j, or h_j itself, (B, S, C)."""
        value = self._matrices.get("value")
        return states if value is None else masked_matmul(states, mask, value)

    def query(self, state: Floats) -> Floats:
        """Give the query of each state: W_q s_i, or s_i itself, (B, K, H)."""
        query = self._matrices.get("query")
        return state if query is None else matmul(state, query)

    def score(self, query: Floats, keys: Floats) -> Floats:
        """Compute score(s_i, key_j) for every hypothesis and source piece: (B, K, S)."""
        if self.kind == "additive":
            return self._additive(query, keys)
        scores: Floats = query @ keys.swapaxes(1, 2)  # (B, K, H) @ (B, H, S) -> (B, K, S)
        return scores / self.divisor(keys) if self.kind == "scaled-dot" else scores

    def divisor(self, keys: Floats) -> float:
        """Give the divisor of the scores: √d_k for `scaled-dot`, otherwise 1."""
        return math.sqrt(keys.shape[2]) if self.kind == "scaled-dot" else 1.0

    def _additive(self, query: Floats, keys: Floats) -> Floats:
        energy = self._matrices["energy"][:, 0]  # v, (H,)
        energies = np.empty((*query.shape[:2], keys.shape[1]), query.dtype)
        for part in cache_sized_parts(len(query), query.shape[1] * keys[0].size):
            sums = query[part, :, None] + keys[part, None]  # (·, K, S, H)
            np.tanh(sums, out=sums)
            energies[part] = sums @ energy  # (·, K, S, H) @ (H,) -> (·, K, S)
        return energies

    def weights(self, state: Floats, keys: Floats, mask: Booleans) -> Floats:
        """Give the weights α_i (B, K, S) of states s_i (B, K, H); all 0 for attention `none`."""
        if self.kind == "none":
            return np.zeros((*state.shape[:2], mask.shape[1]), state.dtype)
        scores = self.score(self.query(state), keys)
        scores = np.where(mask[:, None], scores, -np.inf)  # (B, K, S)
        weights: Floats = np.exp(scores - scores.max(2, keepdims=True))
        weights /= weights.sum(2, keepdims=True)
        return weights

    def mix(self, weights: Floats, values: Floats) -> Floats:
        """Mix the values (B, S, ·) by these weights (B, K, S): the contexts c_i, (B, K, ·)."""
        if self.kind == "none":
            weights = np.ones((*weights.shape[:2], 1), weights.dtype)
        mixed: Floats = weights @ values  # (B, K, S) @ (B, S, ·) -> (B, K, ·)
        return mixed
