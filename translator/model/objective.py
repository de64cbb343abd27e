"""What training differentiates: a model's loss on a batch, computed the fastest way that the device has."""

from __future__ import annotations

import contextlib
from contextlib import AbstractContextManager

import torch
from torch import Tensor, nn

from translator.model.encoder_decoder import Model
from translator.model.mixed_precision import LARGE, has_bfloat16, products_in


class Objective(nn.Module):
    """A model with the loss that it is to make small: what is differentiated."""

    def __init__(self, model: Model, smoothing: float, guidance: float) -> None:
        super().__init__()
        self.model, self.smoothing, self.guidance = model, smoothing, guidance

    def forward(
        self,
        source_ids: Tensor,
        source_lengths: Tensor,
        previous_ids: Tensor,
        target_ids: Tensor,
        target_lengths: Tensor,
        gold: Tensor,
    ) -> Tensor:
        """`Model.loss` of the arrays of a `Batch`; on the CPU by the quick loops, and with products in bfloat16 where that is worth it."""
        with self._quickly(source_ids.device.type):
            return self.model.loss(
                source_ids,
                source_lengths,
                previous_ids,
                target_ids,
                target_lengths,
                self.smoothing,
                gold,
                self.guidance,
            )

    def _quickly(self, device: str) -> AbstractContextManager[None]:
        if device == "cuda":
            return torch.autocast(device, torch.bfloat16)
        if device != "cpu":
            return contextlib.nullcontext()
        rounds = self.model.config.hidden_size >= LARGE and has_bfloat16()
        return products_in(
            torch.bfloat16 if rounds else self.model.decoder.output_bias.dtype, self.model
        )
