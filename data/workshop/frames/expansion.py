"""From a frame to a `Sentence`: fill the gaps, make verbs agree, link the words of both sides."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from data.workshop.chooser import Chooser
from data.workshop.frames import agreement, contracting, mentions, noun_forms, reading
from data.workshop.frames.drawing import draw
from data.workshop.frames.korean_forms import Filler, written
from data.workshop.frames.linking import ARTICLES, SMALL, Groups, english_words, korean_words
from data.workshop.frames.reading import MARKS, Agreement, Frame, FrameError, Gap
from data.workshop.words import English, Korean, Sentence, new_tag

CONTRACT = 0.6


WRITE_OUT = 0.2


AUXILIARIES = (
    "am", "are", "is", "was", "were", "be", "been", "do", "does", "did", "don't", "doesn't",
    "didn't", "has", "have", "had", "will", "would", "can", "could", "should", "must", "there",
    "let's", "isn't", "aren't", "wasn't", "weren't",
)  # fmt: skip


ABBREVIATIONS = re.compile(r"(Mr|Mrs|Ms|Dr|St|([A-Za-z]\.)*[A-Za-z])\.")


def expand(chooser: Chooser, frame: Frame) -> Sentence:
    """Make one sentence of a frame, with fillers drawn at random."""
    return fill(frame, draw(chooser, frame), chooser)


def fill(frame: Frame, drawn: dict[str, Filler], chooser: Chooser | None = None) -> Sentence:
    """Make a frame's sentence with these fillers; without a chooser contractions don't vary."""
    groups = Groups()
    english = [_english_token(frame, number, drawn, groups) for number in range(len(frame.english))]
    korean = [_korean_token(frame, number, drawn, groups) for number in range(len(frame.korean))]
    _link(frame, english, korean)
    _link_the_rest(english, korean)
    words = _vary(frame, english, chooser)
    return Sentence(
        _capitals(words), [word for token in korean for word in token], frame.mark, contracts=False
    )


def _vary(frame: Frame, english: list[list[English]], chooser: Chooser | None) -> list[English]:
    words = [word for token in english for word in token]
    if chooser is None:
        return words
    if chooser.chance(CONTRACT):
        words = contracting.contract(words, _agreeing(frame, english))
    return contracting.write_out(words, frame.mark) if chooser.chance(WRITE_OUT) else words


def _agreeing(frame: Frame, english: list[list[English]]) -> list[int]:
    """Number the words that are agreement gaps."""
    starts = [sum(len(token) for token in english[:number]) for number in range(len(english))]
    return [
        start
        for start, token in zip(starts, frame.english, strict=True)
        if isinstance(token[0], Agreement)
    ]


def _english_token(
    frame: Frame, number: int, drawn: dict[str, Filler], groups: Groups
) -> list[English]:
    """Make the words of one English token; a literal `a` may become an, or nothing."""
    token = frame.english[number]
    literal = token[0].casefold() if len(token) == 1 and isinstance(token[0], str) else ""
    if literal in ("a", "an", "this", "that"):
        return noun_forms.determiner(frame, number, drawn, str(token[0]))
    result = [English("")]
    for piece in token:
        if isinstance(piece, Gap):
            result = _glued(result, _gap_words(frame, number, piece, drawn, groups))
        else:
            text = (
                piece if isinstance(piece, str) else agreement.agreed(frame, number, piece, drawn)
            )
            result = _glued(result, [English(word) for word in text.split()])
    return result


def _gap_words(
    frame: Frame, number: int, gap: Gap, drawn: dict[str, Filler], groups: Groups
) -> list[English]:
    filler = mentions.mentioned(frame.english, number, gap, drawn)
    words = english_words(
        filler, noun_forms.form_of(frame, number, gap, filler), gap.reference, groups
    )
    return (
        [replace(word, text=mentions.owned(frame, number, word.text, drawn)) for word in words]
        if filler.conjugates
        else words
    )


def _glued(first: list[English], second: list[English]) -> list[English]:
    """Write the first word of one list right behind the last of the other: {name} and 's."""
    last, begin = first[-1], second[0]
    return [*first[:-1], English(last.text + begin.text, (*last.links, *begin.links)), *second[1:]]


def _korean_token(
    frame: Frame, number: int, drawn: dict[str, Filler], groups: Groups
) -> list[Korean]:
    """Make the words of one Korean token; text right behind a gap belongs to its last word."""
    result: list[Korean] = []
    for piece in frame.korean[number]:
        if isinstance(piece, Gap):
            made = _korean_gap(frame, number, piece, drawn, groups)
        else:
            made = [Korean(str(piece), new_tag(), False)]
        if result:
            keep = result[-1] if result[-1].head or not made[0].head else made[0]
            made[0] = replace(keep, text=result[-1].text + made[0].text)
        result = [*result[:-1], *made]
    return result


