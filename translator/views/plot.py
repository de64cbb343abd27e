"""Curves as SVG: the learning curve, and any other line chart over one axis.

The learning curve has two panels, one above the other, with the epochs as their common axis. The
loss has a scale from 0 to its largest value; chrF and exact match share one from 0 to 100.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from translator.views.markup import FONTS, INK, MUTED, PAPER, RULE, escaped

WIDTH, PANEL = 640, 200  # pixels
LEFT, RIGHT, ABOVE, BELOW = 56, 84, 36, 48  # margins: for numbers, names, a title, and the epochs
MAX_TICKS = 6
LOSS, CHRF, EXACT = "#b3261e", "#0b5cad", "#2e7d32"  # colours; the dashes differ as well
MAX_DOTS = 40  # a curve with more points has no dots
NAME_GAP = 14  # minimum distance in pixels between the names of curves that end together

Ticks = Sequence[tuple[float, str]]  # (x, label)


class EpochRow(NamedTuple):
    """What the curve shows of one epoch."""

    epoch: float  # passes done
    loss: float  # mean cross-entropy per piece, in nats
    chrf: float  # on the dev set, 0 to 100
    exact: float  # on the dev set, 0 to 1


class Curve(NamedTuple):
    """A named line with a value for each x. A value that isn't finite leaves a gap."""

    name: str
    colour: str
    dashes: str  # as in stroke-dasharray; empty for a solid line
    values: list[float]


def learning_curve(rows: Sequence[EpochRow | tuple[float, float, float, float]]) -> str:
    """Return an SVG document of two panels. Without rows its axes are empty."""
    epochs, losses, chrf, exact = ([float(row[field]) for row in rows] for field in range(4))
    height = 2 * (PANEL + ABOVE + BELOW) - 20
    y_max = max((loss for loss in losses if math.isfinite(loss)), default=1.0) or 1.0
    loss = Curve("loss", LOSS, "", losses)
    scores = [
        Curve("chrF", CHRF, "", chrf),
        Curve("exact %", EXACT, "6 3", [100 * share for share in exact]),
    ]
    panels = [
        *_panel("Training loss (nats a piece)", ABOVE, epochs, y_max, [loss]),
        *_panel("Dev set", PANEL + 2 * ABOVE + BELOW - 20, epochs, 100.0, scores),
    ]
    return _document(_summary(epochs, losses, chrf, exact), height, panels, "Epoch")


def line_chart(
    title: str,
    x_label: str,
    xs: Sequence[float],
    y_max: float,
    curves: Sequence[Curve],
    x_ticks: Ticks | None = None,
) -> str:
    """Return an SVG document of one panel; its axes run from 0 to the largest x and to `y_max`.

    `x_ticks` labels the x axis; by default its labels are round numbers.
    """
    panel = _panel(escaped(title), ABOVE, list(xs), y_max, curves, x_ticks)
    summary = f"{escaped(title)}: {escaped(_ends(curves))}"
    return _document(summary, ABOVE + PANEL + BELOW, panel, escaped(x_label))


def _ends(curves: Sequence[Curve]) -> str:
    """Describe where each curve begins and ends."""
    finite = {curve.name: list(filter(math.isfinite, curve.values)) for curve in curves}
    return ", ".join(
        f"{name} {values[0]:.3g} to {values[-1]:.3g}" for name, values in finite.items() if values
    )


def _summary(
    epochs: list[float], losses: list[float], chrf: list[float], exact: list[float]
) -> str:
    """Describe the learning curve in one sentence, for screen readers."""
    if not epochs:
        return "Learning curve without an epoch"
    end = f"loss {losses[-1]:.3f}, chrF {chrf[-1]:.1f}, exact {100 * exact[-1]:.1f} %"
    return f"Learning curve up to epoch {epochs[-1]:g}: {end}"


