"""Plain statements, negations and yes/no questions with a verb, in every mood."""

from __future__ import annotations

from data.workshop.adverbials import add_frequency
from data.workshop.chooser import Chooser
from data.workshop.clause_maker import make_clause
from data.workshop.lexicon import find
from data.workshop.moods import BY_NAME, MOODS, Mood
from data.workshop.noun_phrases import NounPhrase, pronoun, pronoun_row
from data.workshop.registry import construction
from data.workshop.words import Sentence, english, korean, new_tag

ASKED = (
    "present", "past", "will", "going to", "present progressive", "past progressive", "can",
    "want to", "have to", "need to", "like to",
    "like doing", "know how to",
)  # fmt: skip


NOT_DENIED = (
    "might", "may", "tried to", "began to", "started to", "started doing", "hope to",
    "would like to", "decided to", "try to", "love to",
    "hate", "good at", "used to", "finished doing", "stopped doing",
)  # fmt: skip


def any_mood(chooser: Chooser) -> Mood:
    """Choose a mood by its weight."""
    return chooser.weighted([(mood, mood.weight) for mood in MOODS])


@construction("statement", 16)
def statement(chooser: Chooser) -> Sentence:
    """I went to the park yesterday."""
    mood = any_mood(chooser)
    return make_clause(chooser, mood, rich=0.3).statement(mood)


@construction("short statement", 14)
def short_statement(chooser: Chooser) -> Sentence:
    """I can swim."""
    mood = any_mood(chooser)
    return make_clause(chooser, mood, rich=0.06).statement(mood)


@construction("negation", 9)
def negation(chooser: Chooser) -> Sentence:
    """I don't like fish."""
    mood = any_mood(chooser)
    while mood.name in NOT_DENIED:
        mood = any_mood(chooser)
    return make_clause(chooser, mood, rich=0.1).statement(mood, negative=True)


@construction("yes/no question", 12)
def yes_no_question(chooser: Chooser) -> Sentence:
    """Do you like pizza?"""
    mood = any_mood(chooser)
    while mood.name not in ASKED:
        mood = any_mood(chooser)
    subject: NounPhrase | None = (
        pronoun(pronoun_row(chooser.weighted([("you", 6), ("he", 1), ("she", 1), ("they", 1)])))
        if chooser.chance(0.72)
        else None
    )
    clause = make_clause(chooser, mood, subject, rich=0.12)
    if clause.subject.pronoun["subject"] in ("I", "we"):
        return clause.statement(mood)
    clause.nothing_in_front()
    return clause.question(mood)


@construction("frequency", 3)
def frequency(chooser: Chooser) -> Sentence:
    """I always get up early."""
    mood = BY_NAME["present"]
    clause = make_clause(chooser, mood, rich=0.12)
    timed = any(slot in ("time", "front", "duration") for slot, _ in clause.slots)
    if "state" in clause.verb.list("extras") or clause.middle or timed:
        return clause.statement(mood)
    add_frequency(chooser, clause)
    return clause.statement(mood)


@construction("never", 1)
def never(chooser: Chooser) -> Sentence:
    """He never eats meat."""
    mood = BY_NAME["present"]
    clause = make_clause(chooser, mood, rich=0.0)
    tag = new_tag()
    clause.add("frequency", english("never", tag, 0), korean("절대", tag), "middle")
    return Sentence(clause.english_words(mood), clause.korean_words(mood, negative=True))


@construction("really", 1)
def really(chooser: Chooser) -> Sentence:
    """I really like chocolate. I like chocolate very much."""
    mood = BY_NAME[chooser.one(["present", "present", "past", "want to"])]
    verb = find(
        "verbs", "english", chooser.one(["like", "like", "want", "need", "hate", "miss", "enjoy"])
    )
    clause = make_clause(
        chooser, mood if verb["english"] != "want" else BY_NAME["present"], rich=0.0, verb=verb
    )
    tag = new_tag()
    if verb["english"] == "like" and chooser.chance(0.5):
        clause.add("degree", english("very much", tag, -1), korean("아주 많이", tag))
    else:
        clause.add("frequency", english("really", tag, 0), korean("정말", tag), "middle")
    return clause.statement(BY_NAME["present"])


@construction("already and yet", 1.6)
def perfect(chooser: Chooser) -> Sentence | None:
    """I have already finished my homework. I haven't had lunch yet. Have you ever been …?"""
    clause = make_clause(chooser, BY_NAME["past"], rich=0.0)
    if "state" in clause.verb.list("extras"):
        return None
    own = new_tag()
    helper = "has" if clause.subject.number == "third" else "have"
    participle = english(clause.verb["participle"], clause.tag, 0)
    kind = chooser.one(["already", "just", "never", "yet"])
    if kind == "yet":
        clause.slots.append(("frequency", korean("아직", own)))
        words = [
            *clause.subject.english,
            *english(f"{helper} not", clause.tag),
            *participle,
            *clause.after,
            *english("yet", own, 0),
        ]
        return Sentence(words, clause.korean_with(("not", "past")))
    word, extra = {
        "already": ("이미", ("past",)),
        "just": ("방금", ("past",)),
        "never": ("한 번도", ("no experience",)),
    }[kind]
    clause.slots.append(("frequency", korean(word, own)))
    words = [
        *clause.subject.english,
        *english(helper, clause.tag),
        *english(kind, own, 0),
        *participle,
        *clause.after,
    ]
    return Sentence(words, clause.korean_with(extra))


@construction("have you ever", 1)
def ever(chooser: Chooser) -> Sentence | None:
    """Have you ever ridden a horse?"""
    clause = make_clause(chooser, BY_NAME["past"], pronoun(pronoun_row("you")), rich=0.0)
    if "state" in clause.verb.list("extras"):
        return None
    words = [
        *english("have", clause.tag),
        *clause.subject.english,
        *english("ever", clause.tag),
        *english(clause.verb["participle"], clause.tag, 0),
        *clause.after,
    ]
    return Sentence(words, clause.korean_with(("experience",)), "?")
