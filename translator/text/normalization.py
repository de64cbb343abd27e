"""What counts as the same text: `clean` for both sides of a pair, and `fold` on top for the source.

SentencePiece gets the rule `identity`, so nothing is normalized a second time.
"""

from __future__ import annotations

import unicodedata

from translator.printable import UNSEEN
from translator.translation import WORD_START

STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"'})


def clean(text: str) -> str:
    """Compose characters (NFC), drop what can't be seen, and leave one space between words.

    Control and format characters (Unicode Cc, Cf) go; half of a surrogate pair becomes U+FFFD; SentencePiece's own `▁` becomes `_`.

    >>> clean("  나는\\t너를 \\x1b사랑해 ")
    '나는 너를 사랑해'
    """
    text = " ".join(text.split())
    if not (text.isprintable() and WORD_START not in text):
        text = "".join(visible(character) for character in text).replace(WORD_START, "_")
        text = " ".join(text.split())
    return unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """`clean`, and make variants of one sentence the same: NFKC, case-folded, with straight quotes.

    >>> fold("Ｉ ｌｏｖｅ ｙｏｕ！") == fold("I LOVE YOU!") == "i love you!"
    True
    """
    text = clean(text)
    if text.isascii():
        return text.lower()
    for _ in range(2):  # case-folding may undo the composition (U+0390), so once more
        # subtle: straightened last, for NFKC makes a curly apostrophe of U+0149
        text = unicodedata.normalize("NFKC", text).casefold().translate(STRAIGHT)
    return clean(text)


def visible(character: str) -> str:
    """Replace a character that can't be shown: by nothing, or half a surrogate pair by U+FFFD."""
    category = unicodedata.category(character)
    return "" if category in UNSEEN else "\ufffd" if category == "Cs" else character


def as_typed(typed: str, normalised: str) -> str:
    """Give `normalised` with the letters of `typed`, word by word, in every word that has kept its length."""
    pairs = list(zip(typed.split(" "), normalised.split(" "), strict=False))
    if typed.count(" ") != normalised.count(" "):
        return normalised
    return " ".join(seen if len(seen) == len(read) else read for seen, read in pairs)
