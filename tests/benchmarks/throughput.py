#!/usr/bin/env python3
"""Measure how many sentences per second are translated, greedily and with beam 5, on one thread.

    .venv/bin/python tests/benchmarks/throughput.py [--lines 20000] [--rounds 3] [--epochs 4]

All models have the same shape: bidirectional GRU, embeddings 128, hidden 256, additive attention
with input feeding, 2,000 pieces per side. A batch has 64 sentences.

The first table measures the whole command on different lines of the bundled corpus, minus its time
for one line. The second compares it with JoeyNMT and OpenNMT-py, if `../shared/bench/peers.py` has
installed them below $PEERS. All three are trained on the same pairs for the same number of epochs.
They translate the same 406 lines in turns, and only the translation is timed. Compare ratios of one
run only. After few epochs all three write a few pieces per line, so reading takes most of the time;
after 15 they write sentences.
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

ROOT = Path(__file__).resolve().parents[2]
PEERS_SCRIPT = ROOT.parent / "shared" / "bench" / "peers.py"
PEERS = Path(os.environ.get("PEERS") or Path(tempfile.gettempdir()) / "attn-peers")
WANTED = {"joeynmt": 10, "opennmt": 5}  # times as fast as each
BEAMS = {1: "greedy", 5: "beam 5"}
SHAPE = [
    "--attention",
    "additive",
    "--embedding-size",
    128,
    "--hidden-size",
    256,
    "--vocabulary-size",
    2000,
    "--batch-size",
    64,
    "--threads",
    1,
]
# Pairs of the bundled corpus, enough for the first table's model to learn when a sentence ends.
PAIRS = 12_000
ENVIRONMENT = os.environ | {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "XDG_STATE_HOME": tempfile.mkdtemp(),
    "PYTHONPATH": str(ROOT),
}
TRANSLATE_ALONE = """
import sys, time
from translator import Translator
checkpoint, file, beam_size = sys.argv[1], sys.argv[2], int(sys.argv[3])
translator, lines = Translator.load(checkpoint), open(file, encoding="utf-8").read().splitlines()
list(translator.translate(lines[:64], beam_size=beam_size))
began = time.perf_counter()
for _ in range(5):  # so few lines take only a fifth of a second
    for translation in translator.translate(lines, beam_size=beam_size, batch_size=64):
        print(translation.target)
print(5 * len(lines) / (time.perf_counter() - began), file=sys.stderr)
"""


def run(*command: object) -> subprocess.CompletedProcess[str]:
    """Run a process on one thread; if it fails, print its last words and exit."""
    done = subprocess.run(
        [str(part) for part in command], env=ENVIRONMENT, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{(done.stderr or '')[-1500:]}")
    return done


def train(checkpoint: Path, *corpus: object, epochs: int) -> Path:
    """Train a model of the peers' shape."""
    run(
        sys.executable,
        "-m",
        "translator",
        "train",
        *corpus,
        "--checkpoint",
        checkpoint,
        "--epochs",
        epochs,
        "--force",
        *SHAPE,
    )
    return checkpoint


def seconds(checkpoint: Path, file: Path, beam_size: int) -> float:
    """Return the seconds of the whole command for the lines of a file."""
    command = [
        sys.executable,
        "-m",
        "translator",
        "translate",
        "--checkpoint",
        checkpoint,
        "--beam-size",
        beam_size,
        "--batch-size",
        64,
    ]
    began = time.perf_counter()
    with file.open() as lines:
        subprocess.run(
            [str(part) for part in command],
            stdin=lines,
            capture_output=True,
            check=True,
            env=ENVIRONMENT,
        )
    return time.perf_counter() - began


