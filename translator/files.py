"""Writing a file in one step: whoever looks sees the old file or the whole new one, never half of it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Put `data` at `path` in one step, through a temporary file of its own in the same folder. Raises OSError if the disk refuses."""
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())  # a temporary file is private, what is written here is an ordinary file
        os.replace(temporary, path)
    except BaseException:  # also a KeyboardInterrupt: leave no half file behind
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    """The process's file mode mask; asking means setting it for a moment."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
