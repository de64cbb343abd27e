"""Weather, clock time, days and dates, prices, illness, meals."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.constructions.being import be, closed
from data.workshop.constructions.describing import described_thing
from data.workshop.korean import attach, copula, verb
from data.workshop.lexicon import nouns_of, number, read
from data.workshop.moods import BE
from data.workshop.noun_phrases import demonstrative, it, noun, random_pronoun
from data.workshop.people import any_owner, person
from data.workshop.registry import construction
from data.workshop.times import at_clock, clock, in_month, on_day
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag


@construction("clock time", 2.2)
def clock_time(chooser: Chooser) -> Sentence:
    """It's seven thirty. It is ten o'clock now. It's 7:30."""
    words, translation = clock(chooser)
    last = translation[-1]
    translation[-1] = Korean(
        "시야"
        if last.text == "시"
        else ("분이야" if last.text == "분" else attach_copula(last.text)),
        last.tag,
        last.head,
    )
    tag = new_tag()
    now = chooser.chance(0.12)
    first = korean("지금", tag) if now else []
    return Sentence(
        [*english("it is", translation[-1].tag), *words, *(english("now", tag, 0) if now else [])],
        [*first, *translation],
    )


def attach_copula(word: str) -> str:
    """Give 시야, 분이야."""
    return " ".join(copula(word).close("final"))


@construction("day and date", 2)
def date(chooser: Chooser) -> Sentence:
    """It's Monday. Today is Friday. It's March third. What day is it today?"""
    tag = new_tag()
    subject, particle = it(), ""
    kind = chooser.weighted([("it", 5), ("today", 4), ("tomorrow", 1.5), ("yesterday", 1)])
    if kind != "it":
        own = new_tag()
        translation = {"today": "오늘은", "tomorrow": "내일은", "yesterday": "어제는"}[kind]
        first_english, first_korean = english(kind, own, 0), korean(translation, own)
    else:
        first_english, first_korean = list(subject.english), []
    past = kind == "yesterday"
    finite = english(BE["third"][past], tag)
    ending = "past" if past else "present"
    if chooser.chance(0.5):
        day = chooser.row("calendar", "kind", "weekday")
        made = closed(copula(day["korean"]), tag, ending)
        more = chooser.chance(0.15) and kind == "it"
        extra = new_tag()
        words = [
            *first_english,
            *finite,
            *english(day["english"], tag, 0),
            *(english("today", extra, 0) if more else []),
        ]
        return Sentence(words, [*first_korean, *(korean("오늘은", extra) if more else []), *made])
    month = chooser.row("calendar", "kind", "month")
    day_number = chooser.one(range(1, 32))
    own_month = new_tag()
    words = [
        *first_english,
        *finite,
        *english(month["english"], own_month, 0),
        *english(ordinal(chooser, day_number), tag, 0),
    ]
    made = [
        *korean(month["korean"], own_month),
        Korean(number(day_number)["sino"], tag),
        Korean("일이었어" if past else "일이야", tag, False),
    ]
    return Sentence(words, [*first_korean, *particle, *made])


ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]


