"""The network in numpy: `encode` a batch of sources once, then `step` through their translations.

The same equations stand in torch in `encoder.py`, `attention.py` and `decoder.py`, where they can be learnt and are explained; a test
holds the two equal. Here they only have to be fast and light: importing torch takes longer than a hundred translations.
A step works on K hypotheses for each of B sentences. The sentence's keys and values are shared by its hypotheses, not copied.

One thing differs. The context c_i = Σ_j α_ij · value_j is only ever multiplied by a matrix W, and W c_i = Σ_j α_ij · (W value_j). So for
beam search each value goes through W once (`Network.multiply`), and not each context of every step and hypothesis: a third of its work.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from translator.config import ModelConfig
from translator.piece_layer import PieceLayer

Floats = NDArray[np.floating]
Integers = NDArray[np.integer]
Booleans = NDArray[np.bool_]

CACHED = 1 << 17  # numbers; half a megabyte of float32


class Memory(NamedTuple):
    """What the decoder may look at: the encoder's side, the same at every step."""

    keys: Floats  # (B, S, ·)
    values: Floats  # (B, S, C), or multiplied (B, S, 3H + E); for attention `none` (B, 1, ·), of the encoder's last state
    mask: Booleans  # (B, S), True on real pieces
    multiplied: bool = False  # whether values are W value_j: what each as the whole context adds to the next gates, and to the readout

    def select(self, sentences: Integers | Booleans) -> Memory:
        """The memory of some of the sentences."""
        return Memory(self.keys[sentences], self.values[sentences], self.mask[sentences], self.multiplied)


class State(NamedTuple):
    """What the decoder carries from one step to the next."""

    state: Floats  # s_i, (B, K, H)
    context_gates: Floats  # what c_i adds to the next gates, (B, K, 3H)

    def select(self, index: tuple[Integers, Integers] | Booleans) -> State:
        """The states at these (sentence, hypothesis) places, or of some of the sentences."""
        return State(self.state[index], self.context_gates[index])