def _document(summary: str, height: int, panels: Iterable[str], x_label: str) -> str:
    """Return the document: a background, the panels, and the name of the x axis below them."""
    size = f'width="{WIDTH}" height="{height}"'
    label = f'x="{(LEFT + WIDTH - RIGHT) // 2}" y="{height - 8}" text-anchor="middle"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {WIDTH} {height}" '
        f'font-family="{FONTS}" font-size="12" fill="{INK}" role="img" aria-label="{summary}">',
        f'<rect {size} fill="{PAPER}"/>',
        *panels,
        f'<text {label} fill="{MUTED}">{x_label}</text>',
        "</svg>\n",
    ]
    return "\n".join(lines)


def _panel(
    title: str,
    top: int,
    xs: list[float],
    y_max: float,
    curves: Sequence[Curve],
    x_ticks: Ticks | None = None,
) -> Iterator[str]:
    """Yield the axes with their ticks, then the curves, each with its name after its last point."""
    x_max = max(xs, default=1.0)
    right, bottom = WIDTH - RIGHT, top + PANEL
    yield f'<text x="{LEFT}" y="{top - 12}" font-size="14">{title}</text>'
    if x_ticks is None:
        x_ticks = [(value, f"{value:g}") for value in ticks(x_max)]
    yield from _axes(top, x_max, y_max, x_ticks)
    name_heights: list[float] = []
    for curve in curves:
        points = [
            (LEFT + x / x_max * (right - LEFT), bottom - min(y / y_max, 1) * PANEL)
            for x, y in zip(xs, curve.values, strict=True)
            if math.isfinite(y)
        ]
        if points:
            yield from _curve(curve, points)
            height = _free_height(points[-1][1] + 4, bottom, name_heights)
            name_heights.append(height)
            place = f'x="{right + 8}" y="{height:.1f}"'
            yield f'<text {place} fill="{curve.colour}">{escaped(curve.name)}</text>'


def _axes(top: int, x_max: float, y_max: float, x_ticks: Ticks) -> Iterator[str]:
    """Yield the horizontal rules, the labels of both axes, and the axes."""
    right, bottom = WIDTH - RIGHT, top + PANEL
    for value in ticks(y_max):
        y = bottom - value / y_max * PANEL
        place = f'x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end"'
        yield f'<path d="M{LEFT} {y:.1f}H{right}" stroke="{RULE}"/>'
        yield f'<text {place} fill="{MUTED}">{value:g}</text>'
    for value, label in x_ticks:
        x = LEFT + value / x_max * (right - LEFT)
        place = f'x="{x:.1f}" y="{bottom + 16}" text-anchor="middle"'
        yield f'<text {place} fill="{MUTED}">{escaped(label)}</text>'
    yield f'<path d="M{LEFT} {top}V{bottom}H{right}" fill="none" stroke="{INK}"/>'


def _curve(curve: Curve, points: list[tuple[float, float]]) -> Iterator[str]:
    """Yield a line and its dots."""
    dashes = f' stroke-dasharray="{curve.dashes}"' if curve.dashes else ""
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    yield f'<path d="M{path}" fill="none" stroke="{curve.colour}" stroke-width="2"{dashes}/>'
    if len(points) <= MAX_DOTS:
        for x, y in points:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{curve.colour}"/>'


def _free_height(wanted: float, bottom: int, taken: Sequence[float]) -> float:
    """Return the height closest to `wanted` that avoids the x axis and the names at `taken`."""
    heights = (wanted + sign * offset for offset in range(PANEL) for sign in (1, -1))
    return next(
        height
        for height in heights
        if height <= bottom + 4 and all(abs(height - other) >= NAME_GAP for other in taken)
    )


def ticks(largest: float) -> list[float]:
    """Return round numbers from 0 to at most `largest`, no more than `MAX_TICKS`.

    They are 1, 2 or 5 times a power of ten apart.

    >>> ticks(100), ticks(7), ticks(0.35)
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [0.0, 2.0, 4.0, 6.0], [0.0, 0.1, 0.2, 0.3])
    """
    power = 10 ** math.floor(math.log10(largest / (MAX_TICKS - 1)))
    most_steps = MAX_TICKS - 1 + 1e-9  # the excess allows for rounding
    step = next(
        power * factor for factor in (1, 2, 5, 10) if largest / (power * factor) <= most_steps
    )
    return [round(float(number * step), 12) for number in range(int(largest / step + 1e-9) + 1)]
