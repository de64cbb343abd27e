"""What training minimizes: a model's loss on a batch, computed as fast as the device allows."""

from __future__ import annotations

import contextlib
from contextlib import AbstractContextManager

import torch
from torch import Tensor, nn

from translator.model.encoder_decoder import Model
from translator.model.mixed_precision import MIN_BFLOAT16_HIDDEN_SIZE, compute_in, has_bfloat16


class Objective(nn.Module):
    """A model together with its loss, so that both can be wrapped and differentiated as one."""

    def __init__(self, model: Model, label_smoothing: float, guided_alignment: float) -> None:
        super().__init__()
        self.model = model
        self.label_smoothing = label_smoothing
        self.guided_alignment = guided_alignment

    def forward(
        self,
        source_ids: Tensor,
        source_lengths: Tensor,
        previous_ids: Tensor,
        target_ids: Tensor,
        target_lengths: Tensor,
        gold: Tensor,
    ) -> Tensor:
        """Give `Model.loss` of a `Batch`'s arrays."""
        with self._fast_mode(source_ids.device.type):
            return self.model.loss(
                source_ids,
                source_lengths,
                previous_ids,
                target_ids,
                target_lengths,
                self.label_smoothing,
                gold,
                self.guided_alignment,
            )

    def _fast_mode(self, device: str) -> AbstractContextManager[None]:
        """On a CPU use the fast loops, with bfloat16 products where they pay; on a GPU autocast."""
        if device == "cuda":
            return torch.autocast(device, torch.bfloat16)
        if device != "cpu":
            return contextlib.nullcontext()
        is_large = self.model.config.hidden_size >= MIN_BFLOAT16_HIDDEN_SIZE
        own_type = self.model.decoder.output_bias.dtype
        return compute_in(torch.bfloat16 if is_large and has_bfloat16() else own_type, self.model)
