"""The recurrent network: a bidirectional GRU reads the source, a GRU with attention writes the target."""
