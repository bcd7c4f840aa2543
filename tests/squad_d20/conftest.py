"""A soldier of Squad d20 in play, with three marines as in the fragment's example.

The figures that tests work with by hand stand in ANSWERS. The leader has a fully automatic cannon,
an axe and a battle rifle; two marines carry assault rifles, the third a battle rifle as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import pytest

from charforge.decisions.base import Answer
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests.tables import Table

NOTHING: Mapping[str, Any] = MappingProxyType({})


def weapon(at: str, title: str, *, squares: int = 0, magazine: int = 0, **figures: int) -> dict:
    """Return the answers that describe a weapon; what is left out is 0."""
    found: dict[str, Answer] = {f"{at}.own_name": title, f"{at}.own_traits": ""}
    found |= {f"{at}.{name}": 0 for name in ("acc", "dmg", "pen", "rend", "hail")}
    found |= {f"{at}.{name}": number for name, number in figures.items()}
    if squares:
        found |= {f"{at}.squares": squares, f"{at}.magazine": magazine}
    return found


def marine(at: str, title: str, **answers: Answer) -> dict:
    """Return the answers that describe a squad member: Fortitude 5, DR 4, threshold 8."""
    usual = {
        "own_name": title, "fort": 5, "str": 3, "inst": 2, "acc": 4, "resist": 4, "threshold": 8,
        "giant": "no", "shields": "no", "weapon": "weapon/automatic",
    }  # fmt: skip
    return {f"{at}.{name}": answer for name, answer in {**usual, **answers}.items()}


ANSWERS: Mapping[str, Answer] = {
    "attributes": {
        "strength": 6, "agility": 9, "instinct": 4, "fortitude": 5, "intelligence": 3,
        "willpower": 2,
    },
    "skills": {
        "acrobatics": 7, "athletics": 6, "influence": 8, "leadership": 9, "lore": 5, "pilot": 2,
        "stealth": 6, "tactics": 10,
    },
    "skills.further": ["skill/own"],
    "skills.further.own.own_name": "Medicine",
    "skills.further.own.skill_bonus": 4,
    "max_hp": 50,
    "defense": 18,
    "agility_bonus": 4,
    "resolve": 16,
    "toughness": 14,
    "dr": 6,
    "damage_threshold": 10,
    "healing_threshold": 5,
    "regeneration": 3,
    "initiative": 4,
    "morale_bonus": 3,
    "accuracy": 7,
    "weapon": "weapon/fully-automatic",
    **weapon("weapon", "Rotary cannon", acc=1, dmg=12, pen=3, rend=2, squares=30, magazine=100),
    "weapons": ["weapon/melee", "weapon/ranged"],
    **weapon("weapons.melee", "Axe", acc=2, dmg=8, pen=1),
    **weapon("weapons.ranged", "Battle rifle", dmg=11, pen=2, squares=40, magazine=20),
    "tactics": [
        "tactic/precision-aim", "tactic/defensive-stance", "tactic/fast-march",
        "tactic/long-shot", "tactic/hardiness",
    ],
    "leadership": [
        "leadership-option/coordinate", "leadership-option/strategic-interrupt",
        "leadership-option/defensive-formation", "leadership-option/efficiency",
    ],
    "lore": [
        "lore-option/predictable-attacks", "lore-option/weak-point",
        "lore-option/patterns-of-movement",
    ],
    "squad": [
        "squad-option/precision-strike", "squad-option/deadly-sweep",
        "squad-option/evasive-maneuvers", "squad-option/shake-it-off",
    ],
    "members": ["member/own", "member/own", "member/own"],
    **marine("members.own", "Ortega"),
    **weapon("members.own.weapon", "Assault rifle", dmg=9, pen=1, squares=24, magazine=30),
    **marine("members.own#2", "Haas", giant="yes"),
    **weapon("members.own#2.weapon", "Assault rifle", dmg=9, pen=1, squares=24, magazine=30),
    **marine("members.own#3", "Yun", giant="yes", shields="yes", weapon="weapon/ranged"),
    **weapon("members.own#3.weapon", "Battle rifle", dmg=11, pen=2, squares=40, magazine=20),
}  # fmt: skip
ORTEGA, HAAS, YUN = "members.own", "members.own#2", "members.own#3"


@pytest.fixture(scope="session")
def squad() -> Ruleset:
    """The ruleset as the catalog has it."""
    return load("squad-d20")


@pytest.fixture(scope="session")
def soldier(squad: Ruleset) -> Callable[..., LoadedCharacter]:
    """Return the maker of soldiers: ANSWERS with others in their place; None takes one away."""

    def make(answers: Mapping[str, Answer | None] = NOTHING) -> LoadedCharacter:
        given = {name: one for name, one in {**ANSWERS, **answers}.items() if one is not None}
        return replay_document(
            create_character(CharacterSpec(squad, "7", "Kessler", answers=given)), squad
        )

    return make


@pytest.fixture
def table(soldier: Callable[..., LoadedCharacter]) -> Table:
    """The soldier of ANSWERS at the table."""
    return Table(soldier().character.state)
