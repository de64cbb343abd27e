"""Remarks on a source line: what makes its translation less reliable."""

from __future__ import annotations

from collections.abc import Collection

from translator.text.tokenizer import UNKNOWN_ID, Tokenizer
from translator.text.words import strip_punctuation, unseen_words

LONGEST_LISTED = 40  # characters of a word
MOST_LISTED = 10  # words


def source_remarks(
    line: str, tokenizer: Tokenizer, digests: Collection[int], longest: int, named: set[str]
) -> list[str]:
    """Name a line's unknown characters and words, and whether it is cut to `longest` pieces.

    `digests` are those of the words in training. Words in `named` aren't named again; those of this
    line are added to it.
    """
    ids, remarks = tokenizer.encode(line), []
    strange = tokenizer.unknown_characters(line) if UNKNOWN_ID in ids else []
    unseen = [word for word in unseen_words(line, digests) if word not in strange]
    unseen = list(map(strip_punctuation, unseen))
    for what, words in (
        ("characters unknown to this model in", strange),
        ("not seen in training", unseen),
    ):
        if new := [word for word in words if word not in named]:
            remarks.append(f"{what}: {_listed(new)}")
    named.update(strange, unseen)
    if len(ids) > longest:
        remarks.append(f"only the first {longest} of {len(ids)} pieces were translated")
    return remarks


def _listed(words: list[str]) -> str:
    """List the first different words, in order."""
    different = list(dict.fromkeys(words))
    shown = ", ".join(map(_shortened, different[:MOST_LISTED]))
    left_out = len(different) - MOST_LISTED
    return f"{shown} and {left_out} more" if left_out > 0 else shown


def _shortened(word: str) -> str:
    return word if len(word) <= LONGEST_LISTED else f"{word[:LONGEST_LISTED]}…"
