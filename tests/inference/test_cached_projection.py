"""Cached rows equal the layer's results, however often the cache is emptied."""

import copy
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from translator.inference import cached_projection
from translator.inference.cached_projection import CachedProjection

RANDOM = np.random.default_rng(1)
VECTORS, MATRIX, BIAS = (
    RANDOM.normal(size=(40, 3)),
    RANDOM.normal(size=(3, 5)),
    RANDOM.normal(size=5),
)
WANTED = VECTORS @ MATRIX + BIAS


def check(layer, ids):
    rows, places = layer.find(ids)
    np.testing.assert_allclose(rows[places], WANTED[ids], atol=1e-12)


@pytest.fixture
def small(monkeypatch):
    """Room for eight rows."""
    monkeypatch.setattr(cached_projection, "CACHE_SIZE", 8 * len(BIAS) + 1)
    return CachedProjection(VECTORS, MATRIX, BIAS)


@given(
    st.lists(st.lists(st.integers(0, 39), min_size=1, max_size=12), max_size=8), st.integers(1, 50)
)
def test_the_rows_are_the_layers(asked, room):
    layer = CachedProjection(VECTORS, MATRIX, BIAS)
    layer._capacity = room
    for ids in asked:
        check(layer, np.array([ids, ids]))


def test_too_many_are_forgotten(small):
    for start in range(0, 40, 4):
        check(small, np.arange(start, start + 4))
    assert len(small.find(np.array([0]))[0]) == 8


def test_more_than_there_is_room_for_at_once(small):
    check(small, np.arange(40))
    check(small, np.array([3, 39]))


def test_what_was_handed_out_stays(small):
    rows, places = small.find(np.arange(6))
    for start in range(6, 40, 4):
        small.find(np.arange(start, min(start + 4, 40)))
    np.testing.assert_allclose(rows[places], WANTED[:6], atol=1e-12)


def test_threads_share_one(small):
    generators = [np.random.default_rng(number) for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(
            pool.map(
                lambda generator: [check(small, generator.integers(0, 40, 5)) for _ in range(300)],
                generators,
            )
        )


def test_a_copy_works_by_itself(small):
    small.find(np.arange(5))
    check(copy.deepcopy(small), np.arange(7))
    check(small, np.arange(7))
