"""`attn-translate evaluate`: scores of one or more checkpoints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import error_of, finish
from conftest import PAIRS

from translator import Translator
from translator.evaluation.faithfulness import faithfulness
from translator.evaluation.scores import measure, summarise

ALIGNED = ["0-0 1-2 2-1"] * 8


@pytest.fixture
def corpus(tmp_path) -> Path:
    """Write the dozen pairs, the first eight with gold alignments."""
    links = ALIGNED + [""] * (len(PAIRS) - len(ALIGNED))
    path = tmp_path / "corpus.tsv"
    path.write_text(
        "".join(f"{p.source}\t{p.target}\t{link}\n" for p, link in zip(PAIRS, links, strict=True)),
        "utf-8",
    )
    return path


@pytest.fixture
def untrained(tmp_path, make_checkpoint) -> Path:
    make_checkpoint("none").save(tmp_path / "none.safetensors")
    return tmp_path / "none.safetensors"


def record(result) -> dict:
    assert (result.status, result.err) == (0, "")
    return json.loads(result.out)


def rows(result) -> list[list[str]]:
    """Return the columns of every line."""
    assert (result.status, result.err) == (0, "")
    return [line.split() for line in result.out.splitlines()]


@pytest.mark.case(45)
def test_the_scores_are_those_of_the_library(cli, corpus, trained_path):
    from translator.text.corpus import read_corpus

    pairs, _ = read_corpus(corpus)
    summary = summarise(list(measure(Translator.load(trained_path), pairs, beam_size=5)))
    made = record(cli("evaluate", corpus, "--format", "json"))
    assert made["checkpoints"] == [
        {"checkpoint": str(trained_path), "attention": "scaled-dot", **summary.record()}
    ]
    assert (made["format"], made["sentences"], made["beam_size"]) == (1, len(PAIRS), 5)
    assert set(made["signatures"]) == {"chrf", "bleu"}


def test_checkpoints_stand_side_by_side(cli, corpus, trained_path, untrained):
    made = record(
        cli(
            "evaluate",
            corpus,
            "--checkpoint",
            untrained,
            "--checkpoint",
            trained_path,
            "--format",
            "json",
        )
    )
    assert [one["attention"] for one in made["checkpoints"]] == ["none", "scaled-dot"]
    assert [one["exact"] for one in made["checkpoints"]] == [0, 1]
    assert made["checkpoints"][0]["aer"] is None
    assert 0 <= made["checkpoints"][1]["aer"] <= 1


def test_by_length_gives_all_scores_in_buckets(cli, corpus):
    (one,) = record(cli("evaluate", corpus, "--by-length", "--format", "json"))["checkpoints"]
    assert [(bucket["words"], bucket["sentences"]) for bucket in one["by_length"]] == [
        ("1-2", 3),
        ("3-4", 8),
        ("5-6", 1),
    ]
    assert set(one["by_length"][0]) == {
        "words",
        "sentences",
        "exact",
        "chrf",
        "bleu",
        "aer",
        "aligned",
    }


def test_faithfulness_is_that_of_the_translations_shown(cli, corpus, trained_path):
    (one,) = record(
        cli("evaluate", corpus, "--faithfulness", "--beam-size", 1, "--format", "json")
    )["checkpoints"]
    translator = Translator.load(trained_path)
    translations = list(translator.translate([pair.source for pair in PAIRS], beam_size=1))
    assert one["faithfulness"] == faithfulness(translator, translations)._asdict()


def test_the_table_has_a_row_a_checkpoint(cli, corpus, untrained, trained_path, monkeypatch):
    monkeypatch.chdir(untrained.parent)
    made = rows(cli("evaluate", corpus, "--checkpoint", untrained.name))
    assert ["checkpoint", "sentences", "exact", "chrF", "BLEU", "AER"] in made
    assert [row[:4] for row in made if row[:1] == ["none.safetensors"]] == [
        ["none.safetensors", "(none)", "12", "0.0%"]
    ]


def test_by_length_draws_a_bar_of_chrf(cli, corpus):
    made = rows(cli("evaluate", corpus, "--by-length"))
    aer = [row[5] for row in made if row[:1] == ["3-4"]]
    assert [row[:5] for row in made if row[:1] == ["3-4"]] == [
        ["3-4", "8", "100.0%", "100.00", "-"]
    ]
    assert float(aer[0]) <= 1
    assert [row[-1] for row in made if row[:1] == ["3-4"]] == ["█" * 20]


@pytest.mark.parametrize("options", [[], ["--by-length", "--faithfulness"]], ids=str)
def test_it_is_readable_in_eighty_columns(cli, corpus, options):
    result = cli("evaluate", corpus, *options)
    assert result.out
    assert max(map(len, result.out.splitlines())) <= 80


def test_a_narrow_terminal_cuts_no_number(cli, corpus, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    made = rows(cli("evaluate", corpus, "--by-length"))
    assert ["3-4", "8", "100.0%", "100.00", "-"] in [row[:5] for row in made]
    assert not any("…" in word for row in made for word in row)


def test_without_alignments_the_legend_says_so(cli, tmp_path):
    (tmp_path / "plain.tsv").write_text("I run.\t나는 달려.\n", "utf-8")
    assert "the corpus has no gold alignments" in " ".join(
        cli("evaluate", tmp_path / "plain.tsv").out.split()
    )


def test_without_a_corpus_it_is_the_bundled_test_set(cli):
    made = record(cli("evaluate", "--beam-size", 1, "--format", "json"))
    assert made["corpus"].endswith("eng-kor.test.tsv")
    assert made["sentences"] > 10


def test_what_the_corpus_lost_is_told(cli, tmp_path):
    (tmp_path / "holes.tsv").write_text("I run.\t나는 달려.\nHi!\n", "utf-8")
    result = cli("evaluate", tmp_path / "holes.tsv")
    assert (result.status, result.err) == (
        0,
        f"note: {tmp_path}/holes.tsv: 2 lines, 1 pair; skipped 1 without a tab (first: line 2)\n",
    )


def test_faithfulness_without_attention_is_said_to_be_none(cli, corpus, untrained):
    result = cli(
        "evaluate", corpus, "--checkpoint", untrained, "--faithfulness", "--format", "json"
    )
    assert result.err == f"note: {untrained} has no attention: nothing could be erased\n"
    assert "faithfulness" not in json.loads(result.out)["checkpoints"][0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "xml"], "no format is called 'xml'"),
        (["--beam-size", 0], "beam size can't be 0"),
        (["nowhere.tsv"], "there is no file"),
    ],
    ids=str,
)
def test_what_the_user_can_mend_is_told(cli, options, message):
    assert message in error_of(cli("evaluate", *options))


def test_a_wrong_alignment_is_told(cli, tmp_path):
    (tmp_path / "wrong.tsv").write_text("I run.\t나는 달려.\t0-0 5-1\n", "utf-8")
    assert "links words 5 and 1 of 2 and 2" in error_of(cli("evaluate", tmp_path / "wrong.tsv"))


def test_at_a_terminal_a_bar_tells_how_far_it_is(cli, corpus):
    status, written = finish(cli.terminal("evaluate", corpus))
    assert status == 0
    assert "tiny.safetensors" in written
    assert "100%" in written
