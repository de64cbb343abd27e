"""Forced decoding: the attention weights and probabilities of a given translation."""

from __future__ import annotations

import numpy as np

from translator.inference.arrays import Integers
from translator.inference.gru import Network
from translator.inference.hypotheses import Hypothesis


def force_decode(
    network: Network, source_ids: Integers, target_ids: Integers, start: int
) -> Hypothesis:
    """Force one translation: source (S,) and target (T,) ids, both with their end id."""
    sources = source_ids[None], np.array([len(source_ids)])
    targets = target_ids[None], np.array([len(target_ids)])
    return force_decode_batch(network, *sources, *targets, start)[0]


def force_decode_batch(
    network: Network,
    source_ids: Integers,
    source_lengths: Integers,
    target_ids: Integers,
    target_lengths: Integers,
    start: int,
) -> list[Hypothesis]:
    """Force B translations at once: ids (B, S) and (B, T), lengths (B,) each.

    `start` is the id of `<s>`. The weights are S wide, and 0 on padding.
    """
    memory, state = network.encode(source_ids, source_lengths)
    sentence = np.arange(len(source_ids))
    rows, log_probabilities = [], []
    previous_ids = np.full(len(source_ids), start)
    for current in target_ids.T:  # (B,)
        scores, weights, state = network.step(previous_ids[:, None], state, memory)
        rows.append(weights[:, 0])
        log_probabilities.append(scores[sentence, 0, current])
        previous_ids = current
    all_weights = np.stack(rows, 1)  # (B, T, S)
    all_scores = np.stack(log_probabilities, 1)  # (B, T)
    return [
        Hypothesis(target_ids[n, :T], all_weights[n, :T], all_scores[n, :T], finished=True)
        for n, T in enumerate(target_lengths)
    ]
