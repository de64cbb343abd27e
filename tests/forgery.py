"""Forge checkpoints: change their header, metadata, parameters or tokenizers on purpose."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from translator.storage.checkpoint import METADATA_KEY
from translator.text.tokenizer import Tokenizer

Header = dict[str, Any]


def parts(path: Path) -> tuple[Header, bytes]:
    """Return the header and the body of a checkpoint."""
    data = path.read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    return json.loads(data[8:end]), data[end:]


def write(path: Path, header: Header | bytes, body: bytes, length: int | None = None) -> None:
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes((len(head) if length is None else length).to_bytes(8, "little") + head + body)


def change(path: Path, **changes: Any) -> None:
    """Change a checkpoint's metadata: merge `model` and `record`, replace other fields."""
    header, body = parts(path)
    metadata = json.loads(header["__metadata__"][METADATA_KEY])
    for name, value in changes.items():
        metadata[name] = (
            metadata[name] | value
            if isinstance(value, dict) and isinstance(metadata[name], dict)
            else value
        )
    header["__metadata__"][METADATA_KEY] = json.dumps(metadata)
    write(path, header, body)


def nest(path: Path, field: str, depth: int) -> None:
    """Write nested lists into a field of the metadata.

    This is done by hand, because Python reads deeper JSON than it writes.
    """
    header, body = parts(path)
    metadata = json.loads(header["__metadata__"][METADATA_KEY])
    (metadata if field == "format" else metadata["record"])[field] = "HERE"
    header["__metadata__"][METADATA_KEY] = json.dumps(metadata).replace(
        '"HERE"', "[" * depth + "]" * depth
    )
    write(path, header, body)


def store(path: Path, made: Callable[[np.ndarray], np.ndarray]) -> None:
    """Replace a checkpoint's parameters, as float32."""
    header, body = parts(path)
    new, end = b"", 0
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        data = body[begin:end]
        if entry["dtype"] in ("F16", "F32"):
            array = np.frombuffer(
                data, {"F16": np.float16, "F32": np.float32}[entry["dtype"]]
            ).reshape(entry["shape"])
            entry["dtype"], data = "F32", made(array).tobytes()
        entry["data_offsets"] = [len(new), len(new) + len(data)]
        new += data
    write(path, header, new)


def swap(path: Path, **models: bytes) -> None:
    """Replace a checkpoint's SentencePiece models: `source`, `target`, or both."""
    header, body = parts(path)
    new = b""
    for name, entry in header.items():
        if name != "__metadata__":
            data = models.get(name.removeprefix("tokenizer."), body[slice(*entry["data_offsets"])])
            entry["data_offsets"] = [len(new), len(new) + len(data)]
            entry["shape"] = [len(data)] if name.startswith("tokenizer.") else entry["shape"]
            new += data
    write(path, header, new)


def field(number: int, content: bytes) -> bytes:
    """Encode a field of a protocol buffer; appended to a message, it overrides or adds a field."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def varint(number: int) -> bytes:
    return bytes([number & 127 | 128]) + varint(number >> 7) if number > 127 else bytes([number])


def piece(text: bytes, kind: int | None = None) -> bytes:
    """Encode a piece of a SentencePiece model; `kind` is its type, by default a normal piece."""
    return field(
        1, field(1, text) + b"\x15\0\0\0\0" + (b"" if kind is None else b"\x18" + bytes([kind]))
    )


def last_piece_is(model: bytes, tokenizer: Tokenizer, made: bytes) -> bytes:
    """Replace a model's last piece, so that the number of pieces doesn't change."""
    text = field(1, tokenizer.piece(len(tokenizer) - 1).encode())
    begin = model.rindex(text)
    return model[: begin - 2] + made + model[begin + len(text) + 5 :]


def rewritten(tokenizer: Tokenizer, write_piece: Callable[[int, str], str]) -> bytes:
    """Rewrite the texts of a tokenizer's pieces, except the special ones."""
    model, place, made = tokenizer.model, 0, b""
    for number in range(len(tokenizer)):
        end = place + 2 + model[place + 1]
        if number > 3:
            text = tokenizer.piece(number)
            score = model[place:end].split(text.encode(), 1)[1]
            made += field(1, field(1, write_piece(number, text).encode()) + score)
        else:
            made += model[place:end]
        place = end
    return made + model[place:]
