"""Derived values: AVs, DVs, surprise scores, armour, wounds and their effects."""

from __future__ import annotations

import pytest

from charforge.character.holdings import local_numbers
from charforge.rules.loading.loader import load
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.print_options import PrintOptions
from tests.phase_2d10.conftest import Table, layers
from tests.sheet.conftest import made

# The penalty of 1 wound in each place, as the tables print it.
PENALTIES = {
    "eye_right": 1, "eye_left": 1, "neck": 2, "head": 1, "hand_right": 1, "hand_left": 1,
    "arm_right": 1, "arm_left": 1, "chest": 2, "vitals": 2, "abdomen": 2, "leg_right": 1,
    "leg_left": 1, "knee_right": 1, "knee_left": 1, "foot_right": 1, "foot_left": 1,
    "wounds_explosion": 2, "wounds_sonic": 2, "wounds_fire": 1, "wounds_cold": 1,
}  # fmt: skip


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


@pytest.mark.parametrize(
    ("worn", "total"),
    [
        ((), 0),
        ((5,), 5),
        ((5, 3), 6),  # 5 + floor(3 / 2)
        ((3, 5), 6),  # the order of the layers does not matter
        ((4, 4), 6),  # 4 + 2
        ((2, 7, 5), 9),  # 7 + floor(5 / 2); the third counts nothing
        ((1, 2, 3, 9), 10),  # 9 + floor(3 / 2)
        ((9, 8, 1, 1), 13),  # 9 + 4
    ],
)
def test_armour_is_the_highest_layer_and_half_the_next(cy, worn, total):
    answers = dict.fromkeys(layers(5, 3))
    assert Table(cy({**answers, **layers(*worn)}).character.state)["armour"] == total


def test_every_wound_is_a_resource_of_the_table_above(phase):
    assert set(phase.group("wounds")) == PENALTIES.keys()


# ------------------------------------------------------------------ counters


def test_the_notes_of_counters_without_boxes_are_printed() -> None:
    page = render_html(build(made(load("phase-2d10"))), PrintOptions())
    assert '<p class="note"><b>Behind:</b> Counts as one more layer of armour.</p>' in page
