"""What the page and the pictures share: escaping, fonts, colours, and the width of text."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len

from translator.translation import WORD_START, Translation

# Families that hold Hangul come first: of the systems on which each is at home, then any.
FONTS = "'Noto Sans KR', 'Noto Sans CJK KR', Pretendard, 'Apple SD Gothic Neo', 'Malgun Gothic', NanumGothic, sans-serif"
# Backgrounds of the five shades, in one hue. The text on the first four is INK, on the last PAPER; each pair has a contrast of 4.5 or more.
RAMP = ("#ffffff", "#dcebfa", "#a9cff5", "#5fa8ea", "#0b5cad")
INK, PAPER, MUTED, RULE = "#1b1f24", "#ffffff", "#5b6570", "#c9d1d9"

# What no XML document may hold. Control characters never get here: a `Translation` has none.
_NO_TEXT = re.compile("[\ud800-\udfff\ufffe\uffff]")


def escaped(text: str) -> str:
    """Text as it stands in HTML and XML, also inside quoted attributes; what can't stand there becomes U+FFFD.

    >>> escaped('<b title="x">&')
    '&lt;b title=&quot;x&quot;&gt;&amp;'
    """
    return html.escape(_NO_TEXT.sub("\ufffd", text))


def em_width(text: str) -> float:
    """About how wide a text is, in font sizes: the fonts differ, so rather too much.

    >>> em_width("ab"), em_width("사랑"), em_width("▁a")
    (1.2, 2.0, 1.6)
    """
    wide = max(0, cell_len(text) - len(text))
    return round(wide + (len(text) - wide) * 0.6 + text.count(WORD_START) * 0.4, 6)


def bare(translation: Translation) -> Translation:
    """A translation merged to words, whose labels have lost the mark of a word's beginning."""
    merged = translation.merged()
    sources, targets = (
        tuple(word.replace(WORD_START, "") or word for word in side)
        for side in (merged.source_pieces, merged.target_pieces)
    )
    return replace(merged, source_pieces=sources, target_pieces=targets)


def folded(text: str, width: float) -> list[str]:
    """The text in lines of at most `width` font sizes, broken at spaces; a longer word has a line of its own.

    >>> folded("one two three", 5)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in text.split():
        if lines and em_width(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def widest(labels: Sequence[str]) -> float:
    """The width of the widest label in font sizes; 0 of none."""
    return max(map(em_width, labels), default=0.0)
