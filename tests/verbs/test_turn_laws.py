"""A law of turns: a turn that starts without the end of the last one ends that first."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character import state_changes
from charforge.character.state import CHARACTER, State
from charforge.procedures.context import RunSettings
from charforge.procedures.run import run_procedure
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import load_document
from charforge.rules.loading.loader import load
from charforge.usecases.create import create_character

GAMES = ["capital", "narrative-dice", "phase-2d10", "shields-biotics", "squad-d20"]


@pytest.fixture(scope="module", params=GAMES)
def state(request: pytest.FixtureRequest) -> State:
    """A random character of each game, in its first turn."""
    rules = load(request.param)
    spec = CharacterSpec(rules, "law", "Nix", 1)
    document = create_character(spec, RandomAnswers("law"))
    return after(load_document(document, Path("nix.json"), rules).character.state, "turn")


def after(state: State, *names: str) -> State:
    """The state after the procedures for the start or the end of a turn."""
    play = state.ruleset.head.play
    for name in names:
        procedure = state.ruleset.procedure(getattr(play, name))
        state = run_procedure(
            state, procedure, {}, RunSettings(lambda _n, dice, _l: [1] * dice.number)
        ).state
    return state


def conditions(state: State) -> dict[str, int]:
    """The conditions of the character, with their amounts."""
    return {one.entity.id: one.amount for one in state.active_conditions(CHARACTER)}


def test_the_next_turn_ends_what_the_end_of_the_last_one_would_have_ended(state):
    for entity in state.ruleset.conditions:
        assert entity.condition is not None
        if entity.condition.bars:
            continue
        put, _amount = state_changes.add_condition(state, CHARACTER, entity, 1, "Nix"), 1
        assert conditions(after(put, "turn")) == conditions(after(put, "turn_end", "turn")), (
            entity.id
        )


def test_the_next_turn_counts_what_the_end_of_the_last_one_would_have_counted(state):
    figures = state.values()
    marked = state
    for name, value in state.unit(CHARACTER).type.values.items():
        if value.resource:
            marked = state_changes.change_resource(marked, CHARACTER, name, 1)[0]
    ended, started = after(marked, "turn_end", "turn"), after(marked, "turn")
    for name in figures.ids():
        assert ended.values().base(name) == started.values().base(name), name
