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
