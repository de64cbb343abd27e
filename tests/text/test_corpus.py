"""Parallel files → clean pairs: what is kept, what is skipped and said, and what is refused."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from conftest import PAIRS

from translator import TranslatorError
from translator.text.corpus import (
    LONGEST,
    CorpusReport,
    SentencePair,
    corpus_digest,
    hold_out,
    read_corpus,
    read_lines,
    read_parallel,
    reverse,
)
from translator.text.normalization import fold

HI = SentencePair("Hi!", "안녕!")
BYE = SentencePair("Bye.", "잘 가.")
CLEAN = "Hi!\t안녕!\nBye.\t잘 가.\n"
BOM = "\ufeff"


def write(folder: Path, text: str | bytes, name: str = "corpus.tsv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.case(6, 8, 11, 12)
@pytest.mark.parametrize(
    "text",
    [
        CLEAN,
        CLEAN.removesuffix("\n"),
        CLEAN.replace("\n", "\r\n"),
        BOM + CLEAN,
        "".join(BOM + line for line in CLEAN.splitlines(keepends=True)),
        BOM + CLEAN.replace("\n", "\r\n" + BOM),
        unicodedata.normalize("NFD", CLEAN),
        CLEAN.replace("\n", "\tCC-BY 2.0 (France) #1\n"),
        CLEAN.replace("\n", "\tcolumn\tcolumn\n"),
        CLEAN.replace("\t", " \t\u3000").replace("잘 가", "잘 \x1b\u200b 가"),
        CLEAN + CLEAN,
        "\n\n" + CLEAN + "\n",
    ],
    ids=[
        "clean",
        "no last end",
        "CRLF",
        "BOM",
        "cat a b",
        "all of it",
        "NFD",
        "attribution",
        "more columns",
        "spaces",
        "twice",
        "blanks",
    ],
)
def test_a_file_with_odd_bytes_gives_the_pairs_of_the_clean_one(tmp_path, text):
    assert read_corpus(write(tmp_path, text))[0] == [HI, BYE]


@pytest.mark.case(8, 10, 11)
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "blank"),
        ("   ", "blank"),
        ("\t", "blank"),
        (" \t\u3000", "blank"),
        ("\tonly a third", "blank on one side"),
        ("Hi\t", "blank on one side"),
        ("\t안녕", "blank on one side"),
        ("Hi\t \u200b", "blank on one side"),
        ("Hi 안녕", "without a tab"),
        ("Hi!\t안녕!", "duplicates"),
        (f"{'a' * (LONGEST + 1)}\t안녕", f"longer than {LONGEST} characters"),
        (f"Hi\t{'가' * (LONGEST + 1)}", f"longer than {LONGEST} characters"),
    ],
)
def test_a_bad_line_is_skipped_and_said_with_its_number(tmp_path, line, reason):
    pairs, report = read_corpus(write(tmp_path, f"Hi!\t안녕!\n{line}\nBye.\t잘 가.\n{line}\n"))
    assert pairs == [HI, BYE]
    assert (report.read, report.kept, report.skipped) == (4, 2, {reason: (2, 2)})
    assert (
        str(report)
        == f"{tmp_path}/corpus.tsv: 4 lines, 2 pairs; skipped 2 {reason} (first: line 2)"
    )


def test_a_report_lists_every_reason():
    report = CorpusReport("a.tsv", 12_345, 12_340)
    for reason, line in (("blank", 3), ("duplicates", 5), ("blank", 9)):
        report.skip(reason, line)
    assert (
        str(report) == "a.tsv: 12,345 lines, 12,340 pairs; "
        "skipped 2 blank (first: line 3), 1 duplicates (first: line 5)"
    )
    assert str(CorpusReport("a.tsv", 1, 1)) == "a.tsv: 1 line, 1 pair"


def test_the_longest_pair_is_kept(tmp_path):
    assert len(read_corpus(write(tmp_path, f"{'a' * LONGEST}\t{'가' * LONGEST}"))[0]) == 1


@pytest.mark.case(11)
def test_one_source_may_have_several_targets(tmp_path):
    pairs, report = read_corpus(write(tmp_path, "Hi!\t안녕!\nHi!\t여보세요\nhi!\t안녕!\n"))
    assert [pair.target for pair in pairs] == ["안녕!", "여보세요", "안녕!"]
    assert report.skipped == {}


@pytest.mark.parametrize(
    ("third", "alignment"),
    [
        ("0-0", "0-0"),
        ("0-0 1-2 2?1", "0-0 1-2 2?1"),
        (" 0-0 ", "0-0"),
        ("", ""),
        ("0-0 x", ""),
        ("0-", ""),
        ("-1-0", ""),
        ("CC-BY 2.0 (France) Attribution: tatoeba.org #1 (CK)", ""),
    ],
)
def test_a_third_column_is_gold_only_if_it_is_an_alignment(tmp_path, third, alignment):
    assert read_corpus(write(tmp_path, f"a b c\t가 나 다\t{third}\n"))[0] == [
        SentencePair("a b c", "가 나 다", alignment)
    ]


def unreadable(folder: Path, kind: str) -> Path:
    """A corpus that isn't one."""
    if kind == "folder":
        return folder
    if kind == "nothing":
        return folder / "nothing.tsv"
    lines = {
        "empty": "",
        "white": " \n\t\n",
        "long": f"{'a' * 999}\tb\n",
        "no tabs": "a\nb\n\n",
        "one-sided": "a\t\nb\t\n",
        "bom": BOM,
    }
    return write(folder, lines[kind])


