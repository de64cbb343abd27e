"""The encoder: reads the whole source, both ways, and keeps every state.

A forward GRU reads h→_1 … h→_S, a backward one h←_S … h←_1, and h_j = [h→_j ; h←_j] describes piece j *in its sentence*
(Bahdanau et al. 2015, section 3.2). A plain encoder-decoder hands on only the last of them, one vector for a sentence of any length;
attention lets the decoder look at all of H = [h_1 … h_S].
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from translator.model.embedding import Dropout, Embedding
from translator.model.gru.backpropagation import read
from translator.model.gru.cell import gru
from translator.model.mixed_precision import Linear
from translator.settings import ModelConfig


class Reader(nn.Module):
    """A GRU that reads a source in one direction."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        E, H = config.embedding_size, config.hidden_size
        self.embedded_gates = Linear(E, 3 * H)
        self.state_gates = Linear(H, 3 * H)

    def forward(
        self, embedded: Tensor, mask: Tensor, *, backward: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Read vectors (B, S, E): the state after each piece (B, S, H), and the last one (B, H). Padding leaves a state as it is."""
        gates = self.embedded_gates(
            embedded
        )  # all pieces are known, so their share of the gates is one product, (B, S, 3H)
        if self.state_gates.dtype is not None:
            quick = read(gates, mask, self.state_gates, backward=backward)
            return quick, quick[:, 0 if backward else -1]
        columns = gates.unbind(1)  # (B, 3H) each; a slice's gradient would fill a whole tensor
        whole = mask.all(
            0
        ).tolist()  # the columns without padding, nearly all of them, need no choice
        state = embedded.new_zeros(embedded.shape[0], self.state_gates.in_features)  # (B, H)
        states = []
        for j in reversed(range(len(columns))) if backward else range(len(columns)):
            updated = gru(columns[j], self.state_gates(state), state)
            state = updated if whole[j] else torch.where(mask[:, j : j + 1], updated, state)
            states.append(state)
        return torch.stack(states[::-1] if backward else states, 1), state


class Encoder(nn.Module):
    """A bidirectional GRU over the source's pieces."""

    def __init__(self, config: ModelConfig, dropout: float, word_dropout: float) -> None:
        super().__init__()
        self.embedding = Embedding(
            config.source_vocabulary, config.embedding_size, dropout, word_dropout
        )
        self.rightward = Reader(config)
        self.leftward = Reader(config)
        self.dropout = Dropout(dropout)

    def forward(self, source_ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Read sources (B, S) with their mask: every state h_j (B, S, 2H), and the last state of each direction side by side (B, 2H)."""
        embedded = self.embedding(source_ids)  # (B, S, E)
        rightward, at_end = self.rightward(embedded, mask)  # h→, (B, S, H)
        leftward, at_start = self.leftward(embedded, mask, backward=True)  # h←, (B, S, H)
        return self.dropout(torch.cat([rightward, leftward], 2)), self.dropout(
            torch.cat([at_end, at_start], 1)
        )
