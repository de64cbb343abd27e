"""Matrix products in half the digits, for a processor that makes twice as many of them in a second.

Where a processor multiplies bfloat16 (8 digits of 24, the range of a float32), a large network learns as well from rounded factors, and the
products are most of its work (Micikevicius et al. 2018). Parameters, sums and everything between the products stay in float32. Each product
that a loop makes with the same matrix knows its own gradient here: the matrix is rounded once a batch, not at each step, and its gradient is
one product over all steps, not a sum of small ones.

The plain loops, which are what `products_in` is not around, say the same and are what the tests compare with.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import Function

LARGE = 256  # numbers in a state from which rounding costs less than it saves (docs/performance.md)


class Linear(nn.Linear):
    """`torch.nn.Linear`, whose products `products_in` can make in another type."""

    product: Product | None = None  # None: torch's own

    def forward(self, vectors: Tensor) -> Tensor:
        """Multiply each vector with the matrix: (…, n) -> (…, m)."""
        return super().forward(vectors) if self.product is None else self.product(vectors)


class Product:
    """x Wᵀ + b for many x: W is rounded once."""

    def __init__(self, weight: Tensor, bias: Tensor | None, dtype: torch.dtype) -> None:
        self.uses: list[tuple[Tensor, Tensor]] = []
        self.weight, self.bias = _Rounded.apply(weight, bias, dtype, self.uses)  # type: ignore[no-untyped-call]

    def __call__(self, vectors: Tensor) -> Tensor:
        """Vectors (…, n) to (…, m), in the vectors' own type."""
        flat = vectors.reshape(-1, vectors.shape[-1])
        product: Tensor = _Multiplied.apply(flat, self.weight, self.bias, self.uses)  # type: ignore[no-untyped-call]
        return product.view(*vectors.shape[:-1], -1)


class _Rounded(Function):
    """The matrix and the bias in another type; their gradient is made here, when all products with them have left what it takes."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, bias: Tensor | None, dtype: torch.dtype, uses: list[tuple[Tensor, Tensor]]) -> Any:
        ctx.set_materialize_grads(False)
        ctx.dtype, ctx.uses, ctx.has_bias = weight.dtype, uses, bias is not None
        return weight.to(dtype, copy=True), None if bias is None else bias.to(dtype, copy=True)

    @staticmethod
    def backward(ctx: Any, *_: None) -> Any:
        vectors, gradients = (torch.cat(parts) for parts in zip(*ctx.uses, strict=True))
        ctx.uses.clear()
        return (gradients.T @ vectors).to(ctx.dtype), gradients.sum(0, dtype=ctx.dtype) if ctx.has_bias else None, None, None


class _Multiplied(Function):
    """One product. Its gradient by the matrix is left to `_Rounded`: the vectors and the product's gradient are put down for it."""

    @staticmethod
    def forward(ctx: Any, vectors: Tensor, weight: Tensor, bias: Tensor | None, uses: list[tuple[Tensor, Tensor]]) -> Tensor:
        rounded = vectors.to(weight.dtype)
        ctx.uses = uses
        ctx.save_for_backward(rounded.detach(), weight)
        return nn.functional.linear(rounded, weight, bias).to(vectors.dtype)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        vectors, weight = ctx.saved_tensors
        gradient = gradients[0].to(weight.dtype)
        ctx.uses.append((vectors.detach(), gradient))
        return (gradient @ weight).to(gradients[0].dtype), None, None, None


@contextlib.contextmanager
def products_in(dtype: torch.dtype, model: nn.Module) -> Iterator[None]:
    """Inside, all `Linear` layers of a model make their products in this type. For one pass: a later one has other parameters."""
    layers = [layer for layer in model.modules() if isinstance(layer, Linear)]
    for layer in layers:
        layer.product = Product(layer.weight, layer.bias, dtype)
    try:
        yield
    finally:
        for layer in layers:
            layer.product = None


def has_bfloat16() -> bool:
    """Whether this processor multiplies bfloat16; torch before 2.6 can't tell."""
    found = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return bool(found.get("avx512_bf16") or found.get("amx_bf16"))


class Gru(Function):
    """`encoder.gru` with the gradient written out, in a third of its operations.

    With reset r, update z and new state n, the state is (1 - z) n + z s, and n = tanh(x_n + r u_n) of the shares x of the input and u of the
    state. So by the chain rule ∂z = g (s - n), ∂n = g (1 - z), and ∂r = ∂n (1 - n²) u_n.
    """

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, recurrent: Tensor, state: Tensor) -> Tensor:
        H = state.shape[1]
        gates = torch.sigmoid(inputs[:, : 2 * H] + recurrent[:, : 2 * H])  # r and z, (B, 2H)
        recurrent_new = recurrent[:, 2 * H :]
        new = _tanh(torch.addcmul(inputs[:, 2 * H :], gates[:, :H], recurrent_new))
        ctx.save_for_backward(gates, recurrent_new, new, state)
        return torch.lerp(new, state, gates[:, H:])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        gates, recurrent_new, new, state = ctx.saved_tensors
        (gradient,) = gradients
        B, H = state.shape
        by_state = gradient * gates[:, H:]
        by_inputs, by_recurrent = gradient.new_empty(2, B, 3 * H).unbind()
        by_new = torch.mul(gradient - by_state, (new * new).neg_().add_(1), out=by_inputs[:, 2 * H :])
        torch.mul(by_new, recurrent_new, out=by_inputs[:, :H])
        torch.mul(gradient, state - new, out=by_inputs[:, H : 2 * H])
        by_inputs[:, : 2 * H].mul_(gates).mul_(1 - gates)  # σ' = σ (1 - σ)
        by_recurrent[:, : 2 * H] = by_inputs[:, : 2 * H]
        torch.mul(by_new, gates[:, :H], out=by_recurrent[:, 2 * H :])
        return by_inputs, by_recurrent, by_state


class Tanh(Function):
    """`torch.tanh` by the logistic function, which torch computes six times faster: tanh x = 2 σ(2x) - 1."""

    @staticmethod
    def forward(ctx: Any, numbers: Tensor) -> Tensor:
        result = _tanh(numbers)
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        (result,) = ctx.saved_tensors
        gradient: Tensor = torch.ops.aten.tanh_backward(gradients[0], result)
        return gradient


def tanh(numbers: Tensor) -> Tensor:
    """The hyperbolic tangent of each number."""
    result: Tensor = Tanh.apply(numbers)  # type: ignore[no-untyped-call]
    return result


def _tanh(numbers: Tensor) -> Tensor:
    return (numbers + numbers).sigmoid_().mul_(2).sub_(1)
