"""A called procedure has its own rolls, whatever their names."""

from __future__ import annotations

from dataclasses import replace

from charforge.procedures.context import RunSettings
from charforge.procedures.run import run_procedure
from charforge.rules.models import Procedure


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
