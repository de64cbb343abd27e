"""`attn-translate train`: learn from sentence pairs."""

from __future__ import annotations

import contextlib
import shlex
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from translator.cli import train_options as options
from translator.cli.checkpoint_lock import check_checkpoint_path, lock_checkpoint
from translator.cli.terminal import ignore_signals, note
from translator.cli.torchrun import silence_other_ranks
from translator.cli.training_corpus import read_training_corpus
from translator.cli.training_setup import (
    check_options,
    check_plot,
    resume_training,
    start_training,
)
from translator.errors import TranslatorError

if TYPE_CHECKING:
    from translator.training.training import Training


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("train")(train)


def train(
    corpus: options.Corpus = None,
    source: options.Source = None,
    target: options.Target = None,
    dev: options.Dev = None,
    checkpoint: options.Checkpoint = None,
    attention: options.Attention = None,
    batch_size: options.BatchSize = None,
    learning_rate: options.LearningRate = None,
    dropout: options.Dropout = None,
    label_smoothing: options.LabelSmoothing = None,
    guided_alignment: options.GuidedAlignment = None,
    embedding_size: options.EmbeddingSize = None,
    hidden_size: options.HiddenSize = None,
    vocabulary_size: options.VocabularySize = None,
    seed: options.Seed = None,
    threads: options.Threads = None,
    device: options.Device = None,
    epochs: options.Epochs = None,
    minutes: options.Minutes = None,
    reverse: options.Reverse = False,
    resume: options.Resume = False,
    force: options.Force = False,
    plot: options.Plot = None,
    verbose: options.Verbose = False,
) -> None:
    """Learn a translator from sentence pairs, and watch it learn."""
    began = time.perf_counter()
    shape = {"attention": attention, "embedding_size": embedding_size, "hidden_size": hidden_size}
    learning = {
        "batch_size": batch_size,
        "learning_rate": learning_rate,
        "dropout": dropout,
        "word_dropout": 0.0 if dropout == 0 else None,  # --dropout 0 turns off both kinds
        "label_smoothing": label_smoothing,
        "guided_alignment": guided_alignment,
        "source_vocabulary": vocabulary_size,
        "target_vocabulary": vocabulary_size,
        "seed": seed,
        "threads": threads,
        "device": device,
        "epochs": epochs,
        "minutes": minutes,
    }
    with silence_other_ranks():
        check_options(learning, shape, resume=resume, force=force)
        check_plot(plot)
        with _explain_interruption():
            data = read_training_corpus(corpus, source, target, dev, reverse=reverse)
        path = checkpoint or Path("checkpoints") / f"{data.name}.safetensors"
        check_checkpoint_path(path, resume=resume, force=force)
        with lock_checkpoint(path):
            with _explain_interruption():
                begin = resume_training if resume else partial(start_training, verbose=verbose)
                training = begin(data.task(path), learning, shape)
            training.began = began  # --minutes includes reading and the vocabulary
            _run(training, plot)


@contextlib.contextmanager
def _explain_interruption() -> Iterator[None]:
    """Print that nothing was saved, if Ctrl-C or SIGTERM comes before learning begins."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        ignore_signals()
        note("interrupted before learning began: nothing was saved or changed")
        raise


def _run(training: Training, plot: Path | None) -> None:
    """Train and show each epoch, then the summary and a command to try the model."""
    from translator.cli.progress import Progress
    from translator.cli.summary import show_summary

    task = training.task
    try:
        with Progress(training, plot) as progress:
            for epoch in training:
                progress.show(epoch)
    except TranslatorError as error:
        if _can_resume(training) and "--resume" not in error.hint:
            error.hint += "; continue with --resume"
        raise
    except (KeyboardInterrupt, SystemExit):  # Ctrl-C, SIGTERM
        ignore_signals()
        note(_what_was_saved(training))
        raise
    if training.group.rank > 0:
        return
    show_summary(training, progress.epochs)
    separator = ["--"] if task.sample_source.startswith("-") else []
    command = ["attn-translate", "translate", "--checkpoint", str(task.path)]
    print(shlex.join([*command, *separator, task.sample_source]))


def _can_resume(training: Training) -> bool:
    """Return whether this training has saved a checkpoint and the state for `--resume`."""
    from translator.storage.checkpoint import training_state_path

    return bool(training.best_epoch) and training_state_path(training.task.path).exists()


def _what_was_saved(training: Training) -> str:
    """Give the message for an interrupted training."""
    path, epoch = training.task.path, training.best_epoch
    if not epoch:
        return "interrupted before the first epoch was done: nothing was saved"
    if _can_resume(training):
        best = f"{path} holds the best model so far, of epoch {epoch}"
        return f"interrupted: {best}; continue with --resume"
    return f"interrupted: {path} holds the model of epoch {epoch}, but not what --resume needs"
