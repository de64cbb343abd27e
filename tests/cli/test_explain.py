"""`attn-translate explain`: one step in numbers and words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import error_of
from rich.cells import cell_len

from translator import Translator
from translator.evaluation.explanation import explain
from translator.settings import ATTENTIONS

LOVE = "I love you → 나는 너를 사랑해"


@pytest.fixture(params=ATTENTIONS)
def checkpoint(request, tmp_path, make_checkpoint) -> Path:
    """Save a checkpoint of each kind of attention."""
    make_checkpoint(request.param).save(tmp_path / "model.safetensors")
    return tmp_path / "model.safetensors"


def lines(result) -> list[str]:
    assert (result.status, result.err) == (0, "")
    return result.out.splitlines()


def test_the_lesson_shows_the_numbers_of_the_step(cli, trained_path):
    translator = Translator.load(trained_path)
    translation = next(translator.translate(["I love you"]))
    made = lines(cli("explain", "I love you", "--step", 2))
    e = explain(translator, translation, 2)
    assert made[0] == LOVE
    assert made[1] == (
        f"Step 2 of {len(translation.target_pieces)}: {e.previous_piece} is written, "
        f"{e.piece} comes next. Attention: scaled-dot."
    )
    text = " ".join(" ".join(made).split())
    for j, piece in enumerate(translation.source_pieces):
        assert any(
            line.startswith(piece) and line.split()[-1] == f"{e.weights[j]:.3f}" for line in made
        )
    for candidate in e.likeliest:
        assert f"{candidate.piece} {candidate.probability:.4f}" in text
    assert f"√d_k = √{len(e.query)} = {e.divisor:.2f}" in text
    assert f"Sum of α: {e.weights.sum():.4f}." in text


def test_the_sections_come_in_order(cli):
    headings = [
        line
        for line in lines(cli("explain", "I love you"))
        if line[:2] in ("1.", "2.", "3.", "4.", "5.", "6.")
    ]
    assert [line.split()[0] for line in headings] == ["1.", "2.", "3.", "4.", "5.", "6."]


def test_every_kind_of_attention_fits_eighty_columns(cli, checkpoint):
    made = lines(cli("explain", "The cat sees you", "--checkpoint", checkpoint))
    assert max(map(cell_len, made)) <= 80


def test_a_narrow_terminal_cuts_no_number(cli, monkeypatch):
    wide = lines(cli("explain", "I love you"))
    monkeypatch.setenv("COLUMNS", "30")
    narrow = lines(cli("explain", "I love you"))
    assert " ".join(narrow).split() == " ".join(wide).split()


def test_json_is_the_record(cli, trained_path):
    translator = Translator.load(trained_path)
    e = explain(translator, next(translator.translate(["I run."])), 1)
    assert json.loads("".join(lines(cli("explain", "I run.", "--format", "json")))) == json.loads(
        json.dumps(e.record())
    )


@pytest.mark.parametrize(
    ("attention", "said", "not_said"),
    [
        ("scaled-dot", "W_k h_j", "tanh"),
        ("dot", "Nothing divides it", "√"),
        ("general", "the state itself", "√"),
        ("additive", "v·tanh(q + k)", "√"),
        ("none", "No question is asked", "softmax of"),
    ],
)
def test_each_kind_says_what_it_does(cli, make_checkpoint, tmp_path, attention, said, not_said):
    make_checkpoint(attention).save(tmp_path / "model.safetensors")
    text = " ".join(
        " ".join(
            lines(cli("explain", "I love you", "--checkpoint", tmp_path / "model.safetensors"))
        ).split()
    )
    assert said in text
    assert not_said not in text


def test_without_words_it_is_the_last_translation_else_an_example(cli):
    assert lines(cli("explain"))[0] == LOVE
    cli("translate", "I run.")
    assert lines(cli("explain"))[0] == "I run. → 나는 달려."
    assert lines(cli("show-weights"))[0] == "I run. → 나는 달려."


def test_a_last_translation_that_this_model_would_not_write_is_told(cli):
    cli("show-weights", "I run.", "--target", "너는 달려.")
    result = cli("explain")
    assert (result.status, result.out.splitlines()[0]) == (0, "I run. → 나는 달려.")
    assert result.err.startswith("note: the last translation was 너는 달려.;")


def test_words_become_the_last_translation(cli):
    cli("explain", "I", "run.")
    assert lines(cli("show-weights"))[0] == "I run. → 나는 달려."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Hi!", "--step", 99], "there is no step 99"),
        ([" "], "the sentence is blank"),
        (["Hi!", "--format", "xml"], "no format is called 'xml'"),
    ],
    ids=str,
)
def test_what_the_user_can_mend_is_told(cli, arguments, message):
    assert message in error_of(cli("explain", *arguments))
