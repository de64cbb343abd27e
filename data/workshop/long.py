"""Long sentences, 15 to 40 words, by coordination and clauses.

For studying what length does to a translator.
"""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.clause_maker import make_clause
from data.workshop.clauses import Clause
from data.workshop.constructions.joining import with_comma
from data.workshop.moods import BY_NAME, Mood
from data.workshop.people import person_subject
from data.workshop.words import English, Korean, Sentence, english

MOODS = [("past", 6.0), ("present", 3), ("will", 1.5), ("can", 1), ("want to", 1)]


def long_sentence(chooser: Chooser) -> Sentence:
    """Join three to five clauses, of one tense, with and, but and because."""
    mood = BY_NAME[chooser.weighted(MOODS)]
    clauses = [_clause(chooser, mood) for _ in range(chooser.one(range(2, 6)))]
    words: list[English] = []
    translation: list[Korean] = []
    for number, clause in enumerate(clauses):
        last = number == len(clauses) - 1
        part = clause.english_words(mood)
        joint, ending = (
            ("", "final")
            if last
            else chooser.weighted([(("and", "고"), 4.0), (("but", "지만"), 2)])
        )
        words += part if last else [*with_comma(part), *english(joint, clause.tag)]
        translation += clause.korean_words(mood, ending=ending)
    return Sentence(words, translation)


def _clause(chooser: Chooser, mood: Mood) -> Clause:
    clause = make_clause(chooser, mood, person_subject(chooser), rich=0.45)
    clause.nothing_in_front()
    return clause
