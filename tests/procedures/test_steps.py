"""Steps that read conditions or change values given as inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from charforge.character import state_changes
from charforge.character.state import State
from charforge.expressions.dice import Dice
from charforge.procedures.context import RunSettings
from charforge.procedures.run import ProcedureResult, run_procedure
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Procedure


@pytest.fixture
def state(dockhand: Callable[..., LoadedCharacter]) -> State:
    """A dockhand whom the reeve has marked twice over, and who is bruised."""
    state = dockhand().character.state
    for name, amount, about in (
        ("state/marked", 1, "the reeve"),
        ("state/marked", 1, "the cook"),
        ("state/bruised", 3, ""),
    ):
        state = state_changes.add_condition(
            state, "character", state.ruleset.entity(name), amount, about
        )
    return state


def no_dice(name: str, _dice: Dice, _label: str) -> list[int]:
    raise AssertionError(name)


def taken(
    state: State, step: Mapping[str, Any], inputs: Mapping[str, Any], **more: Any
) -> ProcedureResult:
    made = {
        "id": "try",
        "label": "Try",
        "source": "rule/work",
        "inputs": [{"id": "whom", "label": "Whom", "type": "text", "optional": True}],
        "steps": [step],
        "outputs": [{"id": "found", "label": "Found"}],
    }
    return run_procedure(
        state, Procedure.model_validate(made), inputs, RunSettings(no_dice, **more)
    )


@pytest.mark.parametrize(
    ("condition", "whom", "amount", "told"),
    [
        ("state/bruised", None, 3, "Bruised 3"),
        ("state/marked", "the reeve", 1, "Marked (the reeve) 1"),
        ("state/marked", "a stranger", 0, "Marked (a stranger) 0"),
        ("state/marked", None, 2, "Marked 2"),
        ("state/soaked", None, 0, "Soaked 0"),
        ("state/worn-out", None, 0, "Worn Out 0"),
    ],
)
def test_how_much_of_a_condition_is_looked_up(state, condition, whom, amount, told):
    step = {"do": "look_up", "id": "found", "condition": condition, "about": "$whom"}
    done = taken(state, step, {} if whom is None else {"whom": whom})
    assert (done.outputs, [one.text for one in done.steps]) == ({"found": amount}, [told])


def test_a_condition_that_follows_from_the_state_is_looked_up_too(state):
    state, _real = state_changes.change_resource(state, "character", "vigour", -9)
    step = {"do": "look_up", "id": "found", "condition": "state/worn-out"}
    assert taken(state, step, {}).outputs == {"found": 1}


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ({}, "either a 'value' or a 'condition'"),
        ({"value": "wit", "condition": "state/soaked"}, "either a 'value' or a 'condition'"),
        ({"condition": "state/soaked", "lasting": True}, "Value error, 'lasting' is"),
        ({"value": "wit", "about": "$whom"}, "only for a condition"),
    ],
)
def test_a_look_up_reads_one_thing(state, step, told):
    with pytest.raises(ValueError, match=told):
        taken(state, {"do": "look_up", "id": "found", **step}, {})


@pytest.mark.parametrize(("value", "real", "left"), [("coins", -5, -2), ("vigour", -3, 0)])
def test_a_given_figure_stops_at_the_minimum_that_is_printed(harbour, state, value, real, left):
    # 3 − 5: coins have no minimum, vigour has 0.
    step = {"do": "change", "id": "found", "value": value, "by": -5}
    done = taken(state, step, {}, figures={value: 3}, no_character=True)
    label = harbour.values[value].label
    assert done.outputs == {"found": real}
    assert [one.text for one in done.steps] == [f"{label} −{-real} → {str(left).replace('-', '−')}"]


def test_a_condition_is_put_on_the_unit_that_has_something(dockhand):
    """Of several such units none gets it: the message has the command for each."""
    kennel = {"knacks": ["knack/kennel"], "knacks__kennel__dog": "dog/terrier"}
    state = dockhand(**kennel).character.state
    dog = state.units[1].id

    def put(on: State, to: str) -> tuple[ProcedureResult, str]:
        step = {"do": "put", "condition": "state/bruised", "amount": 2, "to": to}
        done = taken(on, step, {})
        return done, done.steps[0].text

    done, told = put(state, "dog/terrier")
    assert done.state.condition_amount(dog, "state/bruised") == 2
    assert done.state.condition_amount("character", "state/bruised") == 0
    assert told == f"{state.units[1].title}: Bruised 0 → 2"
    assert put(state, "dog/hound")[1] == "none of your units can get Bruised"
    two = state.with_changes(units=(*state.units, state.units[1]._replace(id="other.dog")))
    done, told = put(two, "dog")
    assert done.state == two
    assert told == (
        "Bruised is for one of several units. Choose one: "
        f"condition bruised --unit {dog} or condition bruised --unit other.dog"
    )
