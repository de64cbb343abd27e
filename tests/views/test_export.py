"""Files of translations: the suffix decides, a file is complete or untouched, text stays text."""

from __future__ import annotations

import csv
import io
import json
import re
import stat
import struct
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import numpy as np
import pytest
from command_line import error_of

from translator import TranslatorError
from translator.translation import Translation
from translator.views import export

EVIL = "<script>alert(1)</script> & [b]"
PIECES = ("▁<script>", "alert(1)", "</script>", "▁&", "▁[b]", "</s>")
INJECTION = Translation(EVIL, EVIL, PIECES, PIECES, np.eye(6), (0.5,) * 6, -4.0, True)
SMALL = Translation(
    "a b",
    "가나",
    ("▁a", "▁b", "</s>"),
    ("▁가", "나"),
    [[0.5, 0.25, 0.25], [0, 1, 0]],
    (0.5, 1.0),
    -0.7,
    False,
)
NO_ATTENTION = Translation("a", "가", ("▁a", "</s>"), ("▁가", "</s>"), None, (0.5, 1.0), -0.7, True)
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def without_png(monkeypatch) -> None:
    """Hide the extra, as if it weren't installed."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)


class Texts(HTMLParser):
    """The text and the tags of an HTML document."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.feed(document)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)


def written(tmp_path, name: str, *translations: Translation, words: bool = False) -> str:
    export.write(tmp_path / name, translations, words=words)
    return (tmp_path / name).read_text("utf-8")


# Tables


def test_the_csv_is_this(tmp_path):
    assert written(tmp_path, "a.csv", SMALL, NO_ATTENTION) == (
        "sentence,step,target_piece,probability,source_position,source_piece,weight\n"
        "1,1,▁가,0.5,1,▁a,0.5\n"
        "1,1,▁가,0.5,2,▁b,0.25\n"
        "1,1,▁가,0.5,3,</s>,0.25\n"
        "1,2,나,1.0,1,▁a,0.0\n"
        "1,2,나,1.0,2,▁b,1.0\n"
        "1,2,나,1.0,3,</s>,0.0\n"
        "2,1,▁가,0.5,,,\n"
        "2,2,</s>,1.0,,,\n"
    )


def test_the_csv_of_words_has_a_line_for_each_pair_of_words(tmp_path):
    assert written(tmp_path, "a.csv", SMALL, words=True).splitlines()[1:] == [
        "1,1,▁가나,0.5,1,▁a,0.25",
        "1,1,▁가나,0.5,2,▁b,0.625",
        "1,1,▁가나,0.5,3,</s>,0.125",
    ]


def test_weights_in_the_csv_read_back_exactly(tmp_path):
    weights = np.random.default_rng(0).dirichlet([1, 1, 1], 2).astype(np.float32)
    translation = Translation(
        "a b", "가나", SMALL.source_pieces, SMALL.target_pieces, weights, (0.5, 1.0), -0.7, False
    )
    rows = csv.DictReader(io.StringIO(written(tmp_path, "a.csv", translation)))
    assert np.array_equal(
        np.array([np.float32(row["weight"]) for row in rows]).reshape(2, 3), translation.weights
    )


def test_a_comma_a_quote_and_a_line_in_a_piece_keep_the_table_whole(tmp_path):
    tricky = Translation("x", "y", ('▁,"', "\u2028"), ("▁=1+1",), [[0.5, 0.5]], (1.0,), 0.0, False)
    rows = list(csv.DictReader(io.StringIO(written(tmp_path, "a.csv", tricky), newline="")))
    assert [(row["source_piece"], row["target_piece"]) for row in rows] == [
        ('▁,"', "▁=1+1"),
        ("\u2028", "▁=1+1"),
    ]


def test_the_json_of_one_sentence_is_what_from_reads(tmp_path):
    assert Translation.from_json(written(tmp_path, "a.json", SMALL)) == SMALL


def test_the_json_of_several_sentences_is_a_list(tmp_path):
    assert json.loads(written(tmp_path, "a.json", SMALL, NO_ATTENTION)) == [
        json.loads(SMALL.to_json()),
        json.loads(NO_ATTENTION.to_json()),
    ]


# Untrusted text


def test_an_injection_is_text_in_csv_and_json(tmp_path):
    assert {
        row["source_piece"]
        for row in csv.DictReader(io.StringIO(written(tmp_path, "a.csv", INJECTION)))
    } == set(PIECES)
    assert json.loads(written(tmp_path, "a.json", INJECTION))["source"] == EVIL


