"""The theme of a game's sheets: readable colours and known words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from charforge.rules.loading.loader import built_in, load_folder
from charforge.rules.models import Accent, ThemeSpec
from charforge.rules.models.sheet import DARK, LEAST_CONTRAST, PAPER, contrast
from tests.samples import law

colours = st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#ffffff", "#ffffff", 1.0),
        ("#767676", "#ffffff", 4.54),  # the lightest grey that WCAG allows on white
        ("#777777", "#ffffff", 4.48),
        ("#b4281e", "#ffffff", 6.44),
    ],
)
def test_contrast_is_that_of_wcag(one: str, other: str, expected: float) -> None:
    assert contrast(one, other) == pytest.approx(expected, abs=0.005)


@law()
@given(colours, colours)
def test_contrast_is_the_same_both_ways(one: str, other: str) -> None:
    assert contrast(one, other) == contrast(other, one)
    assert 1 <= contrast(one, other) <= 21.0001


@law()
@given(colours)
def test_a_colour_is_accepted_exactly_if_it_can_be_read_on_white(colour: str) -> None:
    if contrast(colour, PAPER) >= LEAST_CONTRAST:
        assert Accent.model_validate({"colour": colour}).colour == colour
    else:
        with pytest.raises(ValidationError, match="is hard to read on white paper"):
            Accent.model_validate({"colour": colour})


@pytest.mark.parametrize(
    ("theme", "message"),
    [
        ({"accent": {"colour": "#777777"}}, r"its contrast is 4\.48, and must be at least 4\.5"),
        ({"accent": {"on_dark": "#444444"}}, "is hard to read on dark screens"),
        ({"accent": {"colour": None}}, 'a colour in quotes, such as "#b4281e"'),
        ({"accent": {"colour": "red"}}, "String should match pattern"),
        ({"accent": {"colour": "#b4281e;}"}}, "String should match pattern"),
        ({"accent": {"mark": "hammer"}}, "'triangle', 'cross', 'shield' or 'diamond'"),
        ({"header": "marquee"}, "'plate', 'band' or 'rule'"),
        ({"ornament": "skulls"}, "'none', 'chevrons', 'dots', 'hatching' or 'diamonds'"),
    ],
)
def test_a_theme_that_cannot_be_printed_is_refused(theme: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ThemeSpec.model_validate(theme)


def test_the_default_accent_can_be_read() -> None:
    accent = ThemeSpec().accent
    assert contrast(accent.colour, PAPER) >= LEAST_CONTRAST
    assert contrast(accent.on_dark, DARK) >= LEAST_CONTRAST


def test_no_two_games_look_alike() -> None:
    themes = [load_folder(folder).head.theme for folder in built_in().values()]
    assert len({(theme.accent.colour, theme.header, theme.ornament) for theme in themes}) == len(
        themes
    )
    assert len({theme.accent.colour for theme in themes}) == len(themes)
