"""Much of the same, one after the other: nothing grows, nothing is left behind."""

from __future__ import annotations

import gc
import os
import tempfile
from pathlib import Path

import pytest
from command_line import CommandLine
from conftest import PAIRS

TRAIN = (
    "train",
    "pairs.tsv",
    "--dev",
    "pairs.tsv",
    "--hidden-size",
    16,
    "--embedding-size",
    16,
    "--epochs",
    2,
    "--force",
)
TRAININGS, WARM = 30, 5
GROWTH = 20  # MB that the allocator may keep between the fifth training and the last


def megabytes() -> float:
    """What this process holds now."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def held() -> tuple[int, int]:
    """Open descriptors, and child processes."""
    return len(list(Path("/proc/self/fd").iterdir())), len(
        Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    )


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_thirty_trainings_leave_nothing_behind(
    cli: CommandLine, tmp_path: Path, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pairs.tsv").write_text(
        "".join(f"{pair.source}\t{pair.target}\n" for pair in PAIRS), "utf-8"
    )
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    seen = []
    for number in range(TRAININGS):
        assert cli(*TRAIN, "--threads", threads, "--seed", number).status == 0
        seen.append((megabytes(), *held()))
    warm, last = seen[WARM - 1], seen[-1]
    memory = f"{warm[0]:.0f} MB after {WARM}, {last[0]:.0f} MB after {TRAININGS}"
    print(f"{threads} threads: {memory}; {last[1]} descriptors, {last[2]} children")
    assert last[0] - warm[0] < GROWTH
    assert last[1:] == warm[1:]
    assert sorted(path.name for path in (tmp_path / "checkpoints").iterdir()) == [
        "pairs.safetensors",
        "pairs.training.safetensors",
    ]
    assert not list(scratch.iterdir())
