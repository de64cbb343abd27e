"""The encoder: reads the whole source, both ways, and keeps every state.

A forward GRU reads h→_1 … h→_S, a backward one h←_S … h←_1, and h_j = [h→_j ; h←_j] describes piece j *in its sentence*
(Bahdanau et al. 2015, section 3.2). A plain encoder-decoder hands on only the last of them, one vector for a sentence of any length;
attention lets the decoder look at all of H = [h_1 … h_S].
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from translator.config import ModelConfig


class Embedding(nn.Embedding):
    """A vector for each piece. In training, some numbers and some whole pieces are dropped.

    Dropping a whole piece (Gal and Ghahramani 2016) keeps a small model from learning its few sentences by heart.
    """

    def __init__(self, vocabulary: int, size: int, dropout: float, word_dropout: float) -> None:
        super().__init__(vocabulary, size)
        nn.init.normal_(self.weight, std=size**-0.5)
        self.dropout = nn.Dropout(dropout)
        self.word_dropout = nn.Dropout(word_dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """Look ids up: (B, S) -> (B, S, E)."""
        embedded: Tensor = self.dropout(super().forward(ids))  # (B, S, E)
        if self.training and self.word_dropout.p > 0:
            embedded = embedded * self.word_dropout(embedded.new_ones(*ids.shape, 1))
        return embedded


class Encoder(nn.Module):
    """A bidirectional GRU over the source's pieces."""

    def __init__(self, config: ModelConfig, dropout: float, word_dropout: float) -> None:
        super().__init__()
        self.embedding = Embedding(config.source_vocabulary, config.embedding_size, dropout, word_dropout)
        self.gru = nn.GRU(config.embedding_size, config.hidden_size, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(dropout)

    def forward(self, source_ids: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Read sources (B, S): every state h_j (B, S, 2H), and the last state of each direction side by side (B, 2H)."""
        embedded = self.embedding(source_ids)  # (B, S, E)
        # Packed, the backward GRU begins at each sentence's own end, so padding is never read.
        packed = pack_padded_sequence(embedded, source_lengths.cpu(), batch_first=True, enforce_sorted=False)
        packed_states, last = self.gru(packed)  # last: (2, B, H)
        states, _ = pad_packed_sequence(packed_states, batch_first=True, total_length=source_ids.shape[1])  # (B, S, 2H)
        return self.dropout(states), self.dropout(torch.cat([last[0], last[1]], 1))
