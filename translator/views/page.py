"""Translations as one HTML page that plays the decoding.

The page needs no network, and its Content-Security-Policy forbids all access to it. It also works
without its script: a heading and a table for each sentence, which is what a screen reader reads.
The script (`stage.js`, then `page.js`) builds the animated view from those tables. Script and style
are inline, and the policy allows them by their hashes only. So text in the page can't run, even
unescaped.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from importlib import resources
from string import Template

from translator.translation import Translation
from translator.views.heatmap import Cell, cells, is_uniform
from translator.views.markup import escaped, merged_without_marks

POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; "
    "base-uri 'none'; form-action 'none'"
)
MAX_LARGE_COLUMNS = 20  # a table with more columns is set in small type

# The page's texts, in English and Korean.
MARKS = ("; its largest weight is bold", " 가장 큰 가중치는 굵게 표시합니다.")
CAPTION = (
    f"A row is the attention of one step and sums to 1{MARKS[0]}. p: the piece's probability.",
    f"각 행은 한 단계의 어텐션 가중치이며 합은 1입니다.{MARKS[1]} p: 조각의 확률.",
)
UNIFORM_CAPTION = (CAPTION[0].replace(MARKS[0], ""), CAPTION[1].replace(MARKS[1], ""))
NO_WEIGHTS = (
    "This model has no attention: there are no weights to show. p: the piece's probability.",
    "이 모델에는 어텐션이 없으므로 표시할 가중치가 없습니다. p: 조각의 확률.",
)
UNIFORM = (
    "The weights are almost uniform over the pieces: this model hardly uses its attention. "
    "So there are numbers, but no shades and no lines.",
    "가중치가 모든 조각에 거의 균일하게 퍼져 있습니다. "
    "이 모델은 어텐션을 거의 사용하지 않으므로 음영과 선 없이 숫자만 표시합니다.",
)
BLANK = ("A blank line: nothing to translate.", "빈 줄이므로 번역할 내용이 없습니다.")
UNFINISHED = ("The translation was cut at the length limit.", "번역문이 최대 길이에서 잘렸습니다.")


def as_html(translations: Sequence[Translation], *, words: bool = False) -> str:
    """Return the page. It has both pieces and words; `words` decides which it shows first."""
    style, script = _asset("page.css"), _asset("stage.js") + _asset("page.js")
    sections = [
        line
        for number, translation in enumerate(translations, 1)
        for line in _section(number, translation, words=words)
    ]
    # `substitute` never looks into the values: a `$script` in somebody's sentence stays text.
    return Template(_asset("page.html")).substitute(
        title=escaped(_title(translations)),
        view="words" if words else "pieces",
        policy=POLICY.format(script=_policy_hash(script), style=_policy_hash(style)),
        style=style,
        script=script,
        sections="\n".join(sections),
    )


def _title(translations: Sequence[Translation]) -> str:
    if len(translations) == 1:
        return f"{translations[0].source} · attn-translate"
    return f"attn-translate ({len(translations)})"


def _asset(name: str) -> str:
    """Read a file of this package."""
    return resources.files("translator.views").joinpath(name).read_text("utf-8")


def _policy_hash(text: str) -> str:
    """Return the hash by which a Content-Security-Policy allows an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _bilingual(texts: tuple[str, str]) -> str:
    """Return a text in both languages; the page shows one of them."""
    english, korean = map(escaped, texts)
    return f'<span class="en" lang="en">{english}</span><span class="ko" lang="ko">{korean}</span>'


def _section(number: int, translation: Translation, *, words: bool) -> Iterator[str]:
    """Yield a sentence: its heading, its notes, and its tables of pieces and of words."""
    size = " wide" if len(translation.source_pieces) > MAX_LARGE_COLUMNS else ""
    yield f'<section class="sentence{size}" aria-labelledby="s{number}">'
    source, target = (f"<bdi>{escaped(t)}</bdi>" for t in (translation.source, translation.target))
    yield f'<h2 id="s{number}">{source}<span class="arrow">→</span>{target}</h2>'
    yield from (f'<p class="note">{_bilingual(note)}</p>' for note in _notes(translation))
    if translation.target_pieces:
        # subtle: ask `is_uniform` of the pieces; merged into words, they may look uneven
        uniform, merged = is_uniform(translation), merged_without_marks(translation)
        name = f"s{number}-"
        yield from _view(name, "pieces", translation, is_hidden=words, uniform=uniform)
        yield from _view(name, "words", merged, is_hidden=not words, uniform=uniform)
    yield "</section>"


def _notes(translation: Translation) -> Iterator[tuple[str, str]]:
    if not translation.target_pieces:
        yield BLANK
    if not translation.finished:
        yield UNFINISHED
    if is_uniform(translation):
        yield UNIFORM


def _view(
    prefix: str, kind: str, translation: Translation, *, is_hidden: bool, uniform: bool
) -> Iterator[str]:
    """Yield the table of pieces or of words; `prefix` and `kind` make up its id."""
    has_weights = translation.weights is not None
    caption = UNIFORM_CAPTION if uniform else CAPTION if has_weights else NO_WEIGHTS
    columns = translation.source_pieces if has_weights else ()
    headers = "".join(
        f'<th scope="col" data-column="{j}">{escaped(piece)}</th>'
        for j, piece in enumerate(columns)
    )
    yield f'<div class="view" data-view="{kind}"{" hidden" if is_hidden else ""}>'
    yield f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{prefix}{kind}">'
    yield f'<table><caption id="{prefix}{kind}">{_bilingual(caption)}</caption>'
    yield f'<thead><tr><td></td>{headers}<th scope="col" class="p">p</th></tr></thead>'
    yield "<tbody>"
    for i in range(len(translation.target_pieces)):
        yield _row(translation, i, uniform=uniform)
    yield "</tbody></table></div></div>"


def _row(translation: Translation, i: int, *, uniform: bool) -> str:
    """Return the row of one step: the target piece, its weights, its probability."""
    probability, label = translation.probabilities[i], escaped(translation.target_pieces[i])
    row = cells(translation, i, uniform=uniform)
    small = len(row) > MAX_LARGE_COLUMNS
    weights = "".join(_cell(cell, small=small) for cell in row)
    return (
        f'<tr data-probability="{min(probability, 1):.4f}"><th scope="row">{label}</th>'
        f'{weights}<td class="p">{probability:.2f}</td></tr>'
    )


def _cell(cell: Cell, *, small: bool) -> str:
    """Return one weight with its shade."""
    weight, level, is_largest = cell
    style = f"w{level} most" if is_largest else f"w{level}"
    number = _short(weight) if small else f"{weight:.2f}"
    data = f'data-level="{level}" data-weight="{weight:.4f}"'
    return f'<td class="{style}" {data}>{number}</td>'


def _short(weight: float) -> str:
    """Format a weight without its leading zero; return nothing if it rounds to 0.

    >>> _short(0.714), _short(1), _short(0.001)
    ('.71', '1.0', '')
    """
    if weight >= 0.995:
        return "1.0"
    return f"{weight:.2f}".removeprefix("0") if weight >= 0.005 else ""
