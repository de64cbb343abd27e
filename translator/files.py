"""Write files atomically (readers see the old file or the new one, never a part), and lock them."""

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
    """Write `data` to `path` in one step, through a temporary file in the same folder.

    Raises OSError if it can't be written.
    """
    prefix = f".{path.name}."
    descriptor, temporary = tempfile.mkstemp(prefix=prefix, suffix=".tmp", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes a private file; this one gets the usual permissions.
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:  # KeyboardInterrupt too: never leave a partial file
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def remove_leftovers(*paths: Path) -> None:
    """Remove the temporary files that a killed process left for these paths.

    Call it only while no other process can write them.
    """
    for path in paths:
        for temporary in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
            with contextlib.suppress(OSError):
                temporary.unlink()


def check_spares(output: Path, *inputs: os.stat_result) -> None:
    """Raise `TranslatorError` if `--output` is one of the inputs: opening would empty it."""
    with contextlib.suppress(OSError):
        found = output.stat()
        if stat.S_ISREG(found.st_mode) and any(os.path.samestat(found, one) for one in inputs):
            raise TranslatorError(
                f"{output} is read here: writing to it would empty it",
                hint="choose another --output",
            )


def cannot_write(output: Path, error: OSError) -> TranslatorError:
    """Give the error for an `--output` that can't be written."""
    hint = "choose another --output"
    if isinstance(error, FileNotFoundError):
        hint = f"make the folder {output.parent} first"
    return TranslatorError(f"can't write {output}: {error.strerror}", hint=hint)


@contextlib.contextmanager
def held(path: Path) -> Iterator[bool]:
    """Lock a path: yield True, or False if another process has the lock.

    The kernel releases the lock when the process ends, even if it is killed. Where locks aren't
    available (a read-only folder, a file system or operating system without them), this yields True
    and locks nothing.
    """
    lock_path = path.with_name(f".{path.name}.lock")
    new_folders = [folder for folder in lock_path.absolute().parents if not folder.exists()]
    with contextlib.ExitStack() as stack:
        try:
            import fcntl  # Windows has none

            lock_path.parent.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context(lock_path.open("ab"))
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # subtle: the last holder may have removed the file after it was opened here
            is_free = os.fstat(file.fileno()).st_nlink > 0
        except (ImportError, OSError) as error:
            is_free = not isinstance(error, BlockingIOError)
        try:
            yield is_free
        finally:
            if is_free:
                with contextlib.suppress(OSError):
                    os.unlink(lock_path)
                    for folder in new_folders:  # stops at the first one that isn't empty
                        folder.rmdir()


def _umask() -> int:
    """Return the process's file mode mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
