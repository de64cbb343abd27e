#!/usr/bin/env python3
"""How much memory `translate` holds while a million lines go through it.

    .venv/bin/python tests/benchmarks/memory.py [--lines 1000000]

The lines are the bundled corpus' own, over and over. What is measured doesn't depend on the model, so a small one that is quickly trained does.
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
SIZE = [
    "--embedding-size",
    "16",
    "--hidden-size",
    "16",
    "--vocabulary-size",
    "300",
    "--epochs",
    "3",
    "--threads",
    "1",
]
SAMPLES = 20


def megabytes(pid: int, name: str) -> float:
    """A field of the process's status: VmRSS is what it holds now, VmHWM the most it ever held."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(rf"{name}:\s+(\d+) kB", status)[0]) / 1024


def feed(stream: BinaryIO, count: int) -> None:
    """Write so many lines, and close."""
    rows = (ROOT / "data" / "eng-kor.train.tsv").read_bytes().splitlines()
    lines = itertools.cycle(row.split(b"\t")[0] + b"\n" for row in rows)
    with stream:
        stream.writelines(itertools.islice(lines, count))


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
        train = [
            *COMMAND,
            "train",
            str(ROOT / "data" / "phrases.tsv"),
            "--checkpoint",
            checkpoint,
            *SIZE,
        ]
        subprocess.run(train, check=True, capture_output=True, env=environment)
        translate = [
            *COMMAND,
            "translate",
            "--checkpoint",
            checkpoint,
            "--beam-size",
            "1",
            "--max-length",
            "12",
        ]
        began = time.perf_counter()
        process = subprocess.Popen(
            translate,
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
                row = f"{megabytes(process.pid, 'VmRSS'):9.1f}{megabytes(process.pid, 'VmHWM'):12.1f}{time.perf_counter() - began:9.0f}"
                print(f"{done:12,}{row}", flush=True)
        if process.wait() or done != count:
            sys.exit(f"{done:,} lines came out, of {count:,}; status {process.returncode}")


if __name__ == "__main__":
    main()
