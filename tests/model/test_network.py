"""Encoder, decoder and model in torch, and the same in numpy: they must be one network."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from translator.inference.gru import Network
from translator.model.embedding import Dropout, Embedding
from translator.model.encoder_decoder import Model, length_mask
from translator.model.gru.cell import gru
from translator.model.gru.encoder import Encoder
from translator.model.loss import CrossEntropy
from translator.settings import ATTENTIONS, ModelConfig

E, H = 5, 6
SOURCE_IDS = torch.tensor([[4, 5, 6, 7, 3], [8, 9, 3, 0, 0], [3, 0, 0, 0, 0]])
SOURCE_LENGTHS = torch.tensor([5, 3, 1])
PREVIOUS_IDS = torch.tensor([[2, 4, 5, 6], [2, 7, 0, 0], [2, 0, 0, 0]])
TARGET_IDS = torch.tensor([[4, 5, 6, 3], [7, 3, 0, 0], [3, 0, 0, 0]])
TARGET_LENGTHS = torch.tensor([4, 2, 1])


def make(attention: str = "scaled-dot", seed: int = 0, **dropouts: float) -> Model:
    """A model with random parameters, biases too, in float64."""
    torch.manual_seed(seed)
    model = Model(ModelConfig(11, 12, attention, embedding_size=E, hidden_size=H), **dropouts)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.7)
    return model.double()


def network_of(model: Model) -> Network:
    return Network(
        model.config,
        {name: parameter.detach().numpy() for name, parameter in model.named_parameters()},
        np.float64,
    )


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_the_parameters_are_named_and_shaped_as_the_configuration_says(attention):
    model = make(attention)
    assert {
        name: tuple(parameter.shape) for name, parameter in model.named_parameters()
    } == model.config.parameter_shapes()


def test_the_gru_is_torchs():
    theirs = torch.nn.GRUCell(E, H)
    inputs, state = torch.randn(3, E), torch.randn(3, H)
    input_gates = torch.nn.functional.linear(inputs, theirs.weight_ih, theirs.bias_ih)
    state_gates = torch.nn.functional.linear(state, theirs.weight_hh, theirs.bias_hh)
    torch.testing.assert_close(gru(input_gates, state_gates, state), theirs(inputs, state))


def test_a_mask_is_true_on_real_pieces():
    assert length_mask(torch.tensor([1, 3]), 3).tolist() == [
        [True, False, False],
        [True, True, True],
    ]


def test_dropping_words_drops_whole_vectors():
    embedding = Embedding(10, 4, 0.0, 0.5)
    rows = embedding(torch.zeros(50, 1, dtype=torch.long)).squeeze(1)
    dropped = (rows == 0).all(1)
    assert 0 < dropped.sum() < 50
    torch.testing.assert_close(
        rows[~dropped], 2 * embedding.weight[0].expand(int((~dropped).sum()), 4)
    )


def test_a_dropped_number_is_dropped_at_every_place_of_its_sentence():
    dropped = Dropout(0.5)(torch.ones(40, 3, 50))
    assert set(dropped.unique().tolist()) == {0.0, 2.0}
    assert (dropped == dropped[:, :1]).all()
    assert 0.4 < (dropped == 0).float().mean() < 0.6
    assert not torch.equal(dropped[0], dropped[1])


def test_masks_come_from_the_modules_own_generator():
    first, second = Dropout(0.5), Dropout(0.5)
    for module in (first, second):
        module.generator = torch.Generator().manual_seed(3)
    torch.manual_seed(1)
    expected = first(torch.ones(5, 20))
    assert torch.equal(second(torch.ones(5, 20)), expected)
    assert not torch.equal(second(torch.ones(5, 20)), expected)


def test_the_encoder_is_torchs_gru_both_ways():
    encoder, theirs = (
        Encoder(ModelConfig(11, 12, embedding_size=E, hidden_size=H), 0.0, 0.0),
        torch.nn.GRU(E, H, batch_first=True, bidirectional=True),
    )
    for suffix, reader in (("", encoder.rightward), ("_reverse", encoder.leftward)):
        for ours, name in ((reader.embedded_gates, "ih"), (reader.state_gates, "hh")):
            ours.weight.data, ours.bias.data = (
                getattr(theirs, f"{kind}_{name}_l0{suffix}").data for kind in ("weight", "bias")
            )
    ids = torch.tensor([[4, 5, 6, 3], [7, 8, 9, 3]])
    states, last = encoder(ids, torch.ones(2, 4, dtype=torch.bool))
    expected, expected_last = theirs(encoder.embedding(ids))
    torch.testing.assert_close(states, expected)
    torch.testing.assert_close(last, torch.cat([*expected_last], 1))


def test_nothing_is_dropped_when_not_training():
    model = make(dropout=0.9, word_dropout=0.9).eval()
    first, _ = model(SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS)
    second, _ = model(SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS)
    torch.testing.assert_close(first, second)


def test_the_encoder_reads_no_padding():
    encoder = Encoder(ModelConfig(11, 12, embedding_size=E, hidden_size=H), 0.0, 0.0)
    states, last = encoder(SOURCE_IDS, length_mask(SOURCE_LENGTHS, 5))
    alone, last_alone = encoder(SOURCE_IDS[1:2, :3], length_mask(SOURCE_LENGTHS[1:2], 3))
    torch.testing.assert_close(states[1:2, :3], alone)
    torch.testing.assert_close(last[1:2], last_alone)


def test_the_last_states_are_each_directions_own_end():
    encoder = Encoder(ModelConfig(11, 12, embedding_size=E, hidden_size=H), 0.0, 0.0)
    states, last = encoder(SOURCE_IDS, length_mask(SOURCE_LENGTHS, 5))
    torch.testing.assert_close(last[:, :H], states[[0, 1, 2], SOURCE_LENGTHS - 1, :H])
    torch.testing.assert_close(last[:, H:], states[:, 0, H:])


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_a_batch_equals_its_sentences_one_by_one(attention):
    model = make(attention)
    readouts, weights = model(SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS)
    for n, (S, T) in enumerate(zip(SOURCE_LENGTHS, TARGET_LENGTHS, strict=True)):
        one, one_weights = model(
            SOURCE_IDS[n : n + 1, :S], SOURCE_LENGTHS[n : n + 1], PREVIOUS_IDS[n : n + 1, :T]
        )
        torch.testing.assert_close(readouts[n : n + 1, :T], one)
        torch.testing.assert_close(weights[n : n + 1, :T, :S], one_weights)


def test_a_piece_is_predicted_without_seeing_it_or_what_follows():
    model, later = make(), PREVIOUS_IDS.clone()
    later[0, 2:] = 9
    readouts, _ = model(SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS)
    changed, _ = model(SOURCE_IDS, SOURCE_LENGTHS, later)
    torch.testing.assert_close(readouts[0, :2], changed[0, :2])
    assert not torch.allclose(readouts[0, 2:], changed[0, 2:])


@pytest.mark.case(19)
@pytest.mark.parametrize("attention", [name for name in ATTENTIONS if name != "none"])
def test_another_source_word_changes_the_weights(attention):
    model, other = make(attention), SOURCE_IDS.clone()
    other[0, 1] = 10
    _, weights = model(SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS)
    _, changed = model(other, SOURCE_LENGTHS, PREVIOUS_IDS)
    assert (weights[0] - changed[0]).abs().amax(1).min() > 1e-3


def test_the_context_goes_into_the_next_step():
    """Without the context in the gates, the second row wouldn't depend on the first context."""
    model = make()
    before, _ = model(SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS)
    with torch.no_grad():
        model.decoder.context_gates.weight.zero_()
    after, _ = model(SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS)
    assert not torch.allclose(before[:, 1], after[:, 1])


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_cross_entropy_is_torchs_and_so_is_its_gradient(smoothing):
    logits = (
        4 * torch.randn(7, 12, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    ).requires_grad_()
    targets = torch.tensor([4, 0, 11, 4, 7, 3, 3])
    ours = CrossEntropy.apply(logits, targets, smoothing)
    assert ours.item() == pytest.approx(
        torch.nn.functional.cross_entropy(logits, targets, label_smoothing=smoothing).item(),
        rel=1e-12,
    )
    assert torch.autograd.gradcheck(lambda z: 3 * CrossEntropy.apply(z, targets, smoothing), logits)


def test_the_cross_entropy_of_a_certain_mistake_is_finite():
    logits = torch.tensor([[0.0, 300.0]], requires_grad=True)
    loss = CrossEntropy.apply(logits, torch.tensor([0]), 0.0)
    loss.backward()
    assert loss.item() == 300
    assert logits.grad.tolist() == [[-1, 1]]


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_loss_is_the_mean_over_real_pieces(smoothing):
    model = make()
    readouts, _ = model(SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS)
    log_probabilities = model.decoder.logits(readouts).log_softmax(2)
    losses = []
    for n, T in enumerate(TARGET_LENGTHS):
        for i in range(T):
            right, every = (
                -log_probabilities[n, i, TARGET_IDS[n, i]],
                -log_probabilities[n, i].mean(),
            )
            losses.append((1 - smoothing) * right + smoothing * every)
    loss = model.loss(
        SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS, TARGET_IDS, TARGET_LENGTHS, smoothing
    )
    torch.testing.assert_close(loss, torch.stack(losses).mean())


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_torch_and_numpy_are_one_network(attention, seed):
    model = make(attention, seed)
    readouts, weights = model(SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS)
    expected = model.decoder.logits(readouts).log_softmax(2).detach().numpy()
    network = network_of(model)
    memory, state = network.encode(SOURCE_IDS.numpy(), SOURCE_LENGTHS.numpy())
    for i in range(PREVIOUS_IDS.shape[1]):
        log_probabilities, rows, state = network.step(
            PREVIOUS_IDS[:, i : i + 1].numpy(), state, memory
        )
        np.testing.assert_allclose(log_probabilities[:, 0], expected[:, i], atol=1e-10, rtol=0)
        np.testing.assert_allclose(rows[:, 0], weights[:, i].detach().numpy(), atol=1e-10, rtol=0)


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize("order", [[0, 1, 2], [1, 2, 0], [2, 0, 1]])
def test_numpy_reads_sentences_in_any_order_of_their_lengths_and_no_padding(attention, order):
    network, ids, lengths = (
        network_of(make(attention)),
        SOURCE_IDS.numpy()[order],
        SOURCE_LENGTHS.numpy()[order],
    )
    memory, first = network.encode(ids, lengths)
    for n, S in enumerate(lengths):
        alone, first_alone = network.encode(ids[n : n + 1, :S], lengths[n : n + 1])
        for array, expected in zip((*memory[:3], *first), (*alone[:3], *first_alone), strict=True):
            np.testing.assert_allclose(array[n, : expected.shape[1]], expected[0], atol=1e-12)
            assert not array[n, expected.shape[1] :].any()


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_every_parameter_learns(attention):
    model = make(attention)
    model.loss(SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS, TARGET_IDS, TARGET_LENGTHS, 0.1).backward()
    assert [
        name
        for name, parameter in model.named_parameters()
        if parameter.grad is None or not parameter.grad.any()
    ] == []


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_the_plain_loops_run_in_mixed_types_as_on_a_gpu(attention):
    model = Model(
        ModelConfig(9, 9, attention, embedding_size=4, hidden_size=4), dropout=0.1, word_dropout=0.1
    )
    ids, lengths = torch.tensor([[4, 5, 6], [7, 3, 0]]), torch.tensor([3, 2])
    with torch.autocast("cpu", torch.bfloat16):
        loss = model.loss(ids, lengths, ids, ids, lengths, 0.1)
    loss.backward()
    assert loss.dtype == torch.float32
    assert all(
        torch.isfinite(parameter.grad).all()
        for parameter in model.parameters()
        if parameter.grad is not None
    )
