"""What a training has for itself: the files that it writes, and among the processes that `torchrun` starts, the word."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import typer

from translator.errors import TranslatorError
from translator.files import held, remove_leftovers

LONGEST_NAME = 255  # bytes, on most file systems
TELLING = 10  # seconds that the first process has to tell an error


def check_place(path: Path, *, resume: bool, force: bool) -> None:
    """Refuse early what can't be saved or must not be replaced."""
    from translator.storage.checkpoint import training_state_path

    if path.suffix != ".safetensors" or path.name.endswith(".training.safetensors"):
        hint = "give a file name that ends in .safetensors, and not in .training.safetensors"
        raise TranslatorError(f"{path} isn't a name for a checkpoint", hint=hint)
    state = training_state_path(path)
    if len(os.fsencode(state.name)) + len("..12345678.tmp") > LONGEST_NAME:
        raise TranslatorError(
            f"{path.name[:40]}… is too long a name", hint="choose a shorter one for --checkpoint"
        )
    for name in (path, state):
        if name.is_dir():
            raise TranslatorError(f"{name} is a folder", hint="choose another --checkpoint")
    if path.exists() and not resume and not force:
        hint = "--resume goes on with its training, --force replaces it, --checkpoint names another"
        raise TranslatorError(f"there is a checkpoint {path} already", hint=hint)
    folder = next(
        folder for folder in path.absolute().parents if folder.exists()
    )  # the rest is made when there is something to save
    if not folder.is_dir():
        raise TranslatorError(
            f"can't make the folder {path.parent}: there is a file {folder}",
            hint="choose another --checkpoint",
        )
    if not os.access(folder, os.W_OK):
        raise TranslatorError(
            f"can't write into the folder {folder}", hint="choose another --checkpoint"
        )


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep a second training off this checkpoint; of several processes that `torchrun` has started only the first one writes."""
    from translator.storage.checkpoint import training_state_path

    if os.environ.get("RANK", "0") != "0":
        yield
        return
    with held(path) as is_free:
        if not is_free:
            raise TranslatorError(
                f"another training is writing {path}",
                hint="wait until it ends, or choose another --checkpoint",
            )
        remove_leftovers(path, training_state_path(path))
        yield


@contextlib.contextmanager
def said_once() -> Iterator[None]:
    """Of several processes that `torchrun` has started, let only the first speak.

    All of a machine meet the same errors, so its first tells them; but that another process is gone is told by whoever is left.
    """
    if os.environ.get("WORLD_SIZE", "1") == "1" or os.environ.get("RANK") == "0":
        yield
        return
    try:
        with (
            open(os.devnull, "w") as nowhere,
            contextlib.redirect_stdout(nowhere),
            contextlib.redirect_stderr(nowhere),
        ):
            yield
    except TranslatorError as error:
        from translator.training.distributed import ProcessGoneError

        if isinstance(error, ProcessGoneError) or os.environ.get("LOCAL_RANK") == "0":
            raise
        time.sleep(
            TELLING
        )  # subtle: torchrun ends all when one ends, and the first must have told it by then
        raise typer.Exit(1) from error
