"""Where people do things, and to whose party they come."""

from __future__ import annotations

from data.workshop.chooser import Chooser, UnsuitableError
from data.workshop.clause_maker import make_clause
from data.workshop.clauses import Clause
from data.workshop.korean import attach
from data.workshop.lexicon import Entry, find, read
from data.workshop.moods import BY_NAME
from data.workshop.noun_phrases import article, noun
from data.workshop.people import person_subject
from data.workshop.places import at_place
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag

DOING = (
    ("present", 6.0), ("past", 4.0), ("present progressive", 3.0), ("past progressive", 1.0),
    ("will", 2.0), ("can", 1.5), ("want to", 1.5),
    ("have to", 0.8), ("should", 0.6),
)  # fmt: skip


COMING = (
    ("will", 4.0),
    ("can", 3.0),
    ("past", 3.0),
    ("want to", 2.0),
    ("going to", 1.0),
    ("would like to", 0.7),
)


@construction("at a place", 4)
def at_a_place(chooser: Chooser) -> Sentence:
    """My father works in a hospital. Do you study at home? I'm waiting at the bus stop."""
    mood = BY_NAME[chooser.weighted(DOING)]
    subject = person_subject(chooser)
    verb = chooser.entry(
        [one for one in read("verbs") if one["frame"] == "intransitive" and one.list("places")]
    )
    if chooser.chance(0.15):
        verb = find("verbs", "english", "work")
    clause = make_clause(chooser, mood, subject, rich=0.0, verb=verb)
    place = chooser.row("places", "uses", *clause.verb.list("places"))
    clause.add("place", *_somewhere(chooser, place))
    if subject.pronoun["subject"] not in ("I", "we") and chooser.chance(0.2):
        return clause.question(mood)
    return clause.statement(
        mood,
        negative=mood.name in ("present", "past", "present progressive") and chooser.chance(0.12),
    )


def _somewhere(chooser: Chooser, place: Entry) -> tuple[list[English], list[Korean]]:
    """Make at the bank, and of a house where one works, in a bank too."""
    bare = place["english"].removeprefix("the ")
    if (
        "work" not in place.list("uses")
        or place["preposition"] != "at"
        or bare in ("home", "work")
        or chooser.chance(0.5)
    ):
        return at_place(place, "에서")
    tag = new_tag()
    return english(f"{chooser.one(('in', 'at'))} {article(bare)} {bare}", tag, -1), korean(
        attach(place["korean"], "에서"), tag
    )


@construction("come to my party", 0.7)
def come_to_my_party(chooser: Chooser) -> Sentence:
    """Will you come to my party? She came to our house."""
    mood = BY_NAME[chooser.weighted(COMING)]
    subject = person_subject(chooser)
    if subject.pronoun["subject"] in ("I", "we"):
        raise UnsuitableError  # whoever speaks goes (가) to others
    owner = find(
        "pronouns", "subject", chooser.weighted([("I", 5), ("we", 2), ("he", 0.5), ("she", 0.5)])
    )
    if owner["subject"] == subject.pronoun["subject"]:
        raise UnsuitableError
    goal = noun(
        find("nouns", "english", chooser.one(("party", "birthday party", "house", "school"))),
        "owner",
        owner=owner,
    )
    clause = Clause(subject, find("verbs", "english", "come"))
    clause.add("goal", [*english("to", goal.tag), *goal.objective], goal.with_particle("에"))
    return clause.question(mood) if chooser.chance(0.45) else clause.statement(mood)
