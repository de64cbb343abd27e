"""The network for training: encoder and decoder together, and their loss.

The letters of all shapes in this package:

    B  sentences in a batch        S  pieces of the source       T  pieces of the target
    K  hypotheses in a beam        V  pieces in a vocabulary
    E  numbers in an embedding     H  numbers in a state         C  numbers in a context

Masks are True on real pieces. To translate, `inference/gru.py` runs the same network in numpy.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from translator.model.gru.decoder import Decoder
from translator.model.gru.encoder import Encoder
from translator.model.loss import CrossEntropy, alignment_cross_entropy
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
        """Run the decoder over given targets (teacher forcing).

        Sources (B, S) and previous target pieces (B, T) give readouts (B, T, E) and attention
        weights (B, T, S).
        """
        mask = length_mask(source_lengths, source_ids.shape[1])  # (B, S)
        states, final_state = self.encoder(source_ids, mask)  # (B, S, 2H), (B, 2H)
        readouts, weights = self.decoder(previous_ids, states, final_state, mask)
        return readouts, weights

    def loss(
        self,
        source_ids: Tensor,
        source_lengths: Tensor,
        previous_ids: Tensor,
        target_ids: Tensor,
        target_lengths: Tensor,
        label_smoothing: float,
        gold: Tensor | None = None,
        guided_alignment: float = 0.0,
    ) -> Tensor:
        """Give the mean cross-entropy of the target's real pieces, in nats.

        Label smoothing is that of Szegedy et al. 2016, section 7. `guided_alignment` times the
        cross-entropy of the attention weights with the gold alignment (B, T, S) is added.
        """
        readouts, weights = self(source_ids, source_lengths, previous_ids)  # (B, T, E), (B, T, S)
        # The product with the vocabulary is the largest of all, so padding is left out of it.
        target_mask = length_mask(target_lengths, target_ids.shape[1])  # (B, T)
        logits = self.decoder.logits(readouts[target_mask])  # (N, V)
        # A sum over V pieces needs at least float32.
        logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
        targets = target_ids[target_mask]  # (N,)
        loss: Tensor = CrossEntropy.apply(logits, targets, label_smoothing)  # type: ignore[no-untyped-call]
        if gold is None or guided_alignment == 0:
            return loss
        return loss + guided_alignment * alignment_cross_entropy(weights, gold) / len(logits)


def length_mask(lengths: Tensor, longest: int) -> Tensor:
    """Give the mask (B, longest) of padded sequences with these lengths (B,)."""
    return torch.arange(longest, device=lengths.device) < lengths.unsqueeze(1)
