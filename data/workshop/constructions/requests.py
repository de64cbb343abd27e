"""Requests, offers and permissions."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.clause_maker import make_clause, verbs_named
from data.workshop.constructions.giving_orders import _marked, ordered
from data.workshop.lexicon import nouns_of
from data.workshop.moods import BY_NAME
from data.workshop.noun_phrases import noun, pronoun, pronoun_row
from data.workshop.nouns_at_random import measured
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag


@construction("may I, can I", 3.6)
def permission(chooser: Chooser) -> Sentence | None:
    """May I come in? Can I use your phone? You may go home."""
    kind = chooser.weighted([("may", 3), ("can", 4), ("could", 0.6), ("you may", 1.4)])
    clause = ordered(chooser, "you" if kind == "you may" else "I")
    if clause is None:
        return None
    if kind == "you may":
        words = [*clause.subject.english, *english("may", clause.tag), *clause.base_words()]
        return Sentence(words, clause.korean_with(("may",)))
    if clause.verb["english"] == "come in":
        return None
    words = [*english(kind, clause.tag), *clause.subject.english, *clause.base_words()]
    return _marked(
        Sentence(words, clause.korean_with(("may",), particle="이"), "?"), "may I", clause
    )


ASKED_FOR = (
    "help", "open", "close", "bring", "give", "show", "tell", "lend", "send", "teach", "call",
    "wait for", "take care of", "turn on",
    "turn off", "wash the dishes", "clean", "carry", "fix", "find", "wake", "come in", "sit down",
    "stand up", "speak", "write", "read",
    "feed", "check", "buy", "cook", "make", "wait",
)  # fmt: skip


@construction("could you, would you", 2)
def request(chooser: Chooser) -> Sentence | None:
    """Could you open the door, please? Would you help me?"""
    entries = verbs_named(ASKED_FOR)
    clause = make_clause(
        chooser,
        BY_NAME["must"],
        pronoun(pronoun_row("you")),
        rich=0.05,
        verb=chooser.entry(entries),
    )
    clause.nothing_in_front()
    kind = chooser.one(["could", "would"])
    tag = new_tag()
    translation = clause.korean_with(("please", "can"), particle="")
    words = [*english(kind, tag, 0), *clause.subject.english, *clause.base_words()]
    translation[-1] = Korean(translation[-1].text, tag)
    if chooser.chance(0.2):
        words[-1] = English(words[-1].text + ",", words[-1].links)
        words += english("please", tag)
    return Sentence(words, translation, "?")


@construction("would you like", 1.6)
def offer(chooser: Chooser) -> Sentence:
    """Would you like some coffee? Do you want some water? I'd like a sandwich. Can I have …?"""
    entry = chooser.entry(nouns_of(("drink", "dish", "snack", "fruit")))
    drink = "drink" in entry.list("classes")
    asked = entry["kind"] in ("mass", "plural")
    phrase = noun(entry, "some" if asked else "a")
    if entry["kind"] == "mass" and chooser.chance(0.4):
        phrase = measured(chooser, entry)
    tag = new_tag()
    kind = chooser.weighted(
        [("would you like", 3), ("I would like", 4), ("can I have", 2.5), ("please", 1.5)]
    )
    stem = "마시" if drink else "먹"
    thing = phrase.with_particle("을")
    if kind == "would you like":
        you = pronoun(pronoun_row("you"))
        words = [*english("would", tag), *you.english, *english("like", tag, 0), *phrase.english]
        return Sentence(
            words, [*you.with_particle("은"), *thing, *korean(f"{stem}고 싶어", tag, 0)], "?"
        )
    if kind == "I would like":
        me = pronoun(pronoun_row("I"))
        words = [*me.english, *english("would", tag), *english("like", tag, 0), *phrase.english]
        return Sentence(words, [*me.with_particle("은"), *thing, *korean(f"{stem}고 싶어", tag, 0)])
    if kind == "can I have":
        me = pronoun(pronoun_row("I"))
        words = [*english("can", tag), *me.english, *english("have", tag, 0), *phrase.english]
        return Sentence(
            words,
            [
                *me.with_particle("이"),
                *thing,
                *korean(f"{'마셔도' if drink else '먹어도'} 돼", tag, 0),
            ],
            "?",
        )
    words = list(phrase.english)
    words[-1] = English(words[-1].text + ",", words[-1].links)
    return Sentence([*words, *english("please", tag, 0)], [*thing, *korean("줘", tag)])
