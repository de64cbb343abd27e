"""Text for people: safe to show in a terminal, and in correct English.

A checkpoint, a saved translation, a corpus and even a file name can come from an untrusted source.
To a terminal, control characters are instructions (move the cursor, change the title, make a link),
and format characters can reverse the text next to them. So text with either is never printed as is.
"""

from __future__ import annotations

import unicodedata

INVISIBLE = ("Cc", "Cf")  # Unicode categories: control and format characters


def is_printable(text: str) -> bool:
    """Return whether a text has no control or format characters.

    >>> is_printable("나는 너를 사랑해"), is_printable("\\x1b[31m"), is_printable("\\u202e")
    (True, False, False)
    """
    return text.isprintable() or not any(
        unicodedata.category(character) in INVISIBLE for character in text
    )


def printable(text: str) -> str:
    """Write the control and format characters of a text as readable escapes.

    >>> print(printable("\\x1b[31m red"))
    \\x1b[31m red
    """
    if text.isprintable():
        return text
    return "".join(
        character if is_printable(character) else character.encode("unicode_escape").decode()
        for character in text
    )


def counted(number: int, noun: str) -> str:
    """Write a number of things in English.

    >>> counted(1, "line"), counted(1200, "pair")
    ('1 line', '1,200 pairs')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
