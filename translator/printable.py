"""Text that a terminal takes for nothing but text.

A checkpoint, a saved translation, a corpus, even a file's name may come from a stranger. In a terminal, control characters are instructions
(move the cursor, change the title, make a link), and format characters turn the text beside them round. No text with either is shown.
"""

from __future__ import annotations

import unicodedata

UNSEEN = ("Cc", "Cf")  # Unicode's categories of control and of format characters


def is_printable(text: str) -> bool:
    """Whether a text holds neither control nor format characters.

    >>> is_printable("나는 너를 사랑해"), is_printable("\\x1b[31m"), is_printable("\\u202e")
    (True, False, False)
    """
    return text.isprintable() or not any(
        unicodedata.category(character) in UNSEEN for character in text
    )


def printable(text: str) -> str:
    """The text with its control and format characters as escapes, which can be read.

    >>> print(printable("\\x1b[31m red"))
    \\x1b[31m red
    """
    if text.isprintable():
        return text
    return "".join(
        character if is_printable(character) else character.encode("unicode_escape").decode()
        for character in text
    )
