#!/usr/bin/env python3
"""Measure how long one command takes, compared with `import torch`, and where the time goes.

    .venv/bin/python tests/benchmarks/cold_start.py

Whole processes run in turns, so that noise of the machine affects all of them. The figures are
medians of 11 runs, the ratios those of pairs.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 11
PROGRAM = Path(sys.executable).with_name("attn-translate")
TORCH = [sys.executable, "-c", "import torch"]
COMMANDS = {
    'translate "I love you"': ([PROGRAM, "translate", "I love you"], 0.25),
    "  … --format heatmap": ([PROGRAM, "translate", "--format", "heatmap", "I love you"], 0.25),
    "--help": ([PROGRAM, "--help"], 0.12),
}
# The steps of `translate`, each timed.
STEPS = """
import time
began = time.perf_counter()
def lap(name):
    global began
    now = time.perf_counter()
    print(f"{name}\\t{(now - began) * 1000:.1f}")
    began = now
import translator.cli; lap("typer and the commands")
import numpy; lap("numpy")
import sentencepiece; lap("sentencepiece")
import translator.inference.translator; lap("the rest of the pipeline")
translator = translator.inference.translator.Translator.load(); lap("reading the checkpoint")
translation = next(translator.translate(["I love you"])); lap("encoding and search")
import io
from translator.cli.terminal import console
from translator.views.heatmap import Heatmap; lap("rich")
console(io.StringIO()).print(Heatmap(translation)); lap("drawing the table")
"""


def run(command: list[object]) -> tuple[float, float]:
    """Return the seconds and the megabytes of one run."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    return time.perf_counter() - began, usage.ru_maxrss / 1024


def main() -> None:
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp()
    rounds = []
    for number in range(RUNS + 1):
        measured = {
            "import torch": run(TORCH),
            **{name: run(command) for name, (command, _) in COMMANDS.items()},
        }
        if number:  # the first fills the disk cache
            rounds.append(measured)
    print(f"{'':<26}{'seconds':>9}{'MB':>7}{'ratio':>8}{'limit':>8}")
    for name in rounds[0]:
        seconds = statistics.median(measured[name][0] for measured in rounds)
        ratio = statistics.median(
            measured[name][0] / measured["import torch"][0] for measured in rounds
        )
        limit = f"{COMMANDS[name][1]:8.2f}" if name in COMMANDS else ""
        memory = max(measured[name][1] for measured in rounds)
        print(f"{name:<26}{seconds:9.3f}{memory:7.0f}{ratio:8.3f}{limit}")
    print_steps()


def print_steps() -> None:
    """Print the median time of each step of `translate`."""
    print("\nwhere the milliseconds of translate go (median of 5)")
    times: dict[str, list[float]] = {}
    for _ in range(5):
        lines = subprocess.run(
            [sys.executable, "-c", STEPS], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for line in lines:
            name, milliseconds = line.split("\t")
            times.setdefault(name, []).append(float(milliseconds))
    bare = statistics.median(run([sys.executable, "-c", ""])[0] for _ in range(5)) * 1000
    for name, milliseconds in {
        "the interpreter": bare,
        **{name: statistics.median(values) for name, values in times.items()},
    }.items():
        print(f"{name:<26}{milliseconds:7.1f}")


if __name__ == "__main__":
    main()
