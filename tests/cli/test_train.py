"""`attn-translate train`: its display, stopping, resuming, and what it refuses."""

from __future__ import annotations

import os
import re
import shlex
import signal
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from command_line import CommandLine, Result, error_of, finish
from conftest import PAIRS
from rich.text import Text

from translator import Translator
from translator.cli.progress import Progress
from translator.storage.checkpoint import Checkpoint, load_training_state
from translator.training.optimization import Optimizer
from translator.translation import Translation

TINY = ("--hidden-size", 6, "--embedding-size", 6, "--threads", 1)

pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")


@pytest.fixture
def cli(tmp_path, monkeypatch, capfd) -> CommandLine:
    """The command line, in a folder with the corpus pairs.tsv."""
    (tmp_path / "pairs.tsv").write_text(tsv(PAIRS), "utf-8")
    return CommandLine(tmp_path, monkeypatch, capfd)


@pytest.fixture
def train(cli):
    """Train a tiny model on pairs.tsv in this process, by default for one epoch."""

    def run(*arguments: object, epochs: int = 1) -> Result:
        return cli("train", "pairs.tsv", *TINY, "--epochs", epochs, *arguments)

    return run


def tsv(pairs) -> str:
    return "".join(f"{pair.source}\t{pair.target}\n" for pair in pairs)


def arrays(name: str) -> dict[str, np.ndarray]:
    """Return all arrays of a checkpoint and of its training state."""
    return {**Checkpoint.load(Path(name)).parameters, **load_training_state(Path(name))[0]}


def are_same(first: dict[str, np.ndarray], second: dict[str, np.ndarray]) -> bool:
    return first.keys() == second.keys() and all(
        np.array_equal(first[name], second[name]) for name in first
    )


# How it is watched


@pytest.mark.case(31)
def test_stdout_has_one_line_that_is_a_command_that_works(cli, train):
    result = train("--checkpoint", "a folder/model 1.safetensors")
    assert (result.status, result.out.count("\n")) == (0, 1)
    program, *arguments = shlex.split(result.out)
    answer = cli(*arguments)
    assert (program, answer.status, answer.out.count("\n")) == ("attn-translate", 0, 1)


def test_the_command_works_for_a_sentence_that_begins_with_a_dash(cli, tmp_path):
    (tmp_path / "dash.tsv").write_text("- Hi!\t- 안녕!\n", "utf-8")
    (tmp_path / "other.tsv").write_text(tsv(PAIRS[6:]), "utf-8")
    result = cli("train", "other.tsv", "--dev", "dash.tsv", *TINY, "--epochs", 1)
    answer = cli(*shlex.split(result.out)[1:])
    assert (answer.status, answer.out.count("\n")) == (0, 1)


@pytest.mark.case(37)
@pytest.mark.parametrize("environment", [{}, {"FORCE_COLOR": "1"}])
def test_a_pipe_gets_one_plain_line_an_epoch(train, monkeypatch, environment):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    result = train(epochs=3)
    assert re.findall(
        r"^epoch (\d+)  loss \d+\.\d+  chrF \d+\.\d+  exact ", result.err, re.MULTILINE
    ) == ["1", "2", "3"]
    watched = (
        result.err.partition("\nsaved ")[0] if environment else result.err
    )  # colour that is forced is for the summary
    assert not re.search("[\x1b\r━]", watched + result.out)


def test_a_plain_line_shows_what_the_sample_becomes(train):
    assert re.search(r"^epoch 1 .* pieces/s .* left .*I love you → ", train().err, re.MULTILINE)


@pytest.mark.case(9)
def test_sentencepiece_is_silent_unless_asked(train):
    assert "trainer_interface" not in train().err
    assert "trainer_interface" in train("--force", "--verbose").err


