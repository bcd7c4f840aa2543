"""Texts of a pack become spans; texts of players never become markup."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from charforge.expressions.template import (
    Block,
    Span,
    mark_figure,
    mark_quote,
    parse_markup,
    plain_text,
    player_text,
    strip_markup,
    typeset,
)


def test_bold_and_italic_may_lie_in_each_other() -> None:
    (block,) = parse_markup("A **bold *both* word** and *one*.")
    assert block.spans == (
        Span("A "),
        Span("bold ", bold=True),
        Span("both", bold=True, italic=True),
        Span(" word", bold=True),
        Span(" and "),
        Span("one", italic=True),
        Span("."),
    )


def test_lines_that_begin_with_a_dash_are_items() -> None:
    blocks = parse_markup("Choose:\n- one\n- two\n\nThen go.")
    assert [(str(block), block.listed) for block in blocks] == [
        ("Choose:", False),
        ("- one", True),
        ("- two", True),
        ("Then go.", False),
    ]


@pytest.mark.parametrize("text", ["2 * 3", "**", "a ** b", "*", "a* b** c"])
def test_a_mark_without_a_partner_is_printed(text: str) -> None:
    assert plain_text(parse_markup(text)) == text


def test_what_a_player_wrote_is_plain_in_a_text_and_its_stars_are_stars() -> None:
    first, second = parse_markup(f"**Hit:** {mark_quote('**x**' + chr(10) + '- y')}.")
    assert first.spans == (Span("Hit:", bold=True), Span(" "), Span("**x**"))
    assert second == Block((Span("- y"), Span(".")))


def test_a_figure_is_bold_and_its_stars_are_stars() -> None:
    (block,) = parse_markup(f"Your *{mark_figure('**x** *y*')}* is higher.")
    assert Span("**x** *y*", bold=True, italic=True) in block.spans


def test_own_words_are_paragraphs_without_markup() -> None:
    assert player_text("*I* am\n\n- **not**") == (
        Block((Span("*I* am"),)),
        Block((Span("- **not**"),)),
    )


@given(st.text(alphabet="a*- \n\x02\x03".replace("\x02", "").replace("\x03", ""), max_size=40))
def test_no_letter_is_ever_lost(text: str) -> None:
    assert plain_text(parse_markup(text)).count("a") == text.count("a")


@pytest.mark.parametrize(
    ("text", "set_"),
    [
        ("You have -4 to AGI", "You have −4 to AGI"),
        ("within 8 m of it", "within 8\xa0m of it"),
        ("1d6 + 2", "1d6\xa0+\xa02"),
        ("DC 15 / 20 / 25: +1 / -2", "DC 15\xa0/\xa020\xa0/\xa025: +1\xa0/\xa0−2"),
        ("5 men / 6 mules", "5 men / 6 mules"),
        ("well-known 2-man tent, 4 to 16", "well-known 2-man tent, 4 to 16"),
        ("no 2 men", "no 2 men"),
    ],
)
def test_numbers_are_typeset(text: str, set_: str) -> None:
    assert typeset(text) == set_


def test_unmarked_drops_the_marks_alone() -> None:
    assert strip_markup("Units with **the** *Rally* effect") == "Units with the Rally effect"
