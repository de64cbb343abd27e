"""Known cases, continued: training, terminals and scores. See `test_cases.py`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pexpect
import pytest
from command_line import COMMAND, error_of, finish
from conftest import PAIRS
from rich.cells import cell_len
from test_cases import LOVE, TINY, tsv

from translator import Translator
from translator.storage.checkpoint import Checkpoint

WIDTHS = (20, 40, 80, 120)

# Python 3.12 warns when a process with threads (torch's) forks, as a pseudo-terminal must.
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")


# Training and checkpoints


@pytest.fixture
def corpus(tmp_path) -> str:
    (tmp_path / "pairs.tsv").write_text(tsv(PAIRS), "utf-8")
    return "pairs.tsv"


@pytest.mark.case(27)
def test_after_too_little_training_the_closing_check_says_so(cli, tmp_path):
    """A model first learns the most frequent target, and gives it for every source."""
    pairs = [pair._replace(target="안녕!") for pair in PAIRS[1:]] + PAIRS[:1]
    (tmp_path / "few.tsv").write_text(tsv(pairs), "utf-8")
    settings = (*TINY[:-1], 16, "--learning-rate", 0.05, "--dropout", 0)
    result = cli("train", "few.tsv", "--dev", "few.tsv", *settings)
    translator = Translator.load("checkpoints/few.safetensors")
    translations = translator.translate([pair.source for pair in pairs])
    assert {translation.target for translation in translations} == {"안녕!"}
    assert (
        "note: every dev sentence gets the same translation: this model has learned too little."
        in result.err
    )


@pytest.mark.case(30)
def test_a_killed_training_leaves_whole_files_and_is_gone_on_with(cli, corpus):
    plan = ("--dev", corpus, "--checkpoint", "model.safetensors")
    with cli.start("train", corpus, *plan, *TINY[:-1], 5000) as process:
        while not process.stderr.readline().startswith(b"epoch 3"):
            assert process.poll() is None
        process.kill()
        process.communicate()
    assert Checkpoint.load(Path("model.safetensors")).parameters
    assert {path.suffix for path in Path().glob("model.*")} == {".safetensors"}
    done = cli("train", corpus, *plan, "--resume", "--minutes", 0.5).err
    assert re.search(r"^resuming after epoch [3-9]", done, re.MULTILINE)


# Terminal


@pytest.mark.case(37)
@pytest.mark.parametrize("width", WIDTHS)
def test_in_a_pipe_the_terminal_counts_for_nothing(cli, width):
    """In a pipe there is no colour, nothing is cut, and there is no heatmap and no bar."""
    long = "The cat sat on the mat. I love you. You see him."
    translate = f"{' '.join(COMMAND)} translate"
    shell = f"{translate} {long} | cat; {translate} --format heatmap {long} | cat"
    terminal = pexpect.spawn(
        "sh", ["-c", shell], encoding="utf-8", timeout=60, dimensions=(40, width)
    )
    status, written = finish(terminal)
    text = cli("translate", long).out
    assert status == 0
    assert written.startswith(text + text.rstrip("\n") + "\n┌")
    assert not re.search("[\x1b…━]", written)


@pytest.mark.case(37)
def test_a_training_into_head_ends_silently(cli, corpus):
    command = " ".join(map(str, [*COMMAND, "train", corpus, "--dev", corpus, *TINY[:-1], 100_000]))
    terminal = pexpect.spawn(
        "sh", ["-c", f"{command} 2>&1 | head -1"], encoding="utf-8", timeout=60, dimensions=(40, 40)
    )
    status, written = finish(terminal)
    assert (status, written) == (0, "pairs.tsv: 12 lines, 12 pairs\n")


@pytest.mark.case(39)
def test_files_are_utf8_whatever_the_locale(cli, tmp_path):
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert cli.process("translate", "I love you", "--output", "답.txt", **locale) == (0, "", "")
    assert (tmp_path / "답.txt").read_text("utf-8") == f"{LOVE}\n"
    saved = cli.process("translate", "--format", "json", "I love you", **locale).out
    (tmp_path / "저장.jsonl").write_text(saved, "utf-8")
    assert cli.process("show-weights", "--from", "저장.jsonl", **locale).out.startswith(
        f"I love you → {LOVE}\n┌"
    )


@pytest.mark.case(40)
def test_brackets_in_names_and_sentences_are_shown_literally(cli):
    assert error_of(cli("evaluate", "data[1].tsv")) == "there is no file data[1].tsv"
    assert (
        error_of(cli("info", "[bold]model[/].safetensors"))
        == "there is no checkpoint [bold]model[/].safetensors"
    )
    result = cli("show-weights", "[bold]hi[/]")
    assert result.out.startswith("[bold]hi[/] → ")
    assert "[bold]hi[/]" in result.err


@pytest.mark.case(41)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_prompt_answers_with_a_heatmap_that_fits_and_ends_with_ctrl_d(cli, width):
    terminal = cli.terminal("translate", width=width, TERM="dumb")
    terminal.expect_exact("Type a sentence and press Enter. End with Ctrl-D.")
    terminal.expect_exact("> ")
    terminal.sendline("Hi!")
    terminal.expect_exact("\n> ")
    table = [line for line in terminal.before.splitlines() if line[:1] in {*"┌│├└"}]
    assert table
    assert max(map(cell_len, table)) <= width
    terminal.sendeof()
    assert finish(terminal)[0] == 0


# Scores


@pytest.mark.case(44)
def test_on_five_short_pairs_chrf_and_exact_match_come_first_and_there_is_no_bleu(cli, tmp_path):
    (tmp_path / "five.tsv").write_text(
        "".join(f"I run.\t나는 {word}\n" for word in ("달려.", "가.", "봐.", "와.", "자.")), "utf-8"
    )
    table = cli("evaluate", "five.tsv").out
    heads, values = (
        next(line.split() for line in table.splitlines() if word in line)
        for word in ("exact", "20.0%")
    )
    scores = ["exact", "chrF", "BLEU"]
    assert [name for name in heads if name in scores] == scores
    assert [values[-5], values[-4], values[-2]] == ["5", "20.0%", "-"]
    assert re.search(r"^chrF: nrefs:1\|case:mixed\|.*version:", table, re.MULTILINE)
    record = json.loads(cli("evaluate", "five.tsv", "--format", "json").out)
    assert record["checkpoints"][0]["bleu"] is None
    assert set(record["signatures"]) == {"chrf", "bleu"}


@pytest.mark.case(45)
def test_the_scores_are_of_what_translate_writes(cli, tmp_path):
    """With the translations themselves as references, even wrong ones are exactly right."""
    sources = [*(pair.source for pair in PAIRS), "You love the cat.", "He sat on him!"]
    answers = cli("translate", stdin="".join(f"{source}\n" for source in sources)).out.splitlines()
    (tmp_path / "own.tsv").write_text(
        "".join(f"{source}\t{answer}\n" for source, answer in zip(sources, answers, strict=True)),
        "utf-8",
    )
    (scores,) = json.loads(cli("evaluate", "own.tsv", "--format", "json").out)["checkpoints"]
    assert (scores["sentences"], scores["exact"], scores["chrf"]) == (len(sources), 1, 100)
