"""`attn-translate info`: which checkpoint is used and what it is."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from translator.errors import TranslatorError
from translator.printable import printable

if TYPE_CHECKING:
    from translator.storage.checkpoint import Checkpoint


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("info")(info)


def info(
    checkpoint: Annotated[
        Path | None, typer.Argument(help="The checkpoint.", show_default="the one that is used")
    ] = None,
) -> None:
    """Tell which checkpoint is used and what it is."""
    from translator.inference.translator import find_checkpoint
    from translator.storage.checkpoint import Checkpoint

    path = find_checkpoint(checkpoint)
    known = _facts(path, Checkpoint.load(path))
    facts = {
        "checkpoint": f"{path} ({path.stat().st_size / 1e6:.1f} MB)",
        "chosen by": _reason(checkpoint, path),
        **known,
    }
    for name, text in facts.items():
        print(f"{name:<12} {printable(text)}")


def _reason(given: Path | None, path: Path) -> str:
    from translator.inference.translator import ENVIRONMENT_VARIABLE, LOCAL_CHECKPOINT

    if given is not None:
        return "the command line"
    if os.environ.get(ENVIRONMENT_VARIABLE):
        return f"${ENVIRONMENT_VARIABLE}"
    return (
        "lying below this folder"
        if path == LOCAL_CHECKPOINT
        else "default, shipped with the program"
    )


def _facts(path: Path, checkpoint: Checkpoint) -> dict[str, str]:
    """What stands in a checkpoint, in words. Raises `TranslatorError` if its record isn't one of ours."""
    try:
        return _described(checkpoint)
    except (AttributeError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise TranslatorError(
            f"{path} is damaged", hint="copy the file again, or train again"
        ) from error


def _described(checkpoint: Checkpoint) -> dict[str, str]:
    config, record = checkpoint.config, checkpoint.record
    count = sum(math.prod(shape) for shape in config.parameter_shapes().values())
    dev = record.get("dev", {})
    versions = ", ".join(f"{name} {number}" for name, number in record.get("versions", {}).items())
    return {
        "attention": config.attention,
        "parameters": f"{count:,} (embedding {config.embedding_size}, hidden {config.hidden_size})",
        "pieces": f"source {config.source_vocabulary:,}, target {config.target_vocabulary:,}",
        "words seen": f"{len(checkpoint.words):,}",
        "corpus": f"{record.get('corpus')} ({record.get('pairs', 0):,} pairs, SHA-256 {str(record.get('digest'))[:12]}…)",
        "training": f"{record.get('epochs')} epochs, {record.get('seconds', 0):,.0f} s, seed {record.get('settings', {}).get('seed')}",
        "dev scores": f"chrF {dev.get('chrf', 0):.2f}, exactly right {dev.get('exact', 0):.1%} of {dev.get('sentences', 0):,}",
        "made with": versions,
    }