def test_a_terminal_gets_a_live_display(cli):
    terminal = cli.terminal("train", "pairs.tsv", *TINY, "--epochs", 3)
    status, written = finish(terminal)
    assert status == 0
    assert all(
        heading in written
        for heading in ("epoch", "loss", "chrF", "exact", "pieces/s", "━", "I love you → ")
    )
    assert "\x1b[" in written
    assert (
        written.splitlines()[-1]
        == "attn-translate translate --checkpoint checkpoints/pairs.safetensors 'I love you'"
    )


@pytest.mark.parametrize("width", [40, 50, 80])
def test_no_number_is_cut_whatever_the_width(cli, width):
    status, written = finish(cli.terminal("train", "pairs.tsv", *TINY, "--epochs", 2, width=width))
    assert status == 0
    assert {*re.findall(r"\d+\.\d%", written)}
    assert not re.search(r"\S…", Text.from_ansi(written).plain)


@pytest.mark.case(38)
def test_a_dumb_terminal_gets_plain_lines(cli):
    status, written = finish(cli.terminal("train", "pairs.tsv", *TINY, "--epochs", 2, TERM="dumb"))
    assert (status, "\x1b" in written) == (0, False)
    assert len(re.findall(r"^epoch \d  loss", written, re.MULTILINE)) == 2


def test_the_end_shows_figures_curve_and_dev_sentences(train, monkeypatch):
    monkeypatch.setenv("COLUMNS", "500")  # what so little training writes may be long
    err = train("--dev", "pairs.tsv", "--epochs", 3, "--learning-rate", 0.05).err
    record = Checkpoint.load(Path("checkpoints/pairs.safetensors")).record
    end = re.sub(" +$", "", err[err.index("saved ") :], flags=re.MULTILINE)
    assert re.match(r"saved +checkpoints/pairs\.safetensors, 0\.\d MB\n", end)
    assert re.search(rf"^best epoch +{record['epochs']} of 3$", end, re.MULTILINE)
    assert re.search(
        rf"^dev set +chrF {record['dev']['chrf']:.2f}, {record['dev']['exact']:.1%} exactly right$",
        end,
        re.MULTILINE,
    )
    losses = re.findall(r"^epoch \d  loss (\d\.\d\d)", err, re.MULTILINE)
    loss = re.search(r"^loss +(\d\.\d\d)  ([▁▂▃▄▅▆▇█]{3})  (\d\.\d\d)$", end, re.MULTILINE)
    assert (loss[1], loss[2][0], loss[2][2], loss[3]) == (losses[0], "█", "▁", losses[2])
    translator = Translator.load(Path("checkpoints/pairs.safetensors"))
    for pair, translation in zip(
        PAIRS[:5],
        translator.translate([pair.source for pair in PAIRS[:5]], beam_size=1),
        strict=True,
    ):
        reference = "the same" if translation.target == pair.target else pair.target
        assert re.search(
            rf"^{re.escape(pair.source)} +{re.escape(translation.target)} +{re.escape(reference)}$",
            end,
            re.MULTILINE,
        )


@pytest.mark.case(27)
def test_a_model_that_says_the_same_to_everything_is_reported(train, monkeypatch):
    monkeypatch.setattr(
        "translator.inference.translator.Translator.translate",
        lambda self, lines, **_: (Translation.empty() for _ in lines),
    )
    assert "every dev sentence gets the same translation" in train("--dev", "pairs.tsv").err


def test_sentences_that_all_mean_the_same_are_no_reason_to_complain(cli, tmp_path):
    (tmp_path / "same.tsv").write_text("Hi!\t안녕!\nHello!\t안녕!\n", "utf-8")
    result = cli(
        "train",
        "same.tsv",
        "--dev",
        "same.tsv",
        *TINY,
        "--epochs",
        30,
        "--learning-rate",
        0.1,
        "--dropout",
        0,
    )
    assert "exact 100.0%" in result.err
    assert "same translation" not in result.err


# What it says of the corpus


