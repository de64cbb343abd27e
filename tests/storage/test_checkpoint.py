"""A checkpoint is one file: whole or not there, the same bytes each time, and harmless to load."""

from __future__ import annotations

import json
import os
import pickle
import re
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from translator import TranslatorError
from translator.settings import ATTENTIONS, ModelConfig, bundled
from translator.storage.checkpoint import (
    FORMAT,
    METADATA_KEY,
    STATE_KEY,
    Arrays,
    Checkpoint,
    load_training_state,
    read_tensors,
    save_training_state,
    training_state_path,
    write_tensors,
)


@pytest.fixture
def checkpoint(make_checkpoint) -> Checkpoint:
    return make_checkpoint()


@pytest.fixture
def path(checkpoint, tmp_path) -> Path:
    path = tmp_path / "folder" / "model.safetensors"
    checkpoint.save(path)
    return path


def contents(checkpoint: Checkpoint) -> tuple:
    """All that a checkpoint holds, in a form that compares."""
    arrays = {name: (array.tolist(), array.dtype) for name, array in checkpoint.parameters.items()}
    models = [
        (tokenizer.model, tokenizer.folds)
        for tokenizer in (checkpoint.source_tokenizer, checkpoint.target_tokenizer)
    ]
    return checkpoint.config, arrays, models, checkpoint.words.tolist(), checkpoint.record


def parts(checkpoint: Checkpoint) -> tuple[Arrays, dict]:
    """The arrays and the metadata of its file."""
    arrays = {name: array.astype(np.float16) for name, array in checkpoint.parameters.items()}
    arrays["tokenizer.source"] = np.frombuffer(checkpoint.source_tokenizer.model, np.uint8)
    arrays["tokenizer.target"] = np.frombuffer(checkpoint.target_tokenizer.model, np.uint8)
    arrays["words.source"] = checkpoint.words
    return arrays, {
        "format": FORMAT,
        "model": asdict(checkpoint.config),
        "record": checkpoint.record,
    }


def header_end(data: bytes) -> int:
    return 8 + int.from_bytes(data[:8], "little")


def refusal(path: Path, load: Callable[[Path], object] = Checkpoint.load) -> str:
    """The one line that is said of a file which can't be loaded, without its path."""
    with pytest.raises(TranslatorError, match=re.escape(str(path))) as refused:
        load(path)
    assert refused.value.hint
    assert "\n" not in str(refused.value)
    return str(refused.value).replace(str(path), "PATH")


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_what_was_saved_is_loaded(make_checkpoint, tmp_path, attention):
    checkpoint = make_checkpoint(attention)
    checkpoint.save(tmp_path / "model.safetensors")
    assert contents(Checkpoint.load(tmp_path / "model.safetensors")) == contents(checkpoint)


def test_saving_twice_gives_the_same_bytes(checkpoint, path):
    first = path.read_bytes()
    checkpoint.save(path)
    assert path.read_bytes() == first
    Checkpoint.load(path).save(path)
    assert path.read_bytes() == first


def test_its_parameters_take_two_bytes_a_number(checkpoint, path):
    arrays = safetensors.numpy.load(path.read_bytes())
    assert {
        name: arrays[name].shape for name in checkpoint.parameters
    } == checkpoint.config.parameter_shapes()
    assert {arrays[name].dtype for name in checkpoint.parameters} == {np.dtype(np.float16)}


def test_its_metadata_has_one_key(path):
    data = path.read_bytes()
    metadata = json.loads(data[8 : header_end(data)])["__metadata__"]
    assert list(metadata) == [METADATA_KEY]
    assert list(json.loads(metadata[METADATA_KEY])) == ["format", "model", "record"]


def test_a_missing_folder_is_made_and_holds_nothing_else(path):
    assert list(path.parent.iterdir()) == [path]


def test_a_checkpoint_is_an_ordinary_file(path):
    ordinary = path.with_name("ordinary")
    ordinary.touch()
    assert path.stat().st_mode == ordinary.stat().st_mode


