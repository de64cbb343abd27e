"""When: adverbs of time, clock times, weekdays, months."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.korean import attach
from data.workshop.lexicon import number, read
from data.workshop.words import English, Korean, english, korean, new_tag

Phrase = tuple[list[English], list[Korean]]


MINUTES = (5, 10, 15, 20, 25, 30, 30, 35, 40, 45, 50, 55)


def time_phrase(
    chooser: Chooser, kinds: tuple[str, ...]
) -> tuple[list[English], list[Korean], bool] | None:
    """Make a time of one of these kinds, and say whether it may stand in front.

    None if none fits.
    """
    if not kinds:
        return None
    roll = chooser.random.random()
    dated = any(kind in kinds for kind in ("past", "future", "habit"))
    if dated and roll < 0.15:
        return *at_clock(chooser), False
    if dated and roll < 0.30:
        return *on_day(chooser, kinds), False
    if (roll < 0.35 and "habit" in kinds) or ("past" in kinds and roll < 0.34):
        return *in_month(chooser), False
    fitting = tuple(entry for entry in read("times") if set(kinds) & set(entry.list("tense")))
    entry = chooser.entry(fitting)
    tag = new_tag()
    words = english(
        entry["english"],
        tag,
        -1
        if entry["english"] not in ("right now",) and not entry["english"].endswith("ago")
        else 0,
    )
    return words, korean(entry["korean"], tag), entry["front"] == "yes"


def at_clock(chooser: Chooser) -> Phrase:
    """Make at seven, at seven thirty, at 7:30, at seven o'clock."""
    words, translation = clock(chooser)
    tag = new_tag()
    last = translation[-1]
    translation[-1] = Korean(attach(last.text, "에"), last.tag, last.head)
    return [*english("at", tag), *words], translation


def clock(chooser: Chooser, minutes: bool = True) -> Phrase:
    """Make a clock time on both sides, without a particle."""
    hour = chooser.one(range(1, 13))
    minute = chooser.one(MINUTES) if minutes and chooser.chance(0.4) else 0
    if chooser.chance(0.15):
        tag = new_tag()
        parts = f"{number(hour)['native']} 시" + (f" {number(minute)['sino']} 분" if minute else "")
        return english(f"{hour}:{minute:02d}", tag, 0), korean(parts, tag)
    tag = new_tag()
    words = english(number(hour)["english"], tag, 0)
    translation = [Korean(number(hour)["native"], tag), Korean("시", tag, False)]
    if minute:
        own = new_tag()
        words += english(("oh " if minute == 5 else "") + number(minute)["english"], own, -1)
        translation += [Korean(number(minute)["sino"], own), Korean("분", own, False)]
    elif chooser.chance(0.3):
        own = new_tag()
        words += english("o'clock", tag)
    return words, translation


def on_day(chooser: Chooser, kinds: tuple[str, ...] = ()) -> Phrase:
    """Make on Monday, 월요일에; on Mondays, 월요일마다; on Monday morning."""
    day = chooser.row("calendar", "kind", "weekday")
    tag = new_tag()
    if "habit" in kinds and chooser.chance(0.5):
        return english(f"on {day['english']}s", tag, -1), korean(day["korean"] + "마다", tag)
    if chooser.chance(0.2):
        part, translation = chooser.one(
            [
                ("morning", "아침에"),
                ("afternoon", "오후에"),
                ("evening", "저녁에"),
                ("night", "밤에"),
            ]
        )
        own = new_tag()
        return [*english(f"on {day['english']}", tag, -1), *english(part, own, 0)], [
            *korean(day["korean"], tag),
            *korean(translation, own),
        ]
    if kinds and chooser.chance(0.2) and "habit" not in kinds:
        which, translation = ("last", "지난주") if "past" in kinds else ("next", "다음 주")
        own = new_tag()
        return [*english(which, own, 0), *english(day["english"], tag, 0)], [
            *korean(translation, own),
            *korean(attach(day["korean"], "에"), tag),
        ]
    return english(f"on {day['english']}", tag, -1), korean(attach(day["korean"], "에"), tag)


def in_month(chooser: Chooser) -> Phrase:
    """Make in March, 삼월에."""
    month = chooser.row("calendar", "kind", "month")
    tag = new_tag()
    return english(f"in {month['english']}", tag, -1), korean(attach(month["korean"], "에"), tag)
