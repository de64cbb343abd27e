"""The encoder: reads the whole source in both directions, and keeps every state.

One GRU reads forward, h→_1 … h→_S, the other backward, h←_S … h←_1. Together h_j = [h→_j ; h←_j]
describes piece j *in its sentence* (Bahdanau et al. 2015, section 3.2).

A plain encoder-decoder passes on only the final state: one vector for a sentence of any length.
With attention, the decoder can look at all of H = [h_1 … h_S].
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from translator.model.embedding import Dropout, Embedding
from translator.model.gru.cell import gru
from translator.model.gru.encoder_gradient import fast_encoder_loop
from translator.model.mixed_precision import Linear
from translator.settings import ModelConfig


class UnidirectionalGRU(nn.Module):
    """A GRU that reads a source in one direction."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        E, H = config.embedding_size, config.hidden_size
        self.embedded_gates = Linear(E, 3 * H)
        self.state_gates = Linear(H, 3 * H)

    def forward(
        self, embedded: Tensor, mask: Tensor, *, reverse: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Give the state after each piece (B, S, H) and the final state (B, H)."""
        # All pieces are known, so one product computes their part of the gates.
        gates = self.embedded_gates(embedded)  # (B, S, 3H)
        if self.state_gates.compute_dtype is None:
            start = embedded.new_zeros(len(embedded), self.state_gates.in_features)  # (B, H)
            states = self.unroll(gates, start, mask, reverse=reverse)
        else:
            states = fast_encoder_loop(gates, mask, self.state_gates, reverse=reverse)
        return states, states[:, 0 if reverse else -1]

    def unroll(self, gates: Tensor, state: Tensor, mask: Tensor, *, reverse: bool) -> Tensor:
        """Run the GRU piece by piece: (B, S, 3H) -> (B, S, H). Padding leaves a state as it is."""
        columns = gates.unbind(1)  # (B, 3H) each; a slice's gradient would fill a whole tensor
        has_padding = (~mask.all(0)).tolist()  # most columns have none, and need no torch.where
        states = []
        for j in range(len(columns))[:: -1 if reverse else 1]:
            updated = gru(columns[j], self.state_gates(state), state)
            state = torch.where(mask[:, j, None], updated, state) if has_padding[j] else updated
            states.append(state)
        return torch.stack(states[::-1] if reverse else states, 1)


class Encoder(nn.Module):
    """A bidirectional GRU over the source's pieces."""

    def __init__(self, config: ModelConfig, dropout: float, word_dropout: float) -> None:
        super().__init__()
        E = config.embedding_size
        self.embedding = Embedding(config.source_vocabulary, E, dropout, word_dropout)
        self.rightward = UnidirectionalGRU(config)
        self.leftward = UnidirectionalGRU(config)
        self.dropout = Dropout(dropout)

    def forward(self, source_ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Give every state h_j (B, S, 2H) and both directions' final states, joined (B, 2H)."""
        embedded = self.embedding(source_ids)  # (B, S, E)
        rightward, at_end = self.rightward(embedded, mask)  # h→, (B, S, H)
        leftward, at_start = self.leftward(embedded, mask, reverse=True)  # h←, (B, S, H)
        states = self.dropout(torch.cat([rightward, leftward], 2))
        final_state = self.dropout(torch.cat([at_end, at_start], 1))
        return states, final_state
