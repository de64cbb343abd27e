"""Matrix products in half the digits, for a processor that makes twice as many of them in a second.

Where a processor multiplies bfloat16 (8 digits of 24, the range of a float32), a large network learns as well from rounded factors, and the
products are most of its work (Micikevicius et al. 2018). Parameters, sums and everything between the products stay in float32.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn.functional import linear

LARGE = 256  # numbers in a state from which rounding costs less than it saves (docs/performance.md)


class Linear(nn.Linear):
    """`torch.nn.Linear`, whose products `products_in` can make in another type."""

    dtype: torch.dtype | None = None  # None: torch's own products, and plain loops

    def forward(self, vectors: Tensor) -> Tensor:
        """Multiply each vector with the matrix: (…, n) -> (…, m)."""
        return product(vectors, self.weight, self.bias, self.dtype)


class Product(Function):
    """x Wᵀ + b for vectors (…, n), with W, b and x in another type."""

    @staticmethod
    def forward(
        ctx: Any, vectors: Tensor, weight: Tensor, bias: Tensor | None, dtype: torch.dtype
    ) -> Tensor:
        rounded, matrix = vectors.to(dtype), weight.to(dtype)
        ctx.has_bias = bias is not None
        ctx.save_for_backward(rounded, matrix)
        return linear(rounded, matrix, None if bias is None else bias.to(dtype)).to(vectors.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Any:
        vectors, matrix = ctx.saved_tensors
        rounded = gradient.to(matrix.dtype).flatten(0, -2)
        by_vectors = (rounded @ matrix).to(gradient.dtype).view(*gradient.shape[:-1], -1)
        by_bias = gradient.flatten(0, -2).sum(0) if ctx.has_bias else None
        return by_vectors, (rounded.T @ vectors.flatten(0, -2)).to(gradient.dtype), by_bias, None


def product(
    vectors: Tensor, weight: Tensor, bias: Tensor | None, dtype: torch.dtype | None
) -> Tensor:
    """x Wᵀ + b for vectors (…, n), in their own type; the product is made in `dtype`, or for `None` as torch would."""
    if dtype is None or dtype == weight.dtype:
        return linear(vectors, weight, bias)
    result: Tensor = Product.apply(vectors, weight, bias, dtype)  # type: ignore[no-untyped-call]
    return result


@contextlib.contextmanager
def products_in(dtype: torch.dtype, model: nn.Module) -> Iterator[None]:
    """Inside, all `Linear` layers of a model make their products in this type, and loops run as `recurrence.py` has them."""
    layers = [layer for layer in model.modules() if isinstance(layer, Linear)]
    for layer in layers:
        layer.dtype = dtype
    try:
        yield
    finally:
        for layer in layers:
            layer.dtype = None


def has_bfloat16() -> bool:
    """Whether this processor multiplies bfloat16; torch before 2.6 can't tell."""
    found = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return bool(found.get("avx512_bf16") or found.get("amx_bf16"))
