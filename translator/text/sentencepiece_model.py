"""The few fields of SentencePiece's model file that must be checked before it is loaded."""

from __future__ import annotations

from collections.abc import Iterator


def charsmaps(model: bytes) -> Iterator[bytes]:
    """SentencePiece's own tables of replacements in a model: the fields 2 of the fields 3 and 5 of its protocol buffer.

    A table made by a stranger may replace a character by megabytes of text, and not every SentencePiece checks that it's sound.
    """
    for number, specification in _fields(model):
        if number in (3, 5):
            yield from (table for inner, table in _fields(specification) if inner == 2)


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """The number and the content of each field of a protocol buffer's message; that of a plain number is left out.

    Raises IndexError or ValueError if this is no message, or one that another reader may read otherwise.
    """
    place = 0
    while place < len(message):
        tag, place = _varint(message, place)
        number, kind = divmod(tag, 8)
        size, place = (
            _varint(message, place)
            if kind in (0, 2)
            else ({1: 8, 5: 4}.get(kind, len(message)), place)
        )
        if kind == 0:
            size = 0
        if place + size > len(message) or number >= 1 << 29:
            raise ValueError("the message is damaged")
        yield number, message[place : place + size]
        place += size


def _varint(message: bytes, place: int) -> tuple[int, int]:
    """The number of variable length that begins at this place, seven bits a byte, and the place behind it."""
    value = shift = 0
    while message[place] >= 128:
        value |= (message[place] & 127) << shift
        place, shift = place + 1, shift + 7
    return value | message[place] << shift, place + 1