@pytest.mark.parametrize("call", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize(
    "error",
    [OSError(28, "No space left on device"), KeyboardInterrupt(), SystemExit(143)],
    ids=repr,
)
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    make_checkpoint, path, monkeypatch, call, error
):
    def fail(*arguments: object) -> None:
        raise error

    before = path.read_bytes()
    monkeypatch.setattr(os, call, fail)
    with pytest.raises(TranslatorError if isinstance(error, OSError) else type(error)):
        make_checkpoint(seed=1).save(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_full_disk_is_reported(checkpoint, path, monkeypatch):
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(TranslatorError) as refused:
        checkpoint.save(path)
    assert str(refused.value) == f"can't write {path}: No space left on device"
    assert "untouched" in refused.value.hint


@pytest.mark.parametrize("place", ["", "folder/model.safetensors/below.safetensors", "a" * 300])
def test_a_place_that_can_t_hold_a_file_is_reported(checkpoint, path, place):
    before = sorted(path.parents[1].rglob("*"))
    with pytest.raises(TranslatorError, match="can't write"):
        checkpoint.save(path.parents[1] / place)
    assert sorted(path.parents[1].rglob("*")) == before


def test_a_number_too_large_for_the_file_is_never_written(checkpoint, path):
    """A float16 ends at 65,504; what is infinite in the file couldn't be loaded."""
    before = path.read_bytes()
    huge = {
        **checkpoint.parameters,
        "decoder.output_bias": checkpoint.parameters["decoder.output_bias"] + 1e6,
    }
    with pytest.raises(TranslatorError):
        replace(checkpoint, parameters=huge).save(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("length", [0, 1, 7, 8])
def test_a_file_cut_before_its_header_is_not_one_of_ours(path, length):
    path.write_bytes(path.read_bytes()[:length])
    assert refusal(path) == "PATH isn't an attn-translate checkpoint"


@pytest.mark.case(34)
@pytest.mark.parametrize(
    "length",
    [
        lambda end, size: 9,
        lambda end, size: end - 1,
        lambda end, size: end,
        lambda end, size: size - 1,
    ],
)
def test_a_truncated_file_is_damaged(path, length):
    data = path.read_bytes()
    path.write_bytes(data[: length(header_end(data), len(data))])
    assert refusal(path) == "PATH is damaged"


def test_a_file_that_goes_on_is_damaged(path):
    path.write_bytes(path.read_bytes() + b"\0")
    assert refusal(path) == "PATH is damaged"


@pytest.mark.parametrize("bit", [0x01, 0x80])
def test_a_flipped_bit_in_the_header_never_gives_a_traceback(path, bit):
    data = path.read_bytes()
    for place in range(0, header_end(data), 3):
        path.write_bytes(data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :])
        try:
            Checkpoint.load(path)
        except TranslatorError as error:
            assert str(path) in str(error)  # noqa: PT017  (a flipped digit of the record may also load)


def test_a_flipped_bit_in_a_tokenizer_is_found_when_it_is_loaded(path):
    data = path.read_bytes()
    place = data.index("▁love".encode())
    path.write_bytes(data[:place] + b"\xff" + data[place + 1 :])
    refusal(path)


@pytest.mark.case(34)
@pytest.mark.parametrize(
    "data",
    [
        b"hello\n",
        "나는 너를 사랑해\n".encode(),
        b"source\ttarget\n" * 9,
        b"PK\x03\x04" + bytes(60),
        bytes(100),
        b"\xff" * 100,
    ],
    ids=["text", "Hangul", "TSV", "zip", "zeros", "ones"],
)
def test_a_file_of_something_else_is_not_one_of_ours(path, data):
    path.write_bytes(data)
    assert refusal(path) == "PATH isn't an attn-translate checkpoint"


class Bomb:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple:
        return Path.touch, (self.path,)


@pytest.mark.case(34)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_refused_and_not_run(path, protocol):
    fuse = path.with_name("exploded")
    path.write_bytes(pickle.dumps(Bomb(fuse), protocol))
    assert refusal(path) == "PATH isn't an attn-translate checkpoint"
    assert not fuse.exists()


@pytest.mark.case(34)
@pytest.mark.parametrize(
    "metadata",
    [
        None,
        {},
        {"format": "pt"},
        {METADATA_KEY: "{"},
        {METADATA_KEY: "[]"},
        {METADATA_KEY: "[" * 100_000},
    ],
)
def test_safetensors_of_something_else_are_no_damage(path, metadata):
    path.write_bytes(safetensors.numpy.save({"weight": np.zeros(3)}, metadata))
    assert refusal(path) == "PATH is a safetensors file, but of something else"


@pytest.mark.parametrize(("dtype", "size"), [("BF16", 4), ("F8_E4M3", 2)])
def test_numbers_that_numpy_lacks_are_refused(path, dtype, size):
    header = json.dumps(
        {"weight": {"dtype": dtype, "shape": [2], "data_offsets": [0, size]}}
    ).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(size))
    refusal(path)


@pytest.mark.case(34)
@pytest.mark.parametrize("number", [0, FORMAT + 1, "x", None])
def test_another_format_is_told(path, checkpoint, number):
    arrays, metadata = parts(checkpoint)
    write_tensors(path, METADATA_KEY, arrays, metadata | {"format": number})
    assert (
        refusal(path)
        == f"PATH has format {number}, made by another version; this program reads format {FORMAT}"
    )


def test_what_is_not_there_or_not_a_file_is_reported(tmp_path):
    assert refusal(tmp_path) == "PATH is a folder"
    assert refusal(tmp_path / "nothing.safetensors") == "there is no checkpoint PATH"
    assert "isn't an attn-translate checkpoint" in refusal(Path(os.devnull))


