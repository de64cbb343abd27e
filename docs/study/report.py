"""The document's blocks: tables and pictures of the results, named after their markers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from docs.study.lines import Lines
from docs.study.plan import Plan
from docs.study.quality import settings_of
from docs.study.results import Result
from translator.errors import TranslatorError
from translator.views.plot import Curve, line_chart

LOOKS = {  # colour and dashes of each score function in all pictures
    "scaled-dot": ("#0b5cad", ""),
    "dot": ("#b3261e", "6 3"),
    "general": ("#8a5a00", "2 3"),
    "additive": ("#2e7d32", "10 3 2 3"),
    "none": ("#5b6570", "1 4"),
}
# The name shown for each score, and the factor to a scale of 0 to 100.
SCORES = {"chrf": ("chrF", 1.0), "exact": ("exact %", 100.0)}
KINDS = ("dot", "scaled-dot")
Qualities = Mapping[str, Result]  # by score function
Sharpnesses = Mapping[tuple[str, int], Result]  # by score function and key size
RandomEntropies = Mapping[tuple[str, int], float]


def fill(document: str, blocks: Mapping[str, str]) -> str:
    """Replace the blocks between their markers, and nothing else.

    Raises `TranslatorError` if the document lacks the markers of a block.

    >>> fill("<!-- begin time -->old<!-- end time --> stays", {"time": "new"})
    '<!-- begin time -->\\n\\nnew\\n\\n<!-- end time --> stays'
    """
    for name, text in blocks.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        before, has_begin, rest = document.partition(begin)
        _, has_end, after = rest.partition(end)
        if not (has_begin and has_end):
            raise TranslatorError(
                f"the document has no place for {name!r}", hint=f"add {begin} and {end}"
            )
        document = f"{before}{begin}\n\n{text}\n\n{end}{after}"
    return document


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Give a Markdown table, with all columns but the first right-aligned.

    >>> print(table(["a", "b"], [["x", "1"]]))
    | a | b |
    |---|--:|
    | x | 1 |
    """
    lines = [head, *rows]
    return "\n".join([_row(lines[0]), "|---|" + "--:|" * (len(head) - 1), *map(_row, lines[1:])])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def setup_block(plan: Plan, lines: Lines) -> str:
    """Describe the data and the settings of every training."""
    settings = settings_of(plan)
    lengths = [len(pair.source.split()) for pair in lines.training]
    short, joined = lengths[: len(lines.short)], lengths[len(lines.short) :]
    learning = f"{settings.epochs}, {settings.batch_size}, {settings.learning_rate:g}"
    rows = [
        ["training lines, one pair each", _count_and_mean(short)],
        ["training lines, several pairs each", f"{_count_and_mean(joined)}, at most {max(joined)}"],
        ["epochs, batch, peak of the learning rate", learning],
        ["E and H, pieces per side (at most)", f"{plan.size}, {plan.vocabulary:,}"],
        *([f"test set `{name}`", f"{len(pairs):,} lines"] for name, pairs in lines.tests.items()),
    ]
    return table(["what", "how much"], rows)


def _count_and_mean(lengths: Sequence[int]) -> str:
    return f"{len(lengths):,}, of {sum(lengths) / len(lengths):.1f} source words"


def quality_block(results: Qualities) -> str:
    """Give chrF and exact matches on each test set."""
    tests = next(iter(results.values()))["tests"]
    head = ["score function", *(f"{test}: {name}" for test in tests for name, _ in SCORES.values())]
    rows = [
        [
            f"`{attention}`",
            *(
                f"{result['tests'][test][score] * factor:.1f}"
                for test in tests
                for score, (_, factor) in SCORES.items()
            ),
        ]
        for attention, result in results.items()
    ]
    return table(head, rows)


def alignment_block(results: Qualities) -> str:
    """Give the alignment error rates. A model without attention has none."""
    tests = next(iter(results.values()))["tests"]
    rows = [
        [f"`{attention}`", *(_rate(result["tests"][test]["aer"]) for test in tests)]
        for attention, result in results.items()
    ]
    return table(["score function", *(f"AER, {test}" for test in tests)], rows)


def _rate(number: float | None) -> str:
    return "–" if number is None else f"{number:.3f}"