def test_an_injection_is_text_in_svg(tmp_path):
    root = ElementTree.fromstring(written(tmp_path, "a.svg", INJECTION))
    assert {element.tag.rpartition("}")[2] for element in root.iter()} == {
        "svg",
        "g",
        "rect",
        "text",
        "tspan",
    }
    texts = [
        "".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")
    ]
    assert f"{EVIL} → {EVIL}" in " ".join(texts)
    assert set(PIECES) <= set(texts)


@pytest.mark.parametrize("words", [False, True])
def test_an_injection_is_text_in_html(tmp_path, words):
    page = Texts(written(tmp_path, "a.html", INJECTION, words=words))
    assert page.texts.count(EVIL) == 2
    assert {"▁<script>", "<script>alert(1)</script>"} <= set(page.texts)
    assert page.tags.count("script") == 1


def test_a_template_in_a_sentence_is_text(tmp_path):
    sentence = "$script ${style} %(x)s {0} $$"
    translation = Translation(
        sentence, sentence, ("▁$script", "</s>"), ("▁$$",), [[1, 0]], (1.0,), 0.0, False
    )
    assert {sentence, "▁$script", "▁$$"} <= set(
        Texts(written(tmp_path, "a.html", translation)).texts
    )


@pytest.mark.parametrize("name", ["a.html", "a.svg", "a.csv", "a.json", "a.png"])
def test_unpaired_surrogates_and_noncharacters_are_harmless(tmp_path, name):
    broken = Translation(
        "\ud800\uffff",
        "\udfff",
        ("▁\ud800\ufffe", "</s>"),
        ("▁\udfff",),
        [[1, 0]],
        (1.0,),
        0.0,
        False,
    )
    export.write(tmp_path / name, [broken])
    data = (tmp_path / name).read_bytes()
    assert data.startswith(PNG) or data.decode()
    if name == "a.svg":
        ElementTree.fromstring(data)


# Files


@pytest.mark.parametrize("name", ["a", "a.txt", "a.jsonl", "html", ".svg", "a.html.gz"])
def test_an_unknown_suffix_is_reported_before_any_work(cli, monkeypatch, name):
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", "missing.safetensors")
    result = cli("show-weights", "Hi!", "--output", name)
    assert error_of(result) == f"can't tell the format from the name {name}"
    hint = "hint: use a name that ends in .html, .svg, .png, .csv or .json"
    assert result.err.splitlines()[1] == hint


@pytest.mark.parametrize("name", ["a.HTML", "a.Svg", "a.CSV", "b.json", "한글 이름.png"])
def test_each_format_is_written_from_a_sentence(cli, tmp_path, name):
    assert cli("show-weights", "I love you", "-o", name) == (0, "", "")
    data = (tmp_path / name).read_bytes()
    assert data.startswith(PNG) or "사랑해" in data.decode()
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [name]


def test_without_words_the_last_translation_is_written(cli, tmp_path):
    cli("translate", "I run.")
    cli("show-weights", "--output", "a.json")
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["target"] == "나는 달려."


@pytest.mark.parametrize("name", ["a.html", "a.svg", "a.csv", "a.json"])
def test_saved_translations_go_into_one_file(cli, tmp_path, monkeypatch, name):
    (tmp_path / "saved.jsonl").write_text(
        cli("translate", "--format", "json", stdin="I love you\n\nHi!\n").out, "utf-8"
    )
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", "missing.safetensors")
    assert cli("show-weights", "--from", "saved.jsonl", "--output", name) == (0, "", "")
    text = (tmp_path / name).read_text("utf-8")
    assert "사랑해" in text
    assert "안녕" in text


def test_words_are_written_if_asked(cli, tmp_path):
    cli("show-weights", "The cat sat on the mat.", "--words", "--output", "a.json")
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["target_pieces"] == [
        "▁고양이가",
        "▁매트",
        "▁위에",
        "▁앉았어.",
        "</s>",
    ]


def test_a_file_that_was_there_is_replaced(tmp_path):
    (tmp_path / "a.csv").write_text("old " * 1000)
    assert written(tmp_path, "a.csv", SMALL).startswith("sentence,")


def test_a_written_file_is_an_ordinary_one(tmp_path):
    written(tmp_path, "a.csv", SMALL)
    (tmp_path / "b").touch()
    assert stat.S_IMODE((tmp_path / "a.csv").stat().st_mode) == stat.S_IMODE(
        (tmp_path / "b").stat().st_mode
    )


