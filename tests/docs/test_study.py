"""The study of attention: its lines, its measurements, and a tiny study from end to end."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import torch

from docs.study.lines import LONGEST, join_lines, read_lines
from docs.study.plan import FULL, QUICK
from docs.study.report import fill
from docs.study.results import cached
from docs.study.sharpness import entropies, random_entropy
from translator.errors import TranslatorError
from translator.settings import ATTENTIONS
from translator.text.alignment import gold_alignment
from translator.text.corpus import SentencePair

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENT = ROOT / "docs" / "attention-study.md"
BLOCKS = ("setup", "quality", "length", "alignment", "time", "sharpness", "faithfulness")
MARKED = re.compile(r"<!-- begin (\w+) -->(.*?)<!-- end \1 -->", re.DOTALL)


def study(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "docs.study", "--jobs", "1", *map(str, arguments)]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=300
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run a quick study into a copy of the document, next to its pictures and results."""
    folder = tmp_path_factory.mktemp("study")
    document = folder / "attention-study.md"
    document.write_text(DOCUMENT.read_text("utf-8"), "utf-8")
    done = study("--quick", "--folder", folder / "results", "--document", document)
    assert done.returncode == 0, done.stderr
    return document


def table_rows(block: str, first_cell: str) -> list[list[str]]:
    """Give the cells of the rows that begin with this cell."""
    rows = [line.strip("| ").split(" | ") for line in block.splitlines() if line.startswith("|")]
    return [row for row in rows if row[0] == first_cell]


def test_a_study_fills_every_block_and_nothing_else(written):
    before, after = DOCUMENT.read_text("utf-8"), written.read_text("utf-8")
    assert tuple(name for name, _ in MARKED.findall(after)) == BLOCKS
    assert MARKED.sub("", after) == MARKED.sub("", before)
    assert "Not measured yet" not in after


def test_every_score_function_has_its_row_in_every_table(written):
    blocks = dict(MARKED.findall(written.read_text("utf-8")))
    for attention in ATTENTIONS:
        for block, tables, columns in (("quality", 1, 7), ("alignment", 1, 4), ("time", 1, 8)):
            rows = table_rows(blocks[block], f"`{attention}`")
            assert [len(row) for row in rows] == [columns] * tables
        assert (
            len(table_rows(blocks["length"], f"`{attention}`")) == 4
        )  # two scores on two test sets
    assert table_rows(blocks["alignment"], "`none`") == [["`none`", "–", "–", "–"]]
    assert [
        row[0] for size in QUICK.key_sizes for row in table_rows(blocks["sharpness"], str(size))
    ] == ["4", "8"]


def test_the_pictures_are_those_that_the_document_shows(written):
    shown = re.findall(r"!\[.*?\]\((.*?)\)", written.read_text("utf-8"))
    drawn = [
        f"attention-study/{path.name}" for path in (written.parent / "attention-study").iterdir()
    ]
    assert sorted(shown) == sorted(drawn)
    for name in shown:
        texts = [
            element.text
            for element in ElementTree.parse(written.parent / name).iter(
                "{http://www.w3.org/2000/svg}text"
            )
        ]
        assert "scaled-dot" in texts


def test_what_was_measured_is_not_measured_again(written):
    results = written.parent / "results" / "quick"
    path = results / "quality-none.json"
    before = json.loads(path.read_text("utf-8"))
    before["result"]["tests"]["test"]["chrf"] = 12.34
    path.write_text(json.dumps(before), "utf-8")
    (results / "quality-dot.json").unlink()
    done = study(
        "--quick", "--only", "trainings", "--folder", results.parent, "--document", written
    )
    assert done.returncode == 0, done.stderr
    assert (
        table_rows(dict(MARKED.findall(written.read_text("utf-8")))["quality"], "`none`")[0][1]
        == "12.3"
    )
    assert (results / "quality-dot.json").is_file()


def test_a_document_without_markers_is_refused(tmp_path):
    with pytest.raises(TranslatorError, match="no place for 'time'"):
        fill("<!-- begin time --> and no end", {"time": "text"})
    done = study("--quick", "--only", "faithfulness", "--document", tmp_path / "missing.md")
    assert (done.returncode, done.stderr.splitlines()[-2][:7]) == (1, "error: ")


def test_other_settings_are_measured_again(tmp_path):
    path = tmp_path / "new" / "one.json"
    assert cached(path, {"sizes": (1, 2)}, lambda: {"score": 1}) == {"score": 1}
    assert cached(path, {"sizes": (1, 2)}, lambda: {"score": 2}) == {"score": 1}
    assert cached(path, {"sizes": (1, 3)}, lambda: {"score": 3}) == {"score": 3}


def test_joined_lines_keep_every_word_and_every_link():
    pairs = [SentencePair(f"a{n} b{n}", f"x{n}", "1-0") for n in range(60)]
    lines = list(join_lines(pairs))
    assert 5 < len(lines) < 60
    assert max(len(line.source.split()) for line in lines) <= LONGEST
    kept = " ".join(pair.source for pair in pairs)
    assert kept.startswith(" ".join(line.source for line in lines))
    for line in lines:
        gold, sources, targets = gold_alignment(line), line.source.split(), line.target.split()
        assert gold is not None
        assert {sources[j] + targets[i] for j, i in gold.sure} == {
            f"b{word[1:]}{word}" for word in targets
        }


def test_the_study_trains_on_as_many_joined_lines_as_single_ones_and_tests_every_length():
    lines = read_lines(FULL)
    assert (len(lines.short), len(lines.training)) == (20_000, 40_000)
    assert (
        max(len(pair.source.split()) for pair in lines.short)
        < max(len(pair.source.split()) for pair in lines.training)
        == LONGEST
    )
    assert {(len(pair.source.split()) - 1) // 5 for pair in lines.tests["joined"]} == set(range(8))
    assert all(gold_alignment(pair) is not None for pair in lines.tests["joined"])


def test_entropy_is_1_where_all_weigh_the_same_and_0_where_one_has_all():
    weights = torch.tensor(
        [[0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0, 0], [0, 0, 1, 0], [0.5, 0.5, 0, 0]]
    )
    assert entropies(weights, torch.tensor([4, 2, 3, 4])).tolist() == pytest.approx([1, 1, 0, 0.5])


def test_random_dot_products_grow_sharp_with_the_key_size_and_scaled_ones_do_not():
    plain = [random_entropy(size, FULL, scaled=False) for size in FULL.key_sizes]
    scaled = [random_entropy(size, FULL, scaled=True) for size in FULL.key_sizes]
    assert plain == sorted(plain, reverse=True)
    assert plain[-1] < 0.1 < 0.8 < min(scaled)
    assert max(scaled) - min(scaled) < 0.02


def test_the_expected_entropy_of_scaled_scores_is_that_of_normal_ones():
    generator = torch.Generator().manual_seed(0)
    weights = torch.randn(100_000, 10, generator=generator).softmax(1)
    normal = float((-(weights * weights.log()).sum(1) / math.log(10)).mean())
    assert random_entropy(1024, FULL, scaled=True) == pytest.approx(normal, abs=0.01)
