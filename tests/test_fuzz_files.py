"""Files that are damaged or made by a stranger: a clear error or a right result, and nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mangle
import numpy as np
import pytest
from conftest import PAIRS
from hostile import outcome
from mangle import REFUSED, USED, mangled, use

from translator import TranslatorError
from translator.checkpoint import FORMAT, METADATA_KEY, Checkpoint
from translator.corpus import read_corpus
from translator.harmless import is_harmless
from translator.tokenizer import Tokenizer, clean
from translator.translation import Translation

Header = dict[str, Any]


@pytest.fixture
def path(make_checkpoint, tmp_path) -> Path:
    path = tmp_path / "model.safetensors"
    make_checkpoint().save(path)
    return path


@pytest.fixture(autouse=True)
def numbers_stay_finite() -> Iterator[None]:
    """An overflow, or a number that is none, is an error."""
    with np.errstate(all="raise", under="ignore"):
        yield


# Checkpoints with bytes changed


@pytest.mark.parametrize("seed", range(4))
def test_mangled_checkpoints_are_refused_or_used(path, seed):
    """In a process of their own, since SentencePiece is C++, whose errors kill."""
    command = [sys.executable, mangle.__file__, path, str(seed), "400"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stderr}\nthe last copy: {path.with_name(f'mangled-{seed}.safetensors').read_bytes()!r}"
    counts = json.loads(done.stdout)
    assert sum(counts.values()) == 400
    assert min(counts[REFUSED], counts[USED]) > 20  # both happen, so both are tested


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 20))
def test_very_many_mangled_checkpoints_are_refused_or_used(path, seed):
    command = [sys.executable, mangle.__file__, path, str(seed), "10000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stderr}\nthe last copy: {path.with_name(f'mangled-{seed}.safetensors').read_bytes()!r}"


# Checkpoints with their header's meaning changed


def parts(path: Path) -> tuple[Header, bytes]:
    """The header and the numbers of a checkpoint."""
    data = path.read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    return json.loads(data[8:end]), data[end:]


def write(path: Path, header: Header | bytes, body: bytes, length: int | None = None) -> None:
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes((len(head) if length is None else length).to_bytes(8, "little") + head + body)


HUGE = [
    [2**40],
    [2**62],
    [2**63],
    [2**64],
    [10**30],
    [2**32, 2**32],
    [2**31, 2**31, 4],
    [0, 2**62],
    [2**62, 0],
    [-1],
    [1.5],
    ["3"],
    [None],
    [[]],
]


@pytest.mark.parametrize("shape", HUGE, ids=str)
@pytest.mark.parametrize("ends", [False, True], ids=["shape alone", "offsets too"])
def test_a_huge_shape_is_refused_before_memory_is_taken(path, shape, ends):
    """The worker may use two gigabytes; what is declared here are terabytes."""
    header, body = parts(path)
    header["decoder.output_bias"]["shape"] = shape
    if ends:
        begin = header["decoder.output_bias"]["data_offsets"][0]
        header["decoder.output_bias"]["data_offsets"][1] = begin + 2 * int(np.prod([abs(float(size or 0)) for size in shape if size != []]))
    write(path, header, body)
    assert limited(path) == REFUSED


def limited(path: Path) -> str:
    """What comes of a checkpoint in a process whose memory is limited."""
    code = (
        "import resource, sys; from pathlib import Path; import mangle;"
        "resource.setrlimit(resource.RLIMIT_AS, (mangle.MEMORY,) * 2); print(mangle.use(Path(sys.argv[1])))"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True, cwd=Path(mangle.__file__).parent)
    return done.stdout.strip()


@pytest.mark.parametrize("length", [0, 1, 2**20, 100_000_000, 2**31, 2**32, 2**63, 2**64 - 1])
def test_a_header_of_another_length_is_refused(path, length):
    write(path, *parts(path), length)
    assert limited(path) == REFUSED


TYPES = [
    "F64",
    "F8_E4M3",
    "F8_E5M2",
    "BF16",
    "I8",
    "U8",
    "I16",
    "U16",
    "I32",
    "U32",
    "I64",
    "U64",
    "BOOL",
    "C64",
    "F4",
    "f16",
    "",
    "X",
    None,
    3,
    [],
]


@pytest.mark.parametrize("name", ["decoder.output_bias", "tokenizer.source", "words.source"])
@pytest.mark.parametrize("dtype", TYPES)
def test_another_type_is_refused(path, name, dtype):
    header, body = parts(path)
    usual = header[name]["dtype"]
    header[name]["dtype"] = dtype
    write(path, header, body)
    assert use(path) == (USED if dtype == usual else REFUSED)


OFFSETS = [[0, 0], [5, 3], [-2, 0], [0, 2**64], [0, 2**70], [1.5, 3], [0], [], [0, 1, 2], None, {}, "", [None, None]]


@pytest.mark.parametrize("offsets", OFFSETS, ids=str)
def test_other_offsets_are_refused(path, offsets):
    header, body = parts(path)
    header["decoder.output_bias"]["data_offsets"] = offsets
    write(path, header, body)
    assert use(path) == REFUSED


def test_tensors_that_lie_on_each_other_are_refused(path):
    header, body = parts(path)
    header["decoder.embedded_gates.bias"]["data_offsets"] = header["decoder.state_gates.bias"]["data_offsets"]
    write(path, header, body)
    assert use(path) == REFUSED


@pytest.mark.parametrize("name", ["", "extra", "decoder.output_bias2", "\x1b[31m", "../../file", "tokenizer.third"])
def test_a_tensor_too_many_is_refused(path, name):
    header, body = parts(path)
    header[name] = {"dtype": "U8", "shape": [4], "data_offsets": [len(body), len(body) + 4]}
    write(path, header, body + bytes(4))
    assert use(path) == REFUSED


def test_each_tensor_is_needed(path):
    for name in parts(path)[0]:
        header, body = parts(path)
        del header[name]
        copy = path.with_name("copy.safetensors")
        write(copy, header, body)
        assert use(copy) == REFUSED


@pytest.mark.parametrize(
    "head", [b"[" * 100_000, b'{"a":' * 100_000, b"{" + b'"a":{},' * 100_000, b'{"a":1e999999}', b"{}", b"null", b"{" + bytes(60)]
)
def test_a_header_that_is_no_table_of_tensors_is_refused(path, head):
    write(path, head, parts(path)[1])
    assert use(path) == REFUSED


# Checkpoints with their content changed


def change(path: Path, **changes: Any) -> None:
    """Write other metadata into a checkpoint: `model` and `record` are merged, all else is replaced."""
    header, body = parts(path)
    metadata = json.loads(header["__metadata__"][METADATA_KEY])
    for name, value in changes.items():
        metadata[name] = metadata[name] | value if isinstance(value, dict) and isinstance(metadata[name], dict) else value
    header["__metadata__"][METADATA_KEY] = json.dumps(metadata)
    write(path, header, body)


STRANGE = [None, True, -1, 0, 1, 6.0, 8.0, 1e300, float("nan"), float("inf"), 10**400, 2**63, "", "8", "\x1b[31m", [], [[1]], {}, {"a": {}}]
FIELDS = ["source_vocabulary", "target_vocabulary", "attention", "embedding_size", "hidden_size", "other", "__class__"]


@pytest.mark.parametrize("field", FIELDS)
def test_a_strange_configuration_is_refused(path, field):
    for value in STRANGE:
        copy = path.with_name("copy.safetensors")
        copy.write_bytes(path.read_bytes())
        change(copy, model={field: value})
        assert use(copy) == REFUSED, value


def test_a_size_that_is_no_whole_number_is_refused(path, make_checkpoint):
    config = make_checkpoint().config
    for name in ("source_vocabulary", "target_vocabulary", "embedding_size", "hidden_size"):
        change(path, model={name: float(getattr(config, name))})
        assert use(path) == REFUSED


RECORDED = ["corpus", "pairs", "digest", "epochs", "seconds", "settings", "dev", "versions", "other"]


@pytest.mark.parametrize("field", RECORDED)
def test_a_strange_record_changes_nothing_but_what_info_says(path, field):
    for value in STRANGE:
        copy = path.with_name("copy.safetensors")
        copy.write_bytes(path.read_bytes())
        change(copy, record={field: value})
        assert use(copy) == USED, value


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


def test_a_deeply_nested_record_is_no_crash(cli, path):
    """Python reads lists to a depth at which it can no longer write them."""
    for depth in range(700, 1000, 7):
        change(path, record={"corpus": nested(depth)})
        result = cli("info", path)
        assert result.status in (0, 1)
        assert ("error: " in result.err) == (result.status == 1)


@pytest.mark.parametrize("number", [*STRANGE, nested(900), "x" * 1_000_000], ids=lambda number: str(number)[:20])
def test_another_format_is_told_in_a_short_line(path, number):
    change(path, format=number)
    loaded = outcome(Checkpoint.load, path)
    assert isinstance(loaded, TranslatorError) == (number != FORMAT)
    assert len(str(loaded)) < 200 + len(str(path))


LARGEST = float(np.finfo(np.float16).max)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 65536, -1e30, 3e38])
def test_a_parameter_that_no_float16_holds_is_refused(path, value):
    """A larger one could be the end of all sums: infinities, and weights that are none."""
    store(path, lambda array: np.full_like(array, value, np.float32))
    assert use(path) == REFUSED


@pytest.mark.parametrize("attention", ["scaled-dot", "dot", "general", "additive", "none"])
@pytest.mark.parametrize("value", [LARGEST, -LARGEST, 0.0])
def test_the_largest_parameters_still_give_a_translation(make_checkpoint, path, attention, value):
    make_checkpoint(attention).save(path)
    store(path, lambda array: np.full_like(array, value, np.float32))
    assert use(path) == USED
    store(path, lambda array: np.where(np.arange(array.size).reshape(array.shape) % 2, value, -value).astype(np.float32))
    assert use(path) == USED


def store(path: Path, made: Callable[[np.ndarray], np.ndarray]) -> None:
    """Write other parameters into a checkpoint, as float32."""
    header, body = parts(path)
    new, end = b"", 0
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        data = body[begin:end]
        if entry["dtype"] in ("F16", "F32"):
            array = np.frombuffer(data, {"F16": np.float16, "F32": np.float32}[entry["dtype"]]).reshape(entry["shape"])
            entry["dtype"], data = "F32", made(array).tobytes()
        entry["data_offsets"] = [len(new), len(new) + len(data)]
        new += data
    write(path, header, new)
