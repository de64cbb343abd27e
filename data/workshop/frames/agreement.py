"""Verbs agree with their subject: `{go|goes}`, `{am|are|is}`, `{don't|doesn't}`."""

from __future__ import annotations

from functools import cache

from data.workshop.frames.korean_forms import Filler
from data.workshop.frames.reading import Agreement, Frame, FrameError, Gap

PEOPLE = ("who", "someone", "kin", "name", "person", "male", "female", "profession")


THIRD = ("has", "does", "is", "goes", "was")


Drawn = dict[str, Filler]


def agreed(frame: Frame, number: int, gap: Agreement, drawn: Drawn) -> str:
    """Choose the form of a verb that agrees with its subject."""
    subject = _subject(frame, number, gap)
    if subject is None:
        raise FrameError(f"nothing that {{{'|'.join(gap.forms)}}} could agree with")
    person = (
        "plural"
        if subject.form == "s"
        else "third"
        if subject.form in ("my", "mine")
        else drawn[subject.reference].person
    )
    return form_for(gap.forms, person)


def form_for(forms: tuple[str, ...], person: str) -> str:
    """Choose among forms by person, whatever their order.

    >>> [form_for(("go", "goes"), person) for person in ("first", "plural", "third")]
    ['go', 'go', 'goes']
    >>> form_for(("was", "were"), "first"), form_for(("am", "are", "is"), "first")
    ('was', 'am')
    """
    roles = {_role(form): form for form in forms}
    if "are" in roles or "were" in roles:
        wanted = {
            "first": "was" if "were" in roles else "am",
            "third": "was" if "were" in roles else "is",
        }
        key = wanted.get(person, "were" if "were" in roles else "are")
        if key not in roles:
            raise FrameError(
                f"{{{'|'.join(forms)}}} has no form for {'I' if person == 'first' else person}"
            )
        return roles[key]
    if len(set(forms)) != 2:
        raise FrameError(f"{{{'|'.join(forms)}}} needs two different forms")
    third = forms[0] if _is_third(forms[0]) and not _is_third(forms[1]) else forms[1]
    return third if person == "third" else forms[1 - forms.index(third)]


def _role(form: str) -> str:
    short = {"'m": "am", "'re": "are", "'s": "is", "ain't": "am"}
    first = form.split()[0].casefold().removesuffix("n't") if form.split() else ""
    return short.get(first, first)


def _is_third(form: str) -> bool:
    first = form.split()[0].casefold().removesuffix("n't")
    return first in THIRD or first.endswith("s")


@cache
def _subject(frame: Frame, number: int, gap: Agreement) -> Gap | None:
    """Find the gap that a verb agrees with: a person before it, else behind it, else a noun."""
    before = [
        piece for token in frame.english[:number] for piece in token if isinstance(piece, Gap)
    ]
    own = frame.english[number]
    before += [piece for piece in own[: own.index(gap)] if isinstance(piece, Gap)]
    after = [
        piece
        for token in frame.english[number:]
        for piece in token
        if isinstance(piece, Gap) and piece not in before
    ]
    people = [
        [one for one in side if one.name in PEOPLE and one.number == (gap.number or one.number)]
        for side in (before[::-1], after)
    ]
    nouns = [one for one in before[::-1] if not one.form or one.form in ("s", "a", "the")]
    subjects = [one for side in people for one in side if one.form in ("", "s", "a", "the")] or [
        one for side in people for one in side
    ]
    if _asks(frame, number) and people[1]:
        return people[1][0]
    return next(iter([*subjects, *nouns]), None)


def _asks(frame: Frame, number: int) -> bool:
    """Say whether the verb stands right before its subject: {Do|Does} {who} …?"""
    following = frame.english[number + 1] if number + 1 < len(frame.english) else ()
    return (
        bool(following)
        and isinstance(following[0], Gap)
        and following[0].name in PEOPLE
        and following[0].form == ""
        and frame.mark == "?"
    )
