"""What a …! How is …? It is easy to …"""

from __future__ import annotations

from data.workshop.adjectives import fitting, predicate
from data.workshop.chooser import Chooser
from data.workshop.clause_maker import make_clause
from data.workshop.constructions.being import closed
from data.workshop.constructions.describing import adjective_words, described_thing
from data.workshop.korean import attach, copula
from data.workshop.lexicon import read
from data.workshop.moods import BE, BY_NAME
from data.workshop.noun_phrases import noun, pronoun, pronoun_row
from data.workshop.people import person
from data.workshop.registry import construction
from data.workshop.words import Sentence, english, korean, new_tag

WONDERFUL = (
    "beautiful", "big", "cute", "good", "nice", "wonderful", "pretty", "tall", "fast", "great",
    "smart", "kind", "interesting", "delicious",
    "strange", "funny", "small", "handsome", "brave", "special", "clean", "expensive",
)  # fmt: skip


@construction("what a", 0.6)
def what_a(chooser: Chooser) -> Sentence | None:
    """What a beautiful flower! How cute!"""
    entry = chooser.entry(
        [one for one in read("nouns") if one["kind"] == "count" and fitting(one, "attributive")]
    )
    adjective_entry = chooser.entry(fitting(entry, "attributive"))
    if adjective_entry["english"] not in WONDERFUL:
        return None
    own = new_tag()
    phrase = noun(entry, "a", adjective_entry)
    *before, last = phrase.korean
    words = [*english("what", own, 0), *phrase.english]
    return Sentence(
        words, [*korean("정말", own), *closed(copula(last.text), last.tag, "present", before)], "!"
    )


@construction("how is", 0.8)
def how_is(chooser: Chooser) -> Sentence:
    """How is the weather? How was your trip? How are your parents?"""
    entry = chooser.entry(
        [one for one in read("nouns") if "good" in one.list("classes") and one["kind"] == "count"]
    )
    subject = (
        described_thing(chooser, entry)
        if chooser.chance(0.6)
        else person(chooser, chooser.one(["name", "kin"]))
    )
    past = chooser.chance(0.4)
    tag = new_tag()
    words = [*english("how", tag, 0), *english(BE[subject.number][past], tag), *subject.english]
    return Sentence(
        words, [*subject.with_particle("은"), *korean("어땠어" if past else "어때", tag)], "?"
    )


@construction("it is easy to", 1)
def easy_to(chooser: Chooser) -> Sentence:
    """It is fun to play soccer. Swimming is fun."""
    entry = chooser.entry(
        [
            one
            for one in read("adjectives")
            if one["english"]
            in (
                "easy",
                "difficult",
                "fun",
                "important",
                "dangerous",
                "hard",
                "good",
                "boring",
                "exciting",
                "interesting",
            )
            and one["uses"] == "both"
        ]
    )
    clause = make_clause(chooser, BY_NAME["can"], pronoun(pronoun_row("you")), rich=0.0)
    tag = new_tag()
    subject_words = [
        *clause.korean_with((), "는", ""),
        *korean(attach("것", "은"), clause.tag, None),
    ]
    made = [*subject_words, *adjective_words(predicate(entry), tag)]
    if chooser.chance(0.35):
        words = [*clause.base_words("ing"), *english("is", tag), *english(entry["english"], tag, 0)]
    else:
        words = [
            *english("it is", tag),
            *english(entry["english"], tag, 0),
            *english("to", clause.tag),
            *clause.base_words(),
        ]
    return Sentence(words, made)
