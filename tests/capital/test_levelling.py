"""Explanations of level-ups. Figures are samples (catalog/capital/tests)."""

from __future__ import annotations

from charforge.replay.replay import leave_open
from charforge.usecases.level_up import level_up_character

# The eight scores of the usual dice: four 6s, three 5s, one 4.
FRAIL = {"str": 6, "ftd": 4, "agi": 6, "vsn": 6, "wis": 6, "wil": 5, "cha": 5, "knw": 5}


# ------------------------------------------------------------------ HP by Role


def test_a_minimum_that_changes_nothing_is_not_named(make):
    assert "minimum" not in make("the-tank", 2, {"level.2.hp": [6, 3]}).notes("max_hp")[1]


# ------------------------------------------------------------------ Energy, Bones


def test_bones_are_never_fewer_than_5(make):
    """FTD 4 - 1 = 3, minimum 5: the step that lifts them is shown."""
    lancer = make("the-lancer", 1, {"attributes.assign": FRAIL, "role.minus": "ftd"})
    assert (lancer["ftd"], lancer["max_bones"]) == (3, 5)
    assert lancer.state.values().explain("max_bones").steps[-1].op == "at_least"


# ------------------------------------------------------------------ Level by level


def test_level_up_after_creation_is_creation_at_that_level(make):
    """A Scout of Level 3 made at once, and one made at 1 and levelled up twice, are the same."""
    answers = {
        "level.2.hp": [6],
        "level.2.systems": ["system/focus-ii", "system/tactical-focus"],
        "level.3.hp": [2],
    }
    scout = make("the-scout")
    second = {name: answer for name, answer in answers.items() if name.startswith("level.2")}
    third = {name: answer for name, answer in answers.items() if name.startswith("level.3")}
    opened = level_up_character(scout.opened, 2, second, leave_open)
    opened = level_up_character(opened, 3, third, leave_open)
    assert opened.document == make("the-scout", 3, answers).opened.document
    # 6 + 10; 6 + 8 = 14; 2 + 8 = 10, minimum 12: 42 in all.
    assert opened.character.state.values().total("max_hp") == 42
