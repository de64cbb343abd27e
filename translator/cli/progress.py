"""How a training is watched: a live display at a terminal that has room for it, else one plain line an epoch; on demand a picture beside it."""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from translator.cli.terminal import console, note

if TYPE_CHECKING:
    from translator.training.training import Epoch, Training

SHOWN = 12  # epochs in the live table
NEEDED = 50  # cells of the live table; on less its numbers would be cut


class Progress:
    """A context in which a training's epochs are shown on stderr, and drawn into an SVG file if one is named."""

    def __init__(self, training: Training, plot: Path | None = None) -> None:
        self.training, self.plot = training, plot
        self.epochs: list[Epoch] = []
        screen = console(sys.stderr)
        is_live = (
            sys.stderr.isatty() and not screen.is_dumb_terminal and screen.width >= NEEDED
        )  # FORCE_COLOR makes a pipe a terminal for rich
        self.live = (
            Live(console=screen, get_renderable=self._render, refresh_per_second=4)
            if is_live
            else None
        )

    def __enter__(self) -> Progress:
        if self.live is not None:
            self.live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.live is not None:
            self.live.stop()

    def show(self, epoch: Epoch) -> None:
        """Take up a finished epoch."""
        self.epochs.append(epoch)
        if self.live is None:
            note(_plain(epoch, self.training))
        if self.plot is not None:
            self._draw(self.plot)

    def _draw(self, plot: Path) -> None:
        """Write the learning curve so far. A picture that can't be written is a note: the training is worth more."""
        from translator.files import replace_file
        from translator.views.plot import EpochRow, learning_curve

        rows = [
            EpochRow(epoch.number, epoch.loss, epoch.scores.chrf, epoch.scores.exact)
            for epoch in self.epochs
        ]
        try:
            replace_file(plot, learning_curve(rows).encode())
        except OSError as error:
            note(f"note: can't write {plot}: {error.strerror}")

    def _render(self) -> RenderableType:
        training = self.training
        done = Table.grid(padding=(0, 1))
        done.add_row(
            ProgressBar(total=1, completed=training.progress, width=30),
            f"{training.progress:4.0%}",
            f"epoch {training.epoch}, {clock(training.seconds)} gone, {clock(training.seconds_left)} left",
        )
        return Group(self._table(), done, self._sample())

    def _table(self) -> Table:
        table = Table(box=None, padding=(0, 1))
        for heading in ("epoch", "loss", "chrF", "exact", "pieces/s", ""):
            table.add_column(heading, justify="right")
        for epoch in self.epochs[-SHOWN:]:
            scores = epoch.scores
            rate, best = f"{epoch.pieces_per_second:,.0f}", "best" if epoch.is_best else ""
            table.add_row(
                str(epoch.number),
                f"{epoch.loss:.3f}",
                f"{scores.chrf:.2f}",
                f"{scores.exact:.1%}",
                rate,
                best,
            )
        return table

    def _sample(self) -> Text:
        source = self.training.task.sample_source
        return Text(f"{source} → {self.epochs[-1].sample.target if self.epochs else '…'}")


def _plain(epoch: Epoch, training: Training) -> str:
    """One line an epoch, for files and pipes."""
    scores = epoch.scores
    return (
        f"epoch {epoch.number}  loss {epoch.loss:.3f}  chrF {scores.chrf:.2f}  exact {scores.exact:.1%}  "
        f"{epoch.pieces_per_second:,.0f} pieces/s  {clock(epoch.seconds)} gone, {clock(epoch.seconds_left)} left"
        f"{'  best' if epoch.is_best else ''}  {training.task.sample_source} → {epoch.sample.target}"
    )


def clock(seconds: float) -> str:
    """Seconds as a person reads them.

    >>> clock(75.2), clock(3700), clock(float("inf"))
    ('1:15', '1:01:40', '–:––')
    """
    if seconds == float("inf"):
        return "–:––"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
