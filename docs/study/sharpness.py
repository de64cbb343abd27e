"""The second experiment: does a dot product of long vectors make attention too sharp, and does dividing by √d_k cure it?

Sharpness is measured by entropy: H(α_i) = -Σ_j α_ij ln α_ij of the S weights of a row, as a share of its largest value ln S. Equal weights have
entropy 1, and a row that looks at one place only has 0, where the softmax passes hardly any gradient on.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from docs.study.lines import Lines
from docs.study.plan import Plan
from docs.study.results import Result, remembered
from translator.model.attention import Dot
from translator.model.encoder_decoder import Model, length_mask
from translator.settings import ModelConfig
from translator.text.corpus import corpus_digest
from translator.text.tokenizer import Tokenizer
from translator.training.training.batches import Batch, EncodedPairs

KEYS = 10  # that a random query is compared with: about a sentence's pieces
LEARNING_RATE, WARMUP = (
    5e-3,
    0.05,
)  # a straight rise and a straight fall, as in `translator.training.training`
SEED = 1


def random_entropy(key_size: int, plan: Plan, *, scaled: bool) -> float:
    """The textbook's case: queries and keys of independent numbers of variance 1. The mean entropy of their weights, 0 to 1."""
    generator = np.random.default_rng(SEED)
    queries, keys = (
        torch.from_numpy(generator.normal(size=(plan.draws, n, key_size))) for n in (1, KEYS)
    )
    scores = (keys @ queries.transpose(1, 2)).squeeze(2) / (
        math.sqrt(key_size) if scaled else 1.0
    )  # (B, S)
    return float(entropies(scores.softmax(1), torch.full((plan.draws,), KEYS)).mean())


def entropies(weights: Tensor, lengths: Tensor) -> Tensor:
    """The entropy of each row of weights (B, S) over sources with these lengths (B,), as a share of ln S: (B,)."""
    entropy: Tensor = torch.special.entr(weights).sum(1)
    return entropy / lengths.log()


def sharpness(attention: str, key_size: int, plan: Plan, lines: Lines, folder: Path) -> Result:
    """A short training with keys of this size; or take what is in the folder already."""
    digests = {"training": corpus_digest(lines.short), "dev": corpus_digest(lines.short_dev)}
    sizes = {
        "size": plan.size,
        "vocabulary": plan.vocabulary,
        "steps": plan.steps,
        "batch_size": plan.batch_size,
    }
    key = {
        "attention": attention,
        "key_size": key_size,
        "learning_rate": LEARNING_RATE,
        **sizes,
        **digests,
    }
    path = folder / f"sharpness-{attention}-{key_size}.json"
    return remembered(path, key, lambda: _measured(attention, key_size, plan, lines))


def _measured(attention: str, key_size: int, plan: Plan, lines: Lines) -> Result:
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    source = Tokenizer.train([pair.source for pair in lines.short], plan.vocabulary, folds=True)
    target = Tokenizer.train([pair.target for pair in lines.short], plan.vocabulary, folds=False)
    model = Model(ModelConfig(len(source), len(target), attention, plan.size, plan.size))
    widen(model, key_size)
    dev = list(
        EncodedPairs.encode(source, target, lines.short_dev).batches(
            plan.batch_size, np.random.default_rng(SEED)
        )
    )
    entropy_before, loss_before = examine(model, dev)
    learn(model, EncodedPairs.encode(source, target, lines.short), plan)
    entropy_after, loss_after = examine(model, dev)
    return {
        "entropy_before": entropy_before,
        "loss_before": loss_before,
        "entropy_after": entropy_after,
        "loss_after": loss_after,
    }


def widen(model: Model, key_size: int) -> None:
    """Give the attention queries and keys of this size: in the program they have the size H of the states, and would change only with it."""
    attention, H = model.decoder.attention, model.config.hidden_size
    assert isinstance(attention, Dot)
    attention.query = nn.Linear(H, key_size, bias=False)
    attention.key = nn.Linear(2 * H, key_size, bias=False)


def learn(model: Model, encoded: EncodedPairs, plan: Plan) -> None:
    """A training of `plan.steps` steps, without scoring."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    step = 0
    while step < plan.steps:
        for batch in itertools.islice(
            encoded.batches(plan.batch_size, np.random.default_rng([SEED, step])), plan.steps - step
        ):
            done = step / plan.steps
            for group in optimiser.param_groups:
                group["lr"] = LEARNING_RATE * min(
                    1.0, (done + 1 / plan.steps) / WARMUP, (1 - done) / (1 - WARMUP)
                )
            optimiser.zero_grad()
            source_ids, source_lengths, previous_ids, target_ids, target_lengths, _ = map(
                torch.from_numpy, batch
            )
            loss = model.loss(
                source_ids, source_lengths, previous_ids, target_ids, target_lengths, smoothing=0.0
            )
            torch.autograd.backward(loss)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            step += 1


@torch.no_grad()
def examine(model: Model, batches: Sequence[Batch]) -> tuple[float, float]:
    """The mean entropy of the rows of weights, 0 to 1, and the mean loss of a piece in nats, on these batches."""
    rows, losses = [], []
    for batch in batches:
        source_ids, source_lengths, previous_ids, target_ids, target_lengths, _ = map(
            torch.from_numpy, batch
        )
        _, weights = model(source_ids, source_lengths, previous_ids)  # (B, T, S)
        written = length_mask(target_lengths, target_ids.shape[1])  # (B, T)
        lengths = source_lengths.unsqueeze(1).expand_as(written)[written]  # (N,)
        rows.append(entropies(weights[written], lengths))  # (N,)
        loss = model.loss(
            source_ids, source_lengths, previous_ids, target_ids, target_lengths, smoothing=0.0
        )
        losses.append(loss.expand(len(lengths)))
    return float(torch.cat(rows).mean()), float(torch.cat(losses).mean())
