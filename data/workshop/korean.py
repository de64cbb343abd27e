"""Korean words: particles, conjugation and numbers, put together with kiwipiepy's morphology.

A `Predicate` is a verb that is still open at its end: auxiliaries are added one by one (먹 → 먹고
있 → 먹고 있었), then an ending closes it. Kiwi contracts and conjugates (오+았 → 왔, 돕+어 → 도와)
and picks the right form of a particle; each join is remembered.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from functools import cache

from kiwipiepy import Kiwi  # type: ignore[import-untyped]

Morph = tuple[str, str]


PARTICLES = {
    "은": ("은", "JX"), "이": ("이", "JKS"), "을": ("을", "JKO"), "에": ("에", "JKB"),
    "에서": ("에서", "JKB"), "에게": ("에게", "JKB"), "와": ("와", "JKB"), "로": ("으로", "JKB"),
    "의": ("의", "JKG"), "보다": ("보다", "JKB"), "도": ("도", "JX"), "만큼": ("만큼", "JKB"),
    "까지": ("까지", "JX"), "부터": ("부터", "JX"), "마다": ("마다", "JX"), "처럼": ("처럼", "JKB"),
    "나": ("이나", "JC"), "만": ("만", "JX"), "": ("", ""), "한테": ("한테", "JKB"),
    "한테서": ("한테서", "JKB"), "에게서": ("에게서", "JKB"), "이랑": ("이랑", "JKB"),
    "이라도": ("이라도", "JX"), "밖에": ("밖에", "JX"), "조차": ("조차", "JX"),
    "이든": ("이든", "JX"), "하고": ("하고", "JKB"), "대로": ("대로", "JX"), "마저": ("마저", "JX"),
    "쯤": ("쯤", "XSN"), "이며": ("이며", "JC"),
}  # fmt: skip


PRONOUNS = {
    "나": "NP",
    "너": "NP",
    "그": "NP",
    "그녀": "NP",
    "우리": "NP",
    "그들": "NP",
    "누구": "NP",
}


SPECIAL = {
    ("누구", "이"): "누가",
    ("나", "의"): "내",
    ("너", "의"): "네",
    ("나", "에게"): "나에게",
    ("너", "에게"): "너에게",
    ("모두", "은"): "모두",
    ("누군가", "은"): "누군가가",
}


# Name: ending of the verb so far, words between, the new stem, its kind ("same": as before).
AUXILIARIES: dict[str, tuple[str, tuple[str, ...], tuple[Morph, ...], str]] = {
    "not": ("지", (), (("않", "VX"),), "same"), "could not": ("지", (), (("못하", "VV"),), "verb"),
    "progressive": ("고", (), (("있", "VX"),), "exist"),
    "resting": ("어", (), (("있", "VX"),), "exist"),
    "can": ("을", ("수",), (("있", "VA"),), "exist"),
    "cannot": ("을", ("수",), (("없", "VA"),), "exist"),
    "future": ("을", (), (("거", "NNB"), ("이", "VCP")), "copula"),
    "want": ("고", (), (("싶", "VX"),), "adjective"),
    "others want": ("고", ("싶어",), (("하", "VX"),), "verb"),
    "must": ("어야", (), (("하", "VX"),), "verb"), "may": ("어도", (), (("되", "VV"),), "verb"),
    "must not": ("으면", ("안",), (("되", "VV"),), "verb"),
    "should": ("는", ("게",), (("좋", "VA-R"), ("겠", "EP")), "adjective"),
    "perhaps": ("을지도", (), (("모르", "VV"),), "verb"),
    "like": ("는", ("것을",), (("좋아하", "VV"),), "verb"),
    "love": ("는", ("것을", "아주"), (("좋아하", "VV"),), "verb"),
    "hate": ("는", ("것을",), (("싫어하", "VV"),), "verb"),
    "enjoy": ("는", ("것을",), (("즐기", "VV"),), "verb"),
    "try": ("으려고", (), (("노력하", "VV"),), "verb"),
    "begin": ("기", (), (("시작하", "VV"),), "verb"),
    "know how": ("을", ("줄",), (("알", "VV"),), "verb"),
    "not know how": ("을", ("줄",), (("모르", "VV"),), "verb"),
    "please": ("어", (), (("주", "VX"),), "verb"),
    "experience": ("은", ("적이",), (("있", "VA"),), "exist"),
    "no experience": ("은", ("적이",), (("없", "VA"),), "exist"),
    "attempt": ("어", (), (("보", "VX"),), "verb"),
    "good at": ("는", ("것을",), (("잘하", "VV"),), "verb"),
    "used to": ("곤", (), (("하", "VX"), ("었", "EP")), "verb"),
    "finish": ("는", ("것을",), (("끝내", "VV"),), "verb"),
    "stop": ("는", ("것을",), (("멈추", "VV"),), "verb"),
    "decide": ("기로", (), (("결정하", "VV"),), "verb"),
    "hope": ("기를", (), (("바라", "VV"),), "verb"), "look": ("어", (), (("보이", "VV"),), "verb"),
    "become": ("", (), (("어지", "VX"),), "verb"),
}  # fmt: skip


@cache
def _kiwi() -> Kiwi:
    return Kiwi()


@cache
def join(*morphs: Morph) -> str:
    """Join morphemes into one word, whatever spaces kiwi would like inside."""
    return str(_kiwi().join(list(morphs))).replace(" ", "")


@cache
def attach(word: str, particle: str) -> str:
    """Put a particle on the last word of `word`: ("큰 집", "에서") → 큰 집에서."""
    if not particle:
        return word
    if (word, particle) in SPECIAL:
        return SPECIAL[word, particle]
    before, _, last = word.rpartition(" ")
    joined = join((last, PRONOUNS.get(last, "NNG")), PARTICLES[particle])
    return f"{before} {joined}".strip()


def keeps_its_stem(stem: str, tag: str) -> bool:
    """Say whether a stem is spelled the same before all endings, contractions apart.

    >>> [keeps_its_stem(*word) for word in (("먹", "VV"), ("씻", "VV-R"), ("듣", "VV-I"))]
    [True, True, False]
    >>> [keeps_its_stem(*word) for word in (("팔", "VV"), ("파랗", "VA-I"), ("예쁘", "VA"))]
    [False, False, False]
    """
    return not tag.endswith("-I") and not unicodedata.normalize("NFD", stem).endswith(
        ("\u1173", "\u11af")
    )  # ㅡ is dropped, ㄹ too


@dataclass(frozen=True)
class Predicate:
    """A verb, adjective or copula, open at its end.

    `main` is the number of the word that holds its meaning.
    """

    words: tuple[str, ...]
    stem: tuple[Morph, ...]
    kind: str
    main: int
    past: bool = False

    def also(self, *names: str) -> Predicate:
        """Add auxiliaries by name, and "past" for -었-."""
        result = self
        for name in names:
            result = result._past() if name == "past" else result._auxiliary(name)
        return result

    def _past(self) -> Predicate:
        return replace(self, stem=(*self.stem, ("었", "EP")), past=True)

    def _auxiliary(self, name: str) -> Predicate:
        if (
            name in ("progressive", "resting") and self.stem[-1][0] == "있"
        ):  # 서 있, 집에 있: lasting already
            return self
        if name == "become":  # joined without a space: 추워지
            return replace(self, stem=((join(*self.stem, ("어", "EC")) + "지", "VV"),), kind="verb")
        if name == "please" and self.stem[-1][0] in ("돕", "주", "빌려주", "가져다주"):
            return replace(self, stem=(("도와주", "VV"),)) if self.stem[-1][0] == "돕" else self
        if name in ("not", "could not") and self.stem[-1][0] == "알":  # one does not say 알지 않아
            return replace(self, stem=(("모르", "VV"),))
        if name == "not" and self.stem[-1] == ("이", "VCP"):
            return copula(self.stem[0][0], negative=True).behind(self.words)
        ending, between, stem, kind = AUXILIARIES[name]
        closed = (*self.words, self._joined(ending), *between)
        return Predicate(closed, stem, self.kind if kind == "same" else kind, self.main)

    def behind(self, words: tuple[str, ...]) -> Predicate:
        """Put words in front."""
        return replace(self, words=(*words, *self.words), main=self.main + len(words))

    def close(self, ending: str) -> list[str]:
        """Close with an ending's name.

        Final, relative, past relative, future relative, that, thing that, or the ending itself
        (고, 으면 …).
        """
        return [*self.words, *self._joined(self._form(ending)).split()]

    def _form(self, ending: str) -> str:
        copula = self.kind == "copula" and not self.past
        if ending == "final":
            return "야" if copula else "어"
        if ending == "relative":
            return "는" if self.kind in ("verb", "exist") or self._ends_in_exist() else "은"
        if ending in ("that", "thing that"):
            start = "라" if copula else ("는다" if self.kind == "verb" and not self.past else "다")
            return start + ("고" if ending == "that" else "는")
        if ending == "어서" and copula:
            return "라서"
        return {"past relative": "은", "future relative": "을"}.get(ending, ending)

    def _ends_in_exist(self) -> bool:
        return self.stem[-1][0].endswith(("있", "없"))

    def _joined(self, ending: str) -> str:
        if ending == "을지도":  # kiwi takes 을지도 for one ending and does not shorten it
            return join(*self.stem, ("을", "ETM")) + "지도"
        if ending in ("기를", "기로", "기"):
            return join(*self.stem, ("기", "ETN")) + ending[1:]
        tag = (
            "ETM"
            if ending in ("은", "는", "을", "다는", "는다는", "라는")
            else ("EF" if ending in ("어", "야", "을게", "을까", "자") else "EC")
        )
        return join(*self.stem, (ending, tag))


def verb(stem: str, tag: str, adverbs: tuple[str, ...] = ()) -> Predicate:
    """Open a verb or adjective of the lexicon, with adverbs inside where they belong.

    춤을 잘 추, 일찍 자러 가.
    """
    *before, last = stem.split()
    start = place_for_adverbs(stem)
    words = [*before[:start], *adverbs, *before[start:]]
    if tag == "VCP":
        return Predicate(tuple(words), ((last[:-1], "NNG"), ("이", "VCP")), "copula", len(words))
    kind = "exist" if last in ("있", "없") else ("verb" if tag.startswith("VV") else "adjective")
    return Predicate(tuple(words), ((last, tag),), kind, len(words))


def place_for_adverbs(stem: str) -> int:
    """Count the words of the stem that come before an adverb: its object or subject.

    >>> [place_for_adverbs(stem) for stem in ("춤을 추", "키가 크", "자러 가", "예의 바르")]
    [1, 1, 0, 0]
    """
    before = stem.split()[:-1]
    return len(before) if before and before[-1][-1] in "을를이가에" else 0


def copula(noun: str, negative: bool = False) -> Predicate:
    """Open "to be" a noun: 학생이(야), or its negation: 학생이 아니(야)."""
    *before, last = noun.split()
    if negative:
        words = (*before, attach(last, "이"))
        return Predicate(words, (("아니", "VCN"),), "copula", len(before))
    return Predicate(
        tuple(before), ((last, PRONOUNS.get(last, "NNG")), ("이", "VCP")), "copula", len(before)
    )
