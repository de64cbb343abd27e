"""The weather, in every tense."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.constructions.being import be
from data.workshop.korean import attach, verb
from data.workshop.noun_phrases import it
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag

WHEN = {
    "present": [
        ("today", "오늘"), ("now", "지금"), ("here", "여기는"), ("outside", "밖은"),
        ("in Seoul", "서울은"), ("in winter", "겨울에는"),
        ("in summer", "여름에는"),
    ],
    "past": [
        ("yesterday", "어제"), ("this morning", "오늘 아침에"), ("last night", "어젯밤에"),
        ("last week", "지난주에"),
        ("last weekend", "지난 주말에"), ("in Busan", "부산은"),
    ],
    "future": [
        ("tomorrow", "내일"), ("tonight", "오늘 밤에"), ("this weekend", "이번 주말에"),
        ("this afternoon", "오늘 오후에"),
        ("next week", "다음 주에"), ("soon", "곧"),
    ],
}  # fmt: skip


ENDINGS = {"present": (), "past": ("past",), "future": ("future",)}


@construction("weather", 3)
def weather(chooser: Chooser) -> Sentence | None:
    """It's sunny.

    It was very cold yesterday. It will rain tomorrow. It's raining. Is it snowing?
    """
    row = chooser.row("weather")
    tense = chooser.weighted([("present", 5), ("past", 3), ("future", 2)])
    tag = new_tag()
    question = chooser.chance(0.18)
    negative = not question and chooser.chance(0.12)
    time_english: list[English] = []
    time_korean: list[Korean] = []
    if chooser.chance(0.5):
        own = new_tag()
        word, translation = chooser.one(
            WHEN[tense]
            if row["kind"] != "verb"
            else [
                one for one in WHEN[tense] if not one[0].startswith("in ") and one[0] != "outside"
            ]
        )
        time_english, time_korean = english(word, own, -1), korean(translation, own)
    degree_english: list[English] = []
    degree_korean: list[Korean] = []
    if row["kind"] == "verb":
        words, extra = _falling(chooser, row["english"], tense, negative, question, tag)
    else:
        extra = (*(["not"] if negative else []), *ENDINGS[tense])
        if chooser.chance(0.3) and row["english"] not in ("sunny", "foggy"):
            own = new_tag()
            word, translation = (
                chooser.one([("very", "아주"), ("so", "정말"), ("too", "너무"), ("really", "정말")])
                if row["kind"] == "adjective"
                else ("very", "아주")
            )
            degree_english, degree_korean = english(word, own, 0), korean(translation, own)
            if row["english"] == "windy":
                degree_korean = korean("많이", own)
        words = be(
            it(),
            tense,
            negative,
            question,
            tag,
            [*degree_english, *english(row["english"], tag, 0)],
        )
    opened = verb(row["korean_stem"], row["tag"]).also(*extra)
    made = [
        Korean(text, tag, place == opened.main) for place, text in enumerate(opened.close("final"))
    ]
    named = [] if row["korean_noun"] == "-" else korean(attach(row["korean_noun"], "이"), tag, None)
    return Sentence(
        [*words, *time_english],
        [*time_korean, *named, *degree_korean, *made],
        "?" if question else ".",
    )


def _falling(
    chooser: Chooser, word: str, tense: str, negative: bool, question: bool, tag: int
) -> tuple[list[English], tuple[str, ...]]:
    """Make it rains, is raining, rained, will rain, may rain, is going to rain."""
    subject = it()
    denied = ["not"] if negative else []
    if tense == "future":
        going = chooser.chance(0.4)
        words = be(
            subject,
            "present" if going else "future",
            negative,
            question,
            tag,
            [*english("going to", tag), *english(word, tag, 0)] if going else [],
        )
        if not going:
            words[-1] = English(word, ((tag, True),))
        return words, (*denied, "future")
    kind = chooser.one(["progressive", "progressive", "simple", "started"])
    if kind == "progressive":
        return be(subject, tense, negative, question, tag, english(word + "ing", tag, 0)), (
            "progressive",
            *denied,
            *ENDINGS[tense],
        )
    if kind == "started" and tense == "past" and not (question or negative):
        return [
            *subject.english,
            *english(chooser.one(["started to", "began to"]), tag),
            *english(word, tag, 0),
        ], ("begin", "past")
    past = tense == "past"
    if question or negative:
        helper = english("did" if past else "does", tag)
        words = (
            [*helper, *subject.english]
            if question
            else [*subject.english, *helper, *english("not", tag)]
        )
        return [*words, *english(word, tag, 0)], (*denied, *ENDINGS[tense])
    return [*subject.english, *english(word + ("ed" if past else "s"), tag, 0)], ENDINGS[tense]
