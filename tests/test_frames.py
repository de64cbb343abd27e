"""Frames: gaps are filled with words that agree on both sides, and the links come out right.

Needs kiwipiepy and wordfreq, which the `dev` extra installs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("wordfreq")

from data.workshop import build
from data.workshop.chooser import Chooser
from data.workshop.finishing import with_marks
from data.workshop.frames import contracting, lines
from data.workshop.frames.__main__ import linked
from data.workshop.frames.checking import check
from data.workshop.frames.drawing import possible, suitable
from data.workshop.frames.endings import conjugate
from data.workshop.frames.expansion import fill
from data.workshop.frames.fillers import fillers
from data.workshop.frames.korean_forms import Filler, written
from data.workshop.frames.reading import Frame, FrameError, Gap, Row, parse
from data.workshop.words import English


def frame(english: str, korean: str, links: str = "") -> Frame:
    """Make a frame of what a writer would write."""
    return parse(Row(english, korean, links, "test.tsv:2"))


def filled(made: Frame, **words: str) -> tuple[str, str, str]:
    """Fill a frame with words by their English; `food2` is the gap food#2."""
    drawn = {}
    for reference, gap in made.gaps.items():
        wanted = words[reference.replace("#", "")]
        drawn[reference] = next(one for one in fillers(gap.name) if one.english == wanted)
    pair = with_marks(fill(made, drawn), made.mark, made.mark)
    return pair.source, pair.target, linked(pair)


def test_a_gap_has_a_form_a_name_and_a_number() -> None:
    made = frame("{ing:activity#2} is fun.", "{activity#2:는} 것은 재미있어.")
    assert made.english[0] == (Gap("activity", "ing", "2"),)
    assert made.korean[0] == (Gap("activity", "는", "2"),)
    assert made.mark == "."


@pytest.mark.parametrize(
    ("english", "korean", "links", "error"),
    [
        ("I eat {food.", "나는 {food:을} 먹어.", "", "braces don't match"),
        ("I eat {food}.", "나는 {food:을} 먹어?", "", "marks differ: . and ?"),
        ("I eat {foood}.", "나는 {foood:을} 먹어.", "", "no class foood in {foood}"),
        ("I eat {er:food}.", "나는 {food:을} 먹어.", "", "{er:food}: no such form of food"),
        ("I eat {food}.", "나는 {food:욜} 먹어.", "", "{food:욜}: unknown particle: 욜"),
        ("I {activity}.", "나는 {activity:욜}.", "", "{activity:욜}: unknown ending: 욜"),
        ("I eat {food}.", "나는 사과를 먹어.", "", "{food} stands in the English only"),
        ("I eat apples.", "나는 {food:을} 먹어.", "", "{food} stands in the Korean only"),
        ("I  eat.", "나는 먹어.", "", "spacing in the English"),
        ("I eat.", "나는 먹어요.", "", "polite or honorific: 먹어요"),
        ("I eat.", "나는 먹어.", "drink=먹어", "link drink=먹어: no word drink in the English"),
        ("I eat.", "나는 먹어.", "eat=마셔", "link eat=마셔: no word 마셔 in the Korean"),
    ],
)
def test_a_mistake_is_named(english: str, korean: str, links: str, error: str) -> None:
    assert error in check(Row(english, korean, links, "test.tsv:2"))


def test_a_good_frame_has_no_errors() -> None:
    row = Row(
        "{who} {like|likes} {food}.", "{who:은} {food:을} 좋아해.", "like=좋아해", "test.tsv:2"
    )
    assert check(row) == []


@pytest.mark.parametrize(
    ("gap", "word", "expected"),
    [
        ("{a:food}", "apple", "I have an apple."),
        ("{a:drink}", "water", "I have some water."),
        ("{s:fruit}", "apple", "I have apples."),
        ("a {fruit}", "apple", "I have an apple."),
        ("a {drink}", "water", "I have water."),
        ("no {drink}", "water", "I have no water."),
    ],
)
def test_articles_and_plurals_suit_the_noun(gap: str, word: str, expected: str) -> None:
    name = gap.strip("no {}").rpartition("{")[2].rpartition(":")[2]
    made = frame(f"I have {gap}.", f"나는 {{{name}:이}} 있어.")
    assert filled(made, **{name: word})[0] == expected


