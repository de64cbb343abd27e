"""The network in torch, for training. Start with `attention.py`; the rest is built around it."""
