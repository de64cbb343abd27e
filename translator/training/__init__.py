"""Sentence pairs → a checkpoint, one `Epoch` at a time. Nothing in here prints."""