def test_an_unreadable_file_is_reported(path, monkeypatch):
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert refusal(path) == "can't read PATH: Permission denied"


@pytest.mark.parametrize(
    "name",
    [
        "tokenizer.source",
        "tokenizer.target",
        "words.source",
        "encoder.embedding.weight",
        "decoder.output_bias",
    ],
)
@pytest.mark.parametrize(
    "change", [None, lambda array: array.astype(np.int16)], ids=["missing", "type"]
)
def test_an_array_that_is_missing_or_of_another_type_is_refused(path, checkpoint, name, change):
    arrays, metadata = parts(checkpoint)
    array = arrays.pop(name)
    write_tensors(
        path, METADATA_KEY, arrays if change is None else {**arrays, name: change(array)}, metadata
    )
    assert refusal(path) == "PATH is damaged"


@pytest.mark.parametrize(
    "name",
    ["tokenizer.source", "tokenizer.target", "encoder.embedding.weight", "decoder.output_bias"],
)
def test_an_array_that_is_too_short_is_refused(path, checkpoint, name):
    arrays, metadata = parts(checkpoint)
    write_tensors(path, METADATA_KEY, {**arrays, name: arrays[name][:-1]}, metadata)
    assert "damaged" in refusal(path)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_parameter_that_is_no_number_is_refused(path, checkpoint, value):
    arrays, metadata = parts(checkpoint)
    arrays["decoder.output_bias"] = np.full_like(arrays["decoder.output_bias"], value)
    write_tensors(path, METADATA_KEY, arrays, metadata)
    assert refusal(path) == "PATH is damaged"


@pytest.mark.parametrize("value", [None, "8", [8], {}, -1, 7, True])
@pytest.mark.parametrize(
    "name", ["source_vocabulary", "target_vocabulary", "attention", "embedding_size", "hidden_size"]
)
def test_a_shape_that_does_not_fit_is_refused(path, checkpoint, name, value):
    arrays, metadata = parts(checkpoint)
    write_tensors(
        path, METADATA_KEY, arrays, metadata | {"model": metadata["model"] | {name: value}}
    )
    refusal(path)


@pytest.mark.parametrize(
    "changes",
    [{"model": None}, {"model": {}}, {"model": {"size": 3}}, {"record": None}, {"record": 3}],
    ids=str,
)
def test_metadata_that_does_not_fit_is_refused(path, checkpoint, changes):
    arrays, metadata = parts(checkpoint)
    write_tensors(path, METADATA_KEY, arrays, metadata | changes)
    assert refusal(path) == "PATH is damaged"


def test_the_training_state_lies_beside_the_checkpoint():
    assert training_state_path(Path("a/b.c.safetensors")) == Path("a/b.c.training.safetensors")


def test_a_training_state_comes_back_as_it_was(path):
    arrays = {
        "parameter": np.float32([1.5, -2]),
        "step": np.int64(7).reshape(()),
        "none": np.zeros((0, 3), np.uint8),
    }
    save_training_state(path, arrays, {"step": 7, "best": None})
    loaded, record = load_training_state(path)
    assert {name: (array.tolist(), array.dtype, array.shape) for name, array in loaded.items()} == {
        name: (array.tolist(), array.dtype, array.shape) for name, array in arrays.items()
    }
    assert record == {"format": FORMAT, "step": 7, "best": None}


def test_a_transposed_array_is_written_as_it_reads(path):
    matrix = np.arange(6.0).reshape(2, 3)
    write_tensors(
        path, STATE_KEY, {"matrix": matrix.T, "every second": matrix[:, ::2]}, {"format": FORMAT}
    )
    arrays, _ = read_tensors(path, STATE_KEY)
    np.testing.assert_array_equal(arrays["matrix"], matrix.T)
    np.testing.assert_array_equal(arrays["every second"], matrix[:, ::2])


def test_a_checkpoint_and_a_training_state_are_never_mixed_up(path):
    save_training_state(path, {"parameter": np.zeros(3)}, {})
    state = training_state_path(path)
    assert refusal(state) == "PATH is a safetensors file, but of something else"
    state.write_bytes(path.read_bytes())
    assert (
        refusal(state, lambda _: load_training_state(path))
        == "PATH is a safetensors file, but of something else"
    )


def test_a_training_without_a_state_is_reported(path):
    with pytest.raises(
        TranslatorError,
        match=r"there is no training to go on with: .*model.training.safetensors is missing",
    ):
        load_training_state(path)


def test_the_shipped_checkpoint_is_small_and_whole():
    shipped = bundled("checkpoints/default.safetensors")
    assert shipped.stat().st_size < 5_500_000
    assert isinstance(Checkpoint.load(shipped).config, ModelConfig)
