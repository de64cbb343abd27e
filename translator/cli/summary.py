"""The summary of a training: its scores, its learning curve, and five translated dev sentences."""

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
MAX_BARS = 40  # of a curve
SHOWN_SENTENCES = 5  # of the dev set
CHECKED_SENTENCES = 100  # of the dev set, whose translations mustn't all be the same


def show_summary(training: Training, epochs: Sequence[Epoch]) -> None:
    """Print the summary, and a note if the model gives every sentence the same translation."""
    task, screen = training.task, console(sys.stderr)
    translator = Translator.load(task.path)
    references = {pair.source: pair.target for pair in task.dev}
    sources = list(references)[:CHECKED_SENTENCES]
    translations = list(translator.translate(sources, beam_size=1))
    expected = [references[source] for source in sources]
    _show_scores(screen, training, translator)
    if epochs:  # a resumed training may have had none left
        _show_curve(screen, epochs)
    _show_sentences(screen, translations[:SHOWN_SENTENCES], expected[:SHOWN_SENTENCES])
    targets = {translation.target for translation in translations}
    if len(targets) == 1 < len(set(expected)):
        reason = "this model has learned too little. Give it more epochs or more pairs."
        note(f"note: every dev sentence gets the same translation: {reason}")


def _show_scores(screen: Console, training: Training, translator: Translator) -> None:
    path, dev = training.task.path, translator.checkpoint.record["dev"]
    table = plain_table(2)
    table.add_row("saved", f"{path}, {path.stat().st_size / 1e6:.1f} MB")
    table.add_row("best epoch", f"{training.best_epoch} of {training.epoch}")
    table.add_row("dev set", f"chrF {dev['chrf']:.2f}, {dev['exact']:.1%} exactly right")
    table.add_row("time", clock(training.seconds))
    screen.print()
    screen.print(table)


def _show_curve(screen: Console, epochs: Sequence[Epoch]) -> None:
    """Print the loss and the dev chrF of this run's epochs."""
    table = plain_table(4)
    losses = [epoch.loss for epoch in epochs]
    chrfs = [epoch.scores.chrf for epoch in epochs]
    for name, values in (("loss", losses), ("chrF", chrfs)):
        table.add_row(name, f"{values[0]:.2f}", curve(values), f"{values[-1]:.2f}")
    screen.print()
    screen.print(table)


def curve(values: Sequence[float]) -> str:
    """Draw the values as a row of bars, scaled from the lowest value to the highest.

    If there are more values than `MAX_BARS`, an even selection is drawn.

    >>> curve([0, 1, 2, 7]), curve([3.0, 3.0]), len(curve(range(1000)))
    ('▁▂▃█', '▁▁', 40)
    """
    positions = np.linspace(0, len(values) - 1, min(len(values), MAX_BARS)).round().astype(int)
    chosen = np.asarray(values, float)[positions]
    heights = (chosen - chosen.min()) / (float(np.ptp(chosen)) or 1.0)  # 0 to 1
    return "".join(BARS[round(height * (len(BARS) - 1))] for height in heights)


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
