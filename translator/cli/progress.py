"""The progress of a training: a live display, plain lines, and a learning curve as a picture.

The live display needs a terminal that is wide enough. Otherwise each epoch gets one line.
"""

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

SHOWN_EPOCHS = 12  # in the live table
MIN_WIDTH = 50  # cells of the live table; a narrower terminal would cut its numbers


class Progress:
    """A context that shows a training's epochs on stderr, and draws them as SVG if wanted."""

    def __init__(self, training: Training, plot: Path | None = None) -> None:
        self.training, self.plot = training, plot
        self.epochs: list[Epoch] = []
        screen = console(sys.stderr)
        self.live: Live | None = None
        # Ask the stream, not rich: with FORCE_COLOR rich takes a pipe for a terminal.
        is_terminal = sys.stderr.isatty() and not screen.is_dumb_terminal
        if is_terminal and screen.width >= MIN_WIDTH:
            self.live = Live(console=screen, get_renderable=self._render, refresh_per_second=4)

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
        """Show a finished epoch."""
        self.epochs.append(epoch)
        if self.live is None:
            note(_plain_line(epoch, self.training))
        if self.plot is not None:
            self._draw(self.plot)

    def _draw(self, plot: Path) -> None:
        """Write the learning curve so far. If that fails, print a note and go on training."""
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
        status = Table.grid(padding=(0, 1))
        status.add_row(
            ProgressBar(total=1, completed=training.progress, width=30),
            f"{training.progress:4.0%}",
            f"epoch {training.epoch}, {_times(training.seconds, training.seconds_left)}",
        )
        return Group(self._table(), status, self._sample())

    def _table(self) -> Table:
        table = Table(box=None, padding=(0, 1))
        for heading in ("epoch", "loss", "chrF", "exact", "pieces/s", ""):
            table.add_column(heading, justify="right")
        for epoch in self.epochs[-SHOWN_EPOCHS:]:
            table.add_row(
                str(epoch.number),
                f"{epoch.loss:.3f}",
                f"{epoch.scores.chrf:.2f}",
                f"{epoch.scores.exact:.1%}",
                f"{epoch.pieces_per_second:,.0f}",
                "best" if epoch.is_best else "",
            )
        return table

    def _sample(self) -> Text:
        source = self.training.task.sample_source
        return Text(f"{source} → {self.epochs[-1].sample.target if self.epochs else '…'}")


def _plain_line(epoch: Epoch, training: Training) -> str:
    """Describe an epoch in one line, for files and pipes."""
    parts = [
        f"epoch {epoch.number}",
        f"loss {epoch.loss:.3f}",
        f"chrF {epoch.scores.chrf:.2f}",
        f"exact {epoch.scores.exact:.1%}",
        f"{epoch.pieces_per_second:,.0f} pieces/s",
        _times(epoch.seconds, epoch.seconds_left),
        *(["best"] if epoch.is_best else []),
        f"{training.task.sample_source} → {epoch.sample.target}",
    ]
    return "  ".join(parts)


def _times(seconds: float, seconds_left: float) -> str:
    return f"{clock(seconds)} gone, {clock(seconds_left)} left"


def clock(seconds: float) -> str:
    """Write a number of seconds as minutes and seconds, or with hours.

    >>> clock(75.2), clock(3700), clock(float("inf"))
    ('1:15', '1:01:40', '–:––')
    """
    if seconds == float("inf"):
        return "–:––"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
