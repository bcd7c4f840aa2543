"""Where the steps of a value come from, in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from charforge.rules.loading.loader import load_folder
from charforge.sheet.values import audit
from tests.sheet.conftest import made


def test_a_formula_without_a_place_in_the_book_is_of_the_game(edited: Callable[..., Path]) -> None:
    folder = edited(("ruleset.yaml", "    source: rule/keeping\n    values", "    values"))
    game = load_folder(folder)
    (keeper, *_others) = audit(made(game))
    sources = {line.source for value in keeper.values for line in value.lines}
    assert game.head.name in sources
    assert game.id not in sources
