#!/usr/bin/env python3
"""Measure how training scales with the corpus: start-up, speed and memory up to a million pairs.

    .venv/bin/python tests/benchmarks/scale.py

The corpora are made of short lines of the bundled corpus, joined two by two. Each runs in its own
process.
"""

from __future__ import annotations

import itertools
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from translator.settings import CORES, ModelConfig, TrainingConfig, bundled
from translator.text.corpus import read_corpus
from translator.training.training import Task, Training

SIZES = (3_000, 30_000, 300_000, 1_000_000)
WINDOW, WINDOWS, LEFT_OUT = 40, 8, 2  # steps; the first windows warm up


def write(path: Path, size: int) -> None:
    """Write `size` different pairs, each of two short lines."""
    pairs = [
        pair
        for pair in read_corpus(bundled("data/eng-kor.train.tsv"))[0]
        if len(pair.source.split()) <= 5 and pair.source[-1] in ".?!"
    ]
    generator = np.random.default_rng(1)
    with path.open("w", encoding="utf-8") as file:
        seen: set[tuple[int, int]] = set()
        while len(seen) < size:
            first, second = map(int, generator.integers(len(pairs), size=2))
            if (first, second) not in seen:
                seen.add((first, second))
                one, other = pairs[first], pairs[second]
                source, target = f"{one.source} {other.source}", f"{one.target} {other.target}"
                file.write(f"{source}\t{target}\n")


def learn(path: Path) -> None:
    """Print the seconds to the first step, the pieces per second, and the megabytes."""
    began = time.perf_counter()
    pairs, _ = read_corpus(path)
    settings = TrainingConfig.for_corpus(30_000, threads=CORES)
    task = Task(pairs, pairs[:10], path.with_suffix(".safetensors"))
    tokenizers = task.tokenizers(settings)
    training = Training(task, ModelConfig(*map(len, tokenizers)), settings, tokenizers)
    training.optimizer.seed(1)
    passes = (
        training.encoded.batches(settings.batch_size, np.random.default_rng(epoch))
        for epoch in itertools.count(1)
    )
    batches = itertools.chain.from_iterable(passes)
    training.optimizer.learn(next(batches), 1e-3)
    first, rates = time.perf_counter() - began, []
    for _ in range(WINDOWS):
        pieces, began = 0, time.perf_counter()
        for batch in itertools.islice(batches, WINDOW):
            training.optimizer.learn(batch, 1e-3)
            pieces += int(batch.target_lengths.sum())
        rates.append(pieces / (time.perf_counter() - began))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rate = statistics.median(rates[LEFT_OUT:])
    speed = f"{rate:7,.0f} target pieces/s, {memory:6,.0f} MB"
    print(f"{len(pairs):9,} pairs: first step after {first:5.1f} s, {speed}")


def main() -> None:
    """Measure each size."""
    if len(sys.argv) == 2:
        learn(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            path = Path(folder) / f"{size}.tsv"
            write(path, size)
            subprocess.run([sys.executable, __file__, str(path)], check=True)


if __name__ == "__main__":
    main()
