"""Tense, modality and aspect.

How English builds its verb group, and which Korean auxiliaries say the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from data.workshop.lexicon import Entry
from data.workshop.words import English, english


@dataclass(frozen=True)
class Mood:
    """A tense or modality: its English verb group and its Korean auxiliaries.

    `head` is the finite English word ("verb": the verb itself), and `trail` follows it. `positive`
    and `negative` name Korean auxiliaries. `times` are the kinds of time adverbs that fit.
    `stative` says that verbs of state (like, know) fit too.
    """

    name: str
    head: str
    trail: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    times: tuple[str, ...]
    weight: float
    past: bool = False
    stative: bool = False


def _mood(
    name: str,
    head: str,
    trail: str,
    positive: str,
    negative: str,
    times: str,
    weight: float,
    flags: str = "",
) -> Mood:
    split = [
        tuple(part for part in text.split(", ") if part) for text in (positive, negative, times)
    ]
    return Mood(
        name, head, trail, split[0], split[1], split[2], weight, "past" in flags, "stative" in flags
    )


MOODS = [
    _mood("present", "verb", "", "", "not", "habit", 22, "stative"),
    _mood("past", "verb", "", "past", "not, past", "past", 24, "past stative"),
    _mood("will", "will", "base", "future", "not, future", "future", 9, "stative"),
    _mood("going to", "be", "going to base", "future", "not, future", "future", 9),
    _mood("present progressive", "be", "ing", "progressive", "progressive, not", "prog", 13),
    _mood(
        "past progressive",
        "be",
        "ing",
        "progressive, past",
        "progressive, not, past",
        "past",
        4,
        "past",
    ),
    _mood("can", "can", "base", "can", "cannot", "", 10),
    _mood("could", "could", "base", "can, past", "could not, past", "past", 3, "past"),
    _mood("want to", "want", "to base", "want", "want, not", "future", 7),
    _mood("wanted to", "want", "to base", "want, past", "want, not, past", "past", 2, "past"),
    _mood("have to", "have", "to base", "must", "not, may", "future", 4),
    _mood("had to", "have", "to base", "must, past", "not, may, past", "past", 2, "past"),
    _mood("need to", "need", "to base", "must", "not, may", "future", 2),
    _mood("must", "must", "base", "must", "must not", "future", 4),
    _mood("should", "should", "base", "should", "not, should", "future", 4),
    _mood("may", "may", "base", "perhaps", "not, perhaps", "future", 2),
    _mood("might", "might", "base", "perhaps", "not, perhaps", "future", 1),
    _mood("like to", "like", "to base", "like", "like, not", "", 3),
    _mood("like doing", "like", "ing", "like", "like, not", "", 3),
    _mood("love to", "love", "to base", "love", "love, not", "", 1),
    _mood("enjoy", "enjoy", "ing", "enjoy", "enjoy, not", "", 1),
    _mood("hate", "hate", "ing", "hate", "hate, not", "", 0.7),
    _mood("try to", "try", "to base", "try", "try, not", "habit", 1),
    _mood("tried to", "try", "to base", "try, past", "try, not, past", "past", 1.5, "past"),
    _mood("began to", "begin", "to base", "begin, past", "begin, not, past", "past", 1.5, "past"),
    _mood("started to", "start", "to base", "begin, past", "begin, not, past", "past", 1.5, "past"),
    _mood("started doing", "start", "ing", "begin, past", "begin, not, past", "past", 1, "past"),
    _mood("know how to", "know", "how to base", "know how", "not know how", "", 2),
    _mood("learned to", "learn", "to base", "", "", "past", 0, "past"),
    _mood("hope to", "hope", "to base", "hope", "hope, not", "future", 0.7),
    _mood("would like to", "would", "like to base", "want", "want, not", "future", 2),
    _mood("good at", "be", "good at ing", "good at", "good at, not", "", 1.5),
    _mood("used to", "used", "to base", "used to", "used to", "", 1),
    _mood(
        "finished doing", "finish", "ing", "finish, past", "finish, not, past", "past", 1, "past"
    ),
    _mood("stopped doing", "stop", "ing", "stop, past", "stop, not, past", "past", 1, "past"),
    _mood("be able to", "be", "able to base", "can", "cannot", "", 1.2),
    _mood(
        "decided to", "decide", "to base", "decide, past", "decide, not, past", "past", 0.7, "past"
    ),
]


BY_NAME = {mood.name: mood for mood in MOODS}


HEADS = {
    "want": ("want", "wants", "wanted"), "have": ("have", "has", "had"),
    "need": ("need", "needs", "needed"),
    "like": ("like", "likes", "liked"), "love": ("love", "loves", "loved"),
    "enjoy": ("enjoy", "enjoys", "enjoyed"),
    "hate": ("hate", "hates", "hated"), "try": ("try", "tries", "tried"),
    "begin": ("begin", "begins", "began"),
    "start": ("start", "starts", "started"), "know": ("know", "knows", "knew"),
    "finish": ("finish", "finishes", "finished"),
    "stop": ("stop", "stops", "stopped"), "hope": ("hope", "hopes", "hoped"),
    "decide": ("decide", "decides", "decided"),
}  # fmt: skip


BE = {
    "first": ("am", "was"),
    "second": ("are", "were"),
    "third": ("is", "was"),
    "plural": ("are", "were"),
}


def auxiliaries(mood: Mood, negative: bool, others: bool, posture: bool = False) -> tuple[str, ...]:
    """Give the Korean auxiliaries.

    What others than I, you and we want is 하고 싶어 해; sitting is 앉아 있어.
    """
    names = mood.negative if negative else mood.positive
    if posture and names[:1] == ("progressive",):
        return ("resting", *names[1:])
    if names[:1] == ("want",) and others:
        return ("others want", *names[1:])
    return names


@dataclass(frozen=True)
class VerbGroup:
    """The English verb group in two parts.

    `finite` stands before the subject in questions, `rest` after it.
    """

    finite: list[English]
    rest: list[English]
    does: bool  # finite is the main verb or a verb like want: a frequency adverb stands before it


def verb_group(
    mood: Mood, verb: Entry, tag: int, number: str, negative: bool = False, question: bool = False
) -> VerbGroup:
    """Build the verb group with its do, not and -ing."""
    if mood.head == "be":
        finite = BE[number][mood.past]
    elif mood.head in HEADS or mood.head == "verb":
        return _with_do(mood, verb, tag, number, negative, question)
    else:
        finite = mood.head
    denial = ["not"] if negative else []
    return VerbGroup(
        english(" ".join([finite, *denial]), tag), _trail(mood.trail, verb, tag), False
    )


def _with_do(
    mood: Mood, verb: Entry, tag: int, number: str, negative: bool, question: bool
) -> VerbGroup:
    """Build groups whose finite word needs do in questions and negations."""
    own = mood.head == "verb"
    base, third, past = (verb["english"], verb["third"], verb["past"]) if own else HEADS[mood.head]
    head = 0 if own else None
    rest = [] if own else _trail(mood.trail, verb, tag)
    if negative or question:
        helper = "did" if mood.past else ("does" if number == "third" else "do")
        helper += " not" if negative else ""
        return VerbGroup(english(helper, tag), [*english(base, tag, head), *rest], False)
    finite = past if mood.past else (third if number == "third" else base)
    return VerbGroup(english(finite, tag, head), rest, True)


def _trail(trail: str, verb: Entry, tag: int) -> list[English]:
    """Build what follows the finite word: to go, going to go, good at going."""
    words: list[English] = []
    for part in trail.split():
        if part in ("base", "ing"):
            words += english(verb["english" if part == "base" else "ing"], tag, 0)
        else:
            words += english(part, tag)
    return words
