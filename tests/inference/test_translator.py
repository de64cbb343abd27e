"""`Translator`: lines in, translations out, in order, whatever else is in the batch."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from conftest import PAIRS

from translator import Translator, TranslatorError
from translator.inference.translator import ENVIRONMENT_VARIABLE, LONGEST_SOURCE, find_checkpoint
from translator.settings import ATTENTIONS, bundled
from translator.text.corpus import read_corpus
from translator.translation import Translation

LINES = [
    "Hi!",
    "The cat sat on the mat. I love you. You see him. He sees you. I run.",
    "I love you",
    "you",
    "?",
]


@pytest.fixture(scope="module")
def translator(trained_path) -> Translator:
    return Translator.load(trained_path)


def test_no_lines_give_nothing(translator):
    assert list(translator.translate([])) == []


def test_a_sentence_is_not_taken_for_its_letters(translator):
    with pytest.raises(TypeError, match="a list of sentences"):
        list(translator.translate("I love you"))


@pytest.mark.parametrize("line", ["", "   ", "\t", "\x00\x1b", "\u200b"])
def test_a_blank_line_gives_an_empty_translation(translator, line):
    assert list(translator.translate(["I run.", line, "Hi!"]))[1] == Translation.empty()


def test_what_was_learned_comes_out(translator):
    translations = list(translator.translate([pair.source for pair in PAIRS]))
    assert [translation.target for translation in translations] == [pair.target for pair in PAIRS]


@pytest.mark.parametrize(
    "line", ["i love you", "I LOVE YOU", "Ｉ ｌｏｖｅ ｙｏｕ", "  I  love\tyou "]
)
def test_variants_of_a_sentence_are_one(translator, line):
    assert next(translator.translate([line])).target == "나는 너를 사랑해"


def test_the_source_stands_as_it_was_typed(translator):
    translation = next(translator.translate(["I LOVE you"]))
    assert translation.source == "I LOVE you"
    assert "".join(translation.source_pieces) == "▁I▁LOVE▁you</s>"


@pytest.mark.case(18)
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_other_lines_in_the_batch_change_nothing(make_checkpoint, attention):
    translator = Translator(make_checkpoint(attention, seed=1))
    together = list(translator.translate(LINES, batch_size=3))
    for line, translation in zip(LINES, together, strict=True):
        alone = next(translator.translate([line]))
        assert (alone.target, alone.source_pieces) == (
            translation.target,
            translation.source_pieces,
        )
        if alone.weights is not None:
            np.testing.assert_allclose(translation.weights, alone.weights, atol=1e-5)
        np.testing.assert_allclose(translation.probabilities, alone.probabilities, atol=1e-5)


def test_lines_are_taken_only_as_they_are_needed(translator):
    endless = itertools.cycle(["I run.", "Hi!"])
    assert [
        translation.target for translation in itertools.islice(translator.translate(endless), 3)
    ] == ["나는 달려.", "안녕!", "나는 달려."]


def test_a_forced_greedy_output_gives_the_same_matrix(translator):
    greedy = next(translator.translate(["he sees you"], beam_size=1))
    forced = translator.align("he sees you", greedy.target)
    np.testing.assert_allclose(forced.weights, greedy.weights, atol=1e-6)
    np.testing.assert_allclose(forced.probabilities, greedy.probabilities, atol=1e-6)


@pytest.mark.case(20)
def test_the_last_row_is_the_end_of_the_sentence(translator):
    translation = next(translator.translate(["I see you"]))
    assert (translation.source_pieces[-1], translation.target_pieces[-1]) == ("</s>", "</s>")


def test_n_best_come_best_first_and_differ(translator):
    best = next(translator.n_best(["I love you"], 4, beam_size=4))
    assert len({translation.target_pieces for translation in best}) == 4
    assert best[0] == next(translator.translate(["I love you"], beam_size=4))


def test_without_attention_there_are_no_weights(make_checkpoint):
    assert next(Translator(make_checkpoint("none")).translate(["Hi!"])).weights is None


def test_a_limit_is_kept_and_said(translator):
    translation = next(translator.translate(["I love you"], max_length=2))
    assert len(translation.target_pieces) == 2
    assert not translation.finished


def test_a_very_long_line_is_cut(translator):
    translation = next(translator.translate(["love " * 3000], max_length=3))
    assert len(translation.source_pieces) == LONGEST_SOURCE
    assert any("only the first 128" in remark for remark in translator.remarks("love " * 3000))


@pytest.mark.parametrize(
    ("line", "remarks"),
    [
        ("I love you", []),
        ("I LOVE you!", []),
        (
            "I love 猫 mats 🐈!",
            ["characters unknown to this model in: 猫, 🐈!", "not seen in training: mats"],
        ),
        ("the mats", ["not seen in training: mats"]),
        ("I run.", []),
    ],
)
def test_unknown_words_are_named(translator, line, remarks):
    assert translator.remarks(line) == remarks


@pytest.mark.parametrize(
    "options", [{"beam_size": 0}, {"max_length": 0}, {"batch_size": -1}, {"count": 6}, {"count": 0}]
)
def test_wrong_numbers_are_refused(translator, options):
    with pytest.raises(TranslatorError):
        next(translator.n_best(["Hi!"], **{"count": 1, **options}))


@pytest.mark.parametrize(("source", "target"), [("", "안녕"), ("Hi!", " "), ("Hi!", "나 " * 1000)])
def test_an_alignment_needs_two_sentences(translator, source, target):
    with pytest.raises(TranslatorError):
        translator.align(source, target)


def test_the_checkpoint_is_found_in_the_documented_order(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(ENVIRONMENT_VARIABLE, raising=False)
    assert find_checkpoint().name == "default.safetensors"
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "eng-kor.safetensors").touch()
    assert find_checkpoint().as_posix() == "checkpoints/eng-kor.safetensors"
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, "from/environment")
    assert find_checkpoint().as_posix() == "from/environment"
    assert find_checkpoint("given").name == "given"


def test_a_beam_finds_likelier_translations_than_greedy_search_on_the_whole():
    """400 test sentences by the shipped model; some may score lower (see `beam_search.py`)."""
    translator, pairs = Translator.load(), read_corpus(bundled("data/eng-kor.test.tsv"))[0][:400]
    greedy, beam = (
        np.array(
            [
                translation.log_probability
                for translation in translator.translate(
                    [pair.source for pair in pairs], beam_size=size
                )
            ]
        )
        for size in (1, 5)
    )
    assert beam.mean() >= greedy.mean()
    assert (beam > greedy + 1e-6).any()