def test_a_failed_writing_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "a.csv").write_text("old")
    monkeypatch.setattr("translator.files.os.fsync", refuse)
    with pytest.raises(TranslatorError, match=r"can't write .*a\.csv: No space left on device"):
        export.write(tmp_path / "a.csv", [SMALL])
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.csv", "old")]


@pytest.mark.parametrize(
    ("name", "error", "hint"),
    [
        ("no/a.csv", "No such file or directory", "make the folder no first"),
        ("folder.csv", "Is a directory", "choose another --output"),
    ],
)
def test_a_path_that_cannot_be_written_is_reported(cli, tmp_path, name, error, hint):
    (tmp_path / "folder.csv").mkdir()
    result = cli("show-weights", "Hi!", "--output", name)
    assert error_of(result) == f"can't write {name}: {error}"
    assert result.err.splitlines()[1] == f"hint: {hint}"


# Pictures


def test_a_picture_is_the_figure_at_twice_its_size(tmp_path):
    figure = ElementTree.fromstring(written(tmp_path, "a.svg", SMALL))
    export.write(tmp_path / "a.png", [SMALL])
    data = (tmp_path / "a.png").read_bytes()
    assert struct.unpack(">II", data[16:24]) == (
        2 * int(figure.attrib["width"]),
        2 * int(figure.attrib["height"]),
    )


UNIFORM = Translation(
    "s t", "가", ("▁s", "▁t", "</s>"), ("▁가",), [[0.36, 0.33, 0.31]], (1.0,), 0.0, False
)


@pytest.mark.case(22)
@pytest.mark.parametrize("words", [False, True], ids=["pieces", "words"])
def test_no_picture_shades_or_frames_almost_uniform_weights(tmp_path, words):
    """Its pixels are those of the figure with all shades and frames taken out."""
    pytest.importorskip("resvg_py")
    from translator.views.markup import INK, RAMP
    from translator.views.picture import as_png

    def has_shades(translation: Translation) -> bool:
        svg = written(tmp_path, "a.svg", translation, words=words)
        export.write(tmp_path / "a.png", [translation], words=words)
        without_shades = re.sub("|".join(RAMP[1:]), RAMP[0], svg)
        plain = re.sub(f'<rect [^>]*stroke="{INK}"[^>]*/>', "", without_shades)
        return (tmp_path / "a.png").read_bytes() != as_png(plain)

    assert has_shades(SMALL)
    assert not has_shades(UNIFORM)


@pytest.mark.case(43)
def test_a_picture_shows_each_syllable_and_no_boxes():
    """A font without Hangul draws all syllables alike. The bundled font draws each differently."""
    fonts = pytest.importorskip("pylopdf_fonts_ko")
    renderer = pytest.importorskip("resvg_py")
    from translator.views.markup import FONTS

    def drawn(text: str, **options: object) -> bytes:
        start = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60" font-size="40"'
        svg = f'{start} font-family="{FONTS}"><text y="50">{text}</text></svg>'
        return bytes(renderer.svg_to_bytes(svg_string=svg, skip_system_fonts=True, **options))

    with_font = {
        drawn(syllable, font_files=[str(fonts.sans_path())]) for syllable in "가나다앉뷁힣猫"
    }
    assert len(with_font) == 7
    assert len({drawn(syllable) for syllable in "가나다앉뷁힣猫"}) == 1


@pytest.mark.case(43)
def test_without_the_extra_a_picture_names_it_before_any_work(cli, monkeypatch, without_png):
    monkeypatch.setenv("ATTN_TRANSLATE_CHECKPOINT", "missing.safetensors")
    result = cli("show-weights", "Hi!", "--output", "a.png")
    assert error_of(result) == "PNG needs packages that aren't installed (resvg_py)"
    assert result.err.splitlines()[1] == "hint: pip install 'attn-translate[png]', or write .svg"


def test_without_the_extra_all_else_is_written(tmp_path, without_png):
    assert all(written(tmp_path, name, SMALL) for name in ("a.html", "a.svg", "a.csv", "a.json"))


def test_a_picture_that_is_far_too_large_is_an_error():
    from translator.views.picture import as_png

    with pytest.raises(TranslatorError, match="100000 × 2000 pixels is too large"):
        as_png('<svg width="100000" height="2000"></svg>')
