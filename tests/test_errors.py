"""The one exception for errors that a user can fix."""

from __future__ import annotations

import pytest

import translator
from translator.errors import TranslatorError


def test_it_carries_what_happened_and_how_to_go_on():
    error = TranslatorError("no file 'a.tsv'", hint="check the path")
    assert (str(error), error.hint) == ("no file 'a.tsv'", "check the path")


def test_a_hint_is_never_forgotten():
    with pytest.raises(TypeError):
        TranslatorError("no file 'a.tsv'")


def test_the_package_gives_it_by_name():
    assert translator.TranslatorError is TranslatorError


def test_the_package_gives_no_other_name():
    with pytest.raises(AttributeError, match="has no attribute 'Transformer'"):
        translator.Transformer  # noqa: B018
