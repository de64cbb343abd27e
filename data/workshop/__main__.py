"""`python -m data.workshop`: build the corpus and write its files."""

from __future__ import annotations

import argparse
from pathlib import Path

from data.workshop.build import FOLDER, SIZES, Corpus, Sizes, build

WITHHELD_FOLDER = FOLDER.parent / "build" / "withheld"


def main() -> None:
    """Build and write."""
    parser = argparse.ArgumentParser(prog="python -m data.workshop", description=__doc__)
    parser.add_argument("--output", type=Path, help="folder to write to (default: data)")
    parser.add_argument(
        "--withhold",
        action="store_true",
        help="for a study: the grammar only, with some combinations kept for eng-kor.compose.tsv,"
        " written to build/withheld",
    )
    parser.add_argument("--grammar", type=int, default=SIZES.grammar, help="lines of the grammar")
    parser.add_argument("--frame", type=int, default=SIZES.frame, help="lines of a frame, at most")
    options = parser.parse_args()
    folder = options.output or (WITHHELD_FOLDER if options.withhold else FOLDER)
    if options.withhold and folder.resolve() == FOLDER:
        parser.error("--withhold writes to another folder than data")
    sizes = Sizes(grammar=options.grammar, frame=options.frame)
    write(build(sizes, options.withhold), folder)


def write(corpus: Corpus, folder: Path) -> None:
    """Write the files, and print the counts."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, pairs in corpus.pairs.items():
        path = folder / f"eng-kor.{name}.tsv"
        lines = (f"{pair.source}\t{pair.target}\t{pair.alignment}\n" for pair in pairs)
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(lines)
        print(f"{path.name}: {len(pairs)} pairs, {path.stat().st_size} bytes")
    print("\npairs by construction (training, dev and test together)")
    for name, count in sorted(corpus.counts.items()):
        print(f"{count:7d}  {name}")


if __name__ == "__main__":
    main()
