"""Faults of the machine: the answer is still right, or two lines explain the error.

Each test runs a whole process.
"""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import COMMAND, CommandLine, Result, error_of
from conftest import PAIRS

from translator.files import held
from translator.storage.checkpoint import Checkpoint, load_training_state
from translator.translation import Translation

# Python 3.12 warns when a process with threads (torch's) forks, as a pseudo-terminal must.
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")

LOVE = "나는 너를 사랑해\n"
SIZES = ("--hidden-size", 6, "--embedding-size", 6)
TRAIN = ("train", "pairs.tsv", "--dev", "pairs.tsv", *SIZES, "--threads", 1)
ENDLESS = ("--epochs", 100_000)
MAIN = "from translator.cli import main; main()"
BREAK_LOCKS = "import fcntl; fcntl.flock = lambda *_: open('no/such')"
BREAK_CLOCK = (
    "import itertools, time; time.time = itertools.cycle([1e9, 1e9 + 86400, 1e9 - 86400]).__next__"
)
full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no /dev/full")
FULL = ("can't write to standard output: No space left on device", "> /dev/full")
CLOSED = ("can't write to standard output: Bad file descriptor", ">&-")


@pytest.fixture
def shell(cli: CommandLine):
    """Run the command in a shell, which can redirect its streams in more ways than Popen."""

    def run(
        arguments: str, redirections: str = "", *, stdin: bytes = b"", **environment: str | None
    ) -> Result:
        env = {
            name: value
            for name, value in {**os.environ, **environment}.items()
            if value is not None
        }
        command = f"{shlex.join(COMMAND)} {arguments} {redirections}"
        done = subprocess.run(
            command, shell=True, env=env, input=stdin, capture_output=True, check=False
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def folder(cli: CommandLine, tmp_path: Path) -> Path:
    """Return the current folder, with a corpus in it."""
    (tmp_path / "pairs.tsv").write_text(
        "".join(f"{pair.source}\t{pair.target}\n" for pair in PAIRS), "utf-8"
    )
    return tmp_path


def until_an_epoch(process: subprocess.Popen[bytes]) -> None:
    """Wait until the training reports an epoch, which it has then saved."""
    while not (line := process.stderr.readline()).startswith(b"epoch"):
        assert line, "the training ended"


def is_whole(path: str | Path) -> bool:
    """Return whether a checkpoint and its training state can be loaded.

    No temporary file may be beside them.
    """
    assert Checkpoint.load(Path(path)).parameters
    assert load_training_state(Path(path))[0]
    return not list(Path(path).absolute().parent.glob(".*"))


# Streams that are closed or full


@pytest.mark.parametrize(
    ("error", "redirection"),
    [CLOSED, pytest.param(*FULL, marks=full_device)],
    ids=["closed", "full"],
)
@pytest.mark.parametrize(
    "arguments",
    ["translate I love you", "show-weights I love you", "explain I love you", "info", "--help"],
)
def test_an_answer_that_can_not_be_written_is_told(shell, arguments, error, redirection):
    assert error_of(shell(arguments, redirection)) == error


@full_device
def test_a_disk_that_fills_up_ends_a_long_answer(shell):
    assert (
        error_of(shell("translate --format json", "> /dev/full", stdin=b"I love you\n" * 200))
        == FULL[0]
    )


@full_device
def test_an_output_file_on_a_full_disk_is_named(shell):
    assert (
        error_of(shell("translate I love you --output /dev/full"))
        == "can't write /dev/full: No space left on device"
    )


def test_an_answer_in_a_file_needs_no_stdout(shell, tmp_path):
    assert shell("translate I love you --output answer.txt", ">&-") == (0, "", "")
    assert (tmp_path / "answer.txt").read_text("utf-8") == LOVE


@pytest.mark.parametrize("redirection", ["2>&-", pytest.param("2> /dev/full", marks=full_device)])
def test_notes_that_can_not_be_written_never_mix_with_the_answer_nor_stop_it(shell, redirection):
    result = shell("translate", redirection, stdin=b"Hi! zzz\nI love you\n")
    assert (result.status, result.err, result.out.count("\n")) == (0, "", 2)
    assert result.out.endswith(LOVE)


def test_a_closed_stdin_holds_no_lines(shell):
    assert shell("translate", "<&-") == (0, "", "")
    assert shell("translate I love you", "<&-") == (0, LOVE, "")


def test_a_stdin_that_can_not_be_read_is_told(shell):
    assert (
        error_of(shell("translate", "0> nothing"))
        == "can't read standard input: Bad file descriptor"
    )


def test_without_any_stream_it_still_works(shell, tmp_path):
    assert shell("translate I love you --output answer.txt", "<&- >&- 2>&-") == (0, "", "")
    assert (tmp_path / "answer.txt").read_text("utf-8") == LOVE


@pytest.mark.case(37)
@pytest.mark.parametrize(
    "arguments",
    ["info", "--help", "translate I love you", "show-weights I love you", "explain I love you"],
)
def test_a_pipe_that_is_broken_is_silent(shell, arguments):
    """`true` ends without reading.

    Python ignores SIGPIPE, so writing fails instead of ending the process.
    """
    assert shell(arguments, "| true") == (0, "", "")


# Signals


def test_a_hangup_ends_a_training_in_order(cli, folder):
    with cli.start(*TRAIN, *ENDLESS, "--checkpoint", "model.safetensors") as process:
        until_an_epoch(process)
        process.send_signal(signal.SIGHUP)
        out, err = process.communicate()
    assert (process.returncode, out) == (128 + signal.SIGHUP, b"")
    assert err.splitlines()[-1].startswith(
        b"interrupted: model.safetensors holds the best model so far"
    )
    assert is_whole("model.safetensors")


@pytest.mark.case(30)
def test_a_closed_terminal_ends_a_training_and_keeps_it(cli, folder):
    terminal = cli.terminal(*TRAIN, *ENDLESS, "--checkpoint", "model.safetensors")
    terminal.expect("best")
    terminal.close()  # sends SIGHUP
    assert not terminal.isalive()
    assert is_whole("model.safetensors")


def test_nohup_holds(cli, folder):
    with cli.start(
        *TRAIN, *ENDLESS, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    ) as process:
        until_an_epoch(process)
        process.send_signal(signal.SIGHUP)
        for _ in range(3):
            until_an_epoch(process)
        process.kill()


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_ends_a_translation_and_keeps_what_was_answered(cli, number, tmp_path):
    with cli.start("translate") as process:
        process.stdin.write(b"Hi!\n")
        process.stdin.flush()
        assert process.stdout.readline().decode() == "안녕!\n"
        process.send_signal(number)
        _, err = process.communicate()
    assert (process.returncode, err) == (128 + number, b"")
    assert (
        Translation.from_json(
            (tmp_path / "state/attn-translate/last.json").read_text("utf-8")
        ).source
        == "Hi!"
    )


# Files


@pytest.mark.skipif(
    not Path("/proc/self").exists(), reason="has no folder that nobody may write into"
)
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("train pairs.tsv --epochs 1 --checkpoint /proc/model.safetensors", "can't write"),
        ("train pairs.tsv --epochs 1 --checkpoint /proc/new/model.safetensors", "can't write"),
        ("translate Hi! --output /proc/answer.txt", "can't write /proc/answer.txt"),
        ("show-weights Hi! --output /proc/page.html", "can't write /proc/page.html"),
    ],
)
def test_a_folder_that_can_not_be_written_is_told(shell, folder, arguments, error):
    assert error_of(shell(arguments)).startswith(error)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_told_before_training(shell, folder):
    (folder / "closed").mkdir(mode=0o555)
    assert (
        error_of(shell("train pairs.tsv --checkpoint closed/model.safetensors"))
        == f"can't write into the folder {folder}/closed"
    )


