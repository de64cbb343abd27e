"""Clauses with because, so, when, if, before, after and while; purpose."""

from __future__ import annotations

from data.workshop.chooser import Chooser, UnsuitableError
from data.workshop.clause_maker import daily_clause, in_turn, make_clause, verbs_named
from data.workshop.clauses import Clause
from data.workshop.constructions.being import be
from data.workshop.constructions.describing import adjective_words
from data.workshop.constructions.joining import with_comma
from data.workshop.korean import attach, verb
from data.workshop.lexicon import Entry
from data.workshop.moods import BY_NAME
from data.workshop.noun_phrases import NounPhrase, it, pronoun, random_pronoun
from data.workshop.people import person_subject
from data.workshop.registry import construction
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag

ALONGSIDE = ("sing", "listen to", "drink", "talk", "smile", "laugh")


ACTIVITIES = (
    "study", "work", "cook", "walk", "drive", "exercise", "clean", "take a shower",
    "wash the dishes", "draw", "take a walk", "wait for",
)  # fmt: skip


LASTING = (
    *ACTIVITIES,
    "read",
    "write",
    "sleep",
    "watch",
    "play",
    "listen to",
    "eat",
    "talk",
    "swim",
    "rest",
    "sing",
    "dance",
)


AT_ONCE = (
    "wake up",
    "get up",
    "come home",
    "go home",
    "arrive",
    "go out",
    "go shopping",
    "go to bed",
    "travel",
    "meet",
)  # when one …


INTERRUPTING = (
    "call",
    "come",
    "come home",
    "come back",
    "arrive",
    "visit",
    "go out",
    "leave",
    "meet",
    "fall asleep",
    "turn off",
)


Part = tuple[list[English], list[Korean]]


def order(chooser: Chooser, word: str, part: Part, main: Part, first: float = 0.5) -> Sentence:
    """Put the clause before or after the main one in English; in Korean it stands first."""
    sub_english, sub_korean = part
    main_english, main_korean = main
    tag = sub_korean[-1].tag
    clause = [*english(word, tag), *sub_english]
    if chooser.chance(first):
        clause = with_comma(clause) if chooser.chance(0.75) else clause
        words = [*clause, *main_english]
    else:
        words = [*main_english, *clause]
    return Sentence(words, [*sub_korean, *main_korean])


def two_subjects(chooser: Chooser, same: float) -> tuple[NounPhrase, NounPhrase, bool]:
    """Make the subjects of a clause and its main clause; often one and the same pronoun."""
    if chooser.chance(same):
        subject = random_pronoun(chooser)
        return subject, pronoun(subject.pronoun), True
    first, second = person_subject(chooser), person_subject(chooser)
    return first, second, first.text == second.text


def dependent(
    chooser: Chooser, subject: NounPhrase, kind: str, past: bool, particle: str, verb: Entry
) -> Part:
    """Make a clause of this verb, closed by -을 때, -으면 ….

    Particle "" leaves the Korean subject out.
    """
    mood = BY_NAME["past" if past else "present"]
    clause = daily_clause(chooser, mood, subject, verb)
    return clause.english_words(mood), closed_clause(clause, kind, past, particle)


def closed_clause(clause: Clause, kind: str, past: bool, particle: str) -> list[Korean]:
    """Close a clause with 때, 전에, 후에, 동안 or an ending."""
    noun_after = {"을 때": "때", "기 전에": "전에", "은 후에": "후에", "는 동안": "동안"}.get(kind)
    extra = ("past",) if past and kind == "을 때" else ()
    made = clause.korean_with(extra, kind.split()[0], particle)
    return [*made, *(korean(noun_after, clause.tag, None) if noun_after else [])]


def adjective_part(
    subject: NounPhrase, entry: Entry, ending: str, past: bool, particle: str
) -> Part:
    """Make because I was tired; 피곤해서."""
    tag = new_tag()
    made = adjective_words(verb(entry["korean"], entry["tag"]), tag, ending)
    words = be(
        subject, "past" if past else "present", False, False, tag, english(entry["english"], tag, 0)
    )
    return words, [*(subject.with_particle(particle) if particle else []), *made]


def main_clause(chooser: Chooser, subject: NounPhrase, mood_name: str, verb: Entry) -> Part:
    """Make the main clause."""
    mood = BY_NAME[mood_name]
    clause = daily_clause(chooser, mood, subject, verb)
    return clause.english_words(mood), clause.korean_words(mood)


def weather_part(ending: str, past: bool, row: Entry) -> Part:
    """Make it rains, it was cold."""
    tag = new_tag()
    made = [Korean(text, tag, True) for text in verb(row["korean_stem"], row["tag"]).close(ending)]
    named = [] if row["korean_noun"] == "-" else korean(attach(row["korean_noun"], "이"), tag, None)
    if row["kind"] == "verb":
        words = [*it().english, *english(row["english"] + ("ed" if past else "s"), tag, 0)]
    else:
        words = be(
            it(), "past" if past else "present", False, False, tag, english(row["english"], tag, 0)
        )
    return words, [*named, *made]


def same_subject(
    sentence: Sentence, subject: NounPhrase, same: bool, part: Part, main: Part
) -> Sentence:
    """If both clauses have one subject, it is said once in Korean, at the beginning."""
    if not same:
        return sentence
    topic = subject.with_particle("은")
    said = (
        [word.text for word in topic]
        if main[1][0].text == topic[0].text
        else subject_words(subject)
    )
    rest = main[1][len(said) :]
    sentence.korean = [*topic, *part[1], *rest]
    return sentence


def subject_words(subject: NounPhrase) -> list[str]:
    """Give the topic of the pronoun that refers back to a subject."""
    return [word.text for word in pronoun(subject.pronoun).with_particle("은")]


