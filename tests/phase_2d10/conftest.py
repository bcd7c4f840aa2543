"""Cy of Phase 2D10 in play. ANSWERS holds the figures that tests calculate with.

AVs: INT + Perception 10, REF + Sneak 13, INF + Persuasion 7, Power + Focus 9, Awareness 7, Shock 7.
DVs: attacks 15, WILL + Defense 13, INT + Defense 10; surprise 23 and 17. Armour 5 + half of 3: 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import pytest

from charforge.decisions.base import Answer
from charforge.odds import Case, Odds, Outcome
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests import tables

NOTHING: Mapping[str, Any] = MappingProxyType({})


def weapon(at: str, name: str, rank: int, ev: int, sort: str = "weapon") -> dict[str, Answer]:
    """Return the answers that describe a weapon aimed with REF."""
    said = {"name": name, "attribute": "ref", "rank": rank, "ev": ev, "reach": "50 m", "type": sort}
    return {f"{at}.{choice}": answer for choice, answer in said.items()}


ANSWERS: Mapping[str, Answer] = {
    "attributes": {"body": 7, "ref": 8, "int": 6, "inf": 5, "will": 9, "spirit": 4, "rec": 8},
    "skills": {"perception": 4, "sneak": 5, "persuasion": 2, "focus": 3, "defense": 4},
    "skills.further": ["skill/own"],
    "skills.further.own.name": "Medicine",
    "skills.further.own.attribute": "int",
    "skills.further.own.rank": 2,
    "init": 9,
    "attack_dv": 15,
    "run": 11,
    "jump": 4,
    "toughness": 10,
    "awareness": 7,
    "weapons": ["weapon/own", "weapon/own"],
    **weapon("weapons.own", "Rail rifle", rank=5, ev=9),
    **weapon("weapons.own#2", "Flamer", rank=2, ev=7, sort="fire"),
    "armour": ["armour/own", "armour/own"],
    "armour.own.name": "Piece 1",
    "armour.own.layer": "layer_1",
    "armour.own.rv": 5,
    "armour.own#2.name": "Piece 2",
    "armour.own#2.layer": "layer_2",
    "armour.own#2.rv": 3,
    "power": 6,
    "points": 12,
    "powers": ["power/own"],
    "powers.own.name": "Dread",
    "powers.own.points": 3,
    "powers.own.ev": 4,
    "powers.own.detectable": "no",
    "powers.own.effect": "",
}


@pytest.fixture(scope="session")
def phase() -> Ruleset:
    """The ruleset as the catalog has it."""
    return load("phase-2d10")


@pytest.fixture(scope="session")
def cy(phase: Ruleset) -> Callable[..., LoadedCharacter]:
    """Return the maker of characters: ANSWERS with others in their place; None takes one away."""

    def make(answers: Mapping[str, Answer | None] = NOTHING) -> LoadedCharacter:
        given = {name: one for name, one in {**ANSWERS, **answers}.items() if one is not None}
        return replay_document(
            create_character(CharacterSpec(phase, "7", "Cy", answers=given)), phase
        )

    return make


class Table(tables.Table):
    """A character of this game at the table."""

    def odds(self, procedure: str, **inputs: Any) -> dict[str, Outcome]:
        """Return the exact odds of a procedure, by its outputs."""
        case = Case(inputs)
        found = Odds(self.state, self.state.ruleset.procedure(procedure), [case]).of(case)
        return {one.id: one for one in found}


@pytest.fixture
def table(cy: Callable[..., LoadedCharacter]) -> Table:
    """Cy at the table."""
    return Table(cy().character.state)
