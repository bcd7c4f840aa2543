"""A law of printed steps: no name of the program is left in what a use tells the player."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.state import State
from charforge.errors import CharforgeError
from charforge.expressions.dice import Dice
from charforge.procedures import abilities, use
from charforge.procedures.context import RunSettings
from charforge.procedures.inputs import items_of
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import load_document
from charforge.rules.loading.loader import load
from charforge.rules.models import Input
from charforge.usecases.create import create_character

GAMES = ["capital", "narrative-dice", "phase-2d10", "shields-biotics", "squad-d20"]
PLACEHOLDER = re.compile(r"\$\w|\{|\bNone\b")


def minimal_input(state: State, unit: str, input_: Input) -> Any:
    """The least that an input accepts; None for one that is left out."""
    if input_.optional or input_.default is not None or input_.default_word:
        return None
    if input_.type == "word":
        return input_.options[0]
    if input_.type == "item":
        return next((item.id for item in items_of(state, input_, unit)), None)
    return {"number": 1, "flag": 0, "text": "Nix", "amount": "1d6"}.get(input_.type)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", ["7", "8"])
def test_no_use_prints_the_name_of_a_choice(game, seed):
    rules = load(game)
    spec = CharacterSpec(rules, seed, "Nix", 1)
    opened = load_document(create_character(spec, RandomAnswers(seed)), Path("nix.json"), rules)
    state, chance = opened.character.state, Random(seed)

    def roll(_name: str, dice: Dice, _label: str) -> list[int]:
        return chance.choices(dice.faces, k=dice.number)

    permit = use.Permit(granted=True, overridden=True)
    texts: list[str] = []
    for unit in state.units:
        for ability in abilities.all_abilities(state, unit.id):
            inputs, _steps = abilities.ability_inputs(state, ability)
            given = {i.id: minimal_input(state, unit.id, i) for i in inputs}
            given = {name: value for name, value in given.items() if value is not None}
            try:
                result = use.use_ability(state, ability, given, RunSettings(roll), permit=permit)
            except CharforgeError:
                continue
            texts += [f"{ability.name}: {step.text}" for step in result.steps]
    assert len(texts) >= 5
    assert [text for text in texts if PLACEHOLDER.search(text)] == []
