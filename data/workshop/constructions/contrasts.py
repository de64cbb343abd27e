"""Small but strong; too tired to study; so tired that."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.clause_maker import make_clause, verbs_named
from data.workshop.constructions.being import be
from data.workshop.constructions.describing import adjective_words, tensed
from data.workshop.constructions.preferring import some_subject
from data.workshop.constructions.reasons import feeling
from data.workshop.korean import verb
from data.workshop.lexicon import find, read
from data.workshop.moods import BY_NAME
from data.workshop.noun_phrases import pronoun
from data.workshop.registry import construction
from data.workshop.words import English, Sentence, english, korean, new_tag


@construction("too … to, so … that", 0.9)
def too_to(chooser: Chooser) -> Sentence:
    """I'm too tired to study. I was so tired that I couldn't study."""
    rows = [row for row in read("reasons") if row["kind"] == "adjective" and row.list("prevents")]
    row = chooser.entry(rows)
    subject = some_subject(chooser)
    again = pronoun(subject.pronoun)
    past = chooser.chance(0.5)
    tag, own = new_tag(), new_tag()
    mood = BY_NAME["could" if past else "can"]
    clause = make_clause(
        chooser, mood, again, rich=0.0, verb=chooser.entry(verbs_named(row.list("prevents")))
    )
    entry = feeling(row["cause"])
    first = be(subject, "past" if past else "present", False, False, tag, [])
    made = adjective_words(verb(entry["korean"], entry["tag"]), tag, "어서")
    rest = clause.korean_words(mood, negative=True, particle="")
    if chooser.chance(0.5):
        words = [
            *first,
            *english("too", own, 0),
            *english(row["cause"], tag, 0),
            *english("to", clause.tag),
            *clause.base_words(),
        ]
        return Sentence(words, [*subject.with_particle("은"), *korean("너무", own), *made, *rest])
    words = [
        *first,
        *english("so", own, 0),
        *english(row["cause"], tag, 0),
        *english("that", tag),
        *clause.english_words(mood, negative=True),
    ]
    return Sentence(words, [*subject.with_particle("은"), *korean("정말", own), *made, *rest])


@construction("small but strong", 0.7)
def small_but(chooser: Chooser) -> Sentence | None:
    """He is small, but he is strong. She is old but she can swim well."""
    pairs = [
        ("old", "healthy"),
        ("young", "smart"),
        ("rich", "lonely"),
        ("poor", "happy"),
        ("short", "strong"),
        ("kind", "shy"),
        ("busy", "happy"),
        ("tired", "happy"),
        ("smart", "lazy"),
        ("quiet", "funny"),
        ("tall", "weak"),
        ("young", "brave"),
        ("poor", "honest"),
        ("sick", "happy"),
    ]
    entries = [
        feeling(word) if word != "young" else find("adjectives", "korean", "어리")
        for word in chooser.one(pairs)
    ]
    subject = some_subject(chooser)
    again = pronoun(subject.pronoun)
    tags = [new_tag(), new_tag()]
    tense = "past" if chooser.chance(0.2) else "present"
    negative = chooser.chance(0.15)
    head = be(subject, tense, False, False, tags[0], english(entries[0]["english"], tags[0], 0))
    if chooser.chance(0.7):
        head[-1] = English(head[-1].text + ",", head[-1].links)
    words = [
        *head,
        *english("but", tags[0]),
        *be(again, tense, negative, False, tags[1], english(entries[1]["english"], tags[1], 0)),
    ]
    made = [
        *subject.with_particle("은"),
        *adjective_words(tensed(entries[0], tense, False), tags[0], "지만"),
        *adjective_words(tensed(entries[1], tense, negative), tags[1]),
    ]
    return Sentence(words, made)
