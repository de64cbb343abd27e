"""Likes compared, too, here is, so … that, too … to, it takes, born, good at, interested in, and
other patterns of a primer.
"""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.clause_maker import make_clause, verbs_named
from data.workshop.clauses import Clause
from data.workshop.constructions.being import be
from data.workshop.korean import attach, verb
from data.workshop.lexicon import find, nouns_of
from data.workshop.moods import BY_NAME
from data.workshop.noun_phrases import NounPhrase, noun, random_pronoun
from data.workshop.nouns_at_random import own_body
from data.workshop.people import known_person, person
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag

LIKED = (
    "fruit",
    "drink",
    "dish",
    "snack",
    "sport",
    "subject",
    "season",
    "animal",
    "sound",
    "pastime",
)


def some_subject(chooser: Chooser) -> NounPhrase:
    """Make I, he, Minsu, my mother."""
    return (
        random_pronoun(chooser)
        if chooser.chance(0.65)
        else person(chooser, chooser.one(["name", "kin", "kin", "the"]))
    )


def liked(chooser: Chooser, kind: str) -> NounPhrase:
    """Make apples, milk, soccer: things of a kind in general."""
    entry = chooser.entry(
        [
            one
            for one in nouns_of((kind,))
            if one["kind"] in ("count", "mass", "bare", "plural")
            and one["english"] not in ("food", "fruit", "animal", "games", "meat", "snacks")
        ]
    )
    return noun(entry, "plural" if entry["kind"] == "count" else "")


@construction("like better", 1.2)
def like_better(chooser: Chooser) -> Sentence | None:
    """I like apples better than bananas.

    Which do you like better, tea or coffee? I like soccer best.
    """
    kind = chooser.one(LIKED)
    first, second = liked(chooser, kind), liked(chooser, kind)
    if first.text == second.text:
        return None
    subject = some_subject(chooser)
    tag, better = new_tag(), new_tag()
    third = subject.number == "third"
    shape = chooser.weighted([("than", 4), ("which", 2), ("best", 2)])
    if shape == "which" and subject.pronoun["subject"] not in ("I", "we"):
        helper = "does" if third else "do"
        own = new_tag()
        words = [
            *english("which", own, 0),
            *english(helper, tag),
            *subject.english,
            *english("like", tag, 0),
            *english("better,", better, 0),
        ]
        words += [*first.english, *english("or", first.tag), *second.english]
        made = [
            *subject.with_particle("은"),
            *first.with_particle("와"),
            *second.with_particle(""),
            Korean("중에", own, False),
        ]
        return Sentence(
            words,
            [*made, *korean("어느 것을", own, 0), *korean("더", better), *korean("좋아해", tag)],
            "?",
        )
    words = [*subject.english, *english("likes" if third else "like", tag, 0), *first.english]
    if shape == "best":
        made = [
            *subject.with_particle("은"),
            *first.with_particle("을"),
            *korean("가장", better),
            *korean("좋아해", tag),
        ]
        return Sentence(
            [*words, *english("the best" if chooser.chance(0.4) else "best", better, -1)], made
        )
    words += [*english("better", better, 0), *english("than", second.tag), *second.english]
    return Sentence(
        words,
        [
            *subject.with_particle("은"),
            *second.with_particle("보다"),
            *first.with_particle("을"),
            *korean("더", better),
            *korean("좋아해", tag),
        ],
    )


@construction("like a color", 0.5)
def like_a_color(chooser: Chooser) -> Sentence:
    """I like blue. Do you like red? She doesn't like white."""
    subject, row, tag, own = some_subject(chooser), chooser.row("colors"), new_tag(), new_tag()
    helper = "does" if subject.number == "third" else "do"
    kind = chooser.weighted(
        [
            ("plain", 5),
            ("not", 2),
            ("question", 2 * (subject.pronoun["subject"] not in ("I", "we"))),
        ]
    )
    words = {
        "plain": [*subject.english, *english("likes" if helper == "does" else "like", tag, 0)],
        "not": [*subject.english, *english(f"{helper} not like", tag, -1)],
        "question": [*english(helper, tag), *subject.english, *english("like", tag, 0)],
    }[kind]
    words += english(row["english"], own, 0)
    made = [*subject.with_particle("은"), *korean(attach(row["korean"], "을"), own)]
    made += korean("좋아하지 않아", tag, 0) if kind == "not" else korean("좋아해", tag)
    return Sentence(words, made, "?" if kind == "question" else ".")


