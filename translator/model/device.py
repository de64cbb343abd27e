"""The device that a network is trained on."""

from __future__ import annotations

import torch

from translator.errors import TranslatorError


def find_device(name: str) -> torch.device:
    """The device of this name, or for `auto` the fastest there is."""
    found = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if name == "auto":
        return torch.device(next(kind for kind, there in found.items() if there))
    if not found.get(name, False):
        there = ", ".join(kind for kind, is_there in found.items() if is_there)
        raise TranslatorError(
            f"there is no device {name!r} here", hint=f"choose auto or one of {there}"
        )
    return torch.device(name)
