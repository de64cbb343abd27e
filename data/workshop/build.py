"""Build the corpus files: generate, withhold, split, write. `python -m data.workshop` runs it from the repository root."""

from __future__ import annotations

import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from data.workshop import constructions
from data.workshop.chooser import Chooser, UnsuitableError
from data.workshop.finishing import finish
from data.workshop.korean import keeps_its_stem
from data.workshop.lexicon import Entry, read
from data.workshop.long import long_sentence
from data.workshop.phrases import phrase_pairs
from data.workshop.registry import CONSTRUCTIONS, Construction
from data.workshop.words import Pair, Sentence

FOLDER = Path(__file__).resolve().parent.parent


SEED = 20240301


SIZES = {"train": 119_000, "dev": 1_500, "test": 2_000, "compose": 1_000, "long": 500}


WITHHELD_ONE_IN = 20


NEVER_WITHHELD = ("present", "past", "can", "imperative", "adjective present", "will")


# The share of lines that is kept, by the number of English words: a primer's sentences are short, the grammar's would not be.
KEPT = {6: 0.85, 7: 0.28, 8: 0.12, 9: 0.05, 10: 0.02, 11: 0.02, 12: 0.02}


LONGEST = max(KEPT)


@dataclass
class Corpus:
    """What was made: pairs by file, how often each construction, and the folded sources that are taken."""

    pairs: dict[str, list[Pair]] = field(default_factory=lambda: {name: [] for name in SIZES})
    counts: Counter[str] = field(default_factory=Counter)
    taken: dict[str, str] = field(default_factory=dict)

    def add(self, file: str, pair: Pair) -> bool:
        """Take a pair unless its source is taken already."""
        key = folded(pair.source)
        if key in self.taken:
            return False
        self.taken[key] = pair.target
        self.pairs[file].append(pair)
        return True


def folded(source: str) -> str:
    """Fold a source as the translator does, and drop its final mark."""
    return unicodedata.normalize("NFKC", source).casefold().rstrip(".!?").strip()


def withheld(construction: str, word: Entry) -> bool:
    """Say whether a combination of construction and verb or adjective is kept for `compose`; the same in every run.

    To be put together, not to be guessed: a verb whose stem changes (파랗다, 파랬어) isn't withheld, nor is one of two for the same English.
    """
    name = f"{construction}:{word['english']}:{word['korean']}"
    if construction in NEVER_WITHHELD or zlib.crc32(name.encode()) % WITHHELD_ONE_IN:
        return False
    readings = {row["korean"] for row in read(word.file) if row["english"] == word["english"]}
    return len(readings) == 1 and keeps_its_stem(word["korean"], word["tag"])


def build() -> Corpus:
    """Make all pairs; `phrases.tsv` goes first, so that nothing takes its place."""
    chooser = Chooser(SEED)
    corpus = Corpus()
    phrases = phrase_pairs()
    corpus.taken.update((folded(pair.source), pair.target) for pair in phrases)
    corpus.counts["everyday phrases"] = len(phrases)
    wanted = SIZES["train"] + SIZES["dev"] + SIZES["test"] - len(phrases)
    share = [(one, one.weight) for one in sorted(CONSTRUCTIONS, key=lambda one: one.name)]
    while len(corpus.pairs["train"]) < wanted or len(corpus.pairs["compose"]) < SIZES["compose"]:
        _one(chooser, corpus, chooser.weighted(share))
    while len(corpus.pairs["long"]) < SIZES["long"]:
        try:
            pair = finish(chooser, [long_sentence(chooser)])
        except UnsuitableError:
            continue
        if 15 <= len(pair.source.split()) <= 40:
            corpus.add("long", pair)
    _split(chooser, corpus, phrases, wanted)
    return corpus


def sample(seed: int, size: int) -> list[Pair]:
    """Make a few lines from a seed of one's own."""
    chooser = Chooser(seed)
    corpus = Corpus()
    share = [(one, one.weight) for one in sorted(CONSTRUCTIONS, key=lambda one: one.name)]
    while len(corpus.pairs["train"]) < size:
        _one(chooser, corpus, chooser.weighted(share))
    return corpus.pairs["train"]


def _one(chooser: Chooser, corpus: Corpus, one: Construction) -> None:
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
    hidden = any(withheld(*combination) for sentence in sentences for combination in sentence.combinations)
    if hidden:
        if len(corpus.pairs["compose"]) < SIZES["compose"]:
            corpus.add("compose", pair)
    elif corpus.add("train", pair):
        corpus.counts[one.name] += 1


def _split(chooser: Chooser, corpus: Corpus, phrases: list[Pair], wanted: int) -> None:
    """Shuffle, and cut dev and test off the generated pairs; the phrases are all for training."""
    generated = corpus.pairs["train"][:wanted]
    chooser.random.shuffle(generated)
    dev, test = SIZES["dev"], SIZES["test"]
    corpus.pairs["dev"], corpus.pairs["test"] = generated[:dev], generated[dev : dev + test]
    corpus.pairs["train"] = [*phrases, *generated[dev + test :]]
    chooser.random.shuffle(corpus.pairs["train"])


def write(corpus: Corpus) -> None:
    """Write the files, and print the counts."""
    for name, pairs in corpus.pairs.items():
        path = FOLDER / f"eng-kor.{name}.tsv"
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(f"{pair.source}\t{pair.target}\t{pair.alignment}\n" for pair in pairs)
        print(f"{path.name}: {len(pairs)} pairs, {path.stat().st_size} bytes")
    _report(corpus.counts.items())


def _report(counts: Iterable[tuple[str, int]]) -> None:
    print("\npairs by construction (training, dev and test together)")
    for name, count in sorted(counts):
        print(f"{count:7d}  {name}")


def main() -> None:
    """Build and write."""
    assert constructions.__all__
    write(build())
