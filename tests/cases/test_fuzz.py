"""Fuzz tests: any text goes through everything that reads or shows text.

There must never be a traceback, a crooked table or a broken file.
"""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from conftest import PAIRS
from hostile import ESCAPES, ODDITIES, Page, arguments, is_tame, outcome, quick, texts, translations
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from translator import TranslatorError
from translator.inference.translator import LONGEST_SOURCE, Translator
from translator.printable import is_printable
from translator.text.corpus import read_corpus, read_parallel
from translator.text.normalization import clean
from translator.translation import Translation
from translator.views import export
from translator.views.heatmap import Heatmap

MEGABYTE = "".join(ODDITIES + ESCAPES) + "a" * 500_000 + " I love you 나는" * 25_000
SVG_TAGS = {"svg", "g", "rect", "text", "tspan"}


@pytest.fixture(scope="session")
def translator(trained_path) -> Translator:
    return Translator.load(trained_path)


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "file"


# What reads text


@quick
@example(MEGABYTE)
@given(text=texts)
def test_any_text_is_cut_into_pieces(tokenizers, text):
    for tokenizer in tokenizers:
        assert len(tokenizer.pieces(text)) == len(tokenizer.encode(text))
        assert is_printable(
            "".join(tokenizer.pieces(text)) + tokenizer.decode(tokenizer.encode(text))
        )
        tokenizer.unknown_characters(text)


@quick
@example([MEGABYTE])
@given(lines=st.lists(texts, max_size=4))
def test_any_lines_are_translated(translator, lines):
    translations = list(translator.translate(lines, beam_size=2))
    assert [translation.source for translation in translations] == [clean(line) for line in lines]
    assert all(len(translation.source_pieces) <= LONGEST_SOURCE for translation in translations)
    assert all(is_printable(remark) for line in lines for remark in translator.remarks(line))


@quick
@given(source=texts, target=texts)
def test_any_pair_is_aligned_or_refused(translator, source, target):
    aligned = outcome(translator.align, source, target)
    if isinstance(aligned, TranslatorError):
        assert "blank" in str(aligned)
        assert "" in (clean(source), clean(target))
    else:
        assert (aligned.source, aligned.target) == (clean(source), clean(target))


columns = st.lists(texts, max_size=4).map("\t".join)


@quick
@example([f"{MEGABYTE}\t{MEGABYTE}", "a\tb"])
@given(
    lines=st.lists(
        columns | st.sampled_from([f"{pair.source}\t{pair.target}" for pair in PAIRS]), max_size=4
    )
)
def test_any_corpus_is_read_or_refused(file, lines):
    # subtle: a lone surrogate is written as the three bytes that UTF-8 forbids
    file.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))
    corpus = outcome(read_corpus, file)
    if isinstance(corpus, TranslatorError):
        assert str(corpus).startswith(str(file))
        assert is_printable(str(corpus))
    else:
        pairs, report = corpus
        assert pairs
        assert all(clean(side) == side != "" for pair in pairs for side in pair[:2])
        assert report.read == report.kept + sum(count for count, _ in report.skipped.values())


@quick
@given(sources=st.lists(texts, max_size=3), targets=st.lists(texts, max_size=3))
def test_any_two_files_are_a_corpus_or_refused(file, sources, targets):
    other = file.with_name("other")
    for path, lines in ((file, sources), (other, targets)):
        path.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))
    corpus = outcome(read_parallel, file, other)
    if isinstance(corpus, TranslatorError):
        assert str(corpus).startswith((str(file), str(other)))
    else:
        assert len(corpus[0]) == corpus[1].kept


# The command line


@quick
@given(text=arguments, format_name=st.sampled_from(["text", "heatmap", "json"]))
def test_any_argument_is_answered(cli, text, format_name):
    result = cli("translate", "--beam-size", 1, "--format", format_name, "--", text, stdin="Hi!\n")
    assert result.status == 0
    assert result.out.endswith("\n")
    assert is_tame(result.out + result.err)


