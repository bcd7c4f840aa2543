"""What odds depend on: states with the same key have the same odds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from charforge.character.state import State
from charforge.odds import Case, Odds
from charforge.odds.solver import state_key
from charforge.replay.loaded_character import LoadedCharacter

Smith = Callable[..., LoadedCharacter]
SKILL = "skills.own"


def odds(state: State, procedure: str, inputs: dict[str, Any]) -> object:
    """Return the outcomes of a procedure."""
    case = Case(inputs)
    return Odds(state, state.ruleset.procedure(procedure), [case]).of(case)


@pytest.mark.parametrize(
    ("procedure", "inputs"), [("craft", {"skill": SKILL}), ("teach", {"lesson": SKILL})]
)
@pytest.mark.parametrize(
    ("changes", "may_matter"),
    [
        ({"abilities": {"brawn": 1, "wits": 2}}, True),  # it is with Brawn
        ({"skills__own__rank": 1}, True),
        ({"guard": 5}, False),
        ({"tools__own__damage": 1}, False),
    ],
)
def test_the_number_of_an_item_depends_on_its_choices_and_values(
    smith: Smith, procedure: str, inputs: dict[str, Any], changes: dict[str, Any], may_matter: bool
) -> None:
    rank = {"skills__own__rank": 3}
    states = [smith(**rank).character.state, smith(**{**rank, **changes}).character.state]
    keys = [
        state_key(state, state.ruleset.procedure(procedure), inputs.values()) for state in states
    ]
    assert (keys[0] != keys[1]) is may_matter
    found = [odds(state, procedure, inputs) for state in states]
    assert keys[0] != keys[1] or found[0] == found[1]
    assert found[0] != found[1] or not may_matter or procedure == "teach"  # sure to succeed
