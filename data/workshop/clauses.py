"""A clause: subject, verb, complements and adverbials, with their places in both languages.

English puts complements and adverbials after the verb; Korean before it, in the order of `SLOTS`.
A clause is made once and can then be
rendered in any mood, as a statement, a question or a part of a longer sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from data.workshop.chooser import UnsuitableError
from data.workshop.korean import Predicate, place_for_adverbs, verb
from data.workshop.lexicon import Entry, find
from data.workshop.moods import Mood, auxiliaries, verb_group
from data.workshop.noun_phrases import NounPhrase
from data.workshop.words import English, Korean, Sentence, english, korean, new_tag

SLOTS = (
    "front",
    "subject",
    "time",
    "frequency",
    "companion",
    "together",
    "means",
    "place",
    "duration",
    "recipient",
    "object",
    "goal",
    "degree",
)


DEGREED = (
    "well",
    "fast",
    "quickly",
    "slowly",
    "hard",
    "early",
    "late",
    "carefully",
    "quietly",
    "loudly",
    "beautifully",
    "easily",
    "kindly",
)


ANYONE = ("everyone", "everybody", "someone", "somebody")


@dataclass
class Clause:
    """One verb with all that belongs to it.

    `adverb` is a manner adverb, which Korean puts right before the verb's last word.
    """

    subject: NounPhrase
    verb: Entry
    tag: int = field(default_factory=new_tag)
    front: list[English] = field(default_factory=list)
    middle: list[English] = field(default_factory=list)
    after: list[English] = field(default_factory=list)
    slots: list[tuple[str, list[Korean]]] = field(default_factory=list)
    adverb: list[Korean] = field(default_factory=list)
    objects: NounPhrase | None = None

    def add(
        self,
        slot: str,
        english_words: list[English],
        korean_words: list[Korean],
        position: str = "after",
    ) -> None:
        """Add a complement or adverbial.

        Its English after the verb, in the middle or in front, its Korean in a slot.
        """
        getattr(self, position).extend(english_words)
        self.slots.append((slot, korean_words))

    def add_adverb(self, entry: Entry, degree: str = "") -> None:
        """Add an adverb of manner at the end of the English clause: well, very well."""
        tag = new_tag()
        translation = korean(entry["korean"], tag)
        if degree and entry["english"] in DEGREED:
            own = new_tag()
            self.after += english(degree, own, 0)
            translation = [*korean(find("adverbs", "english", degree)["korean"], own), *translation]
        self.after += english(entry["english"], tag, -1)
        if entry["korean"] in ("함께", "혼자", "다시", "일찍", "늦게"):
            self.slots.append(("together", translation))
        else:
            self.adverb += translation

    def nothing_in_front(self) -> None:
        """Move a time in front to its usual place: questions begin with their own words."""
        self.after, self.front = [*self.after, *self.front], []
        self.slots = [("time" if slot == "front" else slot, words) for slot, words in self.slots]

    def statement(self, mood: Mood, negative: bool = False) -> Sentence:
        """Render as a statement."""
        sentence = Sentence(self.english_words(mood, negative), self.korean_words(mood, negative))
        return self._marked(sentence, mood)

    def question(
        self, mood: Mood, first: list[English] | None = None, negative: bool = False
    ) -> Sentence:
        """Render as a question.

        `first` holds the words before the auxiliary: what, how many books.
        """
        self._refuse_oddness(negative, question=True)
        group = verb_group(mood, self.verb, self.tag, self.subject.number, negative, question=True)
        words = [
            *(first or []),
            *group.finite,
            *self.subject.english,
            *self.middle,
            *group.rest,
            *self.after,
        ]
        return self._marked(Sentence(words, self.korean_words(mood, negative), "?"), mood)

    def english_words(
        self, mood: Mood, negative: bool = False, subject: bool = True
    ) -> list[English]:
        """Give the English of a statement, with or without its subject."""
        self._refuse_oddness(negative)
        group = verb_group(mood, self.verb, self.tag, self.subject.number, negative)
        looks_past = (
            mood.name == "present"
            and group.does
            and self.verb["past"] == self.verb["english"]
            and self.subject.number != "third"
        )
        if looks_past and not any(slot in ("time", "front", "frequency") for slot, _ in self.slots):
            raise UnsuitableError  # I put on my hat: now or then?
        middle = [*self.middle, *group.finite] if group.does else [*group.finite, *self.middle]
        return [
            *self.front,
            *(self.subject.english if subject else ()),
            *middle,
            *group.rest,
            *self.after,
        ]

    def _refuse_oddness(self, negative: bool, question: bool = False) -> None:
        """Nobody says: everyone doesn't know, does someone know?"""
        word = self.subject.english[-1].text.casefold()
        if word in ANYONE and (negative or (question and word.startswith("some"))):
            raise UnsuitableError

    def base_words(self, form: str = "english") -> list[English]:
        """Give the bare verb with what follows it: eat an apple, eating an apple."""
        return [*english(self.verb[form], self.tag, 0), *self.after]

    def korean_words(
        self, mood: Mood, negative: bool = False, ending: str = "final", particle: str = "은"
    ) -> list[Korean]:
        """Give the Korean with an ending's name; particle "" leaves the subject out."""
        extra = auxiliaries(
            mood, negative, not self.subject.speaks, "posture" in self.verb.list("extras")
        )
        if mood.name == "may" and self.subject.speaks:  # you may go: 가도 돼
            extra = ("must not",) if negative else ("may",)
        return self.korean_with(extra, ending, particle)

    def korean_with(
        self, extra: tuple[str, ...], ending: str = "final", particle: str = "은"
    ) -> list[Korean]:
        """Give the Korean with these auxiliaries."""
        words: list[Korean] = []
        for slot in SLOTS:
            if slot == "subject" and particle:
                words += self.subject.with_particle(particle)
            for name, part in self.slots:
                if name == slot:
                    words += part
        return [*words, *self.predicate_words(self.opened().also(*extra), ending)]

    def opened(self) -> Predicate:
        """Open the Korean verb with its adverb inside."""
        return verb(self.verb["korean"], self.verb["tag"], tuple(word.text for word in self.adverb))

    def predicate_words(self, predicate: Predicate, ending: str) -> list[Korean]:
        """Close the predicate.

        Its main word is the head, and the adverbs inside keep their own tags.
        """
        start = place_for_adverbs(self.verb["korean"])
        words = []
        for number, text in enumerate(predicate.close(ending)):
            if start <= number < start + len(self.adverb):
                words.append(self.adverb[number - start])
            else:
                words.append(Korean(text, self.tag, number == predicate.main))
        return words

    def _marked(self, sentence: Sentence, mood: Mood) -> Sentence:
        sentence.combinations.append((mood.name, self.verb))
        return sentence