def time_block(results: Qualities) -> str:
    """Give the time and the size of each training."""
    head = [
        "score function",
        "parameters",
        "steps",
        "wall-clock s",
        "CPU s",
        "target pieces per second",
        "last training loss",
        "best epoch",
    ]
    rows = [
        [
            f"`{attention}`",
            *(
                f"{result[name]:,.0f}"
                for name in ("parameters", "steps", "seconds", "cpu_seconds", "pieces_per_second")
            ),
            f"{result['loss']:.3f}",
            f"{result['best_epoch']:g} of {result['epochs']}",
        ]
        for attention, result in results.items()
    ]
    return table(head, rows)


def length_block(results: Qualities, folder: str) -> str:
    """Give the pictures, and the same numbers as tables."""
    parts = [f"![{name}]({folder}/{name})" for name in length_pictures(results)]
    for test, score, lengths, values in _by_length(results):
        shown, _ = SCORES[score]
        head = [f"{test}: {shown}", *(f"{first}–{last}" for first, last, _ in lengths)]
        rows = [["*lines*", *(f"*{count}*" for _, _, count in lengths)]]
        rows += [
            [f"`{attention}`", *(f"{value:.1f}" for value in column)]
            for attention, column in values.items()
        ]
        parts.append(table(head, rows))
    return "\n\n".join(parts)


def length_pictures(results: Qualities) -> dict[str, str]:
    """Draw each score on each test set by source length: SVG documents by file name."""
    pictures = {}
    for test, score, lengths, values in _by_length(results):
        places = [last for _, last, _ in lengths]
        curves = [
            Curve(attention, *LOOKS[attention], column) for attention, column in values.items()
        ]
        marks = [(last, f"{first}–{last}") for first, last, _ in lengths]
        shown, _ = SCORES[score]
        pictures[f"{test}-{score}.svg"] = line_chart(
            f"{shown} on {test}, by source words", "source words", places, 100.0, curves, marks
        )
    return pictures


def _by_length(
    results: Qualities,
) -> Iterator[tuple[str, str, list[tuple[int, int, int]], dict[str, list[float]]]]:
    """Give test set, score, buckets (first and last length, lines), and values by score function.

    Only the test sets with long lines have these.
    """
    for test in ("joined", "long"):
        buckets = next(iter(results.values()))["tests"][test]["by_length"]
        lengths = [(bucket["from"], bucket["to"], bucket["sentences"]) for bucket in buckets]
        for score, (_, factor) in SCORES.items():
            values = {
                name: [bucket[score] * factor for bucket in result["tests"][test]["by_length"]]
                for name, result in results.items()
            }
            yield test, score, lengths, values


def sharpness_block(results: Sharpnesses, random: RandomEntropies, folder: str) -> str:
    """Give the pictures and a table of entropy by key size."""
    sizes = sorted({size for _, size in results})
    columns = {
        "random": random,
        "untrained": {key: result["entropy_before"] for key, result in results.items()},
        "trained": {key: result["entropy_after"] for key, result in results.items()},
        "loss": {key: result["loss_after"] for key, result in results.items()},
    }
    head = ["d_k", *(f"{name}, `{kind}`" for name in columns for kind in KINDS)]
    rows = [
        [str(size), *(f"{column[kind, size]:.3f}" for column in columns.values() for kind in KINDS)]
        for size in sizes
    ]
    pictures = [f"![{name}]({folder}/{name})" for name in sharpness_pictures(results, random)]
    return "\n\n".join([*pictures, table(head, rows)])


def sharpness_pictures(results: Sharpnesses, random: RandomEntropies) -> dict[str, str]:
    """Draw entropy by key size, as SVG documents by file name.

    One each for random vectors, an untrained network and a trained one.
    """
    sizes = sorted({size for _, size in results})
    places = [math.log2(size / sizes[0]) for size in sizes]
    marks = [(place, f"{size:,}") for place, size in zip(places, sizes, strict=True)]
    entropies = {
        ("random", "random vectors"): random,
        ("untrained", "untrained"): {key: r["entropy_before"] for key, r in results.items()},
        ("trained", "trained"): {key: r["entropy_after"] for key, r in results.items()},
    }
    pictures = {}
    for (name, shown), values in entropies.items():
        title = f"Entropy of the weights: {shown}"
        curves = [
            Curve(kind, *LOOKS[kind], [values[kind, size] for size in sizes]) for kind in KINDS
        ]
        chart = line_chart(title, "key size d_k", places, 1.0, curves, marks)
        pictures[f"entropy-{name}.svg"] = chart
    return pictures
