"""`attn-translate info`: which checkpoint is used, why, and what it contains."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from command_line import CommandLine, Result, error_of

from translator.storage.checkpoint import Checkpoint

LOCAL = "checkpoints/eng-kor.safetensors"


@pytest.fixture
def cli(tmp_path, monkeypatch, capfd) -> CommandLine:
    return CommandLine(tmp_path, monkeypatch, capfd)


def facts(result: Result) -> dict[str, str]:
    """Read the table as a dictionary; stderr must be empty."""
    assert (result.status, result.err) == (0, "")
    return {line[:12].strip(): line[13:] for line in result.out.splitlines()}


def test_the_command_line_chooses(cli, trained_path):
    shown = facts(cli("info", trained_path))
    assert shown["checkpoint"].startswith(f"{trained_path} (")
    assert shown["chosen by"] == "the command line"


def test_else_the_environment_chooses(cli, trained_path, monkeypatch, tmp_path):
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", str(trained_path))
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / LOCAL).touch()
    shown = facts(cli("info"))
    assert shown["checkpoint"].startswith(f"{trained_path} (")
    assert shown["chosen by"] == "$ATTN_TRANSLATE_CHECKPOINT"


def test_else_what_was_trained_below_this_folder_is_used(cli, trained_path, tmp_path):
    (tmp_path / "checkpoints").mkdir()
    shutil.copy(trained_path, tmp_path / LOCAL)
    shown = facts(cli("info"))
    assert shown["checkpoint"].startswith(f"{LOCAL} (")
    assert shown["chosen by"] == "default, in this folder"


def test_else_the_shipped_one_is_used(cli, trained_path, monkeypatch):
    monkeypatch.setattr(
        "translator.inference.translator.bundled",
        {"checkpoints/default.safetensors": trained_path}.__getitem__,
    )
    shown = facts(cli("info"))
    assert shown["checkpoint"].startswith(f"{trained_path} (")
    assert "shipped" in shown["chosen by"]


def test_an_empty_environment_variable_chooses_nothing(cli, trained_path, monkeypatch):
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", "")
    monkeypatch.setattr("translator.inference.translator.bundled", lambda name: trained_path)
    assert "shipped" in facts(cli("info"))["chosen by"]


def test_sizes_and_scores_are_told(cli, trained_path):
    checkpoint, shown = Checkpoint.load(trained_path), facts(cli("info", trained_path))
    size = sum(array.size for array in checkpoint.parameters.values())
    assert shown["parameters"] == f"{size:,} (embedding 32, hidden 32)"
    assert shown["attention"] == "scaled-dot"
    assert shown["dev scores"] == "chrF 100.00, exactly right 100.0% of 12"
    assert (
        shown["pieces"]
        == f"source {len(checkpoint.source_tokenizer)}, target {len(checkpoint.target_tokenizer)}"
    )


def test_how_it_was_made_is_told(cli, trained_path):
    record, shown = Checkpoint.load(trained_path).record, facts(cli("info", trained_path))
    assert shown["corpus"] == f"tiny (12 pairs, SHA-256 {record['digest'][:12]}…)"
    assert shown["training"].startswith(f"{record['epochs']} epochs, ")
    assert shown["training"].endswith("seed 1")
    assert all(
        f"{name} {number}" in shown["made with"] for name, number in record["versions"].items()
    )


def test_a_checkpoint_without_attention_says_none(cli, make_checkpoint, tmp_path):
    make_checkpoint("none").save(tmp_path / "[b].safetensors")
    shown = facts(cli("info", "[b].safetensors"))
    assert (shown["attention"], shown["checkpoint"][:16]) == ("none", "[b].safetensors ")


@pytest.mark.parametrize("record", [{}, {"seconds": "x"}, {"dev": None}, {"settings": []}])
def test_a_strange_record_is_no_crash(cli, make_checkpoint, tmp_path, record):
    replace(make_checkpoint(), record=record).save(tmp_path / "strange.safetensors")
    result = cli("info", "strange.safetensors")
    assert result.status == 0 or error_of(result) == "strange.safetensors is damaged"


def test_a_chosen_checkpoint_that_is_missing_is_told(cli, monkeypatch):
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", "gone.safetensors")
    assert error_of(cli("info")) == "there is no checkpoint gone.safetensors"
