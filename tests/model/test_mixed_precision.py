"""Products in another type: the same network, with gradients written by hand."""

from __future__ import annotations

import gc
import weakref

import pytest
import torch
from test_network import PREVIOUS_IDS, SOURCE_IDS, SOURCE_LENGTHS, TARGET_IDS, TARGET_LENGTHS, make
from torch import Tensor
from torch.autograd import gradcheck

from translator.model import objective as model_module
from translator.model.attention_gradient import AdditiveGradient, DotGradient
from translator.model.encoder_decoder import Model
from translator.model.gru.cell_gradient import gru_step
from translator.model.gru.decoder_gradient import DecoderLoop
from translator.model.gru.encoder_gradient import EncoderLoop
from translator.model.mixed_precision import (
    MIN_BFLOAT16_HIDDEN_SIZE,
    Linear,
    MixedLinear,
    compute_in,
    has_bfloat16,
)
from translator.model.objective import Objective
from translator.settings import ATTENTIONS, ModelConfig

GOLD = torch.full((3, 4, 5), 0.2, dtype=torch.float64)
BATCH = (SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS, TARGET_IDS, TARGET_LENGTHS)


def differentiate(model: Model) -> tuple[Tensor, ...]:
    """The loss and its gradient."""
    loss = model.loss(*BATCH, label_smoothing=0.1, gold=GOLD, guided_alignment=0.5)
    return loss.detach(), *torch.autograd.grad(
        loss, tuple(model.parameters()), materialize_grads=True
    )


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_the_gradients_are_those_of_the_plain_loops(attention):
    model = make(attention)
    plain = differentiate(model)
    with compute_in(torch.float64, model):
        torch.testing.assert_close(differentiate(model), plain)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_rounded_products_lead_the_same_way(attention):
    model = make(attention)
    exact = torch.cat([part.flatten() for part in differentiate(model)])
    with compute_in(torch.bfloat16, model):
        rounded = torch.cat([part.flatten() for part in differentiate(model)])
    assert not torch.equal(rounded, exact)
    assert torch.nn.functional.cosine_similarity(rounded, exact, 0) > 0.995


def parameter(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


MASK = torch.tensor([[True, True, True], [True, True, False]])


@pytest.mark.parametrize("reverse", [False, True])
def test_gradcheck_of_the_encoder_loop(reverse):
    def states(inputs: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return EncoderLoop.apply(inputs, MASK, weight, bias, torch.float64, reverse)

    assert gradcheck(states, (parameter(2, 3, 12), parameter(12, 4), parameter(12)))


@pytest.mark.parametrize(
    ("comparison", "query", "energy"),
    [
        (DotGradient(0.7), None, None),
        (DotGradient(1.0), parameter(4, 4), None),
        (AdditiveGradient(), parameter(4, 4), parameter(4)),
    ],
)
def test_gradcheck_of_the_decoder_loop(comparison, query, energy):
    def steps(*tensors: Tensor | None) -> tuple[Tensor, ...]:
        return DecoderLoop.apply(comparison, torch.float64, MASK, *tensors)

    numbers = (
        parameter(2, 2, 12),
        parameter(2, 4),
        parameter(2, 5),
        parameter(2, 3, 4),
        parameter(2, 3, 5),
    )
    assert gradcheck(
        steps, (*numbers, parameter(12, 5), parameter(12, 4), parameter(12), query, energy)
    )


def test_gradcheck_of_a_product():
    def rounded_to_itself(*tensors: Tensor | None) -> Tensor:
        return MixedLinear.apply(*tensors, torch.float64)

    assert gradcheck(rounded_to_itself, (parameter(2, 3, 5), parameter(4, 5), parameter(4)))
    assert gradcheck(rounded_to_itself, (parameter(3, 5), parameter(4, 5), None))


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_the_quick_loops_give_the_same_states_and_weights(attention):
    model = make(attention)
    plain = model(SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS)
    with compute_in(torch.float64, model):
        torch.testing.assert_close(model(SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS), plain)


def test_a_pass_sees_the_parameters_of_its_time():
    layer = Linear(2, 3)
    for _ in range(2):
        with compute_in(torch.float64, layer):
            torch.testing.assert_close(layer(torch.ones(2)), layer.weight.sum(1) + layer.bias)
        torch.nn.init.normal_(layer.weight)


def test_a_product_without_bias():
    weight, vectors = (
        torch.randn(3, 2, requires_grad=True),
        torch.randn(4, 5, 2, requires_grad=True),
    )
    theirs = torch.autograd.grad((vectors @ weight.T).square().sum(), (weight, vectors))
    ours = torch.autograd.grad(
        MixedLinear.apply(vectors, weight, None, torch.float32).square().sum(), (weight, vectors)
    )
    torch.testing.assert_close(ours, theirs)


def test_the_quick_tanh_is_tanh_far_out():
    numbers, state = torch.linspace(-20, 20, 999).unsqueeze(1), torch.zeros(999, 1)
    # The update gate is 0, so the new state is the tanh of its sum.
    inputs = torch.cat([torch.full((999, 2), -50.0), numbers], 1)
    new, _ = gru_step(inputs, torch.zeros(999, 3), state)
    torch.testing.assert_close(new, numbers.tanh())


def test_a_failure_inside_leaves_plain_products():
    model = make()
    with pytest.raises(IndexError), compute_in(torch.bfloat16, model):
        model(SOURCE_IDS + 1000, SOURCE_LENGTHS, PREVIOUS_IDS)
    assert all(
        layer.compute_dtype is None for layer in model.modules() if isinstance(layer, Linear)
    )


def test_a_pass_leaves_nothing_to_the_garbage_collector():
    """Millions of numbers a batch would wait for it."""
    model = make("additive")
    gc.collect()
    gc.disable()
    try:
        with compute_in(torch.float64, model):
            loss = model.loss(*BATCH, label_smoothing=0.1)
            nodes = [loss.grad_fn]
            while "DecoderLoop" not in type(nodes[-1]).__name__:
                nodes[-1:] = [node for node, _ in nodes[-1].next_functions if node is not None]
            kept = [weakref.ref(tensor) for _, *tensors in nodes[-1].steps for tensor in tensors]
            loss.backward()
            del loss, nodes
        assert kept
        assert not any(reference() is not None for reference in kept)
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("size", "can", "wanted"),
    [
        (MIN_BFLOAT16_HIDDEN_SIZE, True, torch.bfloat16),
        (MIN_BFLOAT16_HIDDEN_SIZE, False, torch.float32),
        (MIN_BFLOAT16_HIDDEN_SIZE - 1, True, torch.float32),
    ],
)
def test_only_a_large_network_on_a_processor_that_can_is_rounded(monkeypatch, size, can, wanted):
    monkeypatch.setattr(model_module, "has_bfloat16", lambda: can)
    model, seen = Model(ModelConfig(11, 12, embedding_size=2, hidden_size=size)), []
    model.encoder.rightward.embedded_gates.register_forward_pre_hook(
        lambda layer, _: seen.append(layer.compute_dtype)
    )
    Objective(model, 0.1, 0.0)(*BATCH, torch.zeros(3, 0, 0))
    assert set(seen) == {wanted}


def test_it_is_known_what_the_processor_can(monkeypatch):
    monkeypatch.setattr(
        torch.cpu,
        "get_capabilities",
        lambda: {"avx512_bf16": True, "amx_bf16": False},
        raising=False,
    )
    assert has_bfloat16()
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx2": True})
    assert not has_bfloat16()
    monkeypatch.delattr(torch.cpu, "get_capabilities")
    assert not has_bfloat16()
