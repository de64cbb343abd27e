"""The learning curve: its points, its texts, and any values a training may produce."""

from __future__ import annotations

import itertools
import math
import re
import xml.etree.ElementTree as ElementTree

import pytest

from translator.views.plot import Curve, EpochRow, learning_curve, line_chart

ROWS = [EpochRow(1, 4.0, 10.0, 0.0), EpochRow(2, 2.0, 60.0, 0.5), EpochRow(4, 1.0, 100.0, 1.0)]


def paths(svg: str) -> list[list[tuple[float, float]]]:
    """Return the points of each curve: of the paths that contain lines (L)."""
    found = re.findall(r'<path d="M([\d.]+ [\d.]+(?:L[\d.]+ [\d.]+)+)"', svg)
    return [[tuple(map(float, point.split())) for point in path.split("L")] for path in found]  # type: ignore[misc]


def test_the_curves_run_through_their_values():
    loss, chrf, exact = paths(learning_curve(ROWS))
    # Losses 4, 2 and 1 on a scale to 4; the panel is 200 high and ends at 236.
    assert loss == [(181.0, 36.0), (306.0, 136.0), (556.0, 186.0)]
    # Scores 10, 60 and 100 on a scale to 100; this panel ends at 500.
    assert chrf == [(181.0, 480.0), (306.0, 380.0), (556.0, 300.0)]
    assert exact == [(181.0, 500.0), (306.0, 400.0), (556.0, 300.0)]


def test_the_curve_describes_its_end():
    assert ElementTree.fromstring(learning_curve(ROWS)).attrib["aria-label"] == (
        "Learning curve up to epoch 4: loss 1.000, chrF 100.0, exact 100.0 %"
    )


def test_names_of_curves_that_end_together_stay_apart():
    heights = [float(y) for y in re.findall(r'<text x="564" y="([\d.]+)"', learning_curve(ROWS))]
    assert len(heights) == 3
    assert abs(heights[1] - heights[2]) >= 14


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [(1, math.nan, math.nan, 0.0)],
        [(1, 0.0, 0.0, 0.0)],
        [(0.25, 1e-9, 0.0, 0.0)],
        [(n, 1, 50, 0.5) for n in range(1, 5000)],
    ],
)
def test_any_rows_make_a_picture(rows):
    svg = learning_curve(rows)
    ElementTree.fromstring(svg)
    assert "nan" not in "".join(re.findall(r"<path[^>]*>|<circle[^>]*>", svg))


def test_a_long_training_has_few_ticks_and_no_points():
    svg = learning_curve([(number, 1 / number, 50, 0.5) for number in range(1, 1001)])
    assert "<circle" not in svg
    assert svg.count("<text") < 40


def test_a_line_chart_has_its_ticks_and_names_and_leaves_missing_values_out():
    curves = [Curve(f"<{name}>", "#000000", "", [0.0, math.nan, 1.0]) for name in "abcde"]
    x_ticks = [(0, "16"), (1, "32"), (2, "64")]
    svg = line_chart("Entropy & size", "key size", [0, 1, 2], 1.0, curves, x_ticks)
    root = ElementTree.fromstring(svg)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Entropy & size", "key size", "16", "32", "64", "<a>", "<e>"} <= set(texts)
    assert paths(svg) == [[(56.0, 236.0), (556.0, 36.0)]] * 5
    heights = sorted(float(y) for y in re.findall(r'<text x="564" y="([\d.]+)"', svg))
    assert all(after - before >= 14 for before, after in itertools.pairwise(heights))


def test_no_name_of_a_curve_is_below_the_axis():
    curves = [Curve(name, "#000000", "", [90.0, 0.0]) for name in "abcde"]
    svg = line_chart("exact", "words", [5, 40], 100.0, curves)
    heights = [float(y) for y in re.findall(r'<text x="564" y="([\d.]+)"', svg)]
    # The axis is at 236, and a name's middle is 4 above its baseline.
    assert sorted(heights) == [184, 198, 212, 226, 240]


def test_a_line_chart_describes_its_ends():
    svg = line_chart("chrF", "words", [5, 40], 100.0, [Curve("none", "#000000", "", [90.0, 41.25])])
    assert ElementTree.fromstring(svg).attrib["aria-label"] == "chrF: none 90 to 41.2"
