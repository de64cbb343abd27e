"""`python -m docs.study`: measure what is missing, and update `docs/attention-study.md`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from docs.study.parts import PARTS, run
from docs.study.plan import FULL, QUICK
from docs.study.report import fill
from translator.errors import TranslatorError
from translator.files import replace_file

DOCUMENT = Path(__file__).parent.parent / "attention-study.md"


def main() -> None:
    """Parse the arguments, run the parts, and write the document and its pictures."""
    parser = argparse.ArgumentParser(prog="python -m docs.study", description=__doc__)
    parser.add_argument(
        "--only",
        choices=PARTS,
        action="append",
        help="run only this part; repeat the option for several",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="a tiny study of a few seconds, to check that everything works",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("build/study"),
        help="where to keep results and checkpoints",
    )
    parser.add_argument(
        "--document",
        type=Path,
        default=DOCUMENT,
        help="the document to update; its pictures go next to it",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="trainings to run at a time, each on one core",
    )
    chosen = parser.parse_args()
    plan = QUICK if chosen.quick else FULL
    folder = chosen.folder / "quick" if chosen.quick else chosen.folder
    try:
        read(chosen.document)  # fail now rather than after half an hour
        for part in chosen.only or PARTS:
            blocks, pictures = run(part, plan, folder, chosen.jobs, chosen.document.stem)
            write(chosen.document, blocks, pictures)
    except TranslatorError as error:
        sys.exit(f"error: {error}\nhint: {error.hint}")


def read(document: Path) -> str:
    """Read the document. Raises `TranslatorError` if it doesn't exist."""
    if not document.is_file():
        raise TranslatorError(
            f"there is no file {document}",
            hint="name an existing document with --document; the study fills in its markers",
        )
    return document.read_text("utf-8")


def write(document: Path, blocks: dict[str, str], pictures: dict[str, str]) -> None:
    """Write the blocks into the document, and the pictures next to it."""
    folder = document.parent / document.stem
    for name, svg in pictures.items():
        folder.mkdir(exist_ok=True)
        replace_file(folder / name, svg.encode())
    replace_file(document, fill(read(document), blocks).encode())


if __name__ == "__main__":
    main()
