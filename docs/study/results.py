"""A cache of results: one JSON file each, together with the settings it was measured with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from translator.files import replace_file

Result = dict[str, Any]


def cached(path: Path, settings: dict[str, Any], measure: Callable[[], Result]) -> Result:
    """Give the result in this file if its settings are these; otherwise measure and save it."""
    settings = json.loads(json.dumps(settings))  # as read back from a file: tuples become lists
    if path.is_file():
        kept = json.loads(path.read_text("utf-8"))
        if kept["settings"] == settings:
            return kept["result"]  # type: ignore[no-any-return]
    result = measure()
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, json.dumps({"settings": settings, "result": result}, indent=1).encode())
    return result
