"""The GRU cell: one update of a state, in torch's order of gates (r, z, n)."""

from __future__ import annotations

import torch
from torch import Tensor


def gru(inputs: Tensor, recurrent: Tensor, state: Tensor) -> Tensor:
    """The GRU's update (Cho et al. 2014) of a state (B, H), from the gates' shares of the input and of the state, (B, 3H) each.

    Written as torch.nn.GRU has it: the reset gate acts behind the recurrent matrix.
    """
    sizes = [2 * state.shape[1], state.shape[1]]
    input_gates, input_new = torch.split(inputs, sizes, 1)
    recurrent_gates, recurrent_new = torch.split(recurrent, sizes, 1)
    reset, update = torch.sigmoid(input_gates + recurrent_gates).chunk(2, 1)  # r, z: (B, H)
    new = torch.tanh(torch.addcmul(input_new, reset, recurrent_new))  # n, (B, H)
    return new + update * (state - new)  # (1 - z) n + z s
