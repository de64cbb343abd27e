"""The GRU cell: one update of a state. The gates are in torch's order (r, z, n)."""

from __future__ import annotations

import torch
from torch import Tensor


def gru(inputs: Tensor, recurrent: Tensor, state: Tensor) -> Tensor:
    """Update a state s (B, H) by a GRU (Cho et al. 2014).

    `inputs` = W x + b and `recurrent` = U s + b' are (B, 3H) each, for the gates r, z and n. As in
    torch.nn.GRU, the reset gate r is applied after the recurrent matrix U.
    """
    sizes = [2 * state.shape[1], state.shape[1]]
    input_gates, input_new = torch.split(inputs, sizes, 1)
    recurrent_gates, recurrent_new = torch.split(recurrent, sizes, 1)
    reset, update = torch.sigmoid(input_gates + recurrent_gates).chunk(2, 1)  # r, z: (B, H)
    new = torch.tanh(torch.addcmul(input_new, reset, recurrent_new))  # n, (B, H)
    return new + update * (state - new)  # (1 - z) n + z s
