"""Build the corpus files: generate, split, write.

`python -m data.workshop` runs it from the repository root.
"""

from __future__ import annotations

import csv
import unicodedata
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import data.workshop.constructions  # noqa: F401 (registers them)
from data.workshop.chooser import Chooser, UnsuitableError
from data.workshop.finishing import finish
from data.workshop.frames.lines import fixed_pairs, frame_pairs, read_frames, topic
from data.workshop.frames.reading import Frame
from data.workshop.korean import keeps_its_stem
from data.workshop.lexicon import Entry, read
from data.workshop.long import long_sentence
from data.workshop.phrases import phrase_pairs
from data.workshop.registry import CONSTRUCTIONS, Construction
from data.workshop.words import Pair, Sentence

FOLDER = Path(__file__).resolve().parent.parent


# Written by hand and kept for measuring: none of its sources may be made.
NATURAL = FOLDER / "eng-kor.natural.tsv"


SEED = 20240301


@dataclass(frozen=True)
class Sizes:
    """How many lines the corpus gets. `train` has whatever dev and test leave."""

    grammar: int = 120_500  # lines of the grammar, its share of dev and test included
    frame: int = 40  # lines of one frame, at most
    dev: int = 1_500
    test: int = 2_000
    compose: int = 1_000  # only if combinations are withheld
    long: int = 500


SIZES = Sizes()


WITHHELD_ONE_IN = 20


NEVER_WITHHELD = ("present", "past", "can", "imperative", "adjective present", "will")


# The share of lines that is kept, by the number of English words: a primer's sentences are short,
# the grammar's would not be.
KEPT = {6: 0.85, 7: 0.28, 8: 0.12, 9: 0.05, 10: 0.02, 11: 0.02, 12: 0.02}


LONGEST = max(KEPT)


@dataclass
class Corpus:
    """What was made: pairs by file, counts by construction, and the folded sources taken."""

    pairs: dict[str, list[Pair]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    taken: dict[str, str] = field(default_factory=dict)

    def add(self, file: str, pair: Pair) -> bool:
        """Take a pair unless its source is taken already."""
        key = folded(pair.source)
        if key in self.taken:
            return False
        self.taken[key] = pair.target
        self.pairs.setdefault(file, []).append(pair)
        return True

    def size(self, file: str) -> int:
        """Say how many pairs a file has."""
        return len(self.pairs.get(file, []))


def folded(source: str) -> str:
    """Fold a source as the translator does, and drop its final mark."""
    return unicodedata.normalize("NFKC", source).casefold().rstrip(".!?").strip()


def withheld(construction: str, word: Entry) -> bool:
    """Say whether a combination of construction and word is kept for `compose`, in every run alike.

    To be put together, not to be guessed: a verb whose stem changes (파랗다, 파랬어) isn't
    withheld, nor is one of two for the same English.
    """
    name = f"{construction}:{word['english']}:{word['korean']}"
    if construction in NEVER_WITHHELD or zlib.crc32(name.encode()) % WITHHELD_ONE_IN:
        return False
    readings = {row["korean"] for row in read(word.file) if row["english"] == word["english"]}
    return len(readings) == 1 and keeps_its_stem(word["korean"], word["tag"])


def natural_sources() -> list[str]:
    """Read the sources of the natural test set; none if there is no such file."""
    if not NATURAL.exists():
        return []
    with NATURAL.open(encoding="utf-8", newline="") as stream:
        return [row[0] for row in csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE) if row]


def build(sizes: Sizes = SIZES, withhold: bool = False) -> Corpus:
    """Make all pairs; what was written by hand goes first, so that nothing takes its place.

    With `withhold`, combinations are kept for `compose`, and there are no frames: nobody knows
    which combinations those show.
    """
    chooser = Chooser(SEED)
    corpus = Corpus()
    natural = dict.fromkeys(map(folded, natural_sources()), "")
    written = [pair for pair in phrase_pairs() if folded(pair.source) not in natural]
    corpus.taken = {**{folded(pair.source): pair.target for pair in written}, **natural}
    corpus.counts["everyday phrases"] = len(written)
    if not withhold:
        written += _frames(corpus, sizes)
    frames = corpus.size("generated")
    while corpus.size("generated") - frames < sizes.grammar or (
        withhold and corpus.size("compose") < sizes.compose
    ):
        _one(chooser, corpus, chooser.weighted(_shares()), withhold, sizes)
    while corpus.size("long") < sizes.long:
        _long(chooser, corpus)
    _split(chooser, corpus, written, sizes)
    return corpus


