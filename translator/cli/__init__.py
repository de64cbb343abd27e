"""The command line: the only package that prints, reads standard input or exits.

Exit status 0 means done. 1 means an error that the user can fix, with an `error:` and a `hint:`
line. 2 means wrong usage, reported by Typer. 130 means interrupted. A bug keeps its traceback.

Each command has a module. Modules import what is heavy (numpy, SentencePiece, torch) only inside
functions, so `--help` and shell completion answer at once.
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
from translator.cli.terminal import abandon_stdout, ignore_signals, prepare_streams, print_error
from translator.errors import TranslatorError, lacks_memory

app = typer.Typer(
    name="attn-translate",
    help="Train a translator on sentence pairs, translate with it, and see its attention.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Plain help: Typer's markup would import a Markdown renderer, which doubles the start-up time.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# The errors that writing to a standard stream can raise.
STREAM_ERRORS = {errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
BROKEN_PIPE = 128 + 13  # as if SIGPIPE had ended the process, which shell pipelines expect


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
    """Handle the options that come before a command."""


train.register(app)
translate.register(app)
show_weights.register(app)
explain.register(app)
evaluate.register(app)
info.register(app)


def main() -> None:
    """Run the command line and exit."""
    prepare_streams()
    _exit_cleanly_on_signals()
    try:
        try:
            app(prog_name="attn-translate")
        finally:
            sys.stdout.flush()  # so that a failure raises here, not when the interpreter exits
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # Typer exits with 1 here
            sys.exit(BROKEN_PIPE)
        raise
    except TranslatorError as error:
        print_error(error)
        sys.exit(1)
    except (MemoryError, RuntimeError) as error:
        if not lacks_memory(error):
            raise
        hint = "give a smaller --batch-size, --beam-size or --hidden-size"
        print_error(TranslatorError("there isn't enough memory", hint=hint))
        sys.exit(1)
    except OSError as error:
        # An error with a file name comes from a file, which the commands should have handled.
        if error.errno not in STREAM_ERRORS or error.filename is not None:
            raise
        abandon_stdout(error)
        sys.exit(BROKEN_PIPE if isinstance(error, BrokenPipeError) else 1)
    finally:
        ignore_signals()


def _exit_cleanly_on_signals() -> None:
    """Turn SIGTERM and SIGHUP (a closed terminal) into SystemExit.

    So temporary files are removed, and messages are printed.
    """
    signal.signal(signal.SIGTERM, _exit)
    # With nohup, SIGHUP is ignored already.
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
        signal.signal(signal.SIGHUP, _exit)


def _exit(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)
