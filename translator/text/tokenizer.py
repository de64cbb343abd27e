"""Text ↔ ids ↔ pieces, over SentencePiece.

A neural network reads numbers. SentencePiece cuts a sentence into *pieces*, words or parts of words from a fixed vocabulary that it finds
in the corpus (by byte-pair encoding, Sennrich et al. 2016: the most frequent neighbours grow together), and a piece's number in that
vocabulary is its *id*. `▁` marks a piece that begins a word:

    "The cat sat"  →  ▁the ▁cat ▁sa t </s>  →  [12, 87, 45, 9, 3]

Four ids are special, and no other module knows them: padding fills a batch's short rows, unknown stands for characters that the
corpus doesn't hold, `<s>` begins a translation and `</s>` ends every sentence.

What counts as the same text is decided here, in Python, and SentencePiece gets the rule `identity`: `clean` for both sides, and `fold`
on top for the source, so that `I LOVE YOU` and `Ｉ ｌｏｖｅ ｙｏｕ` are one sentence.
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
SAMPLE = 200_000  # sentences that SentencePiece learns from: more take memory and change nothing that counts


class Tokenizer:
    """One language's side: a SentencePiece model and how its text is normalised.

    `model` is the model as bytes, `folds` says whether case and width count as the same (the source) or are kept (the target).
    Raises `TranslatorError` if `model` is no SentencePiece model with this program's special pieces.
    """

    def __init__(self, model: bytes, *, folds: bool) -> None:
        self.model = model
        self.folds = folds
        try:
            if any(charsmaps(model)):
                raise ValueError(
                    "a tokenizer normalises, which `clean` and `fold` have done already"
                )
            self._pieces = sentencepiece.SentencePieceProcessor(model_proto=model)
            special = [
                self._pieces.pad_id(),
                self._pieces.unk_id(),
                self._pieces.bos_id(),
                self._pieces.eos_id(),
            ]
            # SentencePiece takes a piece that isn't UTF-8, and fails when it is shown: read them all once.
            pieces: list[str] = self._pieces.id_to_piece(list(range(len(self._pieces))))
        except (RuntimeError, TypeError, ValueError, IndexError) as error:
            raise TranslatorError(
                "a tokenizer in this checkpoint is damaged",
                hint="train again, or copy the file again",
            ) from error
        if special != [PAD_ID, UNKNOWN_ID, START_ID, END_ID] or pieces[END_ID] != END:
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
        # A stranger's model may hold anything: nothing that moves a terminal's cursor gets out.
        self._shown = [
            piece if piece.isprintable() else "".join(map(visible, piece)) for piece in pieces
        ]

    @classmethod
    def train(
        cls, lines: Sequence[str], vocabulary_size: int, *, folds: bool, verbose: bool = False
    ) -> Tokenizer:
        """Find the pieces of these lines.

        `vocabulary_size` is a ceiling: a small corpus supports fewer pieces, and one piece for each distinct character is the floor.
        """
        normalise = fold if folds else clean
        step = max(1, len(lines) // SAMPLE)
        sample = [text for text in map(normalise, lines[::step]) if text]
        characters = set("".join(sample).replace(" ", "")) | {WORD_START}
        writer = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sample),
            model_writer=writer,
            model_type="bpe",  # keeps frequent words whole, which reads well in a heatmap; unigram cuts `나는` off its `▁`
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
        return len(self._pieces)

    def normalise(self, text: str) -> str:
        """The text as the model reads it."""
        return fold(text) if self.folds else clean(text)

    def encode(self, text: str) -> list[int]:
        """The ids of a text, with `</s>` at the end."""
        ids: list[int] = self._pieces.encode(self.normalise(text))
        return [*ids, END_ID]

    def encode_lines(self, lines: Iterable[str]) -> list[list[int]]:
        """The ids of many texts, each with `</s>` at the end."""
        encoded: list[list[int]] = self._pieces.encode(
            [self.normalise(text) for text in lines], add_eos=True
        )
        return encoded

    def decode(self, ids: Iterable[int]) -> str:
        """The text of these ids, without special pieces."""
        return clean(self._pieces.decode([int(number) for number in ids if number > END_ID]))

    def piece(self, number: int) -> str:
        """The piece with this id."""
        return self._shown[number]

    def piece_ids(self, pieces: Iterable[str]) -> list[int]:
        """The ids of pieces, those that the vocabulary doesn't have as unknown."""
        return [int(self._pieces.piece_to_id(piece)) for piece in pieces]

    def pieces(self, text: str, ids: Sequence[int] = (UNKNOWN_ID,)) -> tuple[str, ...]:
        """The pieces of a text as a reader should see them, `</s>` at the end; `ids`, what `encode` made of it, save some time.

        Letters stand as they were typed wherever a word keeps its length in folding, and unknown characters as themselves.
        """
        normalised = self.normalise(text)
        # subtle: an unknown piece's length isn't that of its name, so the text must be cut again
        lengths = (
            map(len, self._pieces.encode(normalised, out_type=str))
            if UNKNOWN_ID in ids
            else [self._lengths[number] for number in ids[:-1]]
        )
        shown = WORD_START + as_typed(clean(text), normalised).replace(" ", WORD_START)
        ends = itertools.accumulate(lengths, initial=0)
        return (*(shown[start:end] for start, end in itertools.pairwise(ends)), END)

    def unknown_characters(self, text: str) -> list[str]:
        """The words of a text that hold a character which the corpus doesn't."""
        return [word for word in clean(text).split() if UNKNOWN_ID in self.encode(word)]
