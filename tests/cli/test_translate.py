"""`attn-translate translate`: lines in, answers on stdout, everything else on stderr."""

from __future__ import annotations

import json
import shlex
import subprocess
import time

import numpy as np
import pexpect
import pytest
import safetensors.numpy
from command_line import COMMAND, error_of, finish

from translator import Translator
from translator.translation import Translation

LOVE = "나는 너를 사랑해"


# Words, standard input


def test_words_may_be_quoted_or_not(cli):
    assert (
        cli("translate", "I love you")
        == cli("translate", "I", "love", "you")
        == (0, f"{LOVE}\n", "")
    )


@pytest.mark.case(13)
@pytest.mark.parametrize(
    "line",
    ["i love you", "I LOVE YOU", "Ｉ ｌｏｖｅ ｙｏｕ", "  I  love\tyou ", "I love\x1b you\x07"],
)
def test_variants_of_a_sentence_are_one(cli, line):
    assert cli("translate", line) == (0, f"{LOVE}\n", "")


@pytest.mark.case(16)
@pytest.mark.parametrize("line", ["", " ", "\t", "\x1b", "\u200b"])
def test_a_blank_sentence_gives_a_blank_line(cli, line):
    assert cli("translate", line) == (0, "\n", "")


@pytest.mark.case(29)
@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (b"", ""),
        (b"\n", "\n"),
        (b"Hi!", "안녕!\n"),
        (b"Hi!\n\n \nI run.\n", "안녕!\n\n\n나는 달려.\n"),
        (b"Hi!\r\n\r\nI run.\r\n", "안녕!\n\n나는 달려.\n"),
        (b"\xef\xbb\xbfHi!\n\xef\xbb\xbfI run.\n", "안녕!\n나는 달려.\n"),
        ("I\x0blove\u2028you\n".encode(), f"{LOVE}\n"),
    ],
)
def test_answer_n_belongs_to_line_n_of_stdin(cli, data, answer):
    assert cli("translate", stdin=data) == (0, answer, "")


def test_bytes_that_are_no_text_keep_their_line(cli):
    result = cli("translate", stdin=b"Hi!\n\xff\xfe\nHi!\n")
    assert (result.status, result.out.count("\n")) == (0, 3)
    assert result.out.startswith("안녕!\n")
    assert result.out.endswith("\n안녕!\n")


def test_a_dash_reads_stdin(cli):
    assert cli("translate", "-", stdin="Hi!\n\nI love you") == (0, f"안녕!\n\n{LOVE}\n", "")


@pytest.mark.case(26)
def test_argument_and_stdin_give_the_same_bytes_each_time(cli):
    json_lines = [
        cli("translate", "--format", "json", "I see you"),
        cli("translate", "--format", "json", stdin="I see you\n"),
    ] * 2
    assert len(set(json_lines)) == 1


def test_a_sentence_that_begins_with_a_dash_gets_advice(cli):
    result = cli("translate", "-I love you")
    assert (result.status, result.out) == (2, "")
    assert "put -- before it" in result.err


def test_the_advice_is_right(cli):
    result = cli("translate", "--", "-I love you")
    assert (result.status, result.out.count("\n")) == (0, 1)


@pytest.mark.parametrize("arguments", [["--beam-size"], ["--beam-size", "x", "Hi!"]])
def test_other_wrong_usage_gets_no_advice_on_dashes(cli, arguments):
    result = cli("translate", *arguments)
    assert (result.status, result.out) == (2, "")
    assert "put -- before it" not in result.err


# Formats


def test_a_pipe_gets_text(cli):
    assert (
        cli("translate", "Hi!").out == cli("translate", "--format", "text", "Hi!").out == "안녕!\n"
    )


def test_the_heatmap_stands_under_the_translation(cli, trained_path):
    from rich.console import Console

    from translator.views.heatmap import Heatmap

    console = Console(width=80)
    with console.capture() as captured:
        console.print(Heatmap(next(Translator.load(trained_path).translate(["Hi!"]))))
    assert cli("translate", "--format", "heatmap", "Hi!") == (0, f"안녕!\n{captured.get()}", "")