@pytest.mark.parametrize(
    ("who", "source", "target"),
    [
        ("I", "I am late and I miss my bus.", "나는 늦어서 내 버스를 놓쳐."),
        ("they", "They are late and they miss their bus.", "그들은 늦어서 그들의 버스를 놓쳐."),
        ("Emily", "Emily is late and she misses her bus.", "에밀리는 늦어서 그녀의 버스를 놓쳐."),
    ],
)
def test_verbs_and_pronouns_agree_with_the_person(who: str, source: str, target: str) -> None:
    english = "{who} {am|are|is} late and {who} {miss|misses} {my:who} bus."
    made = frame(english, "{who:은} 늦어서 {who:의} 버스를 놓쳐.")
    korean_once = filled(made, who=who)
    assert korean_once[:2] == (source, target)


@pytest.mark.parametrize(
    ("word", "particle", "expected"),
    [
        ("사과", "을", "사과를"),
        ("수박", "로", "수박으로"),
        ("연필", "로", "연필로"),
        ("TV", "을", "TV를"),
        ("13", "이", "13이"),
        ("수박", "이야", "수박이야"),
        ("사과", "이었어", "사과였어"),
        ("사과", "이라고", "사과라고"),
        ("톰", "이랑", "톰이랑"),
        ("집", "에서는", "집에서는"),
        ("학생", "인데", "학생인데"),
    ],
)
def test_particles_follow_the_last_sound(word: str, particle: str, expected: str) -> None:
    assert written(Filler({"": "word"}, word), particle) == [expected]


CONJUGATED = [
    ("듣", "VV-I", "을게", "들을게"),
    ("걷", "VV-I", "으면", "걸으면"),
    ("돕", "VV-I", "어", "도와"),
    ("모르", "VV", "었어", "몰랐어"),
    ("만들", "VV", "으니까", "만드니까"),
    ("쓰", "VV", "어야", "써야"),
    ("입", "VV-R", "어", "입어"),
    ("하", "VV", "는대", "한대"),
    ("춥", "VA-I", "는", "추운"),
    ("춥", "VA-I", "는데", "추운데"),
    ("파랗", "VA-I", "었어", "파랬어"),
    ("하얗", "VA-I", "네", "하얗네"),
    ("재미있", "VA", "는", "재미있는"),
    ("재미있", "VA", "는다고", "재미있다고"),
    ("크", "VA", "어졌어", "커졌어"),
    ("실용적이", "VCP", "는", "실용적인"),
    ("실용적이", "VCP", "어", "실용적이야"),
]


@pytest.mark.parametrize(("stem", "tag", "ending", "expected"), CONJUGATED)
def test_verbs_and_adjectives_take_their_endings(
    stem: str, tag: str, ending: str, expected: str
) -> None:
    assert conjugate(stem, tag, ending) == [expected]


def test_a_state_is_in_the_past_when_it_holds_now() -> None:
    assert conjugate("화나", "VV", "어", state=True) == ["화났어"]
    assert conjugate("화나", "VV", "는", state=True) == ["화난"]


def test_linked_words_and_the_heads_of_gaps_are_sure() -> None:
    made = frame("Could I have {a:food}?", "{food:을} 줄 수 있어?", "have=줄")
    links = filled(made, food="apple")[2].split()
    assert {"have=줄", "apple?=사과를", "an?사과를"} <= set(links)
    assert not any("=수" in link or "=있어" in link for link in links)


def test_a_name_beside_a_comma_is_called() -> None:
    made = frame("Come here, {name}.", "이리 와, {name}.")
    assert filled(made, name="Minsu")[1] == "이리 와, 민수야."


def test_whose_it_is_follows_the_person() -> None:
    mine = Filler({"": "clean my room"}, "내 방을 청소하", "VV", "verb")
    made = frame("{who} will {activity}.", "{who:은} {activity:을} 거야.")
    he = next(one for one in fillers("who") if one.english == "he")
    pair = with_marks(fill(made, {"who": he, "activity": mine}), ".", ".")
    assert (pair.source, pair.target) == ("He will clean his room.", "그는 그의 방을 청소할 거야.")