def ordinal(chooser: Chooser, value: int) -> str:
    """Give third, twenty-first; sometimes 3 or 3rd."""
    if chooser.chance(0.25):
        return str(value)
    if value < 20:
        return ORDINALS[value - 1]
    if value % 10 == 0:
        return {20: "twentieth", 30: "thirtieth"}[value]
    return {2: "twenty-", 3: "thirty-"}[value // 10] + ORDINALS[value % 10 - 1]


@construction("birthday and schedule", 0.8)
def birthday(chooser: Chooser) -> Sentence:
    """My birthday is in May. The test is on Monday. The party is at six."""
    entry = chooser.entry(
        nouns_of(("birthday", "party", "test", "meeting", "class", "game", "concert"))
    )
    subject = (
        noun(entry, owner=any_owner(chooser))
        if entry["english"] == "birthday"
        else described_thing(chooser, entry)
    )
    while subject.number == "plural":
        subject = described_thing(chooser, entry)
    tag = new_tag()
    when_english, when_korean = (
        in_month(chooser)
        if entry["english"] == "birthday"
        else (on_day(chooser) if chooser.chance(0.6) else at_clock(chooser))
    )
    if entry["english"] == "birthday":
        last = when_korean[-1]
        when_korean = [*when_korean[:-1], Korean(last.text.removesuffix("에") + "이야", last.tag)]
        return Sentence(
            [*subject.english, *english("is", tag), *when_english],
            [*subject.with_particle("은"), *when_korean],
        )
    return Sentence(
        [*subject.english, *english("is", tag), *when_english],
        [*subject.with_particle("은"), *when_korean, Korean("있어", tag, False)],
    )


@construction("price", 1.6)
def price(chooser: Chooser) -> Sentence:
    """How much is this bag? It's five thousand won. These shoes are thirty dollars."""
    tag = new_tag()
    kind = chooser.weighted([("how much", 4), ("it is", 3), ("this is", 2)])
    if kind == "it is":
        subject = it()
    elif chooser.chance(0.3):
        subject = demonstrative(chooser.one(["this", "that", "these", "those"]))
    else:
        entry = chooser.entry(
            [
                one
                for one in read("nouns")
                if {"thing", "fruit", "snack", "vegetable"} & set(one.list("classes"))
                and one["kind"] in ("count", "plural")
            ]
        )
        near = (
            chooser.one(["this", "the", "that"])
            if entry["kind"] == "count"
            else chooser.one(["these", "the", "those"])
        )
        subject = noun(entry, near)
    if kind == "how much":
        words = [
            *english("how much", tag, 1),
            *english(BE[subject.number][0], tag),
            *subject.english,
        ]
        return Sentence(words, [*subject.with_particle("은"), *korean("얼마야", tag)], "?")
    amount_english, amount_korean = _amount(chooser, tag)
    return Sentence(
        [*be(subject, "present", False, False, tag, amount_english)],
        [*subject.with_particle("은"), *amount_korean],
    )


def _amount(chooser: Chooser, tag: int) -> tuple[list[English], list[Korean]]:
    """Make five thousand won, 오천 원; ten dollars, 십 달러."""
    own = new_tag()
    value = chooser.one([*range(1, 21), 25, 30, 35, 40, 50, 60, 70, 80, 90])
    row = number(value)
    if chooser.chance(0.4):
        unit = "dollar" if value == 1 else "dollars"
        return [*english(row["english"], own, 0), *english(unit, tag, 0)], [
            Korean(row["sino"], own),
            Korean("달러야", tag),
        ]
    unit, translation = chooser.one([("thousand", "천"), ("thousand", "천"), ("hundred", "백")])
    if unit == "hundred" and value > 9:
        unit, translation = "thousand", "천"
    words = [*english(row["english"], own, 0), *english(unit, own), *english("won", tag, 0)]
    return words, [Korean(won(value, translation), own), Korean("원이야", tag)]


def won(value: int, unit: str) -> str:
    """Say so many hundreds or thousands in Korean: 15 천 is 만 오천.

    >>> won(1, "천"), won(10, "천"), won(15, "천"), won(30, "천"), won(3, "백")
    ('천', '만', '만오천', '삼만', '삼백')
    """
    tens, ones = divmod(value, 10)
    text = ""
    if tens:
        text += ("" if tens == 1 else number(tens)["sino"]) + "만"
    if ones:
        text += ("" if ones == 1 else number(ones)["sino"]) + unit
    return text


@construction("illness", 1.2)
def illness(chooser: Chooser) -> Sentence:
    """I have a headache. She has a cold. Do you have a fever?"""
    subject = (
        random_pronoun(chooser)
        if chooser.chance(0.65)
        else person(chooser, chooser.one(["name", "kin", "the"]))
    )
    row = chooser.row("illness")
    past = chooser.chance(0.2)
    question = chooser.chance(0.2) and subject.pronoun["subject"] not in ("I", "we")
    tag = new_tag()
    helper = "did" if past else ("does" if subject.number == "third" else "do")
    if question:
        words = [
            *english(helper, tag),
            *subject.english,
            *english("have", tag),
            *english(row["english"], tag, -1),
        ]
    else:
        finite = "had" if past else ("has" if subject.number == "third" else "have")
        words = [*subject.english, *english(finite, tag), *english(row["english"], tag, -1)]
    extra = ["past"] * ((row["state"] == "yes") + past) if row["state"] != "yes" else ["past"]
    opened = verb(row["korean_stem"], row["tag"]).also(*extra)
    made = [
        *korean(attach(row["korean_noun"], row["particle"]), tag, 0),
        *(Korean(text, tag, False) for text in opened.close("final")),
    ]
    return Sentence(words, [*subject.with_particle("은"), *made], "?" if question else ".")


@construction("hurts", 2.5)
def hurts(chooser: Chooser) -> Sentence:
    """My head hurts. Does your leg hurt? 나는 머리가 아파."""
    entry = chooser.entry(
        [
            one
            for one in read("nouns")
            if {"bodypart", "body"} & set(one.list("classes"))
            and one["english"] not in ("hair", "face", "mouth")
        ]
    )
    owner = any_owner(chooser)
    part, tag = new_tag(), new_tag()
    plural = entry["plural"] != "-"
    thing = [*english(owner["possessive"], part), *english(entry["english"], part, 0)]
    past = chooser.chance(0.2)
    question = chooser.chance(0.2) and owner["subject"] not in ("I", "we")
    helper = "did" if past else ("do" if plural else "does")
    words = (
        [*english(helper, tag), *thing, *english("hurt", tag, 0)]
        if question
        else [*thing, *english("hurt" if plural or past else "hurts", tag, 0)]
    )
    if past and not question:
        words += english("yesterday", when := new_tag(), 0)
        first = korean("어제", when)
    else:
        first = []
    topic = korean(attach(owner["korean"], "은"), part, None)
    made = [
        *topic,
        *first,
        *korean(attach(entry["korean"], "이"), part),
        *korean("아팠어" if past else "아파", tag),
    ]
    return Sentence(words, made, "?" if question else ".")
