"""Translated packs: words that are 40 % longer break no layout of any game."""

from __future__ import annotations

import shutil
from itertools import cycle
from pathlib import Path

import pytest

from charforge.language import set_language
from charforge.rules.loading.loader import built_in, load_folder
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.print_options import Layout, PrintOptions
from tests.sheet.conftest import made
from tests.sheet.print_check import check
from tests.sheet.printed import record
from tests.translations import write_pseudo

pytestmark = pytest.mark.slow
OTHER_LAYOUTS: tuple[Layout, ...] = ("cards", "short", "reference")


def in_longer_words(game: str, folder: Path) -> Ruleset:
    """Return a game with every text in longer words."""
    shutil.copytree(built_in()[game], folder)
    write_pseudo(folder)
    return load_folder(folder, language="de")


@pytest.mark.parametrize(("game", "other"), [*zip(sorted(built_in()), cycle(OTHER_LAYOUTS))])
def test_longer_words_break_no_layout(game: str, other: Layout, tmp_path: Path) -> None:
    """Each game in the full layout and in one other, with the words of the program in German."""
    set_language("de")
    translated = in_longer_words(game, tmp_path / game)
    view = build(made(translated, seed="cards", level=translated.head.advancement.maximum))
    assert view.cards  # otherwise a page of them would be empty
    layouts: tuple[Layout, ...] = ("full", other)
    for options in map(PrintOptions, layouts):
        document = record(lambda options=options: sheet_pdf(view, options))  # type: ignore[misc]
        assert check(document, view, options) == [], options.layout
