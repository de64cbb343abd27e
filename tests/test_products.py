"""Products in another type: the same network, with gradients written by hand."""

from __future__ import annotations

import gc
import weakref

import pytest
import torch
from test_network import PREVIOUS_IDS, SOURCE_IDS, SOURCE_LENGTHS, TARGET_IDS, TARGET_LENGTHS, make
from torch import Tensor
from torch.autograd import gradcheck

from translator import model as model_module
from translator.config import ATTENTIONS, ModelConfig
from translator.encoder import updated
from translator.model import Loss, Model
from translator.products import LARGE, Gru, Linear, Product, has_bfloat16, products_in, tanh

GOLD = torch.full((3, 4, 5), 0.2, dtype=torch.float64)
BATCH = (SOURCE_IDS, SOURCE_LENGTHS, PREVIOUS_IDS, TARGET_IDS, TARGET_LENGTHS)


def differentiate(model: Model) -> tuple[Tensor, ...]:
    """The loss and its gradient."""
    loss = model.loss(*BATCH, smoothing=0.1, gold=GOLD, guidance=0.5)
    return loss.detach(), *torch.autograd.grad(loss, tuple(model.parameters()), materialize_grads=True)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_the_gradients_are_those_of_the_plain_loops(attention):
    model = make(attention)
    plain = differentiate(model)
    with products_in(torch.float64, model):
        torch.testing.assert_close(differentiate(model), plain)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_rounded_products_lead_the_same_way(attention):
    model = make(attention)
    exact = torch.cat([part.flatten() for part in differentiate(model)])
    with products_in(torch.bfloat16, model):
        rounded = torch.cat([part.flatten() for part in differentiate(model)])
    assert not torch.equal(rounded, exact)
    assert torch.nn.functional.cosine_similarity(rounded, exact, 0) > 0.995


def test_gradcheck():
    inputs, recurrent, state = (torch.randn(3, size, dtype=torch.float64, requires_grad=True) for size in (12, 12, 4))
    assert gradcheck(Gru.apply, (inputs, recurrent, state))
    assert gradcheck(tanh, (inputs,))


def test_the_quick_gru_and_tanh_are_the_plain_ones():
    layer, inputs, state = Linear(4, 12), torch.randn(3, 12), torch.randn(3, 4)
    plain = updated(inputs, layer, state)
    with products_in(torch.float32, layer):
        torch.testing.assert_close(updated(inputs, layer, state), plain)
    numbers = torch.linspace(-20, 20, 999)
    torch.testing.assert_close(tanh(numbers), numbers.tanh())


def test_a_pass_sees_the_parameters_of_its_time():
    layer = Linear(2, 3)
    for _ in range(2):
        with products_in(torch.float64, layer):
            torch.testing.assert_close(layer(torch.ones(2)), layer.weight.sum(1) + layer.bias)
        torch.nn.init.normal_(layer.weight)


def test_a_failure_inside_leaves_plain_products():
    model = make()
    with pytest.raises(IndexError), products_in(torch.float64, model):
        model.decoder.state_gates(torch.ones(()))
    assert all(layer.product is None for layer in model.modules() if isinstance(layer, Linear))


def test_a_pass_leaves_nothing_to_the_garbage_collector():
    """Millions of numbers a batch would wait for it."""
    gc.collect()
    gc.disable()
    try:
        layer = Linear(2, 3)
        with products_in(torch.float64, layer):
            product = weakref.ref(layer.product)
            rounded = weakref.ref(layer.product.weight)
            layer(layer(torch.ones(5, 2))[:, :2]).sum().backward()
        assert product() is None
        assert rounded() is None
    finally:
        gc.enable()


def test_a_product_without_bias_and_with_one_use():
    weight, vectors = torch.randn(3, 2, requires_grad=True), torch.randn(4, 5, 2, requires_grad=True)
    theirs = torch.autograd.grad((vectors @ weight.T).square().sum(), (weight, vectors))
    ours = torch.autograd.grad(Product(weight, None, torch.float32)(vectors).square().sum(), (weight, vectors))
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize(("size", "can", "wanted"), [(LARGE, True, torch.bfloat16), (LARGE, False, None), (LARGE - 1, True, None)])
def test_only_a_large_network_on_a_processor_that_can_is_rounded(monkeypatch, size, can, wanted):
    monkeypatch.setattr(model_module, "has_bfloat16", lambda: can)
    model, seen = Model(ModelConfig(11, 12, embedding_size=2, hidden_size=size)), []
    model.encoder.rightward.state_gates.register_forward_pre_hook(lambda layer, _: seen.append(layer.product and layer.product.weight.dtype))
    Loss(model, 0.1, 0.0)(*BATCH, torch.zeros(3, 0, 0))
    assert set(seen) == {wanted}


def test_it_is_known_what_the_processor_can(monkeypatch):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": True, "amx_bf16": False}, raising=False)
    assert has_bfloat16()
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx2": True})
    assert not has_bfloat16()
    monkeypatch.delattr(torch.cpu, "get_capabilities")
    assert not has_bfloat16()
