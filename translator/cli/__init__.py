"""The command line: the only part of the package that prints, reads standard input or exits.

Exit status: 0 done; 1 something that the user can mend, told in an `error:` and a `hint:` line; 2 wrong usage, in Typer's own words; 130
interrupted. A bug of ours keeps its traceback. Each command lives in a module of its own and imports what is heavy (numpy, SentencePiece,
torch) only when it runs, so that `--help` and shell completion answer at once.
"""

from __future__ import annotations

import errno
import signal
import sys
from types import FrameType
from typing import Annotated

import typer

from translator import __version__
from translator.cli import evaluate, explain, info, show_weights, train, translate
from translator.cli.terminal import complain, give_up_stdout, heed_no_more, prepare_streams
from translator.errors import TranslatorError, lacks_memory

app = typer.Typer(
    name="attn-translate",
    help="A neural translator that shows its attention: train it on sentence pairs, translate, and see why.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: importing the Markdown renderer of the other takes twice as long as all the rest
    context_settings={"help_option_names": ["-h", "--help"]},
)


CANNOT_WRITE = {
    errno.EPIPE,
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EIO,
    errno.EBADF,
}  # what a write to a stream may meet


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"attn-translate {__version__}")
        raise typer.Exit()


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """The options that come before a command."""


train.register(app)
translate.register(app)
show_weights.register(app)
explain.register(app)
evaluate.register(app)
info.register(app)


def main() -> None:
    """Run the command line; exits."""
    prepare_streams()
    _end_in_order()
    try:
        try:
            app(prog_name="attn-translate")
        finally:
            sys.stdout.flush()  # what can't be written is told by us, not by the interpreter's end
    except TranslatorError as error:
        complain(error)
        sys.exit(1)
    except (MemoryError, RuntimeError) as error:
        if not lacks_memory(error):
            raise
        complain(
            TranslatorError(
                "there isn't enough memory",
                hint="give a smaller --batch-size, --beam-size or --hidden-size",
            )
        )
        sys.exit(1)
    except OSError as error:
        if (
            error.errno not in CANNOT_WRITE or error.filename is not None
        ):  # all else was to be caught where it arose
            raise
        give_up_stdout(error)
        sys.exit(1)
    finally:
        heed_no_more()


def _end_in_order() -> None:
    """End through an exception on SIGTERM and SIGHUP (a terminal that is closed), so that temporary files are removed and hints given."""
    signal.signal(signal.SIGTERM, _terminate)
    if (
        hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_DFL
    ):  # nohup ignores it
        signal.signal(signal.SIGHUP, _terminate)


def _terminate(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)