@pytest.mark.case(1)
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (8000, r"\d+ pieces \(asked for 8,000; this corpus supports"),
        (5, r"\d+ pieces \(asked for 5; each character"),
    ],
)
def test_the_vocabulary_size_is_a_ceiling_that_adapts(train, asked, words):
    result = train("--vocabulary-size", asked)
    assert result.status == 0
    assert all(
        re.search(rf"^{side}: {words}.*, \d\.\d\d a word$", result.err, re.MULTILINE)
        for side in ("source", "target")
    )


def test_the_sizes_that_are_told_are_the_checkpoints(train):
    told_sizes = re.findall(
        r"^(?:source|target): (\d+) pieces", train("--vocabulary-size", 8000).err, re.MULTILINE
    )
    config = Checkpoint.load(Path("checkpoints/pairs.safetensors")).config
    assert told_sizes == [str(config.source_vocabulary), str(config.target_vocabulary)]


@pytest.mark.case(8)
def test_what_was_skipped_is_told(cli, tmp_path):
    (tmp_path / "mixed.tsv").write_text("no tab\n\n" + tsv(PAIRS) + "Hi!\t안녕!\n", "utf-8")
    err = cli("train", "mixed.tsv", *TINY, "--epochs", 1).err
    assert (
        "15 lines, 12 pairs; skipped 1 without a tab (first: line 1), "
        "1 blank (first: line 2), 1 duplicates (first: line 15)"
    ) in err


def test_without_a_dev_set_some_pairs_are_held_out(train):
    result = train()
    assert "held out by a hash of their source" in result.err
    assert Checkpoint.load(Path("checkpoints/pairs.safetensors")).record["pairs"] == 11


def test_with_a_dev_set_all_pairs_are_learnt(train):
    assert "held out" not in train("--dev", "pairs.tsv").err
    record = Checkpoint.load(Path("checkpoints/pairs.safetensors")).record
    assert (record["pairs"], record["dev"]["sentences"]) == (12, 12)


def test_the_bundled_corpus_is_the_default(cli):
    result = cli("train", *TINY, "--minutes", 0.01, "--vocabulary-size", 300)
    assert (
        result.out
        == "attn-translate translate --checkpoint checkpoints/eng-kor.safetensors 'I love you'\n"
    )
    assert "eng-kor.dev.tsv" in result.err


def test_the_curve_is_drawn(cli, train, tmp_path):
    result = train("--plot", tmp_path / "curve.svg", epochs=3)
    picture = (tmp_path / "curve.svg").read_text("utf-8")
    assert result.status == 0
    assert picture.startswith("<svg") or picture.startswith("<?xml")
    assert all(word in picture for word in ("loss", "chrF", "exact"))


@pytest.mark.parametrize("name", ["curve.png", "no/folder/curve.svg"])
def test_what_can_not_become_a_curve_is_refused_before_training(train, name):
    result = train("--plot", name)
    assert result.status == 1
    assert f"error: can't draw into {name}" in result.err
    assert not Path("checkpoints").exists()


def test_two_files_are_paired_by_line(cli, tmp_path):
    (tmp_path / "a.en").write_text("".join(f"{pair.source}\n" for pair in PAIRS), "utf-8")
    (tmp_path / "a.ko").write_text("".join(f"{pair.target}\n" for pair in PAIRS), "utf-8")
    cli("train", "--source", "a.en", "--target", "a.ko", *TINY, "--epochs", 2)
    cli("train", "pairs.tsv", *TINY, "--epochs", 2)
    assert are_same(arrays("checkpoints/a.safetensors"), arrays("checkpoints/pairs.safetensors"))


def test_reverse_learns_the_other_direction(cli, tmp_path, train):
    (tmp_path / "turned.tsv").write_text(
        "".join(f"{pair.target}\t{pair.source}\n" for pair in PAIRS), "utf-8"
    )
    result = train("--reverse", "--dev", "pairs.tsv")
    cli("train", "turned.tsv", "--dev", "turned.tsv", *TINY, "--epochs", 1)
    assert result.out == (
        "attn-translate translate --checkpoint checkpoints/pairs-reverse.safetensors "
        f"'{PAIRS[0].target}'\n"
    )
    assert are_same(
        arrays("checkpoints/pairs-reverse.safetensors"), arrays("checkpoints/turned.safetensors")
    )


