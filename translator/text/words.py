"""The words of a text without punctuation, and which of them weren't in the training data."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from translator.text.normalization import clean, fold


def bare_words(text: str) -> list[str]:
    """Give the folded words of a text without the punctuation around them.

    >>> bare_words("Don't run, Minsu!")
    ["don't", 'run', 'minsu']
    """
    return [bare for word in fold(text).split() if (bare := strip_punctuation(word))]


def strip_punctuation(word: str) -> str:
    """Drop the punctuation around a word.

    >>> strip_punctuation("plumber?"), strip_punctuation("…")
    ('plumber', '')
    """
    if word.isalnum():
        return word
    categories = map(unicodedata.category, word)
    inside = [number for number, category in enumerate(categories) if category[0] not in "PSZ"]
    return word[inside[0] : inside[-1] + 1] if inside else ""


def word_digests(lines: Iterable[str]) -> NDArray[np.uint32]:
    """Give the sorted CRC-32s of all words in these lines.

    A checkpoint stores them, 4 bytes a word, to recognize words that training didn't have.
    """
    words = {word for line in lines for word in bare_words(line)}
    return np.array(sorted({zlib.crc32(word.encode()) for word in words}), np.uint32)


def unseen_words(text: str, digests: Collection[int]) -> list[str]:
    """Give the words of a text, as typed, that aren't among these digests.

    Membership is tested for each word, so `digests` should be a set.
    """
    return [
        word
        for word in clean(text).split()
        if not all(zlib.crc32(bare.encode()) in digests for bare in bare_words(word))
    ]
