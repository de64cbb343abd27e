"""The decoder: writes the target piece by piece, and looks at the source before each.

    s_i      = GRU([y_{i-1} ; c_{i-1}], s_{i-1})    from the last piece and the last context
    α_i, c_i = attention(s_i, H)                    the *new* state is the query
    P(y_i)   = softmax(E_y tanh(W_o [s_i ; c_i ; y_{i-1}]))

The new state is the query, so row i of the heatmap belongs to piece i. The context goes into the
next step, so the decoder knows where it has already looked (Bahdanau et al. 2015, section 3.1;
"input feeding" in Luong et al. 2015, section 3.3). The output layer's matrix is the target
embedding E_y itself (Press and Wolf 2017).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from translator.model.attention import SCORE_FUNCTIONS
from translator.model.embedding import Dropout, Embedding
from translator.model.gru.cell import gru
from translator.model.gru.decoder_gradient import fast_decoder_loop
from translator.model.mixed_precision import Linear, mixed_linear
from translator.settings import ModelConfig


class Decoder(nn.Module):
    """A GRU with attention. The context is part of its input and of its output."""

    def __init__(self, config: ModelConfig, dropout: float, word_dropout: float) -> None:
        super().__init__()
        E, H, C = config.embedding_size, config.hidden_size, config.context_size
        self.embedding = Embedding(config.target_vocabulary, E, dropout, word_dropout)
        self.first_state = Linear(2 * H, H)
        self.first_context = Linear(2 * H, C)
        # The GRU's input matrix is in two parts, for y_{i-1} and for c_{i-1}.
        self.embedded_gates = Linear(E, 3 * H)
        self.context_gates = Linear(C, 3 * H, bias=False)
        self.state_gates = Linear(H, 3 * H)  # the recurrent matrix, for s_{i-1}
        self.attention = SCORE_FUNCTIONS[config.attention](config)
        self.readout = Linear(H + C + E, E)  # W_o
        self.output_bias = nn.Parameter(torch.zeros(config.target_vocabulary))
        self.dropout = Dropout(dropout)

    def forward(
        self, previous_ids: Tensor, states: Tensor, final_state: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Give readouts (B, T, E) for `logits`, and attention weights (B, T, S).

        `previous_ids` y_0 … y_{T-1} (B, T) are the given target; the rest is from the encoder.
        """
        embedded = self.embedding(previous_ids)  # (B, T, E)
        keys, values = self.attention.keys_and_values(states, final_state)  # (B, S, H), (B, S, C)
        state = torch.tanh(self.first_state(final_state))  # s_0, (B, H)
        context = torch.tanh(self.first_context(final_state))  # c_0, (B, C)
        # All y's are known, so one product computes their part of the gates.
        gates = self.embedded_gates(embedded)  # (B, T, 3H)
        tensors = gates, state, context, keys, values, mask
        if self.state_gates.compute_dtype is None or self.attention.score_gradient is None:
            decoder_states, contexts, weights = self.unroll(*tensors)
        else:
            layers = self.attention, self.context_gates, self.state_gates
            decoder_states, contexts, weights = fast_decoder_loop(*layers, *tensors)
        readouts = self.readout(torch.cat([decoder_states, contexts, embedded], 2))  # (B, T, E)
        return self.dropout(torch.tanh(readouts)), weights

    def unroll(
        self,
        gates: Tensor,
        state: Tensor,
        context: Tensor,
        keys: Tensor,
        values: Tensor,
        mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Run the decoder step by step.

        Gives states (B, T, H), contexts (B, T, C) and weights (B, T, S).
        """
        steps = []
        for embedded_gates in gates.unbind(1):  # (B, 3H)
            inputs = embedded_gates + self.context_gates(context)  # from y_{i-1} and c_{i-1}
            state = gru(inputs, self.state_gates(state), state)  # s_i
            weights, context = self.attention(state, keys, values, mask)  # α_i, c_i
            steps.append((state, context, weights))
        states, contexts, weights = (torch.stack(parts, 1) for parts in zip(*steps, strict=True))
        return states, contexts, weights

    def logits(self, readouts: Tensor) -> Tensor:
        """Score every target piece: readouts (…, E) -> (…, V)."""
        dtype = self.readout.compute_dtype
        return mixed_linear(readouts, self.embedding.weight, self.output_bias, dtype)
