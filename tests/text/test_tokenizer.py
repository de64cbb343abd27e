"""Text ↔ ids ↔ pieces: what counts as the same text, and what a reader sees of it."""

from __future__ import annotations

import io
import unicodedata
from contextlib import nullcontext

import numpy as np
import pytest
import sentencepiece
from conftest import PAIRS
from hypothesis import example, given, settings
from hypothesis import strategies as st

from translator import TranslatorError
from translator.text.normalization import clean, fold
from translator.text.tokenizer import (
    END_ID,
    NEVER_PRODUCED,
    PAD_ID,
    START_ID,
    UNKNOWN_ID,
    Tokenizer,
)
from translator.text.words import bare_words, unseen_words, word_digests

SOURCES = [pair.source for pair in PAIRS]
TARGETS = [pair.target for pair in PAIRS]
SOURCE = Tokenizer.train(SOURCES, 60, folds=True)
TARGET = Tokenizer.train(TARGETS, 60, folds=False)

characters = (
    st.characters()
    | st.sampled_from("abc LOVE.'’ŉ▁⁇ßΐﬁ½ \t\u200b\u0301\u0345가ᄀㅏ각ｶﾞ猫🐈")
    | st.characters(categories=["Cs"])
)
texts = st.text(characters, max_size=12)
quick = settings(max_examples=300, deadline=None, derandomize=True, database=None)
both_sides = pytest.mark.parametrize("side", [SOURCE, TARGET], ids=["source", "target"])
normalisations = pytest.mark.parametrize("normalise", [clean, fold])


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("", ""),
        ("   \t\n", ""),
        ("\x00\x1b\u200b\ufeff", ""),
        ("a", "a"),
        ("  a \t b\u3000c\u2028d ", "a b c d"),
        ("a\x1b[31mb", "a[31mb"),
        ("a \u200b b", "a b"),
        (unicodedata.normalize("NFD", "한글 café"), "한글 café"),
        ("Ｈｅｌｌｏ！ ½ ’", "Ｈｅｌｌｏ！ ½ ’"),
        ("▁a", "_a"),
        ("\ud800a", "\ufffda"),
    ],
)
def test_cleaning_keeps_what_can_be_seen(text, cleaned):
    assert clean(text) == cleaned


@pytest.mark.case(13)
@pytest.mark.parametrize(
    ("variants", "folded"),
    [
        (["", " ", "\x00"], ""),
        (["I love you", "i LOVE you", "Ｉ ｌｏｖｅ ｙｏｕ", " I  love\u3000you "], "i love you"),
        (["Hello!", "Ｈｅｌｌｏ！"], "hello!"),
        (["don't", "DON’T", "donʼt", "don‘t"], "don't"),
        (['"a"', "“a”"], '"a"'),
        (["STRASSE", "straße"], "strasse"),
        (["café", unicodedata.normalize("NFD", "CAFÉ")], "café"),
        (["한글", unicodedata.normalize("NFD", "한글")], "한글"),
        (["ŉ", "'N"], "'n"),
    ],
)
def test_variants_of_a_sentence_fold_to_one(variants, folded):
    assert {fold(variant) for variant in variants} == {folded}


@normalisations
@quick
@example("ŉ")
@example("\u0390\ud800")
@given(text=texts)
def test_normalising_twice_is_normalising_once(normalise, text):
    assert normalise(normalise(text)) == normalise(text)


@normalisations
@quick
@given(text=texts)
def test_normalised_text_is_printable_with_single_spaces_and_composed(normalise, text):
    normalised = normalise(text)
    assert normalised.split(" ") == (normalised.split() or [""])
    assert not {unicodedata.category(character) for character in normalised} & {"Cc", "Cf", "Cs"}
    assert unicodedata.is_normalized("NFC", normalised)
    assert "▁" not in normalised


@both_sides
@quick
@given(text=texts)
def test_any_text_has_as_many_pieces_as_ids(side, text):
    pieces, ids = side.pieces(text), side.encode(text)
    assert len(pieces) == len(ids)
    assert (pieces[-1], ids[-1]) == ("</s>", END_ID)
    assert all(pieces)
    assert not set(ids[:-1]) & {PAD_ID, START_ID, END_ID}