@construction("too", 1.2)
def too(chooser: Chooser) -> Sentence:
    """I like music, too. She can swim too."""
    mood = BY_NAME[
        chooser.weighted([("present", 5), ("past", 3), ("can", 3), ("want to", 2), ("will", 1)])
    ]
    clause = make_clause(chooser, mood, some_subject(chooser), rich=0.0)
    words = clause.english_words(mood)
    if chooser.chance(0.6):
        words[-1] = English(words[-1].text + ",", words[-1].links)
    words += english("too", clause.subject.tag)
    return Sentence(words, clause.korean_words(mood, particle="도"))


@construction("good at, interested in", 1.2)
def good_at(chooser: Chooser) -> Sentence:
    """I'm good at math. She is interested in music. Are you afraid of dogs?"""
    subject = some_subject(chooser)
    tag = new_tag()
    patterns = [
        ("good at", ("subject", "sport", "language", "pastime"), "을", "잘하", "VV"),
        (
            "interested in",
            ("subject", "sport", "sound", "animal", "language"),
            "에",
            "관심이 있",
            "VV",
        ),
        ("afraid of", ("animal",), "을", "무서워하", "VV"),
        ("poor at", ("subject", "sport"), "을", "못하", "VV"),
        ("tired of", ("homework", "housework", "computer games"), "이", "지겹", "VA-I"),
    ]
    words_of, classes, particle, stem, stem_tag = chooser.weighted(
        [(patterns[0], 5), (patterns[1], 4), (patterns[2], 3), (patterns[3], 1), (patterns[4], 0.5)]
    )
    entry = chooser.entry(nouns_of(classes))
    phrase = (
        own_body(entry, subject)
        if entry["english"] in ("homework", "housework")
        else noun(entry, "plural" if entry["kind"] == "count" else "")
    )
    past = chooser.chance(0.12)
    question = not past and chooser.chance(0.2) and subject.pronoun["subject"] not in ("I", "we")
    negative = not question and not past and words_of != "poor at" and chooser.chance(0.2)
    words = be(
        subject,
        "past" if past else "present",
        negative,
        question,
        tag,
        [*english(words_of, tag, 0), *phrase.english],
    )
    if negative and stem == "관심이 있":  # one does not say 관심이 있지 않아
        opened = verb("관심이 없", "VA")
    else:
        opened = verb(stem, stem_tag).also(
            *(["not"] if negative else []), *(["past"] if past else [])
        )
    made = [
        Korean(text, tag, place == opened.main) for place, text in enumerate(opened.close("final"))
    ]
    return Sentence(
        words,
        [*subject.with_particle("은"), *phrase.with_particle(particle), *made],
        "?" if question else ".",
    )


COMPARATIVES = {
    "fast": "faster", "hard": "harder", "early": "earlier", "late": "later",
    "slowly": "more slowly", "well": "better",
    "quickly": "more quickly", "loudly": "more loudly",
}  # fmt: skip


MANNERS = [
    ("run", "fast"), ("swim", "fast"), ("walk", "fast"), ("walk", "slowly"), ("study", "hard"),
    ("work", "hard"), ("get up", "early"),
    ("go to bed", "late"), ("go to bed", "early"), ("get up", "late"), ("sing", "well"),
    ("dance", "well"), ("cook", "well"),
    ("drive", "slowly"), ("come home", "late"), ("arrive", "early"), ("practice", "hard"),
    ("exercise", "hard"), ("swim", "well"),
    ("ski", "well"),
]  # fmt: skip


@construction("faster than", 0.8)
def faster(chooser: Chooser) -> Sentence | None:
    """He runs faster than me. I get up earlier than my brother. She sings best."""
    name, adverb = chooser.one(MANNERS)
    subject = some_subject(chooser)
    other = known_person(chooser, subject)
    if other.text == subject.text:
        return None
    mood = BY_NAME[
        chooser.weighted(
            [
                ("present", 5),
                ("past", 2),
                ("can", 2 if name in ("run", "swim", "walk", "sing", "dance", "ski") else 0),
            ]
        )
    ]
    clause = Clause(subject, verbs_named((name,))[0])
    clause.add_adverb(find("adverbs", "english", adverb))
    own = clause.after[-1].links[0][0]
    clause.after = [
        *english(COMPARATIVES[adverb], own, -1),
        *english("than", other.tag),
        *other.objective,
    ]
    more = Korean("더", own, False)
    clause.slots = [
        (slot, [more, *words] if slot == "together" else words) for slot, words in clause.slots
    ]
    clause.adverb = [more, *clause.adverb] if clause.adverb else []
    clause.slots.append(("companion", other.with_particle("보다")))
    return clause.statement(mood)
