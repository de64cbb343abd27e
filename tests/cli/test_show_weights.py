"""`attn-translate show-weights`: of the last sentence, a given one, or saved ones."""

from __future__ import annotations

import json
import stat
import unicodedata
from pathlib import Path

import pytest
from command_line import error_of

from translator.cli.last_translation import load_last_translation
from translator.translation import Translation
from translator.views.heatmap import BLANK

LOVE = "나는 너를 사랑해"
HAND_MADE = Translation(
    "a b",
    "가 나",
    ("▁a", "▁b", "</s>"),
    ("▁가", "▁나"),
    [[0.5, 0.25, 0.25], [0, 1, 0]],
    (0.5, 1.0),
    -0.7,
    False,
)


@pytest.fixture
def state(tmp_path) -> Path:
    """Return the file of the last translation."""
    return tmp_path / "state" / "attn-translate" / "last.json"


def first_line(result) -> str:
    assert (result.status, result.err) == (0, "")
    return result.out.splitlines()[0]


# Which sentence


def test_the_first_time_there_is_an_example(cli):
    assert first_line(cli("show-weights")) == f"I love you → {LOVE}"


def test_words_may_be_quoted_or_not(cli):
    assert cli("show-weights", "I", "run.") == cli("show-weights", "I run.")
    assert first_line(cli("show-weights", "I run.")) == "I run. → 나는 달려."


def test_without_words_it_shows_the_last_translation(cli):
    cli("translate", "I run.")
    assert first_line(cli("show-weights")) == "I run. → 나는 달려."


def test_the_last_translation_is_the_last_line_that_is_not_blank(cli):
    cli("translate", stdin="I run.\nHi!\n\n\n")
    cli("translate", "  ")
    assert first_line(cli("show-weights")) == "Hi! → 안녕!"


def test_the_last_translation_is_the_one_that_was_shown(cli, monkeypatch):
    cli("translate", "--max-length", 1, "I love you")
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", "missing.safetensors")
    out = cli("show-weights").out
    assert out.count("├") == 1
    assert len([line for line in out.splitlines() if line.startswith("│")]) == 2


def test_another_checkpoint_translates_the_last_sentence_anew(cli, make_checkpoint, tmp_path):
    make_checkpoint("none").save(tmp_path / "none.safetensors")
    cli("translate", "I run.")
    out = cli("show-weights", "--checkpoint", "none.safetensors").out
    assert out.startswith("I run. → ")
    assert "no attention" in out


def test_what_is_shown_is_the_last_translation_then(cli):
    cli("show-weights", "I run.")
    assert load_last_translation().target == "나는 달려."


def test_a_library_call_is_not_remembered(cli, state, trained_path):
    from translator import Translator

    next(Translator.load(trained_path).translate(["Hi!"]))
    assert not state.exists()


@pytest.mark.parametrize("line", ["", "  "])
def test_a_blank_sentence_is_said_to_be_blank(cli, line):
    cli("translate", "I run.")
    result = cli("show-weights", line)
    assert (result.status, result.out.splitlines()[-1]) == (0, BLANK)


# Where the last translation is kept


def test_the_last_translation_is_private(cli, state):
    cli("translate", "I run.")
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    assert [path.name for path in state.parent.iterdir()] == ["last.json"]


@pytest.mark.parametrize("command", ["translate", "show-weights"])
def test_a_state_folder_that_cannot_be_written_is_a_note(cli, tmp_path, monkeypatch, command):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    result = cli(command, "Hi!")
    assert result.status == 0
    assert "안녕!" in result.out
    assert result.err.startswith("note: the last translation couldn't be saved")


def test_a_failed_writing_of_the_state_leaves_nothing_behind(cli, state):
    state.mkdir(parents=True)
    result = cli("translate", "Hi!")
    assert (result.status, result.out) == (0, "안녕!\n")
    assert [path.name for path in state.parent.iterdir()] == ["last.json"]


@pytest.mark.parametrize("data", [b"", b"{}", b"nonsense", b"\xff", b"[]", b'{"format": 2}'])
def test_a_damaged_state_is_as_none(cli, state, data):
    state.parent.mkdir(parents=True)
    state.write_bytes(data)
    assert first_line(cli("show-weights")) == f"I love you → {LOVE}"