class Network:
    """The trained network, for translating.

    `parameters` are named and shaped as `config.parameter_shapes()` says.
    """

    def __init__(self, config: ModelConfig, parameters: dict[str, Floats], dtype: DTypeLike = np.float32) -> None:
        self.config = config
        self._parameters = {name: array.astype(dtype, copy=False) for name, array in parameters.items()}
        # Products with a matrix that lies as it is read, (inputs, outputs), take half the time of those with a transposed view.
        self._matrices = {name: np.ascontiguousarray(array.T) for name, array in self._parameters.items() if array.ndim == 2}
        H, C = config.hidden_size, config.context_size
        from_state, from_context, from_embedded = np.split(self._matrices["decoder.readout.weight"], [H, H + C])
        self._matrices["decoder.context_parts"] = np.hstack([self._matrices["decoder.context_gates.weight"], from_context])  # (C, 3H + E)
        self._matrices["decoder.state_readout"] = from_state  # (H, E)
        # The output layer's bias as one more row, which meets a 1 after the readout.
        self._output = np.vstack([self._matrices.pop("decoder.embedding.weight"), self._parameters["decoder.output_bias"]])  # (E + 1, V)
        gates, bias = self._layer("decoder.embedded_gates")
        matrix, bias = np.hstack([gates, from_embedded]), np.hstack([bias, self._parameters["decoder.readout.bias"]])  # (E, 3H + E)
        self._embedded_parts = PieceLayer(self._parameters["decoder.embedding.weight"], matrix, bias)
        vectors, readers = self._parameters["encoder.embedding.weight"], ("encoder.rightward", "encoder.leftward")
        self._embedded_gates = {reader: PieceLayer(vectors, *self._layer(f"{reader}.embedded_gates")) for reader in readers}

    def encode(self, source_ids: Integers, source_lengths: Integers) -> tuple[Memory, State]:
        """Read whole sources, ids (B, S) and lengths (B,): their memory, and the decoder's first state and context with K = 1."""
        (B, S), H = source_ids.shape, self.config.hidden_size
        mask = np.arange(S) < source_lengths[:, None]  # (B, S)
        states = np.zeros((B, S, 2 * H), self._parameters["encoder.embedding.weight"].dtype)
        self._read(source_ids, source_lengths, "encoder.rightward", range(S), states[:, :, :H])
        self._read(source_ids, source_lengths, "encoder.leftward", reversed(range(S)), states[:, :, H:])
        last = np.concatenate([states[np.arange(B), source_lengths - 1, :H], states[:, 0, H:]], 1)  # (B, 2H)
        first_context = np.tanh(self._linear(last, "decoder.first_context"))  # (B, C)
        first = State(
            np.tanh(self._linear(last, "decoder.first_state"))[:, None],  # (B, 1, H)
            self._linear(first_context, "decoder.context_gates")[:, None],  # (B, 1, 3H)
        )
        return self._remember(states, last, mask), first

    def _read(self, source_ids: Integers, source_lengths: Integers, reader: str, columns: Iterable[int], states: Floats) -> None:
        """Run one direction's GRU over the columns of the source, and write its state after each piece into `states` (B, S, H).

        A column is read by the sentences that are long enough to have a piece there, and by no other: padding takes no time.
        """
        inputs, places = self._embedded_gates[reader].find(source_ids)  # (·, 3H), (B, S)
        shortest_first = np.argsort(source_lengths)
        ended = np.searchsorted(source_lengths[shortest_first], np.arange(source_ids.shape[1]), "right")  # sentences, before each column
        current = np.zeros_like(states[:, 0])  # (B, H), of the sentences in this order
        for j in columns:
            sentences, state = shortest_first[ended[j] :], current[ended[j] :]  # (B',), (B', H)
            state[:] = _gru(inputs[places[sentences, j]], self._linear(state, f"{reader}.state_gates"), state)
            states[sentences, j] = state

    def _remember(self, states: Floats, last: Floats, mask: Booleans) -> Memory:
        """Make keys and values of the encoder's states."""
        attention = self.config.attention
        if attention == "none":
            return Memory(states[:, :, :0], last[:, None], mask)
        keys = self._matmul_real(states, mask, "decoder.attention.key.weight")  # (B, S, H)
        values = self._matmul_real(states, mask, "decoder.attention.value.weight") if attention == "scaled-dot" else states  # (B, S, C)
        return Memory(keys, values, mask)

    def multiply(self, memory: Memory) -> Memory:
        """The memory with its values multiplied by W, which pays when each sentence has several hypotheses."""
        real = memory.mask if self.config.attention != "none" else memory.mask[:, :1]
        return Memory(memory.keys, self._matmul_real(memory.values, real, "decoder.context_parts"), memory.mask, True)

    def _matmul_real(self, vectors: Floats, mask: Booleans, name: str) -> Floats:
        """Vectors (B, S, ·) of the real pieces times a matrix; 0 on padding."""
        matrix = self._matrices[name]
        product = np.zeros((*mask.shape, matrix.shape[1]), vectors.dtype)
        product[mask] = vectors[mask] @ matrix
        return product

    def step(self, previous_ids: Integers, previous: State, memory: Memory) -> tuple[Floats, Floats, State]:
        """One decoding step: log-probabilities of the next piece (B, K, V), weights (B, K, S), new state.

        `previous_ids` (B, K) are the pieces y_{i-1}. With attention `none` the weights are all 0: there are none.
        """
        embedded = self.embed(previous_ids)
        state = self.advance(embedded, previous)
        weights = self.attend(state, memory)
        contexts = self.mix(weights, memory.values)
        parts = contexts if memory.multiplied else self.context_parts(contexts)
        H = self.config.hidden_size
        return self.predict(state, parts, embedded), weights, State(state, parts[:, :, : 3 * H])

    def embed(self, previous_ids: Integers) -> Floats:
        """What the pieces written last (B, K) add to the gates and to the readout, (B, K, 3H + E)."""
        rows, places = self._embedded_parts.find(previous_ids)
        return rows[places]

    def advance(self, embedded: Floats, previous: State) -> Floats:
        """The new state s_i = GRU([y_{i-1}; c_{i-1}], s_{i-1}), (B, K, H)."""
        inputs = embedded[:, :, : 3 * self.config.hidden_size] + previous.context_gates
        return _gru(inputs, self._linear(previous.state, "decoder.state_gates"), previous.state)

    def attend(self, state: Floats, memory: Memory) -> Floats:
        """The weights α_i (B, K, S) of these states over the sources."""
        if self.config.attention == "none":
            return np.zeros((*state.shape[:2], memory.mask.shape[1]), state.dtype)
        scores = self.score(self.query(state), memory.keys)
        scores = np.where(memory.mask[:, None], scores, -np.inf)  # (B, K, S)
        weights: Floats = np.exp(scores - scores.max(2, keepdims=True))
        weights /= weights.sum(2, keepdims=True)
        return weights

    def mix(self, weights: Floats, values: Floats) -> Floats:
        """The mean of the memory's values (B, S, ·) by these weights: the contexts c_i, (B, K, ·)."""
        if self.config.attention == "none":
            weights = np.ones((*weights.shape[:2], 1), weights.dtype)
        mixed: Floats = weights @ values  # (B, K, S) @ (B, S, ·) -> (B, K, ·)
        return mixed

    def context_parts(self, contexts: Floats) -> Floats:
        """What contexts (B, ·, C) add to the next gates and to the readout, (B, ·, 3H + E)."""
        return _matmul(contexts, self._matrices["decoder.context_parts"])

    def query(self, state: Floats) -> Floats:
        """What the states ask with, (B, K, H): W_q s_i, or s_i itself."""
        return state if self.config.attention == "general" else _matmul(state, self._matrices["decoder.attention.query.weight"])

    def score(self, query: Floats, keys: Floats) -> Floats:
        """score(s_i, key_j) for every hypothesis and source piece, (B, K, S)."""
        if self.config.attention == "additive":
            energy = self._parameters["decoder.attention.energy.weight"][0]  # (H,)
            energies = np.empty((*query.shape[:2], keys.shape[1]), query.dtype)
            for part in _parts(len(query), query.shape[1] * keys[0].size):
                summed = query[part, :, None] + keys[part, None]  # (·, K, S, H)
                energies[part] = np.tanh(summed, out=summed) @ energy  # (·, K, S, H) @ (H,) -> (·, K, S)
            return energies
        scores: Floats = query @ keys.swapaxes(1, 2)  # (B, K, H) @ (B, H, S) -> (B, K, S)
        return scores / math.sqrt(keys.shape[2]) if self.config.attention == "scaled-dot" else scores

    def predict(self, state: Floats, parts: Floats, embedded: Floats) -> Floats:
        """The log-probabilities of the next piece, (B, K, V), from s_i, what c_i adds (B, K, 3H + E), and y_{i-1}."""
        readout = _matmul(state, self._matrices["decoder.state_readout"])  # (B, K, E)
        readout += parts[:, :, 3 * self.config.hidden_size :]
        readout += embedded[:, :, 3 * self.config.hidden_size :]
        readout = np.tanh(readout, out=readout).reshape(-1, self.config.embedding_size)
        logits: Floats = np.hstack([readout, np.ones((len(readout), 1), readout.dtype)]) @ self._output  # (B·K, V)
        for part in _parts(*logits.shape):
            scores = logits[part]
            scores -= scores.max(1, keepdims=True)  # subtle: before the sum, or a large logit's rounding would be larger than its logarithm
            scores -= np.log(np.exp(scores).sum(1, keepdims=True))
        return logits.reshape(*state.shape[:2], -1)

    def _layer(self, name: str) -> tuple[Floats, Floats]:
        """A layer's matrix, (inputs, outputs), and its bias."""
        return self._matrices[f"{name}.weight"], self._parameters[f"{name}.bias"]

    def _linear(self, inputs: Floats, name: str) -> Floats:
        product = _matmul(inputs, self._matrices[f"{name}.weight"])
        if f"{name}.bias" in self._parameters:
            product += self._parameters[f"{name}.bias"]
        return product


