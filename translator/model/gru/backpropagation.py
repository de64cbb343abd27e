"""The loops over a sentence, with their gradients written out: what `Reader.forward` and `Decoder.forward` say, in three quarters of the time.

For autograd dozens of small operations of each step are put down, and a matrix's gradient is a sum of one small product a step. Here only a
step's results are kept; what all steps have in common (the gradients of matrices, of keys and of values) is one product over all steps at
the end. The plain loops stay what is read and what the tests compare with.

Products may be made in another type than the numbers between them, see `products.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn.functional import linear

from translator.model.attention_gradients import ScoreGradient
from translator.model.mixed_precision import Linear


def read(inputs: Tensor, mask: Tensor, state_gates: Linear, *, backward: bool) -> Tensor:
    """`Reader.forward`: the states (B, S, H) after each piece, from the embeddings' shares of the gates (B, S, 3H)."""
    states: Tensor = Read.apply(
        inputs, mask, state_gates.weight, state_gates.bias, state_gates.dtype, backward
    )  # type: ignore[no-untyped-call]
    return states


def follow(
    score_gradient: ScoreGradient,
    inputs: Tensor,
    state: Tensor,
    context: Tensor,
    keys: Tensor,
    values: Tensor,
    mask: Tensor,
    context_gates: Linear,
    state_gates: Linear,
    query: Linear | None,
    energy: nn.Linear | None,
) -> tuple[Tensor, Tensor, Tensor]:
    """`Decoder.forward`: states (B, T, H), contexts (B, T, C) and weights (B, T, S), from the embeddings' shares of the gates (B, T, 3H)."""
    matrices = (
        context_gates.weight,
        state_gates.weight,
        state_gates.bias,
        None if query is None else query.weight,
    )
    vector = None if energy is None else energy.weight[0]
    steps: tuple[Tensor, Tensor, Tensor] = Follow.apply(  # type: ignore[no-untyped-call]
        score_gradient,
        state_gates.dtype,
        mask,
        inputs,
        state,
        context,
        keys,
        values,
        *matrices,
        vector,
    )
    return steps


class Gates(NamedTuple):
    """What a GRU's step leaves for its gradient."""

    reset_update: Tensor  # r and z, (B, 2H)
    recurrent_new: Tensor  # u_n, the state's share of the new state's sum, (B, H)
    new: Tensor  # n, (B, H)


def gru_step(inputs: Tensor, recurrent: Tensor, state: Tensor) -> tuple[Tensor, Gates]:
    """`encoder.gru`: the state (1 - z) n + z s (B, H), where n = tanh(x_n + r u_n), from shares x of the input and u of the state."""
    H = state.shape[1]
    gates = Gates(
        torch.sigmoid(inputs[:, : 2 * H] + recurrent[:, : 2 * H]),
        recurrent[:, 2 * H :],
        state.new_empty(state.shape),
    )
    torch.addcmul(inputs[:, 2 * H :], gates.reset_update[:, :H], gates.recurrent_new, out=gates.new)
    _tanh(gates.new)
    return torch.lerp(gates.new, state, gates.reset_update[:, H:]), gates


def gru_gradient(
    gradient: Tensor, gates: Gates, state: Tensor, by_inputs: Tensor, by_recurrent: Tensor
) -> Tensor:
    """The gradient by x and by u, written to (B, 3H) each, and what goes to the state directly (B, H).

    By the chain rule ∂z = g (s - n), ∂n = g (1 - z), and ∂r = ∂n (1 - n²) u_n; σ' = σ (1 - σ).
    """
    H = state.shape[1]
    reset_update, recurrent_new, new = gates
    by_state = gradient * reset_update[:, H:]
    by_sums = gradient.new_empty(by_inputs.shape)
    by_new = torch.mul(
        gradient - by_state,
        torch.addcmul(gradient.new_ones(()), new, new, value=-1),
        out=by_sums[:, 2 * H :],
    )
    torch.mul(by_new, recurrent_new, out=by_sums[:, :H])
    torch.mul(gradient, state - new, out=by_sums[:, H : 2 * H])
    by_sums[:, : 2 * H].mul_(torch.addcmul(reset_update, reset_update, reset_update, value=-1))
    by_inputs.copy_(by_sums)
    by_new.mul_(reset_update[:, :H])
    by_recurrent.copy_(by_sums)
    return by_state


