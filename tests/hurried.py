"""`attn-translate` in a hurry, for trainings in documents: bundled corpora have a twentieth of their lines, and a minute is 0.6 seconds."""

from __future__ import annotations

import sys
from pathlib import Path

from translator import settings as config

SHARE, FASTER = 20, 100
shipped = config.bundled


def bundled(name: str) -> Path:
    """A shipped file; of a corpus every twentieth line, and the sentence that a training shows, in a file of the same name below `hurried/`."""
    if not name.endswith(".tsv"):
        return shipped(name)
    path = Path("hurried") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = shipped(name).read_text("utf-8").splitlines(keepends=True)
    kept = (
        line
        for number, line in enumerate(lines)
        if number % SHARE == 0 or line.startswith("I love you\t")
    )
    path.write_text("".join(kept), "utf-8")
    return path


def main() -> None:
    """What `attn-translate` does with these arguments, sooner."""
    config.bundled = bundled  # before the commands import it
    from translator.cli import main

    after = sys.argv.index("--minutes") + 1 if "--minutes" in sys.argv else 0
    if after:
        sys.argv[after] = str(float(sys.argv[after]) / FASTER)
    main()


if __name__ == "__main__":
    main()
