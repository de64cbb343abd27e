"""What every command does alike: exit statuses, notes, and what runs on another system."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import COMMAND, error_of
from conftest import PAIRS

from translator.storage.checkpoint import Checkpoint

TINY = ("--hidden-size", 6, "--embedding-size", 6, "--threads", 1, "--epochs", 1)
WITHOUT = """
import importlib, os, pkgutil, sys
import sacrebleu, torch  # on Linux these need what they don't need elsewhere
sys.modules["fcntl"] = None  # as on Windows
del os.sched_getaffinity  # as on macOS
import translator
for module in pkgutil.walk_packages(translator.__path__, "translator."):
    if module.name != "translator.__main__":
        importlib.import_module(module.name)
from translator.cli import main
sys.argv = ["attn-translate", "--help"]
main()
"""


@pytest.fixture
def corpus(tmp_path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{pair.source}\t{pair.target}\n" for pair in PAIRS), "utf-8")
    return path


@pytest.fixture
def reversed_model(cli, corpus) -> str:
    arguments = ("--dev", corpus, "--checkpoint", "reversed.safetensors", "--reverse")
    assert cli("train", corpus, *TINY, *arguments).status == 0
    return "reversed.safetensors"


def test_a_note_names_an_unknown_word_without_its_punctuation(cli):
    result = cli("translate", "I love mother!")
    assert "not seen in training: mother\n" in result.err


@pytest.mark.parametrize("command", ["info", "translate I love you", "explain I love you"])
def test_a_broken_pipe_ends_as_sigpipe_does(cli, command):
    """`true` leaves without reading; the shell reports the status of what wrote into the pipe."""
    line = f"set -o pipefail; {shlex.join(COMMAND)} {command} | true"
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("suffix", [".html", ".svg", ".png", ".csv"])
@pytest.mark.parametrize("name", ["text", "heatmap", "json"])
def test_lines_never_go_into_a_file_named_like_a_page_or_picture(cli, suffix, name):
    result = cli("translate", "Hi!", "--format", name, "--output", f"love{suffix}")
    assert error_of(result) == f"translate writes text or JSON lines, not {suffix}"
    assert "show-weights" in result.err
    assert not Path(f"love{suffix}").exists()


def test_an_interruption_before_learning_says_that_nothing_was_saved(cli, corpus, monkeypatch):
    from translator.text import corpus as module

    monkeypatch.setattr(module, "hold_out", lambda _: signal.raise_signal(signal.SIGINT))
    result = cli("train", corpus, *TINY)
    last = "interrupted before learning began: nothing was saved or changed"
    assert (result.status, result.err.splitlines()[-1]) == (130, last)


def test_minutes_count_from_the_start_of_the_command(cli, corpus, monkeypatch):
    seen = []
    monkeypatch.setattr("translator.cli.train._run", lambda training, _: seen.append(training))
    before = time.perf_counter()
    assert cli("train", corpus, *TINY[:-2], "--minutes", 1).status == 0
    (training,) = seen
    assert before <= training.began <= time.perf_counter()
    training.began = before - 60
    assert training.progress == 1


def test_a_budget_that_start_up_uses_up_still_makes_a_model(cli, corpus):
    arguments = (*TINY[:-2], "--minutes", 0.01, "--checkpoint", "short.safetensors")
    assert cli("train", corpus, *arguments).status == 0
    assert cli("translate", "Hi!", "--checkpoint", "short.safetensors").status == 0


def test_info_says_that_a_model_was_trained_in_reverse(cli, reversed_model):
    assert "direction    target → source (--reverse)\n" in cli("info", reversed_model).out
    assert "direction    source → target\n" in cli("info").out


def test_evaluate_exchanges_the_columns_for_a_reversed_model(cli, corpus, reversed_model):
    result = cli("evaluate", corpus, "--checkpoint", reversed_model, "--format", "json")
    assert "trained with --reverse" in result.err
    swapped = corpus.with_name("swapped.tsv")
    swapped.write_text("".join(f"{p.target}\t{p.source}\n" for p in PAIRS), "utf-8")
    record = Checkpoint.load(Path(reversed_model))
    record.record["reverse"] = False
    record.save(Path("plain.safetensors"))
    plain = cli("evaluate", swapped, "--checkpoint", "plain.safetensors", "--format", "json")
    ours, theirs = (json.loads(one.out)["checkpoints"][0] for one in (result, plain))
    assert ours.pop("checkpoint") != theirs.pop("checkpoint")
    assert ours == theirs


def test_every_module_loads_without_what_only_linux_has(cli):
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"show-weights" in done.stdout
