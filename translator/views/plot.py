"""Curves as SVG: the learning curve, and any other chart of lines over one axis.

The learning curve is two panels, one above the other, that share the epochs' axis. The loss has a scale from nought to its largest value;
chrF and exact match share one from 0 to 100.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from translator.views.markup import FONTS, INK, MUTED, PAPER, RULE, escaped

WIDTH, PANEL = 640, 200  # pixels
LEFT, RIGHT, ABOVE, BELOW = 56, 84, 36, 48  # margins: for numbers, names, a title, and the epochs
MOST_TICKS = 6
LOSS, CHRF, EXACT = "#b3261e", "#0b5cad", "#2e7d32"  # told apart by their dashes too
DOTS = 40  # a curve of more points shows its line only
APART = 14  # pixels between the names of curves that end together


class EpochRow(NamedTuple):
    """What the curve shows of one epoch."""

    epoch: float  # passes done
    loss: float  # mean cross-entropy a piece, in nats
    chrf: float  # 0 to 100, of the dev set
    exact: float  # 0 to 1, of the dev set


class Curve(NamedTuple):
    """A named line: its colour, its dashes, and a value for each place; one that isn't finite is left out."""

    name: str
    colour: str
    dashes: str  # as in stroke-dasharray; empty: a solid line
    values: list[float]


def learning_curve(rows: Sequence[EpochRow | tuple[float, float, float, float]]) -> str:
    """An SVG document of two panels. A value that isn't finite is left out; no rows make empty axes."""
    epochs, losses, chrf, exact = ([float(row[field]) for row in rows] for field in range(4))
    height = 2 * (PANEL + ABOVE + BELOW) - 20
    top = max((loss for loss in losses if math.isfinite(loss)), default=1.0) or 1.0
    scores = [
        Curve("chrF", CHRF, "", chrf),
        Curve("exact %", EXACT, "6 3", [100 * share for share in exact]),
    ]
    panels = [
        *_panel(
            "Training loss (nats a piece)", ABOVE, epochs, top, [Curve("loss", LOSS, "", losses)]
        ),
        *_panel("Dev set", PANEL + 2 * ABOVE + BELOW - 20, epochs, 100.0, scores),
    ]
    return _document(_summary(epochs, losses, chrf, exact), height, panels, "Epoch")


def line_chart(
    title: str,
    below: str,
    places: Sequence[float],
    largest: float,
    curves: Sequence[Curve],
    marks: Sequence[tuple[float, str]] | None = None,
) -> str:
    """An SVG document of one panel: curves over these places, on scales from 0 to the last place and to `largest`.

    `below` names the axis of the places. `marks` are the (place, text) that stand under it, by default round numbers.
    """
    panel = _panel(escaped(title), ABOVE, list(places), largest, curves, marks)
    return _document(
        f"{escaped(title)}: {escaped(_ends(curves))}", ABOVE + PANEL + BELOW, panel, escaped(below)
    )


def _ends(curves: Sequence[Curve]) -> str:
    """Where each curve begins and ends, in words."""
    finite = {
        curve.name: [value for value in curve.values if math.isfinite(value)] for curve in curves
    }
    return ", ".join(
        f"{name} {values[0]:.3g} to {values[-1]:.3g}" for name, values in finite.items() if values
    )


def _document(summary: str, height: int, panels: Iterable[str], below: str) -> str:
    """The panels on paper, with the name of the axis under them."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="{FONTS}" font-size="12" fill="{INK}" role="img" aria-label="{summary}">',
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
        *panels,
        f'<text x="{(LEFT + WIDTH - RIGHT) // 2}" y="{height - 8}" text-anchor="middle" fill="{MUTED}">{below}</text>',
        "</svg>\n",
    ]
    return "\n".join(lines)


def _summary(
    epochs: list[float], losses: list[float], chrf: list[float], exact: list[float]
) -> str:
    """The picture in a sentence, for who can't see it."""
    if not epochs:
        return "Learning curve without an epoch"
    end = f"loss {losses[-1]:.3f}, chrF {chrf[-1]:.1f}, exact {100 * exact[-1]:.1f} %"
    return f"Learning curve up to epoch {epochs[-1]:g}: {end}"


def _panel(
    title: str,
    top: int,
    places: list[float],
    largest: float,
    curves: Sequence[Curve],
    marks: Sequence[tuple[float, str]] | None = None,
) -> Iterator[str]:
    """Axes with their ticks, then the curves, each with its name behind its last point."""
    last = max(places, default=1.0)
    right, bottom = WIDTH - RIGHT, top + PANEL
    yield f'<text x="{LEFT}" y="{top - 12}" font-size="14">{title}</text>'
    for value in ticks(largest):
        y = bottom - value / largest * PANEL
        yield f'<path d="M{LEFT} {y:.1f}H{right}" stroke="{RULE}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="{MUTED}">{value:g}</text>'
    for place, text in [(value, f"{value:g}") for value in ticks(last)] if marks is None else marks:
        x = LEFT + place / last * (right - LEFT)
        yield f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle" fill="{MUTED}">{escaped(text)}</text>'
    yield f'<path d="M{LEFT} {top}V{bottom}H{right}" fill="none" stroke="{INK}"/>'
    names: list[float] = []
    for curve in curves:
        pairs = zip(places, curve.values, strict=True)
        points = [
            (LEFT + x / last * (right - LEFT), bottom - min(y / largest, 1) * PANEL)
            for x, y in pairs
            if math.isfinite(y)
        ]
        if points:
            yield from _curve(curve, points, bottom, names)


def _curve(
    curve: Curve, points: list[tuple[float, float]], bottom: int, names: list[float]
) -> Iterator[str]:
    """A line, its points, and its name at the right, clear of the axis and of the names before it, whose heights `names` keeps."""
    dashes = f' stroke-dasharray="{curve.dashes}"' if curve.dashes else ""
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    yield f'<path d="M{path}" fill="none" stroke="{curve.colour}" stroke-width="2"{dashes}/>'
    if len(points) <= DOTS:
        yield from (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{curve.colour}"/>' for x, y in points
        )
    end = points[-1][1] + 4
    heights = (end + sign * offset for offset in range(PANEL) for sign in (1, -1))
    height = next(
        height
        for height in heights
        if height <= bottom + 4 and all(abs(height - other) >= APART for other in names)
    )
    names.append(height)
    yield f'<text x="{WIDTH - RIGHT + 8}" y="{height:.1f}" fill="{curve.colour}">{escaped(curve.name)}</text>'


def ticks(largest: float) -> list[float]:
    """Round numbers from 0 to at most `largest`, no more than `MOST_TICKS`, a step of 1, 2 or 5 times a power of ten apart.

    >>> ticks(100), ticks(7), ticks(0.35)
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [0.0, 2.0, 4.0, 6.0], [0.0, 0.1, 0.2, 0.3])
    """
    power = 10 ** math.floor(math.log10(largest / (MOST_TICKS - 1)))
    step = next(
        power * factor
        for factor in (1, 2, 5, 10)
        if largest / (power * factor) <= MOST_TICKS - 1 + 1e-9
    )
    return [round(float(number * step), 12) for number in range(int(largest / step + 1e-9) + 1)]
