"""The last translation, saved in the user's state folder for `show-weights` and `explain`."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from translator.cli.terminal import note
from translator.errors import TranslatorError

if TYPE_CHECKING:
    from translator.translation import Translation

FILE_NAME = "last.json"


def save_last_translation(translation: Translation) -> None:
    """Save a translation in a file that only this user can read.

    If the file can't be written, prints a note.
    """
    path = _state_file()
    temporary = path.with_name(f"{FILE_NAME}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(translation.to_json() + "\n")
        os.replace(temporary, path)
    except OSError as error:
        reason = f"{error.strerror}: {path}"
        note(f"note: the last translation couldn't be saved for show-weights ({reason})")
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def load_last_translation() -> Translation | None:
    """Read the saved translation, or return None if there is none."""
    from translator.translation import Translation

    try:
        return Translation.from_json(_state_file().read_text("utf-8"))
    except (OSError, UnicodeDecodeError, TranslatorError):
        return None


def _state_file() -> Path:
    import platformdirs

    return platformdirs.user_state_path("attn-translate") / FILE_NAME