class Read(Function):
    """A reader's loop over a source."""

    @staticmethod
    def forward(
        ctx: Any,
        inputs: Tensor,
        mask: Tensor,
        weight: Tensor,
        bias: Tensor,
        dtype: torch.dtype,
        backward: bool,
    ) -> Tensor:
        """The states (B, S, H) after each piece, from the embeddings' shares (B, S, 3H) and the matrix (3H, H) of the states' shares."""
        weight, bias = weight.to(dtype), bias.to(dtype)
        whole = mask.all(0).tolist()
        state = inputs.new_zeros(len(inputs), weight.shape[1])
        states, factors, ctx.steps = (
            [state],
            [],
            [],
        )  # the factors are the states in the products' type
        for j in range(len(whole))[:: -1 if backward else 1]:
            factors.append(state.to(dtype))
            read, gates = gru_step(
                inputs[:, j], linear(factors[-1], weight, bias).to(state.dtype), state
            )
            choice = None if whole[j] else mask[:, j, None]
            state = read if choice is None else torch.where(choice, read, state)
            states.append(state)
            ctx.steps.append((j, gates, choice))
        ctx.save_for_backward(weight, torch.stack(factors), *states[:-1])
        return torch.stack(states[:0:-1] if backward else states[1:], 1)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, by_states: Tensor) -> tuple[Tensor | None, ...]:
        weight, factors, *states = ctx.saved_tensors
        B, S, H = by_states.shape
        by_inputs = by_states.new_empty(B, S, 3 * H)
        by_recurrent = weight.new_empty(S, B, 3 * H)
        by_state = by_states.new_zeros(B, H)
        for step, (j, gates, choice) in reversed(list(enumerate(ctx.steps))):
            by_state = by_state + by_states[:, j]
            by_read = by_state if choice is None else by_state * choice
            past = None if choice is None else by_state - by_read
            by_state = gru_gradient(
                by_read, gates, states[step], by_inputs[:, j], by_recurrent[step]
            )
            by_state += by_recurrent[step] @ weight
            if past is not None:
                by_state += past
        return by_inputs, None, *_by_matrix(by_recurrent, factors, by_states.dtype), None, None


