"""Noun phrases: a noun with its determiner, adjective, number and owner, in both languages.

Fixed rules: articles have no Korean; people in the plural get 들, other nouns only after these and
those; a number and its counter follow
the noun (사과 두 개); `my` is 우리 with parents, house and school, else 내.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from data.workshop.adjectives import attributive
from data.workshop.chooser import Chooser
from data.workshop.korean import attach
from data.workshop.lexicon import Entry, number, read
from data.workshop.words import English, Korean, english, korean, new_tag


@dataclass(frozen=True)
class NounPhrase:
    """A noun phrase that still lacks its Korean particle.

    `counter` holds 두 개; `pronoun` is the row that refers back to it.
    """

    english: tuple[English, ...]
    objective: tuple[English, ...]
    korean: tuple[Korean, ...]
    tag: int
    number: str
    pronoun: Entry
    entry: Entry | None = None
    counter: tuple[Korean, ...] = ()

    def with_particle(self, particle: str, floating: bool = False) -> list[Korean]:
        """Put the particle on the last word.

        Floating: on the noun before its counter, 사과가 세 개.
        """
        words = list(self.korean if floating else (*self.korean, *self.counter))
        words[-1] = replace(words[-1], text=attach(words[-1].text, particle))
        return [*words, *self.counter] if floating else words

    @property
    def speaks(self) -> bool:
        """Say whether this is I, you or we."""
        return (
            self.entry is not None
            and self.entry.file == "pronouns"
            and self.entry["subject"] in ("I", "you", "we")
        )

    @property
    def text(self) -> str:
        """The Korean without a particle."""
        return " ".join(word.text for word in (*self.korean, *self.counter))


def pronoun_row(subject: str) -> Entry:
    """Give the pronoun's row by its subject form."""
    return next(entry for entry in read("pronouns") if entry["subject"] == subject)


def pronoun(row: Entry) -> NounPhrase:
    """Make I, you, he …"""
    tag = new_tag()
    subject, objective = english(row["subject"], tag, 0), english(row["object"], tag, 0)
    return NounPhrase(
        tuple(subject),
        tuple(objective),
        tuple(korean(row["korean"], tag)),
        tag,
        row["number"],
        row,
        row,
    )


def name(row: Entry) -> NounPhrase:
    """Make a given name."""
    tag = new_tag()
    words = tuple(english(row["english"], tag, 0))
    refers = pronoun_row("he" if row["gender"] == "m" else "she")
    return NounPhrase(words, words, tuple(korean(row["korean"], tag)), tag, "third", refers, row)


def demonstrative(word: str, person: bool = False) -> NounPhrase:
    """Make this, that, these, those as a whole phrase: 이것, 저것; of people 이 사람."""
    tag = new_tag()
    words = tuple(english(word, tag, 0))
    near = "이" if word in ("this", "these") else "저"
    plural = word in ("these", "those")
    text = f"{near} 사람" if person else f"{near}것"
    return NounPhrase(
        words,
        words,
        tuple(korean(text + "들" * plural, tag)),
        tag,
        "plural" if plural else "third",
        pronoun_row("they"),
    )


def it() -> NounPhrase:
    """Make it, 그것."""
    tag = new_tag()
    words = tuple(english("it", tag, 0))
    return NounPhrase(words, words, tuple(korean("그것", tag)), tag, "third", pronoun_row("they"))


def demonstrative_or_it(word: str) -> NounPhrase:
    """Make it, this or that."""
    return it() if word == "it" else demonstrative(word)


def noun(
    entry: Entry,
    determiner: str = "",
    adjective: Entry | None = None,
    owner: Entry | NounPhrase | None = None,
    count: int = 0,
    degree: str = "",
) -> NounPhrase:
    """Make a noun phrase.

    Determiner: a, the, this, these, some, many, all, every, plural (bare), owner, "" (bare), or
    any "… of" measure.
    """
    tag = new_tag()
    plural = determiner in (
        "plural",
        "these",
        "those",
        "many",
        "the plural",
        "all",
        "some",
        "a lot of",
        "few",
        "any",
        "owner plural",
    )
    plural = ((plural or count > 1) and entry["kind"] == "count") or (
        entry["kind"] in ("plural", "body") and entry["plural"] != "-"
    )
    if plural and determiner in ("this", "that"):
        determiner = {"this": "these", "that": "those"}[determiner]
    first_english, first_korean = _determiner(entry, determiner, owner, tag, plural)
    described_english, described_korean = attributive(adjective, degree) if adjective else ([], [])
    counted_english, counter = _counted(entry, determiner, count, tag)
    word = entry["plural"] if plural and entry["kind"] == "count" else entry["english"]
    their = (
        "들"
        if plural
        and not counter
        and ("person" in entry.list("classes") or determiner in ("these", "those"))
        else ""
    )
    if entry["english"] in ("parents", "grandparents", "clothes", "glasses") or entry["kind"] in (
        "plural",
        "body",
    ):
        their = ""
    noun_english, noun_korean = _noun_words(word, entry["korean"] + their, tag)
    if len(first_english) == 1 and first_english[0].text == "a" and not counted_english:
        first_english = [
            replace(first_english[0], text=article([*described_english, *noun_english][0].text))
        ]
    words = (*first_english, *counted_english, *described_english, *noun_english)
    refers = pronoun_row(
        "they" if plural else ("she" if "female" in entry.list("classes") else "he")
    )
    several = determiner.endswith("s of") or (
        entry["kind"] == "bare" and entry["english"].endswith(("games", "sports"))
    )  # two cups of
    kind = "plural" if plural or several else "third"
    return NounPhrase(
        words,
        words,
        (*first_korean, *described_korean, *noun_korean),
        tag,
        kind,
        refers,
        entry,
        tuple(counter),
    )


