"""The corpus lines that come of frames: some of what each can make, and every fixed sentence."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from data.workshop.chooser import Chooser, UnsuitableError
from data.workshop.finishing import finish, with_marks
from data.workshop.frames.contracting import write_out
from data.workshop.frames.drawing import possible
from data.workshop.frames.expansion import expand, fill
from data.workshop.frames.reading import Frame, FrameError, files, parse, rows
from data.workshop.words import Pair

# Frames with few combinations give the same line again; then the frame is left after so many tries
# for each line.
TRIES = 3


def read_frames(paths: list[Path] | None = None) -> list[Frame]:
    """Read all frames; FrameError names the row that is wrong."""
    frames = []
    for row in (row for path in (files() if paths is None else paths) for row in rows(path)):
        try:
            frames.append(parse(row))
        except FrameError as error:
            raise FrameError(f"{row.place}: {error}") from error
    return frames


def topic(frame: Frame) -> str:
    """Give the topic of a frame, the name of its file."""
    return frame.place.partition(".")[0]


def fixed_pairs(frame: Frame) -> list[Pair]:
    """Give a fixed sentence with its mark and without, and with its contractions written out.

    A question keeps its mark in Korean.
    """
    try:
        sentence = fill(frame, {})
    except FrameError as error:
        raise FrameError(f"{frame.place}: {error}") from error
    mark = frame.mark
    pairs = [
        with_marks(sentence, mark, mark),
        with_marks(sentence, "", mark if mark == "?" else ""),
    ]
    long = write_out(sentence.english, mark)
    if len(long) > len(sentence.english):
        sentence.english = long
        pairs.append(with_marks(sentence, mark, mark))
    return pairs


def frame_pairs(chooser: Chooser, frame: Frame, cap: int) -> Iterator[Pair]:
    """Give different lines of a frame with gaps: as many as it can make, `cap` at most.

    The draw begins from the frame's own text, so that a change to one frame leaves the others'
    lines alone.
    """
    chooser.random.seed(zlib.crc32(frame.source.encode()))
    try:
        yield from _different(chooser, frame, min(cap, possible(frame)))
    except FrameError as error:
        raise FrameError(f"{frame.place}: {error}") from error


def _different(chooser: Chooser, frame: Frame, wanted: int) -> Iterator[Pair]:
    seen: set[str] = set()
    for _ in range(wanted * TRIES):
        if len(seen) == wanted:
            return
        try:
            pair = finish(chooser, [expand(chooser, frame)])
        except UnsuitableError:
            continue
        key = pair.source.casefold().rstrip(".?!")
        if key not in seen:
            seen.add(key)
            yield pair
