"""A faster `attn-translate`, for the trainings in documents.

It uses a twentieth of a bundled corpus, and a minute lasts 0.6 seconds.
"""

from __future__ import annotations

import sys
from pathlib import Path

from translator import settings as config

SHARE, FASTER = 20, 100
shipped = config.bundled


def bundled(name: str) -> Path:
    """Return a shipped file, or a file below `hurried/` with a twentieth of a corpus's lines.

    It keeps the sentence that a training shows.
    """
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
    """Run `attn-translate` with these arguments, but faster."""
    config.bundled = bundled  # before the commands import it
    from translator.cli import main

    after = sys.argv.index("--minutes") + 1 if "--minutes" in sys.argv else 0
    if after:
        sys.argv[after] = str(float(sys.argv[after]) / FASTER)
    main()


if __name__ == "__main__":
    main()
