"""Write translations into a file: a page, a figure, a picture or a table.

The file's suffix chooses the format. The texts come from users, or from files that strangers may
have made, so every format escapes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from translator.errors import TranslatorError
from translator.files import cannot_write, replace_file
from translator.translation import Translation

SUFFIXES = (".html", ".svg", ".png", ".csv", ".json")


def check(path: Path) -> None:
    """Raise `TranslatorError` if no format fits this name. Call it before any work.

    A PNG also needs an extra that may be missing.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        known = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        hint = f"use a name that ends in {known}"
        raise TranslatorError(f"can't tell the format from the name {path}", hint=hint)
    if suffix == ".png":
        from translator.views.picture import load_renderer

        load_renderer()


def write(path: Path, translations: Sequence[Translation], *, words: bool = False) -> None:
    """Write a file in the format of its suffix, replacing an existing one in a single step.

    `words` merges pieces into words. A page always has both; there, `words` decides which is shown
    first. Raises `TranslatorError` for an unknown suffix, for translations that the format can't
    hold, and if the disk refuses. An existing file is then left as it was.
    """
    check(path)
    data = _encode(path.suffix.lower(), translations, words=words)
    try:
        replace_file(path, data)
    except OSError as error:
        raise cannot_write(path, error) from error


def _encode(suffix: str, translations: Sequence[Translation], *, words: bool) -> bytes:
    """Return the file's content."""
    # Import a format only when it is used: some load templates or a library that may be missing.
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
    text = as_csv(shown) if suffix == ".csv" else as_json(shown)
    # Unpaired surrogates, which only forged JSON contains, have no UTF-8: escape them.
    return text.encode("utf-8", "backslashreplace")
