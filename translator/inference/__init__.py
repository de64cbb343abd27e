"""The network in numpy, beam search, and the `Translator` that turns lines into `Translation`s."""
