"""A neural translator that shows its attention.

    from translator import Translator
    print(next(Translator.load().translate(["I love you"])).target)

The three public names load on first use, so `attn-translate --help` doesn't wait for numpy or
SentencePiece.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from translator.errors import TranslatorError
    from translator.inference.translator import Translator
    from translator.translation import Translation

__version__ = "0.1.0"
__all__ = ["Translation", "Translator", "TranslatorError", "__version__"]

_MODULES = {
    "Translation": "translation",
    "Translator": "inference.translator",
    "TranslatorError": "errors",
}


def __getattr__(name: str) -> Any:
    """Load a public name from its module (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
