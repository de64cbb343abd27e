"""Writing a file in one step: whoever looks sees the old file or the whole new one, never half of it. And keeping others off it."""

from __future__ import annotations

import contextlib
import glob
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from translator.errors import TranslatorError


def replace_file(path: Path, data: bytes) -> None:
    """Put `data` at `path` in one step, through a temporary file of its own in the same folder. Raises OSError if the disk refuses."""
    descriptor, temporary = tempfile.mkstemp(
        prefix=f".{path.name}.", suffix=".tmp", dir=path.parent
    )
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(
            temporary, 0o666 & ~_umask()
        )  # a temporary file is private, what is written here is an ordinary file
        os.replace(temporary, path)
    except BaseException:  # also a KeyboardInterrupt: leave no half file behind
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def remove_leftovers(*paths: Path) -> None:
    """Remove what a killed process left of these files, half written. Nobody else may be writing them."""
    for path in paths:
        for temporary in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
            with contextlib.suppress(OSError):
                temporary.unlink()


def check_spares(output: Path, *inputs: os.stat_result) -> None:
    """Raise `TranslatorError` if this `--output` is one of the files that are read: opening it would empty it."""
    with contextlib.suppress(OSError):
        there = output.stat()
        if stat.S_ISREG(there.st_mode) and any(os.path.samestat(there, one) for one in inputs):
            raise TranslatorError(
                f"{output} is read here: writing to it would empty it",
                hint="choose another --output",
            )


def cannot_write(output: Path, error: OSError) -> TranslatorError:
    """What to tell whoever chose this `--output`."""
    hint = (
        f"make the folder {output.parent} first"
        if isinstance(error, FileNotFoundError)
        else "choose another --output"
    )
    return TranslatorError(f"can't write {output}: {error.strerror}", hint=hint)


@contextlib.contextmanager
def held(path: Path) -> Iterator[bool]:
    """Hold a path: yield True, or False if another process holds it.

    The kernel lets go of it when the process ends, even if it is killed. Where no lock can be had (a folder that can't be written, a file
    system or a system without locks) nobody is kept off.
    """
    lock = path.with_name(f".{path.name}.lock")
    new_folders = [folder for folder in lock.absolute().parents if not folder.exists()]
    with contextlib.ExitStack() as stack:
        try:
            import fcntl  # Windows has none

            lock.parent.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context(lock.open("ab"))
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # subtle: whoever held it may have removed the file since it was opened here, and a lock that nobody sees is none
            is_free = os.fstat(file.fileno()).st_nlink > 0
        except (ImportError, OSError) as error:
            is_free = not isinstance(error, BlockingIOError)
        try:
            yield is_free
        finally:
            if is_free:
                with contextlib.suppress(OSError):
                    os.unlink(lock)
                    for folder in new_folders:  # until one that something was saved in
                        folder.rmdir()


def _umask() -> int:
    """The process's file mode mask; asking means setting it for a moment."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
