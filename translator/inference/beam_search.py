"""Beam search: from encoded sources to the likeliest translations.

The decoder gives the probability of each next piece. Taking the likeliest each time (greedy, beam size 1) can lead into a dead end, so
a beam keeps the K likeliest beginnings of each sentence, extends all of them by every piece, and again keeps the best K. A beginning that
takes `</s>` is finished. Finished ones are compared by log-probability per piece, or else short ones would always win.

A wider beam finds likelier translations on the whole, but not of each sentence. The beginning of what greedy search would have found may be
pushed out by K others that are likelier for now, and what wins by log-probability per piece may be longer and less likely in sum.

This is the only decoding loop. Pieces, weights, probabilities and the decoder's state of a hypothesis are reordered together, in
`_Beams.extended`, so a hypothesis always keeps the attention that made it.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from translator.inference.arrays import Booleans, Floats, Integers
from translator.inference.gru import Network, State

PILES = 125  # of a hypothesis's scores, in looking for the best: any number would do


class Hypothesis(NamedTuple):
    """One translation as numbers."""

    ids: Integers  # (T,), with the end id if finished
    weights: Floats  # (T, S)
    log_probabilities: Floats  # (T,), of each piece
    finished: bool

    @property
    def score(self) -> float:
        """Log-probability per piece: what hypotheses of different lengths are compared by."""
        return float(self.log_probabilities.sum()) / max(1, len(self.ids))


class _Choice(NamedTuple):
    """Which hypothesis of a sentence takes which piece, K each for B sentences."""

    parents: Integers  # (B, K), numbers of hypotheses
    ids: Integers  # (B, K)
    log_probabilities: Floats  # (B, K), of the pieces

    def at(self, sentences: Integers, places: Integers) -> _Choice:
        """What was chosen at these places (B', K') of `sentences` (B',)."""
        index = (sentences[:, None], places)
        return _Choice(self.parents[index], self.ids[index], self.log_probabilities[index])


@dataclass(slots=True)
class _Beams:
    """The live hypotheses of B sentences, K each; t pieces so far."""

    ids: Integers  # (B, K, t)
    weights: Floats  # (B, K, t, S)
    log_probabilities: Floats  # (B, K, t)
    totals: Floats  # (B, K), the sums of log_probabilities; -inf where there is no hypothesis
    state: State

    @classmethod
    def start(cls, state: State, S: int) -> _Beams:
        B = len(state.state)
        floats = state.state.dtype
        return cls(
            np.zeros((B, 1, 0), int),
            np.zeros((B, 1, 0, S), floats),
            np.zeros((B, 1, 0), floats),
            np.zeros((B, 1), floats),
            state,
        )

    def look(self, weights: Floats, state: State) -> None:
        """Take up one step's weights (B, K, S) and the state that came of it."""
        self.weights = np.concatenate([self.weights, weights[:, :, None]], 2)
        self.state = state

    def extended(self, sentences: Integers, choice: _Choice) -> _Beams:
        """The hypotheses of `sentences` (B',) that were chosen, each with its piece: all that belongs to one moves with it."""
        index = (sentences[:, None], choice.parents)
        return _Beams(
            np.concatenate([self.ids[index], choice.ids[:, :, None]], 2),
            self.weights[index],
            np.concatenate(
                [self.log_probabilities[index], choice.log_probabilities[:, :, None]], 2
            ),
            self.totals[index] + choice.log_probabilities,
            self.state.select(index),
        )

    def keep(self, sentences: Booleans) -> _Beams:
        """The hypotheses of some of the sentences."""
        state = self.state.select(sentences)
        return _Beams(
            self.ids[sentences],
            self.weights[sentences],
            self.log_probabilities[sentences],
            self.totals[sentences],
            state,
        )

    def hypothesis(self, sentence: int, beam: int, finished: bool) -> Hypothesis:
        return Hypothesis(
            self.ids[sentence, beam],
            self.weights[sentence, beam],
            self.log_probabilities[sentence, beam],
            finished,
        )


class _Found:
    """What has been found for B sentences: finished hypotheses, and those that the limit stopped."""

    def __init__(self, B: int, n_best: int) -> None:
        self.n_best = n_best
        self.found: list[list[tuple[float, Hypothesis]]] = [
            [] for _ in range(B)
        ]  # with their scores, best first
        self.counts = np.zeros(B, int)
        self.bars = np.full(B, -np.inf)  # the score of the n-th best: what another has to beat

    def add(self, sentence: int, hypothesis: Hypothesis) -> None:
        found = self.found[sentence]
        bisect.insort(found, (hypothesis.score, hypothesis), key=lambda scored: -scored[0])
        self.counts[sentence] += 1
        if len(found) >= self.n_best:
            self.bars[sentence] = found[self.n_best - 1][0]

    def best(self) -> list[list[Hypothesis]]:
        """The best of each sentence, best first."""
        return [[hypothesis for _, hypothesis in found[: self.n_best]] for found in self.found]


def beam_search(
    network: Network,
    source_ids: Integers,
    source_lengths: Integers,
    limits: Integers,
    *,
    start: int,
    end: int,
    never: Sequence[int],
    beam_size: int = 1,
    n_best: int = 1,
) -> list[list[Hypothesis]]:
    """The up to `n_best` best translations of each source, best first.

    `source_ids` (B, S) and `source_lengths` (B,) are the sources, `limits` (B,) the most pieces of each translation. `start` and `end` are
    the ids of `<s>` and `</s>`, `never` those that may not be produced.
    """
    memory, first = network.encode(source_ids, source_lengths)
    if beam_size > 1:
        memory = network.multiply(memory)
    beams = _Beams.start(first, source_ids.shape[1])
    found = _Found(len(source_ids), n_best)
    live = np.arange(len(source_ids))  # the sentences not done, by number
    previous_ids = np.full((len(source_ids), 1), start)
    while len(live):
        log_probabilities, weights, state = network.step(previous_ids, beams.state, memory)
        log_probabilities[:, :, never] = -np.inf
        beams.look(weights, state)
        beams = _grow(beams, log_probabilities, live, found, end, beam_size)
        done = _done(beams, live, limits, found, beam_size)
        if done.any():
            live, memory, beams = live[~done], memory.select(~done), beams.keep(~done)
        previous_ids = beams.ids[:, :, -1]
    return found.best()


def _grow(
    beams: _Beams,
    log_probabilities: Floats,
    live: Integers,
    found: _Found,
    end: int,
    beam_size: int,
) -> _Beams:
    """The best K of all hypotheses with one piece more; log-probabilities (B, K, V). Those that end are found, and live no more."""
    rows = np.arange(len(live))
    # An end needs another to live on in its place; but greedy search is done with a sentence that ends.
    count = 2 * beam_size if beam_size > 1 else 1
    only = (
        beams.totals.shape[1] == 1
    )  # a sentence's only hypothesis: what they all begin with doesn't count
    parents, ids = _best(
        log_probabilities if only else beams.totals[:, :, None] + log_probabilities, count
    )  # (B, 2K)
    choice = _Choice(parents, ids, log_probabilities[rows[:, None], parents, ids])
    ends = ids == end
    # Only an end among the best K counts; the best K of the others live on, so that K hypotheses always do.
    ended, places = np.nonzero(ends[:, :beam_size])
    ending = beams.extended(ended, choice.at(ended, places[:, None]))
    for number, row in enumerate(ended.tolist()):
        if np.isfinite(ending.totals[number, 0]):
            found.add(live[row], ending.hypothesis(number, 0, finished=True))
    choice.log_probabilities[ends] = -np.inf
    return beams.extended(rows, choice.at(rows, np.argsort(ends, 1, kind="stable")[:, :beam_size]))


def _best(scores: Floats, count: int) -> tuple[Integers, Integers]:
    """The `count` best of scores (B, K, V) in each sentence, best first: their hypotheses and ids, (B, count) each.

    The scores are dealt into piles. The `count`-th best of the piles' own best ones is a bar that at least `count` scores reach, and few
    more do: only those are sorted.
    """
    B, K, V = scores.shape
    if count == 1:
        return np.divmod(scores.reshape(B, -1).argmax(1)[:, None], V)
    count = min(count, K * V)
    piles = min(
        V, max(count, PILES)
    )  # subtle: what the last round can't fill isn't dealt, which only lowers the bar
    heads = scores[:, :, : V // piles * piles].reshape(B, K, -1, piles).max(2).reshape(B, -1)
    bars = np.partition(heads, -count, 1)[:, -count]
    places = np.flatnonzero(scores >= bars[:, None, None])
    sentences, inside = np.divmod(places, K * V)
    order = np.lexsort((-scores.ravel()[places], sentences))
    firsts = np.searchsorted(
        sentences, np.arange(B)
    )  # subtle: sentences stand in order already, so `order` sorts inside each of them
    best = inside[order[firsts[:, None] + np.arange(count)]]  # (B, count)
    return np.divmod(best, V)


def _done(
    beams: _Beams, live: Integers, limits: Integers, found: _Found, beam_size: int
) -> Booleans:
    """Which live sentences have no hypothesis that may or can still join their best (B,); what the limit stops is found too."""
    length, best = beams.ids.shape[2], beams.totals.max(1)
    at_limit = length >= limits[live]
    for row in np.flatnonzero(at_limit).tolist():
        for beam in np.flatnonzero(np.isfinite(beams.totals[row])).tolist():
            found.add(live[row], beams.hypothesis(row, beam, finished=False))
    # A log-probability only falls, so the best that a live hypothesis can reach is today's spread over the longest length.
    beaten = found.bars[live] >= best / limits[live]
    done: Booleans = (
        beaten | at_limit | (found.counts[live] >= max(beam_size, found.n_best)) | (best == -np.inf)
    )
    return done


def force(network: Network, source_ids: Integers, target_ids: Integers, start: int) -> Hypothesis:
    """The weights and probabilities of a given translation: source (S,) and target (T,) ids, both with their end id."""
    return force_all(
        network,
        source_ids[None],
        np.array([len(source_ids)]),
        target_ids[None],
        np.array([len(target_ids)]),
        start,
    )[0]


def force_all(
    network: Network,
    source_ids: Integers,
    source_lengths: Integers,
    target_ids: Integers,
    target_lengths: Integers,
    start: int,
) -> list[Hypothesis]:
    """As `force` for B sentences at once: ids (B, S) and (B, T), lengths (B,) each. The weights are S wide, 0 on padding."""
    memory, state = network.encode(source_ids, source_lengths)
    sentence = np.arange(len(source_ids))
    rows, log_probabilities = [], []
    previous_ids = np.full(len(source_ids), start)
    for current in target_ids.T:  # (B,)
        scores, weights, state = network.step(previous_ids[:, None], state, memory)
        rows.append(weights[:, 0])
        log_probabilities.append(scores[sentence, 0, current])
        previous_ids = current
    all_weights, all_probabilities = (
        np.stack(rows, 1),
        np.stack(log_probabilities, 1),
    )  # (B, T, S), (B, T)
    return [
        Hypothesis(target_ids[n, :T], all_weights[n, :T], all_probabilities[n, :T], finished=True)
        for n, T in enumerate(target_lengths)
    ]
