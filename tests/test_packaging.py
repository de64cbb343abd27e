"""Installation: the shipped files are found in a checkout and in a wheel."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from translator import TranslatorError
from translator.settings import bundled

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = [
    *(f"data/eng-kor.{part}.tsv" for part in ("train", "dev", "test", "compose", "long")),
    "checkpoints/default.safetensors",
]


ASSETS = [f"views/{name}" for name in ("page.html", "page.css", "page.js", "stage.js")]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_checkout_has_what_ships(name):
    assert bundled(name) == ROOT / name


def test_what_doesn_t_ship_is_an_error():
    with pytest.raises(TranslatorError, match=r"data/nothing\.tsv is missing"):
        bundled("data/nothing.tsv")


@pytest.mark.slow
def test_the_wheel_works_outside_the_checkout(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", tmp_path, ROOT],
        check=True,
    )
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = wheel.namelist()
        folders = {name.split("/")[0].split("-")[0] for name in names}
        assert folders == {"translator", "attn_translate"}  # the second is the dist-info
        assert {f"translator/{name}" for name in [*SHIPPED, *ASSETS]} <= set(names)
        wheel.extractall(tmp_path / "installed")
    command = [sys.executable, "-P", "-m", "translator", "translate", "I love you"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path / "installed"),
        "XDG_STATE_HOME": str(tmp_path),
    }
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "나는 너를 사랑해\n"


def test_every_module_is_imported_without_a_warning():
    modules = [
        module.name
        for module in pkgutil.walk_packages([str(ROOT / "translator")], "translator.")
        if module.name != "translator.__main__"
    ]
    assert len(modules) > 40
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"import {', '.join(modules)}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
