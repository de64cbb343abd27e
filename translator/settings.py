"""The settings of a model and of its training, each with its reason, and where the shipped files lie.

`ModelConfig` fixes the parameters' shapes, so a checkpoint can be checked against it before a single number is used; it travels in the
checkpoint. `TrainingConfig` says how the parameters are learnt. Sizes have the letters of `model.py`: E embedding, H hidden, V vocabulary.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from translator.errors import TranslatorError

Shapes = dict[str, tuple[int, ...]]

# One row a score function: the parameters it owns, from the decoder's size H. The encoder's states have 2H numbers each.
ATTENTION_SHAPES: dict[str, Callable[[int], Shapes]] = {
    "scaled-dot": lambda H: {
        "query.weight": (H, H),
        "key.weight": (H, 2 * H),
        "value.weight": (H, 2 * H),
    },
    "dot": lambda H: {"query.weight": (H, H), "key.weight": (H, 2 * H)},
    "general": lambda H: {"key.weight": (H, 2 * H)},
    "additive": lambda H: {
        "query.weight": (H, H),
        "key.weight": (H, 2 * H),
        "energy.weight": (1, H),
    },
    "none": lambda H: {},
}
ATTENTIONS = tuple(ATTENTION_SHAPES)


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """What the network looks like.

    Raises `TranslatorError` for a value that no network can have.
    """

    source_vocabulary: (
        int  # V of the source: what SentencePiece made of the corpus, special pieces included
    )
    target_vocabulary: int  # V of the target
    attention: str = "scaled-dot"  # the score function, a name of ATTENTIONS
    embedding_size: int = (
        128  # E: a piece's vector, read by the encoder and shared with the output layer
    )
    hidden_size: int = 128  # H: the decoder's state and each direction of the encoder; 1.1 million parameters at 2,000 pieces

    def __post_init__(self) -> None:
        if self.attention not in ATTENTIONS:
            raise TranslatorError(
                f"no score function is called {self.attention!r}",
                hint=f"choose one of {', '.join(ATTENTIONS)}",
            )
        check_ranges(self, MODEL_RANGES)

    @property
    def context_size(self) -> int:
        """The size of the context c_i: H where values are projected, 2H where they are the encoder's states themselves."""
        return self.hidden_size if self.attention == "scaled-dot" else 2 * self.hidden_size

    def parameter_shapes(self) -> Shapes:
        """The name and the shape of every parameter, in the order of the network."""
        E, H, C = self.embedding_size, self.hidden_size, self.context_size
        shapes: Shapes = {"encoder.embedding.weight": (self.source_vocabulary, E)}
        for reader in ("encoder.rightward", "encoder.leftward"):
            shapes[f"{reader}.embedded_gates.weight"] = (3 * H, E)
            shapes[f"{reader}.embedded_gates.bias"] = (3 * H,)
            shapes[f"{reader}.state_gates.weight"] = (3 * H, H)
            shapes[f"{reader}.state_gates.bias"] = (3 * H,)
        attention = ATTENTION_SHAPES[self.attention](H)
        return shapes | {
            "decoder.embedding.weight": (self.target_vocabulary, E),
            "decoder.first_state.weight": (H, 2 * H),
            "decoder.first_state.bias": (H,),
            "decoder.first_context.weight": (C, 2 * H),
            "decoder.first_context.bias": (C,),
            "decoder.embedded_gates.weight": (3 * H, E),
            "decoder.embedded_gates.bias": (3 * H,),
            "decoder.context_gates.weight": (3 * H, C),
            "decoder.state_gates.weight": (3 * H, H),
            "decoder.state_gates.bias": (3 * H,),
            **{f"decoder.attention.{name}": shape for name, shape in attention.items()},
            "decoder.readout.weight": (E, H + C + E),
            "decoder.readout.bias": (E,),
            "decoder.output_bias": (self.target_vocabulary,),
        }


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How a model is learnt. `for_corpus` chooses what depends on the number of pairs.

    Raises `TranslatorError` for a value outside its range.
    """

    epochs: int = 30  # passes over the corpus that the learning rate's decay is planned for
    minutes: float | None = None  # plan for this time instead of for `epochs`
    patience: int | None = (
        8  # stop after this many scorings without a better dev score, not counting the plan's first quarter; None: never
    )
    batch_size: int = 64  # sentences a step: large enough to keep a core busy, small enough to learn from 3,000 pairs
    learning_rate: float = 2e-3  # AdamW's peak, reached after the warm-up
    warmup: float = 0.05  # share of the run in which the learning rate rises from 0
    weight_decay: float = (
        1e-4  # AdamW's, times the learning rate; small where dropout does most of the work
    )
    dropout: float = 0.2  # on embeddings, states and readout
    word_dropout: float = (
        0.0  # share of pieces whose whole embedding is dropped (Gal and Ghahramani 2016)
    )
    subword_sampling: float = 0.0  # share of source sentences with a word cut at random, so that unknown words don't confuse (Kudo 2018)
    label_smoothing: float = (
        0.1  # share of the target probability spread over the vocabulary (Szegedy et al. 2016)
    )
    guided_alignment: float = 0.0  # what the weights' distance from the gold alignment counts in the loss (Chen et al. 2016); 0: nothing
    clip: float = 1.0  # largest norm of the gradient: a recurrent network's can explode
    source_vocabulary: int = (
        2000  # ceiling of the pieces a side; SentencePiece finds fewer in a small corpus
    )
    target_vocabulary: int = 2000
    seed: int = 1  # of the parameters, the order of batches and dropout
    threads: int = 1  # cores that share a batch; another number changes the last digits
    device: str = "cpu"  # where the network is trained; a checkpoint doesn't remember it

    def __post_init__(self) -> None:
        check_ranges(self, TRAINING_RANGES)

    @classmethod
    def for_corpus(cls, pairs: int, **chosen: object) -> TrainingConfig:
        """The settings that serve a corpus of this many pairs; `chosen` values win over them, `None` leaves the default.

        Small corpora want few pieces, strong dropout and many epochs (Sennrich and Zhang 2019); large ones the opposite.

        >>> TrainingConfig.for_corpus(3_000).dropout > TrainingConfig.for_corpus(80_000).dropout
        True
        >>> TrainingConfig.for_corpus(3_000, dropout=0.0, seed=None).dropout
        0.0
        """
        known = {field.name for field in fields(cls)}
        if unknown := set(chosen) - known:
            raise TypeError(f"no such setting: {', '.join(sorted(unknown))}")
        sized = next(settings for limit, settings in SIZED_SETTINGS if pairs <= limit)
        return cls(**sized | {name: value for name, value in chosen.items() if value is not None})  # type: ignore[arg-type]

    def changed_from(self, other: TrainingConfig) -> list[str]:
        """One line `name: old → new` for each field in which this differs from `other`."""
        old, new = asdict(other), asdict(self)
        return [f"{name}: {old[name]} → {new[name]}" for name in new if new[name] != old[name]]


CORES = min(4, os.cpu_count() or 1)  # more don't pay: each one's part of a batch gets too small

# Small corpora are seen so often that they would be learnt by heart, but for dropout.
SMALL: dict[str, object] = {
    "batch_size": 32,
    "learning_rate": 5e-3,
    "weight_decay": 3e-2,
    "dropout": 0.3,
    "word_dropout": 0.1,
}
# Large ones are seen so few times that dropout would only slow learning down; decay keeps the network from learning combinations of words
# by heart, and only batches of 128 are large enough to share among cores.
LARGE: dict[str, object] = {
    "epochs": 4,
    "batch_size": 128,
    "learning_rate": 1e-2,
    "weight_decay": 3e-2,
    "dropout": 0.0,
    "subword_sampling": 0.1,
    "label_smoothing": 0.05,
    "threads": CORES,
}
# The settings that follow the corpus: (at most this many pairs, settings).
SIZED_SETTINGS: tuple[tuple[float, dict[str, object]], ...] = (
    (2_000, SMALL | {"epochs": 60, "source_vocabulary": 500, "target_vocabulary": 500}),
    (20_000, SMALL | {"epochs": 40, "source_vocabulary": 1000, "target_vocabulary": 1000}),
    (
        60_000,
        SMALL
        | {
            "epochs": 15,
            "batch_size": 64,
            "dropout": 0.2,
            "source_vocabulary": 4000,
            "target_vocabulary": 4000,
        },
    ),
    (float("inf"), LARGE),
)

# The smallest and the largest value of each setting that has such bounds.
MODEL_RANGES: dict[str, tuple[float, float]] = {
    "source_vocabulary": (5, 100_000),
    "target_vocabulary": (5, 100_000),
    "embedding_size": (1, 4096),
    "hidden_size": (1, 4096),
}
MAY_BE_UNSET = ("minutes", "patience")
TRAINING_RANGES: dict[str, tuple[float, float]] = {
    "epochs": (1, 100_000),
    "minutes": (0.01, 100_000),
    "patience": (1, 100_000),
    "batch_size": (1, 100_000),
    "learning_rate": (1e-7, 1.0),
    "warmup": (0, 1),
    "weight_decay": (0, 1),
    "dropout": (0, 0.9),
    "word_dropout": (0, 0.9),
    "subword_sampling": (0, 1),
    "label_smoothing": (0, 0.9),
    "guided_alignment": (0, 1000),
    "clip": (1e-6, 1e6),
    "source_vocabulary": (5, 100_000),
    "target_vocabulary": (5, 100_000),
    "seed": (0, 2**63 - 1),
    "threads": (1, 1024),
}


def check_ranges(
    config: ModelConfig | TrainingConfig, ranges: dict[str, tuple[float, float]]
) -> None:
    """Raise `TranslatorError` for the first value of `config` that is no number between its two bounds, or not whole where it must be."""
    kinds = {
        field.name: int if str(field.type).startswith("int") else int | float
        for field in fields(config)
    }
    for name, (low, high) in ranges.items():
        value = getattr(config, name)
        if value is None and name in MAY_BE_UNSET:
            continue
        # subtle: written so that a NaN, which compares as False with everything, is refused too
        if not (isinstance(value, kinds[name]) and low <= value <= high):
            raise TranslatorError(
                f"{name.replace('_', ' ')} can't be {value}",
                hint=f"give a value from {low:g} to {high:g}",
            )


def bundled(name: str) -> Path:
    """The path of a file that ships with the program, such as `data/eng-kor.train.tsv`.

    An installed wheel has it beside this module; an editable install and a checkout have it in the repository.
    Raises `TranslatorError` if it is in neither.
    """
    package = Path(__file__).resolve().parent
    for folder in (package, package.parent):
        if (folder / name).is_file():
            return folder / name
    raise TranslatorError(
        f"the shipped file {name} is missing from this installation",
        hint="install attn-translate again",
    )
