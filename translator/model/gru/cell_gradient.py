"""The GRU cell with its gradient written out, for the fast loops of encoder and decoder.

Autograd records dozens of small operations per step, and sums a matrix's gradient from one small
product per step. The fast loops keep only each step's results. What all steps share (the gradients
of matrices, keys and values) is one product over all steps at the end. That takes three quarters
of the time. `encoder.py` and `decoder.py` have the plain loops, which the tests compare with these.

`grad_x` is the gradient of the loss with respect to x.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Gates(NamedTuple):
    """What the gradient of a GRU step needs."""

    reset_update: Tensor  # r and z, (B, 2H)
    recurrent_new: Tensor  # u_n, the state's part in the new state, (B, H)
    new: Tensor  # n, (B, H)


def gru_step(inputs: Tensor, recurrent: Tensor, state: Tensor) -> tuple[Tensor, Gates]:
    """Compute `cell.gru` and keep its gates.

    The new state is (1 - z) n + z s (B, H), where n = tanh(x_n + r u_n), x is `inputs` and u is
    `recurrent`.
    """
    H = state.shape[1]
    reset_update = torch.sigmoid(inputs[:, : 2 * H] + recurrent[:, : 2 * H])
    gates = Gates(reset_update, recurrent[:, 2 * H :], state.new_empty(state.shape))
    torch.addcmul(inputs[:, 2 * H :], reset_update[:, :H], gates.recurrent_new, out=gates.new)
    _fast_tanh(gates.new)
    return torch.lerp(gates.new, state, reset_update[:, H:]), gates


def gru_gradient(
    gradient: Tensor, gates: Gates, state: Tensor, grad_inputs: Tensor, grad_recurrent: Tensor
) -> Tensor:
    """Write the gradients of x and u into (B, 3H) each; return the state's direct one (B, H).

    For a gradient g, the chain rule gives ∂z = g (s - n), ∂n = g (1 - z) and ∂r = ∂n (1 - n²) u_n;
    σ' = σ (1 - σ).
    """
    H = state.shape[1]
    reset_update, recurrent_new, new = gates
    grad_state = gradient * reset_update[:, H:]
    grad_sums = gradient.new_empty(grad_inputs.shape)
    tanh_slope = torch.addcmul(gradient.new_ones(()), new, new, value=-1)  # 1 - n²
    grad_new = torch.mul(gradient - grad_state, tanh_slope, out=grad_sums[:, 2 * H :])
    torch.mul(grad_new, recurrent_new, out=grad_sums[:, :H])
    torch.mul(gradient, state - new, out=grad_sums[:, H : 2 * H])
    gate_slope = torch.addcmul(reset_update, reset_update, reset_update, value=-1)  # σ (1 - σ)
    grad_sums[:, : 2 * H].mul_(gate_slope)
    grad_inputs.copy_(grad_sums)
    grad_new.mul_(reset_update[:, :H])
    grad_recurrent.copy_(grad_sums)
    return grad_state


def matrix_gradient(
    gradients: Tensor, factors: Tensor, dtype: torch.dtype
) -> tuple[Tensor, Tensor]:
    """Give the gradients of a matrix (m, n) and its bias (m,), over all steps at once.

    `gradients` (T, B, m) are those of the products, `factors` (T, B, n) what was multiplied.
    """
    gradients = gradients.flatten(0, 1)
    return (gradients.T @ factors.flatten(0, 1)).to(dtype), gradients.sum(0, dtype=dtype)


def _fast_tanh(numbers: Tensor) -> Tensor:
    """Compute tanh in place, by the logistic function: tanh x = 2 σ(2x) - 1."""
    return numbers.add_(numbers).sigmoid_().mul_(2).sub_(1)
