"""Known problems of other translators, Korean tokenizers and table printers: each case has a test.

A test is marked with the numbers of its cases, `@pytest.mark.case(12)`. Most are in the file of
their module. The tests here go through the whole program.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command_line import Result, finish
from conftest import PAIRS

from translator import Translator
from translator.settings import ModelConfig, TrainingConfig
from translator.storage.checkpoint import Checkpoint
from translator.text.corpus import SentencePair, read_corpus
from translator.text.tokenizer import END_ID, Tokenizer
from translator.text.words import word_digests
from translator.training.training import Task, Training
from translator.translation import Translation
from translator.views.heatmap import UNIFORM

CASES = range(1, 46)
TINY = ("--hidden-size", 6, "--embedding-size", 6, "--threads", 1, "--epochs", 1)
LOVE = "나는 너를 사랑해"

# Python 3.12 warns when a process with threads (torch's) forks, as a pseudo-terminal must.
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")


def test_each_case_has_a_test():
    texts = [path.read_text("utf-8") for path in Path(__file__).parent.parent.rglob("test_*.py")]
    marked = {
        int(number)
        for text in texts
        for numbers in re.findall(r"mark\.case\(([\d, ]+)\)", text)
        for number in numbers.split(",")
    }
    assert marked == set(CASES)


def tsv(pairs: list[SentencePair]) -> str:
    return "".join(f"{pair.source}\t{pair.target}\n" for pair in pairs)


def translations(result: Result) -> list[Translation]:
    """Read the output of `--format json`."""
    assert result.status == 0
    return [Translation.from_json(line) for line in result.out.splitlines()]


# Corpus files


@pytest.mark.case(2)
def test_the_mean_of_pieces_a_word_is_told_beside_what_was_asked_and_obtained(cli, tmp_path):
    (tmp_path / "pairs.tsv").write_text(tsv(PAIRS), "utf-8")
    err = cli("train", "pairs.tsv", "--dev", "pairs.tsv", *TINY, "--vocabulary-size", 30).err
    checkpoint = Checkpoint.load(Path("checkpoints/pairs.safetensors"))
    for side, tokenizer, lines in (
        ("source", checkpoint.source_tokenizer, [pair.source for pair in PAIRS]),
        ("target", checkpoint.target_tokenizer, [pair.target for pair in PAIRS]),
    ):
        pieces = sum(len(tokenizer.encode(line)) - 1 for line in lines)
        mean = pieces / sum(len(line.split()) for line in lines)
        assert re.search(
            rf"^{side}: {len(tokenizer)} pieces( \(asked for 30; .*\))?, {mean:.2f} a word$",
            err,
            re.MULTILINE,
        )


@pytest.mark.case(6)
def test_odd_bytes_in_a_corpus_train_the_same_model(cli, tmp_path):
    mark, half = "\ufeff", len(PAIRS) // 2
    (tmp_path / "clean.tsv").write_bytes(tsv(PAIRS).encode())
    (tmp_path / "odd.tsv").write_bytes(
        (mark + tsv(PAIRS[:half]) + mark + tsv(PAIRS[half:])).replace("\n", "\r\n").encode()
    )
    for name in ("clean", "odd"):
        assert cli("train", f"{name}.tsv", *TINY).status == 0
    clean, odd = (
        Checkpoint.load(Path(f"checkpoints/{name}.safetensors")) for name in ("clean", "odd")
    )
    assert (clean.source_tokenizer.model, clean.target_tokenizer.model) == (
        odd.source_tokenizer.model,
        odd.target_tokenizer.model,
    )
    assert clean.parameters.keys() == odd.parameters.keys()
    assert all(
        np.array_equal(clean.parameters[name], odd.parameters[name]) for name in clean.parameters
    )


@pytest.mark.case(8, 10)
def test_a_training_counts_what_it_drops_and_goes_on(cli, tmp_path):
    (tmp_path / "mixed.tsv").write_text(
        "no tab\n" + tsv(PAIRS).replace("\n", "\tCC-BY (someone)\n") + f"{'a' * 401}\tb\n", "utf-8"
    )
    result = cli("train", "mixed.tsv", *TINY)
    assert result.status == 0
    assert (
        "14 lines, 12 pairs; skipped 1 without a tab (first: line 1), "
        "1 longer than 400 characters (first: line 14)"
    ) in result.err


# Korean and Unicode


@pytest.fixture
def korean(make_checkpoint, tmp_path) -> str:
    """Save a model that reads Korean."""
    lines = [pair.target for pair in PAIRS]
    source = Tokenizer.train(lines, 60, folds=True)
    made = make_checkpoint()
    config = replace(made.config, source_vocabulary=len(source))
    generator = np.random.default_rng(1)
    parameters = {
        name: generator.normal(0, 0.5, shape).astype(np.float32)
        for name, shape in config.parameter_shapes().items()
    }
    checkpoint = replace(
        made,
        config=config,
        parameters=parameters,
        source_tokenizer=source,
        words=word_digests(lines),
    )
    checkpoint.save(tmp_path / "korean.safetensors")
    return "korean.safetensors"


@pytest.mark.case(12)
def test_a_decomposed_sentence_is_the_composed_one(cli, korean):
    decomposed = unicodedata.normalize("NFD", LOVE)
    assert decomposed != LOVE
    answers = [
        cli("translate", "--checkpoint", korean, "--format", "json", sentence)
        for sentence in (LOVE, decomposed)
    ]
    assert answers[0] == answers[1]
    assert (answers[0].status, answers[0].err) == (0, "") or answers[0].err.startswith(
        "note: stopped after"
    )


@pytest.mark.case(13)
def test_full_width_letters_are_folded_in_a_source_and_kept_in_a_target(cli, tmp_path):
    assert cli("translate", "Ｈｉ！") == cli("translate", "Hi!") == (0, "안녕!\n", "")
    (tmp_path / "wide.tsv").write_text("Hi!\t안녕！\n", "utf-8")
    ((_, target),) = [pair[:2] for pair in read_corpus(tmp_path / "wide.tsv")[0]]
    tokenizer = Tokenizer.train([target], 60, folds=False)
    assert tokenizer.decode(tokenizer.encode(target)) == "안녕！"


@pytest.mark.case(16)
@pytest.mark.parametrize("form", ["text", "heatmap", "json"])
@pytest.mark.parametrize("line", ["", "   ", "?", "5", "a"])
def test_a_line_with_hardly_anything_in_it_is_no_crash(cli, line, form):
    from_argument = cli("translate", "--format", form, line)
    from_stdin = cli("translate", "--format", form, stdin=f"{line}\n")
    assert from_argument == from_stdin._replace(err=from_stdin.err.replace("line 1: ", ""))
    assert from_argument.status == 0
    if not line.strip():
        blank = Translation.empty().to_json() if form == "json" else ""
        assert (from_argument.out, from_argument.err) == (f"{blank}\n", "")


@pytest.mark.case(14, 17)
@pytest.mark.parametrize("strange", ["🐈‍⬛", "猫", "👩‍👩‍👧", "각", "\ud7a3", "e\u0301\u0323"])
def test_a_column_head_is_a_whole_character(cli, strange):
    (translation,) = translations(cli("translate", "--format", "json", f"I love {strange}"))
    heads = "".join(translation.source_pieces)
    assert unicodedata.normalize("NFC", strange).replace("\u200d", "") in heads
    assert not {*heads} & {"\ufffd", "⁇"}
    assert "<0x" not in heads
    assert "⁇" not in translation.target


# Is the matrix right?


@pytest.mark.case(18)
def test_a_short_sentence_beside_a_long_one_is_as_it_is_alone(cli):
    long = "The cat sat on the mat and " * 3 + "I love you."
    assert len(long.split()) > 20
    (alone,) = translations(cli("translate", "--format", "json", "Hi."))
    together = translations(cli("translate", "--format", "json", stdin=f"{long}\nHi.\n"))[1]
    assert (alone.target, alone.source_pieces) == (together.target, together.source_pieces)
    np.testing.assert_allclose(alone.weights, together.weights, atol=1e-5)
    np.testing.assert_allclose(together.weights.sum(1), 1, atol=1e-5)


@pytest.mark.case(19)
def test_another_source_word_changes_the_rows_under_the_same_target(trained_path):
    """Attention that ignored the encoder would give the same rows.

    The first row may be the same: 나는 looks at "I" in both.
    """
    translator = Translator.load(trained_path)
    first, second = (
        translator.align(source, LOVE).weights for source in ("I love you", "I see you")
    )
    assert first.shape == second.shape
    assert (np.abs(first - second).max(1)[1:] > 1e-3).all()


@pytest.mark.case(20)
def test_a_copy_task_has_its_weights_on_the_diagonal(tmp_path):
    """If rows were shifted by one, the weights would be beside the diagonal."""
    generator = np.random.default_rng(1)
    strings = sorted(
        {
            " ".join(map(str, generator.integers(0, 10, generator.integers(2, 7))))
            for _ in range(1200)
        }
    )
    pairs, unseen = [SentencePair(string, string) for string in strings[:-50]], strings[-50:]
    settings = TrainingConfig(
        epochs=8,
        patience=None,
        batch_size=16,
        learning_rate=0.01,
        dropout=0.1,
        label_smoothing=0.0,
        threads=1,
    )
    task = Task(pairs, pairs[:20], tmp_path / "copy.safetensors", "digits", pairs[0].source)
    tokenizers = task.tokenizers(settings)
    list(
        Training(
            task,
            ModelConfig(*map(len, tokenizers), embedding_size=16, hidden_size=32),
            settings,
            tokenizers,
        )
    )
    translator = Translator.load(task.path)
    copies = [translator.align(string, string) for string in unseen]
    assert {copy.target_pieces[-1] for copy in copies} == {"</s>"}
    diagonal = [
        np.array_equal(copy.weights[:-1].argmax(1), np.arange(len(copy.weights) - 1))
        for copy in copies
    ]
    assert np.mean(diagonal) >= 0.9


@pytest.fixture
def checkpoint_with(make_checkpoint, tmp_path) -> Callable[..., str]:
    """Save a random model with some of its parameters changed, by name."""

    def make(**changes: Callable[[np.ndarray], np.ndarray]) -> str:
        made = make_checkpoint(seed=1)
        changed = {
            name: changes.get(name.replace(".", "_"), lambda array: array)(array)
            for name, array in made.parameters.items()
        }
        replace(made, parameters=changed).save(tmp_path / "changed.safetensors")
        return "changed.safetensors"

    return make


@pytest.mark.case(22)
def test_a_model_that_hardly_uses_its_attention_is_reported(cli, make_checkpoint, tmp_path):
    """If all parameters are 0, all pieces have the same weight, and a word of many has more."""
    make_checkpoint(scale=0).save(tmp_path / "uniform.safetensors")
    for command in (
        ["translate", "--format", "heatmap"],
        ["show-weights"],
        ["show-weights", "--words"],
    ):
        used, unused = (
            cli(*command, *more, "I love matmatmatmat").out
            for more in ([], ["--checkpoint", "uniform.safetensors"])
        )
        assert UNIFORM in " ".join(unused.split())
        assert UNIFORM not in " ".join(used.split())
        assert not set("░▒▓█*") & set(unused)
        assert set("█*") < set(used)


@pytest.mark.case(23)
def test_the_end_and_the_full_stop_are_columns_and_the_caption_names_the_axes(cli):
    out = cli("translate", "--format", "heatmap", "I run.").out
    (translation,) = translations(cli("translate", "--format", "json", "I run."))
    head = [cell.strip() for cell in out.splitlines()[2].split("│")[2:-2]]
    assert head == list(translation.source_pieces)
    assert (head[-1], head[-2][-1]) == ("</s>", ".")
    assert (
        "Rows: the pieces written, one a step. Columns: the source pieces looked at."
        in " ".join(out.split())
    )


# Decoding


def only(number: int, size: int) -> Callable[[np.ndarray], np.ndarray]:
    """Return a change of the bias that makes one piece always the likeliest."""
    return lambda array: np.where(np.arange(size) == number, 1000, array).astype(np.float32)


@pytest.mark.case(24)
@pytest.mark.parametrize("form", ["text", "heatmap", "json"])
def test_a_translation_that_goes_round_is_capped_and_noted(cli, checkpoint_with, tokenizers, form):
    source, target = tokenizers
    looping = checkpoint_with(decoder_output_bias=only(target.encode("나는")[0], len(target)))
    result = cli("translate", "--checkpoint", looping, "--format", form, "I love you")
    cap = 2 * len(source.encode("I love you")) + 10
    assert (result.status, result.err) == (
        0,
        f"note: stopped after {cap} pieces without an end: I love you\n",
    )
    assert result.out.count(target.piece(target.encode("나는")[0]).lstrip("▁")) >= cap


@pytest.mark.case(25)
@pytest.mark.parametrize(
    "command", [["translate", "--format", "heatmap"], ["show-weights"], ["explain"]], ids=" ".join
)
def test_an_end_at_once_is_a_matrix_of_one_row(cli, checkpoint_with, tokenizers, command):
    silent = checkpoint_with(decoder_output_bias=only(END_ID, len(tokenizers[1])))
    result = cli(*command, "--checkpoint", silent, "I love you")
    assert (result.status, result.err) == (0, "")
    if command != ["explain"]:
        assert [
            line.split("│")[1].strip() for line in result.out.splitlines() if line.startswith("│")
        ] == ["", "</s>"]
    assert cli("translate", "--checkpoint", silent, "I love you") == (0, "\n", "")


@pytest.mark.case(26)
@pytest.mark.parametrize("form", ["text", "heatmap", "json"])
def test_argument_stdin_file_and_prompt_give_the_same_bytes_each_time(cli, tmp_path, form):
    options = ["translate", "--format", form]
    (tmp_path / "sentences.txt").write_text("I love you\n", "utf-8")
    cli(*options, "--output", "answers.txt", "I love you")
    answers = [cli(*options, "I love you").out for _ in range(2)]
    answers += [
        cli(*options, stdin="I love you\n").out,
        (tmp_path / "answers.txt").read_text("utf-8"),
    ]
    with (
        (tmp_path / "sentences.txt").open("rb") as file,
        cli.start(*options, stdin=file) as process,
    ):
        answers.append(process.communicate()[0].decode())
    terminal = cli.terminal(*options, width=80, NO_COLOR="1", TERM="dumb")
    terminal.expect_exact("> ")
    terminal.sendline("I love you")
    terminal.expect_exact("\n> ")
    prompted = terminal.before.replace("\r\n", "\n").partition("\n")[2].rstrip("\r")
    terminal.sendeof()
    finish(terminal)
    assert {*answers, prompted + "\n"} == {answers[0]}
    assert LOVE in answers[0]


@pytest.mark.case(28)
@pytest.mark.parametrize(
    "command", [["translate", "--format", "heatmap"], ["show-weights"], ["explain"]], ids=" ".join
)
def test_a_line_of_3000_words_is_cut_with_a_note_and_no_hang(cli, command):
    result = cli(*command, *["love"] * 3000)
    assert result.status == 0
    assert "note: only the first 128 of 3001 pieces were translated" in result.err.splitlines()
