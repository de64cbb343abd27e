"""One checkpoint file ↔ settings, parameters and tokenizers. Nothing else knows the file format."""
