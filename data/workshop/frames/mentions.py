"""Who is who: Tom is he the second time, `my hands` are his hands if he washes them."""

from __future__ import annotations

import re

from data.workshop.frames.agreement import PEOPLE, Drawn
from data.workshop.frames.korean_forms import Filler
from data.workshop.frames.people import pronoun, subject_row
from data.workshop.frames.reading import Frame, Gap, Token

SUBJECTS = {
    "i": "I", "me": "I", "you": "you", "he": "he", "she": "she", "we": "we", "they": "they",
    "us": "we", "let's": "we", "him": "he", "them": "they",
}  # fmt: skip


POSSESSIVES, REFLEXIVES = ("my", "your", "our"), ("myself", "yourself", "ourselves")


def mentioned(tokens: tuple[Token, ...], number: int, gap: Gap, drawn: Drawn) -> Filler:
    """Give a gap's filler; a person who was mentioned before is he or she."""
    filler = drawn[gap.reference]
    before = [
        piece.reference for token in tokens[:number] for piece in token if isinstance(piece, Gap)
    ]
    again = (
        gap.reference in before and filler.pronoun is not None and filler.kind in ("name", "person")
    )
    return pronoun(filler.pronoun) if again and filler.pronoun else filler


def owned(frame: Frame, number: int, word: str, drawn: Drawn) -> str:
    """Say whose: `do my homework` is his homework if he does it."""
    if word in POSSESSIVES:
        return _owner(frame, number, drawn).forms["my"]
    return _owner(frame, number, drawn).forms["myself"] if word in REFLEXIVES else word


def owned_korean(frame: Frame, gap: Gap, word: str, drawn: Drawn) -> str:
    """Say whose in Korean: 내 방 is 그의 방."""
    if word not in ("내", "네"):
        return word
    number = next(
        place
        for place, token in enumerate(frame.english)
        if any(isinstance(one, Gap) and one.reference == gap.reference for one in token)
    )
    return _owner(frame, number, drawn).korean_forms["의"]


def _owner(frame: Frame, number: int, drawn: Drawn) -> Filler:
    """Find the person before an activity: a gap or a pronoun; else it is you."""
    for token in reversed(frame.english[:number]):
        for piece in reversed(token):
            if isinstance(piece, Gap) and piece.name in PEOPLE:
                filler = drawn[piece.reference]
                return (
                    filler
                    if filler.kind == "pronoun" or filler.pronoun is None
                    else pronoun(filler.pronoun)
                )
            word = re.split(r"[',.?!]", piece.casefold())[0] if isinstance(piece, str) else ""
            if word in SUBJECTS:
                return pronoun(subject_row(SUBJECTS[word]))
    return pronoun(subject_row("we" if frame.source.startswith("Let") else "you"))


def korean_form(frame: Frame, number: int, gap: Gap, filler: Filler) -> str:
    """Give the form in Korean; a name beside a comma is called: 민수야."""
    if gap.form or "vocative" not in filler.korean_forms:
        return gap.form
    token = frame.korean[number]
    after = token[token.index(gap) + 1 : token.index(gap) + 2]
    last = frame.korean[number - 1][-1] if number else ""
    called = (isinstance(last, str) and last.endswith(",")) or (
        after and isinstance(after[0], str) and after[0].startswith(",")
    )
    return "vocative" if called else ""
