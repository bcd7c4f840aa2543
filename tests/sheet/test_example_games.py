"""The games in examples/: without remarks, small, legal at every level, and well printed."""

from __future__ import annotations

from functools import partial
from itertools import cycle, product
from pathlib import Path

import pytest

from charforge.packs import install
from charforge.packs.check import check_pack
from charforge.sheet.build import build
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.print_options import Layout, PrintOptions
from tests.samples import LONG, few
from tests.sheet.conftest import made
from tests.sheet.print_check import check
from tests.sheet.printed import record

FOLDER = Path(__file__).resolve().parents[2] / "examples"
GAMES = sorted(path.parent.name for path in FOLDER.glob("*/ruleset.yaml"))
MOST_LINES = 500  # of YAML in a game, with its samples


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_small_and_has_no_errors_or_warnings(game: str) -> None:
    checked = check_pack(FOLDER / game)
    assert (checked.errors, checked.warnings) == ((), ())
    pages = [path for path in (FOLDER / game).rglob("*.yaml") if path.parent.name != "lang"]
    texts = [path.read_text("utf-8") for path in pages]
    assert sum(len(text.splitlines()) for text in texts) < MOST_LINES


@pytest.mark.parametrize("seed", few(["one", "two", "three"], 1))
@pytest.mark.parametrize("game", GAMES)
def test_a_random_character_is_legal_at_the_highest_level(game: str, seed: str) -> None:
    ruleset = install.load_checked(FOLDER / game).ruleset
    character = made(ruleset, seed, ruleset.head.advancement.maximum)
    assert (character.problems, character.open) == ((), ())


OTHER_LAYOUTS: tuple[Layout, ...] = ("short", "cards", "reference")
# Each game in full and, in turns, in one of the other layouts; with --long in all of them.
PRINTS = [
    *((game, "full") for game in GAMES),
    *(product(GAMES, OTHER_LAYOUTS) if LONG else zip(GAMES, cycle(OTHER_LAYOUTS))),
]


@pytest.mark.parametrize(("game", "layout"), few([pytest.param(*one) for one in PRINTS], 0))
def test_its_sheet_is_printed_without_faults(game: str, layout: Layout) -> None:
    ruleset = install.load_checked(FOLDER / game).ruleset
    view, options = (
        build(made(ruleset, game, ruleset.head.advancement.maximum)),
        PrintOptions(layout),
    )
    assert check(record(partial(sheet_pdf, view, options)), view, options) == []


def test_moves_that_everyone_has_stand_before_the_own_ones_if_they_are_cards() -> None:
    ruleset = install.load_checked(FOLDER / "night-post").ruleset
    view = build(made(ruleset, "one"))
    basic = [entity.name for entity in ruleset.of_kind("basic")]
    own = [held.entity.name for held in made(ruleset, "one").state.holdings]
    names = [card.name for card in view.cards]
    assert [*dict.fromkeys(name for name in names if name in basic)] == basic
    assert view.actions == ()
    assert not {*basic} & {*own}
