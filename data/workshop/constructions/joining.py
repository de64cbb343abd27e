"""Coordination: of nouns, verbs and whole sentences."""

from __future__ import annotations

from dataclasses import replace

from data.workshop.chooser import Chooser
from data.workshop.clause_maker import add_object, daily_clause, in_turn, make_clause, verbs
from data.workshop.clauses import Clause
from data.workshop.lexicon import nouns_of
from data.workshop.moods import BY_NAME, Mood
from data.workshop.noun_phrases import NounPhrase, pronoun, pronoun_row, random_pronoun
from data.workshop.nouns_at_random import object_for
from data.workshop.people import person, person_subject
from data.workshop.registry import construction, named
from data.workshop.words import English, Sentence, english

JOINED = [
    ("present", 4.0),
    ("past", 6),
    ("will", 1.5),
    ("can", 2),
    ("want to", 2),
    ("present progressive", 1),
]


def both(first: NounPhrase, second: NounPhrase, word: str = "and") -> NounPhrase:
    """Join two noun phrases: A와 B, A나 B."""
    words = (*first.english, *english(word, first.tag), *second.english)
    objective = (*first.objective, *english(word, first.tag), *second.objective)
    joined = first.with_particle("와" if word == "and" else "나")
    return replace(
        second,
        english=words,
        objective=objective,
        korean=(*joined, *second.korean),
        number="plural",
        pronoun=pronoun_row("they"),
        entry=None,
    )


@construction("nouns: and, or", 3)
def joined_objects(chooser: Chooser) -> Sentence | None:
    """I bought apples and milk. He plays soccer and tennis. Do you like cats or dogs?"""
    mood = BY_NAME[chooser.weighted(JOINED)]
    entries = [
        entry
        for entry in verbs(("transitive",), mood.stative)
        if len(nouns_of(entry.list("objects"))) > 4 and entry["particle"] == "을"
    ]
    verb = chooser.entry(entries)
    clause = Clause(person_subject(chooser), verb)
    first, second = (
        object_for(chooser, verb, clause.subject),
        object_for(chooser, verb, clause.subject),
    )
    if first.text == second.text or first.counter or first.english[0].text in ("me", "you"):
        return None
    word = chooser.weighted([("and", 6), ("or", 1)])
    add_object(clause, both(first, second, word))
    if (
        word == "or"
        and clause.subject.pronoun["subject"] not in ("I", "we")
        and mood.name in ("present", "want to")
    ):
        return clause.question(mood)
    return clause.statement(mood)


@construction("subjects: and", 2)
def joined_subjects(chooser: Chooser) -> Sentence | None:
    """Tom and Jane are students. My brother and I play tennis."""
    mood = BY_NAME[chooser.weighted(JOINED)]
    first = person(chooser, chooser.one(["name", "name", "kin"]))
    second = (
        person(chooser, chooser.one(["name", "name", "kin"]))
        if chooser.chance(0.75)
        else random_pronoun(chooser)
    )
    if (
        first.text == second.text
        or second.number == "plural"
        or second.pronoun["subject"] in ("we", "they")
        or second.english[0].text in ("he", "she")
    ):
        return None
    if second.english[0].text == "you":
        return None
    subject = both(first, second)
    if second.english[0].text == "I":
        subject = replace(subject, pronoun=pronoun_row("we"), entry=pronoun_row("we"))
    return make_clause(chooser, mood, subject, rich=0.12).statement(mood)


@construction("verbs: and", 2)
def joined_verbs(chooser: Chooser) -> Sentence | None:
    """I washed my hands and ate dinner. He sings and dances well."""
    mood = BY_NAME[chooser.weighted([("present", 3), ("past", 7), ("will", 1.5), ("can", 2)])]
    subject = person_subject(chooser)
    first, second = (daily_clause(chooser, mood, subject, verb) for verb in in_turn(chooser))
    if "state" in (*first.verb.list("extras"), *second.verb.list("extras")):
        return None
    more = (
        second.base_words()
        if mood.name in ("will", "can")
        else second.english_words(mood, subject=False)
    )
    words = [*first.english_words(mood), *english("and", first.tag), *more]
    made = [*first.korean_with((), "고"), *second.korean_words(mood, particle="")]
    return Sentence(words, made)


def with_comma(words: list[English]) -> list[English]:
    """Put a comma after the last word."""
    return [*words[:-1], English(words[-1].text + ",", words[-1].links)]