def article(following: str) -> str:
    """Choose a or an before this word."""
    word = following.casefold()
    silent = word.startswith(("hour", "honest"))
    consonant_sound = word.startswith(("uni", "use", "one", "euro"))
    return "an" if (word[0] in "aeiou" and not consonant_sound) or silent else "a"


def _determiner(
    entry: Entry, determiner: str, owner: Entry | NounPhrase | None, tag: int, plural: bool
) -> tuple[list[English], list[Korean]]:
    """Make the first words: the; my, 내; this, 이; Minsu's, 민수의."""
    if owner is not None:
        return possessive(owner, entry)
    own = new_tag()
    if determiner in ("this", "that", "these", "those"):
        return english(determiner, own, 0), korean(
            "이" if determiner.startswith("th") and determiner in ("this", "these") else "저", own
        )
    if determiner in ("all", "every"):
        return english("all the" if determiner == "all" else "every", own, 0), korean("모든", own)
    if determiner in ("many", "a lot of", "much"):
        return english(determiner, own, 1 if " " in determiner else 0), korean("많은", own)
    if determiner == "the plural":
        return english("the", tag), []
    if determiner in ("a", "the", "any") or (determiner == "some" and entry["kind"] != "count"):
        return english(determiner, tag), []
    return [], []


def possessive(
    owner: Entry | NounPhrase, thing: Entry | None = None
) -> tuple[list[English], list[Korean]]:
    """Make my, his, Minsu's. With `thing` of the "우리" kind, my is 우리."""
    if isinstance(owner, NounPhrase):
        words = list(owner.english)
        words[-1] = replace(
            words[-1],
            text=words[-1].text
            + ("'" if words[-1].text.endswith("s") and owner.number == "plural" else "'s"),
        )
        return words, owner.with_particle("의")
    tag = new_tag()
    shared = (
        thing is not None
        and "my" in dict(thing.cells)
        and thing["my"] == "우리"
        and owner["subject"] in ("I", "we")
    )
    return english(owner["possessive"], tag, 0), korean(
        "우리" if shared else owner["korean_possessive"], tag
    )


def _counted(
    entry: Entry, determiner: str, count: int, tag: int
) -> tuple[list[English], list[Korean]]:
    """Make two, 두 개; some (apples), 몇 개; a cup of, 한 잔."""
    own = new_tag()
    if count:
        row = number(count)
        return english(row["english"], own, 0), [
            Korean(row["native"], own),
            Korean(entry["counter"], own, False),
        ]
    if determiner == "some" and entry["kind"] == "count":
        return english("some", own, 0), [Korean("몇", own), Korean(entry["counter"], own, False)]
    if determiner.endswith(" of") and determiner != "a lot of":
        return _measure(determiner)
    return [], []


MEASURES = {
    "glass": "잔",
    "cup": "잔",
    "bottle": "병",
    "piece": "조각",
    "slice": "조각",
    "bowl": "그릇",
}


def _measure(determiner: str) -> tuple[list[English], list[Korean]]:
    """Make `a glass of`, 한 잔; `two glasses of`, 두 잔."""
    how_many, measure, _ = determiner.split()
    singular = (
        measure
        if measure in MEASURES
        else measure.removesuffix("es")
        if measure.endswith("sses")
        else measure.removesuffix("s")
    )
    value = (
        1
        if how_many == "a"
        else next(int(row["value"]) for row in read("numbers") if row["english"] == how_many)
    )
    many, unit = new_tag(), new_tag()
    words = [*english(how_many, many, 0), *english(measure, unit, 0), *english("of", unit)]
    return words, [Korean(number(value)["native"], many), Korean(MEASURES[singular], unit)]


def _noun_words(word: str, translation: str, tag: int) -> tuple[list[English], list[Korean]]:
    """Make the noun itself; soccer player, 축구 선수 is linked word by word."""
    english_words, korean_words = word.split(), translation.split()
    if len(english_words) != len(korean_words):
        return english(word, tag, -1), korean(translation, tag)
    tags = [*(new_tag() for _ in english_words[1:]), tag]
    pairs = zip(english_words, korean_words, tags, strict=True)
    sides = [(English(first, ((own, True),)), Korean(second, own)) for first, second, own in pairs]
    return [first for first, _ in sides], [second for _, second in sides]


def random_pronoun(chooser: Chooser) -> NounPhrase:
    """Take any pronoun; I, you, he and she most."""
    return pronoun(
        pronoun_row(
            chooser.weighted(
                [("I", 5), ("you", 2.5), ("he", 3), ("she", 3), ("we", 2), ("they", 2)]
            )
        )
    )
