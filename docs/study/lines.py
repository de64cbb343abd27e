"""The study's own corpus: lines of up to 40 words, made by joining sentence pairs.

The bundled corpus has five words per line. A model that has never seen a long line fails on one
whatever its attention, so a comparison by length would say little. Here, half of the training lines
are joined pairs, as long as the longest test lines.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from docs.study.plan import Plan
from translator.settings import bundled
from translator.text.corpus import SentencePair, read_corpus

LONGEST = 40  # words of a joined source
SEED = 20_15


class Lines(NamedTuple):
    """The training, dev and test data of the study."""

    training: list[SentencePair]
    short: list[SentencePair]  # the single pairs of `training`
    dev: list[SentencePair]  # half of it joined
    short_dev: list[SentencePair]  # the single pairs of `dev`
    tests: dict[str, list[SentencePair]]  # by name


def read_lines(plan: Plan) -> Lines:
    """Read the bundled corpus and join lines as planned. No pair is both single and joined."""
    train, dev, test, long = (
        read_corpus(bundled(f"data/eng-kor.{name}.tsv"))[0]
        for name in ("train", "dev", "test", "long")
    )
    short, rest = train[: plan.short_lines], train[plan.short_lines :]
    joined = list(itertools.islice(join_lines(rest), plan.joined_lines))
    half = plan.dev_lines // 2
    dev_lines = dev[:half] + list(itertools.islice(join_lines(dev[half:]), plan.dev_lines - half))
    tests = {"test": test, "joined": list(join_lines(test)), "long": long}
    return Lines(
        short + joined,
        short,
        dev_lines,
        dev[:half],
        {name: pairs[: plan.test_lines] for name, pairs in tests.items()},
    )


def join_lines(pairs: Iterable[SentencePair], longest: int = LONGEST) -> Iterator[SentencePair]:
    """Join successive pairs into lines of random length, from 2 to `longest` source words.

    Drops an incomplete line at the end.
    """
    generator = random.Random(SEED)
    line: list[SentencePair] = []
    words, wanted = 0, generator.randint(2, longest)
    for pair in pairs:
        more = len(pair.source.split())
        if line and words + more > wanted:
            yield join(line)
            line, words, wanted = [], 0, generator.randint(2, longest)
        line.append(pair)
        words += more


def join(pairs: Sequence[SentencePair]) -> SentencePair:
    """Join pairs into one: texts with a space between, and links shifted with their words.

    >>> join([SentencePair("Hi!", "안녕!", "0-0"), SentencePair("I run", "나는 달려", "0-0 1?1")])
    SentencePair(source='Hi! I run', target='안녕! 나는 달려', alignment='0-0 1-1 2?2')
    """
    links: list[str] = []
    sources = targets = 0
    for pair in pairs:
        found = re.findall(r"(\d+)([-?])(\d+)", pair.alignment)
        links += [
            f"{int(source) + sources}{kind}{int(target) + targets}"
            for source, kind, target in found
        ]
        sources, targets = sources + len(pair.source.split()), targets + len(pair.target.split())
    return SentencePair(
        " ".join(pair.source for pair in pairs),
        " ".join(pair.target for pair in pairs),
        " ".join(links),
    )
