"""Beam search: from encoded sources to the likeliest translations.

The decoder gives the probability of each next piece. Taking the likeliest each time (greedy, beam size 1) can lead into a dead end, so
a beam keeps the K likeliest beginnings of each sentence, extends all of them by every piece, and again keeps the best K. A beginning that
takes `</s>` is finished. Finished ones are compared by log-probability per piece, or else short ones would always win.

This is the only decoding loop. Pieces, weights, probabilities and the decoder's state of a hypothesis are reordered together, in
`_Beams.select`, so a hypothesis always keeps the attention that made it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from translator.inference import Floats, Integers, Network, State


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
        return cls(np.zeros((B, 1, 0), int), np.zeros((B, 1, 0, S), floats), np.zeros((B, 1, 0), floats), np.zeros((B, 1), floats), state)

    def select(self, sentences: Integers, parents: Integers) -> _Beams:
        """The hypotheses `parents` (B', K') of `sentences` (B',): everything that belongs to one moves with it."""
        index = (sentences[:, None], parents)
        return _Beams(self.ids[index], self.weights[index], self.log_probabilities[index], self.totals[index], self.state.select(index))

    def extended(self, ids: Integers, weights: Floats, log_probabilities: Floats, state: State) -> _Beams:
        """Every hypothesis with one piece more; `state` belongs to the step that produced it."""
        return _Beams(
            np.concatenate([self.ids, ids[:, :, None]], 2),
            np.concatenate([self.weights, weights[:, :, None]], 2),
            np.concatenate([self.log_probabilities, log_probabilities[:, :, None]], 2),
            self.totals + log_probabilities,
            state,
        )

    def hypothesis(self, sentence: int, beam: int, finished: bool) -> Hypothesis:
        return Hypothesis(self.ids[sentence, beam], self.weights[sentence, beam], self.log_probabilities[sentence, beam], finished)


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
    beams = _Beams.start(first, source_ids.shape[1])
    finished: list[list[Hypothesis]] = [[] for _ in source_ids]  # and those that the limit stopped
    live = np.arange(len(source_ids))  # the sentences not done, by number
    previous_ids = np.full((len(source_ids), 1), start)
    while len(live):
        log_probabilities, weights, state = network.step(previous_ids, beams.state, memory)
        log_probabilities[:, :, never] = -np.inf
        parents, ids = _best(beams.totals[:, :, None] + log_probabilities, 2 * beam_size)
        rows = np.arange(len(live))
        index = (rows[:, None], parents)
        beams = beams.select(rows, parents).extended(ids, weights[index], log_probabilities[(*index, ids)], state.select(index))
        ended = (ids == end) & np.isfinite(beams.totals)
        # Only an end among the best K counts; the best K of the others live on, so that K hypotheses always do.
        for row, beam in np.argwhere(ended[:, :beam_size]).tolist():
            finished[live[row]].append(beams.hypothesis(row, beam, finished=True))
        beams.totals[ended] = -np.inf
        beams = beams.select(rows, np.argsort(-beams.totals, 1, kind="stable")[:, :beam_size])
        done = _retire(finished, beams, live, limits, beam_size, n_best)
        live, memory = live[~done], memory.select(~done)
        beams = beams.select(rows[~done], np.broadcast_to(np.arange(beams.totals.shape[1]), (len(live), beams.totals.shape[1])))
        previous_ids = beams.ids[:, :, -1]
    return [sorted(found, key=lambda hypothesis: -hypothesis.score)[:n_best] for found in finished]


def _best(scores: Floats, count: int) -> tuple[Integers, Integers]:
    """The `count` best of scores (B, K, V) in each sentence, best first: their hypotheses and ids, (B, count) each."""
    B, K, V = scores.shape
    flat = scores.reshape(B, K * V)
    count = min(count, K * V)
    chosen = np.argpartition(flat, K * V - count, 1)[:, K * V - count :]  # (B, count), in no order
    ordered = np.take_along_axis(chosen, np.argsort(-np.take_along_axis(flat, chosen, 1), 1, kind="stable"), 1)
    return ordered // V, ordered % V


def _retire(finished: list[list[Hypothesis]], beams: _Beams, live: Integers, limits: Integers, beam_size: int, n_best: int) -> NDArray[np.bool_]:
    """Which live sentences are done; what the limit stops joins their finished ones."""
    done = np.array([_is_done(finished[number], beams, row, limits[number], beam_size, n_best) for row, number in enumerate(live)])
    for row in np.flatnonzero(done & (limits[live] <= beams.ids.shape[2])).tolist():
        alive = np.flatnonzero(np.isfinite(beams.totals[row])).tolist()
        finished[live[row]] += [beams.hypothesis(row, beam, finished=False) for beam in alive]
    return done


def _is_done(finished: list[Hypothesis], beams: _Beams, row: int, limit: int, beam_size: int, n_best: int) -> bool:
    """Whether no live hypothesis of a sentence may or can still join its `n_best` best."""
    length = beams.ids.shape[2]
    best_live = beams.totals[row].max()
    if length >= limit or len(finished) >= max(beam_size, n_best) or best_live == -np.inf:
        return True
    if len(finished) < n_best:
        return False
    # A log-probability only falls, so the best that a live hypothesis can reach is today's spread over the longest length.
    return sorted(hypothesis.score for hypothesis in finished)[-n_best] >= float(best_live) / limit


def force(network: Network, source_ids: Integers, target_ids: Integers, start: int) -> Hypothesis:
    """The weights and probabilities of a given translation: source (S,) and target (T,) ids, both with their end id."""
    return force_all(network, source_ids[None], np.array([len(source_ids)]), target_ids[None], np.array([len(target_ids)]), start)[0]


def force_all(
    network: Network, source_ids: Integers, source_lengths: Integers, target_ids: Integers, target_lengths: Integers, start: int
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
    all_weights, all_probabilities = np.stack(rows, 1), np.stack(log_probabilities, 1)  # (B, T, S), (B, T)
    return [Hypothesis(target_ids[n, :T], all_weights[n, :T], all_probabilities[n, :T], finished=True) for n, T in enumerate(target_lengths)]
