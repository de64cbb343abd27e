"""How good translations are, and whether the attention weights mean what they seem to mean."""
