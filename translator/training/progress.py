"""How far a training is in its plan, which sets the learning rate and the end."""

from __future__ import annotations

import math
import time

from translator.settings import TrainingConfig

# What the state for `--resume` keeps of a `Progress`; `seconds` comes back as `seconds_before`.
KEPT = ("step", "steps_an_epoch", "round", "best_epoch", "improved_round", "best_score", "counts")


class Progress:
    """The steps, rounds, time and scores of a training, compared with its plan."""

    def __init__(self, settings: TrainingConfig, steps_an_epoch: int, rounds_an_epoch: int) -> None:
        self.settings = settings
        self.steps_an_epoch, self.rounds_an_epoch = steps_an_epoch, rounds_an_epoch
        self.step = self.round = 0
        self.best_epoch: float = 0  # the checkpoint's
        self.improved_round = 0  # the first one with the best score
        self.best_score = -1.0
        self.counts = False  # whether scores count: the start of the plan is over
        self.seconds_before = 0.0  # in the parts before `--resume`
        self.scoring_seconds = 0.0  # in the last scoring and saving
        self.began = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds since the training began, with the earlier parts of a resumed one."""
        return self.seconds_before + time.perf_counter() - self.began

    @property
    def epoch(self) -> float:
        """Passes over the corpus, including the current round."""
        done, rest = divmod(self.round, self.rounds_an_epoch)
        return round(self.round / self.rounds_an_epoch, 2) if rest else done

    @property
    def progress(self) -> float:
        """The completed share of the plan, 0 to 1: of its steps, or of its time.

        A plan by time reserves as many seconds as the last scoring took.
        """
        if self.settings.minutes is None:
            return self.step / (self.settings.epochs * self.steps_an_epoch)
        return min(1.0, (self.seconds + self.scoring_seconds) / (60 * self.settings.minutes))

    @property
    def is_over(self) -> bool:
        """Whether the plan is done, or the dev score has stopped improving."""
        if self.step == 0:  # even if start-up used up the time, one step makes a whole checkpoint
            return False
        patience = self.settings.patience
        if patience is None or not self.counts:
            return self.progress >= 1
        return self.progress >= 1 or self.round - self.improved_round >= patience

    @property
    def seconds_left(self) -> float:
        """Estimated seconds until the end of the plan; early stopping may come first."""
        return self.seconds * (1 / self.progress - 1) if self.progress > 0 else math.inf

    def _schedule(self, progress: float) -> float:
        """Give the factor of the learning rate: linear warm-up to 1, then linear decay to 0."""
        warmup = self.settings.warmup
        # At rate 0 the first step would change nothing.
        rise = max(progress, 1e-3) / warmup if progress < warmup else 1.0
        return min(rise, (1 - progress) / (1 - warmup) if warmup < 1 else 1.0)
