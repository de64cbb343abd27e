"""Guided alignment: the target weights, and that attention learns them."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from command_line import error_of
from conftest import PAIRS

from translator.errors import TranslatorError
from translator.evaluation.scores import measure, summarise
from translator.inference.translator import Translator
from translator.model.loss import alignment_cross_entropy
from translator.settings import ModelConfig, TrainingConfig
from translator.text.corpus import SentencePair
from translator.training.batches import EncodedPairs
from translator.training.guided_alignment import GuidedAlignment
from translator.training.optimization import Optimizer
from translator.training.training import Task, Training

LINKS = ["0-0 1-2 2-1"] * 8 + ["0-0 1-1"] * 2 + ["0?0 1-0 2-3 3-2 4?1 5-1", "0-0"]
ALIGNED = [
    SentencePair(pair.source, pair.target, links) for pair, links in zip(PAIRS, LINKS, strict=True)
]


class Words:
    """A tokenizer whose ids are positions in a list of pieces."""

    def __init__(self, *pieces: str) -> None:
        self.piece = ("<pad>", *pieces, "</s>").__getitem__


def gold_weights(alignment: str) -> list[list[float]]:
    source, target = Words("▁a", "b", "▁c"), Words("▁x", "y", "▁z")
    guide = GuidedAlignment(source, target, [SentencePair("ab c", "xy z", alignment)])
    padded = np.array([[1, 2, 3, 4, 0]])
    return guide.gold_weights(np.array([0]), padded, padded[:, :4])[0].tolist()


def test_each_piece_of_a_word_looks_at_all_pieces_of_its_words_alike():
    assert gold_weights("0-0 1-1") == [
        [0.5, 0.5, 0, 0, 0],
        [0.5, 0.5, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0] * 5,
    ]
    assert gold_weights("0-1 1-1") == [
        [0] * 5,
        [0] * 5,
        [pytest.approx(1 / 3)] * 3 + [0, 0],
        [0] * 5,
    ]


def test_possible_links_count_where_there_is_no_sure_one():
    assert gold_weights("0?0 1-0 0?1") == [
        [0, 0, 1, 0, 0],
        [0, 0, 1, 0, 0],
        [0.5, 0.5, 0, 0, 0],
        [0] * 5,
    ]


def test_a_pair_without_an_alignment_guides_nothing():
    assert gold_weights("") == [[0] * 5] * 4


def test_its_loss_is_the_cross_entropy_and_padding_costs_nothing():
    weights = torch.tensor([[[0.25, 0.75, 0.0]]], requires_grad=True)
    loss = alignment_cross_entropy(weights, torch.tensor([[[0.5, 0.5, 0.0]]]))
    assert loss.item() == pytest.approx(-0.5 * np.log(0.25) - 0.5 * np.log(0.75))
    loss.backward()
    assert weights.grad is not None
    assert weights.grad.tolist() == [[[pytest.approx(-2), pytest.approx(-2 / 3), 0]]]


@pytest.mark.parametrize("threads", [1, 3])
def test_cores_that_share_a_guided_batch_add_up_to_one(tokenizers, threads):
    batch = EncodedPairs.encode(*tokenizers, ALIGNED, guided=True).batch(np.arange(7))
    losses = {}
    for guidance in (0.0, 2.0):
        settings = TrainingConfig(dropout=0.0, threads=threads, guided_alignment=guidance)
        losses[guidance] = Optimizer(
            ModelConfig(*map(len, tokenizers), embedding_size=8, hidden_size=8), settings
        ).learn(batch, 0.01)
    S, gold = batch.source_lengths, batch.gold
    # Weights are nearly uniform before the first step.
    expected = (
        sum(float(np.log(S[n]) * gold[n].sum()) for n in range(7)) / batch.target_lengths.sum()
    )
    assert losses[2.0] - losses[0.0] == pytest.approx(2 * expected, rel=0.05)


def trained(tmp_path, tokenizers, guidance: float) -> tuple[list[float], float]:
    """The losses by epoch, and the alignment error rate in the end."""
    settings = TrainingConfig(
        epochs=12,
        patience=None,
        batch_size=3,
        learning_rate=0.02,
        dropout=0.0,
        label_smoothing=0.0,
        guided_alignment=guidance,
    )
    task = Task(ALIGNED, ALIGNED, tmp_path / f"{guidance}.safetensors")
    training = Training(
        task,
        ModelConfig(*map(len, tokenizers), embedding_size=32, hidden_size=32),
        settings,
        tokenizers,
    )
    losses = [epoch.loss for epoch in training]
    aer = summarise(list(measure(Translator(training._checkpoint()), ALIGNED, beam_size=1))).aer
    assert aer is not None
    return losses, aer


def test_guided_attention_aligns_better_and_the_loss_falls(tmp_path, tokenizers):
    losses, guided = trained(tmp_path, tokenizers, 1.0)
    _, unguided = trained(tmp_path, tokenizers, 0.0)
    assert losses[-1] < losses[0] / 4
    assert guided < 0.1 < unguided


def test_a_corpus_without_alignments_guides_nothing(cli, tokenizers):
    with pytest.raises(TranslatorError, match="no gold alignments"):
        EncodedPairs.encode(*tokenizers, PAIRS, guided=True)


def test_attention_none_can_not_be_guided(cli):
    assert (
        error_of(cli("train", "--attention", "none", "--guided-alignment", "1"))
        == "attention none has no weights to guide"
    )


def test_a_negative_guidance_is_refused(cli):
    assert error_of(cli("train", "--guided-alignment", "-1")) == "guided alignment can't be -1.0"
