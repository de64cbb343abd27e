"""Other patterns of a primer: here is, no, too … to, born, let me, want you to, make happy."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from data.workshop.adjectives import predicate
from data.workshop.chooser import Chooser
from data.workshop.clause_maker import daily_clause, daily_verbs, make_clause, verbs_named
from data.workshop.constructions.being import be
from data.workshop.constructions.describing import adjective_words
from data.workshop.constructions.having import had_thing
from data.workshop.constructions.preferring import some_subject
from data.workshop.constructions.reasons import feeling
from data.workshop.constructions.scenes import existing_thing, somewhere
from data.workshop.korean import attach, verb
from data.workshop.lexicon import Entry, nouns_of
from data.workshop.moods import BE, BY_NAME
from data.workshop.noun_phrases import NounPhrase, noun, pronoun, pronoun_row
from data.workshop.people import any_owner, known_person
from data.workshop.registry import construction
from data.workshop.times import in_month
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag


@construction("here is", 0.6)
def here_is(chooser: Chooser) -> Sentence:
    """Here is your book. Here are some apples."""
    if chooser.chance(0.5):
        entry = chooser.entry(
            [
                one
                for one in nouns_of(("thing", "food", "drink"))
                if one["kind"] in ("count", "plural", "mass")
            ]
        )
        phrase = noun(entry, owner=any_owner(chooser))
    else:
        phrase = existing_thing(chooser, ("thing", "snack", "drink", "fruit"))
    own, tag = new_tag(), new_tag()
    words = [*english("here", own, 0), *english(BE[phrase.number][0], tag), *phrase.english]
    return Sentence(
        words,
        [
            *korean("여기", own),
            *phrase.with_particle("이", floating=True),
            Korean("있어", tag, False),
        ],
    )


@construction("there is no", 0.9)
def no(chooser: Chooser) -> Sentence:
    """There is no milk in the bottle. I have no time."""
    own, tag = new_tag(), new_tag()
    if chooser.chance(0.5):
        phrase = had_thing(chooser)
        while phrase.entry is None or phrase.entry["kind"] == "bare":
            phrase = had_thing(chooser)
        bare = noun(
            phrase.entry,
            "plural" if phrase.entry["kind"] == "count" and chooser.chance(0.5) else "",
        )
        subject = some_subject(chooser)
        finite = "has" if subject.number == "third" else "have"
        made = [
            *subject.with_particle("은"),
            *_without_plural(bare).with_particle("이"),
            Korean("없어", tag),
        ]
        return Sentence(
            [*subject.english, *english(finite, tag, 0), *english("no", tag), *bare.english], made
        )
    place_english, place_korean, classes = somewhere(chooser)
    entry = chooser.entry(
        [one for one in nouns_of((*classes, "drink")) if one["kind"] in ("count", "mass")]
    )
    bare = noun(entry, "plural" if entry["kind"] == "count" else "")
    words = [
        *english("there", tag),
        *english(BE[bare.number][0], tag),
        *english("no", own),
        *bare.english,
        *place_english,
    ]
    words = [English(word.text, ((tag, False),)) if word.text == "no" else word for word in words]
    return Sentence(
        words,
        [*place_korean, *_without_plural(bare).with_particle("이"), Korean("없어", tag, False)],
    )


def _without_plural(phrase: NounPhrase) -> NounPhrase:
    *before, last = phrase.korean
    return replace(phrase, korean=(*before, replace(last, text=last.text.removesuffix("들"))))


@construction("born", 0.6)
def born(chooser: Chooser) -> Sentence:
    """I was born in Seoul. When were you born? He was born in May."""
    subject = some_subject(chooser)
    tag, own = new_tag(), new_tag()
    kind = chooser.weighted([("place", 4), ("month", 3), ("where", 1), ("when", 1)])
    if kind in ("where", "when") and subject.pronoun["subject"] != "I":
        words = [
            *english(kind, own, 0),
            *be(subject, "past", False, True, tag, english("born", tag, 0)),
        ]
        return Sentence(
            words,
            [
                *subject.with_particle("은"),
                *korean("어디에서" if kind == "where" else "언제", own),
                *korean("태어났어", tag),
            ],
            "?",
        )
    if kind == "month":
        when_english, when_korean = in_month(chooser)
    else:
        place = (
            chooser.row("countries")
            if chooser.chance(0.5)
            else chooser.row("places", "uses", "travel")
        )
        when_english, when_korean = (
            english(f"in {place['english']}", own, -1),
            korean(attach(place["korean"], "에서"), own),
        )
        if place["english"] == "Jeju Island":
            when_english = english("on Jeju Island", own, -1)
    words = be(subject, "past", False, False, tag, [*english("born", tag, 0), *when_english])
    return Sentence(words, [*subject.with_particle("은"), *when_korean, *korean("태어났어", tag)])


@construction("something to", 0.5)
def something_to(chooser: Chooser) -> Sentence:
    """I want something to drink. Do you have anything to eat?"""
    subject = some_subject(chooser)
    tag, own = new_tag(), new_tag()
    base, stem = chooser.one(
        [("eat", "먹"), ("drink", "마시"), ("read", "읽"), ("do", "하"), ("wear", "입")]
    )
    head, korean_verb, stem_tag, particle = chooser.one(
        [
            ("want", "원하", "VV", "을"),
            ("need", "필요하", "VA", "이"),
            ("have", "있", "VA", "이"),
            ("buy", "사", "VV", "을"),
        ]
    )
    question = chooser.chance(0.3) and subject.pronoun["subject"] not in ("I", "we")
    third = subject.number == "third"
    something = [
        *english("something" if not question else "anything", own),
        *english("to", own),
        *english(base, own, 0),
    ]
    finite = "has" if third and head == "have" else head + "s" * third
    words = (
        [*english("does" if third else "do", tag), *subject.english, *english(head, tag, 0)]
        if question
        else [*subject.english, *english(finite, tag, 0)]
    )
    thing = [
        *(Korean(text, own, True) for text in verb(stem, "VV").close("을")),
        Korean(attach("것", particle), own, False),
    ]
    made = [Korean(text, tag) for text in verb(korean_verb, stem_tag).close("final")]
    return Sentence(
        [*words, *something],
        [*subject.with_particle("은"), *thing, *made],
        "?" if question else ".",
    )


@construction("let me", 0.7)
def let_me(chooser: Chooser) -> Sentence:
    """Let me help you."""
    names = (
        "help",
        "open",
        "close",
        "carry",
        "show",
        "tell",
        "give",
        "bring",
        "cook",
        "make",
        "clean",
        "find",
        "fix",
        "introduce",
        "read",
        "drive",
        "buy",
        "do",
        "answer",
        "check",
        "call",
        "see",
        "go",
        "wash the dishes",
        "turn on",
        "turn off",
        "write",
        "speak",
        "feed",
    )
    clause = make_clause(
        chooser,
        BY_NAME["can"],
        pronoun(pronoun_row("I")),
        rich=0.0,
        verb=chooser.entry(verbs_named(names)),
    )
    clause.nothing_in_front()
    words = [
        *english("let", clause.tag),
        *english("me", clause.subject.tag, 0),
        *clause.base_words(),
    ]
    return Sentence(words, clause.korean_with((), "을게", "이"))


@cache
def wished() -> tuple[Entry, ...]:
    """Give what one person may want another to do."""
    return tuple(
        entry
        for entry in daily_verbs()
        if entry["english"] not in ("cry", "laugh", "fall asleep", "live", "go", "leave", "find")
    )


@construction("want you to, told me to", 1.3)
def want_you_to(chooser: Chooser) -> Sentence | None:
    """I want you to help me. He told me to open the window."""
    subject = some_subject(chooser)
    other = known_person(chooser, subject)
    clause = daily_clause(chooser, BY_NAME["will"], other, chooser.entry(wished()))
    tag = new_tag()
    third = subject.number == "third"
    if other.text == subject.text:
        return None
    if chooser.chance(0.5):
        words = [
            *subject.english,
            *english("wants" if third else "want", tag, 0),
            *other.objective,
            *english("to", clause.tag),
            *clause.base_words(),
        ]
        return Sentence(
            words,
            [
                *subject.with_particle("은"),
                *clause.korean_with((), "기를", "이"),
                *korean("원해", tag),
            ],
        )
    said, asked = chooser.one([("told", "말했어"), ("asked", "부탁했어")])
    words = [
        *subject.english,
        *english(said, tag, 0),
        *other.objective,
        *english("to", clause.tag),
        *clause.base_words(),
    ]
    ending = "으라고" if said == "told" else "어 달라고"
    if said == "asked":
        opened = clause.opened().also("please")
        made = clause.predicate_words(
            replace(
                opened,
                stem=(*opened.stem[:-1], (opened.stem[-1][0].removesuffix("주") + "달", "VV")),
            ),
            "라고",
        )
        before = clause.korean_with((), "고", "")[: -len(clause.opened().close("고"))]
        return Sentence(
            words,
            [
                *subject.with_particle("은"),
                *other.with_particle("에게"),
                *before,
                *made,
                *korean(asked, tag),
            ],
        )
    return Sentence(
        words,
        [
            *subject.with_particle("은"),
            *other.with_particle("에게"),
            *clause.korean_with((), ending, ""),
            *korean(asked, tag),
        ],
    )


MOVING = (
    "movie", "song", "story", "book", "dog", "news", "gift", "letter", "game", "trip", "music",
    "party", "poem", "novel", "test", "class",
    "cat",
)  # fmt: skip


@construction("make happy", 0.4)
def make_happy(chooser: Chooser) -> Sentence | None:
    """The movie made me sad. You make me happy."""
    sources = [one for one in nouns_of(MOVING) if one["kind"] in ("count", "mass")]
    subject = (
        noun(chooser.entry(sources), chooser.one(["the", "this", "that"]))
        if chooser.chance(0.6)
        else some_subject(chooser)
    )
    other = known_person(
        chooser,
        subject
        if subject.entry is None or subject.entry.file != "nouns"
        else pronoun(pronoun_row("he")),
    )
    entry = feeling(chooser.one(["happy", "sad", "tired", "sleepy", "lonely"]))
    tag, own = new_tag(), new_tag()
    past = chooser.chance(0.6)
    finite = "made" if past else ("makes" if subject.number == "third" else "make")
    words = [
        *subject.english,
        *english(finite, own, 0),
        *other.objective,
        *english(entry["english"], tag, 0),
    ]
    if other.text == subject.text:
        return None
    return Sentence(
        words,
        [
            *subject.with_particle("은"),
            *other.with_particle("을"),
            *adjective_words(predicate(entry), tag, "게"),
            *korean("했어" if past else "해", own),
        ],
    )
