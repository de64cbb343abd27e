"""Endings of verbs and adjectives by their plain name, as frames give them: 어, 었어, 을게 …

A name is a tense (었, 겠 or nothing) and an ending. Kiwi joins the first part of the ending to the
stem, which is where stems change (걷 + 으면 → 걸으면, 크 + 어 → 커); what follows is written behind
as it is (어 + 야겠어).
"""

from __future__ import annotations

from data.workshop.frames.reading import FrameError
from data.workshop.korean import Morph, join, verb

# The first part of an ending with its tag, and what may follow it.
AFTER: dict[tuple[str, str], str] = {
    ("어", "EC"): "- 서 서야 서는 서도 도 야 야지 야만 야겠어 야겠다 야겠지 야지만 라 봐 줘 "
    "지 져 질 진 지고 졌어 지네 지는 지면 지지 졌으면 졌지만 졌는데",
    ("을", "ETM"): "- 게 까 래 지 지도 수록 걸 텐데 테니까 때", ("은", "ETM"): "- 데 지 가 걸 데도",
    ("는", "ETM"): "- 데 지 가 걸 데도", ("으면", "EC"): "- 서 서도 야", ("으니까", "EC"): "-",
    ("으니", "EC"): "-", ("으러", "EC"): "-", ("으며", "EC"): "-",
    ("으려", "EC"): "고 면 다 다가 던 는 고는 니까", ("으라", "EC"): "고 는 니까",
    ("기", "ETN"): "- 도 는 가 를 로 에 만 까지 조차 의 에는 부터 보다 보다는",
    ("음", "ETN"): "- 을 은", ("는다", "EC"): "- 고 는 면 면서 니까 지만", ("는대", "EC"): "-",
    ("는구나", "EF"): "-",
}  # fmt: skip


# Endings that never change their own form.
PLAIN = (
    "고", "고서", "고는", "고도", "고자", "지", "지만", "지도", "지는", "지를", "자", "자고",
    "자마자", "자는", "재", "거나", "거든", "네", "던", "던데", "게", "게도", "게끔", "도록",
    "느라", "느라고", "다가", "더라", "더니", "던지", "든지", "든", "나", "니", "냐", "냐고",
    "냐는", "곤", "잖아", "구나", "길", "군", "더라고", "더라도", "다시피", "듯이", "듯",
)  # fmt: skip


SHORTER = {
    "아": "어", "았": "었", "여": "어", "면": "으면", "려": "으려", "러": "으러", "니까": "으니까",
    "면서": "으면서", "라고": "으라고", "며": "으며", "ㄹ": "을", "ㄴ": "은", "래": "을래",
    "까": "을까", "ㄴ다": "는다",
}  # fmt: skip


AS_ADJECTIVE = {
    "는": "은", "는데": "은데", "는지": "은지", "는가": "은가", "는걸": "은걸", "는데도": "은데도",
    "는구나": "구나", "는다": "다", "는다고": "다고", "는다는": "다는", "는다면": "다면",
    "는다면서": "다면서", "는다니까": "다니까", "는다지만": "다지만", "는대": "대", "나": "은가",
}  # fmt: skip


AS_COPULA = {
    "다": "다", "다고": "라고", "다는": "라는", "다면": "라면", "대": "래", "어": "야",
    "어서": "라서", "어도": "라도", "다면서": "라면서", "다니까": "라니까",
}  # fmt: skip


AFTER_TENSE = {"은데": "는데", "은지": "는지", "은가": "는가", "은걸": "는걸", "은데도": "는데도"}


AS_VERB = {
    **AFTER_TENSE,
    **{
        adjective: verbal
        for verbal, adjective in AS_ADJECTIVE.items()
        if verbal[:2] in ("는다", "는구", "는대")
    },
}


STATE_IN_PAST = (
    "어",
    "고",
    "지만",
    "는데",
    "으니까",
    "네",
    "거든",
    "잖아",
    "다고",
    "구나",
    "으면서",
    "대",
    "는지",
    "다는",
)


