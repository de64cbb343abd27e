"""The few fields of a SentencePiece model file that must be checked before it is loaded."""

from __future__ import annotations

from collections.abc import Iterator


def charsmaps(model: bytes) -> Iterator[bytes]:
    """Give a model's normalization tables: field 2 of the fields 3 and 5 of its protocol buffer.

    A malicious table could replace a character by megabytes of text, and not every version of
    SentencePiece checks that a table is valid.
    """
    for number, specification in _fields(model):
        if number in (3, 5):
            yield from (table for inner, table in _fields(specification) if inner == 2)


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Give the number and the content of each field of a protocol buffer (b"" for a varint).

    Raises IndexError or ValueError if this is no protocol buffer, or if other parsers might read
    it differently.
    """
    position = 0
    while position < len(message):
        tag, position = _varint(message, position)
        number, wire_type = divmod(tag, 8)
        size = {1: 8, 5: 4}.get(wire_type, len(message))  # fixed64, fixed32; other types are errors
        if wire_type in (0, 2):  # varint; a length and so many bytes
            size, position = _varint(message, position)
        if wire_type == 0:
            size = 0
        if position + size > len(message) or number >= 1 << 29:
            raise ValueError("the message is damaged")
        yield number, message[position : position + size]
        position += size


def _varint(message: bytes, position: int) -> tuple[int, int]:
    """Read the varint at this position, seven bits a byte: its value, and the position after it."""
    value = shift = 0
    while message[position] >= 128:
        value |= (message[position] & 127) << shift
        position, shift = position + 1, shift + 7
    return value | message[position] << shift, position + 1
