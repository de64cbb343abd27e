"""`attn-translate info`: which checkpoint, why this one, and what it is."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from command_line import CommandLine, Result, told

from translator.storage.checkpoint import Checkpoint

LOCAL = "checkpoints/eng-kor.safetensors"


@pytest.fixture
def cli(tmp_path, monkeypatch, capfd) -> CommandLine:
    return CommandLine(tmp_path, monkeypatch, capfd)


def facts(result: Result) -> dict[str, str]:
    """The table as a dictionary; there is nothing on stderr."""
    assert (result.status, result.err) == (0, "")
    return {line[:12].strip(): line[13:] for line in result.out.splitlines()}


def test_the_command_line_chooses(cli, trained_path):
    told_facts = facts(cli("info", trained_path))
    assert told_facts["checkpoint"].startswith(f"{trained_path} (")
    assert told_facts["chosen by"] == "the command line"


def test_else_the_environment_chooses(cli, trained_path, monkeypatch, tmp_path):
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", str(trained_path))
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / LOCAL).touch()
    told_facts = facts(cli("info"))
    assert told_facts["checkpoint"].startswith(f"{trained_path} (")
    assert told_facts["chosen by"] == "$ATTN_TRANSLATE_CHECKPOINT"


def test_else_what_was_trained_below_this_folder_is_used(cli, trained_path, tmp_path):
    (tmp_path / "checkpoints").mkdir()
    shutil.copy(trained_path, tmp_path / LOCAL)
    told_facts = facts(cli("info"))
    assert told_facts["checkpoint"].startswith(f"{LOCAL} (")
    assert "below this folder" in told_facts["chosen by"]


def test_else_the_shipped_one_is_used(cli, trained_path, monkeypatch):
    monkeypatch.setattr(
        "translator.inference.translator.bundled",
        {"checkpoints/default.safetensors": trained_path}.__getitem__,
    )
    told_facts = facts(cli("info"))
    assert told_facts["checkpoint"].startswith(f"{trained_path} (")
    assert "shipped" in told_facts["chosen by"]


def test_an_empty_environment_variable_chooses_nothing(cli, trained_path, monkeypatch):
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", "")
    monkeypatch.setattr("translator.inference.translator.bundled", lambda name: trained_path)
    assert "shipped" in facts(cli("info"))["chosen by"]


def test_sizes_and_scores_are_told(cli, trained_path):
    checkpoint, told_facts = Checkpoint.load(trained_path), facts(cli("info", trained_path))
    size = sum(array.size for array in checkpoint.parameters.values())
    assert told_facts["parameters"] == f"{size:,} (embedding 32, hidden 32)"
    assert told_facts["attention"] == "scaled-dot"
    assert told_facts["dev scores"] == "chrF 100.00, exactly right 100.0% of 12"
    assert (
        told_facts["pieces"]
        == f"source {len(checkpoint.source_tokenizer)}, target {len(checkpoint.target_tokenizer)}"
    )


def test_how_it_was_made_is_told(cli, trained_path):
    record, told_facts = Checkpoint.load(trained_path).record, facts(cli("info", trained_path))
    assert told_facts["corpus"] == f"tiny (12 pairs, SHA-256 {record['digest'][:12]}…)"
    assert told_facts["training"].startswith(f"{record['epochs']} epochs, ")
    assert told_facts["training"].endswith("seed 1")
    assert all(
        f"{name} {number}" in told_facts["made with"] for name, number in record["versions"].items()
    )


def test_a_checkpoint_without_attention_says_none(cli, make_checkpoint, tmp_path):
    make_checkpoint("none").save(tmp_path / "[b].safetensors")
    told_facts = facts(cli("info", "[b].safetensors"))
    assert (told_facts["attention"], told_facts["checkpoint"][:16]) == ("none", "[b].safetensors ")


@pytest.mark.parametrize("record", [{}, {"seconds": "x"}, {"dev": None}, {"settings": []}])
def test_a_strange_record_is_no_crash(cli, make_checkpoint, tmp_path, record):
    replace(make_checkpoint(), record=record).save(tmp_path / "strange.safetensors")
    result = cli("info", "strange.safetensors")
    assert result.status == 0 or told(result) == "strange.safetensors is damaged"


def test_a_chosen_checkpoint_that_is_missing_is_told(cli, monkeypatch):
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", "gone.safetensors")
    assert told(cli("info")) == "there is no checkpoint gone.safetensors"
