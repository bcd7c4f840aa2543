"""Damage taken: wounds by location, shock, special damage, and what later phases bring.

Armour is 6, BODY 7.
"""

from __future__ import annotations

import pytest

from tests.phase_2d10.conftest import texts


def hurt(table, location, *, ar=10, er=10, die=20):
    """Take a hit of a known location; ER 10 leaves 4 damage after the armour."""
    faces = {"die": [[die]]} if er > 6 else {}
    return table("damage", faces, amount=er, ar=ar, location=location)


@pytest.mark.parametrize(
    ("location", "right", "left"),
    [
        (3, "eye_right", "eye_left"), (4, "neck", "neck"), (5, "head", "head"),
        (6, "hand_right", "hand_left"), (7, "arm_right", "arm_left"), (8, "chest", "chest"),
        (9, "chest", "chest"), (10, "chest", "chest"), (11, "vitals", "vitals"),
        (12, "abdomen", "abdomen"), (13, "abdomen", "abdomen"), (14, "leg_right", "leg_left"),
        (15, "leg_right", "leg_left"), (16, "leg_right", "leg_left"),
        (17, "knee_right", "knee_left"), (18, "foot_right", "foot_left"),
    ],
)  # fmt: skip
def test_even_is_right_odd_is_left_and_each_hit_one_wound(table, location, right, left):
    for ar, place in ((10, right), (11, left)):
        before = table[place]
        done = hurt(table, location, ar=ar)
        assert table[place] == before + 1
        assert any(text.endswith("left side" if ar % 2 else "right side") for text in texts(done))
    assert sum(table[name] for name in table.state.ruleset.group("wounds")) == 2