# The same again, and going on


@pytest.mark.case(32)
def test_the_same_seed_gives_the_same_parameters(train):
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        train("--seed", seed, "--checkpoint", f"{name}.safetensors", epochs=2)
    assert are_same(arrays("a.safetensors"), arrays("b.safetensors"))
    assert not are_same(arrays("a.safetensors"), arrays("c.safetensors"))


@pytest.fixture
def interrupt_after_an_epoch(monkeypatch):
    """Press Ctrl-C when the first epoch is shown, once."""
    show = Progress.show

    def interrupt(self, epoch):
        monkeypatch.setattr(Progress, "show", show)
        show(self, epoch)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Progress, "show", interrupt)


@pytest.mark.case(33)
def test_a_resumed_training_equals_an_uninterrupted_one(train, interrupt_after_an_epoch):
    stopped = train("--checkpoint", "a.safetensors", "--dropout", 0.3, epochs=3)
    resumed = train("--checkpoint", "a.safetensors", "--resume", epochs=3)
    straight = train("--checkpoint", "b.safetensors", "--dropout", 0.3, epochs=3)
    assert [result.status for result in (stopped, resumed, straight)] == [130, 0, 0]
    assert (stopped.err.count("\nepoch "), resumed.err.count("\nepoch ")) == (1, 2)
    assert are_same(arrays("a.safetensors"), arrays("b.safetensors"))


def test_going_on_needs_no_setting_twice(cli, train, interrupt_after_an_epoch):
    train("--attention", "general", "--seed", 5, "--batch-size", 4, epochs=2)
    result = cli("train", "pairs.tsv", "--resume")
    assert (result.status, "resuming after epoch 1\n" in result.err) == (0, True)
    record = Checkpoint.load(Path("checkpoints/pairs.safetensors")).record
    assert (record["settings"]["seed"], record["settings"]["batch_size"]) == (5, 4)


@pytest.mark.case(30)
def test_an_interruption_says_what_is_kept_and_how_to_go_on(train, interrupt_after_an_epoch):
    result = train(epochs=5)
    assert (result.status, result.out) == (130, "")
    assert result.err.splitlines()[-1].startswith(
        "interrupted: checkpoints/pairs.safetensors holds the best model so far, of epoch 1; "
        "continue with --resume"
    )


@pytest.mark.case(30)
def test_a_real_interruption_ends_with_130(cli):
    with cli.start("train", "pairs.tsv", *TINY, "--epochs", 5000) as process:
        while not process.stderr.readline().startswith(b"epoch 2"):
            pass
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, b"Traceback" in err, b"continue with --resume" in err) == (
        130,
        b"",
        False,
        True,
    )
    assert arrays("checkpoints/pairs.safetensors")


@pytest.mark.case(30)
@pytest.mark.parametrize(
    "width",
    [20, pytest.param(40, marks=pytest.mark.slow), pytest.param(80, marks=pytest.mark.slow), 120],
)
def test_ctrl_c_at_a_terminal_keeps_the_best_model_and_gives_the_cursor_back(cli, width):
    terminal = cli.terminal("train", "pairs.tsv", *TINY, "--epochs", 5000, width=width)
    terminal.expect("best")
    terminal.sendintr()
    status, written = finish(terminal)
    assert (
        status,
        "Traceback" in written,
        "interrupted: checkpoints/pairs.safetensors holds" in written,
    ) == (130, False, True)
    assert written.rfind("\x1b[?25l") <= written.rfind("\x1b[?25h") < written.rindex("interrupted")
    assert Checkpoint.load(Path("checkpoints/pairs.safetensors"))


