"""The one exception that a user can mend.

Every module raises `TranslatorError` for what its user can put right (a missing file, a wrong value). The command line prints it as an
`error:` and a `hint:` line and exits with status 1. Any other exception is a bug of ours and keeps its traceback.
"""


class TranslatorError(Exception):
    """Something went wrong that the user can mend: what it is, and how to go on.

    >>> error = TranslatorError("no file 'a.tsv'", hint="check the path")
    >>> (str(error), error.hint)
    ("no file 'a.tsv'", 'check the path')
    """

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def lacks_memory(error: Exception) -> bool:
    """Whether an error is numpy's or torch's way to say that there isn't enough memory, on the CPU or a GPU."""
    # torch tells it in a RuntimeError of its own class on a GPU, and in words on the CPU; it isn't imported for that.
    return (
        isinstance(error, MemoryError)
        or type(error).__name__ == "OutOfMemoryError"
        or "allocate memory" in str(error)
    )
