"""Which texts count as the same: `clean` for both sides of a pair, and also `fold` for the source.

SentencePiece uses the rule `identity`, so nothing is normalized twice.
"""

from __future__ import annotations

import unicodedata

from translator.printable import INVISIBLE
from translator.translation import WORD_START

STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"'})


def clean(text: str) -> str:
    """Compose characters (NFC), drop invisible ones, and put one space between words.

    Control and format characters (Unicode Cc, Cf) are dropped. Half of a surrogate pair becomes
    U+FFFD. SentencePiece's own `▁` becomes `_`.

    >>> clean("  나는\\t너를 \\x1b사랑해 ")
    '나는 너를 사랑해'
    """
    text = " ".join(text.split())
    if not (text.isprintable() and WORD_START not in text):
        text = "".join(visible(character) for character in text).replace(WORD_START, "_")
        text = " ".join(text.split())
    return unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """Clean a text and unify its variants: NFKC, case-folded, with straight quotes.

    >>> fold("Ｉ ｌｏｖｅ ｙｏｕ！") == fold("I LOVE YOU!") == "i love you!"
    True
    """
    text = clean(text)
    if text.isascii():
        return text.lower()
    for _ in range(2):  # twice, because case-folding can undo the composition (U+0390)
        # subtle: quotes come last, because NFKC turns U+0149 into a curly apostrophe
        text = unicodedata.normalize("NFKC", text).casefold().translate(STRAIGHT)
    return clean(text)


def visible(character: str) -> str:
    """Replace an invisible character by nothing, and half a surrogate pair by U+FFFD."""
    category = unicodedata.category(character)
    return "" if category in INVISIBLE else "\ufffd" if category == "Cs" else character


def as_typed(typed: str, normalised: str) -> str:
    """Give `normalised` with the typed letters in every word that kept its length."""
    pairs = list(zip(typed.split(" "), normalised.split(" "), strict=False))
    if typed.count(" ") != normalised.count(" "):
        return normalised
    return " ".join(word if len(word) == len(folded) else folded for word, folded in pairs)
