"""Vary contractions: I'm is sometimes I am, and `{who} {am|are|is}` is often contracted."""

from __future__ import annotations

from collections.abc import Sequence

from data.workshop.finishing import CONTRACTIONS, OPENERS
from data.workshop.words import English, merge

WRITTEN_OUT = {short.casefold(): long for long, short in CONTRACTIONS.items()} | {
    "they'll": ("they", "will"), "you've": ("you", "have"), "we've": ("we", "have"),
    "they've": ("they", "have"), "i've": ("I", "have"), "they'd": ("they", "would"),
    "wouldn't": ("would", "not"), "hadn't": ("had", "not"), "here's": ("here", "is"),
    "needn't": ("need", "not"),
}  # fmt: skip


SUBJECTS = ("I", "you", "he", "she", "it", "we", "they", "this", "that", "there")


WOULD_BEFORE = ("like", "love", "prefer", "rather", "be", "never", "go", "say")


# After 's these show that it is "has"; after what's and how's they make a fixed phrase.
NOT_IS = (
    "been",
    "got",
    "had",
    "gone",
    "done",
    "become",
    "never",
    "already",
    "just",
    "ever",
    "up",
    "always",
    "taken",
    "left",
    "come",
    "a",
)


def write_out(words: Sequence[English], mark: str) -> list[English]:
    """Write out every contraction that may be written out."""
    result: list[English] = []
    for number, word in enumerate(words):
        following = words[number + 1].text if number + 1 < len(words) else ""
        result += _parts(word) if _may_be_written_out(word.text, following, mark) else [word]
    return result


def _may_be_written_out(text: str, following: str, mark: str) -> bool:
    """Say whether it is grammatical: not in questions (Don't you …?), not at the end, not "has"."""
    short = text.casefold()
    if short not in WRITTEN_OUT or not following:
        return False
    if short.endswith("n't"):
        return mark != "?" and following not in SUBJECTS
    if short.endswith("'d"):
        return following in WOULD_BEFORE
    if short.endswith("'s"):
        return following not in NOT_IS and not following.endswith("ed")
    return not (short.endswith("'ve") and following in ("to", "a", "an", "the", "got"))


def _parts(word: English) -> list[English]:
    """Make two words of one: both keep its links; the head is the one with a meaning (I, not)."""
    first, second = WRITTEN_OUT[word.text.casefold()]
    if word.text[0].isupper():
        first = first[0].upper() + first[1:]
    helper = tuple((tag, False) for tag, _ in word.links)
    negative = second == "not"
    return [
        English(first, helper if negative else word.links),
        English(second, word.links if negative else helper),
    ]


def contract(words: Sequence[English], agreeing: Sequence[int]) -> list[English]:
    """Contract the agreeing verbs (by number) with the pronouns before them: I am → I'm.

    Never at the end, nor in "where he is now".
    """
    result: list[English] = []
    for number, word in enumerate(words):
        key = (words[number - 1].text.casefold() if number else "", word.text)
        if number in agreeing and key in CONTRACTIONS and _may_be_contracted(words, number):
            made = CONTRACTIONS[key]
            last = result.pop()
            result.append(
                merge(
                    made
                    if last.text[0].islower() or last.text == "I"
                    else made[0].upper() + made[1:],
                    [last, word],
                )
            )
        else:
            result.append(word)
    return result


def _may_be_contracted(words: Sequence[English], number: int) -> bool:
    before = words[number - 2].text if number > 1 else ""
    begins = not before or before[-1] in ",.?!" or before.casefold() in OPENERS
    return (
        begins
        and number + 1 < len(words)
        and words[number].text[-1].isalpha()
        and words[number + 1].text != "not"
    )
