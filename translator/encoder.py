"""The encoder: reads the whole source, both ways, and keeps every state.

A forward GRU reads h→_1 … h→_S, a backward one h←_S … h←_1, and h_j = [h→_j ; h←_j] describes piece j *in its sentence*
(Bahdanau et al. 2015, section 3.2). A plain encoder-decoder hands on only the last of them, one vector for a sentence of any length;
attention lets the decoder look at all of H = [h_1 … h_S].
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from translator.config import ModelConfig
from translator.products import Linear
from translator.recurrence import read


class Dropout(nn.Module):
    """Some numbers of each sentence's vectors become 0 in training, the same ones at every place of the sentence.

    One mask for all steps suits a recurrent network better than a new one at each (Gal and Ghahramani 2016), and costs less. The masks come
    from a generator of this module's own, so that copies of a network that learn side by side don't draw from each other's.
    """

    generator: torch.Generator | None = None  # None: torch's own

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, vectors: Tensor) -> Tensor:
        """Drop from the vectors of some sentences: (B, …, n) -> (B, …, n)."""
        return self.drop(vectors, (vectors.shape[0], *(1,) * (vectors.dim() - 2), vectors.shape[-1]))

    def drop(self, vectors: Tensor, shape: tuple[int, ...]) -> Tensor:
        """Multiply with a mask of this shape; what stays is scaled up, so that the mean stays."""
        if not self.training or self.p == 0:
            return vectors
        mask = vectors.new_empty(shape).bernoulli_(1 - self.p, generator=self.generator)
        return vectors * mask.div_(1 - self.p)


class Embedding(nn.Embedding):
    """A vector for each piece. In training, some numbers and some whole pieces are dropped.

    Dropping a whole piece (Gal and Ghahramani 2016) keeps a small model from learning its few sentences by heart.
    """

    def __init__(self, vocabulary: int, size: int, dropout: float, word_dropout: float) -> None:
        super().__init__(vocabulary, size)
        nn.init.normal_(self.weight, std=size**-0.5)
        self.dropout = Dropout(dropout)
        self.word_dropout = Dropout(word_dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """Look ids up: (B, S) -> (B, S, E)."""
        embedded: Tensor = self.dropout(super().forward(ids))  # (B, S, E)
        return self.word_dropout.drop(embedded, (*ids.shape, 1))


class Reader(nn.Module):
    """A GRU that reads a source in one direction."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        E, H = config.embedding_size, config.hidden_size
        self.embedded_gates = Linear(E, 3 * H)
        self.state_gates = Linear(H, 3 * H)

    def forward(self, embedded: Tensor, mask: Tensor, *, backward: bool = False) -> tuple[Tensor, Tensor]:
        """Read vectors (B, S, E): the state after each piece (B, S, H), and the last one (B, H). Padding leaves a state as it is."""
        gates = self.embedded_gates(embedded)  # all pieces are known, so their share of the gates is one product, (B, S, 3H)
        if self.state_gates.dtype is not None:
            quick = read(gates, mask, self.state_gates, backward=backward)
            return quick, quick[:, 0 if backward else -1]
        columns = gates.unbind(1)  # (B, 3H) each; a slice's gradient would fill a whole tensor
        whole = mask.all(0).tolist()  # the columns without padding, nearly all of them, need no choice
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
        self.embedding = Embedding(config.source_vocabulary, config.embedding_size, dropout, word_dropout)
        self.rightward = Reader(config)
        self.leftward = Reader(config)
        self.dropout = Dropout(dropout)

    def forward(self, source_ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Read sources (B, S) with their mask: every state h_j (B, S, 2H), and the last state of each direction side by side (B, 2H)."""
        embedded = self.embedding(source_ids)  # (B, S, E)
        rightward, at_end = self.rightward(embedded, mask)  # h→, (B, S, H)
        leftward, at_start = self.leftward(embedded, mask, backward=True)  # h←, (B, S, H)
        return self.dropout(torch.cat([rightward, leftward], 2)), self.dropout(torch.cat([at_end, at_start], 1))


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
