"""Matrix products in bfloat16, on processors that compute them twice as fast.

bfloat16 has the range of a float32 but only 8 of its 24 digits. Large networks train as well with
rounded factors, and most of their time goes into products (Micikevicius et al. 2018). Parameters,
sums and everything between the products stay in float32.
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

# From this hidden size on, rounding costs less than it saves (docs/performance.md).
MIN_BFLOAT16_HIDDEN_SIZE = 256


class Linear(nn.Linear):
    """`torch.nn.Linear` that can compute its product in another type, inside `compute_in`."""

    compute_dtype: torch.dtype | None = None  # None: torch's own products, and the plain loops

    def forward(self, vectors: Tensor) -> Tensor:
        """Multiply each vector with the matrix: (…, n) -> (…, m)."""
        return mixed_linear(vectors, self.weight, self.bias, self.compute_dtype)


class MixedLinear(Function):
    """x Wᵀ + b for vectors (…, n), with x, W and b converted to another type."""

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
        grad_vectors = (rounded @ matrix).to(gradient.dtype).view(*gradient.shape[:-1], -1)
        grad_weight = (rounded.T @ vectors.flatten(0, -2)).to(gradient.dtype)
        grad_bias = gradient.flatten(0, -2).sum(0) if ctx.has_bias else None
        return grad_vectors, grad_weight, grad_bias, None


def mixed_linear(
    vectors: Tensor, weight: Tensor, bias: Tensor | None, dtype: torch.dtype | None
) -> Tensor:
    """Compute x Wᵀ + b for vectors (…, n) in `dtype`, or as torch does for `None`.

    The result has the vectors' own type.
    """
    if dtype is None or dtype == weight.dtype:
        return linear(vectors, weight, bias)
    result: Tensor = MixedLinear.apply(vectors, weight, bias, dtype)  # type: ignore[no-untyped-call]
    return result


@contextlib.contextmanager
def compute_in(dtype: torch.dtype, model: nn.Module) -> Iterator[None]:
    """Compute a model's `Linear` layers in this type, and its loops with hand-written gradients."""
    layers = [layer for layer in model.modules() if isinstance(layer, Linear)]
    for layer in layers:
        layer.compute_dtype = dtype
    try:
        yield
    finally:
        for layer in layers:
            layer.compute_dtype = None


def has_bfloat16() -> bool:
    """Return whether this processor multiplies bfloat16 (False if torch is older than 2.6)."""
    found = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return bool(found.get("avx512_bf16") or found.get("amx_bf16"))
