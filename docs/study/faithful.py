"""The faithfulness of the shipped checkpoint. Never cached: the checkpoint may have changed."""

from __future__ import annotations

import hashlib

from docs.study.report import table
from translator.evaluation.faithfulness import faithfulness
from translator.evaluation.scores import measure, summarise
from translator.inference.translator import BEAM_SIZE, Translator
from translator.settings import bundled
from translator.text.corpus import read_corpus

CHECKPOINT = "checkpoints/default.safetensors"
TESTS = ("test", "compose", "long")


def faithfulness_block(limit: int | None = None) -> str:
    """Give the table of `evaluate --faithfulness` on each test set, with at most `limit` lines."""
    path = bundled(CHECKPOINT)
    translator = Translator.load(path)
    rows = []
    for name in TESTS:
        pairs, _ = read_corpus(bundled(f"data/eng-kor.{name}.tsv"))
        measured = list(measure(translator, pairs[:limit], beam_size=BEAM_SIZE))
        result = faithfulness(translator, [one.translation for one in measured])
        summary = summarise(measured)
        interval = "" if result.interval is None else f" ± {result.interval:.3f}"
        aer = "–" if summary.aer is None else f"{summary.aer:.3f}"
        exact = f"{summary.scores.exact:.1%}".replace("%", " %")
        falls = [f"{result.attended:.3f}", f"{result.random:.3f}"]
        difference = f"{result.difference:.3f}{interval}"
        rows.append([f"`{name}`", f"{len(measured):,}", exact, aer, *falls, difference])
    head = [
        "test set",
        "lines",
        "exact",
        "AER",
        "fall of p: most attended word erased",
        "random word erased",
        "difference",
    ]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    source = f"on the checkpoint whose SHA-256 begins with `{digest[:12]}`"
    return f"{table(head, rows)}\n\nMeasured with beam size {BEAM_SIZE} {source}."
