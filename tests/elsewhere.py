"""A device that no machine needs to have: its tensors say that they are elsewhere, while their numbers lie in the CPU's memory.

As on a GPU, an operation takes tensors of one device only, and numpy takes none of this one: so what a program forgot to move, it tells.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

ELSEWHERE = torch.device("meta")  # torch's own device without numbers, which nothing else here uses
CROSSING = (
    torch.ops.aten.copy_.default,
    torch.ops.aten._to_copy.default,
)  # may take tensors of two devices


class There(Tensor):
    """A tensor elsewhere; `numbers` has what is in it."""

    numbers: Tensor

    @staticmethod
    def __new__(cls, numbers: Tensor) -> There:
        there: There = Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
            cls, numbers.shape, strides=numbers.stride(), dtype=numbers.dtype, device=ELSEWHERE
        )
        there.numbers = numbers
        return there

    @classmethod
    def __torch_dispatch__(
        cls, operation: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return carry_out(operation, args, kwargs or {})

    def tolist(self) -> Any:
        """What torch refuses for all kinds of tensors that aren't its own."""
        return self.numbers.tolist()


class Elsewhere(TorchDispatchMode):
    """In here, tensors can be made on the device."""

    def __torch_dispatch__(
        self, operation: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return carry_out(operation, args, kwargs or {})


def carry_out(operation: Any, args: Any, kwargs: Any) -> Any:
    """An operation on the CPU, and its result where it belongs. Raises `RuntimeError` where a GPU would."""
    tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)]
    there = [tensor for tensor in tensors if isinstance(tensor, There)]
    if operation not in CROSSING and 0 < len(there) < len(tensors):
        raise RuntimeError(
            f"{operation} got {len(tensors) - len(there)} of its {len(tensors)} tensors on the CPU"
        )
    result = operation(*tree_map(_here, args), **tree_map(_here, kwargs))
    to = kwargs.get("device")
    if to != ELSEWHERE if to is not None else not isinstance(next(iter(tensors), None), There):
        return result
    known = {
        id(tensor.numbers): tensor for tensor in there
    }  # what changes in place stays the same tensor
    return tree_map(
        lambda leaf: (
            (known[id(leaf)] if id(leaf) in known else There(leaf))
            if isinstance(leaf, Tensor)
            else leaf
        ),
        result,
    )


def _here(leaf: Any) -> Any:
    if isinstance(leaf, There):
        return leaf.numbers
    return torch.device("cpu") if isinstance(leaf, torch.device) and leaf == ELSEWHERE else leaf