@pytest.mark.case(30)
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
@pytest.mark.parametrize("writing", [1, 2, 3])
def test_a_signal_while_it_saves_leaves_whole_files_only(
    train, tmp_path, monkeypatch, number, status, writing
):
    written = iter(range(1, 100))
    monkeypatch.setattr(
        "translator.files.os.fsync",
        lambda _: signal.raise_signal(number) if next(written) == writing else None,
    )
    assert train(epochs=3).status == status
    files = sorted((tmp_path / "checkpoints").glob("*"))
    assert [file.name for file in files] == ["pairs.safetensors", "pairs.training.safetensors"][
        : writing - 1
    ]
    if files:
        assert Checkpoint.load(files[0])


def test_an_interruption_before_the_first_epoch_says_that_nothing_was_saved(train, monkeypatch):
    monkeypatch.setattr("translator.files.os.fsync", lambda _: signal.raise_signal(signal.SIGINT))
    result = train()
    assert result.status == 130
    assert not Path("checkpoints").exists()
    assert (
        result.err.splitlines()[-1]
        == "interrupted before the first epoch was done: nothing was saved"
    )


@pytest.mark.case(30)
def test_an_interruption_before_the_first_epoch_keeps_the_checkpoint_to_be_replaced(
    train, monkeypatch
):
    train(epochs=2)
    before = arrays("checkpoints/pairs.safetensors")
    monkeypatch.setattr(
        "translator.training.optimization.Optimizer.learn",
        lambda *_: signal.raise_signal(signal.SIGINT),
    )
    result = train("--force")
    assert (result.status, result.err.splitlines()[-1]) == (
        130,
        "interrupted before the first epoch was done: nothing was saved",
    )
    assert are_same(arrays("checkpoints/pairs.safetensors"), before)


@pytest.mark.case(30)
def test_a_hurried_user_sees_no_traceback(cli):
    with cli.start(
        "train", "pairs.tsv", *TINY, "--threads", 2, "--epochs", 5000, start_new_session=True
    ) as process:
        while not process.stderr.readline().startswith(b"epoch 2"):
            pass
        os.killpg(process.pid, signal.SIGINT)  # to the workers as well, like a terminal
        while not (line := process.stderr.readline()).startswith(b"interrupted"):
            assert b"Traceback" not in line
        for _ in range(20):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.02)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


@pytest.mark.case(30)
def test_what_a_killed_training_left_half_written_is_removed(train, tmp_path):
    (tmp_path / "checkpoints").mkdir()
    for name in (
        ".pairs.safetensors.12345678.tmp",
        ".pairs.training.safetensors.abcdefgh.tmp",
        ".others.safetensors.12345678.tmp",
    ):
        (tmp_path / "checkpoints" / name).touch()
    train()
    files = {path.name for path in (tmp_path / "checkpoints").iterdir()}
    assert files == {
        "pairs.safetensors",
        "pairs.training.safetensors",
        ".others.safetensors.12345678.tmp",
    }


def test_a_folder_in_the_place_of_the_training_state_is_told(train, tmp_path):
    (tmp_path / "a.training.safetensors").mkdir()
    assert error_of(train("--checkpoint", "a.safetensors")) == "a.training.safetensors is a folder"


def test_going_on_with_another_batch_size_goes_on_with_the_plan(train, interrupt_after_an_epoch):
    train("--batch-size", 2, epochs=4)
    result = train("--resume", "--batch-size", 6, epochs=4)
    assert "batch_size: 2 → 6" in result.err
    assert [line.split()[1] for line in result.err.splitlines() if line.startswith("epoch ")] == [
        "2",
        "3",
        "4",
    ]


def test_going_on_with_another_dev_set_is_refused(cli, train, tmp_path, interrupt_after_an_epoch):
    train("--dev", "pairs.tsv", epochs=3)
    (tmp_path / "other.tsv").write_text(tsv(PAIRS[:5]), "utf-8")
    assert (
        error_of(train("--dev", "other.tsv", "--resume", epochs=3))
        == "checkpoints/pairs.safetensors was being trained with another dev set"
    )
    assert train("--dev", "pairs.tsv", "--resume", epochs=3).status == 0


