"""Rules that no type checker knows: who imports whom, who may do what, how long things are."""

from __future__ import annotations

import ast
import graphlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import translator

PACKAGE = Path(translator.__file__).parent

# A package may import itself and these; every package may import the root.
MAY_IMPORT = {
    "": set(),
    "text": set(),
    "model": set(),
    "storage": {"text"},
    "inference": {"text", "storage"},
    "evaluation": {"text", "storage", "inference"},
    "views": set(),
    "training": {"text", "model", "storage", "inference", "evaluation"},
    "cli": {"text", "model", "storage", "inference", "evaluation", "views", "training"},
}
WITH_TORCH = {"model", "training"}
# Entry points may import anything.
ENTRY_POINTS = {"__init__", "__main__"}
HEAVY = ("numpy", "sentencepiece", "torch", "safetensors", "sacrebleu")
LONGEST_FUNCTION = 40
LONGEST_COMMAND = 60
LONGEST_FILE = 250
SPECIAL_IDS = {"PAD_ID", "UNKNOWN_ID", "START_ID", "END_ID", "NEVER_PRODUCED"}


def name_of(path: Path) -> str:
    """Give a file's module name: `cli/train.py` is `cli.train`, `cli/__init__.py` is `cli`."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


PATHS = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in PATHS.items()}
every_module = pytest.mark.parametrize("name", TREES)


def imports(name: str) -> Iterator[str]:
    """Give the full names of all modules that a module imports, also inside functions."""
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} has a relative import"
            children = [f"{node.module}.{alias.name}" for alias in node.names]
            inner = [child for child in children if child.removeprefix("translator.") in TREES]
            yield from inner or [str(node.module)]


def own_imports(name: str) -> set[str]:
    """Give the modules of this package that a module imports."""
    found = {module for module in imports(name) if module.split(".")[0] == "translator"}
    return {
        module.removeprefix("translator.") if module != "translator" else "__init__"
        for module in found
    }


def outside_imports(name: str) -> set[str]:
    """Give the third-party packages that a module imports."""
    return {module.split(".")[0] for module in imports(name)} - {"translator"}


def functions(name: str) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(TREES[name]) if isinstance(node, ast.FunctionDef)]


def called(name: str) -> set[str]:
    """Give the names of all functions that a module calls, as written."""
    return {ast.unparse(node.func) for node in ast.walk(TREES[name]) if isinstance(node, ast.Call)}


def is_command_line(name: str) -> bool:
    return name.split(".")[0] in ("cli", "__main__")


def package_of(name: str) -> str:
    """`model.gru.encoder` is in the package `model`, `settings` in the root."""
    first = name.split(".")[0]
    return first if first in MAY_IMPORT else ""


def test_every_package_is_in_the_table():
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders | {""} == set(MAY_IMPORT)


@every_module
def test_a_package_imports_only_what_the_table_allows(name):
    if name in ENTRY_POINTS:
        return
    packages = {package_of(module) for module in own_imports(name)}
    assert packages <= MAY_IMPORT[package_of(name)] | {package_of(name), ""}


def test_no_modules_import_each_other_in_a_circle():
    graph = {
        name: own_imports(name) & set(TREES) - ENTRY_POINTS for name in set(TREES) - ENTRY_POINTS
    }
    tuple(graphlib.TopologicalSorter(graph).static_order())  # raises CycleError


def test_the_imports_are_seen_at_all():
    assert {"settings", "errors", "inference.beam_search", "storage.checkpoint"} <= own_imports(
        "inference.translator"
    )
    assert {"inference.translator", "errors"} <= own_imports("__init__")
    assert {"views.heatmap", "cli.translate"} <= own_imports("cli.show_weights")


@every_module
def test_only_the_networks_and_their_training_import_torch(name):
    if package_of(name) not in WITH_TORCH:
        assert "torch" not in outside_imports(name)


@every_module
def test_only_the_checkpoint_knows_the_file_format(name):
    assert ("safetensors" in outside_imports(name)) == (name == "storage.checkpoint")


@every_module
def test_only_the_tokenizer_knows_sentencepiece(name):
    assert ("sentencepiece" in outside_imports(name)) == (name == "text.tokenizer")


@every_module
def test_only_the_tokenizer_defines_special_ids(name):
    nodes = [node for node in ast.walk(TREES[name]) if isinstance(node, ast.Name)]
    stored = {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
    assert (stored & SPECIAL_IDS) == (SPECIAL_IDS if name == "text.tokenizer" else set())


@every_module
def test_only_the_command_line_prints_reads_input_or_exits(name):
    if is_command_line(name):
        return
    exits = {"print", "input", "exit", "quit", "breakpoint", "sys.exit", "os._exit"}
    assert not called(name) & exits
    assert not {"typer", "click"} & outside_imports(name)
    streams = {"sys.stdin", "sys.stdout", "sys.stderr"}
    assert not streams & {ast.unparse(node) for node in ast.walk(TREES[name])}


@every_module
def test_nothing_can_run_what_a_file_says(name):
    assert not called(name) & {"eval", "exec", "compile", "torch.load", "__import__"}
    assert not {"pickle", "marshal", "shelve", "dill", "joblib"} & outside_imports(name)


@every_module
def test_no_error_is_swallowed_blindly(name):
    caught = [node for node in ast.walk(TREES[name]) if isinstance(node, ast.ExceptHandler)]
    blind = [
        node
        for node in caught
        if node.type is None or ast.unparse(node.type) in ("Exception", "BaseException")
    ]
    assert all(isinstance(node.body[-1], ast.Raise) for node in blind)


@every_module
def test_no_module_has_a_name_that_says_nothing(name):
    assert not set(name.split(".")) & {"utils", "util", "helpers", "common", "misc"}


@every_module
def test_no_function_is_longer_than_a_screen(name):
    lengths = {
        function.name: function.end_lineno - function.lineno + 1 for function in functions(name)
    }
    assert {
        function: length for function, length in lengths.items() if length > longest(name, function)
    } == {}


def longest(name: str, function: str) -> int:
    """Give the most lines of a function; a command needs more, with a parameter per option."""
    return LONGEST_COMMAND if name == f"cli.{function}" else LONGEST_FUNCTION


@every_module
def test_no_file_is_longer_than_250_lines(name):
    assert len(PATHS[name].read_text("utf-8").splitlines()) <= LONGEST_FILE


def undocumented(node: ast.AST, *, inherits: bool = False) -> Iterator[str]:
    """Give public names without a docstring; a method may inherit its base's."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.ClassDef | ast.FunctionDef) or child.name.startswith("_"):
            continue
        if not ast.get_docstring(child) and not (inherits and isinstance(child, ast.FunctionDef)):
            yield child.name
        if isinstance(child, ast.ClassDef):
            yield from undocumented(
                child, inherits=bool(child.bases) and ast.unparse(child.bases[0]) != "NamedTuple"
            )