def known(ending: str) -> bool:
    """Say whether this is the name of an ending, with a tense or without.

    >>> [known(name) for name in ("어", "았으면", "을까", "을게요", "고싶어")]
    [True, True, True, False, False]
    """
    _, rest = _tense(_plain_name(ending))
    return rest in ALL


def conjugate(stem: str, tag: str, ending: str, state: bool = False) -> list[str]:
    """Write a stem of the lexicon with an ending, as words.

    A state (화나) is in the past when it holds now.

    >>> conjugate("음악을 듣", "VV-I", "으면"), conjugate("춥", "VA-I", "는")
    (['음악을', '들으면'], ['추운'])
    >>> conjugate("화나", "VV", "어", state=True)
    ['화났어']
    """
    if not known(ending):
        raise FrameError(f"unknown ending: {ending}")
    opened = verb(stem, tag)
    tense, rest = _tense(_plain_name(ending))
    kind = "adjective" if opened.kind == "verb" and tag.startswith("VA") else opened.kind
    rest = _agreed(rest, "state" if state else kind, opened.stem[-1][0], tense)
    if state and not tense and rest in STATE_IN_PAST:
        tense = ("었",)
    morphs = (*opened.stem, *((one, "EP") for one in tense))
    return [*opened.words, _joined(morphs, rest)]


def _agreed(rest: str, kind: str, stem: str, tense: tuple[str, ...]) -> str:
    """Choose the ending's form for the kind of word: 는데 of a verb, 은데 of an adjective."""
    if tense:
        return _keeping(rest, ("는데", "는지", "는가", "는걸", "는데도", "나"))
    if kind == "exist" or (kind == "adjective" and stem.endswith(("있", "없"))):
        return (
            "는"
            if rest == "은"
            else _keeping(rest, ("는", "는데", "는지", "는가", "는걸", "는데도", "나"))
        )
    if kind == "copula":
        rest = AS_ADJECTIVE.get(rest, rest)
        return AS_COPULA.get(rest, rest)
    if kind == "state":
        return "은" if rest == "는" else rest
    if kind == "adjective":
        return AS_ADJECTIVE.get(rest, rest)
    return AS_VERB.get(rest, rest)


def _keeping(rest: str, verbal: tuple[str, ...]) -> str:
    """Choose the verb's form for some endings, the adjective's for others: 있는데, but 있다고."""
    rest = AFTER_TENSE.get(rest, rest)
    return rest if rest in verbal else AS_ADJECTIVE.get(rest, rest)


def _joined(morphs: tuple[Morph, ...], rest: str) -> str:
    """Join what changes, then write what doesn't behind it."""
    stem, tag = morphs[-1]
    if rest == "네" and tag == "VA-I" and _ends_in_h(stem):
        return (
            stem + rest
        )  # subtle: kiwi drops the ㅎ of 파랗; both are standard, 파랗네 is what people write
    if rest == "는대":  # kiwi doesn't know it: 한다 → 한대
        return join(*morphs, ("는다", "EF"))[:-1] + "대"
    first, ending_tag = ALL[rest]
    return join(*morphs, (first, "EF" if rest == "어" else ending_tag)) + rest.removeprefix(first)


def _ends_in_h(stem: str) -> bool:
    return (ord(stem[-1]) - 0xAC00) % 28 == 27


def _plain_name(ending: str) -> str:
    """Give an ending in another of its forms its usual name: 면 → 으면, 았어 → 었어."""
    if ending in ALL:
        return ending
    for given, name in sorted(SHORTER.items(), key=lambda item: -len(item[0])):
        if ending.startswith(given) and (
            name + ending.removeprefix(given) in ALL or name in ("었",)
        ):
            return name + ending.removeprefix(given)
    return ending


def _tense(ending: str) -> tuple[tuple[str, ...], str]:
    for start in ("었었", "었겠", "었", "겠"):
        if ending.startswith(start):
            return tuple(start), ending.removeprefix(start)
    return (), ending


ALL: dict[str, tuple[str, str]] = {
    **{name: (name, "EC") for name in (*PLAIN, *AS_ADJECTIVE.values(), *AS_COPULA.values())},
    **{
        first + ("" if more == "-" else more): (first, tag)
        for (first, tag), rest in AFTER.items()
        for more in rest.split()
    },
}