def _frames(corpus: Corpus, sizes: Sizes) -> list[Pair]:
    """Make the lines of frames; give those of fixed sentences, which are all for training."""
    chooser = Chooser(SEED)  # its own, so that frames and grammar don't change each other's draws
    frames = read_frames()
    fixed = _fixed([frame for frame in frames if not frame.gaps], corpus)
    corpus.counts["frames: fixed sentences"] = len(fixed)
    for frame in (frame for frame in frames if frame.gaps):
        pairs = frame_pairs(chooser, frame, sizes.frame)
        made = sum(corpus.add("generated", pair) for pair in pairs)
        corpus.counts[f"frames: {topic(frame)}"] += made
    return fixed


def _fixed(frames: list[Frame], corpus: Corpus) -> list[Pair]:
    """Give the lines of fixed sentences; of two with the same English, the first."""
    owners: dict[str, Frame] = {}
    fixed = []
    for frame in frames:
        for pair in fixed_pairs(frame):
            key = folded(pair.source)
            if key not in corpus.taken and owners.setdefault(key, frame) is frame:
                fixed.append(pair)
    corpus.taken.update((folded(pair.source), pair.target) for pair in fixed)
    return fixed


def sample(seed: int, size: int) -> list[Pair]:
    """Make a few lines of the grammar from a seed of one's own, combinations withheld."""
    chooser = Chooser(seed)
    corpus = Corpus()
    while corpus.size("generated") < size:
        _one(chooser, corpus, chooser.weighted(_shares()), True, SIZES)
    return corpus.pairs["generated"]


def _shares() -> list[tuple[Construction, float]]:
    return [(one, one.weight) for one in sorted(CONSTRUCTIONS, key=lambda one: one.name)]


def _one(chooser: Chooser, corpus: Corpus, one: Construction, withhold: bool, sizes: Sizes) -> None:
    """Make one line and put it where it belongs; withheld combinations never reach training."""
    try:
        made = one.make(chooser)
    except UnsuitableError:
        return
    if made is None:
        return
    sentences: list[Sentence] = [made] if isinstance(made, Sentence) else made
    pair = finish(chooser, sentences)
    length = len(pair.source.split())
    if length > LONGEST or not chooser.chance(KEPT.get(length, 1.0)):
        return
    if withhold and any(
        withheld(*combination) for sentence in sentences for combination in sentence.combinations
    ):
        if corpus.size("compose") < sizes.compose:
            corpus.add("compose", pair)
    elif corpus.add("generated", pair):
        corpus.counts[one.name] += 1


def _long(chooser: Chooser, corpus: Corpus) -> None:
    """Make one line of `long`, if it comes out at the right length."""
    try:
        pair = finish(chooser, [long_sentence(chooser)])
    except UnsuitableError:
        return
    if 15 <= len(pair.source.split()) <= 40:
        corpus.add("long", pair)


def _split(chooser: Chooser, corpus: Corpus, written: list[Pair], sizes: Sizes) -> None:
    """Shuffle, and cut dev and test off the generated pairs; written ones are all for training."""
    generated = corpus.pairs.pop("generated", [])
    chooser.random.shuffle(generated)
    held_out = sizes.dev + sizes.test
    corpus.pairs["dev"], corpus.pairs["test"] = (
        generated[: sizes.dev],
        generated[sizes.dev : held_out],
    )
    corpus.pairs["train"] = [*written, *generated[held_out:]]
    chooser.random.shuffle(corpus.pairs["train"])
