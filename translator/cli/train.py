"""`attn-translate train`: learn from sentence pairs."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from translator.cli.checkpoint_lock import alone, check_place, said_once
from translator.cli.terminal import heed_no_more, note
from translator.errors import TranslatorError
from translator.settings import ATTENTIONS, ModelConfig, TrainingConfig, bundled

if TYPE_CHECKING:
    from translator.text.corpus import SentencePair
    from translator.training.training import Task, Training

BUNDLED_CORPUS = "data/eng-kor.train.tsv"
BY_SIZE = (
    "batch_size",
    "learning_rate",
    "weight_decay",
    "dropout",
    "word_dropout",
    "subword_sampling",
    "label_smoothing",
    "threads",
)
BUNDLED_DEV = "data/eng-kor.dev.tsv"


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("train")(train)


def train(  # one parameter for each option
    corpus: Annotated[
        Path | None,
        typer.Argument(
            help="TSV: source, tab, target.", show_default="the bundled English–Korean corpus"
        ),
    ] = None,
    source: Annotated[
        Path | None, typer.Option(help="Source lines; with --target, instead of a TSV.")
    ] = None,
    target: Annotated[Path | None, typer.Option(help="Target lines, paired by number.")] = None,
    dev: Annotated[
        Path | None,
        typer.Option(
            help="Dev set (TSV).", show_default="5 % of the corpus, by a hash of the source"
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="Where to save.", show_default="checkpoints/<corpus>.safetensors"),
    ] = None,
    attention: Annotated[
        str | None,
        typer.Option(
            help=", ".join(ATTENTIONS), show_default="scaled-dot", autocompletion=lambda: ATTENTIONS
        ),
    ] = None,
    batch_size: Annotated[
        int | None, typer.Option(help="Sentences a step.", show_default="by corpus size")
    ] = None,
    learning_rate: Annotated[
        float | None, typer.Option(help="AdamW's peak.", show_default="by corpus size")
    ] = None,
    dropout: Annotated[
        float | None,
        typer.Option(help="Share of numbers dropped in training.", show_default="by corpus size"),
    ] = None,
    label_smoothing: Annotated[
        float | None,
        typer.Option(help="Probability spread over all pieces.", show_default="by corpus size"),
    ] = None,
    guided_alignment: Annotated[
        float | None,
        typer.Option(help="Weight of the gold alignments in the loss.", show_default="0"),
    ] = None,
    embedding_size: Annotated[
        int | None, typer.Option(help="Numbers in a piece's vector.", show_default="128")
    ] = None,
    hidden_size: Annotated[
        int | None, typer.Option(help="Numbers in a state.", show_default="128")
    ] = None,
    vocabulary_size: Annotated[
        int | None, typer.Option(help="Most pieces a side.", show_default="by corpus size")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Of everything random.", show_default="1")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="Processor cores to use.", show_default="by corpus size")
    ] = None,
    device: Annotated[
        str | None, typer.Option(help="auto, cpu, cuda or mps.", show_default="cpu")
    ] = None,
    epochs: Annotated[
        int | None,
        typer.Option(
            help="Run this many, in full.", show_default="by corpus size, with early stopping"
        ),
    ] = None,
    minutes: Annotated[float | None, typer.Option(help="Run this long, in full.")] = None,
    reverse: Annotated[bool, typer.Option("--reverse", help="Learn target → source.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a training that was stopped.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing checkpoint.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw loss and dev scores of this run into this SVG file.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Show SentencePiece's own messages.")
    ] = False,
) -> None:
    """Learn a translator from sentence pairs, and watch it learn."""
    learning = {
        "batch_size": batch_size,
        "learning_rate": learning_rate,
        "dropout": dropout,
        "word_dropout": 0.0 if dropout == 0 else None,  # none means none of any kind
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
    shape = {"attention": attention, "embedding_size": embedding_size, "hidden_size": hidden_size}
    with said_once():
        _check_plans(epochs, minutes, resume, force)
        _check(learning, shape)
        if plot is not None and (plot.suffix != ".svg" or not plot.absolute().parent.is_dir()):
            raise TranslatorError(
                f"can't draw into {plot}",
                hint="give a file name that ends in .svg, in a folder that exists",
            )
        pairs, dev_pairs, stem = _read_pairs(corpus, source, target, dev, reverse=reverse)
        path = checkpoint or Path("checkpoints") / f"{stem}.safetensors"
        check_place(path, resume=resume, force=force)
        with alone(path):
            task = _task(pairs, dev_pairs, path, stem)
            training = (
                _resumed(task, learning, shape)
                if resume
                else _begun(task, learning, shape, verbose=verbose)
            )
            _run(training, plot)


def _check_plans(epochs: int | None, minutes: float | None, resume: bool, force: bool) -> None:
    if epochs is not None and minutes is not None:
        raise TranslatorError("--epochs and --minutes are two plans", hint="give one of them")
    if resume and force:
        raise TranslatorError("--resume and --force are two plans", hint="give one of them")


def _check(learning: dict[str, Any], shape: dict[str, Any]) -> None:
    """Refuse wrong values before the corpus is read."""
    TrainingConfig(**{name: value for name, value in learning.items() if value is not None})
    ModelConfig(5, 5, **{name: value for name, value in shape.items() if value is not None})
    if learning["threads"] not in (None, 1) and os.environ.get("WORLD_SIZE", "1") != "1":
        raise TranslatorError(
            "torchrun starts a process for each core",
            hint="leave --threads out, or change torchrun's --nproc-per-node",
        )
    if shape["attention"] == "none" and learning["guided_alignment"]:
        raise TranslatorError(
            "attention none has no weights to guide",
            hint="leave out --guided-alignment, or choose another --attention",
        )
    if learning["device"] not in (None, "cpu"):
        from translator.model.device import find_device

        find_device(learning["device"])


def _read_pairs(
    corpus: Path | None,
    source: Path | None,
    target: Path | None,
    dev: Path | None,
    *,
    reverse: bool = False,
) -> tuple[list[SentencePair], list[SentencePair], str]:
    """The training pairs, the dev pairs, and what the corpus is called."""
    from translator.text.corpus import hold_out, read_corpus, read_parallel
    from translator.text.corpus import reverse as turned

    if (source is None) != (target is None) or (source is not None and corpus is not None):
        raise TranslatorError(
            "a corpus is one TSV file, or --source and --target", hint="give one or the other"
        )
    if source is not None and target is not None:
        pairs, report = read_parallel(source, target)
        stem = source.stem
    else:
        path = corpus or bundled(BUNDLED_CORPUS)
        pairs, report = read_corpus(path)
        stem = "eng-kor" if corpus is None else path.stem
    note(str(report))
    if reverse:  # before the hold-out, which must not share a source with the rest
        pairs, stem = turned(pairs), f"{stem}-reverse"
    if dev is None and (corpus is not None or source is not None):
        pairs, dev_pairs = hold_out(pairs)
        note(f"dev set: {len(dev_pairs):,} pairs held out by a hash of their source")
        return pairs, dev_pairs, stem
    dev_pairs, report = read_corpus(dev or bundled(BUNDLED_DEV))
    note(str(report))
    return pairs, turned(dev_pairs) if reverse else dev_pairs, stem


def _task(
    pairs: Sequence[SentencePair], dev: Sequence[SentencePair], path: Path, stem: str
) -> Task:
    from translator.text.normalization import fold
    from translator.training.training import SAMPLE_SOURCE, Task

    wanted = fold(SAMPLE_SOURCE)
    is_known = any(fold(pair.source).rstrip(".!") == wanted for pair in pairs)
    return Task(pairs, dev, path, stem, SAMPLE_SOURCE if is_known else dev[0].source)


def _begun(
    task: Task, learning: dict[str, Any], shape: dict[str, Any], *, verbose: bool
) -> Training:
    """A new training, with what it was decided to be told."""
    from translator.training.training import Training

    settings = _planned(TrainingConfig.for_corpus(len(task.pairs), **learning), learning)
    source, target = task.tokenizers(settings, verbose=verbose)
    config = ModelConfig(
        len(source),
        len(target),
        **{name: value for name, value in shape.items() if value is not None},
    )
    training = Training(task, config, settings, (source, target))
    for side, asked, tokenizer, encoded, lines in (
        (
            "source",
            settings.source_vocabulary,
            source,
            training.encoded.source,
            [pair.source for pair in task.pairs],
        ),
        (
            "target",
            settings.target_vocabulary,
            target,
            training.encoded.target,
            [pair.target for pair in task.pairs],
        ),
    ):
        words = sum(len(line.split()) for line in lines)
        supports = (
            ""
            if len(tokenizer) == asked
            else f" (asked for {asked:,}; {_why(len(tokenizer), asked)})"
        )
        note(
            f"{side}: {len(tokenizer):,} pieces{supports}, {(len(encoded.ids) - len(lines)) / words:.2f} a word"
        )
    plan = f"{settings.epochs} epochs" if settings.minutes is None else f"{settings.minutes:g} min"
    chosen = "".join(f", {name.replace('_', ' ')} {getattr(settings, name):g}" for name in BY_SIZE)
    note(
        f"settings for {len(task.pairs):,} pairs: {plan}{chosen}; attention {config.attention}, hidden size {config.hidden_size}"
    )
    return training


def _why(obtained: int, asked: int) -> str:
    return "this corpus supports no more" if obtained < asked else "each character needs a piece"


def _planned(settings: TrainingConfig, learning: dict[str, Any]) -> TrainingConfig:
    """A plan that was asked for is run in full."""
    from dataclasses import replace

    asked = learning["epochs"] is not None or learning["minutes"] is not None
    return replace(settings, patience=None) if asked else settings


def _resumed(task: Task, learning: dict[str, Any], shape: dict[str, Any]) -> Training:
    """The training to go on with. Raises `TranslatorError` for a change that can't be made half-way."""
    from translator.training.training import Training

    fixed = {**shape, "vocabulary_size": learning.pop("source_vocabulary")}
    del learning["target_vocabulary"]
    training, changes = Training.resume(task, **learning)
    kept = {
        **{name: getattr(training.config, name) for name in shape},
        "vocabulary_size": training.settings.source_vocabulary,
    }
    for name, value in fixed.items():
        if value is not None and value != kept[name]:
            message = f"{name.replace('_', ' ')} was {kept[name]} and can't become {value} half-way"
            raise TranslatorError(message, hint="leave the option out, or train anew with --force")
    note(f"going on after epoch {training.epoch}" + "".join(f"; {change}" for change in changes))
    if training.is_over:
        raise TranslatorError(
            "this training is done", hint=f"give more --epochs than {training.epoch:g} to go on"
        )
    return training


