"""From a `Sentence` to a line of the corpus: contractions, capital letter, mark, alignment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from data.workshop.chooser import Chooser
from data.workshop.words import English, Korean, Pair, Sentence, alignment, merge, new_tag

CONTRACTIONS = {
    ("i", "am"): "I'm",
    ("i", "will"): "I'll",
    ("i", "would"): "I'd",
    ("you", "are"): "you're",
    ("you", "will"): "you'll",
    ("he", "is"): "he's",
    ("he", "will"): "he'll",
    ("she", "is"): "she's",
    ("she", "will"): "she'll",
    ("it", "is"): "it's",
    ("it", "will"): "it'll",
    ("we", "are"): "we're",
    ("we", "will"): "we'll",
    ("they", "are"): "they're",
    ("they", "will"): "they'll",
    ("that", "is"): "that's",
    ("there", "is"): "there's",
    ("what", "is"): "what's",
    ("who", "is"): "who's",
    ("where", "is"): "where's",
    ("how", "is"): "how's",
    ("do", "not"): "don't",
    ("does", "not"): "doesn't",
    ("did", "not"): "didn't",
    ("is", "not"): "isn't",
    ("are", "not"): "aren't",
    ("was", "not"): "wasn't",
    ("were", "not"): "weren't",
    ("can", "not"): "can't",
    ("could", "not"): "couldn't",
    ("will", "not"): "won't",
    ("must", "not"): "mustn't",
    ("should", "not"): "shouldn't",
    ("have", "not"): "haven't",
    ("has", "not"): "hasn't",
    ("you", "would"): "you'd",
    ("we", "would"): "we'd",
    ("he", "would"): "he'd",
    ("she", "would"): "she'd",
    ("when", "is"): "when's",
}


OPENERS = (
    "and", "but", "or", "so", "because", "when", "if", "before", "after", "while", "that", "think",
    "thinks", "thought", "know", "knows", "knew", "say", "says", "said", "believe", "believes",
    "believed", "hear", "heard", "hope",
)  # fmt: skip


CONTRACT = 0.62


WITHOUT_STOP = 0.25


WITHOUT_QUESTION_MARK = 0.06


def contract(chooser: Chooser, words: Sequence[English]) -> list[English]:
    """Contract the pairs that may be contracted, or none: a line is one style throughout."""
    short = chooser.chance(CONTRACT)
    result: list[English] = []
    for number, word in enumerate(words):
        key = (result[-1].text.casefold(), word.text) if result else ("", "")
        begins = (
            len(result) < 2
            or key[0] not in ("it", "that", "you")
            or result[-2].text.endswith(",")
            or result[-2].text in OPENERS
        )
        ends = number == len(words) - 1 and word.text != "not"  # I know who they are
        if short and begins and not ends and key in CONTRACTIONS:
            made = CONTRACTIONS[key]
            result[-1] = merge(
                made
                if result[-1].text != result[-1].text.capitalize()
                else made[0].upper() + made[1:],
                [result[-1], word],
            )
        elif key == ("can", "not"):
            result[-1] = merge("cannot", [result[-1], word])
        else:
            result.append(word)
    return result


def finish(chooser: Chooser, sentences: Sequence[Sentence]) -> Pair:
    """Write one line of one sentence or more; only the last may go without its mark."""
    source: list[English] = []
    target: list[Korean] = []
    for number, sentence in enumerate(sentences):
        words = (
            contract(chooser, sentence.english) if sentence.contracts else list(sentence.english)
        )
        marks = (
            _last_marks(chooser, sentence.mark)
            if number == len(sentences) - 1
            else (sentence.mark, sentence.mark)
        )
        english, korean = _closed(words, sentence.korean, *marks)
        source += english
        target += korean
    return _pair(source, target)


def with_marks(sentence: Sentence, english_mark: str, korean_mark: str) -> Pair:
    """Write a sentence as it is, with these final marks."""
    return _pair(*_closed(list(sentence.english), sentence.korean, english_mark, korean_mark))


def _pair(source: Sequence[English], target: Sequence[Korean]) -> Pair:
    return Pair(
        " ".join(word.text for word in source),
        " ".join(word.text for word in target),
        alignment(source, target),
    )


def _last_marks(chooser: Chooser, mark: str) -> tuple[str, str]:
    """Leave out the last mark sometimes; a question keeps its mark in Korean."""
    if mark == "." and chooser.chance(WITHOUT_STOP):
        return "", ""
    return ("" if mark == "?" and chooser.chance(WITHOUT_QUESTION_MARK) else mark), mark


def _closed(
    words: list[English], korean: Sequence[Korean], english_mark: str, korean_mark: str
) -> tuple[list[English], list[Korean]]:
    """Begin with a capital letter and end with the marks.

    A mark is translated too, so the words that have it are linked, possibly.
    """
    words[0] = replace(words[0], text=words[0].text[0].upper() + words[0].text[1:])
    if words[-1].text == "P.E." and english_mark != "?":
        words[-1] = replace(words[-1], text="P.E")
    mark = new_tag()
    words[-1] = replace(
        words[-1], text=words[-1].text + english_mark, links=(*words[-1].links, (mark, False))
    )
    last = korean[-1]
    return words, [
        *korean[:-1],
        replace(
            last,
            text=last.text + korean_mark,
            also=(*last.also, mark) if english_mark else last.also,
        ),
    ]
