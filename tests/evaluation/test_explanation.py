"""One step in numbers: the very numbers of the translation."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from translator import Translator, TranslatorError
from translator.evaluation.explanation import Explanation, explain
from translator.settings import ATTENTIONS
from translator.text.tokenizer import NEVER_PRODUCED, START_ID

every_attention = pytest.mark.parametrize("attention", ATTENTIONS)
with_attention = pytest.mark.parametrize(
    "attention", [name for name in ATTENTIONS if name != "none"]
)


def explanations(make_checkpoint, attention: str) -> list[Explanation]:
    """All steps of a translation by a random model."""
    translator = Translator(make_checkpoint(attention, seed=4))
    translation = next(translator.translate(["The cat sees you"], beam_size=3, max_length=6))
    return [
        explain(translator, translation, step)
        for step in range(1, len(translation.target_pieces) + 1)
    ]


@every_attention
def test_weights_and_probabilities_are_the_translation_s(make_checkpoint, attention):
    for i, e in enumerate(explanations(make_checkpoint, attention)):
        if e.translation.weights is None:
            assert e.weights is None
        else:
            np.testing.assert_allclose(e.weights, e.translation.weights[i], atol=1e-6)
        for candidate in e.likeliest:
            if candidate.piece == e.piece:
                assert candidate.probability == pytest.approx(
                    e.translation.probabilities[i], abs=1e-6
                )


@every_attention
def test_a_greedy_translation_took_the_likeliest_piece(make_checkpoint, attention):
    translator = Translator(make_checkpoint(attention, seed=5))
    translation = next(translator.translate(["I love you"], beam_size=1, max_length=5))
    for i, (piece, probability) in enumerate(
        zip(translation.target_pieces, translation.probabilities, strict=True)
    ):
        e = explain(translator, translation, i + 1)
        assert e.likeliest[0].piece == e.piece == piece
        assert e.likeliest[0].probability == pytest.approx(probability, abs=1e-6)
        assert len(e.likeliest) == 5
        assert list(e.likeliest) == sorted(
            e.likeliest, key=lambda candidate: -candidate.probability
        )


@with_attention
def test_the_numbers_follow_from_one_another(make_checkpoint, attention):
    """Scores from query and keys, weights from scores, the context from weights and values."""
    for e in explanations(make_checkpoint, attention):
        assert e.divisor == (math.sqrt(len(e.query)) if attention == "scaled-dot" else 1)
        if attention != "additive":
            np.testing.assert_allclose(e.similarities, e.keys @ e.query, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(e.scores, e.similarities / e.divisor, rtol=1e-5)
        exponentials = np.exp(e.scores)
        np.testing.assert_allclose(e.weights, exponentials / exponentials.sum(), atol=1e-6)
        np.testing.assert_allclose(e.context, e.weights @ e.values, atol=1e-5)


def test_the_state_asks_itself_only_where_the_query_has_no_matrix(make_checkpoint):
    asks = {
        attention: np.array_equal(e.state, e.query)
        for attention in ATTENTIONS[:4]
        for e in explanations(make_checkpoint, attention)[:1]
    }
    assert {attention for attention, same in asks.items() if same} == {"general"}


@with_attention
def test_looking_elsewhere_is_a_step_that_sees_one_piece_only(make_checkpoint, attention):
    translator = Translator(make_checkpoint(attention, seed=6))
    translation = next(translator.translate(["I love you"], beam_size=1, max_length=5))
    source = np.array([translator.encode("I love you")])
    memory, state = translator.network.encode(source, np.array([source.shape[1]]))
    e = explain(translator, translation, 1)
    assert len(e.elsewhere) == len(translation.source_pieces)
    for j, candidate in enumerate(e.elsewhere):
        only = memory._replace(mask=np.arange(source.shape[1])[None] == j)
        log_probabilities, _, _ = translator.network.step(np.array([[START_ID]]), state, only)
        id_ = translator.checkpoint.target_tokenizer.piece_ids([candidate.piece])[0]
        log_probabilities[..., list(NEVER_PRODUCED)] = -np.inf
        assert log_probabilities.argmax() == id_
        assert candidate.probability == pytest.approx(
            float(np.exp(log_probabilities[0, 0, id_])), abs=1e-6
        )


def test_without_attention_the_context_is_the_same_at_every_step(make_checkpoint):
    steps = explanations(make_checkpoint, "none")
    assert all(np.array_equal(e.context, steps[0].context) for e in steps)
    assert {(e.query, e.keys, e.scores, e.similarities, e.elsewhere) for e in steps} == {
        (None, None, None, None, ())
    }


def test_the_piece_before_the_first_is_the_start(make_checkpoint):
    steps = explanations(make_checkpoint, "dot")
    assert [e.previous_piece for e in steps] == ["<s>", *steps[0].translation.target_pieces[:-1]]


@every_attention
def test_the_record_is_json_with_whole_arrays(make_checkpoint, attention):
    e = explanations(make_checkpoint, attention)[1]
    record = json.loads(json.dumps(e.record()))
    assert (record["format"], record["step"], record["piece"], record["attention"]) == (
        1,
        2,
        e.piece,
        attention,
    )
    assert len(record["context"]) == len(e.context)
    assert (record["keys"] is None) == (attention == "none")
    assert record["likeliest"][0] == {
        "piece": e.likeliest[0].piece,
        "probability": e.likeliest[0].probability,
    }


@pytest.mark.parametrize("step", [0, -1, 99])
def test_a_step_that_is_not_there_is_reported(make_checkpoint, step):
    translator = Translator(make_checkpoint())
    with pytest.raises(TranslatorError, match=f"no step {step}"):
        explain(translator, next(translator.translate(["I love you"], max_length=3)), step)


def test_a_blank_sentence_has_no_step(make_checkpoint):
    translator = Translator(make_checkpoint())
    with pytest.raises(TranslatorError, match="blank"):
        explain(translator, next(translator.translate([" "])), 1)
