#!/usr/bin/env python3
"""How long one command takes from nothing, against `import torch`, and where the milliseconds go.

    .venv/bin/python tests/benchmarks/cold_start.py

Whole processes, in turns, so that a noisy machine is noisy for all of them; medians of 11 runs, ratios pair by pair.
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
# What `translate` does, step by step, each timed in a process of its own.
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
import io; from translator.cli.terminal import console; from translator.views.heatmap import Heatmap; lap("rich")
console(io.StringIO()).print(Heatmap(translation)); lap("drawing the table")
"""


def run(command: list[object]) -> tuple[float, float]:
    """Seconds and megabytes of one run."""
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
        print(
            f"{name:<26}{seconds:9.3f}{max(measured[name][1] for measured in rounds):7.0f}{ratio:8.3f}{limit}"
        )
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