def test_an_error_before_there_is_a_training_state_promises_none(train, monkeypatch):
    def refuse(_: int) -> None:
        if next(written) == 2:
            raise OSError(28, "No space left on device")

    written = iter(range(1, 100))
    monkeypatch.setattr("translator.files.os.fsync", refuse)
    result = train()
    assert (
        error_of(result)
        == "can't write checkpoints/pairs.training.safetensors: No space left on device"
    )
    assert "--resume" not in result.err


def test_an_error_half_way_says_how_to_go_on(train, monkeypatch):
    learn, steps = Optimizer.learn, iter(range(1000))
    monkeypatch.setattr(
        Optimizer,
        "learn",
        lambda *arguments: learn(*arguments) if next(steps) < 8 else float("nan"),
    )
    result = train(epochs=9)
    assert error_of(result).startswith("the loss became nan at step 9")
    assert result.err.splitlines()[-1].endswith(
        "the last good checkpoint is kept; continue with --resume"
    )


def test_a_training_that_replaces_another_does_not_go_on_with_the_others_state(train, monkeypatch):
    train("--seed", 1, epochs=2)
    written = iter(range(1, 100))
    with monkeypatch.context() as patch:
        patch.setattr(
            "translator.files.os.fsync",
            lambda _: signal.raise_signal(signal.SIGINT) if next(written) == 2 else None,
        )
        assert train("--force", "--seed", 9, epochs=3).status == 130
    result = train("--resume", epochs=3)
    assert (
        result.status == 1
        or Checkpoint.load(Path("checkpoints/pairs.safetensors")).record["settings"]["seed"] == 9
    )


@pytest.mark.case(30)
def test_what_an_interruption_promises_holds(train, monkeypatch):
    written = iter(range(1, 100))
    with monkeypatch.context() as patch:
        patch.setattr(
            "translator.files.os.fsync",
            lambda _: signal.raise_signal(signal.SIGINT) if next(written) == 2 else None,
        )
        result = train(epochs=3)
    assert result.status == 130
    assert "continue with --resume" not in result.err or train("--resume", epochs=3).status == 0


@pytest.mark.case(30)
def test_a_full_disk_is_told_and_keeps_the_old_checkpoint(train, monkeypatch):
    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    train()
    before = arrays("checkpoints/pairs.safetensors")
    monkeypatch.setattr("translator.files.os.fsync", refuse)
    result = train("--force", "--seed", 9)
    assert error_of(result) == "can't write checkpoints/pairs.safetensors: No space left on device"
    assert are_same(before, arrays("checkpoints/pairs.safetensors"))


# What it refuses


@pytest.mark.case(31)
def test_a_checkpoint_is_not_replaced_unasked(train):
    train()
    before = arrays("checkpoints/pairs.safetensors")
    assert (
        error_of(train("--seed", 2))
        == "there is a checkpoint checkpoints/pairs.safetensors already"
    )
    assert are_same(before, arrays("checkpoints/pairs.safetensors"))
    assert train("--seed", 2, "--force").status == 0
    assert not are_same(before, arrays("checkpoints/pairs.safetensors"))