@pytest.fixture
def small_disk(tmp_path: Path):
    """Mount a disk of 64 KB, or skip the test."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    yield disk
    subprocess.run(["umount", disk], check=True)


@pytest.mark.case(30)
def test_a_training_on_a_full_disk_leaves_what_was_there(cli, folder, small_disk, make_checkpoint):
    old = small_disk / "old.safetensors"
    make_checkpoint().save(old)
    (small_disk / "ballast").write_bytes(
        bytes(200_000)[: os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize - 4096]
    )
    before = sorted(path.name for path in small_disk.iterdir())
    result = cli.process(*TRAIN, "--epochs", 2, "--checkpoint", old, "--force")
    assert error_of(result) == f"can't write {old}: No space left on device"
    assert Checkpoint.load(old).parameters
    assert sorted(path.name for path in small_disk.iterdir()) == before


REPLACE_BOTH = """
from pathlib import Path
from translator.storage.checkpoint import Checkpoint
while True:
    for name in "ab":
        Checkpoint.load(Path(name)).save(Path("both"))
"""


def test_a_checkpoint_that_is_replaced_while_it_is_read_is_one_or_the_other(
    cli, make_checkpoint, folder
):
    """While a training replaces its checkpoint again and again, readers get a complete one."""
    one, other = make_checkpoint(seed=1), make_checkpoint(seed=2)
    known = [checkpoint.parameters["decoder.output_bias"].tobytes() for checkpoint in (one, other)]
    one.save(Path("a")), other.save(Path("b")), one.save(Path("both"))
    with subprocess.Popen([sys.executable, "-c", REPLACE_BOTH]) as writer:
        found = set()
        while len(found) < 2:
            assert writer.poll() is None
            found.add(Checkpoint.load(Path("both")).parameters["decoder.output_bias"].tobytes())
        for _ in range(100):
            assert (
                Checkpoint.load(Path("both")).parameters["decoder.output_bias"].tobytes() in known
            )
        writer.kill()


@pytest.fixture
def cut(tmp_path: Path):
    """Make a file that ends half-way while it is read: a named pipe whose writer leaves."""
    writers = []

    def make(name: str, data: bytes) -> str:
        os.mkfifo(tmp_path / name)
        (tmp_path / "half").write_bytes(data[: len(data) // 2])
        writers.append(subprocess.Popen(["sh", "-c", f"cat half > {name}"], cwd=tmp_path))
        return name

    yield make
    for writer in writers:
        writer.wait()


def test_a_checkpoint_that_ends_while_it_is_read_is_damaged(cli, cut, trained_path):
    pipe = cut("cut.safetensors", trained_path.read_bytes())
    assert (
        error_of(cli.process("translate", "Hi!", "--checkpoint", pipe))
        == "cut.safetensors is damaged"
    )


def test_a_corpus_that_ends_inside_a_character_is_told(cli, cut):
    pipe = cut("pairs.tsv", b"Hi\t" + "가".encode() * 334)
    assert error_of(cli.process("train", pipe)).startswith("pairs.tsv, line 1: not UTF-8")


def test_saved_translations_that_end_while_they_are_read_are_told_with_the_line(cli, cut):
    lines = cli(
        "translate", "--format", "json", stdin="Hi!\nI love you\nThe cat sat on the mat.\n"
    ).out
    result = cli.process("show-weights", "--from", cut("cut.jsonl", lines.encode()))
    assert result.status == 1
    assert result.out.startswith("Hi! → 안녕!\n")
    error, hint = result.err.splitlines()
    assert error.startswith(("error: cut.jsonl, line", "error: cut.jsonl is not UTF-8"))
    assert hint.startswith("hint: ")


# Two at once


@pytest.mark.case(35)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_a_second_training_to_one_checkpoint_is_refused_while_the_first_runs(cli, folder, number):
    path = "model.safetensors"
    with cli.start(*TRAIN, *ENDLESS, "--checkpoint", path) as first:
        until_an_epoch(first)
        for plan in ("--force", "--resume"):
            assert (
                error_of(cli.process(*TRAIN, plan, "--checkpoint", path))
                == f"another training is writing {path}"
            )
        assert cli.process(*TRAIN, "--epochs", 1, "--checkpoint", "another.safetensors").status == 0
        first.send_signal(number)
    assert cli.process(*TRAIN, "--force", "--epochs", 1, "--checkpoint", path).status == 0
    assert is_whole(path)


@pytest.mark.case(35)
def test_two_trainings_to_one_checkpoint_without_locks_mix_no_file_up(cli, folder):
    """Their models differ in size, so a file with parts of both isn't a checkpoint."""
    path = "model.safetensors"
    without_locks = (sys.executable, "-c", f"{BREAK_LOCKS}; {MAIN}")
    sizes = [("--hidden-size", size, "--embedding-size", size, "--seed", size) for size in (6, 9)]
    rest = ("--threads", 1, *ENDLESS, "--checkpoint", path, "--force")
    commands = [[*without_locks, *TRAIN[:4], *size, *rest] for size in sizes]
    both = [
        subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE) for command in commands
    ]
    for process in both:
        until_an_epoch(process)
    found = {Checkpoint.load(Path(path)).config.hidden_size for _ in range(50)}
    assert found <= {6, 9}
    for process in both:
        process.terminate()
        process.communicate()
        assert process.returncode == 128 + signal.SIGTERM
    assert is_whole(path)