def test_the_heatmap_of_a_blank_line_is_a_blank_line(cli):
    result = cli("translate", "--format", "heatmap", stdin="\nHi!\n\n")
    assert result.out.startswith("\n안녕!\n┌")
    assert result.out.endswith("probability.\n\n")


def test_without_attention_the_heatmap_says_so(cli, make_checkpoint, tmp_path):
    make_checkpoint("none").save(tmp_path / "none.safetensors")
    result = cli("translate", "--checkpoint", "none.safetensors", "--format", "heatmap", "Hi!")
    assert result.status == 0
    assert "no attention" in result.out


def test_json_comes_back_as_the_same_translation(cli, trained_path):
    out = cli("translate", "--format", "json", stdin="I love you\n\nHi!\n").out
    translations = [Translation.from_json(line) for line in out.splitlines()]
    assert translations == list(Translator.load(trained_path).translate(["I love you", "", "Hi!"]))
    assert [translation.to_json() for translation in translations] == out.splitlines()


def test_n_best_text_has_line_rank_score_and_text(cli):
    out = cli("translate", "--n-best", 3, stdin="Hi!\nI love you\n").out
    rows = [line.split("\t") for line in out.splitlines()]
    assert [row[:2] for row in rows] == [[line, rank] for line in "12" for rank in "123"]
    assert (rows[0][3], rows[3][3]) == ("안녕!", LOVE)
    assert all(float(row[2]) <= 0 and len(row) == 4 for row in rows)


def test_n_best_json_has_line_and_rank_behind_the_format(cli):
    lines = cli(
        "translate", "--n-best", 2, "--format", "json", stdin="Hi!\nI love you\n"
    ).out.splitlines()
    records = [list(json.loads(line).items())[:3] for line in lines]
    assert records == [
        [("format", 1), ("line", line), ("rank", rank)] for line in (1, 2) for rank in (1, 2)
    ]
    assert Translation.from_json(lines[2]).target == LOVE


def test_n_best_of_a_blank_line_keeps_its_place(cli):
    assert cli("translate", "--n-best", 2, stdin="\n").out == "1\t1\t0.0000\t\n"


# Settings


def test_beam_size_1_is_greedy_search(cli, make_checkpoint, tmp_path):
    make_checkpoint(seed=5, scale=1.5).save(tmp_path / "random.safetensors")
    out = cli(
        "translate",
        "--checkpoint",
        "random.safetensors",
        "--beam-size",
        1,
        "--format",
        "json",
        "I love him",
    ).out
    assert Translation.from_json(out) == next(
        Translator.load(tmp_path / "random.safetensors").translate(["I love him"], beam_size=1)
    )


@pytest.mark.case(24)
def test_a_translation_that_is_cut_is_noted(cli):
    result = cli("translate", "--max-length", 2, stdin="I love you\nHi!\n")
    assert (result.status, result.out.count("\n")) == (0, 2)
    assert (
        result.err.splitlines()[0]
        == "note: line 1: stopped after 2 pieces without an end: I love you"
    )


@pytest.mark.parametrize(
    ("option", "value"),
    [("--beam-size", 10**9), ("--max-length", 10**9), ("--batch-size", 1001), ("--n-best", 0)],
)
def test_a_number_out_of_reason_is_refused(cli, option, value):
    result = cli("translate", option, value, "Hi!")
    assert (
        error_of(result)
        == f"{option[2:].replace('-', ' ') if option != '--n-best' else 'n-best'} can't be {value}"
    )
    assert "from 1 to 1000" in result.err


