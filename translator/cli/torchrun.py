"""What `torchrun` changes for the command line: several processes run the same command."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator

import typer

from translator.errors import TranslatorError

REPORT_SECONDS = 10  # how long the first process gets to print an error


@contextlib.contextmanager
def silence_other_ranks() -> Iterator[None]:
    """Let only the first process (rank 0) of a training print.

    All processes of one machine have the same errors, so only the first one on each machine prints
    them. But if a process is gone, every other process reports it.
    """
    if os.environ.get("WORLD_SIZE", "1") == "1" or os.environ.get("RANK") == "0":
        yield
        return
    try:
        with (
            open(os.devnull, "w") as null,
            contextlib.redirect_stdout(null),
            contextlib.redirect_stderr(null),
        ):
            yield
    except TranslatorError as error:
        from translator.training.distributed import ProcessGoneError

        if isinstance(error, ProcessGoneError) or os.environ.get("LOCAL_RANK") == "0":
            raise
        # subtle: torchrun ends all processes when one ends, so let the first one print the error
        time.sleep(REPORT_SECONDS)
        raise typer.Exit(1) from error
