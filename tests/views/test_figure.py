"""The figure, exactly, and at its edges."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from test_export import NO_ATTENTION, SMALL

from translator import TranslatorError
from translator.translation import Translation
from translator.views.figure import as_svg
from translator.views.heatmap import BLANK, NO_WEIGHTS, UNIFORM
from translator.views.markup import FONTS, RAMP

PRE = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [
        "".join(element.itertext()) for element in ElementTree.fromstring(svg).iter(f"{PRE}text")
    ]


def shape(rows: int, columns: int) -> Translation:
    """Make a translation of this shape: the diagonal if it is square, else uniform weights."""
    source, target = (
        tuple(f"▁{letter}{number}" for number in range(count))
        for letter, count in (("s", columns), ("t", rows))
    )
    weights = np.eye(rows) if rows == columns else np.full((rows, columns), 1 / columns)
    return Translation("s", "t", source, target, weights, (1.0,) * rows, 0.0, False)


FIGURE = f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="396" height="177" viewBox="0 0 396 177"
 font-family="{FONTS}" font-size="14" fill="#1b1f24" role="img" aria-label="a b → 가나">
<rect width="396" height="177" fill="#ffffff"/>
<g transform="translate(0 0)">
<text x="16" y="32" font-size="16">a b → 가나</text>
<text x="76" y="58" text-anchor="middle"><tspan fill="#c9d1d9">▁</tspan>a</text>
<text x="124" y="58" text-anchor="middle"><tspan fill="#c9d1d9">▁</tspan>b</text>
<text x="172" y="58" text-anchor="middle">&lt;/s&gt;</text>
<text x="220" y="58" text-anchor="middle" fill="#5b6570">p</text>
<text x="44" y="85" text-anchor="end"><tspan fill="#c9d1d9">▁</tspan>가</text>
<rect x="52" y="66" width="48" height="28" fill="#5fa8ea" stroke="#c9d1d9"/>
<text x="76" y="85" text-anchor="middle" font-size="12">0.50</text>
<rect x="100" y="66" width="48" height="28" fill="#a9cff5" stroke="#c9d1d9"/>
<text x="124" y="85" text-anchor="middle" font-size="12">0.25</text>
<rect x="148" y="66" width="48" height="28" fill="#a9cff5" stroke="#c9d1d9"/>
<text x="172" y="85" text-anchor="middle" font-size="12">0.25</text>
<text x="220" y="85" text-anchor="middle" font-size="12" fill="#5b6570">0.50</text>
<text x="44" y="113" text-anchor="end">나</text>
<rect x="52" y="94" width="48" height="28" fill="#ffffff" stroke="#c9d1d9"/>
<text x="76" y="113" text-anchor="middle" font-size="12" fill="#5b6570">0.00</text>
<rect x="100" y="94" width="48" height="28" fill="#0b5cad" stroke="#c9d1d9"/>
<text x="124" y="113" text-anchor="middle" font-size="12" fill="#ffffff">1.00</text>
<rect x="148" y="94" width="48" height="28" fill="#ffffff" stroke="#c9d1d9"/>
<text x="172" y="113" text-anchor="middle" font-size="12" fill="#5b6570">0.00</text>
<text x="220" y="113" text-anchor="middle" font-size="12" fill="#5b6570">1.00</text>
<rect x="52" y="66" width="48" height="28" fill="none" stroke="#1b1f24" stroke-width="2"/>
<rect x="100" y="94" width="48" height="28" fill="none" stroke="#1b1f24" stroke-width="2"/>
<text x="16" y="141" font-size="11" fill="#5b6570">\
A row is the attention of one step and sums to 1; its</text>
<text x="16" y="157" font-size="11" fill="#5b6570">\
largest weight has a frame. p: the piece&#x27;s probability.</text>
</g>
</svg>
"""


def test_the_figure_is_this():
    assert as_svg([SMALL]) == FIGURE


def test_figures_are_stacked():
    one, other, both = (
        ElementTree.fromstring(as_svg(which))
        for which in ([SMALL], [NO_ATTENTION], [SMALL, NO_ATTENTION])
    )
    assert int(both.attrib["height"]) == int(one.attrib["height"]) + int(other.attrib["height"])
    assert [group.attrib["transform"] for group in both.iter(f"{PRE}g")] == [
        "translate(0 0)",
        f"translate(0 {one.attrib['height']})",
    ]


def test_more_figures_than_a_picture_holds_are_an_error():
    assert as_svg([SMALL] * 20)
    with pytest.raises(TranslatorError, match="21 translations don't fit a figure"):
        as_svg([SMALL] * 21)


def test_words_have_no_marks():
    assert {"가나", "a", "b", "</s>"} <= set(texts(as_svg([SMALL], words=True)))


def test_without_attention_there_are_only_probabilities():
    svg = as_svg([NO_ATTENTION])
    assert svg.count("<rect") == 1
    assert {"▁가", "0.50", "1.00", "p"} <= set(texts(svg))
    assert NO_WEIGHTS in " ".join(texts(svg))


def test_a_blank_line_says_so():
    assert texts(as_svg([Translation.empty()])) == ["→", BLANK]


@pytest.mark.case(22)
@pytest.mark.parametrize("words", [False, True], ids=["pieces", "words"])
def test_nothing_stands_out_of_almost_uniform_weights(words):
    """The numbers remain. A word of two pieces has the weight of both, but no shade either."""
    translation = Translation(
        "s",
        "t",
        ("▁s", "t", "</s>"),
        ("▁t", "</s>"),
        [[0.36, 0.33, 0.31]] * 2,
        (1.0, 1.0),
        0.0,
        True,
    )
    svg = as_svg([translation], words=words)
    rectangles = [element.attrib for element in ElementTree.fromstring(svg).iter(f"{PRE}rect")]
    fills = [rectangle["fill"] for rectangle in rectangles if "x" in rectangle]
    assert fills == [RAMP[0]] * (4 if words else 6)
    assert texts(svg).count("0.69" if words else "0.36") == 2
    notes = " ".join(texts(svg))
    assert UNIFORM in notes
    assert "sums to 1. p:" in notes


def test_other_weights_are_not_called_uniform():
    assert UNIFORM not in " ".join(texts(as_svg([shape(3, 3)])))
    assert UNIFORM not in " ".join(texts(as_svg([shape(1, 1)])))


@pytest.mark.parametrize("size", [1, 3, 16, 17, 60])
def test_everything_stays_inside_and_apart(size):
    """All cells lie within the figure, and none covers another."""
    root = ElementTree.fromstring(as_svg([shape(size, size)]))
    width, height = int(root.attrib["width"]), int(root.attrib["height"])
    cells = [
        tuple(int(cell.attrib[key]) for key in ("x", "y", "width", "height"))
        for cell in root.iter(f"{PRE}rect")
        if "x" in cell.attrib
    ]
    assert len(cells) == size * size + size
    assert len({cell[:2] for cell in cells}) == size * size
    assert all(x >= 0 and x + w <= width and y >= 0 and y + h <= height for x, y, w, h in cells)


def test_many_or_long_source_pieces_are_rotated():
    assert "rotate" not in as_svg([shape(2, 16)])
    assert as_svg([shape(2, 17)]).count("rotate(-90") == 17
    long = Translation(
        "x", "y", ("▁incomprehensibilities", "</s>"), ("▁y",), [[1, 0]], (1.0,), 0.0, False
    )
    assert "rotate(-90" in as_svg([long])
