"""The device that a network is trained on."""

from __future__ import annotations

import torch

from translator.errors import TranslatorError


def find_device(name: str) -> torch.device:
    """Return the device with this name; `auto` is the fastest one available.

    Raises `TranslatorError` if there is no such device.
    """
    is_available = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    available = [kind for kind, found in is_available.items() if found]
    if name == "auto":
        return torch.device(available[0])
    if name not in available:
        raise TranslatorError(
            f"there is no device {name!r} here",
            hint=f"choose auto or one of {', '.join(available)}",
        )
    return torch.device(name)
