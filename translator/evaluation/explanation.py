"""One decoding step in numbers: the query, what it is compared with, and the result.

All numbers come from the same functions as `Network.step`, so they are those of the translation
itself; a test checks the weights and the probability. Steps are numbered from 1, like the target
pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from translator.errors import TranslatorError
from translator.inference.arrays import Floats
from translator.inference.gru import Memory, Network, State
from translator.inference.translator import Translator
from translator.text.tokenizer import NEVER_PRODUCED, START_ID, Tokenizer
from translator.translation import Translation

LIKELIEST = 5  # pieces shown
ARRAYS = ("state", "query", "keys", "values", "similarities", "scores", "weights", "context")


class Candidate(NamedTuple):
    """A possible next piece."""

    piece: str
    probability: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """One step of a translation. What the model's kind of attention doesn't have is None."""

    translation: Translation
    step: int  # i, from 1
    attention: str  # the score function
    previous_piece: str  # y_{i-1}
    state: Floats  # s_i, (H,)
    query: Floats | None  # (H,)
    keys: Floats | None  # (S, H)
    values: Floats  # (S, C); for `none` (1, C), the encoder's final state
    similarities: Floats | None  # (S,), before any division
    divisor: float  # √d_k, or 1
    scores: Floats | None  # (S,), the input of the softmax
    weights: Floats | None  # α_i, (S,)
    context: Floats  # c_i, (C,)
    likeliest: tuple[Candidate, ...]  # best first
    # S: the most likely piece if a single value were the whole context; () for `none`.
    elsewhere: tuple[Candidate, ...]

    def record(self) -> dict[str, Any]:
        """Give all of it for JSON."""
        translation = self.translation
        arrays = {name: getattr(self, name) for name in ARRAYS}
        return {
            "format": 1,
            "source": translation.source,
            "target": translation.target,
            "source_pieces": list(translation.source_pieces),
            "target_pieces": list(translation.target_pieces),
            "step": self.step,
            "attention": self.attention,
            "previous_piece": self.previous_piece,
            "piece": self.piece,
            "probability": self.probability,
            "divisor": self.divisor,
            **{name: None if a is None else a.tolist() for name, a in arrays.items()},
            "likeliest": [candidate._asdict() for candidate in self.likeliest],
            "elsewhere": [candidate._asdict() for candidate in self.elsewhere],
        }

    @property
    def piece(self) -> str:
        """The piece written at this step."""
        return self.translation.target_pieces[self.step - 1]

    @property
    def probability(self) -> float:
        """The probability of the piece written at this step."""
        return self.translation.probabilities[self.step - 1]


def explain(translator: Translator, translation: Translation, step: int) -> Explanation:
    """Repeat one step of a translation by the same model, and keep all that it computes.

    Raises `TranslatorError` if the translation has no such step.
    """
    network, tokenizer = translator.network, translator.checkpoint.target_tokenizer
    memory, previous, previous_id = _replay(translator, translation, step)
    previous_ids = np.array([[previous_id]])
    embedded = network.embed(previous_ids)  # y_{i-1}, (1, 1, E)
    state = network.advance(embedded, previous)  # s_i, (1, 1, H)
    weights = network.attention.weights(state, memory.keys, memory.mask)  # (1, 1, S)
    context = network.attention.mix(weights, memory.values)  # c_i, (1, 1, C)
    has_attention = network.config.attention != "none"
    keys = memory.keys[0] if has_attention else None
    query = scores = None
    if has_attention:
        queries = network.attention.query(state)  # (1, 1, H)
        query, scores = queries[0, 0], network.attention.score(queries, memory.keys)[0, 0]
    divisor = network.attention.divisor(memory.keys)
    log_probabilities = network.predict(state, network.project_contexts(context), embedded)
    return Explanation(
        translation=translation,
        step=step,
        attention=network.config.attention,
        previous_piece=tokenizer.piece(previous_id),
        state=state[0, 0],
        query=query,
        keys=keys,
        values=memory.values[0],
        similarities=None if scores is None else scores * divisor,
        divisor=divisor,
        scores=scores,
        weights=weights[0, 0] if has_attention else None,
        context=context[0, 0],
        likeliest=_likeliest(log_probabilities[0, 0], tokenizer, LIKELIEST),
        elsewhere=_elsewhere(network, state, memory, embedded, tokenizer) if has_attention else (),
    )


def _replay(
    translator: Translator, translation: Translation, step: int
) -> tuple[Memory, State, int]:
    """Decode up to this step: the memory, the decoder's state, and the id of the last piece."""
    T = len(translation.target_pieces)
    if not T:
        message = "the sentence is blank: there is no step to explain"
        raise TranslatorError(message, hint="give a sentence")
    if not 1 <= step <= T:
        message = f"there is no step {step}: this translation has {T} pieces"
        raise TranslatorError(message, hint=f"give --step 1 to {T}")
    source_ids = np.array([translator.encode(translation.source)])
    memory, state = translator.network.encode(source_ids, np.array([source_ids.shape[1]]))
    tokenizer = translator.checkpoint.target_tokenizer
    previous_ids = [START_ID, *tokenizer.piece_ids(translation.target_pieces)]
    for previous_id in previous_ids[: step - 1]:
        _, _, state = translator.network.step(np.array([[previous_id]]), state, memory)
    return memory, state, previous_ids[step - 1]


def _elsewhere(
    network: Network, state: Floats, memory: Memory, embedded: Floats, tokenizer: Tokenizer
) -> tuple[Candidate, ...]:
    """Give the most likely piece for each single value (C,) as the whole context."""
    projected = network.project_contexts(memory.values)  # (1, S, 3H + E)
    S = projected.shape[1]
    # One hypothesis for each value: K = S.
    states, all_embedded = np.repeat(state, S, 1), np.repeat(embedded, S, 1)
    log_probabilities = network.predict(states, projected, all_embedded)[0]  # (S, V)
    return tuple(_likeliest(row, tokenizer, 1)[0] for row in log_probabilities)


def _likeliest(
    log_probabilities: Floats, tokenizer: Tokenizer, count: int
) -> tuple[Candidate, ...]:
    """Give the most likely pieces of log-probabilities (V,), without those never produced."""
    allowed = log_probabilities.copy()
    allowed[list(NEVER_PRODUCED)] = -np.inf
    best = np.argsort(-allowed, kind="stable")[:count]
    probabilities = (float(np.exp(log_probabilities[number])) for number in best)
    return tuple(map(Candidate, map(tokenizer.piece, best), probabilities))
