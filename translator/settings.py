"""The settings of a model and of its training, each with its reason, and the shipped files.

`ModelConfig` fixes the shapes of the parameters. It is stored in the checkpoint, so the parameters
are checked before any is used. `TrainingConfig` says how they are trained. Sizes have the letters
of `model/encoder_decoder.py`: E embedding, H hidden, V vocabulary.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from translator.errors import TranslatorError

Shapes = dict[str, tuple[int, ...]]

# The parameters of each score function, by the decoder's size H. An encoder state has 2H numbers.
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
    """The shape of the network.

    Raises `TranslatorError` for a value out of range.
    """

    source_vocabulary: int  # V of the source: the tokenizer's pieces, special ones included
    target_vocabulary: int  # V of the target
    attention: str = "scaled-dot"  # the score function, one of ATTENTIONS
    embedding_size: int = 128  # E: the vector of a piece; the target's are also the output layer
    # H: the decoder's state and each direction of the encoder. 1.1 million parameters at V = 2,000.
    hidden_size: int = 128

    def __post_init__(self) -> None:
        if self.attention not in ATTENTIONS:
            raise TranslatorError(
                f"no score function is called {self.attention!r}",
                hint=f"choose one of {', '.join(ATTENTIONS)}",
            )
        check_ranges(self, MODEL_RANGES)

    @property
    def context_size(self) -> int:
        """The size C of the context: H if values are projected, 2H if they are encoder states."""
        return self.hidden_size if self.attention == "scaled-dot" else 2 * self.hidden_size

    def parameter_shapes(self) -> Shapes:
        """Give the name and the shape of every parameter, in the order of the network."""
        E, H, C = self.embedding_size, self.hidden_size, self.context_size
        shapes: Shapes = {"encoder.embedding.weight": (self.source_vocabulary, E)}
        for direction in ("encoder.rightward", "encoder.leftward"):
            shapes[f"{direction}.embedded_gates.weight"] = (3 * H, E)
            shapes[f"{direction}.embedded_gates.bias"] = (3 * H,)
            shapes[f"{direction}.state_gates.weight"] = (3 * H, H)
            shapes[f"{direction}.state_gates.bias"] = (3 * H,)
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
    """How a model is trained. `for_corpus` chooses what depends on the number of pairs.

    Raises `TranslatorError` for a value out of range.
    """

    epochs: int = 30  # passes over the corpus; the learning rate falls to 0 at the last one
    minutes: float | None = None  # train for this time instead of for `epochs`
    # Stop after this many scorings without a better dev score; None: never. The first quarter of
    # the plan doesn't count.
    patience: int | None = 8
    batch_size: int = 64  # sentences per step: keeps a core busy, still learns from 3,000 pairs
    learning_rate: float = 2e-3  # AdamW's peak, after the warm-up
    warmup: float = 0.05  # share of the run in which the learning rate rises from 0
    weight_decay: float = 1e-4  # AdamW's; small because dropout does most of the regularization
    dropout: float = 0.2  # on embeddings, states and readout
    word_dropout: float = 0.0  # share of pieces dropped whole (Gal and Ghahramani 2016)
    # Share of source sentences with a word cut at random, to prepare for unknown words (Kudo 2018).
    subword_sampling: float = 0.0
    # Share of the target probability that is spread over the vocabulary (Szegedy et al. 2016).
    label_smoothing: float = 0.1
    guided_alignment: float = 0.0  # weight of the gold alignment in the loss (Chen et al. 2016)
    clip: float = 1.0  # largest norm of the gradient: a recurrent network's can explode
    source_vocabulary: int = 2000  # at most; SentencePiece finds fewer pieces in a small corpus
    target_vocabulary: int = 2000
    seed: int = 1  # of the parameters, the order of batches and dropout
    threads: int = 1  # cores that share a batch; their number changes the last digits
    device: str = "cpu"  # where the network is trained; not stored in the checkpoint

    def __post_init__(self) -> None:
        check_ranges(self, TRAINING_RANGES)

    @classmethod
    def for_corpus(cls, pairs: int, **chosen: object) -> TrainingConfig:
        """Give the settings for a corpus of this many pairs; `chosen` values that aren't None win.

        Small corpora need few pieces, strong dropout and many epochs (Sennrich and Zhang 2019).
        Large ones need the opposite.

        >>> TrainingConfig.for_corpus(3_000).dropout > TrainingConfig.for_corpus(80_000).dropout
        True
        >>> TrainingConfig.for_corpus(3_000, dropout=0.0, seed=None).dropout
        0.0
        """
        known = {field.name for field in fields(cls)}
        if unknown := set(chosen) - known:
            raise TypeError(f"no such setting: {', '.join(sorted(unknown))}")
        sized = next(settings for limit, settings in SIZED_SETTINGS if pairs <= limit)
        chosen = {name: value for name, value in chosen.items() if value is not None}
        return cls(**sized | chosen)  # type: ignore[arg-type]

    def changed_from(self, other: TrainingConfig) -> list[str]:
        """Give one line `name: old → new` for each field that differs from `other`."""
        old, new = asdict(other), asdict(self)
        return [f"{name}: {old[name]} → {new[name]}" for name in new if new[name] != old[name]]


CORES = min(4, os.cpu_count() or 1)  # with more, each core's part of a batch gets too small

# A small corpus is seen many times: without strong dropout the network would memorize it.
SMALL: dict[str, object] = {
    "batch_size": 32,
    "learning_rate": 5e-3,
    "weight_decay": 3e-2,
    "dropout": 0.3,
    "word_dropout": 0.1,
}
# A large corpus is seen only a few times, and dropout would just slow training down. Weight decay
# keeps the network from memorizing combinations of words. Batches of 128 can be shared by cores.
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
MEDIUM = SMALL | {"epochs": 15, "batch_size": 64, "dropout": 0.2}


def _vocabularies(size: int) -> dict[str, object]:
    return {"source_vocabulary": size, "target_vocabulary": size}


# The settings by size of the corpus: (at most this many pairs, settings).
SIZED_SETTINGS: tuple[tuple[float, dict[str, object]], ...] = (
    (2_000, SMALL | {"epochs": 60} | _vocabularies(500)),
    (20_000, SMALL | {"epochs": 40} | _vocabularies(1000)),
    (60_000, MEDIUM | _vocabularies(4000)),
    (float("inf"), LARGE),
)

# The smallest and the largest value of each number.
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
    """Raise `TranslatorError` for the first value that is out of range or not of its type."""
    whole = {field.name for field in fields(config) if str(field.type).startswith("int")}
    for name, (low, high) in ranges.items():
        value = getattr(config, name)
        if value is None and name in MAY_BE_UNSET:
            continue
        kind = int if name in whole else int | float
        # subtle: a NaN compares as False with everything, and is refused too
        if not (isinstance(value, kind) and low <= value <= high):
            raise TranslatorError(
                f"{name.replace('_', ' ')} can't be {value}",
                hint=f"give a value from {low:g} to {high:g}",
            )


def bundled(name: str) -> Path:
    """Return the path of a file that ships with the program, such as `data/eng-kor.train.tsv`.

    In an installed wheel it is next to this module, in a checkout or editable install at the root
    of the repository. Raises `TranslatorError` if it is in neither.
    """
    package = Path(__file__).resolve().parent
    for folder in (package, package.parent):
        if (folder / name).is_file():
            return folder / name
    raise TranslatorError(
        f"the shipped file {name} is missing from this installation",
        hint="install attn-translate again",
    )
