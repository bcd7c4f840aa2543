"""The Capital ruleset, and characters of it made from a few answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import pytest

from charforge.character.state import State
from charforge.decisions.base import MISSING, Answer, Decision
from charforge.describe.formulas import note_text
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.models import Choose, Roll
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character

NOTHING: Mapping[str, Answer] = MappingProxyType({})
# Ten dice that need no reroll. Without the two 1s they give 6 6 6 6 5 5 5 4.
DICE = [6, 6, 5, 5, 4, 4, 3, 2, 1, 1]
SCORES = {"str": 6, "ftd": 6, "agi": 5, "vsn": 6, "wis": 5, "wil": 6, "cha": 5, "knw": 4}
PLUS_MINUS = {
    "the-lancer": ("vsn", "agi"),
    "the-scout": ("wis", "str"),
    "the-healer": ("agi", "str"),
    "the-captain": ("wis", "str"),
    "the-tank": ("str", "vsn"),
    "the-sentinel": ("knw", "str"),
}
WEAPONS = {
    "the-lancer": {"role.weapon": "equipment/precision-rifle"},
    "the-scout": {"role.weapon": "equipment/precision-rifle"},
    "the-tank": {"role.weapon": "equipment/simple-warhammer"},
    "the-sentinel": {"role.standard-pistol.damage": "sharp"},
}


def creation(role: str) -> dict[str, Answer]:
    """Return answers that make a Level 1 character of a Role, with no asset of consequence."""
    plus, minus = PLUS_MINUS[role]
    return {
        "role": f"role/{role}",
        "personality.ideal": "ideal/skill",
        "personality.goal": "goal/hunt",
        "personality.flaw": "flaw/liar",
        "strengths": ["strength/athletic", "strength/sneaky", "strength/observant"],
        "weaknesses": ["weakness/cold", "weakness/bad-liar"],
        "attributes.roll": DICE,
        "attributes.discard": [1, 1],
        "attributes.assign": SCORES,
        "role.plus": plus,
        "role.minus": minus,
        "asset": "augmentation/limb",
        "outfits": ["everyday", "professional"],
        "kit.tent": "one-man",
        "kit.light": "torch",
        "kit.food": "yes",
        "kit.water": "yes",
        "money": 300,
        **WEAPONS.get(role, {}),
    }


def lowest(decision: Decision) -> Answer:
    """Answer what a test leaves out of the levels: lowest faces, empty Slots."""
    question = decision.question
    if isinstance(question, Roll) and decision.level > 1:
        dice = decision.dice()
        return [dice.faces[0]] * dice.number
    if isinstance(question, Choose) and question.budget is not None:
        return []
    return MISSING


@dataclass(frozen=True)
class Sheet:
    """The figures and holdings of a finished character."""

    opened: LoadedCharacter = field(repr=False)

    @property
    def state(self) -> State:
        return self.opened.character.state

    def __getitem__(self, value: str) -> int:
        """Return a value of the character, by id."""
        return self.state.values().total(value)

    def unit(self, entity: str, value: str) -> int:
        """Return a value of a companion or vehicle, by entity id."""
        found = next(unit for unit in self.state.units if unit.entity and unit.entity.id == entity)
        return self.state.values(found.id).total(value)

    def __contains__(self, entity: str) -> bool:
        return self.state.has(entity)

    def number(self, entity: str) -> int:
        """Return how many of an entity are held."""
        return self.state.number(entity)

    def asked(self) -> list[str]:
        """Return the ids of the decisions met, in order."""
        return [decision.id for decision in self.opened.character.asked]

    def notes(self, value: str) -> list[str]:
        """Return how each step of a value of the character came about."""
        return [
            note_text(step.note, self.state.ruleset)
            for step in self.state.values().explain(value).steps
        ]


@dataclass(frozen=True)
class Maker:
    """Makes finished characters as the command line does; the rules refuse what they refuse."""

    ruleset: Ruleset = field(repr=False)

    def __call__(
        self, role: str = "the-tank", level: int = 1, answers: Mapping[str, Answer] = NOTHING
    ) -> Sheet:
        """Make a character of a Role with ``answers`` in place of the usual ones.

        None takes a usual answer away.
        """
        given = {**creation(role), **answers}
        given = {decision: answer for decision, answer in given.items() if answer is not None}
        plan = CharacterSpec(self.ruleset, "worked", "Worked Example", level, answers=given)
        made = create_character(plan, lowest)
        opened = load_document(made, Path("worked.json"), self.ruleset)
        assert not opened.problems
        return Sheet(opened)


@pytest.fixture(scope="session")
def make(capital: Ruleset) -> Maker:
    """Return the maker of characters for worked examples."""
    return Maker(capital)
