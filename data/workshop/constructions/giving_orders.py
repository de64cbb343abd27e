"""Orders, requests, suggestions, offers and permissions."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.clause_maker import make_clause
from data.workshop.clauses import Clause
from data.workshop.lexicon import read
from data.workshop.moods import BY_NAME
from data.workshop.noun_phrases import pronoun, pronoun_row
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag

NEVER_ORDERED = (
    "laugh at", "fight with",
    "hurt", "fall down", "make a mistake", "lose", "miss", "get", "live", "fall asleep", "win",
    "get married", "break", "forget", "cry",
    "marry", "have a good time", "believe", "see", "hear", "drop", "catch", "arrive", "arrive at",
    "return",
)  # fmt: skip


def ordered(chooser: Chooser, subject: str = "you", rich: float = 0.1) -> Clause | None:
    """Make a clause that can be asked for."""
    clause = make_clause(chooser, BY_NAME["can"], pronoun(pronoun_row(subject)), rich=rich)
    clause.nothing_in_front()
    if clause.verb["english"] in NEVER_ORDERED:
        return None
    return clause


@construction("imperative", 5)
def imperative(chooser: Chooser) -> Sentence | None:
    """Open the window. Please sit down. Listen to me, Minsu."""
    clause = ordered(chooser)
    if clause is None:
        return None
    kind = chooser.weighted([("plain", 5), ("please", 3), ("please last", 1.2)])
    if kind == "plain":
        return _marked(
            Sentence(clause.base_words(), clause.korean_with((), particle="")), "imperative", clause
        )
    tag = new_tag()
    translation = clause.korean_with(("please",), particle="")
    translation[-1] = Korean(translation[-1].text, tag)
    words = clause.base_words()
    if kind == "please":
        return _marked(
            Sentence([*english("please", tag, 0), *words], translation), "please", clause
        )
    words[-1] = English(words[-1].text + ",", words[-1].links)
    return _marked(Sentence([*words, *english("please", tag, 0)], translation), "please", clause)


def _marked(sentence: Sentence, construction_name: str, clause: Clause) -> Sentence:
    sentence.combinations.append((construction_name, clause.verb))
    return sentence


@construction("negative imperative", 3)
def prohibition(chooser: Chooser) -> Sentence | None:
    """Don't run in the classroom. Please don't be late."""
    clause = make_clause(chooser, BY_NAME["can"], pronoun(pronoun_row("you")), rich=0.1)
    clause.nothing_in_front()
    tag = new_tag()
    translation = clause.korean_with((), "지", particle="")
    translation.append(Korean("마", tag))
    please = english("please", tag) if chooser.chance(0.15) else []
    words = [*please, *english("do", tag, 0), *english("not", tag), *clause.base_words()]
    return _marked(Sentence(words, translation), "don't", clause)


@construction("let's", 3)
def lets(chooser: Chooser) -> Sentence | None:
    """Let's play soccer. Let's not go there."""
    clause = ordered(chooser, "we")
    if clause is None:
        return None
    tag = new_tag()
    if chooser.chance(0.12):
        translation = [*clause.korean_with((), "지", particle=""), Korean("말자", tag)]
        return _marked(
            Sentence(
                [*english("let's", tag), *english("not", tag, 0), *clause.base_words()], translation
            ),
            "let's not",
            clause,
        )
    words = [*english("let's", clause.tag), *clause.base_words()]
    return _marked(Sentence(words, clause.korean_with((), "자", particle="")), "let's", clause)


@construction("shall we, how about", 1.6)
def suggestion(chooser: Chooser) -> Sentence | None:
    """Shall we dance? How about going to the park? Why don't we …?"""
    kind = chooser.weighted([("shall", 4), ("how about", 3), ("why don't", 2)])
    clause = ordered(chooser, "we", 0.05)
    if clause is None:
        return None
    if kind == "shall":
        return Sentence(
            [*english("shall", clause.tag), *clause.subject.english, *clause.base_words()],
            [*korean("우리", clause.subject.tag), *clause.korean_with((), "을까", "")],
            "?",
        )
    tag = new_tag()
    translation = [
        *clause.korean_with((), "는", particle=""),
        Korean("게", tag, False),
        Korean("어때", tag),
    ]
    if kind == "how about":
        return Sentence(
            [*english("how about", tag, 0), *clause.base_words("ing")], translation, "?"
        )
    words = [*english("why don't", tag, 0), *clause.subject.english, *clause.base_words()]
    return Sentence(words, [*korean("우리", clause.subject.tag), *translation], "?")


BEHAVIOUR = {
    "kind": "친절하게 대해", "careful": "조심해", "quiet": "조용히 해",
    "honest": "정직하게 행동해", "polite": "예의 바르게 행동해",
    "brave": "용감하게 행동해", "strong": "강해져", "happy": "행복하게 지내",
    "diligent": "부지런히 해", "friendly": "다정하게 대해",
}  # fmt: skip


FORBIDDEN = [
    ("late", "늦지"), ("sad", "슬퍼하지"), ("angry", "화내지"), ("shy", "수줍어하지"),
    ("lazy", "게으름 피우지"),
    ("noisy", "시끄럽게 하지"), ("nervous", "긴장하지"), ("scared", "무서워하지"),
    ("worried", "걱정하지"), ("afraid", "두려워하지"),
]  # fmt: skip


@construction("be kind", 0.9)
def be_kind(chooser: Chooser) -> Sentence:
    """Be careful. Don't be late. Be kind to your friends."""
    entries = [
        one
        for one in read("adjectives")
        if one["english"]
        in (
            "kind",
            "careful",
            "quiet",
            "honest",
            "polite",
            "brave",
            "strong",
            "happy",
            "diligent",
            "friendly",
        )
        and "person" in one.list("nouns")
    ]
    tag, own = new_tag(), new_tag()
    if chooser.chance(0.5):
        word, translation = chooser.one(FORBIDDEN)
        degree = chooser.chance(0.2)
        also = english("too", own, 0) if degree else []
        words = [
            *english("do", tag),
            *english("not", tag),
            *english("be", tag),
            *also,
            *english(word, tag, 0),
        ]
        more = korean("너무", own) if degree else []
        return Sentence(words, [*more, *korean(translation, tag, 0), Korean("마", tag, False)])
    entry = chooser.entry(entries)
    said = BEHAVIOUR[entry["english"]]
    please = english("please", own, 0) if chooser.chance(0.25) else []
    if said.endswith("해져"):
        please = []
    translation = said + " 줘" if please else said
    return Sentence(
        [*please, *english("be", tag), *english(entry["english"], tag, 0)],
        _last(translation, tag, own, bool(please)),
    )


def _last(text: str, tag: int, own: int, please: bool) -> list[Korean]:
    words = korean(text, tag, 0)
    if please:
        words[-1] = Korean(words[-1].text, own)
    return words