@pytest.mark.case(3, 5, 7, 40)
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["missing[1].tsv"], "there is no file missing[1].tsv"),
        (["."], ". is a folder"),
        (["empty.tsv"], "empty.tsv is empty"),
        (["blank.tsv"], "blank.tsv is empty"),
        (
            ["long.tsv"],
            "long.tsv: none of its 1 lines is a sentence pair (longer than 400 characters)",
        ),
        (["notab.tsv"], "notab.tsv: none of its 1 lines is a sentence pair (without a tab)"),
        (["empty.tsv/x.tsv"], "can't read empty.tsv/x.tsv: Not a directory"),
        (["cp949.tsv"], "cp949.tsv, line 1: not UTF-8; looks like cp949"),
        (["utf16.tsv"], "utf16.tsv, line 1: not UTF-8; looks like UTF-16"),
        (["one.tsv"], "a corpus needs at least two different sources"),
        (["pairs.tsv", "--dev", "missing.tsv"], "there is no file missing.tsv"),
        (["pairs.tsv", "--dev", "empty.tsv"], "empty.tsv is empty"),
        (["--source", "pairs.tsv"], "a corpus is one TSV file, or --source and --target"),
        (["--target", "pairs.tsv"], "a corpus is one TSV file, or --source and --target"),
        (
            ["pairs.tsv", "--source", "a", "--target", "b"],
            "a corpus is one TSV file, or --source and --target",
        ),
        (["pairs.tsv", "--target", "b"], "a corpus is one TSV file, or --source and --target"),
        (
            ["--source", "pairs.tsv", "--target", "one.tsv"],
            "pairs.tsv has 12 lines and one.tsv has 1",
        ),
    ],
)
def test_what_is_no_corpus_is_told(cli, tmp_path, arguments, error):
    texts = {
        "empty": b"",
        "blank": b"\n \n",
        "long": b"a" * 401 + b"\tb\n",
        "notab": b"a b\n",
        "one": "Hi!\t안녕!\n".encode(),
    }
    texts |= {"cp949": "나는\t너를\n".encode("cp949"), "utf16": "Hi!\t안녕!\n".encode("utf-16")}
    for name, data in texts.items():
        (tmp_path / f"{name}.tsv").write_bytes(data)
    assert error_of(cli("train", *arguments, *TINY, "--epochs", 1)) == error
    assert not (tmp_path / "checkpoints").exists()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--epochs", 0], "epochs can't be 0"),
        (["--minutes", 0], "minutes can't be 0"),
        (["--minutes", "nan"], "minutes can't be nan"),
        (["--epochs", 1, "--minutes", 1], "--epochs and --minutes exclude each other"),
        (["--attention", "nonsense"], "no score function is called 'nonsense'"),
        (["--learning-rate", "nan"], "learning rate can't be nan"),
        (["--learning-rate", 0], "learning rate can't be 0"),
        (["--learning-rate", "inf"], "learning rate can't be inf"),
        (["--batch-size", 0], "batch size can't be 0"),
        (["--dropout", 1], "dropout can't be 1"),
        (["--label-smoothing", -0.1], "label smoothing can't be -0.1"),
        (["--embedding-size", 0], "embedding size can't be 0"),
        (["--hidden-size", 0], "hidden size can't be 0"),
        (["--vocabulary-size", 0], "vocabulary can't be 0"),
        (["--seed", -1], "seed can't be -1"),
        (["--threads", 0], "threads can't be 0"),
        (["--device", "nonsense"], "there is no device 'nonsense' here"),
        (["--resume"], "there is no checkpoint checkpoints/pairs.safetensors"),
        (["--checkpoint", "model.pt"], "model.pt isn't a name for a checkpoint"),
        (["--checkpoint", "."], ". isn't a name for a checkpoint"),
        (
            ["--checkpoint", "a.training.safetensors"],
            "a.training.safetensors isn't a name for a checkpoint",
        ),
        (["--checkpoint", "a" * 240 + ".safetensors"], "a" * 40 + "… is too long a name"),
        (["--checkpoint", "pairs.tsv/m.safetensors"], "can't make the folder pairs.tsv"),
        (["--checkpoint", "pairs.tsv/x/m.safetensors"], "can't make the folder pairs.tsv/x"),
    ],
)
def test_a_wrong_value_is_told(cli, arguments, error):
    plan = [] if {"--epochs", "--minutes"} & set(arguments) else ["--epochs", 1]
    assert error in error_of(
        cli("train", "pairs.tsv", "--dev", "pairs.tsv", "--hidden-size", 6, *plan, *arguments)
    )
    assert not list(Path().rglob("*.safetensors"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--epochs", 0],
        ["--attention", "nonsense"],
        ["--hidden-size", 0],
        ["--device", "nonsense"],
        ["--resume"],
    ],
)
def test_a_wrong_value_makes_no_folder(cli, arguments):
    error_of(cli("train", "pairs.tsv", *arguments))
    assert not Path("checkpoints").exists()