def _run(training: Training, plot: Path | None) -> None:
    """Draw the epochs as they come, and close with what was made."""
    from translator.cli.progress import Progress
    from translator.cli.summary import show_summary
    from translator.storage.checkpoint import training_state_path

    path = training.task.path
    try:
        with Progress(training, plot) as progress:
            for epoch in training:
                progress.show(epoch)
    except TranslatorError as error:
        if (
            training.best_epoch
            and training_state_path(path).exists()
            and "--resume" not in error.hint
        ):
            error.hint += "; go on with --resume"
        raise
    except (KeyboardInterrupt, SystemExit):  # Ctrl-C, SIGTERM
        heed_no_more()
        if not training.best_epoch:
            note("interrupted before the first epoch was done: nothing was saved")
        elif training_state_path(path).exists():
            note(
                f"interrupted: {path} holds the best model so far, of epoch {training.best_epoch}; go on with --resume"
            )
        else:
            note(
                f"interrupted: {path} holds the model of epoch {training.best_epoch}, but not what --resume needs"
            )
        raise
    if training.group.rank > 0:
        return
    show_summary(training, progress.epochs)
    words = ["--"] * training.task.sample_source.startswith("-") + [training.task.sample_source]
    print(shlex.join(["attn-translate", "translate", "--checkpoint", str(path), *words]))
