"""From the options of `train` to a `Training`: checks the values, and starts or resumes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from translator.cli.terminal import note
from translator.errors import TranslatorError
from translator.printable import counted
from translator.settings import ModelConfig, TrainingConfig

if TYPE_CHECKING:
    from translator.text.tokenizer import Tokenizer
    from translator.training.task import Task
    from translator.training.training import Training

# The values of options by the name of the setting. None: the option wasn't given.
Options = dict[str, Any]

# The settings that depend on the corpus size, so the user should see what was chosen.
SHOWN_SETTINGS = (
    "batch_size",
    "learning_rate",
    "weight_decay",
    "dropout",
    "word_dropout",
    "subword_sampling",
    "label_smoothing",
    "threads",
)


def check_options(learning: Options, shape: Options, *, resume: bool, force: bool) -> None:
    """Raise `TranslatorError` for wrong values, before the corpus is read."""
    if learning["epochs"] is not None and learning["minutes"] is not None:
        message = "--epochs and --minutes exclude each other"
        raise TranslatorError(message, hint="give one of them")
    if resume and force:
        message = "--resume and --force exclude each other"
        raise TranslatorError(message, hint="give one of them")
    TrainingConfig(**_given(learning))
    ModelConfig(5, 5, **_given(shape))
    if learning["threads"] not in (None, 1) and os.environ.get("WORLD_SIZE", "1") != "1":
        hint = "leave --threads out, or change torchrun's --nproc-per-node"
        raise TranslatorError("torchrun starts a process for each core", hint=hint)
    if shape["attention"] == "none" and learning["guided_alignment"]:
        hint = "leave out --guided-alignment, or choose another --attention"
        raise TranslatorError("attention none has no weights to guide", hint=hint)
    if learning["device"] not in (None, "cpu"):
        from translator.model.device import find_device

        find_device(learning["device"])


def check_plot(plot: Path | None) -> None:
    """Raise `TranslatorError` if the learning curve can't be drawn into this file."""
    if plot is not None and (plot.suffix != ".svg" or not plot.absolute().parent.is_dir()):
        hint = "give a file name that ends in .svg, in a folder that exists"
        raise TranslatorError(f"can't draw into {plot}", hint=hint)


def _given(options: Options) -> Options:
    return {name: value for name, value in options.items() if value is not None}


def start_training(task: Task, learning: Options, shape: Options, *, verbose: bool) -> Training:
    """Start a new training, and print its vocabularies and settings."""
    from translator.training.training import Training

    settings = TrainingConfig.for_corpus(len(task.pairs), **learning)
    if learning["epochs"] is not None or learning["minutes"] is not None:
        settings = replace(settings, patience=None)  # no early stopping
    tokenizers = source, target = task.tokenizers(settings, verbose=verbose)
    config = ModelConfig(len(source), len(target), **_given(shape))
    training = Training(task, config, settings, tokenizers)
    encoded = training.encoded
    source_lines = [pair.source for pair in task.pairs]
    target_lines = [pair.target for pair in task.pairs]
    # Each line has one more id than pieces, the end.
    source_pieces = len(encoded.source.ids) - len(source_lines)
    target_pieces = len(encoded.target.ids) - len(target_lines)
    _note_vocabulary("source", source, settings.source_vocabulary, source_pieces, source_lines)
    _note_vocabulary("target", target, settings.target_vocabulary, target_pieces, target_lines)
    _note_settings(training)
    return training


def _note_vocabulary(
    side: str, tokenizer: Tokenizer, requested: int, pieces: int, lines: Sequence[str]
) -> None:
    """Print a vocabulary's size, why it isn't as requested, and the mean pieces per word."""
    size, words = len(tokenizer), sum(len(line.split()) for line in lines)
    difference = ""
    if size < requested:
        difference = f" (asked for {requested:,}; this corpus supports no more)"
    elif size > requested:
        difference = f" (asked for {requested:,}; each character needs a piece)"
    note(f"{side}: {size:,} pieces{difference}, {pieces / words:.2f} a word")


def _note_settings(training: Training) -> None:
    settings, config = training.settings, training.config
    length = f"{settings.epochs} epochs"
    if settings.minutes is not None:
        length = f"{settings.minutes:g} min"
    chosen = [f"{name.replace('_', ' ')} {getattr(settings, name):g}" for name in SHOWN_SETTINGS]
    model = f"attention {config.attention}, hidden size {config.hidden_size}"
    pairs = counted(len(training.task.pairs), "pair")
    note(f"settings for {pairs}: {', '.join([length, *chosen])}; {model}")


def resume_training(task: Task, learning: Options, shape: Options) -> Training:
    """Resume the training that writes `task.path`.

    Raises `TranslatorError` for a change of what is fixed: the network's shape and the vocabulary.
    """
    from translator.training.training import Training

    requested = {**shape, "vocabulary_size": learning.pop("source_vocabulary")}
    del learning["target_vocabulary"]
    training, changes = Training.resume(task, **learning)
    fixed = {name: getattr(training.config, name) for name in shape}
    fixed["vocabulary_size"] = training.settings.source_vocabulary
    for name, value in requested.items():
        if value not in (None, fixed[name]):
            option = name.replace("_", " ")
            message = f"--resume can't change the {option} from {fixed[name]} to {value}"
            raise TranslatorError(message, hint="leave the option out, or train again with --force")
    note("; ".join([f"resuming after epoch {training.epoch}", *changes]))
    if training.is_over:
        hint = f"give more --epochs than {training.epoch:g} to continue"
        raise TranslatorError("this training is complete", hint=hint)
    return training
