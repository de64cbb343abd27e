"""Beam search against oracles: an argmax loop, and exhaustive search."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import DTypeLike

from translator.inference.beam_search import beam_search
from translator.inference.forced_decoding import force_decode, force_decode_batch
from translator.inference.gru import Network
from translator.inference.hypotheses import Hypothesis
from translator.settings import ATTENTIONS, ModelConfig

START, END, NEVER = 2, 3, (0, 1, 2)
V = 6
SOURCES = np.array([[4, 5, 3], [5, 3, 0], [3, 0, 0]])
LENGTHS = np.array([3, 2, 1])


def random_network(
    attention: str = "scaled-dot", seed: int = 0, dtype: DTypeLike = np.float64
) -> Network:
    config = ModelConfig(V, V, attention, embedding_size=4, hidden_size=5)
    normal = np.random.default_rng(seed).normal
    shapes = config.parameter_shapes()
    return Network(config, {name: normal(0, 1, shapes[name]) for name in shapes}, dtype)


def search(network: Network, limit: int = 4, **options: int) -> list[list[Hypothesis]]:
    limits = np.full(len(SOURCES), limit)
    return beam_search(
        network, SOURCES, LENGTHS, limits, start=START, end=END, never=NEVER, **options
    )


def argmax_loop(network: Network, source: np.ndarray, limit: int) -> list[int]:
    """The likeliest piece each time, by the plainest code."""
    memory, state = network.encode(source[None], np.array([len(source)]))
    ids = [START]
    while len(ids) <= limit and ids[-1] != END:
        log_probabilities, _, state = network.step(np.array([[ids[-1]]]), state, memory)
        log_probabilities[..., NEVER] = -np.inf
        ids.append(int(log_probabilities.argmax()))
    return ids[1:]


def best_of_all(network: Network, source: np.ndarray, limit: int) -> list[int]:
    """Give the best of all sequences that end within the limit or fill it, per piece."""
    candidates = [
        [*body, END] for length in range(limit) for body in itertools.product((4, 5), repeat=length)
    ]
    candidates += [list(body) for body in itertools.product((4, 5), repeat=limit)]
    return max(
        candidates, key=lambda ids: force_decode(network, source, np.array(ids), START).score
    )


@pytest.mark.case(21)
@pytest.mark.parametrize("seed", range(5))
def test_a_beam_of_one_is_an_argmax_loop(seed):
    network = random_network(seed=seed)
    for source, length, found in zip(SOURCES, LENGTHS, search(network, 8), strict=True):
        assert found[0].ids.tolist() == argmax_loop(network, source[:length], 8)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("attention", ["scaled-dot", "additive"])
def test_a_beam_as_wide_as_the_space_is_exhaustive_search(attention, seed):
    network = random_network(attention, seed)
    for source, length, found in zip(SOURCES, LENGTHS, search(network, beam_size=64), strict=True):
        assert found[0].ids.tolist() == best_of_all(network, source[:length], 4)


@pytest.mark.case(21)
@pytest.mark.parametrize("beam_size", [1, 2, 5])
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_a_hypothesis_keeps_the_attention_that_made_it(attention, beam_size):
    """Forced decoding of the same pieces gives the same weights and probabilities."""
    network = random_network(attention, seed=3)
    for source, length, found in zip(
        SOURCES, LENGTHS, search(network, 9, beam_size=beam_size, n_best=beam_size), strict=True
    ):
        for hypothesis in found:
            forced = force_decode(network, source[:length], hypothesis.ids, START)
            np.testing.assert_allclose(hypothesis.weights[:, :length], forced.weights, atol=1e-12)
            np.testing.assert_allclose(
                hypothesis.log_probabilities, forced.log_probabilities, atol=1e-12
            )


@pytest.mark.parametrize("seed", range(4))
def test_a_batch_equals_its_sentences_one_by_one(seed):
    network = random_network(seed=seed)
    for number, found in enumerate(search(network, beam_size=3, n_best=3)):
        source, length = (
            SOURCES[number : number + 1, : LENGTHS[number]],
            LENGTHS[number : number + 1],
        )
        alone = beam_search(
            network,
            source,
            length,
            np.array([4]),
            start=START,
            end=END,
            never=NEVER,
            beam_size=3,
            n_best=3,
        )[0]
        assert [hypothesis.ids.tolist() for hypothesis in found] == [
            hypothesis.ids.tolist() for hypothesis in alone
        ]


@pytest.mark.case(18)
def test_padding_gets_no_attention():
    for length, found in zip(LENGTHS, search(random_network(), beam_size=3), strict=True):
        assert (found[0].weights[:, length:] == 0).all()


def test_what_may_never_be_produced_never_is():
    found = search(random_network(seed=1), beam_size=4, n_best=4)
    assert not set(NEVER) & {
        int(number)
        for hypotheses in found
        for hypothesis in hypotheses
        for number in hypothesis.ids
    }


def test_hypotheses_are_different_and_come_best_first():
    for found in search(random_network(seed=2), 6, beam_size=5, n_best=5):
        assert len({tuple(hypothesis.ids) for hypothesis in found}) == len(found) == 5
        scores = [hypothesis.score for hypothesis in found]
        assert scores == sorted(scores, reverse=True)


def test_large_logits_keep_their_probabilities():
    network = random_network(dtype=np.float32)
    network.output.matrix[:-1], network.output.matrix[-1] = 0, 1e6
    memory, state = network.encode(SOURCES, LENGTHS)
    log_probabilities, *_ = network.step(np.full((3, 1), START), state, memory)
    np.testing.assert_allclose(log_probabilities, -np.log(V), rtol=1e-6)


@pytest.mark.case(24)
def test_a_limit_stops_what_doesn_t_end():
    network = random_network()
    network.output.matrix[-1, END] = -1e9
    for found in search(network, 7, beam_size=2):
        assert len(found[0].ids) == 7
        assert not found[0].finished


def test_every_sentence_has_its_own_limit():
    network = random_network()
    network.output.matrix[-1, END] = -1e9
    found = beam_search(
        network, SOURCES, LENGTHS, np.array([1, 5, 3]), start=START, end=END, never=NEVER
    )
    assert [len(hypotheses[0].ids) for hypotheses in found] == [1, 5, 3]


@pytest.mark.case(25)
def test_an_end_at_once_is_an_empty_translation():
    network = random_network()
    network.output.matrix[-1, END] = 1e9
    assert [found[0].ids.tolist() for found in search(network, beam_size=3)] == [[END]] * 3


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_forcing_a_batch_equals_forcing_its_sentences_one_by_one(attention):
    network = random_network(attention, seed=4)
    targets, target_lengths = (
        np.array([[5, 3, 0, 0], [4, 5, 4, 3], [3, 0, 0, 0]]),
        np.array([2, 4, 1]),
    )
    found = force_decode_batch(network, SOURCES, LENGTHS, targets, target_lengths, START)
    for n, (S, T) in enumerate(zip(LENGTHS, target_lengths, strict=True)):
        alone = force_decode(network, SOURCES[n, :S], targets[n, :T], START)
        assert found[n].ids.tolist() == alone.ids.tolist()
        np.testing.assert_allclose(found[n].weights[:, :S], alone.weights, atol=1e-12)
        np.testing.assert_allclose(found[n].log_probabilities, alone.log_probabilities, atol=1e-12)
        assert (found[n].weights[:, S:] == 0).all()


def test_forcing_is_the_plain_loop():
    network, source, target = random_network("additive", seed=5), SOURCES[0], np.array([5, 4, 3])
    memory, state = network.encode(source[None], np.array([3]))
    forced = force_decode(network, source, target, START)
    for i, previous in enumerate([START, 5, 4]):
        log_probabilities, weights, state = network.step(np.array([[previous]]), state, memory)
        assert forced.log_probabilities[i] == pytest.approx(
            log_probabilities[0, 0, target[i]], abs=1e-12
        )
        np.testing.assert_allclose(forced.weights[i], weights[0, 0], atol=1e-12)
