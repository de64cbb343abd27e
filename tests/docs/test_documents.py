"""The tools that check the documents: they notice an output that is out of date."""

from __future__ import annotations

import pytest
from document_commands import Command, run
from documents import console, has_outline, session


def test_a_stale_output_is_seen():
    shown = console("$ echo one\nold\n$ echo two\n")
    assert shown == "$ echo one\none\n$ echo two\ntwo\n"


def test_a_command_that_fails_is_no_output():
    with pytest.raises(AssertionError, match="no-such-command"):
        console("$ no-such-command\n")


def test_an_error_message_is_an_output():
    assert (
        console("$ attn-translate explain --step 9 I love you\n")
        .splitlines()[1]
        .startswith("error: ")
    )


def test_commands_run_one_after_the_other_in_one_folder():
    assert run(
        (Command("echo one | tee number"), Command("cat < number"), Command("false | true"))
    ) == ((0, "one\n"), (0, "one\n"), (1, ""))


@pytest.mark.parametrize(
    ("output", "is_that"),
    [
        ("dev set  chrF 9.52\n", True),
        ("dev set\nchrF 81\n", False),
        ("dev set BLEU 81.25\n", False),
        ("dev set chrF 81.25 best\n", False),
    ],
)
def test_an_outline_keeps_the_words_but_not_the_numbers(output, is_that):
    assert has_outline(output, "dev set chrF 81.25\n") is is_that
    assert has_outline(f"epoch 1\nepoch 2\n{output}", "…\ndev set chrF 81.25\n") is is_that


def test_a_stale_outline_is_seen():
    shown = run((Command("echo two words"),))
    assert (
        console("$ echo two words\n2 words\n", shown, in_outline=True)
        == "$ echo two words\ntwo words\n"
    )
    assert (
        console("$ echo two words\n… words\n", shown, in_outline=True)
        == "$ echo two words\n… words\n"
    )


def test_a_stale_session_is_seen():
    loop = ">>> for n in range(2):\n...     print(n)\n0\n"
    assert session(f"{loop}>>> 1 + 1\n3\n") == f"{loop}1\n>>> 1 + 1\n2\n"
