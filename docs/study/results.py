"""Results that were measured once: one JSON file each, with the settings that it was measured with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from translator.files import replace_file

Result = dict[str, Any]


def remembered(path: Path, settings: dict[str, Any], measure: Callable[[], Result]) -> Result:
    """The result in this file if it was measured with these settings; else measure it, and keep it there."""
    settings = json.loads(json.dumps(settings))  # as they come back from a file
    if path.is_file():
        kept = json.loads(path.read_text("utf-8"))
        if kept["settings"] == settings:
            return kept["result"]  # type: ignore[no-any-return]
    result = measure()
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, json.dumps({"settings": settings, "result": result}, indent=1).encode())
    return result
