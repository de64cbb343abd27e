"""The words of a text without punctuation, and which of them training never showed."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from translator.text.normalization import clean, fold


def bare_words(text: str) -> list[str]:
    """The folded words of a text without the punctuation around them.

    >>> bare_words("Don't run, Minsu!")
    ["don't", 'run', 'minsu']
    """
    return [bare for word in fold(text).split() if (bare := _strip_punctuation(word))]


def _strip_punctuation(word: str) -> str:
    if word.isalnum():
        return word
    inside = [
        number
        for number, character in enumerate(word)
        if unicodedata.category(character)[0] not in "PSZ"
    ]
    return word[inside[0] : inside[-1] + 1] if inside else ""


def word_digests(lines: Iterable[str]) -> NDArray[np.uint32]:
    """The sorted CRC-32 of every word of these lines: 4 bytes a word tell later whether training ever showed it."""
    words = {word for line in lines for word in bare_words(line)}
    return np.array(sorted({zlib.crc32(word.encode()) for word in words}), np.uint32)


def unseen_words(text: str, digests: Collection[int]) -> list[str]:
    """The words of a text, as typed, that are not among these digests; a set of them is found in fastest."""
    return [
        word
        for word in clean(text).split()
        if not all(zlib.crc32(bare.encode()) in digests for bare in bare_words(word))
    ]