@quick
@example(b"\xff\x00\xed\xa0\x80\n" + MEGABYTE.encode("utf-8", "surrogatepass"))
@given(data=st.binary(max_size=40) | texts.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_on_standard_input_are_answered_line_by_line(cli, data):
    result = cli("translate", "--beam-size", 1, "--format", "text", stdin=data)
    assert result.status == 0
    assert len(result.out.splitlines()) == len(data.removesuffix(b"\n").split(b"\n")) * bool(data)
    assert is_tame(result.out + result.err)


@quick
@given(text=arguments, target=arguments)
def test_any_forced_target_is_shown_or_refused(cli, text, target):
    result = cli("show-weights", "--target", target, "--", text)
    assert result.status in (0, 1)
    assert ("error: " in result.err) == (result.status == 1)
    assert is_tame(result.out + result.err)


# The heatmap


def tables(written: str) -> Iterator[list[str]]:
    """Yield the lines of each table, from its top border to its bottom border."""
    table: list[str] = []
    for line in written.split("\n"):
        if table or line.startswith(("┌", "+")):
            table.append(line)
        if len(table) > 1 and line.startswith(("└", "+")):
            yield table
            table = []


def rendered(translation: Translation, width: int, encoding: str) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding, errors="backslashreplace", newline="\n")
    Console(
        file=stream,
        width=width,
        color_system=None,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    ).print(Heatmap(translation))
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)


@quick
@given(
    translation=translations(),
    width=st.integers(20, 120),
    merge=st.booleans(),
    encoding=st.sampled_from(["utf-8", "cp949"]),
)
def test_every_border_is_straight(translation, width, merge, encoding):
    written = rendered(translation.merged() if merge else translation, width, encoding)
    found = list(tables(written))
    assert found
    for table in found:
        assert len({cell_len(line) for line in table}) == 1
        assert cell_len(table[0]) <= width
    assert is_tame(written)


# Files


def written(folder: Path, suffix: str, translation: Translation, *, words: bool = False) -> str:
    path = folder / f"file{suffix}"
    export.write(path, [translation], words=words)
    return path.read_bytes().decode()


PLAIN = Translation("a", "b", ("▁a", "</s>"), ("▁b",), [[1, 0]], (1.0,), 0.0, False)


@quick
@given(translation=translations(), words=st.booleans())
def test_any_page_is_html_with_no_script_but_ours(tmp_path, translation, words):
    page = Page(written(tmp_path, ".html", translation, words=words))
    plain = Page(written(tmp_path, ".html", PLAIN))
    assert page.tags.count("script") == 1
    views = resources.files("translator.views")
    ours = "".join(views.joinpath(name).read_text("utf-8") for name in ("stage.js", "page.js"))
    assert "".join(page.scripts).startswith(ours)
    assert set(page.tags) == set(plain.tags)
    assert page.attributes <= plain.attributes | {"hidden"}


@quick
@given(translation=translations(), words=st.booleans())
def test_any_figure_is_xml_with_our_elements_only(tmp_path, translation, words):
    root = ElementTree.fromstring(written(tmp_path, ".svg", translation, words=words))
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= SVG_TAGS


@quick
@given(translation=translations())
def test_any_table_reads_back(tmp_path, translation):
    rows = list(csv.DictReader(io.StringIO(written(tmp_path, ".csv", translation), newline="")))
    columns = [""] if translation.weights is None else translation.source_pieces
    expected = [(target, source) for target in translation.target_pieces for source in columns]
    escaped = [
        tuple(piece.encode("utf-8", "backslashreplace").decode() for piece in pair)
        for pair in expected
    ]
    assert [(row["target_piece"], row["source_piece"]) for row in rows] == escaped


@quick
@given(translation=translations(), words=st.booleans())
def test_any_json_comes_back_through_the_command_line(cli, tmp_path, translation, words):
    saved = written(tmp_path, ".json", translation, words=words)
    assert Translation.from_json(saved) == (translation.merged() if words else translation)
    assert cli("show-weights", "--from", "file.json", "--output", "again.json") == (0, "", "")
    assert (tmp_path / "again.json").read_bytes().decode() == saved
    shown = cli("show-weights", "--from", "file.json")
    assert (shown.status, shown.err) == (0, "")
    assert is_tame(shown.out)


@quick
@given(translation=translations())
def test_any_picture_is_drawn(tmp_path, translation):
    pytest.importorskip("resvg_py")
    path = tmp_path / "file.png"
    export.write(path, [translation])
    assert path.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