@both_sides
@quick
@given(text=texts)
def test_pieces_join_back_to_the_text(side, text):
    joined = "".join(side.pieces(text)[:-1]).replace("▁", " ").removeprefix(" ")
    assert side.normalise(joined) == side.normalise(text)


@both_sides
@quick
@given(text=texts)
def test_a_text_and_its_normalised_form_have_the_same_ids(side, text):
    assert side.encode(text) == side.encode(side.normalise(text))


@both_sides
@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(lines=st.lists(texts, max_size=4))
def test_many_lines_are_encoded_as_one_by_one(side, lines):
    assert side.encode_lines(lines) == [side.encode(line) for line in lines]


@pytest.mark.parametrize(
    ("side", "lines"), [(SOURCE, SOURCES), (TARGET, TARGETS)], ids=["source", "target"]
)
def test_decoding_undoes_encoding_for_known_characters(side, lines):
    assert [side.decode(side.encode(line)) for line in lines] == [
        side.normalise(line) for line in lines
    ]


@both_sides
@pytest.mark.parametrize("text", ["", "   ", "\u200b"])
def test_a_blank_text_is_only_an_end(side, text):
    assert (side.encode(text), side.pieces(text)) == ([END_ID], ("</s>",))


@pytest.mark.parametrize("text", ["?", "5", "a", "猫", "🐈", "각", "</s>", "<unk> <s> <pad>", "⁇"])
def test_one_character_or_a_special_name_is_ordinary_text(text):
    assert "".join(SOURCE.pieces(text)[:-1]).replace("▁", " ").strip() == text.replace("⁇", "??")
    assert END_ID not in SOURCE.encode(text)[:-1]


@pytest.mark.case(17)
@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("I love you", "▁I▁love▁you"),
        ("I LOVE you", "▁I▁LOVE▁you"),
        ("Ｉ ｌｏｖｅ", "▁Ｉ▁ｌｏｖｅ"),
        ("don’t 猫🐈", "▁don’t▁猫🐈"),
        ("Straße I", "▁strasse▁I"),
        ("½ I", "▁1⁄2▁I"),
    ],
)
def test_source_pieces_show_the_letters_as_typed(typed, shown):
    assert "".join(SOURCE.pieces(typed)[:-1]) == shown
    assert SOURCE.encode(typed) == SOURCE.encode(fold(typed))


@pytest.mark.case(13)
def test_a_target_keeps_its_case_and_width():
    tokenizer = Tokenizer.train(["Ａ a A！"], 20, folds=False)
    assert tokenizer.decode(tokenizer.encode("Ａ a A！")) == "Ａ a A！"
    assert len({tuple(tokenizer.encode(text)) for text in ("Ａ", "a", "A")}) == 3


@pytest.mark.case(12)
@both_sides
def test_decomposed_text_is_composed_text(side):
    assert side.encode(unicodedata.normalize("NFD", "나는 너를 café")) == side.encode(
        "나는 너를 café"
    )


def test_decomposed_lines_train_the_same_model():
    assert (
        Tokenizer.train(
            [unicodedata.normalize("NFD", line) for line in TARGETS], 60, folds=False
        ).model
        == TARGET.model
    )


def test_special_ids_are_the_first_four_and_are_not_decoded():
    assert (PAD_ID, UNKNOWN_ID, START_ID, END_ID) == (0, 1, 2, 3)
    assert END_ID not in NEVER_PRODUCED
    assert [TARGET.piece(END_ID), TARGET.decode(range(4))] == ["</s>", ""]


@pytest.mark.case(17)
@both_sides
def test_no_piece_is_half_a_character_or_a_byte(side):
    pieces = [side.piece(number) for number in range(END_ID + 1, len(side))]
    assert all(piece.isprintable() and not piece.startswith("<0x") for piece in pieces)
    assert not any("\ufffd" in piece for piece in pieces)


@pytest.mark.case(14)
@both_sides
def test_an_unknown_character_is_never_written(side):
    assert "⁇" not in side.decode(side.encode("猫 나 I 🐈"))
    assert side.decode([UNKNOWN_ID, END_ID]) == ""


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("", []),
        ("I love you", []),
        ("I ♥ you 猫!", ["♥", "猫!"]),
        ("Ｉ lOvE", []),
        ("love 5 love", ["5"]),
    ],
)
def test_words_with_unknown_characters_are_named(text, unknown):
    assert SOURCE.unknown_characters(text) == unknown


