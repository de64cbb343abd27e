"""The options of `attn-translate train`, as Typer types. None means that the default applies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from translator.settings import ATTENTIONS

BY_SIZE = "by corpus size"  # `TrainingConfig.for_corpus` has the table

# Files
Corpus = Annotated[
    Path | None,
    typer.Argument(
        help="TSV: source, tab, target.", show_default="the bundled English–Korean corpus"
    ),
]
Source = Annotated[
    Path | None, typer.Option(help="Source lines, instead of a TSV; needs --target.")
]
Target = Annotated[Path | None, typer.Option(help="Target lines, in the order of --source.")]
Dev = Annotated[
    Path | None,
    typer.Option(help="Dev set (TSV).", show_default="5 % of the corpus, by a hash of the source"),
]
Checkpoint = Annotated[
    Path | None,
    typer.Option(help="Where to save.", show_default="checkpoints/<corpus>.safetensors"),
]
Plot = Annotated[
    Path | None, typer.Option(help="Draw this run's loss and dev scores as an SVG file.")
]

# The model
Attention = Annotated[
    str | None,
    typer.Option(
        help=", ".join(ATTENTIONS), show_default="scaled-dot", autocompletion=lambda: ATTENTIONS
    ),
]
EmbeddingSize = Annotated[
    int | None, typer.Option(help="Numbers in a piece's vector.", show_default="128")
]
HiddenSize = Annotated[int | None, typer.Option(help="Numbers in a state.", show_default="128")]
VocabularySize = Annotated[
    int | None, typer.Option(help="Maximum pieces per side.", show_default=BY_SIZE)
]

# Learning
BatchSize = Annotated[int | None, typer.Option(help="Sentences per step.", show_default=BY_SIZE)]
LearningRate = Annotated[
    float | None, typer.Option(help="Peak learning rate of AdamW.", show_default=BY_SIZE)
]
Dropout = Annotated[
    float | None,
    typer.Option(help="Share of activations dropped in training.", show_default=BY_SIZE),
]
LabelSmoothing = Annotated[
    float | None,
    typer.Option(help="Probability spread over all pieces.", show_default=BY_SIZE),
]
GuidedAlignment = Annotated[
    float | None, typer.Option(help="Weight of the gold alignments in the loss.", show_default="0")
]
Seed = Annotated[int | None, typer.Option(help="Seed of all random numbers.", show_default="1")]
Threads = Annotated[int | None, typer.Option(help="CPU cores to use.", show_default=BY_SIZE)]
Device = Annotated[str | None, typer.Option(help="auto, cpu, cuda or mps.", show_default="cpu")]
Epochs = Annotated[
    int | None,
    typer.Option(
        help="Train this many, without early stopping.",
        show_default="by corpus size, with early stopping",
    ),
]
Minutes = Annotated[float | None, typer.Option(help="Train this long, without early stopping.")]

# Switches
Reverse = Annotated[bool, typer.Option("--reverse", help="Learn target → source.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue a training that was stopped.")]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing checkpoint.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Show SentencePiece's own messages.")]