@every_module
def test_all_that_is_public_has_a_docstring(name):
    assert ast.get_docstring(TREES[name])
    assert list(undocumented(TREES[name])) == []


@every_module
def test_every_function_says_its_types(name):
    for function in functions(name):
        parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        assert all(
            parameter.annotation for parameter in parameters if parameter.arg not in ("self", "cls")
        )
        assert function.returns is not None


def loaded_by(*arguments: str, **environment: str) -> set[str]:
    """Give the top-level packages that a Python process with these arguments imports."""
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(
        command,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=True,
    )
    reports = [
        line.split("|")[-1].strip()
        for line in done.stderr.splitlines()
        if line.startswith("import time:")
    ]
    return {report.split(".")[0] for report in reports}


@pytest.mark.parametrize(
    "arguments",
    [
        ["-c", "import translator"],
        ["-m", "translator", "--help"],
        ["-m", "translator", "train", "--help"],
    ],
    ids=" ".join,
)
def test_help_loads_nothing_heavy(arguments):
    loaded = loaded_by(*arguments)
    assert "translator" in loaded
    assert not loaded & set(HEAVY)


@pytest.fixture
def checkpoint(make_checkpoint, tmp_path) -> str:
    make_checkpoint().save(tmp_path / "model.safetensors")
    return str(tmp_path / "model.safetensors")


@pytest.mark.parametrize(
    "command",
    [["translate", "--format", "heatmap", "Hi"], ["show-weights", "Hi"], ["explain", "Hi"]],
    ids=" ".join,
)
def test_translating_never_loads_torch(checkpoint, tmp_path, command):
    loaded = loaded_by(
        "-m",
        "translator",
        *command,
        "--checkpoint",
        checkpoint,
        HOME=str(tmp_path),
        XDG_STATE_HOME=str(tmp_path),
    )
    assert {"numpy", "sentencepiece"} <= loaded
    assert not loaded & {"torch", "sacrebleu"}


def test_info_never_loads_torch(checkpoint):
    assert "torch" not in loaded_by("-m", "translator", "info", checkpoint)


def test_evaluating_never_loads_torch(checkpoint):
    loaded = loaded_by(
        "-m",
        "translator",
        "evaluate",
        "--beam-size",
        "1",
        "--faithfulness",
        "--checkpoint",
        checkpoint,
    )
    assert {"numpy", "sacrebleu"} <= loaded
    assert "torch" not in loaded
