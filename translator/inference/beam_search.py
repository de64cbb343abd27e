"""Beam search: from encoded sources to their most probable translations.

The decoder gives the probability of each next piece. Greedy search (beam size 1) always takes the
most probable one, which can lead into a dead end. A beam keeps the K most probable beginnings of
each sentence, extends all of them by every piece, and again keeps the best K. A beginning that
takes `</s>` is finished. Finished ones are compared by log-probability per piece, because otherwise
short ones would always win.

On average a wider beam finds more probable translations, but not for every sentence. The beginning
of the greedy translation may drop out because K others are more probable at that point. And the
winner by log-probability per piece may be longer, with a lower total probability.

This is the only decoding loop that searches; `forced_decoding.py` follows a given translation.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from translator.inference.arrays import Booleans, Floats, Integers
from translator.inference.gru import Network
from translator.inference.hypotheses import Beams, Choice, Completed, Hypothesis

GROUPS = 125  # of scores, to find the best quickly; the number changes only the speed


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
    """Give up to `n_best` translations of each source, best first.

    `source_ids` (B, S) and `source_lengths` (B,) are the sources; `limits` (B,) are the most pieces
    of each translation. `start` and `end` are the ids of `<s>` and `</s>`; ids in `never` are never
    produced.
    """
    memory, first = network.encode(source_ids, source_lengths)
    if beam_size > 1:
        memory = network.project_values(memory)
    beams = Beams.start(first, source_ids.shape[1])
    completed = Completed(len(source_ids), n_best)
    live = np.arange(len(source_ids))  # numbers of the sentences that aren't done
    previous_ids = np.full((len(source_ids), 1), start)
    while len(live):
        log_probabilities, weights, state = network.step(previous_ids, beams.state, memory)
        log_probabilities[:, :, never] = -np.inf
        beams.add_step(weights, state)
        beams = _extend(beams, log_probabilities, live, completed, end, beam_size)
        done = _done(beams, live, limits, completed, beam_size)
        if done.any():
            live, memory, beams = live[~done], memory.select(~done), beams.keep(~done)
        previous_ids = beams.ids[:, :, -1]
    return completed.best()


def _extend(
    beams: Beams,
    log_probabilities: Floats,
    live: Integers,
    completed: Completed,
    end: int,
    beam_size: int,
) -> Beams:
    """Extend the hypotheses by one piece, with log-probabilities (B, K, V), and keep the best K.

    Hypotheses that end are moved to `completed`.
    """
    rows = np.arange(len(live))
    # With K spare candidates, K hypotheses live on even if all of the best K end.
    count = 2 * beam_size if beam_size > 1 else 1
    # The total of a sentence's only hypothesis is the same for all candidates.
    is_only = beams.totals.shape[1] == 1
    scores = log_probabilities if is_only else beams.totals[:, :, None] + log_probabilities
    parents, ids = _best(scores, count)  # (B, 2K)
    choice = Choice(parents, ids, log_probabilities[rows[:, None], parents, ids])
    ends = ids == end
    # Only an end among the best K counts.
    ended, places = np.nonzero(ends[:, :beam_size])
    ending = beams.extended(ended, choice.at(ended, places[:, None]))
    for number, row in enumerate(ended.tolist()):
        if np.isfinite(ending.totals[number, 0]):
            completed.add(live[row], ending.hypothesis(number, 0, finished=True))
    choice.log_probabilities[ends] = -np.inf
    others_first = np.argsort(ends, 1, kind="stable")[:, :beam_size]
    return beams.extended(rows, choice.at(rows, others_first))


def _best(scores: Floats, count: int) -> tuple[Integers, Integers]:
    """Find each sentence's `count` best scores in (B, K, V), best first.

    Returns the numbers of their hypotheses and their ids, (B, count) each. Sorting all scores would
    take too long. So they are dealt into groups: at least `count` scores reach the `count`-th best
    of the groups' maxima. Few others do, and only these are sorted.
    """
    B, K, V = scores.shape
    if count == 1:
        return np.divmod(scores.reshape(B, -1).argmax(1)[:, None], V)
    count = min(count, K * V)
    groups = min(V, max(count, GROUPS))
    # subtle: the last few scores may be in no group, which can only lower the threshold
    dealt = scores[:, :, : V // groups * groups].reshape(B, K, -1, groups)
    maxima = dealt.max(2).reshape(B, -1)
    thresholds = np.partition(maxima, -count, 1)[:, -count]
    places = np.flatnonzero(scores >= thresholds[:, None, None])
    sentences, inside = np.divmod(places, K * V)
    # subtle: `sentences` is sorted already, so this sorts only inside each sentence
    order = np.lexsort((-scores.ravel()[places], sentences))
    firsts = np.searchsorted(sentences, np.arange(B))
    best = inside[order[firsts[:, None] + np.arange(count)]]  # (B, count)
    return np.divmod(best, V)


def _done(
    beams: Beams, live: Integers, limits: Integers, completed: Completed, beam_size: int
) -> Booleans:
    """Return which live sentences (B,) are done: no hypothesis can still join their best.

    Hypotheses that the limit stops are moved to `completed`.
    """
    length, best = beams.ids.shape[2], beams.totals.max(1)
    at_limit = length >= limits[live]
    for row in np.flatnonzero(at_limit).tolist():
        for beam in np.flatnonzero(np.isfinite(beams.totals[row])).tolist():
            completed.add(live[row], beams.hypothesis(row, beam, finished=False))
    # A total can only fall, so a hypothesis can at best spread today's over the longest length.
    is_beaten = completed.thresholds[live] >= best / limits[live]
    has_enough = completed.counts[live] >= max(beam_size, completed.n_best)
    done: Booleans = is_beaten | at_limit | has_enough | (best == -np.inf)
    return done
