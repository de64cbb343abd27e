"""What a gap becomes in Korean: a noun with a particle or the copula, a verb with an ending."""

from __future__ import annotations

from dataclasses import dataclass, field

from data.workshop.frames.endings import conjugate, known
from data.workshop.frames.reading import FrameError
from data.workshop.korean import PARTICLES, attach
from data.workshop.lexicon import Entry


@dataclass(frozen=True, eq=False)
class Filler:
    """A word that may stand in a gap.

    `forms` holds the English by the form's name ("" is the word itself), `korean_forms` what Korean
    has beside particles and endings. A verb or adjective has the tag of its stem, a noun NNG.
    `person` is what a verb agrees with: first, second, third or plural.
    """

    forms: dict[str, str]
    korean: str
    tag: str = "NNG"
    kind: str = "count"
    korean_forms: dict[str, str] = field(default_factory=dict)
    person: str = "third"
    pronoun: Entry | None = None
    share: float = 1.0
    state: bool = False
    human: bool = False

    @property
    def english(self) -> str:
        """Give the word itself."""
        return self.forms[""]

    @property
    def conjugates(self) -> bool:
        """Say whether this is a verb or an adjective."""
        return self.tag[:1] == "V"


ALIASES = {
    "는": "은",
    "가": "이",
    "를": "을",
    "과": "와",
    "으로": "로",
    "이나": "나",
    "랑": "이랑",
    "라도": "이라도",
    "든": "이든",
}


# What may follow a particle: 에는, 에서도, 와의, 로는.
SECOND = (
    "은",
    "는",
    "도",
    "만",
    "의",
    "부터",
    "까지",
    "나",
    "밖에",
    "이",
    "을",
    "이나",
    "이라도",
    "처럼",
    "보다",
    "마다",
    "이야",
    "에",
)


COPULAS = {"인": "은", "일": "을", "야": "어", "였": "었", "이었": "었", "이야": "어"}


QUOTING = ("라고", "라는", "라서", "라면", "란", "라니까", "라도")


# Roman letters and digits as they are read, for the particle that follows: TV를, MP3를, 10을.
READ_AS = dict(zip("0123456789LMNRlmnr", "영일이삼사오육칠팔구엘엠엔알엘엠엔알", strict=True))


def written(filler: Filler, form: str, plural: bool = False) -> list[str]:
    """Write a filler in this form, as words; FrameError if it has no such form."""
    if form in filler.korean_forms:
        return filler.korean_forms[form].split()
    if filler.conjugates:
        if not form:
            raise FrameError("a verb or adjective needs an ending in Korean")
        return conjugate(filler.korean, filler.tag, form, filler.state)
    word = filler.korean + ("들" if plural and filler.human else "")
    return _noun(word, form)


def _noun(word: str, form: str) -> list[str]:
    """Write a noun with a particle, two particles, or the copula."""
    split = particles(form)
    if split is not None:
        for particle in split:
            word = with_particle(word, particle)
        return word.split()
    ending = _copula_ending(form)
    if ending is None:
        raise FrameError(f"unknown particle: {form}")
    return _copula(word, ending)


def particles(form: str) -> tuple[str, ...] | None:
    """Split what follows a noun into particles, by their usual names; None if these are none.

    >>> particles("를"), particles("에서는"), particles("이야")
    (('을',), ('에서', '은'), None)
    """
    name = ALIASES.get(form, form)
    if name in PARTICLES:
        return (name,) if name else ()
    for end in SECOND:
        first = ALIASES.get(form.removesuffix(end), form.removesuffix(end))
        if (
            form.endswith(end)
            and first in PARTICLES
            and first
            and ALIASES.get(end, end) in PARTICLES
        ):
            return first, ALIASES.get(end, end)
    return None


def with_particle(word: str, particle: str) -> str:
    """Put a particle on a word, which may end in a digit or a letter.

    >>> with_particle("13", "을"), with_particle("TV", "을"), with_particle("민수", "이랑")
    ('13을', 'TV를', '민수랑')
    """
    spoken = _spoken(word)
    return (
        word + attach(spoken, particle)[len(spoken) :] if word != spoken else attach(word, particle)
    )


def _spoken(word: str) -> str:
    if word[-1].isascii() and word[-1].isalnum():
        return word[:-1] + READ_AS.get(word[-1], "이")
    return word


def _copula_ending(form: str) -> str | None:
    """Give the ending behind 이: 이었어 → 었어, 인데 → 은데; None if the form is no copula."""
    if form.removeprefix("이") in QUOTING:
        return form.removeprefix("이")
    for start, plain in sorted(COPULAS.items(), key=lambda item: -len(item[0])):
        if form.startswith(start) and known(plain + form.removeprefix(start)):
            return plain + form.removeprefix(start)
    rest = form.removeprefix("이")
    return rest if form.startswith("이") and known(rest) else None


def _copula(word: str, ending: str) -> list[str]:
    """Close the copula on a noun: 사과야, 수박이야, 15달러라고."""
    spoken = _spoken(word)
    if ending.startswith("라"):
        return f"{word}{'이' if _closed(spoken) else ''}{ending}".split()
    made = " ".join(conjugate(f"{spoken}이", "VCP", ending))
    return (word + made[len(spoken) :]).split()


def _closed(word: str) -> bool:
    return (ord(word[-1]) - 0xAC00) % 28 != 0
