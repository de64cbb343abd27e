"""The recurrent network: a bidirectional GRU encoder and a GRU decoder with attention.

`cell.py`, `encoder.py` and `decoder.py` are the network. The files `*_gradient.py` compute the same
faster, and can wait.
"""
