"""The recurrent network in numpy: `encode` sources once, then `step` through the targets.

`model/gru/encoder.py` and `model/gru/decoder.py` explain the equations, and a test checks that both
networks are equal. This one is for speed: importing torch takes longer than a hundred translations.

One thing differs. The context c_i = Σ_j α_ij · value_j is only used in a product with a matrix W,
and W c_i = Σ_j α_ij · (W value_j). So beam search multiplies each value by W once (see
`Network.project_values`), not each context of each step and hypothesis. That saves a third of the
work.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from translator.inference.arrays import (
    Booleans,
    Floats,
    Integers,
    Parameters,
    masked_matmul,
    matmul,
    sigmoid,
)
from translator.inference.attention import Attention
from translator.inference.cached_projection import CachedProjection
from translator.inference.output import OutputLayer
from translator.settings import ModelConfig

DIRECTIONS = ("encoder.rightward", "encoder.leftward")


class Memory(NamedTuple):
    """What the decoder can look at: the encoder's output, the same at every step.

    Values are (B, S, C), or projected by W (B, S, 3H + E): what they add to the next gates and to
    the readout. With attention `none` there is only one, the encoder's final state (B, 1, ·).
    """

    keys: Floats  # (B, S, ·)
    values: Floats
    mask: Booleans  # (B, S), True on real pieces
    is_projected: bool = False

    def select(self, sentences: Integers | Booleans) -> Memory:
        """Give the memory of some of the sentences."""
        keys, values, mask = self.keys[sentences], self.values[sentences], self.mask[sentences]
        return Memory(keys, values, mask, self.is_projected)


class State(NamedTuple):
    """What the decoder carries from one step to the next."""

    state: Floats  # s_i, (B, K, H)
    context_gates: Floats  # what c_i adds to the next gates, (B, K, 3H)

    def select(self, index: tuple[Integers, Integers] | Booleans) -> State:
        """Give the states at these (sentence, hypothesis) places, or of some of the sentences."""
        return State(self.state[index], self.context_gates[index])


class Network:
    """The trained recurrent network, for translating.

    `parameters` are named and shaped as `config.parameter_shapes()` says.
    """

    def __init__(
        self, config: ModelConfig, parameters: Parameters, dtype: DTypeLike = np.float32
    ) -> None:
        self.config = config
        parameters = {name: array.astype(dtype, copy=False) for name, array in parameters.items()}
        self.dtype = parameters["encoder.embedding.weight"].dtype
        self._biases = {name: array for name, array in parameters.items() if array.ndim == 1}
        # (inputs, outputs) in memory order: a product with a transposed view takes twice as long.
        self._matrices = {
            name: np.ascontiguousarray(array.T)
            for name, array in parameters.items()
            if array.ndim == 2 and "embedding.weight" not in name
        }
        self.attention = Attention(config.attention, parameters, "decoder.attention")
        self.output = OutputLayer(
            parameters["decoder.embedding.weight"], parameters["decoder.output_bias"]
        )
        self._project_embeddings(parameters)

    def _project_embeddings(self, parameters: Parameters) -> None:
        """Join the layers that read the same vector, so each vector is multiplied only once."""
        H, C = self.config.hidden_size, self.config.context_size
        readout = self._matrices["decoder.readout.weight"]
        self._state_readout, from_context, from_embedded = np.split(readout, [H, H + C])
        context_gates = self._matrices["decoder.context_gates.weight"]
        self._context_projection = np.hstack([context_gates, from_context])  # W, (C, 3H + E)
        gates, bias = self._layer("decoder.embedded_gates")
        self._target_projection = CachedProjection(
            parameters["decoder.embedding.weight"],
            np.hstack([gates, from_embedded]),  # (E, 3H + E)
            np.hstack([bias, self._biases["decoder.readout.bias"]]),
        )
        vectors = parameters["encoder.embedding.weight"]
        self._source_projections = {
            name: CachedProjection(vectors, *self._layer(f"{name}.embedded_gates"))
            for name in DIRECTIONS
        }

    def encode(self, source_ids: Integers, source_lengths: Integers) -> tuple[Memory, State]:
        """Encode sources with ids (B, S) and lengths (B,).

        Gives their memory, and the decoder's first state with K = 1.
        """
        (B, S), H = source_ids.shape, self.config.hidden_size
        mask = np.arange(S) < source_lengths[:, None]  # (B, S)
        states = np.zeros((B, S, 2 * H), self.dtype)
        rightward, leftward = DIRECTIONS
        self._unroll(source_ids, source_lengths, rightward, range(S), states[:, :, :H])
        self._unroll(source_ids, source_lengths, leftward, reversed(range(S)), states[:, :, H:])
        at_end, at_start = states[np.arange(B), source_lengths - 1, :H], states[:, 0, H:]
        final_state = np.concatenate([at_end, at_start], 1)  # (B, 2H)
        first_context = np.tanh(self._linear(final_state, "decoder.first_context"))  # (B, C)
        first = State(
            np.tanh(self._linear(final_state, "decoder.first_state"))[:, None],  # (B, 1, H)
            self._linear(first_context, "decoder.context_gates")[:, None],  # (B, 1, 3H)
        )
        return self._memory(states, final_state, mask), first

    def _unroll(
        self,
        source_ids: Integers,
        source_lengths: Integers,
        direction: str,
        columns: Iterable[int],
        states: Floats,
    ) -> None:
        """Run one direction's GRU over the columns and write the states into `states` (B, S, H).

        In each column only the sentences with a real piece are computed: padding takes no time.
        """
        inputs, rows = self._source_projections[direction].find(source_ids)  # (·, 3H), (B, S)
        shortest_first = np.argsort(source_lengths)
        sorted_lengths = source_lengths[shortest_first]
        ended = np.searchsorted(sorted_lengths, np.arange(source_ids.shape[1]), "right")
        current = np.zeros_like(states[:, 0])  # (B, H), shortest sentence first
        for j in columns:
            sentences, state = shortest_first[ended[j] :], current[ended[j] :]  # (B',), (B', H)
            recurrent = self._linear(state, f"{direction}.state_gates")
            state[:] = _gru(inputs[rows[sentences, j]], recurrent, state)
            states[sentences, j] = state

    def _memory(self, states: Floats, final_state: Floats, mask: Booleans) -> Memory:
        if self.config.attention == "none":
            return Memory(states[:, :, :0], final_state[:, None], mask)
        return Memory(self.attention.keys(states, mask), self.attention.values(states, mask), mask)

    def project_values(self, memory: Memory) -> Memory:
        """Multiply the values by W. This pays off if a sentence has several hypotheses."""
        mask = memory.mask if self.config.attention != "none" else memory.mask[:, :1]
        values = masked_matmul(memory.values, mask, self._context_projection)
        return Memory(memory.keys, values, memory.mask, is_projected=True)

    def step(
        self, previous_ids: Integers, previous: State, memory: Memory
    ) -> tuple[Floats, Floats, State]:
        """Decode one step after the pieces y_{i-1}, `previous_ids` (B, K).

        Gives the next piece's log-probabilities (B, K, V), the attention weights (B, K, S; all 0
        for attention `none`) and the new state.
        """
        embedded = self.embed(previous_ids)
        state = self.advance(embedded, previous)
        weights = self.attention.weights(state, memory.keys, memory.mask)
        contexts = self.attention.mix(weights, memory.values)
        projected = contexts if memory.is_projected else self.project_contexts(contexts)
        new = State(state, projected[:, :, : 3 * self.config.hidden_size])
        return self.predict(state, projected, embedded), weights, new

    def embed(self, previous_ids: Integers) -> Floats:
        """Give what the last pieces (B, K) add to the gates and to the readout: (B, K, 3H + E)."""
        projected, rows = self._target_projection.find(previous_ids)
        return projected[rows]

    def advance(self, embedded: Floats, previous: State) -> Floats:
        """Give the new state s_i = GRU([y_{i-1} ; c_{i-1}], s_{i-1}): (B, K, H)."""
        inputs = embedded[:, :, : 3 * self.config.hidden_size] + previous.context_gates
        recurrent = self._linear(previous.state, "decoder.state_gates")
        return _gru(inputs, recurrent, previous.state)

    def project_contexts(self, contexts: Floats) -> Floats:
        """Give what contexts (B, ·, C) add to the next gates and to the readout: (B, ·, 3H + E)."""
        return matmul(contexts, self._context_projection)

    def predict(self, state: Floats, projected: Floats, embedded: Floats) -> Floats:
        """Give the log-probabilities of the next piece: (B, K, V).

        `state` is s_i; `projected` and `embedded` (B, K, 3H + E) are what c_i and y_{i-1} add.
        """
        readout = matmul(state, self._state_readout)  # (B, K, E)
        readout += projected[:, :, 3 * self.config.hidden_size :]
        readout += embedded[:, :, 3 * self.config.hidden_size :]
        return self.output.log_probabilities(np.tanh(readout, out=readout))

    def _layer(self, name: str) -> tuple[Floats, Floats]:
        """Give a layer's matrix, (inputs, outputs), and its bias."""
        return self._matrices[f"{name}.weight"], self._biases[f"{name}.bias"]

    def _linear(self, inputs: Floats, name: str) -> Floats:
        product = matmul(inputs, self._matrices[f"{name}.weight"])
        if f"{name}.bias" in self._biases:
            product += self._biases[f"{name}.bias"]
        return product


def _gru(inputs: Floats, recurrent: Floats, state: Floats) -> Floats:
    """Update a state (Cho et al. 2014). The gates r, z, n lie along the last axis, as in torch."""
    H = state.shape[-1]
    # subtle: not in place, because numpy is half as fast on a slice of each row
    gates = inputs[..., : 2 * H] + recurrent[..., : 2 * H]
    sigmoid(gates)
    reset, update = gates[..., :H], gates[..., H:]
    new = recurrent[..., 2 * H :] * reset
    new += inputs[..., 2 * H :]
    np.tanh(new, out=new)
    return new + update * (state - new)
