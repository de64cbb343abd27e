"""A trained model as one file, and the state that lets `--resume` continue a training.

A checkpoint is a safetensors file: named tensors and a JSON header, nothing that could run. It
needs no other file. It contains

- the parameters in float16, half the size (each epoch is scored with the same rounding),
- both SentencePiece models, and the digests of the words seen in training, as bytes,
- one metadata key with the configuration and how the model was trained.

It is read into memory, not memory-mapped: if a mapped file is cut short, the process is killed. It
is written to a temporary file, flushed to the disk and moved over the old one, so there is always a
complete checkpoint.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy
from numpy.typing import NDArray

from translator.errors import TranslatorError
from translator.files import replace_file
from translator.settings import ModelConfig
from translator.text.tokenizer import Tokenizer

FORMAT = 1
METADATA_KEY = "attn-translate"
STATE_KEY = "attn-translate-training"

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """A trained model: its shape, its parameters by name, both tokenizers and its history."""

    config: ModelConfig
    parameters: Arrays  # as `config.parameter_shapes()` names and shapes them
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    words: NDArray[np.uint32]  # `word_digests` of the sources seen in training
    record: dict[str, Any]  # corpus, pairs, epochs, seconds, settings, versions, dev scores

    def save(self, path: Path) -> None:
        """Write the checkpoint to `path` in one step. Raises `TranslatorError` if it can't be."""
        arrays = halved(self.parameters)
        arrays["tokenizer.source"] = np.frombuffer(self.source_tokenizer.model, np.uint8)
        arrays["tokenizer.target"] = np.frombuffer(self.target_tokenizer.model, np.uint8)
        arrays["words.source"] = self.words
        metadata = {"format": FORMAT, "model": asdict(self.config), "record": self.record}
        write_tensors(path, METADATA_KEY, arrays, metadata)

    @classmethod
    def load(cls, path: Path) -> Checkpoint:
        """Read a checkpoint. Raises `TranslatorError` if it is missing or can't be used."""
        arrays, metadata = read_tensors(path, METADATA_KEY)
        try:
            config = ModelConfig(**metadata["model"])
            record = dict(metadata["record"])
            models = [arrays.pop(f"tokenizer.{side}") for side in ("source", "target")]
            words = arrays.pop("words.source")
            source = Tokenizer(models[0].tobytes(), folds=True)
            target = Tokenizer(models[1].tobytes(), folds=False)
        except (KeyError, TypeError, ValueError, TranslatorError) as error:
            raise _damaged(path) from error
        if {name: array.shape for name, array in arrays.items()} != config.parameter_shapes():
            raise _damaged(path)
        types = [words.dtype, *(model.dtype for model in models)]
        if types != [np.uint32, np.uint8, np.uint8] or not all(map(_is_usable, arrays.values())):
            raise _damaged(path)
        if (len(source), len(target)) != (config.source_vocabulary, config.target_vocabulary):
            raise _damaged(path)
        parameters = {name: array.astype(np.float32) for name, array in arrays.items()}
        return cls(config, parameters, source, target, words, record)


def halved(parameters: Arrays) -> Arrays:
    """Round parameters to float16, as a checkpoint stores them.

    Raises `TranslatorError` if one is too large.
    """
    with np.errstate(over="ignore"):
        arrays: Arrays = {name: array.astype(np.float16) for name, array in parameters.items()}
    if not all(map(_is_usable, arrays.values())):
        message = "a parameter has become too large to be saved"
        raise TranslatorError(message, hint="try a smaller --learning-rate")
    return arrays


def _is_usable(array: NDArray[Any]) -> bool:
    """Return whether these are parameters in the range of float16.

    With such parameters, no network of this program overflows a float32.
    """
    largest = np.finfo(np.float16).max
    return array.dtype in (np.float16, np.float32) and bool((abs(array) <= largest).all())


def training_state_path(path: Path) -> Path:
    """Return the path of the training state that belongs to the checkpoint `path`.

    >>> training_state_path(Path("checkpoints/eng-kor.safetensors")).as_posix()
    'checkpoints/eng-kor.training.safetensors'
    """
    return path.with_name(f"{path.stem}.training.safetensors")


def save_training_state(path: Path, arrays: Arrays, record: Mapping[str, Any]) -> None:
    """Write what `--resume` needs next to the checkpoint `path`."""
    write_tensors(training_state_path(path), STATE_KEY, arrays, {"format": FORMAT, **record})


def load_training_state(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """Read what `save_training_state` wrote for the checkpoint `path`."""
    state = training_state_path(path)
    if not state.exists():
        message = f"there is no training to go on with: {state} is missing"
        start = "begin a new training: leave out --resume"
        raise TranslatorError(message, hint=f"{start} (and give --force if {path} may be replaced)")
    return read_tensors(state, STATE_KEY)


def write_tensors(path: Path, key: str, arrays: Arrays, metadata: Mapping[str, Any]) -> None:
    """Write a safetensors file atomically, with the metadata as JSON under one key.

    With several keys, their order would be random. Raises `TranslatorError` if the file can't be
    written; the old file at `path` is then untouched.
    """
    contiguous = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    data = safetensors.numpy.save(contiguous, {key: json.dumps(metadata)})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, data)
    except OSError as error:
        remedy = "free some space or choose another place with --checkpoint"
        hint = f"{remedy}; what was saved before is untouched"
        raise TranslatorError(f"can't write {path}: {error.strerror}", hint=hint) from error


def read_tensors(path: Path, key: str) -> tuple[Arrays, dict[str, Any]]:
    """Read what `write_tensors` wrote under this key.

    Raises `TranslatorError`, with a message of its own for each thing that can be wrong.
    """
    data = _read(path)
    origin = "give a file that `attn-translate train` made"
    try:
        arrays = safetensors.numpy.load(data)
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    except (safetensors.SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
        if _looks_like_safetensors(data):
            raise _damaged(path) from error
        raise TranslatorError(f"{path} isn't an attn-translate checkpoint", hint=origin) from error
    try:
        metadata = json.loads(header["__metadata__"][key])
        number = metadata["format"]
        shown = str(number)[:20]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        message = f"{path} is a safetensors file, but of something else"
        raise TranslatorError(message, hint=origin) from error
    if number != FORMAT:
        message = f"{path} has format {shown}, made by another version"
        hint = "bring attn-translate up to date, or train again"
        raise TranslatorError(f"{message}; this program reads format {FORMAT}", hint=hint)
    return arrays, metadata


def _read(path: Path) -> bytes:
    if path.is_dir():
        raise TranslatorError(f"{path} is a folder", hint="give a .safetensors file")
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        hint = "train one with `attn-translate train`, or check the path"
        raise TranslatorError(f"there is no checkpoint {path}", hint=hint) from error
    except OSError as error:
        message = f"can't read {path}: {error.strerror}"
        raise TranslatorError(message, hint="check its permissions") from error


def _looks_like_safetensors(data: bytes) -> bool:
    """Return whether this starts like safetensors: the header's length in 8 bytes, then JSON."""
    return data[8:9] == b"{" and int.from_bytes(data[:8], "little") < 100_000_000


def _damaged(path: Path) -> TranslatorError:
    return TranslatorError(f"{path} is damaged", hint="copy the file again, or train again")
