"""The network for training: encoder and decoder together, and the loss.

The letters of all shapes, in this package:

    B  sentences in a batch        S  pieces of the source       T  pieces of the target
    K  hypotheses in a beam        V  pieces in a vocabulary
    E  numbers in an embedding     H  numbers in a state         C  numbers in a context

Masks are True on real pieces. Translating is done by `inference.py`, the same network in numpy.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from translator.model.gru.decoder import Decoder
from translator.model.gru.encoder import Encoder
from translator.model.loss import CrossEntropy, misalignment
from translator.settings import ModelConfig


class Model(nn.Module):
    """An encoder and a decoder with attention, shaped by a `ModelConfig`."""

    def __init__(
        self, config: ModelConfig, dropout: float = 0.0, word_dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config, dropout, word_dropout)
        self.decoder = Decoder(config, dropout, word_dropout)

    def forward(
        self, source_ids: Tensor, source_lengths: Tensor, previous_ids: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Follow given targets: sources (B, S) and previous pieces (B, T) to readouts (B, T, E) and weights (B, T, S)."""
        mask = length_mask(source_lengths, source_ids.shape[1])  # (B, S)
        states, last = self.encoder(source_ids, mask)  # (B, S, 2H), (B, 2H)
        readouts, weights = self.decoder(previous_ids, states, last, mask)
        return readouts, weights

    def loss(
        self,
        source_ids: Tensor,
        source_lengths: Tensor,
        previous_ids: Tensor,
        target_ids: Tensor,
        target_lengths: Tensor,
        smoothing: float,
        gold: Tensor | None = None,
        guidance: float = 0.0,
    ) -> Tensor:
        """The mean cross-entropy of the target's real pieces, in nats, with label smoothing (Szegedy et al. 2016, section 7).

        With `guidance`, that many times the weights' cross-entropy with the gold alignment (B, T, S) comes on top (see `guidance.py`).
        """
        readouts, weights = self(source_ids, source_lengths, previous_ids)  # (B, T, E), (B, T, S)
        # Only real positions meet the vocabulary: the largest product of all.
        written = length_mask(target_lengths, target_ids.shape[1])  # (B, T)
        logits = self.decoder.logits(readouts[written])  # (N, V)
        logits = logits.to(
            torch.promote_types(logits.dtype, torch.float32)
        )  # a sum over V pieces needs the digits
        loss: Tensor = CrossEntropy.apply(logits, target_ids[written], smoothing)  # type: ignore[no-untyped-call]
        return (
            loss
            if gold is None or guidance == 0
            else loss + guidance * misalignment(weights, gold) / len(logits)
        )


def length_mask(lengths: Tensor, longest: int) -> Tensor:
    """The mask of sequences with these lengths (B,), padded to the longest: (B, longest), True on real pieces."""
    return torch.arange(longest, device=lengths.device) < lengths.unsqueeze(1)
