"""Damage taken: wounds by location, shock, special damage, effects of later phases.

Armour is 6, BODY 7.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.character.files import reader
from charforge.character.files.document import to_text
from charforge.character.files.events import ConditionEvent, ProcedureEvent
from charforge.character.state import CHARACTER
from charforge.replay.loaded_character import load_document
from charforge.verbs.change import change_character, draft_event
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


def test_damage_that_was_saved_for_the_dead_replays(cy):
    """Nobody can hurt the dead now; a file with such a hit opens as it was."""
    opened = cy()
    dead = draft_event(ConditionEvent, condition="status/dead", unit=CHARACTER)
    hit = draft_event(
        ProcedureEvent, procedure="damage", unit=CHARACTER,
        inputs={"amount": 8, "rv": 0, "ar": 20, "location": 14}, faces={"die": [[20]]},
    )  # fmt: skip
    after = change_character(change_character(opened, dead), hit)
    read = reader.parse_document(to_text(after.document), Path("cy.json"))
    again = load_document(read, Path("cy.json"), opened.ruleset)
    assert not again.problems
    assert again.character.state.values(CHARACTER).total("leg_right") == 1
