"""Purpose: to go somewhere to do something, to work hard for something."""

from __future__ import annotations

from data.workshop.chooser import Chooser
from data.workshop.clause_maker import make_clause, verbs, verbs_named
from data.workshop.clauses import Clause
from data.workshop.korean import attach
from data.workshop.lexicon import find, read
from data.workshop.moods import BY_NAME
from data.workshop.people import person_subject
from data.workshop.places import to_place
from data.workshop.registry import construction
from data.workshop.words import Sentence, english, korean, new_tag

AIMS = {
    "eat": ("eat", "have", "meet", "drink"), "shop": ("buy",),
    "study": ("study", "read", "learn", "borrow", "meet"),
    "play": ("play", "exercise", "meet", "take a walk", "dance", "take pictures"),
    "swim": ("swim", "play"), "watch": ("watch", "meet"),
    "walk": ("take a walk", "take pictures", "meet"), "meet": ("meet",),
    "travel": ("meet", "visit", "study", "work", "learn", "travel"),
    "arrive": ("meet",), "work": ("work", "help", "meet"), "cook": ("cook", "drink", "make"),
    "sleep": ("sleep", "rest"),
    "farm": ("help", "work"),
}  # fmt: skip


@construction("purpose", 3.6)
def purpose(chooser: Chooser) -> Sentence:
    """I went to the store to buy milk."""
    mood = BY_NAME[
        chooser.weighted(
            [("past", 5), ("present", 2), ("will", 2), ("going to", 1.5), ("want to", 1)]
        )
    ]
    subject = person_subject(chooser)
    place = chooser.entry([one for one in read("places") if "goal" in one.list("uses")])
    aims = verbs_named(AIMS[chooser.one([use for use in place.list("uses") if use in AIMS])])
    aim = make_clause(chooser, BY_NAME["can"], subject, rich=0.0, verb=chooser.entry(aims))
    aim.nothing_in_front()
    going = chooser.one(["go", "come", "go"])
    main = Clause(subject, next(entry for entry in verbs(("goal",)) if entry["english"] == going))
    tag = new_tag()
    goal = korean(attach(place["korean"], "에"), tag)
    main.after = english(to_place(place), tag, -1)
    words = [*main.english_words(mood), *english("to", aim.tag), *aim.base_words()]
    rest = main.korean_words(mood, particle="")
    return Sentence(
        words, [*subject.with_particle("은"), *aim.korean_with((), "으러", ""), *goal, *rest]
    )


EFFORTS = {
    "work": ("buy", "help"),
    "study": ("learn", "solve", "speak"),
    "practice": ("win",),
    "get up": ("study", "exercise", "cook", "take"),
    "save": ("buy", "visit", "travel"),
}


@construction("in order to", 0.8)
def in_order(chooser: Chooser) -> Sentence:
    """He works hard to buy a house."""
    mood = BY_NAME[chooser.one(["present", "past", "past"])]
    subject = person_subject(chooser)
    effort = chooser.one(list(EFFORTS))
    verb_entry = next(entry for entry in read("verbs") if entry["english"] == effort)
    main = make_clause(chooser, mood, subject, rich=0.0, verb=verb_entry)
    if effort in ("work", "study", "practice", "get up"):
        main.add_adverb(find("adverbs", "english", "early" if effort == "get up" else "hard"))
    main.nothing_in_front()
    aim = make_clause(
        chooser, BY_NAME["can"], subject, rich=0.0, verb=chooser.entry(verbs_named(EFFORTS[effort]))
    )
    aim.nothing_in_front()
    words = [*main.english_words(mood), *english("to", aim.tag), *aim.base_words()]
    return Sentence(
        words,
        [
            *subject.with_particle("은"),
            *aim.korean_with((), "으려고", ""),
            *main.korean_words(mood, particle=""),
        ],
    )
