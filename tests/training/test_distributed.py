"""Several processes that train one network: they learn what one does, and end together."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from command_line import CommandLine, error_of
from conftest import PAIRS

from translator.storage.checkpoint import Checkpoint

TORCHRUN = [
    sys.executable,
    "-m",
    "torch.distributed.run",
    "--standalone",
    "--nproc-per-node",
    "2",
    "-m",
    "translator",
]
TRAIN = [
    "train",
    "pairs.tsv",
    "--dev",
    "pairs.tsv",
    "--hidden-size",
    "6",
    "--embedding-size",
    "6",
    "--dropout",
    "0",
    "--learning-rate",
    "0.02",
]
LOSS = re.compile(r"^epoch \d+  loss (\d\.\d+)", re.MULTILINE)


@pytest.fixture
def folder(cli: CommandLine, tmp_path: Path) -> Path:
    """The current folder, with a corpus in it."""
    (tmp_path / "pairs.tsv").write_text(
        "".join(f"{pair.source}\t{pair.target}\n" for pair in PAIRS), "utf-8"
    )
    return tmp_path


@contextlib.contextmanager
def start(*options: str) -> Iterator[subprocess.Popen[str]]:
    """A running torchrun, which ends with the test."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    process = subprocess.Popen(
        [*TORCHRUN, *TRAIN, *options], env={**os.environ, "OMP_NUM_THREADS": "1"}, **pipes
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def test_two_ranks_learn_what_one_process_does(folder, cli):
    """Batches of 5, of two ranks' 3 and 2 or 5 together: the last has 2 sentences."""
    alone = cli(
        *TRAIN,
        "--threads",
        1,
        "--batch-size",
        10,
        "--epochs",
        4,
        "--checkpoint",
        "alone.safetensors",
    )
    with start("--batch-size", "5", "--epochs", "4", "--checkpoint", "two.safetensors") as process:
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    # Only one of them prints it.
    assert out == "attn-translate translate --checkpoint two.safetensors 'I love you'\n"
    losses = [list(map(float, LOSS.findall(text))) for text in (alone.err, err)]
    assert len(losses[0]) == 4
    assert losses[1] == pytest.approx(losses[0], abs=2e-3)
    one, two = (
        Checkpoint.load(Path(f"{name}.safetensors")).parameters for name in ("alone", "two")
    )
    assert all(np.median(abs(one[name].astype(float) - two[name])) < 1e-3 for name in one)


def test_a_rank_that_is_killed_ends_the_others_with_a_message(folder):
    with start("--epochs", "100000", "--checkpoint", "two.safetensors") as process:
        assert process.stderr is not None
        while "epoch 2 " not in (line := process.stderr.readline()):
            assert line, "it ended by itself"
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(children[1]), signal.SIGKILL)
        began = time.monotonic()
        _, err = process.communicate(timeout=60)
    assert process.returncode != 0
    assert time.monotonic() - began < 60
    assert (
        "error: another process of this training has ended" in err
        or "interrupted: two.safetensors holds the best model so far" in err
    )


@pytest.mark.parametrize(
    "options", [["--resume"], ["--learning-rate", "5"]], ids=lambda options: options[0]
)
def test_an_error_that_all_ranks_meet_is_reported_once(folder, options):
    with start(*options) as process:
        _, err = process.communicate(timeout=120)
    assert process.returncode != 0
    assert (err.count("error: "), err.count("hint: ")) == (1, 1)


def test_an_error_of_another_machine_is_reported_there(cli, folder, monkeypatch):
    for name, value in (("WORLD_SIZE", "2"), ("RANK", "1"), ("LOCAL_RANK", "0")):
        monkeypatch.setenv(name, value)
    assert error_of(cli("train", "missing.tsv")) == "there is no file missing.tsv"


def test_threads_and_ranks_are_two_ways(cli, folder, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", "0")
    result = cli(*TRAIN, "--threads", 2)
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith("error: torchrun starts a process for each core\nhint: ")