# A target of one's own


def test_the_models_own_translation_as_target_changes_nothing(cli):
    assert cli("show-weights", "I love you", "--target", LOVE) == cli("show-weights", "I love you")


def test_a_target_of_ones_own_is_weighed(cli):
    assert (
        first_line(cli("show-weights", "I love you", "--target", "나는 너를 봐"))
        == "I love you → 나는 너를 봐"
    )


@pytest.mark.case(12)
def test_a_decomposed_target_is_the_composed_one(cli):
    assert cli("show-weights", "Hi!", "--target", unicodedata.normalize("NFD", "안녕!")) == cli(
        "show-weights", "Hi!", "--target", "안녕!"
    )


def test_a_target_alone_belongs_to_the_last_sentence(cli):
    cli("translate", "Hi!")
    assert first_line(cli("show-weights", "--target", "너는")) == "Hi! → 너는"


@pytest.mark.parametrize(
    ("words", "target", "error"),
    [("Hi!", "", "the target is blank"), ("Hi!", " \u200b", "the target is blank")],
)
def test_a_blank_target_is_an_error(cli, words, target, error):
    assert error_of(cli("show-weights", words, "--target", target)) == error


def test_a_target_that_is_far_too_long_is_an_error(cli):
    assert error_of(cli("show-weights", "Hi!", "--target", "너는 " * 1000)).startswith(
        "the target has "
    )


# Saved translations


def test_saved_translations_are_shown_without_a_checkpoint(cli, tmp_path, monkeypatch):
    shown = cli("show-weights", "I love you").out + cli("show-weights", "Hi!").out
    (tmp_path / "saved.jsonl").write_text(
        cli("translate", "--format", "json", stdin="I love you\nHi!\n").out, "utf-8"
    )
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", "missing.safetensors")
    assert cli("show-weights", "--from", "saved.jsonl") == (0, shown, "")


def test_a_list_that_was_written_is_read_back(cli, tmp_path):
    (tmp_path / "saved.jsonl").write_text(
        cli("translate", "--format", "json", stdin="I love you\nHi!\n").out, "utf-8"
    )
    cli("show-weights", "--from", "saved.jsonl", "--output", "list.json")
    assert cli("show-weights", "--from", "list.json") == cli(
        "show-weights", "--from", "saved.jsonl"
    )
    cli("show-weights", "--from", "list.json", "--output", "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "list.json").read_bytes()


def test_saved_n_best_translations_are_shown(cli, tmp_path):
    (tmp_path / "saved.jsonl").write_text(
        cli("translate", "--n-best", 3, "--format", "json", "Hi!").out, "utf-8"
    )
    assert cli("show-weights", "--from", "saved.jsonl").out.count("Hi! → ") == 3


def test_a_saved_blank_line_is_said_to_be_blank(cli, tmp_path):
    (tmp_path / "saved.jsonl").write_text(Translation.empty().to_json(), "utf-8")
    assert cli("show-weights", "--from", "saved.jsonl").out == f" → \n{BLANK}\n"


def test_saved_translations_are_not_the_last_one(cli, tmp_path, state):
    (tmp_path / "saved.jsonl").write_text(HAND_MADE.to_json(), "utf-8")
    cli("show-weights", "--from", "saved.jsonl")
    assert not state.exists()


@pytest.mark.parametrize("field", ["source", "target", "source_pieces"])
def test_saved_text_cannot_steer_the_terminal(cli, tmp_path, field):
    record = json.loads(HAND_MADE.to_json())
    evil = "\x1b[2J\x1b]0;owned\x07"
    record[field] = [evil, "▁b", "</s>"] if field == "source_pieces" else evil
    (tmp_path / "saved.jsonl").write_text(json.dumps(record), "utf-8")
    assert "\x1b" not in cli("show-weights", "--from", "saved.jsonl").out


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (None, "can't read saved[1].jsonl: No such file or directory"),
        (b"\xff", "saved[1].jsonl is not UTF-8"),
        (b"{}", "saved[1].jsonl, line 1: not a saved translation"),
        (b"Hi!\t1\n", "saved[1].jsonl, line 1: not a saved translation"),
        (b'{"format": 9}', "saved[1].jsonl, line 1: format 9 of saved translations is unknown"),
    ],
)
def test_what_is_no_saved_translation_is_told_in_two_lines(cli, tmp_path, data, error):
    if data is not None:
        (tmp_path / "saved[1].jsonl").write_bytes(data)
    result = cli("show-weights", "--from", "saved[1].jsonl")
    assert error_of(result).startswith(error)
    assert len(result.err.splitlines()) == 2


