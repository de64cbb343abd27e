"""Fillers that are numbers: digits, years, clock times, dates, prices, durations."""

from __future__ import annotations

from data.workshop.frames.korean_forms import Filler
from data.workshop.lexicon import number

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


DAYS_IN_MONTH = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


DURATIONS = {
    "ten minutes": "십 분", "fifteen minutes": "십오 분", "twenty minutes": "이십 분",
    "thirty minutes": "삼십 분", "forty minutes": "사십 분", "half an hour": "삼십 분",
    "an hour": "한 시간", "two hours": "두 시간", "three hours": "세 시간", "four hours": "네 시간",
    "five hours": "다섯 시간", "two days": "이틀", "three days": "사흘", "ten days": "열흘",
    "a week": "일주일", "two weeks": "이 주", "three weeks": "삼 주", "a month": "한 달",
    "two months": "두 달", "three months": "세 달", "six months": "여섯 달", "a year": "일 년",
    "two years": "이 년", "three years": "삼 년", "five years": "오 년", "ten years": "십 년",
}  # fmt: skip


WON = (
    500,
    1_000,
    1_500,
    2_000,
    3_000,
    5_000,
    7_000,
    8_000,
    10_000,
    12_000,
    15_000,
    20_000,
    25_000,
    30_000,
    35_000,
    50_000,
    70_000,
    100_000,
)


DOLLARS = (
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    12,
    15,
    18,
    20,
    25,
    30,
    35,
    40,
    45,
    50,
    60,
    70,
    75,
    80,
    90,
    99,
    100,
    120,
    150,
    200,
    250,
    300,
    500,
)


def digits(reach: str) -> list[Filler]:
    """Give the numbers of a range like 10-99, in digits."""
    first, _, last = reach.partition("-")
    return [same(str(value)) for value in range(int(first), int(last or first) + 1)]


def same(text: str) -> Filler:
    """Make a filler that both languages write alike."""
    return Filler({"": text}, text, kind="bare")


def years() -> list[Filler]:
    """Give 1950 to 2030."""
    return [same(str(year)) for year in range(1950, 2031)]


def small_numbers() -> list[Filler]:
    """Give two to twenty: {number:native} is 세, {number:sino} 삼."""
    found = [number(value) for value in range(2, 21)]
    return [
        Filler(
            {"": row["english"]},
            row["native"],
            kind="bare",
            korean_forms={"native": row["native"], "sino": row["sino"]},
            share=10 / (value + 3),
        )
        for value, row in enumerate(found, 2)
    ]


def hours() -> list[Filler]:
    """Give one to twelve, 한 to 열두."""
    found = [number(value) for value in range(1, 13)]
    return [
        Filler(
            {"": row["english"]},
            row["native"],
            kind="bare",
            korean_forms={"native": row["native"], "sino": row["sino"]},
        )
        for row in found
    ]


def clock() -> list[Filler]:
    """Give 8:30, 8시 30분, every five minutes; whole hours and halves are said most."""
    times = [(hour, minute) for hour in range(1, 13) for minute in range(0, 60, 5)]
    return [
        Filler(
            {"": f"{hour}:{minute:02d}"},
            _spoken(hour, minute),
            kind="bare",
            share=1.0 if minute % 30 else 5.0,
        )
        for hour, minute in times
    ]


def _spoken(hour: int, minute: int) -> str:
    return f"{hour}시 {minute}분" if minute else f"{hour}시"


def dates() -> list[Filler]:
    """Give March 3, 3월 3일."""
    days = [(month, day) for month in range(12) for day in range(1, DAYS_IN_MONTH[month] + 1)]
    return [
        Filler({"": f"{MONTHS[month]} {day}"}, f"{month + 1}월 {day}일", kind="bare")
        for month, day in days
    ]


def prices() -> list[Filler]:
    """Give $15, fifteen dollars, 20,000 won."""
    figures = [Filler({"": f"${value}"}, f"{value}달러", kind="bare") for value in DOLLARS]
    spelled = [
        Filler({"": f"{number(value)['english']} dollars"}, f"{value}달러", kind="bare")
        for value in DOLLARS
        if value <= 100
    ]
    won = [Filler({"": f"{value:,} won"}, f"{value:,}원", kind="bare", share=2.0) for value in WON]
    return [*figures, *spelled, *won]


def durations() -> list[Filler]:
    """Give two hours, 두 시간."""
    return [Filler({"": english}, korean, kind="bare") for english, korean in DURATIONS.items()]
