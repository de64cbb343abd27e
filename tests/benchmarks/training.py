#!/usr/bin/env python3
"""Measure the target pieces per second in training, also of JoeyNMT 2.3 and OpenNMT-py 3.5.

    .venv/bin/python tests/benchmarks/training.py [--rounds 3]

All learn the same pairs with the same shape: GRU, bidirectional encoder, embeddings 128, hidden
256, one layer, additive attention with the context fed back, 2,000 pieces per side, dropout 0.25,
label smoothing 0.1, batches of 64, one thread on one core. They run in turns, each peer between two
of ours, so that noise of the machine affects all. Each figure is the median of windows of 24 steps;
it counts `</s>` but not padding. `../shared/bench/peers.py setup` installs the peers, in the folder
that PEERS names. Without them only our own figures are printed.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from translator.settings import CORES, ModelConfig, TrainingConfig, bundled
from translator.text.corpus import read_corpus
from translator.training.batches import EncodedPairs
from translator.training.optimization import Optimizer
from translator.training.training import Task

SHARED = Path(__file__).resolve().parents[3] / "shared"
PEERS = Path(os.environ.get("PEERS") or Path(tempfile.gettempdir()) / "attn-peers")
TATOEBA = SHARED / "data" / "tatoeba-eng-kor" / "train.tsv"
WINDOW, WINDOWS, LEFT_OUT = 24, 8, 2  # steps; the first windows warm up
PEER_SHAPE = {
    "hidden_size": 256,
    "batch_size": 64,
    "dropout": 0.25,
    "label_smoothing": 0.1,
    "learning_rate": 1e-3,
}
OURS = {
    "additive, the peers' shape": {**PEER_SHAPE, "attention": "additive"},
    "scaled-dot, the peers' shape": {**PEER_SHAPE, "attention": "scaled-dot"},
    "default for large corpora": {},
    "default, additive": {"attention": "additive"},
    f"default, {CORES} threads": {"threads": CORES},
}


def measure(
    attention: str = "scaled-dot", hidden_size: int = 128, threads: int = 1, **settings: float
) -> float:
    """Return this program's target pieces per second, the median of windows."""
    pairs, _ = read_corpus(
        TATOEBA if settings and TATOEBA.exists() else bundled("data/eng-kor.train.tsv")
    )
    chosen = TrainingConfig.for_corpus(100_000, threads=threads, **settings)
    tokenizers = Task(pairs, pairs, Path()).tokenizers(chosen)
    encoded = EncodedPairs.encode(*tokenizers, pairs)
    optimizer = Optimizer(
        ModelConfig(*map(len, tokenizers), attention=attention, hidden_size=hidden_size), chosen
    )
    generator, rates, pieces, began = np.random.default_rng(1), [], 0, time.perf_counter()
    steps = 0
    while len(rates) < WINDOWS + LEFT_OUT:
        for batch in encoded.batches(chosen.batch_size, generator):
            optimizer.learn(batch, chosen.learning_rate)
            pieces, steps = pieces + int(batch.target_lengths.sum()), steps + 1
            if steps % WINDOW == 0:
                now = time.perf_counter()
                rates.append(pieces / (now - began))
                pieces, began = 0, now
                if len(rates) == WINDOWS + LEFT_OUT:
                    break
    return statistics.median(rates[LEFT_OUT:])


def pinned(threads: int) -> list[str]:
    """Return the command prefix that limits a process to `threads` cores."""
    return ["taskset", "-c", ",".join(map(str, range(threads)))]


def ours(name: str) -> float:
    """Measure one row of `OURS` in a process of its own."""
    threads = int(OURS[name].get("threads", 1))
    command = [*pinned(threads), sys.executable, __file__, "--measure", name]
    return float(
        subprocess.run(
            command,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )


def peer(name: str) -> float:
    """Let `peers.py` measure a peer, on core 0."""
    command = [sys.executable, str(SHARED / "bench" / "peers.py"), "train", name, "--epochs", "4"]
    done = subprocess.run(
        command,
        env=os.environ | {"PEERS": str(PEERS), "PEERS_CPU": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"(\d+) target pieces/s", done.stdout)
    assert found, done.stdout
    return float(found[1])


def main() -> None:
    """Measure everything in turns, and print medians and ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", choices=OURS, help="one of ours, once; prints a number")
    options = parser.parse_args()
    if options.measure:
        print(measure(**OURS[options.measure]))
        return
    peers = [name for name in ("joeynmt", "opennmt") if (PEERS / name / "bin" / "python").exists()]
    additive, scaled, *defaults = OURS
    turns = [name for peer in peers for name in (additive, peer, scaled)] or [
        additive,
        scaled,
    ]  # each peer between two of ours
    found: dict[str, list[float]] = {name: [] for name in (*OURS, *peers)}
    for _ in range(options.rounds):
        for name in (*turns, *defaults):
            found[name].append(peer(name) if name in peers else ours(name))
    print(f"target pieces a second, median of {options.rounds} rounds (lowest–highest)")
    for name, rates in found.items():
        print(
            f"  {name:32} {statistics.median(rates):8,.0f}  ({min(rates):,.0f}–{max(rates):,.0f})"
        )
    for number, name in enumerate(peers):
        for mine in (additive, scaled):
            ratios = [
                a / b for a, b in zip(found[mine][number :: len(peers)], found[name], strict=True)
            ]
            spread = f"({min(ratios):.2f}–{max(ratios):.2f})"
            print(f"  {mine} ÷ {name}: {statistics.median(ratios):.2f}  {spread}")
    if not peers:
        print("  no peers: install them with ../shared/bench/peers.py setup")


if __name__ == "__main__":
    main()