@pytest.mark.case(35)
def test_a_path_is_held_once_and_leaves_no_lock_behind(tmp_path):
    one, other = tmp_path / "new" / "one", tmp_path / "new" / "other"
    with held(one) as first, held(one) as second, held(other) as third:
        assert (first, second, third) == (True, False, True)
        with held(one) as fourth:
            assert not fourth
    with held(one) as again:
        assert again
        other.touch()
    assert list(tmp_path.rglob("*")) == [one.parent, other]
    with held(tmp_path / "newer" / "newest" / "one"):
        assert (tmp_path / "newer" / "newest").exists()
    assert not (tmp_path / "newer").exists()


def test_a_lock_that_its_last_holder_has_just_removed_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr(fcntl, "flock", lambda file, _: os.unlink(file.name))
    with held(tmp_path / "path") as is_free:
        assert not is_free


def test_two_translations_at_once_keep_one_of_both_as_the_last(cli, tmp_path):
    both = [cli.start("translate", sentence) for sentence in ("Hi!", "I love you")]
    answers = [process.communicate()[0].decode() for process in both]
    assert answers == ["안녕!\n", LOVE]
    state = tmp_path / "state/attn-translate"
    assert Translation.from_json((state / "last.json").read_text("utf-8")).source in (
        "Hi!",
        "I love you",
    )
    assert [path.name for path in state.iterdir()] == ["last.json"]


