"""What the page and the figures share: escaping, fonts, colours, and the width of text."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len

from translator.translation import WORD_START, Translation

# Font families with Hangul, for each operating system in turn.
FONTS = (
    "'Noto Sans KR', 'Noto Sans CJK KR', Pretendard, 'Apple SD Gothic Neo', 'Malgun Gothic', "
    "NanumGothic, sans-serif"
)
# Background colours of the five shades, in one hue. Text on the first four is INK, on the last
# PAPER; each pair has a contrast of at least 4.5.
RAMP = ("#ffffff", "#dcebfa", "#a9cff5", "#5fa8ea", "#0b5cad")
INK, PAPER, MUTED, RULE = "#1b1f24", "#ffffff", "#5b6570", "#c9d1d9"

# What XML forbids. Control characters are missing here because a `Translation` refuses them.
_FORBIDDEN_IN_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")


def escaped(text: str) -> str:
    """Escape text for HTML and XML, quoted attributes included; replace what XML forbids by U+FFFD.

    >>> escaped('<b title="x">&')
    '&lt;b title=&quot;x&quot;&gt;&amp;'
    """
    return html.escape(_FORBIDDEN_IN_XML.sub("\ufffd", text))


def em_width(text: str) -> float:
    """Estimate the width of a text in font sizes (em), on the large side because fonts differ.

    >>> em_width("ab"), em_width("사랑"), em_width("▁a")
    (1.2, 2.0, 1.6)
    """
    wide = max(0, cell_len(text) - len(text))
    return round(wide + (len(text) - wide) * 0.6 + text.count(WORD_START) * 0.4, 6)


def largest_em_width(labels: Sequence[str]) -> float:
    """Return the width of the widest label in font sizes, or 0 if there are no labels."""
    return max(map(em_width, labels), default=0.0)


def merged_without_marks(translation: Translation) -> Translation:
    """Merge a translation into words and drop the word-start mark from its labels."""
    merged = translation.merged()
    sources, targets = (
        tuple(word.replace(WORD_START, "") or word for word in side)
        for side in (merged.source_pieces, merged.target_pieces)
    )
    return replace(merged, source_pieces=sources, target_pieces=targets)


def wrapped(text: str, width: float) -> list[str]:
    """Break text at spaces into lines of at most `width` font sizes; a longer word gets a line.

    >>> wrapped("one two three", 5)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in text.split():
        if lines and em_width(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