@pytest.mark.case(3, 8)
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("empty", "{path} is empty"),
        ("white", "{path} is empty"),
        ("folder", "{path} is a folder"),
        ("nothing", "there is no file {path}"),
        (
            "long",
            f"{{path}}: none of its 1 lines is a sentence pair (longer than {LONGEST} characters)",
        ),
        ("no tabs", "{path}: none of its 3 lines is a sentence pair (without a tab)"),
        ("one-sided", "{path}: none of its 2 lines is a sentence pair (blank on one side)"),
        ("bom", "{path}: none of its 1 lines is a sentence pair (blank)"),
    ],
)
def test_what_is_no_corpus_is_reported_in_one_line(tmp_path, kind, message):
    path = unreadable(tmp_path, kind)
    with pytest.raises(TranslatorError) as refused:
        read_corpus(path)
    assert str(refused.value) == message.format(path=path)
    assert refused.value.hint


def test_an_unreadable_file_is_reported(tmp_path, monkeypatch):
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(TranslatorError, match=r"can't read .*corpus.tsv: Permission denied"):
        list(read_lines(write(tmp_path, CLEAN)))


@pytest.mark.case(7)
@pytest.mark.parametrize(
    ("data", "line", "looks"),
    [
        (CLEAN.encode("cp949"), 1, "; looks like cp949"),
        (("a\tb\n" + CLEAN).encode("cp949"), 2, "; looks like cp949"),
        (CLEAN.encode("utf-16"), 1, "; looks like UTF-16"),
        (CLEAN.encode("utf-16-le"), 1, "; looks like UTF-16"),
        (b"\xfe\xff" + CLEAN.encode("utf-16-be"), 1, "; looks like UTF-16"),
        (CLEAN.encode() + b"\xff\xfa\n", 3, ""),
    ],
    ids=[
        "cp949",
        "cp949 in line 2",
        "UTF-16",
        "UTF-16 without a mark",
        "UTF-16 big-endian",
        "neither",
    ],
)
def test_another_encoding_is_named_with_the_line(tmp_path, data, line, looks):
    path = write(tmp_path, data)
    with pytest.raises(TranslatorError) as refused:
        read_corpus(path)
    assert str(refused.value) == f"{path}, line {line}: not UTF-8{looks}"
    encoding = looks.removeprefix("; looks like ")
    assert refused.value.hint == (
        f"convert it: iconv -f {encoding} -t UTF-8 {path} > NEW_FILE"
        if looks
        else "save it as UTF-8"
    )


def test_the_hint_to_convert_can_be_pasted_into_a_shell(tmp_path):
    path = write(tmp_path, CLEAN.encode("cp949"), "my corpus.tsv")
    with pytest.raises(TranslatorError) as refused:
        read_corpus(path)
    assert f"'{path}'" in refused.value.hint


