"""An adept of Shields and Biotics in play, with the fragment's own Throw/Pull.

The figures that tests work with by hand stand in ANSWERS: Toughness 8, of which 2 is armor, and a
Shield of 3 layers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.decisions.base import Answer
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests import tables
from tests.cli.conftest import (  # the program, run in an empty folder
    output_of as output_of,
    run as run,
)

NOTHING: Mapping[str, Any] = MappingProxyType({})
ANSWERS: Mapping[str, Answer] = MappingProxyType({
    "toughness": 8,
    "armor": 2,
    "pace": 6,
    "parry": 5,
    "shield": 3,
    "barrier": "no",
    "heavy-armor": "no",
    "attributes": ["attribute/own", "attribute/own"],
    "attributes.own.name": "Agility",
    "attributes.own.sides": "d8",
    "attributes.own#2.name": "Spirit",
    "attributes.own#2.sides": "d6",
    "skills": ["skill/own", "skill/own", "skill/biotic"],
    "skills.own.name": "Throw/Pull",
    "skills.own.sides": "d10",
    "skills.own.cd": 2,
    "skills.own.effect": "Knocked Back or Pulled (2).",
    "skills.own#2.name": "Shooting",
    "skills.own#2.sides": "d6",
    "skills.own#2.cd": 0,
    "skills.own#2.effect": "",
    "skills.biotic.name": "Warp",
    "skills.biotic.sides": "d12",
    "skills.biotic.cd": 3,
    "skills.biotic.effect": "2d6 damage.",
})  # fmt: skip


@dataclass
class Table(tables.Table):
    """A character of this game at the table: what is run tells what came out."""

    opened: LoadedCharacter | None = field(default=None, repr=False)

    def __call__(self, procedure: str, *given: Any, **inputs: Any) -> Mapping[str, Any]:
        """Run a procedure and return what came out; what it changes stays changed."""
        return self.run(procedure, *given, **inputs).outputs


@pytest.fixture(scope="session")
def biotics() -> Ruleset:
    """Return the ruleset as its pack has it."""
    return load("shields-biotics")


@pytest.fixture(scope="session")
def make(biotics: Ruleset) -> Callable[..., LoadedCharacter]:
    """Return the maker of characters: the usual answers with others in their place.

    What stands ``without`` is not answered: the decisions that begin so.
    """

    def made(
        answers: Mapping[str, Answer] = NOTHING, without: tuple[str, ...] = ()
    ) -> LoadedCharacter:
        usual = {name: said for name, said in ANSWERS.items() if not name.startswith(without)}
        plan = CharacterSpec(biotics, "worked", "Jason's Adept", answers={**usual, **answers})
        document = create_character(plan, RandomAnswers("worked"))
        return load_document(document, Path("worked.json"), biotics)

    return made


@pytest.fixture
def sit(make: Callable[..., LoadedCharacter]) -> Callable[..., Table]:
    """Return what seats a character at the table."""

    def seated(answers: Mapping[str, Answer] = NOTHING, without: tuple[str, ...] = ()) -> Table:
        opened = make(answers, without)
        assert not opened.problems
        return Table(opened.character.state, opened=opened)

    return seated


@pytest.fixture
def adept(sit: Callable[..., Table]) -> Table:
    """Return the usual character at the table."""
    return sit()