def two_clauses(
    chooser: Chooser, moods: list[tuple[str, float]]
) -> tuple[Clause, Clause, Mood] | None:
    """Make what two people do, the same thing or things of one scene.

    I like cats, and my sister likes dogs.
    """
    subjects = person_subject(chooser), person_subject(chooser)
    if subjects[0].text == subjects[1].text:
        return None
    mood = BY_NAME[chooser.weighted(moods)]
    if chooser.chance(0.5):
        first = make_clause(chooser, mood, subjects[0], ("transitive",), rich=0.0)
        second = make_clause(chooser, mood, subjects[1], rich=0.0, verb=first.verb)
    else:
        first, second = (
            daily_clause(chooser, mood, subject, verb)
            for subject, verb in zip(subjects, in_turn(chooser), strict=True)
        )
    said = [
        [word.text for word in clause.korean_words(mood, particle="")] for clause in (first, second)
    ]
    return None if said[0] == said[1] else (first, second, mood)


@construction("sentences: and", 1.9)
def and_sentence(chooser: Chooser) -> Sentence | None:
    """I like cats, and my sister likes dogs."""
    made = two_clauses(chooser, JOINED)
    if made is None:
        return None
    first, second, mood = made
    head = first.english_words(mood)
    head = with_comma(head) if chooser.chance(0.5) else head
    words = [*head, *english("and", first.tag), *second.english_words(mood)]
    return Sentence(words, [*first.korean_words(mood, ending="고"), *second.korean_words(mood)])


@construction("sentences: but", 3.1)
def but_sentence(chooser: Chooser) -> Sentence | None:
    """I like apples, but I don't like bananas. He is small but he can run fast."""
    if chooser.chance(0.5):
        mood = BY_NAME[
            chooser.weighted([("present", 5), ("past", 3), ("can", 3), ("want to", 1.5)])
        ]
        subject = person_subject(chooser)
        verb = chooser.entry(verbs(("transitive",), mood.stative))
        first = make_clause(chooser, mood, subject, rich=0.0, verb=verb)
        second = make_clause(chooser, mood, subject, rich=0.0, verb=first.verb)
        if [word.text for word in first.korean_words(mood)] == [
            word.text for word in second.korean_words(mood)
        ]:
            return None
        pattern = chooser.weighted([("later", 3), ("first", 1)])
        denied = (pattern == "first", pattern == "later")
        if (
            subject.pronoun["subject"] != "I"
            and subject.entry is not None
            and subject.entry.file != "pronouns"
        ):
            second.subject = pronoun(subject.pronoun)
        different = False
    else:
        made = two_clauses(chooser, [("present", 5), ("past", 4), ("can", 2)])
        if made is None:
            return None
        first, second, mood = made
        different = True
        denied = (False, first.verb is second.verb)
    head = first.english_words(mood, denied[0])
    head = with_comma(head) if chooser.chance(0.6) else head
    same = first.subject.text == second.subject.text or (
        second.subject.pronoun is first.subject.pronoun and not different
    )
    words = [*head, *english("but", first.tag), *second.english_words(mood, denied[1])]
    return Sentence(
        words,
        [
            *first.korean_words(mood, denied[0], "지만"),
            *second.korean_words(mood, denied[1], particle="" if same else "은"),
        ],
    )


@construction("sentences: or", 0.7)
def or_sentence(chooser: Chooser) -> Sentence | None:
    """I read books or watch TV."""
    mood = BY_NAME["present"]
    subject = person_subject(chooser)
    first, second = (daily_clause(chooser, mood, subject, verb) for verb in in_turn(chooser))
    if "state" in (*first.verb.list("extras"), *second.verb.list("extras")):
        return None
    words = [
        *first.english_words(mood),
        *english("or", first.tag),
        *second.english_words(mood, subject=False),
    ]
    return Sentence(
        words, [*first.korean_words(mood, ending="거나"), *second.korean_words(mood, particle="")]
    )


@construction("two sentences", 0.7)
def two_sentences(chooser: Chooser) -> list[Sentence] | None:
    """I am Minsu. I am a student."""
    short = (
        "is: person",
        "is: thing",
        "what is this",
        "names and favorites",
        "nationality and origin",
        "age",
        "adjective",
        "adjective: it, this",
        "what: object",
        "where",
        "there is",
        "have",
        "where things are",
        "weather",
        "clock time",
        "day and date",
        "price",
        "illness",
        "imperative",
        "short statement",
        "negation",
        "yes/no question",
    )
    makers = [named(name).make for name in short]
    result: list[Sentence] = []
    for _ in range(2):
        made = chooser.one(makers)(chooser)
        if not isinstance(made, Sentence) or len(made.english) > 5:
            return None
        result.append(made)
    return result
