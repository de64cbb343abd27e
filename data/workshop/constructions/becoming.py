"""What one wants to be, becomes, gets; what is still going on."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.clause_maker import make_clause
from data.workshop.constructions.being import professions
from data.workshop.constructions.describing import adjective_words
from data.workshop.constructions.preferring import some_subject
from data.workshop.constructions.reasons import feeling
from data.workshop.korean import verb
from data.workshop.lexicon import find
from data.workshop.moods import BE, BY_NAME, auxiliaries, verb_group
from data.workshop.noun_phrases import noun
from data.workshop.registry import construction
from data.workshop.words import Sentence, english, korean, new_tag

BECOMING = [
    ("want to", 6.0),
    ("will", 2),
    ("going to", 1),
    ("would like to", 1),
    ("hope to", 0.7),
    ("can", 0.7),
    ("wanted to", 1),
]


@construction("want to be: noun", 1.6)
def want_to_be(chooser: Chooser) -> Sentence:
    """I want to be a doctor. He will become a singer. Do you want to be a teacher?"""
    subject = some_subject(chooser)
    mood = BY_NAME[chooser.weighted(BECOMING)]
    question = (
        mood.name == "want to"
        and subject.pronoun["subject"] not in ("I", "we")
        and chooser.chance(0.25)
    )
    negative = not question and mood.name in ("want to", "will") and chooser.chance(0.12)
    plural = subject.number == "plural" or subject.pronoun["subject"] in ("we", "they")
    job = noun(chooser.entry(professions(subject)), "plural" if plural else "a")
    name = "be" if mood.name != "will" and chooser.chance(0.75) else "become"
    entry = find("verbs", "english", "become")
    tag = new_tag()
    group = verb_group(mood, entry, tag, subject.number, negative, question)
    rest = [*group.rest, *job.english]
    if name == "be":
        rest = [english("be", tag, 0)[0] if word.text == "become" else word for word in rest]
    words = (
        [*group.finite, *subject.english, *rest]
        if question
        else [*subject.english, *group.finite, *rest]
    )
    opened = verb("되", "VV").also(*auxiliaries(mood, negative, not subject.speaks))
    bare = noun(job.entry) if job.entry is not None else job
    what = list(bare.with_particle("이"))
    what = [
        type(word)(word.text, job.tag if word.tag == bare.tag else other.tag, word.head)
        for word, other in zip(what, job.korean, strict=True)
    ]
    return Sentence(
        words,
        [*subject.with_particle("은"), *what, *adjective_words(opened, tag)],
        "?" if question else ".",
    )


@construction("want to be: adjective", 0.7)
def want_to_feel(chooser: Chooser) -> Sentence:
    """I want to be happy. He got hungry. She will get tired."""
    subject = some_subject(chooser)
    tag, own = new_tag(), new_tag()
    if chooser.chance(0.5):
        entry = feeling(
            chooser.one(
                [
                    "happy",
                    "rich",
                    "famous",
                    "healthy",
                    "strong",
                    "smart",
                    "kind",
                    "tall",
                    "brave",
                    "free",
                ]
            )
        )
        mood = BY_NAME[chooser.one(["want to", "want to", "will", "wanted to"])]
        group = verb_group(mood, find("verbs", "english", "become"), own, subject.number)
        rest = [
            english("be" if mood.name != "will" else "become", own)[0]
            if word.text == "become"
            else word
            for word in group.rest
        ]
        opened = verb(entry["korean"], entry["tag"]).also(
            "become", *auxiliaries(mood, False, not subject.speaks)
        )
        words = [
            *subject.english,
            *group.finite,
            *[type(word)(word.text, ((tag, False),)) for word in rest],
            *english(entry["english"], tag, 0),
        ]
        words = [
            type(word)(
                word.text,
                tuple(
                    (tag if link == own else link, False if link == own else head)
                    for link, head in word.links
                ),
            )
            for word in words
        ]
        return Sentence(words, [*subject.with_particle("은"), *adjective_words(opened, tag)])
    entry = feeling(
        chooser.one(
            [
                "hungry",
                "tired",
                "sleepy",
                "happy",
                "sad",
                "busy",
                "rich",
                "strong",
                "lonely",
                "bored",
                "thirsty",
                "healthy",
                "famous",
            ]
        )
    )
    words = [
        *subject.english,
        *english(chooser.one(["got", "got", "became"]), tag),
        *english(entry["english"], tag, 0),
    ]
    opened = verb(entry["korean"], entry["tag"]).also("become", "past")
    return Sentence(words, [*subject.with_particle("은"), *adjective_words(opened, tag)])


@construction("still", 0.4)
def still(chooser: Chooser) -> Sentence:
    """He is still sleeping."""
    mood = BY_NAME["present progressive"]
    clause = make_clause(chooser, mood, some_subject(chooser), rich=0.0)
    own = new_tag()
    clause.slots.append(("frequency", korean("아직", own)))
    finite = english(BE[clause.subject.number][0], clause.tag)
    return Sentence(
        [*clause.subject.english, *finite, *english("still", own, 0), *clause.base_words("ing")],
        clause.korean_words(mood),
    )
