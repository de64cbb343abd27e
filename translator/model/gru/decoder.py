"""The decoder: writes the target piece by piece, looking at the source before each.

    s_i     = GRU([y_{i-1} ; c_{i-1}], s_{i-1})       the last piece and the last context go in
    α_i,c_i = attention(s_i, H)                       the *new* state asks, so row i of the heatmap belongs to piece i
    P(y_i)  = softmax(E_y tanh(W_o [s_i ; c_i ; y_{i-1}]))

Feeding the context back lets the decoder know where it has already looked (Bahdanau et al. 2015, section 3.1; input feeding in Luong et
al. 2015, section 3.3). The output layer's matrix is the target embedding itself, E_y (Press and Wolf 2017).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from translator.model.attention import SCORES
from translator.model.embedding import Dropout, Embedding
from translator.model.gru.backpropagation import follow
from translator.model.gru.cell import gru
from translator.model.mixed_precision import Linear, product
from translator.settings import ModelConfig


class Decoder(nn.Module):
    """A GRU whose input holds the context, with attention and a readout."""

    def __init__(self, config: ModelConfig, dropout: float, word_dropout: float) -> None:
        super().__init__()
        E, H, C = config.embedding_size, config.hidden_size, config.context_size
        self.embedding = Embedding(config.target_vocabulary, E, dropout, word_dropout)
        self.first_state = Linear(2 * H, H)
        self.first_context = Linear(2 * H, C)
        # The GRU's input matrix in two halves, for y_{i-1} and for c_{i-1}; its recurrent matrix, for s_{i-1}.
        self.embedded_gates = Linear(E, 3 * H)
        self.context_gates = Linear(C, 3 * H, bias=False)
        self.state_gates = Linear(H, 3 * H)
        self.attention = SCORES[config.attention](config)
        self.readout = Linear(H + C + E, E)
        self.output_bias = nn.Parameter(torch.zeros(config.target_vocabulary))
        self.dropout = Dropout(dropout)

    def forward(
        self, previous_ids: Tensor, states: Tensor, last: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Follow given targets, y_0 … y_{T-1} (B, T): readouts (B, T, E) for `logits`, and weights (B, T, S)."""
        embedded = self.embedding(previous_ids)  # (B, T, E)
        keys, values = self.attention.remember(states, last)  # (B, S, ·), (B, S, C)
        state = torch.tanh(self.first_state(last))  # s_0, (B, H)
        context = torch.tanh(self.first_context(last))  # c_0, (B, C)
        gates = self.embedded_gates(
            embedded
        )  # all y's are known, so their share of the gates is one product, (B, T, 3H)
        at = self.attention
        if self.readout.dtype is None or at.score_gradient is None:
            decoder_states, contexts, all_weights = self.follow(
                gates, state, context, keys, values, mask
            )
        else:
            layers = self.context_gates, self.state_gates, at.query, at.energy
            decoder_states, contexts, all_weights = follow(
                at.score_gradient, gates, state, context, keys, values, mask, *layers
            )
        readouts = torch.tanh(
            self.readout(torch.cat([decoder_states, contexts, embedded], 2))
        )  # (B, T, E)
        return self.dropout(readouts), all_weights

    def follow(
        self,
        gates: Tensor,
        state: Tensor,
        context: Tensor,
        keys: Tensor,
        values: Tensor,
        mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The loop itself: states (B, T, H), contexts (B, T, C) and weights (B, T, S). `recurrence.follow` is the same, but quicker."""
        steps = []
        for embedded_gates in gates.unbind(
            1
        ):  # (B, 3H); a slice's gradient would fill a whole tensor
            state = gru(
                embedded_gates + self.context_gates(context), self.state_gates(state), state
            )  # s_i
            weights, context = self.attention(state, keys, values, mask)  # α_i, c_i
            steps.append((state, context, weights))
        states, contexts, all_weights = (
            torch.stack(parts, 1) for parts in zip(*steps, strict=True)
        )
        return states, contexts, all_weights

    def logits(self, readouts: Tensor) -> Tensor:
        """Scores of every target piece from readouts: (…, E) -> (…, V)."""
        return product(readouts, self.embedding.weight, self.output_bias, self.readout.dtype)
