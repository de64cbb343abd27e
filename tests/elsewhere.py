"""A fake device for tests: its tensors claim to be elsewhere, but their numbers are in CPU memory.

As on a GPU, an operation accepts tensors of one device only, and numpy accepts none of this one. So
it finds the tensors that a program forgot to move.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

ELSEWHERE = torch.device("meta")  # torch's own device without numbers, which nothing else here uses
# Operations that may take tensors of two devices.
CROSSING = (torch.ops.aten.copy_.default, torch.ops.aten._to_copy.default)


class There(Tensor):
    """A tensor on the fake device; `numbers` is its content."""

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
        """Return the content as lists, which torch refuses for tensor subclasses."""
        return self.numbers.tolist()


class Elsewhere(TorchDispatchMode):
    """A context in which tensors can be created on the fake device."""

    def __torch_dispatch__(
        self, operation: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return carry_out(operation, args, kwargs or {})


def carry_out(operation: Any, args: Any, kwargs: Any) -> Any:
    """Carry out an operation on the CPU, and put its result on the right device.

    Raises `RuntimeError` where a GPU would.
    """
    tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)]
    there = [tensor for tensor in tensors if isinstance(tensor, There)]
    if operation not in CROSSING and 0 < len(there) < len(tensors):
        on_cpu = f"{len(tensors) - len(there)} of its {len(tensors)} tensors"
        raise RuntimeError(f"{operation} got {on_cpu} on the CPU")
    result = operation(*tree_map(_here, args), **tree_map(_here, kwargs))
    device = kwargs.get("device")
    first_is_there = isinstance(next(iter(tensors), None), There)
    if not (device == ELSEWHERE if device is not None else first_is_there):
        return result
    # An operation in place must return the same tensor, not a new one.
    known = {id(tensor.numbers): tensor for tensor in there}

    def move(leaf: Any) -> Any:
        if not isinstance(leaf, Tensor):
            return leaf
        return known[id(leaf)] if id(leaf) in known else There(leaf)

    return tree_map(move, result)


def _here(leaf: Any) -> Any:
    """Return the CPU's counterpart of a tensor or a device."""
    if isinstance(leaf, There):
        return leaf.numbers
    return torch.device("cpu") if isinstance(leaf, torch.device) and leaf == ELSEWHERE else leaf
