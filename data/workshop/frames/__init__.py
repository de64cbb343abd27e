"""Sentence frames: pairs with gaps from `data/frames/*.tsv`, filled with words of the lexicon.

Read in this order: `reading` (a row becomes a `Frame`), `fillers` (what may stand in a gap),
`korean_forms` (particles and endings), `linking` (which words translate each other), `expansion` (a
frame becomes a `Sentence`), `checking` (what a writer did wrong).
"""