def test_a_folder_holds_no_saved_translations(cli):
    assert error_of(cli("show-weights", "--from", ".")) == "can't read .: Is a directory"


@pytest.mark.parametrize(
    "more", [["Hi!"], ["--target", "안녕!"], ["--checkpoint", "x.safetensors"]]
)
def test_saved_translations_go_with_nothing_else(cli, tmp_path, more):
    (tmp_path / "saved.jsonl").touch()
    assert (
        error_of(cli("show-weights", "--from", "saved.jsonl", *more))
        == "--from shows saved translations as they are"
    )


# How it looks


TABLE = """\
a b → 가 나
┌───┬────────┬────────┬────────┬────┐
│   │   ▁a   │   ▁b   │  </s>  │ p  │
├───┼────────┼────────┼────────┼────┤
│▁가│▓▓ 0.50*│▒▒ 0.25 │▒▒ 0.25 │0.50│
│▁나│   0.00 │██ 1.00*│   0.00 │1.00│
└───┴────────┴────────┴────────┴────┘
Rows: the pieces written"""


def test_the_table_is_this(cli, tmp_path):
    (tmp_path / "saved.jsonl").write_text(HAND_MADE.to_json(), "utf-8")
    assert cli("show-weights", "--from", "saved.jsonl").out.startswith(TABLE)


def test_pieces_become_words_if_asked(cli):
    pieces, words = cli("show-weights", "I run.").out, cli("show-weights", "--words", "I run.").out
    labels = [line.split("│")[1].strip() for line in words.splitlines() if line.startswith("│")]
    assert labels == ["", "▁나는", "▁달려.", "</s>"]
    assert cli("show-weights", "--pieces", "I run.").out == pieces != words


@pytest.mark.case(40)
def test_markup_is_shown_as_it_is(cli, tmp_path):
    saved = Translation(
        "[b]a[/]", "[red]가", ("[b]", "</s>"), ("[red]",), [[1, 0]], (1.0,), 0.0, False
    )
    (tmp_path / "saved.jsonl").write_text(saved.to_json(), "utf-8")
    out = cli("show-weights", "--from", "saved.jsonl").out
    assert out.startswith("[b]a[/] → [red]가\n")
    assert "│     │  [b]   │" in out
    assert "│[red]│" in out


@pytest.mark.parametrize("command", [["I love 猫"], ["I love 猫", "--target", LOVE]])
def test_unknown_words_are_named_on_stderr(cli, command):
    result = cli("show-weights", *command)
    assert (result.status, result.err) == (0, "note: characters unknown to this model in: 猫\n")


def test_a_sentence_of_3000_words_is_shown_with_a_note(cli):
    result = cli("show-weights", *["love"] * 3000)
    assert result.status == 0
    assert "only the first 128 of 3001 pieces were translated" in result.err


def test_without_attention_it_says_so(cli, make_checkpoint, tmp_path):
    make_checkpoint("none").save(tmp_path / "none.safetensors")
    result = cli("show-weights", "--checkpoint", "none.safetensors", "Hi!")
    assert result.status == 0
    assert "no attention: there are no weights to show" in result.out


@pytest.mark.parametrize("arguments", [["--beam-size", 0], ["--beam-size", -3]])
def test_a_wrong_beam_size_is_told(cli, arguments):
    assert error_of(cli("show-weights", *arguments, "Hi!")).startswith("beam size can't be")


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_file_without_translations_is_told(cli, text):
    Path("empty.jsonl").write_text(text, encoding="utf-8")
    assert (
        error_of(cli("show-weights", "--from", "empty.jsonl"))
        == "empty.jsonl holds no translations"
    )
