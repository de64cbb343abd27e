"""Draw a figure as PNG: resvg renders its SVG with a bundled Korean font.

So Hangul never turns into boxes, whatever fonts the machine has. Both packages come with the extra
`pip install 'attn-translate[png]'`: resvg-py, and pylopdf-fonts-ko for its Noto Sans KR (SIL Open
Font License).
"""

from __future__ import annotations

import importlib
import re
from types import ModuleType

from translator.errors import TranslatorError

ZOOM = 2  # for high-density screens and for print
MAX_PIXELS = 100_000_000  # 400 MB while drawing


def load_renderer() -> tuple[ModuleType, ModuleType]:
    """Import the renderer and the font package. Raises `TranslatorError` without the extra."""
    try:
        return importlib.import_module("resvg_py"), importlib.import_module("pylopdf_fonts_ko")
    except ImportError as error:
        message = f"PNG needs packages that aren't installed ({error.name})"
        hint = "pip install 'attn-translate[png]', or write .svg"
        raise TranslatorError(message, hint=hint) from error


def as_png(svg: str) -> bytes:
    """Render an SVG document of `figure` or `plot`.

    Raises `TranslatorError` if the extra isn't installed or the picture would be too large.
    """
    renderer, fonts = load_renderer()
    width, height = map(int, re.findall(r'(?:width|height)="(\d+)"', svg)[:2])
    zoom = ZOOM if width * height * ZOOM**2 <= MAX_PIXELS else 1
    if width * height * zoom**2 > MAX_PIXELS:
        message = f"a picture of {width} × {height} pixels is too large"
        raise TranslatorError(message, hint="write .svg or .html, or give fewer sentences")
    # The system's fonts remain available for other scripts and emoji.
    font_files = [str(fonts.sans_path())]
    languages = ["ko", "en"]
    return bytes(
        renderer.svg_to_bytes(svg_string=svg, zoom=zoom, font_files=font_files, languages=languages)
    )
