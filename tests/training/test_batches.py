"""Flat arrays of ids, and batches of similar length."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import PAIRS

from translator.text.tokenizer import END_ID, PAD_ID, START_ID
from translator.training.batches import Batch, EncodedPairs, Side


@pytest.fixture
def encoded(tokenizers) -> EncodedPairs:
    return EncodedPairs.encode(*tokenizers, PAIRS)


def test_nothing_encodes_to_nothing(tokenizers):
    assert len(EncodedPairs.encode(*tokenizers, [])) == 0


def test_padded_rows_are_the_sentences(tokenizers, encoded):
    ids, lengths = encoded.source.padded()
    for pair, row, length in zip(PAIRS, ids, lengths, strict=True):
        assert row[:length].tolist() == tokenizers[0].encode(pair.source)
        assert (row[length:] == PAD_ID).all()


def test_encoding_in_parts_changes_nothing(tokenizers, monkeypatch):
    whole = Side.encode(tokenizers[0], [pair.source for pair in PAIRS])
    monkeypatch.setattr("translator.training.batches.LINES_AT_ONCE", 5)
    parts = Side.encode(tokenizers[0], [pair.source for pair in PAIRS])
    assert all(np.array_equal(a, b) for a, b in zip(whole, parts, strict=True))


@pytest.mark.parametrize("batch_size", [1, 5, 100])
def test_an_epoch_shows_every_pair_once(encoded, batch_size):
    rows = [
        tuple(row)
        for batch in encoded.batches(batch_size, np.random.default_rng(0))
        for row in batch.source_ids
    ]
    stripped = sorted(tuple(number for number in row if number != PAD_ID) for row in rows)
    assert stripped == sorted(tuple(encoded.source.sentences()[n]) for n in range(len(PAIRS)))


def test_the_decoder_reads_the_target_one_step_late(encoded):
    batch = encoded.batch(np.arange(4))
    assert (batch.previous_ids[:, 0] == START_ID).all()
    assert np.array_equal(batch.previous_ids[:, 1:], batch.target_ids[:, :-1])
    assert all(
        row[length - 1] == END_ID
        for row, length in zip(batch.target_ids, batch.target_lengths, strict=True)
    )


def test_pairs_of_like_length_go_together(encoded):
    padding = [
        (batch.target_lengths.max() - batch.target_lengths).sum()
        for batch in encoded.batches(4, np.random.default_rng(0))
    ]
    alone = encoded.target.lengths
    assert sum(padding) < (alone.max() - alone).sum() / 2


def uneven(*targets: int) -> Batch:
    """Give a batch of different numbers, with these target lengths and sources one longer."""
    T = max(targets)
    target = (
        np.array([[*range(n), *[PAD_ID] * (T - n)] for n in targets])
        + 100 * np.arange(len(targets))[:, None]
    )
    source = np.hstack([target, target[:, :1]])
    gold = np.arange(target.size * (T + 1), dtype=np.float32).reshape(len(targets), T, T + 1)
    return Batch(source, np.array(targets) + 1, target - 1, target, np.array(targets), gold)


@pytest.mark.parametrize(
    ("targets", "parts"),
    [
        ([20] * 63 + [60], [63, 1]),
        ([60, *[20] * 63], [63, 1]),  # in whatever order
        ([5] * 32 + [20] * 32 + [80] * 32, [32, 32, 32]),
        ([20] * 64, [64]),
        ([19] * 32 + [20] * 32, [64]),  # a little padding costs less than two parts
        ([9], [1]),
    ],
)
def test_a_batch_is_cut_where_a_long_sentence_would_make_padding_of_the_others(targets, parts):
    batch = uneven(*targets)
    even = batch.split_by_length()
    assert [len(part.target_lengths) for part in even] == parts
    rows = {int(row[0]): n for n, row in enumerate(batch.target_ids)}
    for part in even:
        S, T = part.source_lengths.max(), part.target_lengths.max()
        for n, row in enumerate(part.target_ids):
            whole = rows.pop(int(row[0]))
            widths = [[S], [], [T], [T], [], [T, S]]
            for name, mine, all_of_it, width in zip(
                Batch._fields, part, batch, widths, strict=True
            ):
                assert np.array_equal(mine[n], all_of_it[whole][tuple(map(slice, width))]), name
    assert not rows


def test_the_order_is_the_generators(encoded):
    first, same, other = (
        [batch.source_ids.tolist() for batch in encoded.batches(3, np.random.default_rng(seed))]
        for seed in (1, 1, 2)
    )
    assert first == same != other


def test_the_parts_of_an_epoch_make_up_the_whole(encoded):
    whole = [batch.source_ids.tolist() for batch in encoded.batches(2, np.random.default_rng(1))]
    parts = [
        [
            batch.source_ids.tolist()
            for batch in encoded.batches(2, np.random.default_rng(1), part, 3)
        ]
        for part in range(3)
    ]
    assert sorted(whole) == sorted(batch for part in parts for batch in part)
