"""Dice for procedures: typed faces first, the others from a seed; each call has its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from charforge.errors import ProcedureError
from charforge.expressions.dice import parse_dice
from charforge.procedures.context import RunSettings
from charforge.procedures.inputs import FIRST_ROLL, DiceSource, LowestDice
from charforge.procedures.run import run_procedure
from charforge.rules.models import Procedure

TWO = parse_dice("2d6")


def test_other_dice_come_from_seed_place_name_and_attempt():
    dice = DiceSource("seed", "event.9")
    first, second = dice.roll("own", TWO, ""), dice.roll("own", TWO, "")
    again = DiceSource("seed", "event.9")
    assert [again.roll("own", TWO, ""), again.roll("own", TWO, "")] == [first, second]
    many = [DiceSource("seed", f"event.{n}").roll("own", TWO, "") for n in range(30)]
    assert len({tuple(roll) for roll in many}) > 10


def test_typed_faces_are_used_in_order_then_the_seed():
    """Four faces serve two rolls of 2d6; the third comes from the stream as the third."""
    dice = DiceSource("seed", "event.9", {"own": (1, 2, 3, 4)})
    assert [dice.roll("own", TWO, ""), dice.roll("own", TWO, "")] == [[1, 2], [3, 4]]
    untyped = DiceSource("seed", "event.9")
    third = [untyped.roll("own", TWO, "") for _roll in range(3)][-1]
    assert dice.roll("own", TWO, "") == third
    dice.refuse_unused("x")


def test_typed_faces_can_be_named_by_the_label_of_their_roll():
    dice = DiceSource("seed", "event.9", {"FOCUS I": (5,)})
    assert dice.roll("recovered.a.b", parse_dice("1d6"), "Focus I") == [5]


def test_typed_faces_without_a_name_belong_to_the_first_roll():
    dice = DiceSource("seed", "event.9", {FIRST_ROLL: (5, 6), "theirs": (1, 2)})
    assert dice.roll("theirs", TWO, "") == [5, 6]


def test_faces_that_no_roll_used_are_refused():
    dice = DiceSource("seed", "event.9", {"owm": (5,)})
    dice.roll("own", TWO, "Your dice")
    dice.roll("recovered.a.b", parse_dice("1d6"), "Focus I")
    with pytest.raises(ProcedureError) as refused:
        dice.refuse_unused("Check")
    reason = "the dice 5 were not needed; this rule rolls own (Your dice), Focus I"
    assert refused.value.problems == (("owm", reason),)


@pytest.mark.parametrize("typed", ["die", FIRST_ROLL, "YOUR DICE"])
def test_two_dice_that_are_no_tens_and_ones_are_told_how(typed):
    dice = DiceSource("seed", "event.9", {typed: (1, 2)})
    assert dice.roll("die", parse_dice("1d100"), "Your dice") == [1]
    with pytest.raises(ProcedureError) as refused:
        dice.refuse_unused("Check")
    ((_name, message),) = refused.value.problems
    assert message == (
        "the dice 2 were not needed; type two dice for d100 as tens and ones: 10,2 is 12"
    )


def test_ones_before_tens_are_told_in_the_right_order():
    dice = DiceSource("seed", "event.9", {FIRST_ROLL: (3, 60)})
    assert dice.roll("die", parse_dice("1d100"), "Your dice") == [3]
    with pytest.raises(ProcedureError) as refused:
        dice.refuse_unused("Check")
    assert refused.value.problems == (
        ("die", "the dice 60 were not needed; type two dice for d100 as tens and ones: 60,3"),
    )


def test_the_lowest_dice_use_typed_faces_too():
    dice = LowestDice({"own": (3, 4)})
    assert [dice.roll("own", TWO, ""), dice.roll("own", TWO, "")] == [[3, 4], [1, 1]]


# ------------------------------------------------------------------ called procedures


def test_a_roll_of_the_same_name_leaves_the_callers_dice_alone(dockhand):
    """Our 1d10 is rolled again as a 1d10, though a 1d4 called ``own`` fell in between."""
    state = dockhand().character.state
    common = {"label": "X", "source": "rule/work"}
    inner = {"id": "inner", **common, "steps": [{"do": "roll", "id": "own", "dice": "1d4"}]}
    outer = {
        "id": "outer", **common,
        "steps": [
            {"do": "roll", "id": "own", "dice": "1d10"},
            {"do": "call", "procedure": "inner"},
            {"do": "reroll", "id": "own"},
        ],
        "outputs": [{"id": "own", "label": "Own"}],
    }  # fmt: skip
    procedures = {"inner": Procedure.model_validate(inner)}
    state = state.with_changes(ruleset=replace(state.ruleset, procedures=procedures))
    asked = []

    def roll(name, dice, label):
        asked.append(dice.notation)
        return [dice.faces[-1]]

    done = run_procedure(state, Procedure.model_validate(outer), {}, RunSettings(roll))
    assert asked == ["1d10", "1d4", "1d10"]
    assert done.outputs == {"own": 10}
