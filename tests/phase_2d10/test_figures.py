"""AVs of things of one's own, and notes on the sheet. Other figures are samples."""

from __future__ import annotations

import pytest

from charforge.character.holdings import local_numbers
from charforge.rules.loading.loader import load
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.print_options import PrintOptions
from tests.sheet.conftest import made


@pytest.mark.parametrize(
    ("name", "hurt", "av"),
    [
        ("Medicine", 0, 8),  # INT 6 + 2
        ("Medicine", 1, 6),  # less 2 for the chest
        ("Rail rifle", 0, 13),  # REF 8 + 5
        ("Rail rifle", 1, 11),
        ("Dread", 0, 9),  # Power 6 + Focus 3
        ("Dread", 1, 7),
    ],
)
def test_things_of_ones_own_have_their_av(table, name, hurt, av):
    table.change("chest", hurt)
    held = next(one for one in table.state.holdings if one.name == name)
    assert local_numbers(table.state, held)["av"] == av


def test_every_wound_is_a_resource(phase):
    """The penalty of each is a sample (figures.yaml)."""
    sides = ("eye", "hand", "arm", "leg", "knee", "foot")
    places = {f"{place}_{side}" for place in sides for side in ("right", "left")}
    places |= {"neck", "head", "chest", "vitals", "abdomen"}
    special = {f"wounds_{sort}" for sort in ("explosion", "sonic", "fire", "cold")}
    assert set(phase.group("wounds")) == places | special


def test_the_notes_of_counters_without_boxes_are_printed() -> None:
    page = render_html(build(made(load("phase-2d10"))), PrintOptions())
    assert '<p class="note"><b>Behind:</b> Counts as one more layer of armour.</p>' in page
