"""That-clauses after think, know, say and hope; embedded questions."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.clause_maker import make_clause
from data.workshop.clauses import Clause
from data.workshop.constructions.being import be, classified
from data.workshop.constructions.describing import adjective_words, described_subject, tensed
from data.workshop.korean import copula
from data.workshop.lexicon import find
from data.workshop.moods import BE, BY_NAME
from data.workshop.noun_phrases import pronoun, pronoun_row, random_pronoun
from data.workshop.people import person, person_subject
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag

SAYING = {
    "think": (("think", "thinks", "thought"), "that", "생각해", "생각했어"),
    "say": (("say", "says", "said"), "that", "말해", "말했어"),
    "know": (("know", "knows", "knew"), "thing that", "알아", "알았어"),
    "believe": (("believe", "believes", "believed"), "that", "믿어", "믿었어"),
    "hear": (("hear", "hears", "heard"), "that", "들어", "들었어"),
}


def reported(chooser: Chooser, ending: str) -> tuple[list[English], list[Korean]]:
    """Make he is kind, she likes me, it will rain, with the Korean closed for reporting."""
    kind = chooser.weighted([("adjective", 4), ("noun", 2), ("verb", 5)])
    if kind == "adjective":
        found = described_subject(chooser)
        if found is not None:
            subject, entry = found
            tag = new_tag()
            made = adjective_words(tensed(entry, "present", False), tag, ending)
            return be(subject, "present", False, False, tag, english(entry["english"], tag, 0)), [
                *subject.with_particle("이"),
                *made,
            ]
    if kind == "noun":
        others = pronoun(pronoun_row(chooser.one(["he", "she", "they"])))
        subject = others if chooser.chance(0.5) else person(chooser, chooser.one(["name", "kin"]))
        phrase = classified(chooser, subject)
        *before, last = (*phrase.korean, *phrase.counter)
        opened = copula(last.text)
        made = [
            Korean(text, last.tag, place == opened.main)
            for place, text in enumerate(opened.close(ending))
        ]
        return be(subject, "present", False, False, phrase.tag, list(phrase.english)), [
            *subject.with_particle("이"),
            *before,
            *made,
        ]
    mood = BY_NAME[chooser.weighted([("present", 4), ("past", 3), ("will", 3), ("can", 2)])]
    clause = make_clause(chooser, mood, rich=0.04)
    clause.nothing_in_front()
    return clause.english_words(mood), clause.korean_words(mood, ending=ending, particle="이")


@construction("that-clause", 4.5)
def that_clause(chooser: Chooser) -> Sentence | None:
    """I think that he is kind. Do you know she lives in Seoul? He said it would …"""
    verb = chooser.weighted([("think", 5), ("know", 3), ("say", 2), ("believe", 1), ("hear", 1)])
    forms, ending, present, past_form = SAYING[verb]
    subject = random_pronoun(chooser) if chooser.chance(0.8) else person(chooser, "name")
    past = verb in ("say", "hear") or chooser.chance(0.1)
    part = reported(chooser, ending)
    if part[0][0].text == subject.english[0].text:
        return None
    if verb == "say" and part[0][0].text in ("you", "I"):
        return None
    tag = new_tag()
    that = english("that", part[1][-1].tag) if chooser.chance(0.55) else []
    thing = korean("것을", part[1][-1].tag, None) if verb == "know" else []
    question = (
        verb in ("think", "know", "believe")
        and not past
        and subject.pronoun["subject"] not in ("I", "we")
        and chooser.chance(0.3)
    )
    negative = (
        verb in ("think", "know", "believe") and not past and not question and chooser.chance(0.12)
    )
    helper = "does" if subject.number == "third" else "do"
    last = korean(past_form if past else present, tag)
    if negative:
        stem = {"think": "생각하지", "know": "알지", "believe": "믿지"}[verb]
        last = [Korean(stem, tag), Korean("않아" if verb != "know" else "못해", tag, False)]
    finite = forms[2] if past else (forms[1] if subject.number == "third" else forms[0])
    if question:
        words = [*english(helper, tag), *subject.english, *english(forms[0], tag, 0)]
    elif negative:
        words = [*subject.english, *english(f"{helper} not", tag), *english(forms[0], tag, 0)]
    else:
        words = [*subject.english, *english(finite, tag, 0)]
    return Sentence(
        [*words, *that, *part[0]],
        [*subject.with_particle("은"), *part[1], *thing, *last],
        "?" if question else ".",
    )


@construction("hope that", 1.2)
def hope(chooser: Chooser) -> Sentence | None:
    """I hope that you get well. I hope it will be sunny."""
    mood = BY_NAME[chooser.one(["present", "will", "will"])]
    subject = person_subject(chooser)
    clause = make_clause(chooser, mood, subject, rich=0.04)
    clause.nothing_in_front()
    if clause.subject.english[0].text in ("I", "we") or clause.middle:
        return None
    who = random_pronoun(chooser)
    if who.english[0].text not in ("I", "we"):
        return None
    tag = new_tag()
    that = english("that", tag) if chooser.chance(0.5) else []
    words = [*who.english, *english("hope", tag, 0), *that, *clause.english_words(mood)]
    made = [*who.with_particle("은"), *clause.korean_with((), "기를", "이"), *korean("바라", tag)]
    return Sentence(words, made)


WONDERED = {
    "where": ["live", "go", "study", "work", "play"],
    "what": ["want", "like", "eat", "buy", "read", "need"],
}


WHENEVER = ["go home", "come back", "go to bed", "leave", "cry", "go shopping", "cook", "study"]


@construction("embedded question", 1.8)
def embedded(chooser: Chooser) -> Sentence | None:
    """I don't know where he lives. Do you know what this is? Do you know who she is?"""
    kind = chooser.one(["who", "where", "what", "when", "why", "how"])
    who = random_pronoun(chooser)
    if who.english[0].text not in ("I", "you"):
        return None
    question = who.english[0].text == "you"
    tag, own = new_tag(), new_tag()
    subject = person_subject(chooser)
    if subject.english == who.english:
        return None
    mood = BY_NAME[chooser.one(["present", "past"])]
    if kind == "who":
        inner = [*english("who", own, 0), *subject.english, *english(BE[subject.number][0], own)]
        made = [*subject.with_particle("이"), Korean("누구인지", own)]
    else:
        verb = find("verbs", "english", chooser.one(WONDERED.get(kind, WHENEVER)))
        clause = Clause(subject, verb)
        static = verb["english"] in ("live", "go")
        particle = "이" if verb["english"] == "need" else "을"
        text = {
            "where": "어디에" if static else "어디에서",
            "what": "무엇" + particle,
            "when": "언제",
            "why": "왜",
            "how": "어떻게",
        }[kind]
        clause.slots.append(
            ("time" if kind in ("when", "why", "how") else "object", korean(text, own))
        )
        inner = [*english(kind, own, 0), *clause.english_words(mood)]
        ending = "은지" if verb["tag"].startswith("VA") else "는지"
        made = clause.korean_with(mood.positive, ending if not mood.past else "는지", "이")
    if question:
        return Sentence(
            [*english("do", tag), *who.english, *english("know", tag, 0), *inner],
            [*who.with_particle("은"), *made, *korean("알아", tag)],
            "?",
        )
    return Sentence(
        [*who.english, *english("do not", tag), *english("know", tag, 0), *inner],
        [*who.with_particle("은"), *made, *korean("몰라", tag)],
    )
