"""Checkpoint file ↔ settings, parameters and tokenizers. Only this package knows the format."""
