"""From results to blocks: the tables and pictures of the document, by the name of the markers that they stand between."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from docs.study.lines import Lines
from docs.study.plan import Plan
from docs.study.quality import settings_of
from docs.study.results import Result
from translator.errors import TranslatorError
from translator.views.plot import Curve, line_chart

LOOKS = {  # colour and dashes of each score function, the same in all pictures
    "scaled-dot": ("#0b5cad", ""),
    "dot": ("#b3261e", "6 3"),
    "general": ("#8a5a00", "2 3"),
    "additive": ("#2e7d32", "10 3 2 3"),
    "none": ("#5b6570", "1 4"),
}
SCORES = {
    "chrf": ("chrF", 1.0),
    "exact": ("exact %", 100.0),
}  # the name shown, and what brings it to a scale of 100
Qualities = Mapping[str, Result]  # by score function
Sharpnesses = Mapping[tuple[str, int], Result]  # by score function and key size
RandomEntropies = Mapping[tuple[str, int], float]


def fill(document: str, blocks: Mapping[str, str]) -> str:
    """The document with each block between its markers, and everything else as it was.

    Raises `TranslatorError` if the document doesn't have the markers of a block.

    >>> fill("<!-- begin time -->old<!-- end time --> stays", {"time": "new"})
    '<!-- begin time -->\\n\\nnew\\n\\n<!-- end time --> stays'
    """
    for name, text in blocks.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        before, has_begin, rest = document.partition(begin)
        _, has_end, after = rest.partition(end)
        if not (has_begin and has_end):
            raise TranslatorError(
                f"the document has no place for {name!r}", hint=f"put {begin} and {end} into it"
            )
        document = f"{before}{begin}\n\n{text}\n\n{end}{after}"
    return document


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, all columns but the first to the right.

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
    """What every training is given."""
    settings = settings_of(plan)
    words = [len(pair.source.split()) for pair in lines.training]
    joined = words[len(lines.short) :]
    rows = [
        [
            "training lines, one pair each",
            f"{len(lines.short):,}, of {sum(words[: len(lines.short)]) / len(lines.short):.1f} source words",
        ],
        [
            "training lines, several pairs each",
            f"{len(joined):,}, of {sum(joined) / len(joined):.1f} source words, at most {max(joined)}",
        ],
        [
            "epochs, batch, peak of the learning rate",
            f"{settings.epochs}, {settings.batch_size}, {settings.learning_rate:g}",
        ],
        ["E and H, pieces a side (at most)", f"{plan.size}, {plan.vocabulary:,}"],
        *([f"test set `{name}`", f"{len(pairs):,} lines"] for name, pairs in lines.tests.items()),
    ]
    return table(["what", "how much"], rows)


def quality_block(results: Qualities) -> str:
    """chrF and exact matches on each test set."""
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
    """The alignment error rates; a model without attention has none."""
    tests = next(iter(results.values()))["tests"]
    rows = [
        [f"`{attention}`", *(_rate(result["tests"][test]["aer"]) for test in tests)]
        for attention, result in results.items()
    ]
    return table(["score function", *(f"AER, {test}" for test in tests)], rows)


def _rate(number: float | None) -> str:
    return "–" if number is None else f"{number:.3f}"


def time_block(results: Qualities) -> str:
    """How long each training took."""
    head = [
        "score function",
        "parameters",
        "steps",
        "wall-clock s",
        "CPU s",
        "target pieces a second",
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
    """Pictures, and the same numbers as tables."""
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
    """SVG documents by file name: each score on each test set, by source words."""
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
    """For the test sets of long lines and each score: (first word, last word, lines) of the buckets, and the values by score function."""
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
    """Entropy by key size: the pictures, and a table."""
    sizes = sorted({size for _, size in results})
    kinds = ("dot", "scaled-dot")
    head = [
        "d_k",
        *(
            f"{when}, `{kind}`"
            for when in ("random", "untrained", "trained", "loss")
            for kind in kinds
        ),
    ]
    rows = [
        [
            str(size),
            *(f"{random[kind, size]:.3f}" for kind in kinds),
            *(
                f"{results[kind, size][name]:.3f}"
                for name in ("entropy_before", "entropy_after", "loss_after")
                for kind in kinds
            ),
        ]
        for size in sizes
    ]
    return "\n\n".join(
        [
            *(f"![{name}]({folder}/{name})" for name in sharpness_pictures(results, random)),
            table(head, rows),
        ]
    )


def sharpness_pictures(results: Sharpnesses, random: RandomEntropies) -> dict[str, str]:
    """SVG documents by file name: entropy by key size of random vectors, of an untrained network and of a trained one."""
    sizes = sorted({size for _, size in results})
    places = [math.log2(size / sizes[0]) for size in sizes]
    marks = [(place, f"{size:,}") for place, size in zip(places, sizes, strict=True)]
    values = {
        "random": {kind: [random[kind, size] for size in sizes] for kind in ("dot", "scaled-dot")},
        "untrained": {
            kind: [results[kind, size]["entropy_before"] for size in sizes]
            for kind in ("dot", "scaled-dot")
        },
        "trained": {
            kind: [results[kind, size]["entropy_after"] for size in sizes]
            for kind in ("dot", "scaled-dot")
        },
    }
    titles = {
        "random": "Entropy of the weights: random vectors",
        "untrained": "Entropy of the weights: untrained",
        "trained": "Entropy of the weights: trained",
    }
    return {
        f"entropy-{name}.svg": line_chart(
            titles[name],
            "key size d_k",
            places,
            1.0,
            [Curve(k, *LOOKS[k], v) for k, v in some.items()],
            marks,
        )
        for name, some in values.items()
    }
