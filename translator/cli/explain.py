"""`attn-translate explain`: one decoding step of a sentence in numbers, as a lesson."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from translator.cli.show_weights import Words, chosen_line, remark_and_remember
from translator.cli.terminal import SentenceCommand, check_format, console, note, plain_table
from translator.cli.translate import CheckpointPath

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.console import Console
    from rich.table import Table

    from translator.evaluation.explanation import Explanation
    from translator.inference.translator import Translator
    from translator.translation import Translation

FORMATS = ("text", "json")
FIRST = 3  # numbers shown of a vector
NEEDED = 80  # cells of the widest table; a narrower terminal folds lines, but nothing is cut

QUERIES = {
    "scaled-dot": "q = W_q s_{i}",
    "dot": "q = W_q s_{i}",
    "general": "q = s_{i}, the state itself",
    "additive": "q = W s_{i}",
}
SIMILARITIES = {
    "scaled-dot": "q·k, a dot product. It is divided by √d_k = √{size} = {divisor:.2f}, because dot products of long vectors are large, "
    "and a softmax of large numbers is all or nothing.",
    "dot": "q·k, a dot product. Nothing divides it, so long vectors make large scores.",
    "general": "s·(W h_j): the dot product of the state with the key k_j = W h_j. Nothing divides it.",
    "additive": "v·tanh(q + k): not a dot product, but a small network that compares. Nothing divides it: tanh keeps each term small.",
}
VALUES = {
    "scaled-dot": "W_v h_j",
    "dot": "h_j, the encoder's state itself",
    "general": "h_j, the encoder's state itself",
    "additive": "h_j, the encoder's state itself",
}
KEYS = {"scaled-dot": "W_k h_j", "dot": "W_k h_j", "general": "W h_j", "additive": "U h_j"}


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("explain", cls=SentenceCommand)(explain)


def explain(
    words: Words = None,
    step: Annotated[int, typer.Option("--step", help="Which target piece, from 1.")] = 1,
    checkpoint: CheckpointPath = None,
    format_name: Annotated[
        str, typer.Option("--format", help="text or json.", autocompletion=lambda: FORMATS)
    ] = "text",
) -> None:
    """Explain one step of a translation in numbers: query, keys, values, weights, context, piece."""
    check_format(format_name, FORMATS)
    from translator.evaluation.explanation import explain as explained
    from translator.inference.translator import Translator

    translator = Translator.load(checkpoint)
    explanation = explained(translator, _translation(translator, words), step)
    if format_name == "json":
        print(json.dumps(explanation.record(), ensure_ascii=False))
    else:
        _show(console(sys.stdout), explanation)


def _translation(translator: Translator, words: list[str] | None) -> Translation:
    """What this model makes of the words, else of the last sentence, else of the default one: only its own steps can be explained."""
    line, last = chosen_line(words)
    translation = next(translator.translate([line]))
    if last is not None and last.target != translation.target:
        note(
            f"note: the last translation was {last.target}; only what this model writes itself can be explained"
        )
    remark_and_remember(translator, line, translation)
    return translation


def _show(screen: Console, e: Explanation) -> None:
    """The lesson, section by section."""
    translation = e.translation
    screen.width = max(screen.width, NEEDED)
    screen.print(f"{translation.source} → {translation.target}")
    screen.print(
        f"Step {e.step} of {len(translation.target_pieces)}: {e.previous_piece} is written, {e.piece} comes next. Attention: {e.attention}."
    )
    if e.weights is None:
        _show_without_attention(screen, e)
    else:
        _show_attention(screen, e)
    _show_likeliest(screen, e)
    if e.weights is not None:
        _show_elsewhere(screen, e)
        _show_roles(screen, e)


def _show_without_attention(screen: Console, e: Explanation) -> None:
    screen.print("\n1. No question is asked", style="bold")
    screen.print("This model has no attention: no query, no keys, no softmax, no weights.")
    screen.print(f"The state is s_{e.step} = {_vector(e.state)}.")
    screen.print("\n2. The context is the same at every step", style="bold")
    screen.print("It is the encoder's last state, one vector for the whole sentence, however long:")
    screen.print(f"c_{e.step} = {_vector(e.context)}.")


def _show_attention(screen: Console, e: Explanation) -> None:
    assert e.query is not None
    assert e.weights is not None
    size = len(e.query)
    screen.print("\n1. The query: what the decoder asks", style="bold")
    screen.print(
        f"The new state, which has read {e.previous_piece} and the last context:\ns_{e.step} = {_vector(e.state)}."
    )
    screen.print(f"{QUERIES[e.attention].format(i=e.step)}\n  = {_vector(e.query)}.")
    screen.print("\n2. Keys, values, similarity, softmax", style="bold")
    screen.print(f"Similarity: {SIMILARITIES[e.attention].format(size=size, divisor=e.divisor)}")
    screen.print(_comparison(e))
    screen.print(
        f"α = softmax: e to the score, over the sum of all of them. Sum of α: {float(e.weights.sum()):.4f}."
    )
    screen.print("\n3. The context: the values in these shares", style="bold")
    order = [int(j) for j in (-e.weights).argsort(kind="stable")]
    terms = " + ".join(
        f"{e.weights[j]:.2f} · value({e.translation.source_pieces[j]})" for j in order[:FIRST]
    )
    rest = " + …" if len(order) > FIRST else ""
    screen.print(f"c_{e.step} = {terms}{rest}\n    = {_vector(e.context)}.")


def _comparison(e: Explanation) -> Table:
    """One row for each source piece: its key, its value, its similarity, its weight."""
    assert e.keys is not None
    assert e.similarities is not None
    assert e.scores is not None
    assert e.weights is not None
    headings = ["similarity", *([f"÷ {e.divisor:.2f}"] if e.attention == "scaled-dot" else []), "α"]
    table = _grid("source piece", f"key, first {FIRST}", f"value, first {FIRST}", right=headings)
    for j, piece in enumerate(e.translation.source_pieces):
        scores = [
            f"{e.similarities[j]:.2f}",
            *([f"{e.scores[j]:.2f}"] if e.attention == "scaled-dot" else []),
            f"{e.weights[j]:.3f}",
        ]
        table.add_row(piece, _start(e.keys[j]), _start(e.values[j]), *scores)
    return table


def _show_likeliest(screen: Console, e: Explanation) -> None:
    number = 3 if e.weights is None else 4
    screen.print(
        f"\n{number}. The next piece, from state, context and {e.previous_piece}", style="bold"
    )
    table = _grid("piece", right=["p"])
    for candidate in e.likeliest:
        table.add_row(candidate.piece, f"{candidate.probability:.4f}")
    screen.print(table)
    if e.piece != e.likeliest[0].piece:
        screen.print(
            f"The beam took {e.piece} (p {e.probability:.4f}): less likely here, but the whole sentence is likelier."
        )


def _show_elsewhere(screen: Console, e: Explanation) -> None:
    assert e.weights is not None
    screen.print("\n5. Had it looked at one piece only", style="bold")
    table = _grid("context = value of", right=["α"])
    table.add_column("piece")
    table.add_column("p", justify="right")
    table.add_column("")
    for source, weight, candidate in zip(
        e.translation.source_pieces, e.weights, e.elsewhere, strict=True
    ):
        changed = "" if candidate.piece == e.likeliest[0].piece else "another piece"
        table.add_row(
            source, f"{weight:.3f}", candidate.piece, f"{candidate.probability:.4f}", changed
        )
    screen.print(table)


def _show_roles(screen: Console, e: Explanation) -> None:
    screen.print("\n6. Query, key and value", style="bold")
    table = _grid("", "role", "in this step")
    table.add_row("Q", "question", f"{QUERIES[e.attention].format(i=e.step)}, one vector")
    S = len(e.translation.source_pieces)
    table.add_row(
        "K", "index", f"{KEYS[e.attention]}, {S} vectors: what each source piece is found by"
    )
    table.add_row("V", "content", f"{VALUES[e.attention]}: what it hands over")
    screen.print(table)


def _grid(*left: str, right: list[str] | None = None) -> Table:
    table = plain_table()
    for heading in left:
        table.add_column(heading, overflow="fold")
    for heading in right or []:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _vector(vector: NDArray[np.floating]) -> str:
    """The first numbers of a vector, how many it has, and its length."""
    return f"[{_start(vector)} …] ({len(vector)} numbers, length {float((vector**2).sum() ** 0.5):.2f})"


def _start(vector: NDArray[np.floating]) -> str:
    return " ".join(f"{number:5.2f}" for number in vector[:FIRST])
