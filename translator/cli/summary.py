"""What stands on stderr when a training is over: its figures, its learning curve, and what the model makes of five dev sentences."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console

from translator.cli.progress import clock
from translator.cli.terminal import console, note, plain_table
from translator.inference.translator import Translator

if TYPE_CHECKING:
    from translator.training.training import Epoch, Training
    from translator.translation import Translation

BARS = "▁▂▃▄▅▆▇█"
WIDEST = 40  # bars of a curve
SHOWN = 5  # dev sentences
CHECKED = 100  # dev sentences that mustn't all be translated alike


def show_summary(training: Training, epochs: Sequence[Epoch]) -> None:
    """Tell what was made, how it was learnt, and whether it is a translator at all."""
    task, screen = training.task, console(sys.stderr)
    translator = Translator.load(task.path)
    references = {pair.source: pair.target for pair in task.dev}
    sources = list(references)[:CHECKED]
    translations = list(translator.translate(sources, beam_size=1))
    _show_figures(screen, training, translator)
    if epochs:  # none, if the plan had been done before it was resumed
        _show_curve(screen, epochs)
    _show_sentences(
        screen, translations[:SHOWN], [references[source] for source in sources[:SHOWN]]
    )
    answers = {translation.target for translation in translations}
    if len(answers) == 1 < len({references[source] for source in sources}):
        note(
            "note: every dev sentence gets the same translation: this model has learnt too little. Give it more epochs or more pairs."
        )


def _show_figures(screen: Console, training: Training, translator: Translator) -> None:
    path, dev = training.task.path, translator.checkpoint.record["dev"]
    table = plain_table(2)
    table.add_row("saved", f"{path}, {path.stat().st_size / 1e6:.1f} MB")
    table.add_row("best epoch", f"{training.best_epoch} of {training.epoch}")
    table.add_row("dev set", f"chrF {dev['chrf']:.2f}, {dev['exact']:.1%} exactly right")
    table.add_row("time", clock(training.seconds))
    screen.print()
    screen.print(table)


def _show_curve(screen: Console, epochs: Sequence[Epoch]) -> None:
    """Loss and dev chrF over the epochs of this run."""
    table = plain_table(4)
    for name, values in (
        ("loss", [epoch.loss for epoch in epochs]),
        ("chrF", [epoch.scores.chrf for epoch in epochs]),
    ):
        table.add_row(name, f"{values[0]:.2f}", curve(values), f"{values[-1]:.2f}")
    screen.print()
    screen.print(table)


def curve(values: Sequence[float]) -> str:
    """A row of bars from the lowest value to the highest; of many values, as many as there is room for.

    >>> curve([0, 1, 2, 7]), curve([3.0, 3.0]), len(curve(range(1000)))
    ('▁▂▃█', '▁▁', 40)
    """
    chosen = np.asarray(values, float)[
        np.linspace(0, len(values) - 1, min(len(values), WIDEST)).round().astype(int)
    ]
    span = float(np.ptp(chosen)) or 1.0
    return "".join(BARS[round(share * (len(BARS) - 1))] for share in (chosen - chosen.min()) / span)


def _show_sentences(
    screen: Console, translations: Sequence[Translation], references: Sequence[str]
) -> None:
    table = plain_table()
    for heading in ("dev sentence", "translation", "reference"):
        table.add_column(heading, overflow="fold")
    for translation, reference in zip(translations, references, strict=True):
        is_right = translation.target == reference
        table.add_row(translation.source, translation.target, "the same" if is_right else reference)
    screen.print()
    screen.print(table)
