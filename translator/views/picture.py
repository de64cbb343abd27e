"""A figure as PNG: the very SVG, drawn by resvg with a Korean font that comes along, so that no machine shows boxes for Hangul.

Both come with an extra, `pip install 'attn-translate[png]'`: resvg-py, and pylopdf-fonts-ko for its Noto Sans KR (SIL Open Font License).
"""

from __future__ import annotations

import importlib
import re
from types import ModuleType

from translator.errors import TranslatorError

ZOOM = 2  # for screens of high density and for print
MOST_PIXELS = 100_000_000  # 400 MB while it is drawn


def require() -> tuple[ModuleType, ModuleType]:
    """The renderer and the package of the font. Raises `TranslatorError` if the extra isn't installed."""
    try:
        return importlib.import_module("resvg_py"), importlib.import_module("pylopdf_fonts_ko")
    except ImportError as error:
        hint = "pip install 'attn-translate[png]', or write .svg"
        raise TranslatorError(
            f"PNG needs packages that aren't installed ({error.name})", hint=hint
        ) from error


def as_png(svg: str) -> bytes:
    """Draw an SVG document of `figure` or `plot`. Raises `TranslatorError` without the extra, or if the picture would be too large."""
    renderer, fonts = require()
    width, height = map(int, re.findall(r'(?:width|height)="(\d+)"', svg)[:2])
    zoom = ZOOM if width * height * ZOOM**2 <= MOST_PIXELS else 1
    if width * height * zoom**2 > MOST_PIXELS:
        raise TranslatorError(
            f"a picture of {width} × {height} pixels is too large",
            hint="write .svg or .html, or give fewer sentences",
        )
    # The system's fonts stay in reach for what isn't Korean: other scripts, emoji.
    return bytes(
        renderer.svg_to_bytes(
            svg_string=svg, zoom=zoom, font_files=[str(fonts.sans_path())], languages=["ko", "en"]
        )
    )
