"""`python -m data.workshop.frames --check FILE...`: show errors and sample lines of frames."""

from __future__ import annotations

import argparse
from pathlib import Path

from data.workshop.chooser import Chooser, UnsuitableError
from data.workshop.finishing import finish
from data.workshop.frames.checking import check_files, frames_of
from data.workshop.frames.drawing import possible
from data.workshop.frames.expansion import expand
from data.workshop.frames.reading import Frame, files
from data.workshop.words import Pair


def main() -> int:
    """Check, count or show; exit status 1 if there are errors."""
    parser = argparse.ArgumentParser(prog="python -m data.workshop.frames", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="print every error, and sample lines with their links"
    )
    parser.add_argument(
        "--count", action="store_true", help="print how many different lines each frame can make"
    )
    parser.add_argument(
        "--samples", type=int, default=20, help="how many sample lines (default: 20)"
    )
    parser.add_argument("--seed", type=int, default=1, help="which sample lines (default: 1)")
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="files of frames (default: all)"
    )
    options = parser.parse_args()
    paths = options.files or files()
    errors = check_files(paths)
    if options.check or not options.count:
        print("\n".join(errors))
    frames = frames_of(paths)
    if options.count:
        for frame in sorted(frames, key=possible):
            print(f"{possible(frame):10d}  {frame.place}  {frame.source}")
    show(frames, options.samples, options.seed)
    fixed = sum(not frame.gaps for frame in frames)
    print(
        f"\n{len(errors)} errors; {len(frames) - fixed} frames with gaps"
        f" and {fixed} fixed sentences without errors"
    )
    return 1 if errors else 0


def show(frames: list[Frame], size: int, seed: int) -> None:
    """Print random lines of frames with gaps, and which words are linked."""
    chooser = Chooser(seed)
    gapped = [frame for frame in frames if frame.gaps]
    for _ in range(size if gapped else 0):
        frame = chooser.one(gapped)
        try:
            pair = finish(chooser, [expand(chooser, frame)])
        except UnsuitableError:
            continue
        print(f"\n{pair.source}\n{pair.target}\n    {linked(pair)}")


def linked(pair: Pair) -> str:
    """Write the links with their words: have=해, and possible ones behind a question mark.

    >>> linked(Pair("I go", "나는 가", "0-0 1?1"))
    'I=나는 go?가'
    """
    source, target = pair.source.split(), pair.target.split()
    shown = []
    for link in pair.alignment.split():
        sign = "-" if "-" in link else "?"
        first, second = link.split(sign)
        shown.append(f"{source[int(first)]}{'=' if sign == '-' else '?'}{target[int(second)]}")
    return " ".join(shown)


if __name__ == "__main__":
    raise SystemExit(main())
