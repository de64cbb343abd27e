#!/usr/bin/env python3
"""Measure the memory of `translate` while it translates a million lines.

    .venv/bin/python tests/benchmarks/memory.py [--lines 1000000]

The lines are those of the bundled corpus, repeated. The result doesn't depend on the model, so it
is a small one that trains quickly.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import BinaryIO

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "translator"]
SETTINGS = [
    *("--embedding-size", "16", "--hidden-size", "16", "--vocabulary-size", "300"),
    *("--epochs", "3", "--threads", "1"),
]
SAMPLES = 20


def megabytes(pid: int, name: str) -> float:
    """Return a field of the process's status: VmRSS is its memory now, VmHWM its peak."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(rf"{name}:\s+(\d+) kB", status)[0]) / 1024


def feed(stream: BinaryIO, count: int) -> None:
    """Write `count` lines, and close the stream."""
    rows = (ROOT / "data" / "eng-kor.train.tsv").read_bytes().splitlines()
    lines = itertools.cycle(row.split(b"\t")[0] + b"\n" for row in rows)
    with stream:
        stream.writelines(itertools.islice(lines, count))


def train(checkpoint: str, environment: dict[str, str]) -> None:
    """Train a small model."""
    corpus = str(ROOT / "data" / "phrases.tsv")
    command = [*COMMAND, "train", corpus, "--checkpoint", checkpoint, *SETTINGS]
    subprocess.run(command, check=True, capture_output=True, env=environment)


def translate(checkpoint: str, count: int, environment: dict[str, str]) -> None:
    """Translate `count` lines, and print the memory from time to time."""
    settings = ["--beam-size", "1", "--max-length", "12"]
    began = time.perf_counter()
    process = subprocess.Popen(
        [*COMMAND, "translate", "--checkpoint", checkpoint, *settings],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        bufsize=1 << 20,
    )
    assert process.stdin
    assert process.stdout
    threading.Thread(target=feed, args=(process.stdin, count), daemon=True).start()
    print(f"{'lines':>12}{'MB held':>9}{'MB at most':>12}{'seconds':>9}")
    done = 0
    for done, _ in enumerate(process.stdout, 1):
        if done == 1 or done % max(1, count // SAMPLES) == 0:
            now, peak = (megabytes(process.pid, name) for name in ("VmRSS", "VmHWM"))
            seconds = time.perf_counter() - began
            print(f"{done:12,}{now:9.1f}{peak:12.1f}{seconds:9.0f}", flush=True)
    if process.wait() or done != count:
        sys.exit(f"{done:,} lines came out, of {count:,}; status {process.returncode}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=1_000_000)
    count: int = parser.parse_args().lines
    environment = os.environ | {
        "OMP_NUM_THREADS": "1",
        "XDG_STATE_HOME": tempfile.mkdtemp(),
        "PYTHONPATH": str(ROOT),
    }
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = f"{folder}/small.safetensors"
        train(checkpoint, environment)
        translate(checkpoint, count, environment)


if __name__ == "__main__":
    main()