class Follow(Function):
    """A decoder's loop over given targets; `score_gradient` scores, and knows its gradient."""

    @staticmethod
    def forward(
        ctx: Any, score_gradient: ScoreGradient, dtype: torch.dtype, mask: Tensor, *tensors: Any
    ) -> tuple[Tensor, ...]:
        """The states (B, T, H), contexts (B, T, C) and weights (B, T, S)."""
        inputs, state, context, keys, values, *matrices, queries, energy = tensors
        context_gates, state_gates, bias = (matrix.to(dtype) for matrix in matrices)
        queries = None if queries is None else queries.to(dtype)
        outside = torch.where(mask, 0.0, -torch.inf).to(keys.dtype)
        # The factors are states and contexts in the products' type.
        steps, factors, ctx.kept = [(state, context)], [(state.to(dtype), context.to(dtype))], []
        for embedded in inputs.unbind(1):
            state_factor, context_factor = factors[-1]
            sums = linear(context_factor, context_gates).to(state.dtype).add_(embedded)
            state, gates = gru_step(
                sums, linear(state_factor, state_gates, bias).to(state.dtype), state
            )
            state_factor = state.to(dtype)
            query = state if queries is None else linear(state_factor, queries).to(state.dtype)
            scores, compared = score_gradient.scores(query, keys, energy)
            weights = scores.add_(outside).softmax(1)
            context = (weights.unsqueeze(1) @ values).squeeze(1)
            steps.append((state, context))
            factors.append((state_factor, context.to(dtype)))
            ctx.kept.append((gates, weights, compared))
        (states, contexts), ctx.score_gradient = zip(*steps, strict=True), score_gradient
        state_factors, context_factors = (
            torch.stack(parts) for parts in zip(*factors, strict=True)
        )
        ctx.save_for_backward(
            keys,
            values,
            context_gates,
            state_gates,
            queries,
            energy,
            state_factors,
            context_factors,
            *states[:-1],
        )
        all_weights = [weights for _, weights, _ in ctx.kept]
        return torch.stack(states[1:], 1), torch.stack(contexts[1:], 1), torch.stack(all_weights, 1)

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, by_states: Tensor, by_contexts: Tensor, by_all_weights: Tensor
    ) -> tuple[Tensor | None, ...]:
        (
            keys,
            values,
            context_gates,
            state_gates,
            queries,
            energy,
            state_factors,
            context_factors,
            *states,
        ) = ctx.saved_tensors
        B, T, H = by_states.shape
        by_inputs, by_recurrent = state_gates.new_empty(2, T, B, 3 * H).unbind()
        by_queries = state_gates.new_empty(T, B, H)
        by_keys = torch.zeros_like(keys)
        by_state, by_context, parts = (
            torch.zeros_like(by_states[:, 0]),
            torch.zeros_like(by_contexts[:, 0]),
            [],
        )
        for i, (gates, weights, compared) in reversed(list(enumerate(ctx.kept))):
            by_context = by_context + by_contexts[:, i]
            by_weights = (by_context.unsqueeze(1) @ values.mT).squeeze(1).add_(by_all_weights[:, i])
            by_scores = weights * (
                by_weights - (weights * by_weights).sum(1, keepdim=True)
            )  # through the softmax
            parts.append((by_context, by_scores))
            by_query = ctx.score_gradient.by_query(by_scores, compared, keys, energy, by_keys)
            by_queries[i] = by_query
            by_state = (
                by_state
                + by_states[:, i]
                + (by_query if queries is None else by_queries[i] @ queries)
            )
            by_state = gru_gradient(by_state, gates, states[i], by_inputs[i], by_recurrent[i])
            by_state += by_recurrent[i] @ state_gates
            by_context = (by_inputs[i] @ context_gates).to(by_state.dtype)
        all_by_contexts, all_by_scores = (
            torch.stack(part[::-1], 1) for part in zip(*parts, strict=True)
        )  # (B, T, ·)
        _, all_weights, all_compared = zip(*ctx.kept, strict=True)
        by_keys, by_energy = ctx.score_gradient.by_keys(all_by_scores, all_compared, by_keys)
        by_values = torch.stack(all_weights, 2) @ all_by_contexts
        by_context_gates, _ = _by_matrix(by_inputs, context_factors[:-1], by_state.dtype)
        by_state_gates, by_bias = _by_matrix(by_recurrent, state_factors[:-1], by_state.dtype)
        by_query_matrix = (
            None
            if queries is None
            else _by_matrix(by_queries, state_factors[1:], by_state.dtype)[0]
        )
        through = (
            by_inputs.transpose(0, 1).to(by_state.dtype),
            by_state,
            by_context,
            by_keys,
            by_values,
        )
        return (
            None,
            None,
            None,
            *through,
            by_context_gates,
            by_state_gates,
            by_bias,
            by_query_matrix,
            by_energy,
        )


def _by_matrix(gradients: Tensor, factors: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """The gradient of a matrix and its bias from those of its products (T, B, m), made with the factors (T, B, n)."""
    gradients = gradients.flatten(0, 1)
    return (gradients.T @ factors.flatten(0, 1)).to(dtype), gradients.sum(0, dtype=dtype)


def _tanh(numbers: Tensor) -> Tensor:
    """In place, by the logistic function: tanh x = 2 σ(2x) - 1."""
    return numbers.add_(numbers).sigmoid_().mul_(2).sub_(1)
