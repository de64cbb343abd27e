"""The settings: what is refused, what follows the corpus, and where the shipped files lie."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, asdict, fields

import pytest

from translator import TranslatorError, settings
from translator.settings import (
    ATTENTION_SHAPES,
    ATTENTIONS,
    MODEL_RANGES,
    SIZED_SETTINGS,
    TRAINING_RANGES,
    ModelConfig,
    TrainingConfig,
    bundled,
)

BELOW_AND_ABOVE = (
    lambda low, high: math.nextafter(low, -math.inf),
    lambda low, high: math.nextafter(high, math.inf),
)


@pytest.mark.parametrize("beyond", BELOW_AND_ABOVE)
@pytest.mark.parametrize("name", MODEL_RANGES)
def test_a_models_values_have_bounds(name, beyond):
    with pytest.raises(TranslatorError, match=f"^{name.replace('_', ' ')} can't be "):
        ModelConfig(
            **{"source_vocabulary": 5, "target_vocabulary": 5, name: beyond(*MODEL_RANGES[name])}
        )


@pytest.mark.parametrize("beyond", BELOW_AND_ABOVE)
@pytest.mark.parametrize("name", [name for name in TRAINING_RANGES if name != "seed"])
def test_a_trainings_values_have_bounds(name, beyond):
    with pytest.raises(TranslatorError, match=f"^{name.replace('_', ' ')} can't be "):
        TrainingConfig(**{name: beyond(*TRAINING_RANGES[name])})


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_has_bounds(seed):
    with pytest.raises(TranslatorError, match=r"^seed can't be "):
        TrainingConfig(seed=seed)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "0.1"])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(TranslatorError) as refused:
        TrainingConfig(dropout=value)
    assert (str(refused.value), refused.value.hint) == (
        f"dropout can't be {value}",
        "give a value from 0 to 0.9",
    )


@pytest.mark.parametrize("name", MODEL_RANGES)
def test_a_size_is_never_left_open(name):
    with pytest.raises(TranslatorError):
        ModelConfig(**{"source_vocabulary": 5, "target_vocabulary": 5, name: None})


def test_the_bounds_themselves_are_allowed():
    for bound in (0, 1):
        TrainingConfig(**{name: bounds[bound] for name, bounds in TRAINING_RANGES.items()})
        ModelConfig(**{name: bounds[bound] for name, bounds in MODEL_RANGES.items()})


@pytest.mark.parametrize("made", [ModelConfig(5, 5), TrainingConfig()])
def test_a_config_is_frozen(made):
    with pytest.raises(FrozenInstanceError):
        made.source_vocabulary = 6


@pytest.mark.parametrize("name", ["", "Dot", "scaled_dot", "transformer"])
def test_an_unknown_score_function_is_refused_with_the_list(name):
    with pytest.raises(TranslatorError) as refused:
        ModelConfig(5, 5, name)
    assert str(refused.value) == f"no score function is called {name!r}"
    assert refused.value.hint == "choose one of scaled-dot, dot, general, additive, none"


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_a_score_functions_parameters_are_its_row_of_the_table(attention):
    shapes = ModelConfig(7, 8, attention, 3, 4).parameter_shapes()
    prefix = "decoder.attention."
    assert {
        name.removeprefix(prefix): shape
        for name, shape in shapes.items()
        if name.startswith(prefix)
    } == ATTENTION_SHAPES[attention](4)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_every_shape_follows_from_the_sizes(attention):
    made = ModelConfig(7, 8, attention, 3, 4)
    shapes = made.parameter_shapes()
    assert shapes["encoder.embedding.weight"] == (7, 3)
    assert shapes["decoder.embedding.weight"] == (8, 3)
    assert shapes["decoder.readout.weight"] == (3, 4 + made.context_size + 3)
    assert made.context_size == (4 if "value.weight" in ATTENTION_SHAPES[attention](4) else 8)
    assert all(size > 0 for shape in shapes.values() for size in shape)


def test_the_default_model_is_small_enough_to_ship():
    """At most 5 MB; float16 has two bytes a number."""
    assert 2 * sum(map(math.prod, ModelConfig(2000, 2000).parameter_shapes().values())) < 5_000_000


@pytest.mark.parametrize("limit", [limit for limit, _ in SIZED_SETTINGS[:-1]])
def test_a_corpus_gets_the_settings_of_its_size(limit):
    of_size = [settings for _, settings in SIZED_SETTINGS]
    at, above = (asdict(TrainingConfig.for_corpus(pairs)) for pairs in (limit, limit + 1))
    row = [limit for limit, _ in SIZED_SETTINGS].index(limit)
    assert at == asdict(TrainingConfig(**of_size[row]))
    assert above == asdict(TrainingConfig(**of_size[row + 1]))


@pytest.mark.parametrize("pairs", [0, 1, 2_000, 10**9])
def test_a_chosen_value_wins_and_none_leaves_the_default(pairs):
    assert TrainingConfig.for_corpus(pairs, dropout=0.0, batch_size=1).dropout == 0.0
    assert TrainingConfig.for_corpus(pairs, dropout=None, seed=None) == TrainingConfig.for_corpus(
        pairs
    )


def test_a_setting_that_does_not_exist_is_a_bug():
    with pytest.raises(TypeError, match="no such setting: drop_out"):
        TrainingConfig.for_corpus(1, drop_out=0.1)


@pytest.mark.parametrize("name", [field.name for field in fields(TrainingConfig)])
def test_every_default_lies_in_its_range(name):
    value = getattr(TrainingConfig(), name)
    low, high = TRAINING_RANGES.get(name, (None, None))
    assert low is None or value is None or low <= value <= high


def test_a_change_is_reported_in_one_line():
    before, after = TrainingConfig(), TrainingConfig(epochs=31, minutes=2.5)
    assert before.changed_from(before) == []
    assert after.changed_from(before) == ["epochs: 30 → 31", "minutes: None → 2.5"]


@pytest.mark.parametrize("home", ["site-packages/translator", "repository"])
def test_a_shipped_file_is_found_beside_the_module_or_in_the_repository(
    monkeypatch, tmp_path, home
):
    package = tmp_path / home.removesuffix("/translator") / "translator"
    monkeypatch.setattr(settings, "__file__", str(package / "settings.py"))
    file = tmp_path / home / "data" / "a.tsv"
    file.parent.mkdir(parents=True)
    file.touch()
    assert bundled("data/a.tsv") == file.resolve()


def test_a_shipped_file_that_is_missing_is_reported():
    with pytest.raises(TranslatorError, match=r"the shipped file data/nothing\.tsv is missing"):
        bundled("data/nothing.tsv")


@pytest.mark.parametrize("side", ["train", "dev", "test"])
def test_the_bundled_corpus_is_there(side):
    assert bundled(f"data/eng-kor.{side}.tsv").stat().st_size > 0
