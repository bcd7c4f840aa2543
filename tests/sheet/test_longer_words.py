"""Translated packs: words that are 40 % longer break no layout of any game."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from charforge.language import set_language
from charforge.rules.loading.loader import built_in, load, load_folder
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.print_options import Layout, PrintOptions
from tests.sheet.conftest import made
from tests.sheet.print_check import check
from tests.sheet.printed import record
from tests.translations import write_pseudo

pytestmark = pytest.mark.slow
# Each game in the full layout, and each other layout in one of them.
PRINTS: list[tuple[str, Layout]] = [
    *((game, "full") for game in sorted(built_in())),
    ("capital", "cards"), ("phase-2d10", "reference"), ("squad-d20", "short"),
]  # fmt: skip


def in_longer_words(game: str, folder: Path) -> Ruleset:
    """Return a game with every text in longer words."""
    shutil.copytree(built_in()[game], folder)
    write_pseudo(folder)
    return load_folder(folder, language="de")


@pytest.mark.parametrize("game", sorted(built_in()))
def test_longer_words_break_no_layout(game: str, tmp_path: Path) -> None:
    """With the words of the program in German."""
    set_language("de")
    translated = in_longer_words(game, tmp_path / game)
    view = build(made(translated, seed="cards", level=translated.head.advancement.maximum))
    assert view.cards  # otherwise a page of them would be empty
    for options in [PrintOptions(layout) for name, layout in PRINTS if name == game]:
        document = record(lambda options=options: sheet_pdf(view, options))  # type: ignore[misc]
        assert check(document, view, options) == [], options.layout


@pytest.mark.parametrize("layout", ["full", "short"])
def test_the_number_now_is_beside_the_label_of_its_box_on_half_paper(layout: Layout) -> None:
    """Where vitals and attributes share a row, it was on the German label."""
    view = build(made(load("shields-biotics"), "m"))
    view = view._replace(vitals=tuple(one._replace(known=True) for one in view.vitals))
    set_language("de")
    options = PrintOptions(layout, "a5")
    printed = record(lambda: sheet_pdf(view, options))
    assert any(word.text == "JETZT" for word in printed.pages[0].words)
    assert [one for one in check(printed, view, options) if one.fault == "overlap"] == []
