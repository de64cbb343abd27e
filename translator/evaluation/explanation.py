"""One decoding step in numbers: what asked, what was compared, and what came of it.

Everything here is computed by the parts that `Network.step` is made of, so the numbers are those of the translation itself; a test holds the
weights and the probability equal to it. The step's number i counts from 1, as the target pieces do.
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


class Candidate(NamedTuple):
    """A piece that might come next."""

    piece: str
    probability: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Step `step` of a translation. What a kind of attention does not have is None."""

    translation: Translation
    step: int  # i, from 1
    attention: str  # the score function
    previous_piece: str  # y_{i-1}
    state: Floats  # s_i, (H,)
    query: Floats | None  # (H,)
    keys: Floats | None  # (S, H)
    values: Floats  # (S, C); for `none` (1, C), the encoder's last state
    similarities: Floats | None  # (S,), before any division
    divisor: float  # √d_k, or 1
    scores: Floats | None  # (S,), what goes into the softmax
    weights: Floats | None  # α_i, (S,)
    context: Floats  # c_i, (C,)
    likeliest: tuple[Candidate, ...]  # best first
    elsewhere: tuple[
        Candidate, ...
    ]  # S: what each single value in place of the context would have produced; () for `none`

    def record(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        translation = self.translation
        arrays = (
            "state",
            "query",
            "keys",
            "values",
            "similarities",
            "scores",
            "weights",
            "context",
        )
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
            **{
                name: None if (array := getattr(self, name)) is None else array.tolist()
                for name in arrays
            },
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
    """Do one step of a translation that this model made again, and keep all that is computed on the way.

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
    query = network.attention.query(state)[0, 0] if has_attention else None
    scores = (
        network.attention.score(query[None, None], memory.keys)[0, 0] if query is not None else None
    )
    divisor = network.attention.divisor(memory.keys)
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
        likeliest=_likeliest(
            network.predict(state, network.context_parts(context), embedded)[0, 0],
            tokenizer,
            LIKELIEST,
        ),
        elsewhere=_elsewhere(network, state, memory, embedded, tokenizer) if has_attention else (),
    )


def _replay(
    translator: Translator, translation: Translation, step: int
) -> tuple[Memory, State, int]:
    """The encoder's side, what the decoder carried into this step, and the id it had written last."""
    T = len(translation.target_pieces)
    if not T:
        raise TranslatorError(
            "the sentence is blank: there is no step to explain", hint="give a sentence"
        )
    if not 1 <= step <= T:
        raise TranslatorError(
            f"there is no step {step}: this translation has {T} pieces",
            hint=f"give --step 1 to {T}",
        )
    source_ids = np.array([translator.encode(translation.source)])
    memory, state = translator.network.encode(source_ids, np.array([source_ids.shape[1]]))
    previous_ids = [
        START_ID,
        *translator.checkpoint.target_tokenizer.piece_ids(translation.target_pieces),
    ]
    for previous_id in previous_ids[: step - 1]:
        _, _, state = translator.network.step(np.array([[previous_id]]), state, memory)
    return memory, state, previous_ids[step - 1]


def _elsewhere(
    network: Network, state: Floats, memory: Memory, embedded: Floats, tokenizer: Tokenizer
) -> tuple[Candidate, ...]:
    """The likeliest piece for each single value (C,) as the whole context."""
    parts = network.context_parts(memory.values)  # (1, S, 3H + E)
    S = parts.shape[1]
    repeated = [
        np.repeat(array, S, 1) for array in (state, embedded)
    ]  # one hypothesis for each value: K = S
    log_probabilities = network.predict(repeated[0], parts, repeated[1])[0]  # (S, V)
    return tuple(_likeliest(row, tokenizer, 1)[0] for row in log_probabilities)


def _likeliest(
    log_probabilities: Floats, tokenizer: Tokenizer, count: int
) -> tuple[Candidate, ...]:
    """The likeliest pieces of log-probabilities (V,) that may be produced."""
    allowed = log_probabilities.copy()
    allowed[list(NEVER_PRODUCED)] = -np.inf
    best = np.argsort(-allowed, kind="stable")[:count]
    return tuple(
        Candidate(tokenizer.piece(number), float(np.exp(log_probabilities[number])))
        for number in best
    )
