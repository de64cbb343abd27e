"""The decoder's loop with its gradient written out (see `cell_gradient.py` for the reasons).

Products may be computed in another type than the rest (see `mixed_precision.py`).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn.functional import linear

from translator.model.attention import Attention
from translator.model.attention_gradient import ScoreGradient
from translator.model.gru.cell_gradient import gru_gradient, gru_step, matrix_gradient
from translator.model.mixed_precision import Linear


def fast_decoder_loop(
    attention: Attention,
    context_gates: Linear,
    state_gates: Linear,
    inputs: Tensor,
    state: Tensor,
    context: Tensor,
    keys: Tensor,
    values: Tensor,
    mask: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    """Compute `Decoder.unroll`: states (B, T, H), contexts (B, T, C) and weights (B, T, S)."""
    query, energy = attention.query, attention.energy
    matrices = context_gates.weight, state_gates.weight, state_gates.bias
    optional = None if query is None else query.weight, None if energy is None else energy.weight[0]
    tensors = inputs, state, context, keys, values, *matrices, *optional
    steps: tuple[Tensor, Tensor, Tensor] = DecoderLoop.apply(  # type: ignore[no-untyped-call]
        attention.score_gradient, state_gates.compute_dtype, mask, *tensors
    )
    return steps


class DecoderLoop(Function):
    """A GRU's loop over given targets, with attention."""

    @staticmethod
    def forward(
        ctx: Any, score_gradient: ScoreGradient, dtype: torch.dtype, mask: Tensor, *tensors: Any
    ) -> tuple[Tensor, ...]:
        """Give the states (B, T, H), contexts (B, T, C) and weights (B, T, S)."""
        inputs, state, context, keys, values, *matrices, query_matrix, energy = tensors
        context_gates, state_gates, bias = (matrix.to(dtype) for matrix in matrices)
        query_matrix = None if query_matrix is None else query_matrix.to(dtype)
        padding = torch.where(mask, 0.0, -torch.inf).to(keys.dtype)
        states, rounded_states = [state], [state.to(dtype)]
        contexts, rounded_contexts = [context], [context.to(dtype)]
        ctx.score_gradient, ctx.steps = score_gradient, []
        for embedded in inputs.unbind(1):
            gate_inputs = linear(rounded_contexts[-1], context_gates).to(state.dtype).add_(embedded)
            recurrent = linear(rounded_states[-1], state_gates, bias).to(state.dtype)
            state, gates = gru_step(gate_inputs, recurrent, state)
            states.append(state)
            rounded_states.append(state.to(dtype))
            query = state
            if query_matrix is not None:
                query = linear(rounded_states[-1], query_matrix).to(state.dtype)
            scores, compared = score_gradient.scores(query, keys, energy)
            weights = scores.add_(padding).softmax(1)
            context = (weights.unsqueeze(1) @ values).squeeze(1)
            contexts.append(context)
            rounded_contexts.append(context.to(dtype))
            ctx.steps.append((gates, weights, compared))
        parameters = context_gates, state_gates, query_matrix, energy
        rounded = torch.stack(rounded_states), torch.stack(rounded_contexts)
        ctx.save_for_backward(keys, values, *parameters, *rounded, *states[:-1])
        all_weights = torch.stack([weights for _, weights, _ in ctx.steps], 1)
        return torch.stack(states[1:], 1), torch.stack(contexts[1:], 1), all_weights

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, grad_states: Tensor, grad_contexts: Tensor, grad_all_weights: Tensor
    ) -> tuple[Tensor | None, ...]:
        keys, values, context_gates, state_gates, query_matrix, energy, *rest = ctx.saved_tensors
        rounded_states, rounded_contexts, *states = rest
        B, T, H = grad_states.shape
        grad_inputs, grad_recurrent = state_gates.new_empty(2, T, B, 3 * H).unbind()
        grad_queries = state_gates.new_empty(T, B, H)
        grad_keys, grad_steps = torch.zeros_like(keys), []
        grad_state = torch.zeros_like(grad_states[:, 0])
        grad_context = torch.zeros_like(grad_contexts[:, 0])
        for i, (gates, weights, compared) in reversed(list(enumerate(ctx.steps))):
            grad_context = grad_context + grad_contexts[:, i]
            grad_weights = (grad_context.unsqueeze(1) @ values.mT).squeeze(1)
            grad_scores = _softmax_gradient(grad_weights.add_(grad_all_weights[:, i]), weights)
            grad_steps.append((grad_context, grad_scores))
            gradient = ctx.score_gradient.query_gradient
            grad_query = gradient(grad_scores, compared, keys, energy, grad_keys)
            grad_queries[i] = grad_query
            if query_matrix is not None:
                grad_query = grad_queries[i] @ query_matrix
            grad_state = grad_state + grad_states[:, i] + grad_query
            sums = grad_inputs[i], grad_recurrent[i]
            grad_state = gru_gradient(grad_state, gates, states[i], *sums)
            grad_state += grad_recurrent[i] @ state_gates
            grad_context = (grad_inputs[i] @ context_gates).to(grad_state.dtype)
        dtype = grad_state.dtype
        grad_keys, grad_values, grad_energy = _attention_gradients(ctx, grad_steps, grad_keys)
        grad_context_gates, _ = matrix_gradient(grad_inputs, rounded_contexts[:-1], dtype)
        grad_matrices = matrix_gradient(grad_recurrent, rounded_states[:-1], dtype)
        if query_matrix is not None:
            query_matrix, _ = matrix_gradient(grad_queries, rounded_states[1:], dtype)
        grad_start = grad_inputs.transpose(0, 1).to(dtype), grad_state, grad_context
        grad_parameters = grad_context_gates, *grad_matrices, query_matrix, grad_energy
        return None, None, None, *grad_start, grad_keys, grad_values, *grad_parameters


def _softmax_gradient(gradient: Tensor, weights: Tensor) -> Tensor:
    """Give the gradient of the scores from that of their softmax: α (g - Σ α g)."""
    return weights * (gradient - (weights * gradient).sum(1, keepdim=True))


def _attention_gradients(
    ctx: Any, grad_steps: list[tuple[Tensor, Tensor]], grad_keys: Tensor
) -> tuple[Tensor, Tensor, Tensor | None]:
    """Give the gradients of keys, values and v, over all steps at once."""
    grad_contexts, grad_scores = (
        torch.stack(part[::-1], 1) for part in zip(*grad_steps, strict=True)
    )  # (B, T, C), (B, T, S)
    _, weights, compared = zip(*ctx.steps, strict=True)
    grad_keys, grad_energy = ctx.score_gradient.key_gradient(grad_scores, compared, grad_keys)
    grad_values = torch.stack(weights, 2) @ grad_contexts  # (B, S, T) @ (B, T, C) -> (B, S, C)
    return grad_keys, grad_values, grad_energy