def test_the_size_is_a_ceiling_and_one_piece_a_character_the_floor():
    sizes = [len(Tokenizer.train(SOURCES, size, folds=True)) for size in (1, 60, 8000)]
    assert sizes == sorted(sizes)
    assert sizes[-1] < 8000
    known = set("".join(map(fold, SOURCES)))
    assert all(
        Tokenizer.train(SOURCES, 1, folds=True).unknown_characters(character) == []
        for character in known
    )


@pytest.mark.parametrize("lines", [["a"], ["a b"], ["가"], ["?", "", "  "]])
def test_the_smallest_corpora_train(lines):
    tokenizer = Tokenizer.train(lines, 8000, folds=True)
    assert tokenizer.decode(tokenizer.encode(lines[0])) == lines[0]


def test_the_same_lines_give_the_same_bytes():
    assert Tokenizer.train(SOURCES, 60, folds=True).model == SOURCE.model


@pytest.mark.parametrize("lines", [SOURCES, ["x" * 5000]])
def test_training_is_silent_unless_asked(capfd, lines):
    Tokenizer.train(lines, 60, folds=True)
    assert capfd.readouterr() == ("", "")
    Tokenizer.train(lines, 60, folds=True, verbose=True)
    assert "trainer_interface" in capfd.readouterr().err


@pytest.mark.parametrize("model", [b"", b"hello", SOURCE.model[:-20], b"\0" * 100])
def test_what_is_no_model_is_refused(model):
    with pytest.raises(TranslatorError):
        Tokenizer(model, folds=True)


def test_a_piece_that_is_not_utf_8_is_refused():
    """SentencePiece itself takes such a model, and fails when the piece is shown."""
    place = SOURCE.model.index("▁love".encode())
    with pytest.raises(TranslatorError, match="damaged"):
        Tokenizer(SOURCE.model[:place] + b"\xff" + SOURCE.model[place + 1 :], folds=True)


@pytest.mark.parametrize("rule", ["identity", "nmt_nfkc"])
def test_a_tokenizer_that_normalises_by_itself_is_refused(rule):
    """Its table of replacements is a stranger's: one character may become megabytes."""
    writer = io.BytesIO()
    options = {
        "vocab_size": 40,
        "hard_vocab_limit": False,
        "minloglevel": 2,
        "normalization_rule_name": rule,
    }
    special = {"pad_id": PAD_ID, "unk_id": UNKNOWN_ID, "bos_id": START_ID, "eos_id": END_ID}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SOURCES), model_writer=writer, **options, **special
    )
    with nullcontext() if rule == "identity" else pytest.raises(TranslatorError, match="damaged"):
        Tokenizer(writer.getvalue(), folds=True)


def test_a_strangers_special_pieces_are_refused():
    writer = io.BytesIO()
    options = {
        "vocab_size": 40,
        "hard_vocab_limit": False,
        "minloglevel": 2,
        "normalization_rule_name": "identity",
    }
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SOURCES), model_writer=writer, **options
    )
    with pytest.raises(TranslatorError, match="special pieces"):
        Tokenizer(writer.getvalue(), folds=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("?! …", []),
        ("Don’t run, Minsu!", ["don't", "run", "minsu"]),
        ("“Ｈｉ”", ["hi"]),
        ("co-op 3.5", ["co-op", "3.5"]),
    ],
)
def test_bare_words_have_no_punctuation_around_them(text, words):
    assert bare_words(text) == words


@pytest.mark.parametrize(
    ("text", "unseen"),
    [
        ("", []),
        ("?!", []),
        ("I LOVE you!", []),
        ("“love”, mats", ["mats"]),
        ("Zebra, I love zebra", ["Zebra,", "zebra"]),
        ("猫", ["猫"]),
    ],
)
def test_unseen_words_are_given_as_typed(text, unseen):
    assert unseen_words(text, frozenset(word_digests(SOURCES).tolist())) == unseen


def test_digests_are_sorted_and_different():
    digests = word_digests([*SOURCES, *SOURCES])
    assert digests.dtype == np.uint32
    assert (np.diff(digests.astype(np.int64)) > 0).all()
    assert word_digests([]).size == 0
