"""Text ↔ pieces ↔ ids; corpus files → clean sentence pairs; gold word alignments."""