def _korean_gap(
    frame: Frame, number: int, gap: Gap, drawn: dict[str, Filler], groups: Groups
) -> list[Korean]:
    filler = mentions.mentioned(frame.korean, number, gap, drawn)
    plural = noun_forms.is_plural(frame, gap, frame.korean[number])
    words = written(filler, mentions.korean_form(frame, number, gap, filler), plural)
    words = (
        [mentions.owned_korean(frame, gap, word, drawn) for word in words]
        if filler.conjugates
        else words
    )
    return korean_words(filler, words, gap.reference, groups)


def _link(frame: Frame, english: list[list[English]], korean: list[list[Korean]]) -> None:
    """Link what the frame's third column names."""
    for first, second in frame.links:
        sources, targets = named(frame.source, first), named(frame.target, second)
        if not sources or not targets:
            raise FrameError(
                f"a link names a word that isn't there: {second if sources else first}"
            )
        for target in targets:
            last = korean[target][-1]
            korean[target][-1] = replace(last, head=True)
            for source in (source for source in sources if english[source]):
                word = english[source][-1]
                english[source][-1] = replace(word, links=(*word.links, (last.tag, True)))


@cache
def named(text: str, name: str) -> tuple[int, ...]:
    """Number the words of a line that a link names: `have`, `{go|goes}`, `the#2`, `wake_up`.

    >>> named("{who} {have|has} to go.", "has"), named("I wake up.", "wake_up")
    ((1,), (1, 2))
    >>> named("the car by the bus.", "the#2")
    (3,)
    """
    found = []
    for part in name.split("_") if "{" not in name else [name]:
        wanted, _, which = part.partition("#") if "{" not in part else (part, "", "")
        places = [
            number
            for number, word in enumerate(reading.words(text))
            if _bare(wanted) in _names(word)
        ]
        if len(places) < int(which or 1):
            return ()
        found.append(places[int(which or 1) - 1])
    return tuple(found)


def _names(word: str) -> set[str]:
    """Give how a link may call a word: as written, without its gaps, each form of a verb."""
    inside = word[word.index("{") + 1 : word.index("}")] if "{" in word else ""
    return {
        _bare(word),
        _bare(re.sub(r"\{[^{}]*\}", "", word)),
        _bare(inside),
        *map(_bare, inside.split("|")),
    } - {""}


def _bare(word: str) -> str:
    return word.strip('.,?!"“”…;:').casefold()


def _link_the_rest(english: list[list[English]], korean: list[list[Korean]]) -> None:
    """Link what is left, possibly: an article with its noun, other words with what is left too."""
    rest = new_tag()
    _link_the_rest_of_english(english, rest)
    tags = {tag for token in english for word in token for tag, _ in word.links}
    _link_auxiliaries(english, korean[-1][-1].tag)
    near: tuple[int, ...] = next(
        ((word.tag,) for token in korean for word in token if word.tag in tags), ()
    )
    for words in korean:
        for number, word in enumerate(words):
            if word.tag in tags:
                near = (word.tag,)
            else:
                words[number] = replace(word, head=False, also=(*word.also, rest, *near))
    if not near and rest not in tags:
        raise FrameError("nothing is linked")


def _link_auxiliaries(english: list[list[English]], verb: int) -> None:
    """Link is, has, will and the like with the Korean verb, which stands last."""
    for token in english:
        for number, word in enumerate(token):
            if word.text.casefold() in AUXILIARIES and not any(head for _, head in word.links):
                token[number] = replace(word, links=(*word.links, (verb, False)))


def _link_the_rest_of_english(english: list[list[English]], rest: int) -> None:
    following: tuple[tuple[int, bool], ...] = ()
    for token in reversed(english):
        for number in reversed(range(len(token))):
            word = token[number]
            if word.links:
                following = word.links
                continue
            near = (
                tuple((tag, False) for tag, _ in following) if word.text.casefold() in SMALL else ()
            )
            token[number] = replace(
                word,
                links=near if word.text.casefold() in ARTICLES and near else (*near, (rest, False)),
            )


def _capitals(words: list[English]) -> list[English]:
    """Begin every sentence with a capital letter."""
    result = list(words)
    for number in range(1, len(words)):
        before = words[number - 1].text
        if before[-1:] in MARKS and not ABBREVIATIONS.fullmatch(before):
            text = words[number].text
            result[number] = replace(words[number], text=text[:1].upper() + text[1:])
    return result
