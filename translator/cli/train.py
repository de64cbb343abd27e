"""`attn-translate train`: learn from sentence pairs."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from translator.cli.terminal import note
from translator.config import ATTENTIONS, ModelConfig, TrainingConfig, bundled
from translator.errors import TranslatorError
from translator.files import held

if TYPE_CHECKING:
    from translator.corpus import SentencePair
    from translator.training import Task, Training

BUNDLED_CORPUS = "data/eng-kor.train.tsv"
BY_SIZE = ("batch_size", "learning_rate", "weight_decay", "dropout", "word_dropout", "subword_sampling", "label_smoothing", "threads")
BUNDLED_DEV = "data/eng-kor.dev.tsv"


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("train")(train)


def train(  # one parameter for each option
    corpus: Annotated[Path | None, typer.Argument(help="TSV: source, tab, target.", show_default="the bundled English–Korean corpus")] = None,
    source: Annotated[Path | None, typer.Option(help="Source lines; with --target, instead of a TSV.")] = None,
    target: Annotated[Path | None, typer.Option(help="Target lines, paired by number.")] = None,
    dev: Annotated[Path | None, typer.Option(help="Dev set (TSV).", show_default="5 % of the corpus, by a hash of the source")] = None,
    checkpoint: Annotated[Path | None, typer.Option(help="Where to save.", show_default="checkpoints/<corpus>.safetensors")] = None,
    attention: Annotated[
        str | None, typer.Option(help=", ".join(ATTENTIONS), show_default="scaled-dot", autocompletion=lambda: ATTENTIONS)
    ] = None,
    batch_size: Annotated[int | None, typer.Option(help="Sentences a step.", show_default="by corpus size")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="AdamW's peak.", show_default="by corpus size")] = None,
    dropout: Annotated[float | None, typer.Option(help="Share of numbers dropped in training.", show_default="by corpus size")] = None,
    label_smoothing: Annotated[float | None, typer.Option(help="Probability spread over all pieces.", show_default="by corpus size")] = None,
    guided_alignment: Annotated[float | None, typer.Option(help="Weight of the gold alignments in the loss.", show_default="0")] = None,
    embedding_size: Annotated[int | None, typer.Option(help="Numbers in a piece's vector.", show_default="128")] = None,
    hidden_size: Annotated[int | None, typer.Option(help="Numbers in a state.", show_default="128")] = None,
    vocabulary_size: Annotated[int | None, typer.Option(help="Most pieces a side.", show_default="by corpus size")] = None,
    seed: Annotated[int | None, typer.Option(help="Of everything random.", show_default="1")] = None,
    threads: Annotated[int | None, typer.Option(help="Processor cores to use.", show_default="by corpus size")] = None,
    device: Annotated[str | None, typer.Option(help="auto, cpu, cuda or mps.", show_default="cpu")] = None,
    epochs: Annotated[int | None, typer.Option(help="Run this many, in full.", show_default="by corpus size, with early stopping")] = None,
    minutes: Annotated[float | None, typer.Option(help="Run this long, in full.")] = None,
    reverse: Annotated[bool, typer.Option("--reverse", help="Learn target → source.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a training that was stopped.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing checkpoint.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw loss and dev scores of this run into this SVG file.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show SentencePiece's own messages.")] = False,
) -> None:
    """Learn a translator from sentence pairs, and watch it learn."""
    _check_plans(epochs, minutes, resume, force)
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
    _check(learning, shape)
    if plot is not None and (plot.suffix != ".svg" or not plot.absolute().parent.is_dir()):
        raise TranslatorError(f"can't draw into {plot}", hint="give a file name that ends in .svg, in a folder that exists")
    with _said_once(threads):
        pairs, dev_pairs, stem = _read_pairs(corpus, source, target, dev, reverse=reverse)
        path = checkpoint or Path("checkpoints") / f"{stem}.safetensors"
        _check_place(path, resume=resume, force=force)
        with _alone(path):
            task = _task(pairs, dev_pairs, path, stem)
            training = _resumed(task, learning, shape) if resume else _begun(task, learning, shape, verbose=verbose)
            _run(training, plot)


def _check_plans(epochs: int | None, minutes: float | None, resume: bool, force: bool) -> None:
    if epochs is not None and minutes is not None:
        raise TranslatorError("--epochs and --minutes are two plans", hint="give one of them")
    if resume and force:
        raise TranslatorError("--resume and --force are two plans", hint="give one of them")


@contextlib.contextmanager
def _said_once(threads: int | None) -> Iterator[None]:
    """Of several processes that `torchrun` has started, let only the first speak; errors apart."""
    if os.environ.get("WORLD_SIZE", "1") == "1":
        yield
        return
    if threads not in (None, 1):
        raise TranslatorError("torchrun starts a process for each core", hint="leave --threads out, or change torchrun's --nproc-per-node")
    if os.environ.get("RANK") == "0":
        yield
        return
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        yield


def _check(learning: dict[str, Any], shape: dict[str, Any]) -> None:
    """Refuse wrong values before the corpus is read."""
    TrainingConfig(**{name: value for name, value in learning.items() if value is not None})
    ModelConfig(5, 5, **{name: value for name, value in shape.items() if value is not None})
    if shape["attention"] == "none" and learning["guided_alignment"]:
        raise TranslatorError("attention none has no weights to guide", hint="leave out --guided-alignment, or choose another --attention")
    if learning["device"] not in (None, "cpu"):
        from translator.model import find_device

        find_device(learning["device"])


def _read_pairs(
    corpus: Path | None, source: Path | None, target: Path | None, dev: Path | None, *, reverse: bool = False
) -> tuple[list[SentencePair], list[SentencePair], str]:
    """The training pairs, the dev pairs, and what the corpus is called."""
    from translator.corpus import hold_out, read_corpus, read_parallel
    from translator.corpus import reverse as turned

    if (source is None) != (target is None) or (source is not None and corpus is not None):
        raise TranslatorError("a corpus is one TSV file, or --source and --target", hint="give one or the other")
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


def _check_place(path: Path, *, resume: bool, force: bool) -> None:
    """Refuse early what can't be saved or must not be replaced."""
    if path.is_dir() or path.suffix != ".safetensors":
        raise TranslatorError(f"{path} isn't a name for a checkpoint", hint="give a file name that ends in .safetensors")
    if path.exists() and not resume and not force:
        hint = "--resume goes on with its training, --force replaces it, --checkpoint names another"
        raise TranslatorError(f"there is a checkpoint {path} already", hint=hint)
    folder = next(folder for folder in path.absolute().parents if folder.exists())  # the rest is made when there is something to save
    if not folder.is_dir():
        raise TranslatorError(f"can't make the folder {path.parent}: there is a file {folder}", hint="choose another --checkpoint")
    if not os.access(folder, os.W_OK):
        raise TranslatorError(f"can't write into the folder {folder}", hint="choose another --checkpoint")


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep a second training off this checkpoint; of several processes that `torchrun` has started only the first one writes."""
    with held(path) if os.environ.get("RANK", "0") == "0" else contextlib.nullcontext(True) as is_free:
        if not is_free:
            raise TranslatorError(f"another training is writing {path}", hint="wait until it ends, or choose another --checkpoint")
        yield


def _task(pairs: Sequence[SentencePair], dev: Sequence[SentencePair], path: Path, stem: str) -> Task:
    from translator.tokenizer import fold
    from translator.training import SAMPLE_SOURCE, Task

    wanted = fold(SAMPLE_SOURCE)
    is_known = any(fold(pair.source).rstrip(".!") == wanted for pair in pairs)
    return Task(pairs, dev, path, stem, SAMPLE_SOURCE if is_known else dev[0].source)


def _begun(task: Task, learning: dict[str, Any], shape: dict[str, Any], *, verbose: bool) -> Training:
    """A new training, with what it was decided to be told."""
    from translator.training import Training

    settings = _planned(TrainingConfig.for_corpus(len(task.pairs), **learning), learning)
    source, target = task.tokenizers(settings, verbose=verbose)
    config = ModelConfig(len(source), len(target), **{name: value for name, value in shape.items() if value is not None})
    training = Training(task, config, settings, (source, target))
    for side, asked, tokenizer, encoded, lines in (
        ("source", settings.source_vocabulary, source, training.encoded.source, [pair.source for pair in task.pairs]),
        ("target", settings.target_vocabulary, target, training.encoded.target, [pair.target for pair in task.pairs]),
    ):
        words = sum(len(line.split()) for line in lines)
        supports = "" if len(tokenizer) == asked else f" (asked for {asked:,}; {_why(len(tokenizer), asked)})"
        note(f"{side}: {len(tokenizer):,} pieces{supports}, {(len(encoded.ids) - len(lines)) / words:.2f} a word")
    plan = f"{settings.epochs} epochs" if settings.minutes is None else f"{settings.minutes:g} min"
    chosen = "".join(f", {name.replace('_', ' ')} {getattr(settings, name):g}" for name in BY_SIZE)
    note(f"settings for {len(task.pairs):,} pairs: {plan}{chosen}; attention {config.attention}, hidden size {config.hidden_size}")
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
    from translator.training import Training

    fixed = {**shape, "vocabulary_size": learning.pop("source_vocabulary")}
    del learning["target_vocabulary"]
    training, changes = Training.resume(task, **learning)
    kept = {**{name: getattr(training.config, name) for name in shape}, "vocabulary_size": training.settings.source_vocabulary}
    for name, value in fixed.items():
        if value is not None and value != kept[name]:
            message = f"{name.replace('_', ' ')} was {kept[name]} and can't become {value} half-way"
            raise TranslatorError(message, hint="leave the option out, or train anew with --force")
    note(f"going on after epoch {training.epoch}" + "".join(f"; {change}" for change in changes))
    if training.is_over:
        raise TranslatorError("this training is done", hint=f"give more --epochs than {training.settings.epochs} to go on")
    return training


def _run(training: Training, plot: Path | None) -> None:
    """Draw the epochs as they come, and close with what was made."""
    from translator.checkpoint import training_state_path
    from translator.cli.progress import Progress
    from translator.cli.summary import show_summary

    path = training.task.path
    try:
        with Progress(training, plot) as progress:
            for epoch in training:
                progress.show(epoch)
    except (KeyboardInterrupt, SystemExit):  # Ctrl-C, SIGTERM
        if training_state_path(path).exists():
            note(f"interrupted: {path} holds the best model so far, of epoch {training.best_epoch}; go on with --resume")
        elif training.best_epoch:
            note(f"interrupted: {path} holds the model of epoch {training.best_epoch}, but not what --resume needs")
        else:
            note("interrupted before the first epoch was done: nothing was saved")
        raise
    if training.ranks.rank > 0:
        return
    show_summary(training, progress.epochs)
    words = ["--"] * training.task.sample_source.startswith("-") + [training.task.sample_source]
    print(shlex.join(["attn-translate", "translate", "--checkpoint", str(path), *words]))