@pytest.mark.parametrize(
    ("text", "mark", "expected"),
    [
        ("I'm late", ".", "I am late"),
        ("Don't go there", ".", "Do not go there"),
        ("Don't you know me", "?", "Don't you know me"),
        ("It's been long", ".", "It's been long"),
        ("Tom's bag", ".", "Tom's bag"),
        ("No, I can't", ".", "No, I can't"),
    ],
)
def test_a_contraction_is_written_out_where_that_is_english(
    text: str, mark: str, expected: str
) -> None:
    made = contracting.write_out([English(word) for word in text.split()], mark)
    assert " ".join(word.text for word in made) == expected


def test_two_gaps_of_one_class_never_get_the_same_word() -> None:
    made = frame("{season} or {season#2}?", "{season}이야, {season#2}이야?")
    assert possible(made) == 4 * 3
    pairs = list(lines.frame_pairs(Chooser(1), made, 40))
    assert all(
        pair.source.split()[0].casefold() != pair.source.rstrip("?").split()[-1].casefold()
        for pair in pairs
    )


def test_plural_nouns_are_left_out_where_the_verb_is_singular() -> None:
    made = frame("This {clothes} is new.", "이 {clothes:은} 새것이야.")
    assert all(one.kind == "count" for one in suitable(made, made.gaps["clothes"]))


def test_lines_are_the_same_each_time_and_no_more_than_the_cap() -> None:
    made = frame("I like {food} and {food#2}.", "나는 {food:와} {food#2:을} 좋아해.")
    first = list(lines.frame_pairs(Chooser(1), made, 12))
    assert first == list(lines.frame_pairs(Chooser(1), made, 12))
    assert len(first) == len({pair.source for pair in first}) == 12


def test_a_fixed_sentence_comes_with_its_mark_and_without_and_written_out() -> None:
    pairs = lines.fixed_pairs(frame("I'm late.", "나는 늦었어.", "I'm=나는 late=늦었어"))
    assert [pair.source for pair in pairs] == ["I'm late.", "I'm late", "I am late."]
    assert [pair.target for pair in pairs] == ["나는 늦었어.", "나는 늦었어", "나는 늦었어."]


def test_an_unknown_class_stops_the_build_by_name() -> None:
    made = frame("I eat {foood}.", "나는 {foood:을} 먹어.")
    with pytest.raises(FrameError, match=r"test\.tsv:2.*foood"):
        list(lines.frame_pairs(Chooser(1), made, 3))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Build a small corpus of two frames, with one source of the natural set."""
    natural = tmp_path / "natural.tsv"
    natural.write_text(
        "i like spring!\t나는 봄을 좋아해!\ta\nGood luck\t행운을 빌어\tb\n", encoding="utf-8"
    )
    frames = [
        frame("I like {season}.", "나는 {season:을} 좋아해."),
        frame("Good luck.", "행운을 빌어."),
    ]
    monkeypatch.setattr(build, "NATURAL", natural)
    monkeypatch.setattr(build, "read_frames", lambda: frames)
    return build.build(build.Sizes(grammar=60, dev=5, test=5, compose=5, long=2))


def test_the_natural_set_is_in_no_file(small: Any) -> None:
    sources = {build.folded(pair.source) for pairs in small.pairs.values() for pair in pairs}
    assert {"i like summer", "i like fall", "i like winter"} <= sources
    assert not {"i like spring", "good luck"} & sources


def test_nothing_is_withheld_from_the_corpus_that_ships(small: Any) -> None:
    assert set(small.pairs) == {"train", "dev", "test", "long"}
    assert len(small.pairs["dev"]) == len(small.pairs["test"]) == 5


def test_combinations_are_withheld_for_a_study() -> None:
    sizes = build.Sizes(grammar=60, dev=5, test=5, compose=3, long=1)
    assert len(build.build(sizes, withhold=True).pairs["compose"]) == 3