@pytest.mark.case(4)
@pytest.mark.parametrize("blank", ["", "  ", "\t", "\u200b"])
@pytest.mark.parametrize("side", [0, 1])
def test_a_blank_line_on_one_side_never_shifts_the_rest(tmp_path, side, blank):
    columns = [["a", "b", "c"], ["가", "나", "다"]]
    columns[side][1] = blank
    pairs, report = read_parallel(
        *(write(tmp_path, "\n".join(lines), f"{lines[0]}.txt") for lines in columns)
    )
    assert pairs == [SentencePair("a", "가"), SentencePair("c", "다")]
    assert report.skipped == {"blank on one side": (1, 2)}


@pytest.mark.case(5)
def test_files_of_different_lengths_are_refused_with_both_counts(tmp_path):
    source, target = write(tmp_path, "a\nb\nc\n", "a.en"), write(tmp_path, "가\n나\n", "a.ko")
    with pytest.raises(TranslatorError) as refused:
        read_parallel(source, target)
    assert str(refused.value) == f"{source} has 3 lines and {target} has 2"


def test_two_files_give_what_one_does(tmp_path):
    columns = zip(*(line.split("\t") for line in CLEAN.splitlines()), strict=True)
    source, target = (
        write(tmp_path, BOM + "\r\n".join(lines), name)
        for name, lines in zip("ab", columns, strict=True)
    )
    assert read_parallel(source, target)[0] == read_corpus(write(tmp_path, CLEAN))[0]


def test_a_tab_in_one_of_two_files_is_only_white_space(tmp_path):
    assert read_parallel(write(tmp_path, "a\tb\n", "a"), write(tmp_path, "가\t나\n", "b"))[0] == [
        SentencePair("a b", "가 나")
    ]


@pytest.mark.parametrize(
    "pairs", [[], PAIRS[:1], [SentencePair("Hi", "안녕"), SentencePair("HI", "여보세요")]]
)
def test_one_source_is_too_few_to_hold_out(pairs):
    with pytest.raises(TranslatorError, match="at least two different sources"):
        hold_out(pairs)


@pytest.mark.case(11)
@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 0.9])
def test_a_hold_out_splits_and_shares_no_source(share):
    pairs = [
        pair
        for number in range(100)
        for pair in (
            SentencePair(f"S {number}", f"a{number}"),
            SentencePair(f"s {number}", f"b{number}"),
        )
    ]
    training, dev = hold_out(pairs, share)
    assert sorted(training + dev) == sorted(pairs)
    assert not {fold(pair.source) for pair in training} & {fold(pair.source) for pair in dev}
    assert len(dev) == 2 * max(1, round(100 * share))


def test_a_hold_out_has_a_largest_size():
    pairs = [SentencePair(f"s {number}", "가") for number in range(100)]
    assert len(hold_out(pairs, 0.5, most=7)[1]) == 7


def test_a_hold_out_depends_on_the_sources_and_not_on_their_order():
    shuffled, upper = PAIRS[::-1], [pair._replace(source=pair.source.upper()) for pair in PAIRS]
    dev = hold_out(PAIRS, 0.3)[1]
    assert sorted(hold_out(shuffled, 0.3)[1]) == sorted(dev)
    assert [fold(pair.source) for pair in hold_out(upper, 0.3)[1]] == [
        fold(pair.source) for pair in dev
    ]


def test_a_hold_out_keeps_the_order():
    for part in hold_out(PAIRS, 0.3):
        assert part == [pair for pair in PAIRS if pair in part]


@pytest.mark.parametrize(
    ("alignment", "reversed_"), [("", ""), ("0-0", "0-0"), ("0-1 12?3 2-10", "1-0 3?12 10-2")]
)
def test_reversing_exchanges_the_sides_and_the_alignment(alignment, reversed_):
    pair = SentencePair("a", "가", alignment)
    assert reverse([pair]) == [SentencePair("가", "a", reversed_)]
    assert reverse(reverse([pair])) == [pair]


def test_a_digest_distinguishes_corpora():
    others = [
        [],
        PAIRS[:-1],
        PAIRS[::-1],
        reverse(PAIRS),
        [SentencePair("a\tb", "c")],
        [SentencePair("a", "b")],
    ]
    assert len({corpus_digest(pairs) for pairs in [PAIRS, *others]}) == 7
    assert corpus_digest(iter(PAIRS)) == corpus_digest(list(PAIRS))
