"""`attn-translate show-weights`: the attention weights of a translation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from translator.cli.terminal import (
    SentenceCommand,
    console,
    decoded,
    note,
    recall,
    remember,
    sentence,
)
from translator.cli.translate import BeamSize, CheckpointPath
from translator.errors import TranslatorError

if TYPE_CHECKING:
    from translator.inference.translator import Translator
    from translator.translation import Translation

DEFAULT_SENTENCE = "I love you"

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[WORD]...", help="The sentence, quoted or not. None: the last translation."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("show-weights", cls=SentenceCommand)(show_weights)


def show_weights(
    words: Words = None,
    checkpoint: CheckpointPath = None,
    beam_size: BeamSize = 5,
    target: Annotated[
        str | None,
        typer.Option("--target", help="Weights for this translation instead of the model's own."),
    ] = None,
    saved: Annotated[
        Path | None,
        typer.Option("--from", help="Saved translations (JSON lines); needs no checkpoint."),
    ] = None,
    merge: Annotated[bool, typer.Option("--words/--pieces", help="Merge pieces to words.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write this file instead: .html, .svg, .png, .csv or .json."
        ),
    ] = None,
) -> None:
    """Show the attention weights of a sentence, or of the last translation."""
    if saved is not None and (words or target is not None or checkpoint is not None):
        raise TranslatorError(
            "--from shows saved translations as they are",
            hint="leave out the sentence, --target and --checkpoint",
        )
    if output is not None:
        from translator.views import export

        export.check(output)
    translations = (
        _read(saved)
        if saved is not None
        else iter([_translation(words, checkpoint, beam_size, target)])
    )
    if output is not None:
        export.write(output, list(translations), words=merge)
        return
    screen = console()
    from translator.views.heatmap import Heatmap

    for translation in translations:
        print(f"{translation.source} → {translation.target}")
        screen.print(Heatmap(translation, words=merge))


def _translation(
    words: list[str] | None, checkpoint: Path | None, beam_size: int, target: str | None
) -> Translation:
    """The translation to show: of these words, else the last one, else of the default sentence."""
    line, last = chosen_line(words)
    if last is not None and checkpoint is None and target is None:
        return last
    from translator.inference.translator import Translator

    translator = Translator.load(checkpoint)
    translation = (
        translator.align(line, decoded(target))
        if target is not None
        else next(translator.translate([line], beam_size=beam_size))
    )
    remark_and_remember(translator, line, translation)
    return translation


def chosen_line(words: list[str] | None) -> tuple[str, Translation | None]:
    """The sentence to show: these words; without any, that of the last translation, which comes along; else the default one."""
    line = sentence(words)
    if line is not None:
        return line, None
    last = recall()
    return (DEFAULT_SENTENCE if last is None else last.source), last


def remark_and_remember(translator: Translator, line: str, translation: Translation) -> None:
    """Note what a reader should know of the line, and keep its translation as the last one."""
    for remark in translator.remarks(line):
        note(f"note: {remark}")
    if translation.source:
        remember(translation)


def _read(path: Path) -> Iterator[Translation]:
    """The translations in a file of JSON lines, one by one."""
    from translator.translation import Translation

    found = False
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                # A `.json` of several sentences is a list, one of them a line.
                line = line.strip().removesuffix(",")
                if line in ("", "[", "]"):
                    continue
                try:
                    yield Translation.from_json(line)
                except TranslatorError as error:
                    raise TranslatorError(
                        f"{path}, line {number}: {error}", hint=error.hint
                    ) from error
                found = True
    except OSError as error:
        raise TranslatorError(
            f"can't read {path}: {error.strerror}", hint="check the path"
        ) from error
    except UnicodeDecodeError as error:
        raise TranslatorError(
            f"{path} is not UTF-8",
            hint="give the lines that `attn-translate translate --format json` writes",
        ) from error
    if not found:
        raise TranslatorError(
            f"{path} holds no translations",
            hint="give the lines that `attn-translate translate --format json` writes",
        )
