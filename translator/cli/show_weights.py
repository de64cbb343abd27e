"""`attn-translate show-weights`: the attention weights of a translation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from translator.cli.last_translation import load_last_translation, save_last_translation
from translator.cli.sentences import SentenceCommand, join_words
from translator.cli.terminal import console, decode_argument, note
from translator.cli.translate import BeamSize, CheckpointPath
from translator.errors import TranslatorError

if TYPE_CHECKING:
    from translator.inference.translator import Translator
    from translator.translation import Translation

DEFAULT_SENTENCE = "I love you"
JSON_LINES_HINT = "give the lines that `attn-translate translate --format json` writes"

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[WORD]...",
        help="The sentence, quoted or not. Without words: the last translation.",
    ),
]
Target = Annotated[
    str | None,
    typer.Option("--target", help="Show the weights of this translation, not the model's own."),
]
Saved = Annotated[
    Path | None,
    typer.Option("--from", help="Saved translations (JSON lines); needs no checkpoint."),
]
Merge = Annotated[bool, typer.Option("--words/--pieces", help="Merge pieces to words.")]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Write this file instead: .html, .svg, .png, .csv, .json."),
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("show-weights", cls=SentenceCommand)(show_weights)


def show_weights(
    words: Words = None,
    checkpoint: CheckpointPath = None,
    beam_size: BeamSize = 5,
    target: Target = None,
    saved: Saved = None,
    merge: Merge = False,
    output: Output = None,
) -> None:
    """Show the attention weights of a sentence, or of the last translation."""
    if saved is not None and (words or target is not None or checkpoint is not None):
        message = "--from shows saved translations as they are"
        hint = "leave out the sentence, --target and --checkpoint"
        raise TranslatorError(message, hint=hint)
    if output is not None:
        from translator.views import export

        export.check(output)
    if saved is not None:
        translations = _read_translations(saved)
    else:
        translations = iter([_translate(words, checkpoint, beam_size, target)])
    if output is not None:
        export.write(output, list(translations), words=merge)
        return
    screen = console()
    from translator.views.heatmap import Heatmap

    for translation in translations:
        print(f"{translation.source} → {translation.target}")
        screen.print(Heatmap(translation, words=merge))


def _translate(
    words: list[str] | None, checkpoint: Path | None, beam_size: int, target: str | None
) -> Translation:
    """Translate the words; without words, return the last translation if no option changes it."""
    line, last = choose_sentence(words)
    if last is not None and checkpoint is None and target is None:
        return last
    from translator.inference.translator import Translator

    translator = Translator.load(checkpoint)
    if target is not None:
        translation = translator.align(line, decode_argument(target))
    else:
        translation = next(translator.translate([line], beam_size=beam_size))
    note_and_save(translator, line, translation)
    return translation


def choose_sentence(words: list[str] | None) -> tuple[str, Translation | None]:
    """Choose the sentence to show: the words, or else the last translation's, or else a default.

    If it is the last translation's, also returns that translation.
    """
    line = join_words(words)
    if line is not None:
        return line, None
    last = load_last_translation()
    return (DEFAULT_SENTENCE if last is None else last.source), last


def note_and_save(translator: Translator, line: str, translation: Translation) -> None:
    """Print the notes about a line, and save its translation as the last one."""
    for remark in translator.remarks(line):
        note(f"note: {remark}")
    if translation.source:
        save_last_translation(translation)


def _read_translations(path: Path) -> Iterator[Translation]:
    """Yield the translations in a file of JSON lines.

    Raises `TranslatorError` if the file can't be read, or has no translation.
    """
    is_empty = True
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                # A `.json` file of several sentences is a list, with one sentence per line.
                line = line.strip().removesuffix(",")
                if line not in ("", "[", "]"):
                    yield _parse_translation(path, number, line)
                    is_empty = False
    except OSError as error:
        message = f"can't read {path}: {error.strerror}"
        raise TranslatorError(message, hint="check the path") from error
    except UnicodeDecodeError as error:
        raise TranslatorError(f"{path} is not UTF-8", hint=JSON_LINES_HINT) from error
    if is_empty:
        raise TranslatorError(f"{path} holds no translations", hint=JSON_LINES_HINT)


def _parse_translation(path: Path, number: int, line: str) -> Translation:
    from translator.translation import Translation

    try:
        return Translation.from_json(line)
    except TranslatorError as error:
        raise TranslatorError(f"{path}, line {number}: {error}", hint=error.hint) from error
