"""The hypotheses of a beam search: live ones in arrays, finished ones in lists.

All that belongs to a hypothesis (pieces, attention weights, probabilities, decoder state) is
reordered together, in `Beams.extended`. So a hypothesis always keeps the attention that made it.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from translator.inference.arrays import Booleans, Floats, Integers
from translator.inference.gru import State


class Hypothesis(NamedTuple):
    """One translation as numbers."""

    ids: Integers  # (T,), with the end id if finished
    weights: Floats  # (T, S)
    log_probabilities: Floats  # (T,), of each piece
    finished: bool

    @property
    def score(self) -> float:
        """Log-probability per piece, which compares hypotheses of different lengths."""
        return float(self.log_probabilities.sum()) / max(1, len(self.ids))


class Choice(NamedTuple):
    """Which hypothesis of a sentence is extended by which piece, K each for B sentences."""

    parents: Integers  # (B, K), numbers of hypotheses
    ids: Integers  # (B, K)
    log_probabilities: Floats  # (B, K), of the pieces

    def at(self, sentences: Integers, places: Integers) -> Choice:
        """Give the choices at these places (B', K') of `sentences` (B',)."""
        index = (sentences[:, None], places)
        return Choice(self.parents[index], self.ids[index], self.log_probabilities[index])


@dataclass(slots=True)
class Beams:
    """The live hypotheses of B sentences, K each, with t pieces so far."""

    ids: Integers  # (B, K, t)
    weights: Floats  # (B, K, t, S)
    log_probabilities: Floats  # (B, K, t)
    totals: Floats  # (B, K), the sums of log_probabilities; -inf where there is no hypothesis
    state: State

    @classmethod
    def start(cls, state: State, S: int) -> Beams:
        """Give one empty hypothesis for each sentence."""
        B, dtype = len(state.state), state.state.dtype
        ids, weights = np.zeros((B, 1, 0), int), np.zeros((B, 1, 0, S), dtype)
        return cls(ids, weights, np.zeros((B, 1, 0), dtype), np.zeros((B, 1), dtype), state)

    def add_step(self, weights: Floats, state: State) -> None:
        """Add a step's attention weights (B, K, S), and replace the state."""
        self.weights = np.concatenate([self.weights, weights[:, :, None]], 2)
        self.state = state

    def extended(self, sentences: Integers, choice: Choice) -> Beams:
        """Give the chosen hypotheses of `sentences` (B',), each extended by its piece."""
        index = (sentences[:, None], choice.parents)
        chosen = choice.log_probabilities
        return Beams(
            np.concatenate([self.ids[index], choice.ids[:, :, None]], 2),
            self.weights[index],
            np.concatenate([self.log_probabilities[index], chosen[:, :, None]], 2),
            self.totals[index] + chosen,
            self.state.select(index),
        )

    def keep(self, sentences: Booleans) -> Beams:
        """Give the hypotheses of some of the sentences."""
        return Beams(
            self.ids[sentences],
            self.weights[sentences],
            self.log_probabilities[sentences],
            self.totals[sentences],
            self.state.select(sentences),
        )

    def hypothesis(self, sentence: int, beam: int, finished: bool) -> Hypothesis:
        """Give one hypothesis of a sentence."""
        index = (sentence, beam)
        arrays = self.ids[index], self.weights[index], self.log_probabilities[index]
        return Hypothesis(*arrays, finished)


class Completed:
    """The completed hypotheses of B sentences: finished ones, and those that the limit stopped."""

    def __init__(self, B: int, n_best: int) -> None:
        self.n_best = n_best
        # With their scores, best first.
        self.hypotheses: list[list[tuple[float, Hypothesis]]] = [[] for _ in range(B)]
        self.counts = np.zeros(B, int)
        self.thresholds = np.full(B, -np.inf)  # the n-th best score, which others have to beat

    def add(self, sentence: int, hypothesis: Hypothesis) -> None:
        """Add a hypothesis of a sentence."""
        scored = self.hypotheses[sentence]
        bisect.insort(scored, (hypothesis.score, hypothesis), key=lambda pair: -pair[0])
        self.counts[sentence] += 1
        if len(scored) >= self.n_best:
            self.thresholds[sentence] = scored[self.n_best - 1][0]

    def best(self) -> list[list[Hypothesis]]:
        """Give the best hypotheses of each sentence, best first."""
        return [
            [hypothesis for _, hypothesis in scored[: self.n_best]] for scored in self.hypotheses
        ]
