"""Sheets with far more text than any game has: a sentence, instead of minutes of layout."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from charforge.errors import UsageError
from charforge.expressions.markup import Block, Span, parse_markup
from charforge.sheet.build import build
from charforge.sheet.cut import cut, ended, sentences
from charforge.sheet.html import render_html
from charforge.sheet.print_options import Look
from charforge.sheet.view import SheetView

LAYOUTS = ("full", "cards")
LONG = {
    "word": ("x" * 2_501, "2,500 letters in one word"),
    "lines": ("\n".join(["a"] * 4_000), "4,000 texts"),
    "items": ("\n".join(["- a"] * 4_000), "4,000 texts"),
    "text": ("word " * 50_001, "250,000 letters"),
}


@pytest.fixture
def view(make) -> SheetView:
    """A sheet with at least one card."""
    found = build(make())
    assert found.cards
    return found


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", LONG)
def test_a_text_that_is_far_too_long_is_refused(view: SheetView, kind: str, layout: str) -> None:
    text, told = LONG[kind]
    card = view.cards[0]._replace(text=parse_markup(text))
    long = view._replace(cards=(card, *view.cards[1:]))
    with pytest.raises(UsageError) as caught:
        render_html(long, Look(layout=layout))
    assert caught.value.reason == f"the sheet of {view.name} has more than {told}"


@pytest.mark.parametrize("shorten", [ended, cut, sentences])
def test_where_a_text_ends_is_found_in_a_few_steps(shorten: Callable[..., object]) -> None:
    """Each step measures the text until there: one for each word would take minutes."""
    measured: list[int] = []

    def fits(text: str) -> bool:
        measured.append(len(text))
        return len(text) <= 200

    shorten(Block((Span("Some words. And more of them. " * 2_000),)), fits)
    assert len(measured) <= 20
