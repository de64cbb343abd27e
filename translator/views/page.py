"""Translations as one HTML page that plays the decoding; it needs no network, and its policy allows none.

The page is whole without its script: a heading and a table for each sentence, which is also what a screen reader reads. The script
(`page.js`) builds the stage from those tables. Script and style stand in the page and are allowed by their hashes alone, so no text that got
into the page could run, even if it weren't escaped.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from importlib import resources
from string import Template

from translator.translation import Translation
from translator.views.heatmap import cells, is_uniform
from translator.views.markup import bare, escaped

MANY = 20  # with more columns than that a table is set small

# What the page says, in English and Korean.
MARKS = ("; its largest weight is bold", " 가장 큰 가중치는 굵게 표시합니다.")
CAPTION = (
    f"A row is the attention of one step and sums to 1{MARKS[0]}. p: the piece's probability.",
    f"한 행은 한 단계의 어텐션이고 합은 1입니다.{MARKS[1]} p: 그 조각의 확률.",
)
UNIFORM_CAPTION = (CAPTION[0].replace(MARKS[0], ""), CAPTION[1].replace(MARKS[1], ""))
NO_WEIGHTS = (
    "This model has no attention: there are no weights to show. p: the piece's probability.",
    "이 모델에는 어텐션이 없어 보여 줄 가중치가 없습니다. p: 그 조각의 확률.",
)
UNIFORM = (
    "The weights are almost uniform over the pieces: this model hardly uses its attention. So there are numbers, but no shades and no lines.",
    "가중치가 모든 조각에 거의 고르게 퍼져 있습니다. 이 모델은 어텐션을 거의 쓰지 않으므로 숫자만 보이고 색과 선은 넣지 않습니다.",
)
BLANK = ("A blank line: nothing to translate.", "빈 줄이라 번역할 것이 없습니다.")
UNFINISHED = ("The translation was cut at the length limit.", "번역이 길이 제한에서 끊겼습니다.")


def as_html(translations: Sequence[Translation], *, words: bool = False) -> str:
    """The page; `words` says what it shows first, for it holds pieces and words."""
    style, script = _asset("page.css"), _asset("page.js")
    first = translations[0].source if translations else ""
    # `substitute` looks at the template only, never at what it puts in: a `$script` in somebody's sentence stays text.
    return Template(_asset("page.html")).substitute(
        title=escaped(
            f"{first} · attn-translate"
            if len(translations) == 1
            else f"attn-translate ({len(translations)})"
        ),
        view="words" if words else "pieces",
        style=style,
        style_hash=_digest(style),
        script=script,
        script_hash=_digest(script),
        sections="\n".join(
            line
            for number, translation in enumerate(translations, 1)
            for line in _section(number, translation, words=words)
        ),
    )


def _asset(name: str) -> str:
    """A file of this package."""
    return resources.files("translator.views").joinpath(name).read_text("utf-8")


def _digest(text: str) -> str:
    """How a Content-Security-Policy names an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _both(texts: tuple[str, str]) -> str:
    """A text in both languages; the page shows one."""
    return f'<span class="en" lang="en">{escaped(texts[0])}</span><span class="ko" lang="ko">{escaped(texts[1])}</span>'


def _section(number: int, translation: Translation, *, words: bool) -> Iterator[str]:
    """One sentence: its heading, its notes, and its tables of pieces and of words."""
    size = " wide" if len(translation.source_pieces) > MANY else ""
    yield f'<section class="sentence{size}" aria-labelledby="s{number}">'
    source, target = escaped(translation.source), escaped(translation.target)
    yield f'<h2 id="s{number}"><bdi>{source}</bdi><span class="arrow">→</span><bdi>{target}</bdi></h2>'
    yield from (f'<p class="note">{_both(note)}</p>' for note in _notes(translation))
    if translation.target_pieces:
        uniform = is_uniform(translation)
        yield from _view(
            f"s{number}-pieces", "pieces", translation, is_hidden=words, uniform=uniform
        )
        yield from _view(
            f"s{number}-words", "words", bare(translation), is_hidden=not words, uniform=uniform
        )
    yield "</section>"


def _notes(translation: Translation) -> Iterator[tuple[str, str]]:
    if not translation.target_pieces:
        yield BLANK
    if not translation.finished:
        yield UNFINISHED
    if is_uniform(translation):
        yield UNIFORM


def _view(
    identity: str, kind: str, translation: Translation, *, is_hidden: bool, uniform: bool
) -> Iterator[str]:
    """The table of pieces or of words."""
    has_weights = translation.weights is not None
    yield f'<div class="view" data-view="{kind}"{" hidden" if is_hidden else ""}>'
    yield f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{identity}">'
    caption = UNIFORM_CAPTION if uniform else CAPTION if has_weights else NO_WEIGHTS
    yield f'<table><caption id="{identity}">{_both(caption)}</caption>'
    columns = translation.source_pieces if has_weights else ()
    headers = "".join(
        f'<th scope="col" data-column="{j}">{escaped(piece)}</th>'
        for j, piece in enumerate(columns)
    )
    yield f'<thead><tr><td></td>{headers}<th scope="col" class="p">p</th></tr></thead>'
    yield "<tbody>"
    yield from (
        _row(translation, i, uniform=uniform) for i in range(len(translation.target_pieces))
    )
    yield "</tbody></table></div></div>"


def _row(translation: Translation, i: int, *, uniform: bool) -> str:
    """One step: the target piece, its weights, its probability."""
    probability = translation.probabilities[i]
    weights = cells(translation, i, uniform=uniform)
    small = len(weights) > MANY
    row = "".join(
        f'<td class="w{level}{" most" if is_largest else ""}" data-level="{level}" data-weight="{weight:.4f}">'
        f"{_short(weight) if small else f'{weight:.2f}'}</td>"
        for weight, level, is_largest in weights
    )
    head = f'<tr data-probability="{min(probability, 1):.4f}"><th scope="row">{escaped(translation.target_pieces[i])}</th>'
    return f'{head}{row}<td class="p">{probability:.2f}</td></tr>'


def _short(weight: float) -> str:
    """Two digits without the nought before them; nothing for what rounds to nothing.

    >>> _short(0.714), _short(1), _short(0.001)
    ('.71', '1.0', '')
    """
    if weight >= 0.995:
        return "1.0"
    return f"{weight:.2f}".removeprefix("0") if weight >= 0.005 else ""