# The clock


def test_a_clock_that_jumps_changes_no_training(cli, folder):
    """The wall clock jumps by a day whenever it is read. The training uses another clock."""
    command = [sys.executable, "-c", f"{BREAK_CLOCK}; {MAIN}", *TRAIN, "--minutes", 0.02]
    command += ["--checkpoint", "jumped.safetensors"]
    done = subprocess.run(list(map(str, command)), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    record = Checkpoint.load(Path("jumped.safetensors")).record
    assert 0 < record["seconds"] < 3600
    assert is_whole("jumped.safetensors")


# The environment


@pytest.mark.parametrize(
    "environment",
    [
        {"HOME": None},
        {"HOME": None, "XDG_STATE_HOME": None, "USER": None, "LOGNAME": None},
        {"TERM": None},
        {"TERM": ""},
        {"TERM": "nonsense"},
        {"COLUMNS": "1"},
        {"COLUMNS": "0"},
        {"COLUMNS": "-5"},
        {"COLUMNS": "nonsense", "LINES": "nonsense"},
        {"COLUMNS": "99999999"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "nonsense", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"TMPDIR": "/nonexistent"},
        {"TZ": "nonsense"},
    ],
    ids=str,
)
def test_a_strange_environment_changes_no_answer(cli, shell, environment):
    """However the table is split into bands, it shows each number once."""
    usual = cli("translate", "--format", "heatmap", "I love you").out
    result = shell("translate --format heatmap I love you", **environment)
    assert (result.status, result.err, result.out[: len(LOVE)]) == (0, "", LOVE)
    assert numbers(result.out) == numbers(usual)
    assert "…" not in result.out


def numbers(text: str) -> list[str]:
    return sorted(re.findall(r"\d\.\d\d", text))


@pytest.mark.parametrize("width", ["1", "0", "-5", "nonsense"])
@pytest.mark.parametrize(
    "arguments", ["--help", "train --help", "explain I love you", "show-weights I love you", "info"]
)
def test_no_width_is_too_strange(shell, arguments, width):
    result = shell(arguments, COLUMNS=width)
    assert (result.status, result.err) == (0, "")
    assert result.out


@pytest.mark.parametrize("place", ["/proc/nothing", "file", "/dev/null"])
def test_a_state_folder_that_can_not_be_written_is_a_note(shell, tmp_path, place):
    (tmp_path / "file").touch()
    result = shell("translate I love you", XDG_STATE_HOME=str(tmp_path / place))
    assert (result.status, result.out) == (0, LOVE)
    assert result.err.startswith("note: the last translation couldn't be saved")
    assert result.err.count("\n") == 1


@pytest.mark.case(39)
def test_a_locale_without_utf8_reads_a_corpus_and_its_name(cli, tmp_path):
    (tmp_path / "문장.tsv").write_text(
        "".join(f"{pair.source}\t{pair.target}\n" for pair in PAIRS), "utf-8"
    )
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    result = cli.process("train", "문장.tsv", *TRAIN[4:], "--epochs", 1, **plain)
    assert (result.status, result.out) == (
        0,
        "attn-translate translate --checkpoint 'checkpoints/문장.safetensors' 'I love you'\n",
    )
    assert is_whole("checkpoints/문장.safetensors")
