"""The files that a training writes: whether they may be written, and a lock on them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from translator.errors import TranslatorError
from translator.files import held, remove_leftovers

LONGEST_NAME = 255  # bytes, on most file systems
TEMPORARY_EXTRA = len("..12345678.tmp")  # bytes that a temporary file's name has in addition
ANOTHER = "choose another --checkpoint"


def check_checkpoint_path(path: Path, *, resume: bool, force: bool) -> None:
    """Raise `TranslatorError` if a checkpoint can't be saved here or mustn't be replaced."""
    from translator.storage.checkpoint import training_state_path

    if path.suffix != ".safetensors" or path.name.endswith(".training.safetensors"):
        hint = "give a file name that ends in .safetensors, but not in .training.safetensors"
        raise TranslatorError(f"{path} isn't a name for a checkpoint", hint=hint)
    state = training_state_path(path)
    if len(os.fsencode(state.name)) + TEMPORARY_EXTRA > LONGEST_NAME:
        hint = "choose a shorter one for --checkpoint"
        raise TranslatorError(f"{path.name[:40]}… is too long a name", hint=hint)
    for file in (path, state):
        if file.is_dir():
            raise TranslatorError(f"{file} is a folder", hint=ANOTHER)
    if path.exists() and not resume and not force:
        hint = "use --resume to continue its training, --force to replace it, or --checkpoint"
        raise TranslatorError(f"there is a checkpoint {path} already", hint=hint)
    _check_folder(path)


def _check_folder(path: Path) -> None:
    """Check the nearest folder that exists; the ones below are made when the model is saved."""
    folder = next(folder for folder in path.absolute().parents if folder.exists())
    if not folder.is_dir():
        message = f"can't make the folder {path.parent}: there is a file {folder}"
        raise TranslatorError(message, hint=ANOTHER)
    if not os.access(folder, os.W_OK):
        raise TranslatorError(f"can't write into the folder {folder}", hint=ANOTHER)


@contextlib.contextmanager
def lock_checkpoint(path: Path) -> Iterator[None]:
    """Keep other trainings from writing this checkpoint.

    Of the processes that `torchrun` starts, only rank 0 writes, so only rank 0 locks.
    """
    from translator.storage.checkpoint import training_state_path

    if os.environ.get("RANK", "0") != "0":
        yield
        return
    with held(path) as is_free:
        if not is_free:
            hint = f"wait until it ends, or {ANOTHER}"
            raise TranslatorError(f"another training is writing {path}", hint=hint)
        remove_leftovers(path, training_state_path(path))
        yield
