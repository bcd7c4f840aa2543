"""The narrative ruleset and a character of it in play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.decisions.base import Answer
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests.cli.conftest import (  # the program, run in an empty folder
    output_of as output_of,
    run as run,
)
from tests.tables import Table

NOTHING: Mapping[str, Answer] = MappingProxyType({})
# Brawn 3, Vitality 1, Agility 2, Intellect 1, Wisdom 2, Presence 1: 2 + 1 + 1 = 4 points.
# Threshold 4 + 1 = 5, as in the book's examples; Stamina 5 + 1 = 6; Reflex rank 1.
# Martial: Brawn 3 and rank 2 are 1 Ability and 2 Proficiency, the pool of the printed odds.
ANSWERS: Mapping[str, Answer] = MappingProxyType({
    "abilities": {"brawn": 2, "agility": 1, "wisdom": 1},
    "class.name": "Warden",
    "class.starting_threshold": 4,
    "class.base_stamina": 5,
    "class.defense": "reflex",
    "class.primary.name": "Martial",
    "class.primary.ability": "brawn",
    "class.primary.rank": 2,
    "class.secondary.name": "Divine",
    "class.secondary.ability": "wisdom",
    "class.secondary.rank": 1,
    "class.other-secondary.name": "Arcane",
    "class.other-secondary.ability": "intellect",
    "class.other-secondary.rank": 0,
    "race.name": "Dwarf",
    "race.trait": "",
    "skill.vigilance.ability": "wisdom",
    "skill.vigilance.rank": 2,
    "skill.athletics.ability": "brawn",
    "skill.athletics.rank": 1,
    "skill.acrobatics.ability": "agility",
    "skill.acrobatics.rank": 0,
    "skills": ["skill/own"],
    "skills.own.name": "Stealth",
    "skills.own.ability": "agility",
    "skills.own.rank": 3,
    "soak": {"soak_weapon": 3, "soak_fire": 1},
    "vulnerability": {"vulnerable_cold": 2, "vulnerable_holy": 4},
    "weapons": ["melee-weapon/own-melee", "ranged-weapon/own-ranged"],
    "weapons.own-melee.name": "Longsword",
    "weapons.own-melee.damage": 4,
    "weapons.own-melee.reach": 1,
    "weapons.own-ranged.name": "Longbow",
    "weapons.own-ranged.damage": 3,
    "weapons.own-ranged.short_range": 10,
    "weapons.own-ranged.long_range": 20,
    "powers": [],
    "feats": [],
})  # fmt: skip


@pytest.fixture(scope="session")
def narrative() -> Ruleset:
    """Return the ruleset as its pack has it."""
    return load("narrative-dice")


@pytest.fixture(scope="session")
def make(narrative: Ruleset) -> Callable[..., LoadedCharacter]:
    """Return the maker of characters: the usual answers with others in their place."""

    def made(answers: Mapping[str, Answer] = NOTHING, level: int = 1) -> LoadedCharacter:
        given = {**ANSWERS, **answers}
        plan = CharacterSpec(narrative, "worked", "Worked Example", level, answers=given)
        document = create_character(plan, RandomAnswers("worked"))
        return load_document(document, Path("worked.json"), narrative)

    return made


@pytest.fixture
def sit(make: Callable[..., LoadedCharacter]) -> Callable[..., Table]:
    """Return what seats a character at the table."""

    def seated(answers: Mapping[str, Answer] = NOTHING) -> Table:
        opened = make(answers)
        assert not opened.problems
        return Table(opened.character.state)

    return seated


@pytest.fixture
def table(sit: Callable[..., Table]) -> Table:
    """Return the usual character at the table."""
    return sit()
