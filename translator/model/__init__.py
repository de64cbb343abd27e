"""The networks in torch, for training. Start with `attention.py`: everything else is built around it."""
