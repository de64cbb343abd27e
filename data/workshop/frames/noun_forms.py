"""The form of a noun gap: an apple, some water, these pants; apples where no article stands."""

from __future__ import annotations

import re
from functools import cache

from data.workshop.frames.agreement import Drawn
from data.workshop.frames.fillers import fillers
from data.workshop.frames.korean_forms import Filler
from data.workshop.frames.reading import Frame, FrameError, Gap, Token
from data.workshop.noun_phrases import article
from data.workshop.words import English

PLURALS = {"this": "these", "that": "those"}


ADJECTIVES = {
    "new", "good", "nice", "great", "big", "small", "little", "very", "really", "different",
    "real", "old", "fresh", "favorite", "perfect", "whole",
}  # fmt: skip


# Before a noun these need no article, or are one.
DETERMINERS = {
    "the", "a", "an", "this", "that", "my", "your", "his", "her", "our", "their", "its",
    "another", "each", "every", "no", "which", "what", "any", "some", "one", "these", "those",
    "much", "many", "kind", "type", "sort", "brand", "model", "favorite", "only", "whose", "by",
    "as", "than",
}  # fmt: skip


# A noun behind these has no article: `made of {fruit}`, `she and {food}`.
BOUNDARIES = {
    "and", "or", "with", "of", "for", "to", "about", "without", "from", "in", "on", "like", "i",
    "you", "he", "she", "we", "they", "me", "him", "them", "us", "it", "both", "either",
    "neither", "nor", "but", "into", "don't", "doesn't", "didn't", "not", "never",
}  # fmt: skip


# Behind a noun these are no part of it, as `juice` of `{fruit} juice` is.
BEHIND = {
    "and", "or", "with", "of", "for", "to", "about", "without", "from", "in", "on", "at", "but",
    "because", "when", "if", "before", "after", "every", "very", "a", "the", "too", "well",
    "again", "that", "than", "by", "so", "near", "under", "while", "who", "which", "here",
    "there", "instead", "today", "tomorrow", "yesterday", "better", "more", "most", "best",
    "into", "during", "first", "now", "nor", "daily", "until", "since", "right",
}  # fmt: skip


def determiner(frame: Frame, number: int, drawn: Drawn, written: str) -> list[English]:
    """Give a literal a or this as it must be here: an apple; these pants; nothing before water."""
    kind = _kind_of_noun(frame, number, drawn)
    if written.casefold() in PLURALS:
        return [
            English(_like(written, PLURALS[written.casefold()] if kind == "plural" else written))
        ]
    if kind in ("mass", "plural"):
        return []
    following = frame.english[number + 1] if number + 1 < len(frame.english) else ()
    if following and isinstance(following[0], Gap) and following[0].reference in drawn:
        word = drawn[following[0].reference].forms[following[0].form]
        written = _like(
            written,
            "an"
            if re.match(r"(8|11\b|18\b)", word)
            else article(word)
            if word[0].isalpha()
            else "a",
        )
    return [English(written)]


def _like(written: str, word: str) -> str:
    return word[0].upper() + word[1:] if written[0].isupper() else word


def _kind_of_noun(frame: Frame, number: int, drawn: Drawn) -> str:
    """Give the kind of the noun gap that a determiner belongs to, through adjectives."""
    for token in frame.english[number + 1 :]:
        if isinstance(token[0], str) and token[0] in ADJECTIVES:
            continue
        if (
            not isinstance(token[0], Gap)
            or token[0].reference not in drawn
            or token[0].form not in ("", "er", "est")
        ):
            return ""
        filler = drawn[token[0].reference]
        if not filler.conjugates and filler.kind != "adjective":
            return filler.kind
    return ""


def form_of(frame: Frame, number: int, gap: Gap, filler: Filler) -> str:
    """Give the form in English: `some` is any in a negative sentence, and a bare noun is plural."""
    if not gap.form and filler.kind == "count" and not filler.human and "s" in filler.forms:
        return "s" if _is_bare(frame, number) else ""
    negative = re.search(r"n't|\b(not|never|without)\b", re.sub(r"\{[^{}|]*\}", "", frame.source))
    form = "any" if gap.form == "a" and negative and "any" in filler.forms else gap.form
    if form not in filler.forms:
        raise FrameError(f"{gap.name} has no form {form}")
    return form


@cache
def _is_bare(frame: Frame, number: int) -> bool:
    """Say whether a noun stands without an article, as an object does: `I eat {fruit}`."""
    token, following = frame.english[number], frame.english[number + 1 : number + 2]
    if len(token) == 1 and following and isinstance(following[0][0], str):
        if following[0][0].casefold().strip(",.") not in BEHIND:
            return False
    elif following and not isinstance(following[0][0], str | Gap):
        return False
    before = [
        _boundary(before[0]) for before in reversed(frame.english[max(0, number - 3) : number])
    ]
    return next((bare for bare in before if bare is not None), number > 3)


def _boundary(piece: object) -> bool | None:
    """Say whether a noun behind this is without an article; None: the words before decide."""
    if isinstance(piece, Gap):
        filler = fillers(piece.name)[0]
        adjective = filler.tag[:2] == "VA" or filler.kind == "adjective"
        return None if adjective else piece.form not in ("my", "the", "a")
    if not isinstance(piece, str):
        return None
    word = piece.casefold().strip(",.?!")
    if word in DETERMINERS or word.endswith("'s"):
        return False
    return True if word in BOUNDARIES or piece[-1] in ",.?!" else None


def is_plural(frame: Frame, gap: Gap, token: Token) -> bool:
    """Say whether people are several here: 친구들, but 친구 두 명."""
    forms = [
        piece.form
        for word in frame.english
        for piece in word
        if isinstance(piece, Gap) and piece.reference == gap.reference
    ]
    counted = any(
        isinstance(piece, Gap) and (piece.form == "counter" or piece.name == "number")
        for word in frame.korean
        for piece in word
    )
    written = any(isinstance(piece, str) and piece.startswith("들") for piece in token)
    return "s" in forms and not counted and not written and " 명" not in frame.target
