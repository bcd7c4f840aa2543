"""Attacks on others: AR, levels, ER, armour, location and side. Rail rifle: REF 8 + 5, EV 9."""

from __future__ import annotations

import pytest

from charforge.errors import RuleRefusal
from charforge.procedures.inputs import read_input
from tests.phase_2d10.conftest import texts


@pytest.mark.parametrize(
    ("called", "penalty", "place"),
    [
        (3, 6, "Eye"), (4, 6, "Neck"), (5, 4, "Head"), (6, 4, "Hand"), (7, 3, "Arm"),
        (8, 2, "Chest"), (10, 2, "Chest"), (11, 4, "Vitals"), (12, 3, "Abdomen"),
        (13, 3, "Abdomen"), (14, 3, "Leg"), (16, 3, "Leg"), (17, 4, "Knee"), (18, 4, "Foot"),
    ],
)  # fmt: skip
def test_called_shots_take_the_penalty_of_the_location(table, called, penalty, place):
    # 13 + 5 + 5 less the penalty; no location is rolled, and the side is that of the lowered AR.
    done = table.use("Rail rifle", {"own": [(5, 5)]}, vs=10, called=called)
    ar = 23 - penalty
    assert done.outputs["ar"] == ar
    assert f"{place}, {'left' if ar % 2 else 'right'} side" in texts(done)


def test_a_location_is_typed_by_the_name_that_is_printed(table):
    rules = table.state.ruleset
    for procedure, name in (("damage", "location"), ("attack", "called"), ("struck", "location")):
        asked = rules.procedure(procedure).input(name)
        assert [read_input(rules, asked, word) for word in ("head", "Vitals", "11")] == [5, 11, 11]


def test_special_damage_has_its_own_row_in_place_of_a_location(table):
    # Flamer: REF 8 + 2 + 2 = 12 against 12; EV 7 - 3 = 4.
    done = table.use("Flamer", {"own": [(1, 1)]}, vs=12, rv=3)
    assert done.outputs["dealt"] == 4
    told = "Special damage: Shock check 18; wound −1, on fire (Shock DV 14 or wounded again)."
    assert told in texts(done)
    with pytest.raises(RuleRefusal, match="cannot be a called shot"):
        table.use("Flamer", vs=12, called=5)
