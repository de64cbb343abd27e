"""The one exception for errors that a user can fix.

Every module raises `TranslatorError` for what the user can fix: a missing file, a wrong value. The
command line prints it as an `error:` and a `hint:` line and exits with status 1. Any other
exception is a bug and keeps its traceback.
"""


class TranslatorError(Exception):
    """An error that the user can fix: a message, and a hint how.

    >>> error = TranslatorError("no file 'a.tsv'", hint="check the path")
    >>> (str(error), error.hint)
    ("no file 'a.tsv'", 'check the path')
    """

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def lacks_memory(error: Exception) -> bool:
    """Return whether numpy or torch raised this error because memory ran out, on a CPU or GPU."""
    # On a GPU torch has its own class; on a CPU only the text says so. Neither needs an import.
    return (
        isinstance(error, MemoryError)
        or type(error).__name__ == "OutOfMemoryError"
        or "allocate memory" in str(error)
    )
