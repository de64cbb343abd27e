"""The heatmap, compared exactly with what a reader should see."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from translator.translation import Translation
from translator.views.heatmap import ASCII_SHADES, NARROWEST, SHADES, Heatmap, mean_entropy, shade

WEIGHTS = np.array(
    [[0.9, 0.05, 0.03, 0.02], [0.1, 0.2, 0.6, 0.1], [0, 0.75, 0.25, 0], [0.25, 0.25, 0.25, 0.25]]
)


def make(
    source: str, target: str, weights: object, probabilities: tuple[float, ...] | None = None
) -> Translation:
    """Make a translation from pieces separated by spaces."""
    sources, targets = tuple(source.split()), tuple(target.split())
    probabilities = probabilities or (0.97,) * len(targets)
    return Translation("", "", sources, targets, weights, probabilities, -0.1, False)


LOVE = make("▁I ▁love ▁you </s>", "▁나는 ▁너를 ▁사랑해 </s>", WEIGHTS, (0.97, 1.0, 0.005, 0.5))
LONG = make(
    "▁incomprehensibilities [bold]x[/] :smile: </s>",
    "▁어마어마하게긴낱말 [/red]",
    [[0.5, 0.5, 0, 0], [0, 0, 0.3, 0.7]],
)
ONE = make("</s>", "</s>", [[1]])
UNIFORM = make("▁I ▁lo ve </s>", "▁나는 </s>", [[0.26, 0.25, 0.25, 0.24], [0.3, 0.2, 0.2, 0.3]])
MANY_SOURCES = " ".join(f"▁word{j}" for j in range(15))
MANY_TARGETS = " ".join(f"▁낱말{i}" for i in range(12))
MANY = make(MANY_SOURCES, MANY_TARGETS, np.eye(15)[:12])
WIDTHS = (20, 21, 22, 23, 24, 27, 30, 33, 37, 40, 41, 60, 79, 80, 81, 200)
every_width = pytest.mark.parametrize("width", WIDTHS)
every_example = pytest.mark.parametrize(
    "translation",
    [LOVE, LONG, ONE, MANY, replace(LOVE, weights=None)],
    ids=["love", "long", "1", "many", "none"],
)

EXACT_NAMES = (
    *("a blank line", "an immediate end", "no attention"),
    *("80 cells", "40 cells", "20 cells", "uniform"),
)
EXACT = [
    (Translation.empty(), 80, "(a blank line: nothing to translate)"),
    (
        ONE,
        80,
        "┌────┬────────┬────┐\n"
        "│    │  </s>  │ p  │\n"
        "├────┼────────┼────┤\n"
        "│</s>│██ 1.00*│0.97│\n"
        "└────┴────────┴────┘\n"
        "Rows: the pieces written, one a step. Columns: the source pieces looked at. A\n"
        "row is the attention of one step and sums to 1; * marks its largest weight. p:\n"
        "the piece's probability.",
    ),
    (
        replace(LOVE, weights=None),
        80,
        "┌───────┬────┐\n"
        "│       │ p  │\n"
        "├───────┼────┤\n"
        "│▁나는  │0.97│\n"
        "│▁너를  │1.00│\n"
        "│▁사랑해│0.01│\n"
        "│</s>   │0.50│\n"
        "└───────┴────┘\n"
        "This model has no attention: there are no weights to show. p: the piece's\n"
        "probability.",
    ),
    (
        LOVE,
        80,
        "┌───────┬────────┬────────┬────────┬────────┬────┐\n"
        "│       │   ▁I   │ ▁love  │  ▁you  │  </s>  │ p  │\n"
        "├───────┼────────┼────────┼────────┼────────┼────┤\n"
        "│▁나는  │██ 0.90*│░░ 0.05 │   0.03 │   0.02 │0.97│\n"
        "│▁너를  │░░ 0.10 │░░ 0.20 │▓▓ 0.60*│░░ 0.10 │1.00│\n"
        "│▁사랑해│   0.00 │██ 0.75*│▒▒ 0.25 │   0.00 │0.01│\n"
        "│</s>   │▒▒ 0.25*│▒▒ 0.25 │▒▒ 0.25 │▒▒ 0.25 │0.50│\n"
        "└───────┴────────┴────────┴────────┴────────┴────┘\n"
        "Rows: the pieces written, one a step. Columns: the source pieces looked at. A\n"
        "row is the attention of one step and sums to 1; * marks its largest weight. p:\n"
        "the piece's probability.",
    ),
    (
        LOVE,
        40,
        "┌───────┬────────┬────────┐\n"
        "│       │   ▁I   │ ▁love  │\n"
        "├───────┼────────┼────────┤\n"
        "│▁나는  │██ 0.90*│░░ 0.05 │\n"
        "│▁너를  │░░ 0.10 │░░ 0.20 │\n"
        "│▁사랑해│   0.00 │██ 0.75*│\n"
        "│</s>   │▒▒ 0.25*│▒▒ 0.25 │\n"
        "└───────┴────────┴────────┘\n"
        "┌───────┬────────┬────────┬────┐\n"
        "│       │  ▁you  │  </s>  │ p  │\n"
        "├───────┼────────┼────────┼────┤\n"
        "│▁나는  │   0.03 │   0.02 │0.97│\n"
        "│▁너를  │▓▓ 0.60*│░░ 0.10 │1.00│\n"
        "│▁사랑해│▒▒ 0.25 │   0.00 │0.01│\n"
        "│</s>   │▒▒ 0.25 │▒▒ 0.25 │0.50│\n"
        "└───────┴────────┴────────┴────┘\n"
        "Rows: the pieces written, one a step.\n"
        "Columns: the source pieces looked at. A\n"
        "row is the attention of one step and\n"
        "sums to 1; * marks its largest weight.\n"
        "p: the piece's probability.",
    ),
    (
        make("▁I </s>", "▁나는 </s>", [[0.9, 0.1], [0, 1]]),
        20,
        "┌────┬────────┐\n"
        "│    │   ▁I   │\n"
        "├────┼────────┤\n"
        "│▁나 │██ 0.90*│\n"
        "│는  │        │\n"
        "│</s>│   0.00 │\n"
        "└────┴────────┘\n"
        "┌────┬────────┬────┐\n"
        "│    │  </s>  │ p  │\n"
        "├────┼────────┼────┤\n"
        "│▁나 │░░ 0.10 │0.97│\n"
        "│는  │        │    │\n"
        "│</s>│██ 1.00*│0.97│\n"
        "└────┴────────┴────┘\n"
        "Rows: the pieces\n"
        "written, one a step.\n"
        "Columns: the source\n"
        "pieces looked at. A\n"
        "row is the attention\n"
        "of one step and sums\n"
        "to 1; * marks its\n"
        "largest weight. p:\n"
        "the piece's\n"
        "probability.",
    ),
    (
        UNIFORM,
        30,
        "┌─────┬────────┬────────┐\n"
        "│     │   ▁I   │  ▁lo   │\n"
        "├─────┼────────┼────────┤\n"
        "│▁나는│   0.26 │   0.25 │\n"
        "│</s> │   0.30 │   0.20 │\n"
        "└─────┴────────┴────────┘\n"
        "┌─────┬────────┬────────┬────┐\n"
        "│     │   ve   │  </s>  │ p  │\n"
        "├─────┼────────┼────────┼────┤\n"
        "│▁나는│   0.25 │   0.24 │0.97│\n"
        "│</s> │   0.20 │   0.30 │0.97│\n"
        "└─────┴────────┴────────┴────┘\n"
        "Rows: the pieces written, one\n"
        "a step. Columns: the source\n"
        "pieces looked at. A row is the\n"
        "attention of one step and sums\n"
        "to 1. p: the piece's\n"
        "probability.\n"
        "Note: the weights are almost\n"
        "uniform over the pieces, so\n"
        "none is shaded or marked. This\n"
        "model hardly uses its\n"
        "attention.",
    ),
]


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove what the machine's environment says about colours."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def rendered(
    translation: Translation, width: int, *, words: bool = False, **options: object
) -> str:
    file = io.StringIO()
    Console(file=file, width=width, **options).print(Heatmap(translation, words=words))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def encoded(translation: Translation, encoding: str, width: int = 80) -> str:
    """Return what a terminal with this encoding shows, escaped as the command line does it."""
    buffer = io.BytesIO()
    file = io.TextIOWrapper(buffer, encoding, errors="backslashreplace")
    Console(file=file, width=width).print(Heatmap(translation))
    file.flush()
    return buffer.getvalue().decode(encoding)


def tables(text: str) -> list[list[str]]:
    """Return the lines of each table, from its top border to its bottom border."""
    found = re.findall(r"^[┌+].*\n(?:[│├|].*\n)+[└+].*$", text, re.MULTILINE)
    return [table.splitlines() for table in found]


def columns(text: str) -> list[str]:
    """Return the text in each column of each table, joining the lines of folded cells."""
    found = []
    for table in tables(text):
        cells = [re.split("[│|]", line)[1:-1] for line in table if line[0] in "│|"]
        found += ["".join(cell.strip() for cell in column) for column in zip(*cells, strict=True)]
    return found


@pytest.mark.case(22, 23, 25)
@pytest.mark.parametrize(("translation", "width", "expected"), EXACT, ids=EXACT_NAMES)
def test_it_looks_exactly_like_this(translation, width, expected):
    assert rendered(translation, width) == expected


@pytest.mark.case(36)
@every_example
@every_width
def test_borders_are_straight_and_fit_the_width(translation, width):
    for table in tables(rendered(translation, width)):
        assert len({cell_len(line) for line in table}) == 1
        assert cell_len(table[0]) <= width


@pytest.mark.case(36)
@every_example
@every_width
def test_nothing_is_cut(translation, width):
    text = rendered(translation, width)
    assert "…" not in text
    folded = [column for column in columns(text) if column]
    labels = "".join(translation.target_pieces)
    heads = [] if translation.weights is None else list(translation.source_pieces)
    assert all(any(column.startswith(head) for column in folded) for head in heads)
    assert folded.count(labels) == len(tables(text))
    assert folded[-1] == "".join(["p", *(f"{p:.2f}" for p in translation.probabilities)])


@every_width
def test_every_weight_appears_once_whatever_the_width(width):
    text = rendered(replace(MANY, probabilities=(1,) * 12), width)
    numbers = re.findall(r"\d\.\d\d(?=[* ])", text)
    assert sorted(numbers) == sorted(f"{weight:.2f}" for weight in MANY.weights.flat)


@every_width
def test_every_source_piece_is_a_head_once_and_in_order(width):
    heads = [re.match(r"▁word\d+?(?=\D|\d\.)", column) for column in columns(rendered(MANY, width))]
    assert [head.group() for head in heads if head] == list(MANY.source_pieces)


@every_width
def test_one_star_a_row_marks_the_largest(width):
    text = rendered(MANY, width)
    assert text.split("Rows")[0].count("*") == len(MANY.target_pieces)
    assert text.count("1.00*") == len(MANY.target_pieces)


def test_equal_weights_have_one_star():
    translation = make("▁a ▁b", "▁가 ▁나", [[0.5, 0.5], [1, 0]])
    assert rendered(translation, 80).splitlines()[3] == "│▁가│▓▓ 0.50*│▓▓ 0.50 │0.97│"


@pytest.mark.case(36)
def test_fifteen_pieces_fit_a_narrow_terminal_in_bands():
    assert len(tables(rendered(MANY, 40))) > 1
    assert len(tables(rendered(MANY, 200))) == 1


@pytest.mark.case(40)
def test_text_is_never_markup():
    translation = make("[bold]x[/] [/] :smile: \\[a]", "[red] [/] :cat:", np.eye(4)[:3])
    folded = "".join(columns(rendered(translation, 120, markup=True, emoji=True)))
    for piece in (*translation.source_pieces, *translation.target_pieces):
        assert piece in folded


@pytest.mark.case(22)
def test_almost_uniform_weights_are_called_so():
    note = "Note: the weights are almost uniform"
    assert note in rendered(make("a b c", "d e", np.full((2, 3), 1 / 3)), 80)
    assert note not in rendered(LOVE, 80)
    assert note not in rendered(ONE, 80)


@pytest.mark.case(22)
@pytest.mark.parametrize("words", [False, True], ids=["pieces", "words"])
def test_nothing_stands_out_of_almost_uniform_weights(words):
    """Nor in words, where one of two pieces has the weight of both. Only the note is bold."""
    text = rendered(UNIFORM, 80, words=words, force_terminal=True, color_system="truecolor")
    table = text.partition("Note: the weights are almost uniform")[0]
    assert "0.26" in table
    assert not re.search(r"[░▒▓█*]|\x1b\[1[;\d]*m \d", table)


@pytest.mark.case(22)
def test_words_of_pieces_that_differ_are_shaded_even_if_they_are_equal_themselves():
    translation = make("▁a ▁b c", "▁가 ▁나", [[0.5, 0.5, 0], [0.5, 0, 0.5]])
    expected = rendered(translation.merged(), 80)
    assert "so none is shaded" in expected
    text = rendered(translation, 80, words=True)
    assert text.count("▓▓ 0.50*") == 2
    assert "uniform" not in text


@pytest.mark.parametrize(
    ("weights", "entropy"),
    [
        (np.zeros((0, 0)), 0),
        (np.ones((2, 1)), 0),
        (np.eye(3), 0),
        (np.full((2, 4), 0.25), 1),
        ([[0.5, 0.5, 0, 0]], 0.5),
        ([[1, 0], [0.5, 0.5]], 0.5),
    ],
)
def test_entropy_is_a_share_of_the_largest(weights, entropy):
    assert mean_entropy(np.array(weights)) == pytest.approx(entropy)


def test_a_shade_never_falls_when_the_weight_rises():
    levels = [shade(weight) for weight in np.linspace(0, 1.0000002, 1001)]
    assert levels == sorted(levels)
    assert set(levels) == set(range(len(SHADES))) == set(range(len(ASCII_SHADES)))


def coloured(monkeypatch: pytest.MonkeyPatch, **environment: str) -> str:
    """Return what a pipe gets with these variables."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return rendered(LOVE, 80)


