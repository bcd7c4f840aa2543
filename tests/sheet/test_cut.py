"""Texts are cut after sentences, and what was cut can be put together again."""

from __future__ import annotations

from functools import reduce

from hypothesis import given, strategies as st

from charforge.expressions.markup import Block, Span
from charforge.sheet.cut import LONGEST, cut, joined, pieces, sentences, text_of

WORDS = st.lists(st.text("abc.", min_size=1, max_size=9), min_size=1, max_size=80)


def block(*texts: str) -> Block:
    return Block(tuple(Span(text, bold=number % 2 == 1) for number, text in enumerate(texts)))


def test_a_paragraph_comes_in_sentences() -> None:
    told = [text_of(one) for one in pieces(block("It is late. The ", "third", " moon sets! Go."))]
    assert told == ["It is late.", "The third moon sets!", "Go."]


def test_what_is_bold_stays_bold() -> None:
    [_first, second] = pieces(block("One. Two ", "three", "."))
    assert [(span.text, span.bold) for span in second.spans] == [
        ("Two ", False), ("three", True), (".", False),
    ]  # fmt: skip


def test_a_text_without_sentences_is_cut_after_words() -> None:
    told = [text_of(one) for one in pieces(block("word " * 199 + "word"))]
    assert len(told) > 1
    assert all(len(text) <= LONGEST + len("word") for text in told)
    assert " ".join(told) == "word " * 199 + "word"


def test_whole_sentences_or_none() -> None:
    told = block("The sun sets; it is late. The ", "third", " moon rises.")
    for room, wanted in ((80, 2), (40, 1), (20, 0)):
        before, after = sentences(told, lambda text, room=room: len(text) <= room)
        parts = [text_of(before), text_of(after)]
        assert " ".join(filter(None, parts)) == text_of(told)
        assert parts[0].count(".") == wanted
        assert parts[0] == "" or parts[0].endswith(".")


@given(WORDS, st.integers(0, 80))
def test_pieces_make_the_whole(words: list[str], bold: int) -> None:
    texts = (" ".join(words[:bold]), " " * (0 < bold < len(words)) + " ".join(words[bold:]))
    whole = block(*texts)
    again = reduce(joined, pieces(whole))
    assert text_of(again) == text_of(whole)
    before, after = cut(whole, lambda text: len(text) < 30)
    parts = (text_of(before), text_of(after))
    assert " ".join(filter(None, parts)) == text_of(whole)
