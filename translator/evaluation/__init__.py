"""How good the translations are, and whether the attention weights are what they seem to be."""
