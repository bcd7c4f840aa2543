"""Translated packs: words that are 40 % longer break no layout of any game."""

from __future__ import annotations

import shutil

import pytest

from charforge.rules.loader import built_in, load_folder
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.print_options import Layout, Look
from tests.sheet.conftest import made, printed
from tests.sheet.print_check import check
from tests.sheet.printed import record
from tests.translations import write_pseudo

pytestmark = pytest.mark.slow
LAYOUTS: tuple[Layout, ...] = ("full", "short", "cards", "reference")


@pytest.fixture(scope="module", params=sorted(built_in()))
def translated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    """A game with every text in longer words."""
    folder = tmp_path_factory.mktemp("games") / request.param
    shutil.copytree(built_in()[request.param], folder)
    write_pseudo(folder)
    return load_folder(folder, language="de")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_longer_words_break_no_layout(translated: Ruleset, layout: Layout) -> None:
    view = build(made(translated, seed="cards", level=translated.head.advancement.maximum))
    assert view.cards  # otherwise a page of them would be empty
    look = Look(layout)
    document = record(lambda: printed(render_html(view, look)))
    assert check(document, view, look) == []
