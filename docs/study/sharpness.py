"""The second experiment: do long keys make attention too sharp, and does √d_k prevent it?

Entropy measures sharpness: H(α_i) = -Σ_j α_ij ln α_ij of the S weights of a row, divided by its
maximum ln S. Equal weights have entropy 1. A row that looks at one position only has entropy 0, and
there the softmax passes on hardly any gradient.
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
from docs.study.results import Result, cached
from translator.model.attention import Dot
from translator.model.encoder_decoder import Model, length_mask
from translator.settings import ModelConfig
from translator.text.corpus import corpus_digest
from translator.text.tokenizer import Tokenizer
from translator.training.batches import Batch, EncodedPairs

KEYS = 10  # per random query: about as many as a sentence has pieces
LEARNING_RATE = 5e-3  # the peak: a linear rise, then a linear fall, as in `train`
WARMUP = 0.05  # share of the steps in which it rises
SEED = 1


def random_entropy(key_size: int, plan: Plan, *, scaled: bool) -> float:
    """Give the mean entropy for random queries and keys of variance 1, the textbook's case."""
    generator = np.random.default_rng(SEED)
    queries, keys = (
        torch.from_numpy(generator.normal(size=(plan.draws, n, key_size))) for n in (1, KEYS)
    )
    divisor = math.sqrt(key_size) if scaled else 1.0
    scores = (keys @ queries.transpose(1, 2)).squeeze(2) / divisor  # (B, S)
    return float(entropies(scores.softmax(1), torch.full((plan.draws,), KEYS)).mean())


def entropies(weights: Tensor, lengths: Tensor) -> Tensor:
    """Give the entropy of each row of weights (B, S), divided by ln of its length: (B,)."""
    entropy: Tensor = torch.special.entr(weights).sum(1)
    return entropy / lengths.log()


def sharpness(attention: str, key_size: int, plan: Plan, lines: Lines, folder: Path) -> Result:
    """Train briefly with keys of this size, and measure the entropy, unless already done."""
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
    return cached(path, key, lambda: _measure(attention, key_size, plan, lines))


def _measure(attention: str, key_size: int, plan: Plan, lines: Lines) -> Result:
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
    train(model, EncodedPairs.encode(source, target, lines.short), plan)
    entropy_after, loss_after = examine(model, dev)
    return {
        "entropy_before": entropy_before,
        "loss_before": loss_before,
        "entropy_after": entropy_after,
        "loss_after": loss_after,
    }


def widen(model: Model, key_size: int) -> None:
    """Give the attention queries and keys of this size; in the program they have size H."""
    attention, H = model.decoder.attention, model.config.hidden_size
    assert isinstance(attention, Dot)
    attention.query = nn.Linear(H, key_size, bias=False)
    attention.key = nn.Linear(2 * H, key_size, bias=False)


def train(model: Model, encoded: EncodedPairs, plan: Plan) -> None:
    """Train for `plan.steps` steps, without scoring."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    step = 0
    while step < plan.steps:
        batches = encoded.batches(plan.batch_size, np.random.default_rng([SEED, step]))
        for batch in itertools.islice(batches, plan.steps - step):
            done = step / plan.steps
            rise, fall = (done + 1 / plan.steps) / WARMUP, (1 - done) / (1 - WARMUP)
            for group in optimizer.param_groups:
                group["lr"] = LEARNING_RATE * min(1.0, rise, fall)
            optimizer.zero_grad()
            *arrays, _ = map(torch.from_numpy, batch)
            torch.autograd.backward(model.loss(*arrays, label_smoothing=0.0))
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1


@torch.no_grad()
def examine(model: Model, batches: Sequence[Batch]) -> tuple[float, float]:
    """Give the mean entropy of the rows of weights, and the mean loss of a piece in nats."""
    rows, losses = [], []
    for batch in batches:
        *arrays, _ = map(torch.from_numpy, batch)
        source_ids, source_lengths, previous_ids, target_ids, target_lengths = arrays
        _, weights = model(source_ids, source_lengths, previous_ids)  # (B, T, S)
        target_mask = length_mask(target_lengths, target_ids.shape[1])  # (B, T)
        lengths = source_lengths.unsqueeze(1).expand_as(target_mask)[target_mask]  # (N,)
        rows.append(entropies(weights[target_mask], lengths))  # (N,)
        losses.append(model.loss(*arrays, label_smoothing=0.0).expand(len(lengths)))
    return float(torch.cat(rows).mean()), float(torch.cat(losses).mean())