@construction("when: clause", 3.5)
def when_clause(chooser: Chooser) -> Sentence:
    """I was sleeping when she called. When I get up, I brush my teeth."""
    if chooser.chance(0.5):
        first, second, same = two_subjects(chooser, 0.0)
        if same:
            raise UnsuitableError
        part = dependent(
            chooser, second, "을 때", True, "이", chooser.entry(verbs_named(INTERRUPTING))
        )
        main = main_clause(chooser, first, "past progressive", chooser.entry(verbs_named(LASTING)))
        return order(chooser, "when", part, main)
    first, second, _ = two_subjects(chooser, 1.0)
    past = chooser.chance(0.5)
    earlier, later = in_turn(chooser)
    if earlier["english"] not in AT_ONCE:
        raise UnsuitableError
    part = dependent(chooser, second, "을 때", past, "", earlier)
    main = main_clause(chooser, first, "past" if past else chooser.one(["present", "will"]), later)
    return same_subject(order(chooser, "when", part, main), first, True, part, main)


YOUTH = (
    "live",
    "learn",
    "play",
    "study",
    "go",
    "read",
    "swim",
    "cry",
    "walk",
    "draw",
    "sing",
    "dance",
    "visit",
)


@construction("when I was young", 0.5)
def when_young(chooser: Chooser) -> Sentence:
    """When I was young, I lived in Busan."""
    subject = random_pronoun(chooser)
    tag = new_tag()
    mood = BY_NAME[chooser.one(["past", "past", "could"])]
    clause = make_clause(chooser, mood, subject, rich=0.0, verb=chooser.entry(verbs_named(YOUTH)))
    words = be(pronoun(subject.pronoun), "past", False, False, tag, english("young", tag, 0))
    made = [*korean("어렸을", tag), *korean("때", tag, None)]
    part, main = (words, made), (clause.english_words(mood), clause.korean_words(mood))
    return same_subject(order(chooser, "when", part, main, 0.6), subject, True, part, main)


@construction("if", 2)
def if_clause(chooser: Chooser) -> Sentence:
    """If you finish your homework, you can play."""
    first, second, _ = two_subjects(chooser, 1.0)
    earlier, later = in_turn(chooser)
    part = dependent(chooser, second, "으면", False, "", earlier)
    main = main_clause(
        chooser, first, chooser.one(["will", "will", "can", "should", "going to"]), later
    )
    return same_subject(order(chooser, "if", part, main, 0.6), first, True, part, main)


@construction("before, after, while", 2.7)
def before_after(chooser: Chooser) -> Sentence:
    """I wash my hands before I eat.

    After I finish my homework, I'll play. I was cooking while he was sleeping.
    """
    past = chooser.chance(0.6)
    if chooser.chance(0.3):
        return _while(chooser, past)
    word, kind = chooser.one([("before", "기 전에"), ("after", "은 후에")])
    first, second, _ = two_subjects(chooser, 1.0)
    earlier, later = in_turn(chooser)
    side, chief = (later, earlier) if word == "before" else (earlier, later)
    part = dependent(chooser, second, kind, past, "", side)
    main = main_clause(
        chooser,
        first,
        "past"
        if past
        else chooser.one(["present", "will", "want to", "must", "should", "going to"]),
        chief,
    )
    return same_subject(order(chooser, word, part, main, 0.35), first, True, part, main)


def _while(chooser: Chooser, past: bool) -> Sentence:
    first, second, same = two_subjects(chooser, 0.0)
    if same:
        raise UnsuitableError
    name = "past progressive" if past else "present progressive"
    clause = daily_clause(chooser, BY_NAME[name], second, chooser.entry(verbs_named(LASTING)))
    part = (clause.english_words(BY_NAME[name]), closed_clause(clause, "는 동안", False, "이"))
    main = main_clause(chooser, first, name, chooser.entry(verbs_named(LASTING)))
    return order(chooser, "while", part, main, 0.45)


@construction("while doing", 0.6)
def while_doing(chooser: Chooser) -> Sentence:
    """I listen to music while I study. He sings while taking a shower."""
    mood = BY_NAME[chooser.one(["present", "past"])]
    subject = random_pronoun(chooser)
    main = make_clause(chooser, mood, subject, rich=0.0, verb=chooser.entry(verbs_named(ALONGSIDE)))
    side = make_clause(
        chooser,
        mood,
        pronoun(subject.pronoun),
        rich=0.0,
        verb=chooser.entry(verbs_named(ACTIVITIES)),
    )
    if main.verb is side.verb:
        return main.statement(mood)
    words = [*main.english_words(mood), *english("while", side.tag), *side.base_words("ing")]
    rest = main.korean_words(mood, particle="")
    return Sentence(
        words, [*subject.with_particle("은"), *side.korean_with((), "으면서", ""), *rest]
    )


@construction("before and after doing", 0.7)
def before_doing(chooser: Chooser) -> Sentence:
    """I drink milk before going to bed."""
    mood = BY_NAME[chooser.one(["present", "past", "will"])]
    subject = person_subject(chooser)
    earlier, later = in_turn(chooser)
    word, kind = chooser.one([("before", "기 전에"), ("after", "은 후에")])
    chief, beside = (earlier, later) if word == "before" else (later, earlier)
    main, side = (
        daily_clause(chooser, mood, subject, chief),
        daily_clause(chooser, mood, subject, beside),
    )
    words = [*main.english_words(mood), *english(word, side.tag), *side.base_words("ing")]
    return Sentence(
        words,
        [
            *subject.with_particle("은"),
            *closed_clause(side, kind, False, ""),
            *main.korean_words(mood, particle=""),
        ],
    )
