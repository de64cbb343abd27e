"""`attn-translate explain`: one decoding step of a sentence in numbers, as a lesson."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from translator.cli.sentences import SentenceCommand
from translator.cli.show_weights import Words, choose_sentence, note_and_save
from translator.cli.terminal import check_format, console, note, plain_table
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
SHOWN_NUMBERS = 3  # of a vector
SHOWN_TERMS = 3  # of the context's sum
MIN_WIDTH = 80  # cells of the widest table; a narrower terminal wraps lines, so nothing is cut

# Each score function's formulas: {i} is the step, {size} is d_k, {divisor} its root.
QUERIES = {
    "scaled-dot": "q = W_q s_{i}",
    "dot": "q = W_q s_{i}",
    "general": "q = s_{i}, the state itself",
    "additive": "q = W s_{i}",
}
SIMILARITIES = {
    "scaled-dot": "q·k, a dot product. It is divided by √d_k = √{size} = {divisor:.2f}, because "
    "dot products of long vectors are large, and a softmax of large numbers is all or nothing.",
    "dot": "q·k, a dot product. Nothing divides it, so long vectors make large scores.",
    "general": "s·(W h_j): the dot product of the state with the key k_j = W h_j. "
    "Nothing divides it.",
    "additive": "v·tanh(q + k): not a dot product, but a small network that compares. "
    "Nothing divides it: tanh keeps each term small.",
}
KEYS = {"scaled-dot": "W_k h_j", "dot": "W_k h_j", "general": "W h_j", "additive": "U h_j"}
VALUES = {
    "scaled-dot": "W_v h_j",
    "dot": "h_j, the encoder's state itself",
    "general": "h_j, the encoder's state itself",
    "additive": "h_j, the encoder's state itself",
}

Step = Annotated[int, typer.Option("--step", help="Number of the target piece, from 1.")]
FormatName = Annotated[
    str, typer.Option("--format", help="text or json.", autocompletion=lambda: FORMATS)
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("explain", cls=SentenceCommand)(explain)


def explain(
    words: Words = None,
    step: Step = 1,
    checkpoint: CheckpointPath = None,
    format_name: FormatName = "text",
) -> None:
    """Explain one step of a translation in numbers, from the query to the next piece."""
    from translator.evaluation.explanation import explain as explain_step
    from translator.inference.translator import Translator

    check_format(format_name, FORMATS)
    translator = Translator.load(checkpoint)
    explanation = explain_step(translator, _translate(translator, words), step)
    if format_name == "json":
        print(json.dumps(explanation.record(), ensure_ascii=False))
    else:
        _show(console(sys.stdout), explanation)


def _translate(translator: Translator, words: list[str] | None) -> Translation:
    """Translate the words, or else the last sentence, or else the default one.

    The last translation itself may come from another model, whose steps are unknown here.
    """
    line, last = choose_sentence(words)
    translation = next(translator.translate([line]))
    if last is not None and last.target != translation.target:
        limit = "only this model's own translation can be explained"
        note(f"note: the last translation was {last.target}; {limit}")
    note_and_save(translator, line, translation)
    return translation


def _show(screen: Console, e: Explanation) -> None:
    """Print the lesson, section by section."""
    translation = e.translation
    screen.width = max(screen.width, MIN_WIDTH)
    screen.print(f"{translation.source} → {translation.target}")
    position = f"Step {e.step} of {len(translation.target_pieces)}"
    pieces = f"{e.previous_piece} is written, {e.piece} comes next"
    screen.print(f"{position}: {pieces}. Attention: {e.attention}.")
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
    screen.print(f"The new state, which has read {e.previous_piece} and the last context:")
    screen.print(f"s_{e.step} = {_vector(e.state)}.")
    screen.print(f"{QUERIES[e.attention].format(i=e.step)}\n  = {_vector(e.query)}.")
    screen.print("\n2. Keys, values, similarity, softmax", style="bold")
    screen.print(f"Similarity: {SIMILARITIES[e.attention].format(size=size, divisor=e.divisor)}")
    screen.print(_comparison(e))
    total = f"{float(e.weights.sum()):.4f}"
    screen.print(f"α = softmax: e to the score, over the sum of all of them. Sum of α: {total}.")
    screen.print("\n3. The context: the values in these shares", style="bold")
    screen.print(f"c_{e.step} = {_weighted_sum(e)}\n    = {_vector(e.context)}.")


def _weighted_sum(e: Explanation) -> str:
    """Write the context as a sum of weighted values, largest weights first."""
    assert e.weights is not None
    order = [int(j) for j in (-e.weights).argsort(kind="stable")]
    pieces = e.translation.source_pieces
    terms = [f"{e.weights[j]:.2f} · value({pieces[j]})" for j in order[:SHOWN_TERMS]]
    return " + ".join([*terms, "…"] if len(order) > SHOWN_TERMS else terms)


def _comparison(e: Explanation) -> Table:
    """Make a table of the source pieces: key, value, similarity, weight."""
    assert e.keys is not None
    assert e.similarities is not None
    assert e.scores is not None
    assert e.weights is not None
    is_scaled = e.attention == "scaled-dot"
    scaled_heading = [f"÷ {e.divisor:.2f}"] if is_scaled else []
    table = _grid(
        "source piece",
        f"key, first {SHOWN_NUMBERS}",
        f"value, first {SHOWN_NUMBERS}",
        right=["similarity", *scaled_heading, "α"],
    )
    for j, piece in enumerate(e.translation.source_pieces):
        key, value = _first_numbers(e.keys[j]), _first_numbers(e.values[j])
        scaled = [f"{e.scores[j]:.2f}"] if is_scaled else []
        table.add_row(piece, key, value, f"{e.similarities[j]:.2f}", *scaled, f"{e.weights[j]:.3f}")
    return table


def _show_likeliest(screen: Console, e: Explanation) -> None:
    number = 3 if e.weights is None else 4
    heading = f"{number}. The next piece, from state, context and {e.previous_piece}"
    screen.print(f"\n{heading}", style="bold")
    table = _grid("piece", right=["p"])
    for candidate in e.likeliest:
        table.add_row(candidate.piece, f"{candidate.probability:.4f}")
    screen.print(table)
    if e.piece != e.likeliest[0].piece:
        chosen = f"The beam took {e.piece} (p {e.probability:.4f})"
        screen.print(f"{chosen}: less likely here, but the whole sentence is likelier.")


def _show_elsewhere(screen: Console, e: Explanation) -> None:
    assert e.weights is not None
    screen.print("\n5. Had it looked at one piece only", style="bold")
    table = _grid("context = value of", right=["α"])
    table.add_column("piece")
    table.add_column("p", justify="right")
    table.add_column("")
    sources = e.translation.source_pieces
    for source, weight, candidate in zip(sources, e.weights, e.elsewhere, strict=True):
        changed = "" if candidate.piece == e.likeliest[0].piece else "another piece"
        probability = f"{candidate.probability:.4f}"
        table.add_row(source, f"{weight:.3f}", candidate.piece, probability, changed)
    screen.print(table)


def _show_roles(screen: Console, e: Explanation) -> None:
    screen.print("\n6. Query, key and value", style="bold")
    table = _grid("", "role", "in this step")
    S = len(e.translation.source_pieces)
    query = QUERIES[e.attention].format(i=e.step)
    keys = f"{KEYS[e.attention]}, {S} vectors"
    table.add_row("Q", "question", f"{query}, one vector")
    table.add_row("K", "index", f"{keys}: what each source piece is found by")
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
    """Write a vector: its first numbers, how many it has, and its length."""
    length = float((vector**2).sum() ** 0.5)
    return f"[{_first_numbers(vector)} …] ({len(vector)} numbers, length {length:.2f})"


def _first_numbers(vector: NDArray[np.floating]) -> str:
    return " ".join(f"{number:5.2f}" for number in vector[:SHOWN_NUMBERS])