def test_too_little_memory_is_told(cli, monkeypatch):
    def refuse(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("translator.inference.gru.Network.encode", refuse)
    assert error_of(cli("translate", "Hi!")) == "there isn't enough memory"


def test_the_batch_size_changes_nothing(cli):
    lines = "I love you\nHi!\n\nThe cat sat on the mat.\nI run.\n"
    assert (
        cli("translate", "--batch-size", 1, stdin=lines)
        == cli("translate", "--batch-size", 3, stdin=lines)
        == cli("translate", stdin=lines)
    )


def test_an_output_file_is_none_of_the_files_that_are_read(cli, tmp_path, trained_path):
    (tmp_path / "lines.txt").write_text("Hi!\n", "utf-8")
    (tmp_path / "same.txt").hardlink_to(tmp_path / "lines.txt")
    (tmp_path / "model.safetensors").write_bytes(trained_path.read_bytes())
    command = [*COMMAND, "translate", "--checkpoint", "model.safetensors", "--output"]
    for output in ("lines.txt", "same.txt", "model.safetensors"):
        with (tmp_path / "lines.txt").open() as lines:
            result = subprocess.run(
                [*command, output], stdin=lines, capture_output=True, encoding="utf-8", check=False
            )
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr.startswith(
            f"error: {output} is read here: writing to it would empty it\nhint: "
        )
    assert (tmp_path / "lines.txt").read_text("utf-8") == "Hi!\n"
    assert (tmp_path / "model.safetensors").read_bytes() == trained_path.read_bytes()


def test_an_output_file_gets_what_stdout_would_get(cli, tmp_path):
    assert cli("translate", "--output", "answers.txt", stdin="Hi!\n\nI love you\n") == (0, "", "")
    assert (tmp_path / "answers.txt").read_bytes() == f"안녕!\n\n{LOVE}\n".encode()


@pytest.mark.parametrize(
    "wrong",
    [["--beam-size", 0], ["--n-best", 9], ["--format", "nonsense"], ["--checkpoint", "missing"]],
)
def test_a_wrong_value_leaves_the_output_file_alone(cli, tmp_path, wrong):
    (tmp_path / "answers.txt").write_text("precious", "utf-8")
    error_of(cli("translate", "--output", "answers.txt", *wrong, "Hi!"))
    assert (tmp_path / "answers.txt").read_text("utf-8") == "precious"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--beam-size", 0], "beam size can't be 0"),
        (["--beam-size", -1], "beam size can't be -1"),
        (["--n-best", 0], "n-best can't be 0"),
        (["--n-best", 6], "6 best translations don't come out of a beam of 5"),
        (["--max-length", 0], "max length can't be 0"),
        (["--batch-size", 0], "batch size can't be 0"),
        (["--format", "nonsense"], "no format is called 'nonsense'"),
        (["--output", "."], "can't write .: Is a directory"),
        (["--output", "file/answers.txt"], "can't write file/answers.txt: Not a directory"),
        (["--output", "[b]/x"], "can't write [b]/x: No such file or directory"),
    ],
)
def test_a_wrong_value_is_told_in_two_lines(cli, tmp_path, arguments, error):
    (tmp_path / "file").touch()
    result = cli("translate", *arguments, "Hi!")
    assert error_of(result) == error
    assert len(result.err.splitlines()) == 2


# Checkpoints


@pytest.fixture
def bad_checkpoints(tmp_path, trained_path) -> None:
    """A file of each kind that is no checkpoint of ours."""
    data = trained_path.read_bytes()
    (tmp_path / "cut.safetensors").write_bytes(data[: len(data) // 2])
    (tmp_path / "text.safetensors").write_text("hello", "utf-8")
    (tmp_path / "empty.safetensors").touch()
    (tmp_path / "pickle.safetensors").write_bytes(
        b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00}\x94."
    )
    safetensors.numpy.save_file({"weight": np.zeros(3)}, tmp_path / "other.safetensors")
    (tmp_path / "newer.safetensors").write_bytes(
        data.replace(b'{\\"format\\": 1,', b'{\\"format\\": 2,', 1)
    )


@pytest.mark.case(34, 42)
@pytest.mark.usefixtures("bad_checkpoints")
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("missing[1].safetensors", "there is no checkpoint missing[1].safetensors"),
        (".", ". is a folder"),
        ("text.safetensors/x", "can't read text.safetensors/x: Not a directory"),
        ("cut.safetensors", "cut.safetensors is damaged"),
        ("text.safetensors", "text.safetensors isn't an attn-translate checkpoint"),
        ("empty.safetensors", "empty.safetensors isn't an attn-translate checkpoint"),
        ("pickle.safetensors", "pickle.safetensors isn't an attn-translate checkpoint"),
        ("other.safetensors", "other.safetensors is a safetensors file, but of something else"),
        (
            "newer.safetensors",
            "newer.safetensors has format 2, made by another version; this program reads format 1",
        ),
    ],
)
@pytest.mark.parametrize("command", ["translate", "show-weights", "info"])
def test_what_is_no_checkpoint_is_told_in_two_lines(cli, command, name, error):
    result = cli(command, name) if command == "info" else cli(command, "--checkpoint", name, "Hi!")
    assert error_of(result) == error
    assert len(result.err.splitlines()) == 2


