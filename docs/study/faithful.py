"""The shipped checkpoint: what its attention is worth, by the program's own measures. Measured anew each time, for it may be another."""

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
    """What `evaluate --faithfulness` says of the shipped checkpoint on each test set, of at most `limit` lines."""
    path = bundled(CHECKPOINT)
    translator = Translator.load(path)
    rows = []
    for name in TESTS:
        pairs, _ = read_corpus(bundled(f"data/eng-kor.{name}.tsv"))
        measured = list(measure(translator, pairs[:limit], beam_size=BEAM_SIZE))
        faith, summary = (
            faithfulness(translator, [one.translation for one in measured]),
            summarise(measured),
        )
        interval = "" if faith.interval is None else f" ± {faith.interval:.3f}"
        aer = "–" if summary.aer is None else f"{summary.aer:.3f}"
        exact = f"{summary.scores.exact:.1%}".replace("%", " %")
        falls = [
            f"{faith.attended:.3f}",
            f"{faith.random:.3f}",
            f"{faith.difference:.3f}{interval}",
        ]
        rows.append([f"`{name}`", f"{len(measured):,}", exact, aer, *falls])
    head = [
        "test set",
        "lines",
        "exact",
        "AER",
        "p falls: most attended word erased",
        "another, at random",
        "difference",
    ]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return f"{table(head, rows)}\n\nMeasured with beam size {BEAM_SIZE} on the checkpoint whose SHA-256 begins with `{digest[:12]}`."
