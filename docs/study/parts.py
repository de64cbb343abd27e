"""The three parts of the study: what each measures, and the blocks and pictures it makes."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any

from docs.study.faithful import faithfulness_block
from docs.study.lines import read_lines
from docs.study.plan import Plan
from docs.study.quality import quality
from docs.study.report import (
    KINDS,
    alignment_block,
    length_block,
    length_pictures,
    quality_block,
    setup_block,
    sharpness_block,
    sharpness_pictures,
    time_block,
)
from docs.study.results import Result
from docs.study.sharpness import random_entropy, sharpness
from translator.settings import ATTENTIONS

PARTS = ("trainings", "sharpness", "faithfulness")
# The document's blocks by name, and its pictures by file name.
Output = tuple[dict[str, str], dict[str, str]]


def run(part: str, plan: Plan, folder: Path, jobs: int, pictures: str) -> Output:
    """Run one part. The document links its pictures in the folder `pictures` next to it."""
    if part == "faithfulness":
        return {"faithfulness": faithfulness_block(plan.test_lines)}, {}
    lines = read_lines(plan)
    if part == "trainings":
        tasks = {
            attention: partial(quality, attention, plan, lines, folder)
            for attention in reversed(ATTENTIONS)
        }
        found = in_parallel(tasks, jobs)
        qualities = {attention: found[attention] for attention in ATTENTIONS}
        blocks = {
            "setup": setup_block(plan, lines),
            "quality": quality_block(qualities),
            "length": length_block(qualities, pictures),
            "alignment": alignment_block(qualities),
            "time": time_block(qualities),
        }
        return blocks, length_pictures(qualities)
    keys = [(kind, size) for size in reversed(plan.key_sizes) for kind in KINDS]
    results = in_parallel(
        {key: partial(sharpness, *key, plan, lines, folder) for key in keys}, jobs
    )
    random = {
        (kind, size): random_entropy(size, plan, scaled=kind == "scaled-dot") for kind, size in keys
    }
    return {"sharpness": sharpness_block(results, random, pictures)}, sharpness_pictures(
        results, random
    )


def in_parallel(tasks: Mapping[Any, Callable[[], Result]], jobs: int) -> dict[Any, Result]:
    """Run the tasks in parallel and report each one when it is done.

    Tasks save their own results, so a failure or an interruption loses only unfinished ones.
    """
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        futures = {pool.submit(task): key for key, task in tasks.items()}
        for future in as_completed(futures):
            future.result()
            print(f"{futures[future]}: done", file=sys.stderr, flush=True)
    return {key: future.result() for future, key in futures.items()}