def test_the_option_wins_over_the_environment(cli, monkeypatch, trained_path):
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", "missing.safetensors")
    assert error_of(cli("translate", "Hi!")) == "there is no checkpoint missing.safetensors"
    assert cli("translate", "--checkpoint", trained_path, "Hi!").out == "안녕!\n"


# Notes: stdout is the answer and nothing else


@pytest.mark.case(14, 15)
@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("I love 猫", "note: characters unknown to this model in: 猫"),
        ("I see 😀😀", "note: characters unknown to this model in: 😀😀"),
        ("I love mats", "note: not seen in training: mats"),
        (
            "[bold]Hi![/] :smile:",
            "note: characters unknown to this model in: [bold]Hi![/], :smile:",
        ),
    ],
)
def test_what_the_model_does_not_know_is_named_on_stderr(cli, line, note):
    result = cli("translate", line)
    assert (result.status, result.err) == (0, f"{note}\n")
    assert result.out.count("\n") == 1
    assert "⁇" not in result.out


@pytest.mark.case(14, 15)
def test_what_the_model_does_not_know_is_named_once_and_with_its_line(cli):
    result = cli(
        "translate",
        stdin="I love mats\nI love you\nmats love 猫\n\nI love mats 猫 runs\n"
        + "I see mats\n" * 100,
    )
    assert result.out.count("\n") == 105
    assert result.err.splitlines() == [
        "note: line 1: not seen in training: mats",
        "note: line 3: characters unknown to this model in: 猫",
        "note: line 5: not seen in training: runs",
    ]


@pytest.mark.case(40)
def test_markup_in_a_sentence_is_shown_as_it_is(cli):
    out = cli("translate", "--format", "heatmap", "[q]").out
    assert "[q]" in out
    assert cli("translate", "--format", "json", "[bold]Hi![/]").out.count("[bold]Hi![/]") == 1


def test_a_very_long_word_does_not_flood_the_notes(cli):
    assert max(map(len, cli("translate", "x" * 5000).err.splitlines())) < 500


@pytest.mark.case(28)
def test_a_sentence_of_3000_words_is_answered_soon_with_a_note(cli):
    began = time.perf_counter()
    result = cli("translate", *["love"] * 3000)
    assert time.perf_counter() - began < 5
    assert (result.status, result.out.count("\n")) == (0, 1)
    assert "only the first 128 of 3001 pieces were translated" in result.err


def test_an_output_file_at_a_terminal_has_a_progress_bar(cli, tmp_path):
    (tmp_path / "lines.txt").write_text("Hi!\nI love you\n" * 300, "utf-8")
    command = shlex.join([*COMMAND, "translate", "--beam-size", "1", "--output", "answers.txt"])
    status, written = finish(
        pexpect.spawn(
            "sh",
            ["-c", f"{command} < lines.txt"],
            encoding="utf-8",
            dimensions=(24, 80),
            timeout=60,
        )
    )
    assert (status, (tmp_path / "answers.txt").read_text("utf-8").count("\n")) == (0, 600)
    assert "answers.txt" in written
    assert "━" in written
    assert "100%" in written
