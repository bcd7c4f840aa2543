"""Derived values from typed figures, wounds, statuses and augmentations.

The soldier has Strength 6, Agility 9, Instinct 4, Fortitude 5, Intelligence 3, Willpower 2, Defense
18 (Agility 4 of it), Resolve 16, Toughness 14, DR 6, Threshold 10, Accuracy 7, and three marines.
"""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("agility", "speed", "shift"),
    [(0, 4, 1), (1, 4, 1), (4, 6, 1), (5, 6, 2), (9, 8, 2), (10, 9, 3), (15, 11, 4)],
)
def test_movement_rounds_halves_and_fifths_down(soldier, agility, speed, shift):
    # 4 + ½ Agility and 1 + ⅕ Agility.
    others = {"strength": 1, "instinct": 1, "fortitude": 1, "intelligence": 1, "willpower": 1}
    values = soldier({"attributes": {"agility": agility, **others}}).character.state.values()
    assert (values.total("speed"), values.total("shift")) == (speed, shift)