def _matmul(inputs: Floats, matrix: Floats) -> Floats:
    """`inputs @ matrix` as one product over all leading axes: numpy would do one small product for each of them."""
    flat = inputs.reshape(-1, inputs.shape[-1]) @ matrix
    return flat.reshape(*inputs.shape[:-1], matrix.shape[1])


def _gru(inputs: Floats, recurrent: Floats, state: Floats) -> Floats:
    """The GRU's update (Cho et al. 2014; gates r, z, n along the last axis, as torch has them)."""
    H = state.shape[-1]
    gates = inputs[..., : 2 * H] + recurrent[..., : 2 * H]  # subtle: not in place, for numpy is half as fast on a slice of each row
    _sigmoid(gates)
    reset, update = gates[..., :H], gates[..., H:]
    new = recurrent[..., 2 * H :] * reset
    new += inputs[..., 2 * H :]
    np.tanh(new, out=new)
    return new + update * (state - new)


def _sigmoid(numbers: Floats) -> None:
    """1 / (1 + e^-x), in place, by tanh, which can't overflow."""
    numbers *= 0.5
    np.tanh(numbers, out=numbers)
    numbers += 1
    numbers *= 0.5


def _parts(rows: int, size: int) -> Iterator[slice]:
    """Cut rows of `size` numbers into parts that stay in the processor's cache from one operation to the next."""
    step = max(1, CACHED // size)
    return (slice(start, start + step) for start in range(0, rows, step))
