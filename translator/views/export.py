"""Translations in files: a page, a figure, a picture, tables.

The file's suffix says which. Every text in it is a user's, or comes from a file that a stranger may have made, so every format escapes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from translator.errors import TranslatorError
from translator.files import cannot_write, replace_file
from translator.translation import Translation

SUFFIXES = (".html", ".svg", ".png", ".csv", ".json")


def check(path: Path) -> None:
    """Raise `TranslatorError` if nothing can be written under this name, before any work is done."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        known = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        raise TranslatorError(
            f"can't tell a format from the name {path}", hint=f"let the name end with {known}"
        )
    if suffix == ".png":
        from translator.views.picture import require

        require()


def write(path: Path, translations: Sequence[Translation], *, words: bool = False) -> None:
    """Write a file in the format that its suffix names, in one step; what stood there before is replaced.

    `words` merges pieces to words; a page always holds both, and shows words first. Raises `TranslatorError` for an unknown suffix, for what
    the format can't hold, and if the disk refuses; the file is as it was then.
    """
    check(path)
    data = _data(path.suffix.lower(), translations, words=words)
    try:
        replace_file(path, data)
    except OSError as error:
        raise cannot_write(path, error) from error


def _data(suffix: str, translations: Sequence[Translation], *, words: bool) -> bytes:
    """The file's content. Half a surrogate pair, which only a stranger's JSON holds, is escaped."""
    # Each format is imported when it is wanted: they load templates, and a library that may be missing.
    if suffix == ".html":
        from translator.views.page import as_html

        return as_html(translations, words=words).encode()
    if suffix in (".svg", ".png"):
        from translator.views.figure import as_svg
        from translator.views.picture import as_png

        svg = as_svg(translations, words=words)
        return svg.encode() if suffix == ".svg" else as_png(svg)
    from translator.views.tables import as_csv, as_json

    shown = [translation.merged() for translation in translations] if words else translations
    return (as_csv if suffix == ".csv" else as_json)(shown).encode("utf-8", "backslashreplace")
