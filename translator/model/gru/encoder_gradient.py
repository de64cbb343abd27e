"""The encoder's loop with its gradient written out (see `cell_gradient.py` for the reasons).

Products may be computed in another type than the rest (see `mixed_precision.py`).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn.functional import linear

from translator.model.gru.cell_gradient import gru_gradient, gru_step, matrix_gradient
from translator.model.mixed_precision import Linear


def fast_encoder_loop(
    inputs: Tensor, mask: Tensor, state_gates: Linear, *, reverse: bool
) -> Tensor:
    """Compute the loop of `UnidirectionalGRU`: gates' inputs (B, S, 3H) to states (B, S, H)."""
    dtype = state_gates.compute_dtype
    states: Tensor = EncoderLoop.apply(  # type: ignore[no-untyped-call]
        inputs, mask, state_gates.weight, state_gates.bias, dtype, reverse
    )
    return states


class EncoderLoop(Function):
    """A GRU's loop over a source, in one direction."""

    @staticmethod
    def forward(
        ctx: Any,
        inputs: Tensor,
        mask: Tensor,
        weight: Tensor,
        bias: Tensor,
        dtype: torch.dtype,
        reverse: bool,
    ) -> Tensor:
        """Give the states (B, S, H), from inputs (B, S, 3H) and the recurrent matrix (3H, H)."""
        weight, bias = weight.to(dtype), bias.to(dtype)
        has_padding = (~mask.all(0)).tolist()
        state = inputs.new_zeros(len(inputs), weight.shape[1])
        states, rounded_states, ctx.steps = [state], [], []
        for j in range(len(has_padding))[:: -1 if reverse else 1]:
            rounded_states.append(state.to(dtype))
            recurrent = linear(rounded_states[-1], weight, bias).to(state.dtype)
            updated, gates = gru_step(inputs[:, j], recurrent, state)
            is_real = mask[:, j, None] if has_padding[j] else None
            state = updated if is_real is None else torch.where(is_real, updated, state)
            states.append(state)
            ctx.steps.append((j, gates, is_real))
        ctx.save_for_backward(weight, torch.stack(rounded_states), *states[:-1])
        return torch.stack(states[:0:-1] if reverse else states[1:], 1)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_states: Tensor) -> tuple[Tensor | None, ...]:
        weight, rounded_states, *states = ctx.saved_tensors
        B, S, H = grad_states.shape
        grad_inputs = grad_states.new_empty(B, S, 3 * H)
        grad_recurrent = weight.new_empty(S, B, 3 * H)
        gradient = grad_states.new_zeros(B, H)
        for step, (j, gates, is_real) in reversed(list(enumerate(ctx.steps))):
            gradient = gradient + grad_states[:, j]
            updated = gradient if is_real is None else gradient * is_real
            # Padding leaves a state as it was, so its gradient goes straight to the step before.
            passed = None if is_real is None else gradient - updated
            inputs, recurrent = grad_inputs[:, j], grad_recurrent[step]
            gradient = gru_gradient(updated, gates, states[step], inputs, recurrent)
            gradient += recurrent @ weight
            if passed is not None:
                gradient += passed
        matrix, bias = matrix_gradient(grad_recurrent, rounded_states, grad_states.dtype)
        return grad_inputs, None, matrix, bias, None, None
