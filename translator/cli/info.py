"""`attn-translate info`: which checkpoint is used, and what is in it."""

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
    """Show which checkpoint is used, and what is in it."""
    from translator.inference.translator import find_checkpoint
    from translator.storage.checkpoint import Checkpoint

    path = find_checkpoint(checkpoint)
    record = _describe_safely(path, Checkpoint.load(path))
    facts = {
        "checkpoint": f"{path} ({path.stat().st_size / 1e6:.1f} MB)",
        "chosen by": _how_chosen(checkpoint, path),
        **record,
    }
    for name, text in facts.items():
        print(f"{name:<12} {printable(text)}")


def _how_chosen(argument: Path | None, path: Path) -> str:
    from translator.inference.translator import ENVIRONMENT_VARIABLE, LOCAL_CHECKPOINT

    if argument is not None:
        return "the command line"
    if os.environ.get(ENVIRONMENT_VARIABLE):
        return f"${ENVIRONMENT_VARIABLE}"
    if path == LOCAL_CHECKPOINT:
        return "default, in this folder"
    return "default, shipped with the program"


def _describe_safely(path: Path, checkpoint: Checkpoint) -> dict[str, str]:
    """Describe a checkpoint. Raises `TranslatorError` if its record has the wrong types."""
    try:
        return _describe(checkpoint)
    except (AttributeError, TypeError, ValueError, OverflowError, RecursionError) as error:
        hint = "copy the file again, or train again"
        raise TranslatorError(f"{path} is damaged", hint=hint) from error


def _describe(checkpoint: Checkpoint) -> dict[str, str]:
    config, record = checkpoint.config, checkpoint.record
    parameters = sum(math.prod(shape) for shape in config.parameter_shapes().values())
    sizes = f"embedding {config.embedding_size}, hidden {config.hidden_size}"
    digest = str(record.get("digest"))[:12]
    corpus = f"{record.get('pairs', 0):,} pairs, SHA-256 {digest}…"
    seed = record.get("settings", {}).get("seed")
    duration = f"{record.get('epochs')} epochs, {record.get('seconds', 0):,.0f} s"
    dev = record.get("dev", {})
    exact = f"{dev.get('exact', 0):.1%} of {dev.get('sentences', 0):,}"
    versions = [f"{name} {number}" for name, number in record.get("versions", {}).items()]
    return {
        "attention": config.attention,
        "parameters": f"{parameters:,} ({sizes})",
        "pieces": f"source {config.source_vocabulary:,}, target {config.target_vocabulary:,}",
        "words seen": f"{len(checkpoint.words):,}",
        "corpus": f"{record.get('corpus')} ({corpus})",
        "direction": "target → source (--reverse)" if record.get("reverse") else "source → target",
        "training": f"{duration}, seed {seed}",
        "dev scores": f"chrF {dev.get('chrf', 0):.2f}, exactly right {exact}",
        "made with": ", ".join(versions),
    }