def test_to_go_on_and_to_replace_are_not_asked_together(train, interrupt_after_an_epoch):
    train(epochs=2)
    assert "--resume" in error_of(train("--resume", "--force", epochs=2))


TORCH_MESSAGE = (
    "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: "
    "can't allocate memory: you tried to allocate 1576304640 bytes."
)


@pytest.mark.parametrize(
    "error",
    [MemoryError(), RuntimeError(TORCH_MESSAGE), torch.OutOfMemoryError("CUDA out of memory.")],
    ids=repr,
)
def test_too_little_memory_is_told(train, monkeypatch, error):
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr("translator.training.optimization.Optimizer.learn", refuse)
    assert error_of(train()) == "there isn't enough memory"


def test_another_failure_keeps_its_traceback(train, monkeypatch):
    monkeypatch.setattr(
        "translator.training.optimization.Optimizer.learn", lambda *_: torch.ones(2) + torch.ones(3)
    )
    with pytest.raises(RuntimeError, match="must match the size"):
        train()


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has one")
def test_a_device_that_is_not_there_is_told(train):
    assert error_of(train("--device", "cuda")) == "there is no device 'cuda' here"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--attention", "dot"],
        ["--hidden-size", 7],
        ["--embedding-size", 7],
        ["--vocabulary-size", 50],
    ],
)
def test_going_on_with_another_shape_is_refused(cli, train, interrupt_after_an_epoch, arguments):
    train(epochs=2)
    result = cli("train", "pairs.tsv", "--resume", *arguments)
    assert error_of(result).startswith("--resume can't change the ")


def test_going_on_with_another_corpus_is_refused(cli, train, tmp_path):
    train()
    (tmp_path / "other.tsv").write_text(tsv(PAIRS[1:]), "utf-8")
    result = cli("train", "other.tsv", "--resume", "--checkpoint", "checkpoints/pairs.safetensors")
    assert error_of(result) == "checkpoints/pairs.safetensors was being trained on another corpus"


def test_going_on_without_the_training_state_is_refused(train):
    train()
    Path("checkpoints/pairs.training.safetensors").unlink()
    assert error_of(train("--resume")).startswith("there is no training to go on with")


def test_going_on_when_all_is_done_is_refused_with_a_hint_that_works(train):
    train()
    assert error_of(train("--resume")) == "this training is complete"
    assert train("--resume", epochs=2).status == 0


def test_going_on_after_early_stopping_with_more_epochs_works(cli):
    stopped = cli("train", "pairs.tsv", *TINY, "--learning-rate", 1e-7)
    assert stopped.status == 0
    result = cli("train", "pairs.tsv", "--resume", "--epochs", 62)
    assert (result.status, "Traceback" in result.err) == (0, False)


def test_going_on_with_epochs_after_a_plan_in_minutes_works(cli):
    cli("train", "pairs.tsv", *TINY, "--minutes", 0.01)
    done = load_training_state(Path("checkpoints/pairs.safetensors"))[1]["round"]
    result = cli("train", "pairs.tsv", "--resume", "--epochs", done + 2)
    assert (result.status, result.err.count("\nepoch ")) == (0, 2)


def test_a_loss_that_is_no_number_is_told(train, monkeypatch):
    monkeypatch.setattr(
        "translator.model.encoder_decoder.Model.loss",
        lambda self, *_, **__: self.decoder.output_bias.sum() * float("nan"),
    )
    assert error_of(train()) == "the loss became nan at step 1, epoch 1"


def test_a_training_that_is_shown_can_be_translated_with(cli, train):
    train("--attention", "none")
    result = cli(
        "translate", "--checkpoint", "checkpoints/pairs.safetensors", "--format", "json", "Hi!"
    )
    assert Translation.from_json(result.out).weights is None