def whole_files(folder: Path, count: int) -> None:
    """Print the first table."""
    rows = (ROOT / "data" / "eng-kor.train.tsv").read_text("utf-8").splitlines()
    few, lines, one = folder / "few.tsv", folder / "lines.txt", folder / "one.txt"
    few.write_text("\n".join(rows[:: len(rows) // PAIRS]) + "\n", "utf-8")
    different = list(dict.fromkeys(row.split("\t")[0] for row in rows))
    chosen = different[:: max(1, len(different) // count)][:count]
    lines.write_text("\n".join(chosen) + "\n", "utf-8")
    one.write_text(chosen[0] + "\n", "utf-8")
    checkpoint = train(
        folder / "bundled.safetensors", few, "--dropout", 0, "--learning-rate", 0.005, epochs=1
    )
    print(f"\ntranslate < {len(chosen):,} different lines of the bundled corpus")
    for beam_size, name in BEAMS.items():
        start = min(seconds(checkpoint, one, beam_size) for _ in range(3))
        taken = seconds(checkpoint, lines, beam_size) - start
        rate = f"{len(chosen) / taken:7,.0f} sentences/s"
        print(f"{name:<10}{rate} (start-up {start:.2f} s left out)", flush=True)


def side_by_side(folder: Path, rounds: int, epochs: int) -> None:
    """Print the second table."""
    work = PEERS / "work"
    missing = [peer for peer in WANTED if not (PEERS / peer / "bin" / "python").exists()]
    if missing or not PEERS_SCRIPT.exists():
        setup = f"`PEERS=… python3 {PEERS_SCRIPT} setup`, 3 GB"
        print(f"\nno peers: {', '.join(missing) or PEERS_SCRIPT} missing ({setup})")
        return
    for peer in WANTED:
        run(sys.executable, PEERS_SCRIPT, "train", peer, "--epochs", epochs)
    sides = ("--source", work / "train.en", "--target", work / "train.ko")
    checkpoint = train(
        folder / "tatoeba.safetensors",
        *sides,
        "--dropout",
        0.25,
        "--learning-rate",
        0.001,
        epochs=epochs,
    )
    print(f"\nside by side after {epochs} epochs, sentences/s, median of {rounds} rounds")
    print("(a ratio is the median of the rounds' ratios)")
    heads = "".join(f"{peer:>10}{'ratio':>8}{'wanted':>8}" for peer in WANTED)
    print(f"{'':<10}{'this':>8}{heads}")
    for beam_size, name in BEAMS.items():
        measured = [_round(checkpoint, work / "dev.en", beam_size) for _ in range(rounds)]
        row = f"{name:<10}{statistics.median(rates['this'] for rates in measured):8,.0f}"
        for peer, wanted in WANTED.items():
            rate = statistics.median(rates[peer] for rates in measured)
            ratio = statistics.median(rates["this"] / rates[peer] for rates in measured)
            row += f"{rate:10,.0f}{ratio:8.1f}{wanted:8}"
        print(row, flush=True)


def _round(checkpoint: Path, file: Path, beam_size: int) -> dict[str, float]:
    """Return each program's sentences per second.

    Ours is measured before and after each peer, so that a drift of the machine cancels out.
    """
    ours = [_rate_of_ours(checkpoint, file, beam_size)]
    rates = {}
    for peer in WANTED:
        output = run(sys.executable, PEERS_SCRIPT, "translate", peer, "--beam", beam_size).stdout
        ((sentences, seconds),) = re.findall(r"\((\d+) in ([\d.]+) s\)", output)[:1]
        rates[peer] = float(sentences) / float(seconds)
        ours.append(_rate_of_ours(checkpoint, file, beam_size))
    return {"this": statistics.mean(ours), **rates}


def _rate_of_ours(checkpoint: Path, file: Path, beam_size: int) -> float:
    done = run(sys.executable, "-c", TRANSLATE_ALONE, checkpoint, file, beam_size)
    return float(done.stderr.split()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--epochs", type=int, default=4, help="training epochs of the second table's models"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        whole_files(Path(folder), options.lines)
        side_by_side(Path(folder), options.rounds, options.epochs)


if __name__ == "__main__":
    main()
