"""The short sheet: attacks come first, and what is cut is cut from what matters least."""

from __future__ import annotations

import pytest

from charforge.rules.loader import load
from charforge.sheet.build import build
from charforge.sheet.foot import Corner
from charforge.sheet.html import render_html
from charforge.sheet.pdf import render_pdf
from charforge.sheet.print_options import Look, Orientation, Paper, Style
from charforge.sheet.short import short_sheet
from charforge.sheet.view import SheetView
from tests.sheet.conftest import Make, made
from tests.sheet.print_check import check
from tests.sheet.printed import record
from tests.sheet.test_layouts import squeezed, told, words

LARGE: frozenset[Style] = frozenset({"large-print"})
LOOKS = [
    Look("short", "a4"),
    Look("short", "letter"),
    Look("short", "letter", "landscape"),
    Look("short", "letter", "portrait", LARGE),
    Look("short", "letter", "landscape", LARGE),
]
GAMES = ("narrative-dice", "phase-2d10", "squad-d20", "shields-biotics")


@pytest.fixture(scope="module", params=GAMES)
def view(request: pytest.FixtureRequest) -> SheetView:
    return build(made(load(request.param), "short"))


def soldier(weapon: str = "automatic") -> SheetView:
    return build(made(load("squad-d20"), "short", weapon=f"weapon/{weapon}"))


@pytest.mark.parametrize("look", LOOKS, ids=told)
def test_an_attack_is_shown_before_anything_gives_way(view: SheetView, look: Look) -> None:
    shown = short_sheet(view, look)
    own = view.attacks
    assert [line.bearer for line in shown.attacks[:1]] == [line.bearer for line in own[:1]]
    if shown.notes or any(corner.lines for row in shown.corners for corner in row):
        assert len(shown.attacks) >= len(own), "lines for notes, and none for an attack"


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_all_of_ones_own_attacks_stand_on_a_page_held_upright(paper: Paper) -> None:
    """Squad d20: a weapon with four modes beside tracks, wounds, counters and a squad."""
    view = soldier()
    shown = short_sheet(view, Look("short", paper))
    own = [(line.bearer, line.mode) for line in view.attacks]
    assert len({mode for _bearer, mode in own}) == 4
    assert [(line.bearer, line.mode) for line in shown.attacks[: len(own)]] == own
    assert shown.rows, "nor is a heading left without anything under it"
    text = squeezed(words(render_html(view, Look("short", paper))))
    assert all(squeezed(line.mode) in text for line in view.attacks)


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS, ids=told)
def test_a_short_sheet_of_any_game_has_no_fault(view: SheetView, look: Look) -> None:
    printed = record(lambda: render_pdf(render_html(view, look)))
    assert check(printed, view, look) == []


def test_a_magazine_has_few_boxes_on_it_and_all_on_the_full_sheet() -> None:
    view = soldier()
    [rounds] = view.attacks[0].capacities
    assert rounds.max == 30
    assert f"6 boxes for {rounds.label}, each worth 5" in render_html(view, Look("short"))
    assert f"30 boxes for {rounds.label}" in render_html(view)


@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_what_is_left_out_of_the_foot_is_named(make: Make, orientation: Orientation) -> None:
    """Room for notes is no part of the full sheet, and nobody is sent there for it."""
    captain = build(make(level=10, role="role/the-captain", asset="companion/land-beast"))
    beast = captain.units[0]
    look = Look("short", "letter", orientation, LARGE)
    told_of = captain._replace(units=(beast, beast._replace(name="Second"), beast, beast, beast))
    shown = short_sheet(told_of, look)
    corners: list[Corner] = [corner for row in shown.corners for corner in row]
    assert shown.left_out
    assert "Notes" not in shown.left_out
    assert len(corners) + len(shown.left_out) >= 7
    assert f"{'; '.join(shown.left_out)}: see full" in render_html(told_of, look)
    assert short_sheet(captain, look).left_out == ()


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["short", "full"])
@pytest.mark.parametrize("styles", [frozenset(), LARGE], ids=["normal", "large"])
def test_a_score_that_differs_for_now_stays_in_its_box(
    make: Make, layout: str, styles: frozenset[Style]
) -> None:
    view = build(make(level=3))
    lower = tuple(one._replace(base=one.total + 10) for one in view.attributes)
    assert {one.name for one in lower} >= {"Agility", "Knowledge"}
    for orientation in ("portrait", "landscape"):
        look = Look(layout, "letter", orientation, styles)  # type: ignore[arg-type]
        changed = view._replace(attributes=lower)
        found = check(record(lambda: render_pdf(render_html(changed, look))), changed, look)  # noqa: B023
        assert found == []
