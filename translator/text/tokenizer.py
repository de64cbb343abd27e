"""Text ↔ ids ↔ pieces, over SentencePiece.

A neural network reads numbers. SentencePiece cuts a sentence into *pieces*: words or parts of words
from a fixed vocabulary. It learns the vocabulary from the corpus by byte-pair encoding (Sennrich et
al. 2016), which merges the most frequent neighbours. A piece's number in the vocabulary is its
*id*. `▁` marks a piece that begins a word:

    "The cat sat"  →  ▁the ▁cat ▁sa t </s>  →  [12, 87, 45, 9, 3]

Four ids are special, and only this module defines them: padding fills up a batch's short rows,
unknown replaces characters that the corpus doesn't have, `<s>` begins a translation and `</s>` ends
every sentence.

Text is normalized in Python, not by SentencePiece: `clean` for both sides, and also `fold` for the
source, so `I LOVE YOU` and `Ｉ ｌｏｖｅ ｙｏｕ` are the same sentence.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterable, Sequence

import sentencepiece

from translator.errors import TranslatorError
from translator.text.normalization import as_typed, clean, fold, visible
from translator.text.sentencepiece_model import charsmaps
from translator.translation import END, WORD_START

PAD_ID, UNKNOWN_ID, START_ID, END_ID = range(4)
NEVER_PRODUCED = (PAD_ID, UNKNOWN_ID, START_ID)

LONGEST_PIECE = 64  # characters; SentencePiece makes none over 16
SAMPLE = 200_000  # sentences for SentencePiece: more take memory and hardly change the pieces


class Tokenizer:
    """One language: a SentencePiece model, and how its text is normalized.

    `model` is the model file's bytes. `folds` says whether case and width are ignored (the source)
    or kept (the target). Raises `TranslatorError` if `model` isn't a SentencePiece model with this
    program's special pieces.
    """

    def __init__(self, model: bytes, *, folds: bool) -> None:
        self.model = model
        self.folds = folds
        try:
            if any(charsmaps(model)):
                raise ValueError("a tokenizer must not normalize: `clean` and `fold` do that")
            processor = sentencepiece.SentencePieceProcessor(model_proto=model)
            # subtle: SentencePiece accepts a piece that isn't UTF-8 and fails only when it is read
            pieces: list[str] = processor.id_to_piece(list(range(len(processor))))
        except (RuntimeError, TypeError, ValueError, IndexError) as error:
            raise TranslatorError(
                "a tokenizer in this checkpoint is damaged",
                hint="train again, or copy the file again",
            ) from error
        special = processor.pad_id(), processor.unk_id(), processor.bos_id(), processor.eos_id()
        if special != (PAD_ID, UNKNOWN_ID, START_ID, END_ID) or pieces[END_ID] != END:
            raise TranslatorError(
                "the tokenizer's special pieces aren't this program's",
                hint="give a checkpoint that attn-translate made",
            )
        self._lengths = list(map(len, pieces))
        if max(self._lengths) > LONGEST_PIECE:
            raise TranslatorError(
                f"a tokenizer has a piece of {max(self._lengths):,} characters",
                hint="give a checkpoint that attn-translate made",
            )
        self._processor = processor
        # An untrusted model may contain control characters, which must not reach a terminal.
        self._shown = [
            piece if piece.isprintable() else "".join(map(visible, piece)) for piece in pieces
        ]

    @classmethod
    def train(
        cls, lines: Sequence[str], vocabulary_size: int, *, folds: bool, verbose: bool = False
    ) -> Tokenizer:
        """Learn the pieces from these lines.

        There are at most `vocabulary_size` pieces (fewer in a small corpus), but at least one for
        each distinct character.
        """
        normalise = fold if folds else clean
        step = max(1, len(lines) // SAMPLE)
        sample = [text for text in map(normalise, lines[::step]) if text]
        characters = set("".join(sample).replace(" ", "")) | {WORD_START}
        writer = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sample),
            model_writer=writer,
            model_type="bpe",  # keeps frequent words whole; unigram separates `▁` from `나는`
            vocab_size=max(vocabulary_size, len(characters) + 4),
            hard_vocab_limit=False,
            character_coverage=1.0,
            normalization_rule_name="identity",
            num_threads=1,  # the thread count changes the model
            pad_id=PAD_ID,
            unk_id=UNKNOWN_ID,
            bos_id=START_ID,
            eos_id=END_ID,
            max_sentence_length=1_000_000,
            minloglevel=0 if verbose else 2,
        )
        return cls(writer.getvalue(), folds=folds)

    def __len__(self) -> int:
        return len(self._processor)

    def normalise(self, text: str) -> str:
        """Normalize a text as the model reads it."""
        return fold(text) if self.folds else clean(text)

    def encode(self, text: str) -> list[int]:
        """Give the ids of a text, with `</s>` at the end."""
        ids: list[int] = self._processor.encode(self.normalise(text))
        return [*ids, END_ID]

    def encode_lines(self, lines: Iterable[str]) -> list[list[int]]:
        """Give the ids of many texts, each with `</s>` at the end."""
        texts = [self.normalise(text) for text in lines]
        encoded: list[list[int]] = self._processor.encode(texts, add_eos=True)
        return encoded

    def decode(self, ids: Iterable[int]) -> str:
        """Give the text of these ids, without special pieces."""
        return clean(self._processor.decode([int(number) for number in ids if number > END_ID]))

    def piece(self, number: int) -> str:
        """Give the piece with this id."""
        return self._shown[number]

    def piece_ids(self, pieces: Iterable[str]) -> list[int]:
        """Give the ids of pieces; a piece that isn't in the vocabulary is unknown."""
        return [int(self._processor.piece_to_id(piece)) for piece in pieces]

    def pieces(self, text: str, ids: Sequence[int] = (UNKNOWN_ID,)) -> tuple[str, ...]:
        """Give the pieces of a text as a reader should see them, with `</s>` at the end.

        A word whose length doesn't change in folding is shown as typed, and so are unknown
        characters. Pass the text's `ids`, if you have them, to save time.
        """
        normalised = self.normalise(text)
        if UNKNOWN_ID in ids:
            # subtle: an unknown piece's length isn't that of its name, so cut the text again
            lengths = [len(piece) for piece in self._processor.encode(normalised, out_type=str)]
        else:
            lengths = [self._lengths[number] for number in ids[:-1]]
        shown = WORD_START + as_typed(clean(text), normalised).replace(" ", WORD_START)
        ends = itertools.accumulate(lengths, initial=0)
        return (*(shown[start:end] for start, end in itertools.pairwise(ends)), END)

    def unknown_characters(self, text: str) -> list[str]:
        """Give the words of a text that have a character unknown to the vocabulary."""
        return [word for word in clean(text).split() if UNKNOWN_ID in self.encode(word)]
