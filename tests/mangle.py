"""Mangle files by changing some bytes, and use mangled checkpoints in a worker process.

The worker is a process because SentencePiece and safetensors aren't Python: a bug in them may kill
it, and the test must notice.

    python tests/mangle.py CHECKPOINT SEED COUNT     use COUNT mangled copies; count the outcomes
    python tests/mangle.py CHECKPOINT...             use these as they are; list the outcomes
"""

from __future__ import annotations

import json
import resource
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from hostile import outcome

from translator import TranslatorError
from translator.cli.info import _describe_safely
from translator.evaluation.explanation import explain
from translator.inference.translator import Translator
from translator.storage.checkpoint import Checkpoint
from translator.translation import Translation

# Address space of a worker in bytes: twice what Python and numpy take before any checkpoint.
MEMORY = 2 << 30
LINES = ("I love you", "字 The cat\x00 sat 👩‍👩‍👧 .")
REFUSED, USED = "refused", "used"


def mangled(data: bytes, generator: np.random.Generator) -> bytes:
    """Change the bytes one to three times."""
    for _ in range(generator.integers(1, 4)):
        a, b = sorted(generator.integers(0, len(data) + 1, 2).tolist())
        near = min(b, a + int(generator.integers(1, 16)))
        noise = generator.bytes(near - a)
        flipped = bytes(byte ^ 1 << int(generator.integers(8)) for byte in data[a : a + 1])
        data = [
            data[:a] + flipped + data[a + 1 :],
            data[:a] + noise + data[near:],  # overwritten
            data[:a] + data[near:],  # deleted
            data[:a] + noise + data[a:],  # inserted
            data[:near] + data[a:],  # duplicated
            data[a:near] + data[:a] + data[near:],  # moved to the front
            data[:a] + data[b:],
            data[:a],
            data[:a] + data[b : b + near - a] + data[near:],  # copied from elsewhere
        ][generator.choice(9, p=[0.4, 0.2, 0.08, 0.08, 0.06, 0.04, 0.02, 0.02, 0.1])]
    return data


def use(path: Path) -> str:
    """Do all that the commands do with a checkpoint.

    Return `REFUSED` if loading raises a `TranslatorError`, else `USED`.
    """
    loaded = outcome(Checkpoint.load, path)
    if isinstance(loaded, TranslatorError):
        return REFUSED
    outcome(_describe_safely, path, loaded)
    translator = Translator(loaded)
    for line in LINES:
        translation = next(translator.translate([line], beam_size=2, max_length=6))
        assert Translation.from_json(translation.to_json()) == translation
        translation.merged()
        translator.remarks(line)
        outcome(explain, translator, translation, 2)
        outcome(translator.align, line, "나는 x")
    return USED


def work(path: Path, seed: int, count: int) -> Counter[str]:
    """Use `count` mangled copies of a checkpoint, and count the outcomes.

    If a copy kills the process, you can look at it: its file is still there.
    """
    data, generator = path.read_bytes(), np.random.default_rng(seed)
    copy, counts = path.with_name(f"mangled-{seed}.safetensors"), Counter[str]()
    for _ in range(count):
        copy.write_bytes(mangled(data, generator))
        counts[use(copy)] += 1
    return counts


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    path, *rest = sys.argv[1:]
    if rest and rest[0].isdigit():
        print(json.dumps(work(Path(path), *map(int, rest))))
    else:
        print(json.dumps([use(Path(name)) for name in sys.argv[1:]]))