def test_a_pipe_gets_no_escapes(monkeypatch):
    assert "\x1b" not in coloured(monkeypatch)


def test_force_color_colours_a_pipe_in_one_hue(monkeypatch):
    plain = rendered(LOVE, 80)
    text = coloured(monkeypatch, FORCE_COLOR="1")
    assert set(re.findall(r"[34]8;5;\d+", text)) == {"38;5;33"}
    assert tables(re.sub(r"\x1b\[[\d;]*m", "", text)) == tables(plain)


@pytest.mark.case(38)
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_no_color_wins_over_force_color(monkeypatch, environment):
    text = coloured(monkeypatch, FORCE_COLOR="1", **environment)
    assert not re.search(r"\x1b\[[\d;]*[34]\d", text)


def test_an_ascii_terminal_gets_ascii_shades_and_borders():
    translation = make("a b c", "d e", [[0.9, 0.06, 0.04], [0.3, 0.5, 0.2]])
    assert encoded(translation, "ascii").splitlines()[:6] == [
        "+----------------------------------+",
        "|  |   a    |   b    |   c    | p  |",
        "|--+--------+--------+--------+----|",
        "|d |## 0.90*|.. 0.06 |   0.04 |0.97|",
        "|e |:: 0.30 |++ 0.50*|.. 0.20 |0.97|",
        "+----------------------------------+",
    ]


@pytest.mark.parametrize("encoding", ["ascii", "cp949", "latin-1"])
@pytest.mark.parametrize("width", [40, 80])
def test_borders_are_straight_where_a_character_must_be_escaped(encoding, width):
    """cp949 has Hangul but not ▁."""
    for table in tables(encoded(LOVE, encoding, width)):
        assert len({cell_len(line) for line in table}) == 1
        assert cell_len(table[0]) <= width


def test_a_notebook_shows_it_too():
    assert "▁사랑해" in Heatmap(LOVE)._repr_mimebundle_([], [])["text/plain"]


@pytest.mark.parametrize("width", [1, 5, NARROWEST - 1])
def test_a_terminal_too_narrow_for_one_column_is_no_error(width):
    assert rendered(LOVE, width)
