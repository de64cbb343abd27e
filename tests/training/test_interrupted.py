"""Killed trainings: the files are complete, and a resumed one ends like an uninterrupted one."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from command_line import CommandLine
from conftest import PAIRS

from translator.storage.checkpoint import Checkpoint, load_training_state, training_state_path

TRAIN = (
    "train",
    "pairs.tsv",
    "--dev",
    "pairs.tsv",
    "--hidden-size",
    6,
    "--embedding-size",
    6,
    "--threads",
    1,
)
KILLS = 20


@pytest.fixture
def folder(cli: CommandLine, tmp_path: Path) -> Path:
    """The current folder, with a corpus in it."""
    (tmp_path / "pairs.tsv").write_text(
        "".join(f"{pair.source}\t{pair.target}\n" for pair in PAIRS), "utf-8"
    )
    return tmp_path


def until_an_epoch(process: subprocess.Popen[bytes]) -> None:
    """Wait until the training has printed an epoch, so it has saved it."""
    assert process.stderr is not None
    while not (line := process.stderr.readline()).startswith(b"epoch"):
        assert line, "it ended by itself"


@pytest.mark.case(30)
def test_a_training_that_is_asked_to_end_tells_how_to_go_on(cli, folder):
    with cli.start(*TRAIN, "--epochs", 100_000, "--checkpoint", "model.safetensors") as process:
        until_an_epoch(process)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert b"interrupted: model.safetensors holds the best model so far" in err
    assert b"--resume" in err
    assert b"Traceback" not in err


@pytest.mark.case(30, 33)
@pytest.mark.slow
def test_twenty_kills_lose_nothing(cli, folder):
    """SIGKILL at random moments, often while saving, then `--resume`, until it is done."""
    whole, killed = Path("whole.safetensors"), Path("killed.safetensors")
    epochs = ("--epochs", 3_000)
    assert cli.process(*TRAIN, *epochs, "--checkpoint", whole, "--seed", 3, limit=600).status == 0
    moments = random.Random(1)
    for number in range(KILLS):
        go_on = ("--resume",) if number else (*epochs, "--seed", 3)
        with cli.start(*TRAIN, "--checkpoint", killed, *go_on) as process:
            until_an_epoch(process)
            time.sleep(moments.uniform(0, 0.5))
            process.kill()
            process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert Checkpoint.load(killed).parameters
        load_training_state(killed)
    assert cli.process(*TRAIN, "--checkpoint", killed, "--resume", limit=600).status == 0
    one, other = (load_training_state(path)[0] for path in (whole, killed))
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[name], other[name]) for name in one)
    best, same = (Checkpoint.load(path).parameters for path in (whole, killed))
    assert all(np.array_equal(best[name], same[name]) for name in best)
    files = {path for one in (whole, killed) for path in (one, training_state_path(one))}
    assert set(folder.glob("*.safetensors")) == {folder / path for path in files}
