"""Streams, signals and real terminals."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys

import pexpect
import pytest
from command_line import COMMAND, ROOT, CommandLine, finish
from rich.cells import cell_len
from rich.text import Text

from translator.cli.sentences import line_chunks
from translator.translation import Translation

WIDTHS = (20, 40, 80, 120)
LONG = "The cat sat on the mat. I love you. You see him."

# Python 3.12 warns when a process with threads (torch's) forks, as a pseudo-terminal must.
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")


@pytest.fixture
def cli(tmp_path, monkeypatch, capfd) -> CommandLine:
    return CommandLine(tmp_path, monkeypatch, capfd)


@pytest.fixture
def use_trained(monkeypatch, cli, trained_path) -> None:
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", str(trained_path))


# Lines from a stream


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\nb\n", ["a", "b"]),
        (b"a\n\nb", ["a", "", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        ("a\x0bb\u2028c\x85d\n".encode(), ["a\x0bb\u2028c\x85d"]),
        (b"\xff\n", ["\ufffd"]),
    ],
)
def test_a_stream_is_cut_at_line_feeds_only(data, lines):
    assert [line for chunk in line_chunks(io.BytesIO(data), "utf-8") for line in chunk] == lines


def test_a_stream_is_read_in_its_own_encoding():
    assert list(line_chunks(io.BytesIO("나는\n너를".encode("cp949")), "cp949")) == [
        ["나는"],
        ["너를"],
    ]


def test_a_character_that_two_blocks_share_is_whole(monkeypatch):
    monkeypatch.setattr("translator.cli.sentences.BLOCK", 2)
    assert [
        line for chunk in line_chunks(io.BytesIO("나는\n너를".encode()), "utf-8") for line in chunk
    ] == ["나는", "너를"]


@pytest.mark.case(29)
@pytest.mark.usefixtures("use_trained")
def test_a_line_is_answered_before_the_next_one_comes(cli):
    with cli.start("translate") as process:
        answers = []
        for line in (b"Hi!\n", b"\n", b"I run.\n"):
            process.stdin.write(line)
            process.stdin.flush()
            answers.append(process.stdout.readline().decode())
        process.stdin.close()
    assert (answers, process.returncode) == (["안녕!\n", "\n", "나는 달려.\n"], 0)


# Encodings: DESIGN section 5


@pytest.mark.case(39)
@pytest.mark.usefixtures("use_trained")
@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "ascii:strict"},
    ],
)
def test_a_stream_that_cannot_hold_hangul_becomes_utf8(cli, environment):
    result = cli.process(
        "translate", "--format", "heatmap", stdin="Ｉ ｌｏｖｅ ｙｏｕ\n".encode(), **environment
    )
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("나는 너를 사랑해\n┌")


@pytest.mark.case(39)
@pytest.mark.usefixtures("use_trained")
def test_words_of_the_command_line_are_utf8_in_the_c_locale_too(cli):
    result = cli.process("translate", "Ｉ ｌｏｖｅ ｙｏｕ", LC_ALL="C", PYTHONUTF8="0")
    assert result == (0, "나는 너를 사랑해\n", "")


@pytest.mark.usefixtures("use_trained")
def test_a_target_of_the_command_line_is_utf8_in_the_c_locale_too(cli):
    result = cli.process(
        "show-weights", "I love you", "--target", "나는 너를 봐", LC_ALL="C", PYTHONUTF8="0"
    )
    assert result.out.startswith("I love you → 나는 너를 봐\n")


@pytest.mark.case(39)
@pytest.mark.usefixtures("use_trained")
def test_a_stream_that_holds_hangul_keeps_its_encoding(cli):
    with cli.start("translate", "Hi!", env={**os.environ, "PYTHONIOENCODING": "cp949"}) as process:
        assert process.communicate(timeout=60) == ("안녕!\n".encode("cp949"), b"")


@pytest.mark.usefixtures("use_trained")
def test_borders_are_straight_in_an_encoding_without_the_word_mark(cli):
    with cli.start(
        "translate", "Hi!", "--format", "heatmap", env={**os.environ, "PYTHONIOENCODING": "cp949"}
    ) as process:
        lines = process.communicate(timeout=60)[0].decode("cp949").splitlines()
    assert len({cell_len(line) for line in lines[1:-3]}) == 1


@pytest.mark.case(39)
@pytest.mark.usefixtures("use_trained")
def test_what_a_stream_cannot_encode_is_escaped(cli):
    with cli.start("translate", "😀", env={**os.environ, "PYTHONIOENCODING": "cp949"}) as process:
        err = process.communicate(timeout=60)[1]
    assert (process.returncode, err) == (
        0,
        b"note: characters unknown to this model in: \\U0001f600\n",
    )


# Pipes and signals


@pytest.mark.case(37)
@pytest.mark.usefixtures("use_trained")
@pytest.mark.parametrize("form", ["text", "heatmap", "json"])
def test_a_reader_that_leaves_early_is_no_error(cli, form):
    with cli.start("translate", "--format", form) as process:
        process.stdin.write(b"I love you\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        _, err = process.communicate(b"Hi!\n" * 200, timeout=60)
    assert err == b""


@pytest.mark.usefixtures("use_trained")
@pytest.mark.parametrize(
    "arguments",
    [["translate", "Hi!"], ["show-weights", "Hi!"], ["info"], ["--help"], ["--version"]],
)
def test_a_reader_that_has_never_read_is_no_error(cli, arguments):
    reading, writing = os.pipe()
    os.close(reading)
    with cli.start(*arguments, stdout=writing) as process:
        os.close(writing)
        assert process.communicate(timeout=60)[1] == b""


@pytest.mark.usefixtures("use_trained")
def test_an_interrupted_translation_ends_with_130(cli):
    with cli.start("translate") as process:
        process.stdin.write(b"Hi!\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, b"Traceback" in err) == (130, False)


@pytest.mark.usefixtures("use_trained")
def test_what_was_translated_before_an_interruption_is_kept(cli, tmp_path):
    with cli.start("translate") as process:
        process.stdin.write(b"Hi!\nI run.\n")
        process.stdin.flush()
        answers = [
            process.stdout.readline() for _ in range(2)
        ]  # so the first sentence is done with
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert answers[0].decode() == "안녕!\n"
    assert Translation.from_json(
        (tmp_path / "state/attn-translate/last.json").read_text("utf-8")
    ).source in ("Hi!", "I run.")


# The prompt


@pytest.mark.case(41)
@pytest.mark.usefixtures("use_trained")
@pytest.mark.parametrize("width", WIDTHS)
def test_a_terminal_gets_a_prompt_that_says_how_to_end(cli, width):
    terminal = cli.terminal("translate", "--format", "text", width=width)
    terminal.expect_exact("End with Ctrl-D.")
    terminal.expect_exact("> ")
    terminal.sendline("Hi!")
    terminal.expect("\n안녕!\r\n")
    terminal.expect_exact("> ")
    terminal.sendeof()
    status, rest = finish(terminal)
    assert (status, "Traceback" in rest) == (0, False)


@pytest.mark.usefixtures("use_trained")
def test_ctrl_c_clears_the_line_at_the_prompt(cli):
    terminal = cli.terminal("translate", "--format", "text")
    terminal.expect_exact("> ")
    terminal.send("you see me and")
    terminal.expect_exact("you see me and")  # the echo: the line has arrived
    terminal.sendintr()
    terminal.expect_exact("> ")
    terminal.sendline("I run.")
    terminal.expect("\n나는 달려.\r\n")
    terminal.expect_exact("> ")
    terminal.sendeof()
    assert finish(terminal)[0] == 0


@pytest.mark.usefixtures("use_trained")
def test_a_blank_line_at_the_prompt_is_harmless(cli):
    terminal = cli.terminal("translate", "--format", "text")
    for line in ("", "I run."):
        terminal.expect_exact("> ")
        terminal.sendline(line)
    terminal.expect("\n나는 달려.\r\n")
    terminal.expect_exact("> ")
    terminal.sendeof()
    assert finish(terminal)[0] == 0


@pytest.mark.usefixtures("use_trained")
@pytest.mark.parametrize("shell", ["{} translate | cat", "{} translate --format text -"])
def test_there_is_no_prompt_unless_both_ends_are_terminals(cli, shell):
    terminal = pexpect.spawn(
        "sh", ["-c", shell.format(" ".join(COMMAND))], encoding="utf-8", timeout=30
    )
    terminal.sendline("Hi!")
    terminal.expect("안녕!")
    before = terminal.before
    terminal.sendeof()
    status, rest = finish(terminal)
    assert (status, "Ctrl-D" in before + rest, "> " in before + rest) == (0, False, False)


@pytest.mark.usefixtures("use_trained")
def test_a_pipe_into_a_terminal_has_no_prompt(cli):
    terminal = pexpect.spawn(
        "sh",
        ["-c", f"echo Hi! | {' '.join(COMMAND)} translate"],
        encoding="utf-8",
        timeout=30,
        dimensions=(40, 100),
    )
    status, written = finish(terminal)
    assert status == 0
    assert written.startswith("안녕!\n┌")


# Colour and width


@pytest.mark.usefixtures("use_trained")
def test_a_terminal_gets_the_heatmap_in_colour(cli):
    status, written = finish(cli.terminal("translate", "Hi!"))
    assert status == 0
    assert written.startswith("안녕!\n┌")
    assert "\x1b[38;5;" in written


@pytest.mark.case(38)
@pytest.mark.usefixtures("use_trained")
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_wants_no_colour_gets_none(cli, environment, width):
    status, written = finish(cli.terminal("translate", "Hi!", width=width, **environment))
    assert status == 0
    assert "┌" in written
    assert "\x1b[38" not in written


@pytest.mark.case(38)
@pytest.mark.usefixtures("use_trained")
def test_a_dumb_terminal_gets_no_escape_codes(cli):
    assert "\x1b" not in finish(cli.terminal("translate", "Hi!", TERM="dumb"))[1]


@pytest.mark.case(37)
@pytest.mark.usefixtures("use_trained")
def test_a_pipe_gets_no_escape_codes(cli):
    assert "\x1b" not in cli("translate", "--format", "heatmap", "Hi!").out


@pytest.mark.case(38)
@pytest.mark.usefixtures("use_trained")
def test_force_color_colours_the_heatmap_in_a_pipe(cli, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    result = cli("translate", "--format", "heatmap", "Hi!")
    assert result.out.startswith("안녕!\n")
    assert "\x1b[" in result.out


@pytest.mark.usefixtures("use_trained")
def test_force_color_leaves_text_and_json_alone(cli, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert (
        "\x1b" not in cli("translate", "Hi!").out + cli("translate", "--format", "json", "Hi!").out
    )


@pytest.mark.usefixtures("use_trained")
@pytest.mark.parametrize("width", [20, 40, 61, 200])
def test_the_heatmap_fits_the_width_and_nothing_is_cut(cli, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    out = cli(
        "translate", "--format", "heatmap", "The cat sat on the mat. I love you. You see him."
    ).out
    assert max(map(cell_len, out.splitlines()[1:])) <= width
    assert "…" not in out


@pytest.mark.case(36)
@pytest.mark.usefixtures("use_trained")
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_the_heatmap_fits_a_real_terminal(cli, term, width):
    """Fifteen source pieces fit any width in bands, with straight borders and nothing cut."""
    written = finish(cli.terminal("translate", LONG, width=width, TERM=term))[1]
    text = Text.from_ansi(written).plain
    bands = [
        band.splitlines() for band in re.findall(r"^┌.*\n(?:[│├].*\n)+└.*$", text, re.MULTILINE)
    ]
    assert len(bands) == {20: 16, 40: 6, 80: 3, 120: 2}[width]
    assert all(
        len({cell_len(line) for line in band}) == 1 and cell_len(band[0]) <= width for band in bands
    )
    assert "…" not in text


# The command itself


def test_without_a_command_there_is_help(cli):
    result = cli()
    assert all(
        name in result.out + result.err for name in ("train", "translate", "show-weights", "info")
    )


def test_the_version_is_told(cli):
    from translator import __version__

    assert cli("--version") == (0, f"attn-translate {__version__}\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["--nonsense"],
        ["translate", "--beam-size", "x", "hi"],
        ["train", "--epochs", "1.5"],
    ],
)
def test_wrong_usage_has_status_2(cli, arguments):
    result = cli(*arguments)
    assert (result.status, result.out) == (2, "")
    assert "Error: " in result.err


PRINT_MODULES = """
import sys
from translator.cli import main
try:
    main()
except SystemExit:
    print(*sys.modules)
"""


def test_help_loads_nothing_heavy():
    run = subprocess.run(
        [sys.executable, "-c", PRINT_MODULES, "--help"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert not {
        "numpy",
        "torch",
        "sentencepiece",
        "safetensors",
        "rich.console",
        "rich.table",
    } & set(run.stdout.split())
