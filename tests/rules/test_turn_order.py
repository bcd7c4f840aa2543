"""What the order of turns goes by is an output of a procedure that needs neither words nor dice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.errors import PackError
from charforge.rules.loader import load_folder
from charforge.rules.ruleset import Ruleset

STEPS = """procedures:
  - id: haste
    label: Haste
    source: rule/work
    inputs: [{id: late, label: How late?, default: 0}]
    steps:
      - {do: let, id: start, to: 5 - late}
    outputs: [{id: start, label: Start}]
"""
ORDER = "order: {label: First, dice: 2d6, procedure: haste, output: start}"
Docking = Callable[..., Path]


def faults(docking: Docking, order: str = ORDER, steps: str = STEPS) -> list[str]:
    folder = docking(
        ("ruleset.yaml", "play:\n", f"play:\n  {order}\n"),
        ("procedures.yaml", "procedures:\n", steps),
    )
    try:
        load_folder(folder)
    except PackError as error:
        return [fault.message for fault in error.faults]
    return []


def test_a_sound_one_is_taken(docking: Docking) -> None:
    assert faults(docking) == []


@pytest.mark.parametrize(
    ("order", "steps", "message"),
    [
        (ORDER.replace("start", "strat"), STEPS, "no output of haste is named 'strat'"),
        (ORDER.replace("haste", "hasty"), STEPS, "no procedure is named 'hasty'"),
        (ORDER.replace("2d6", "2x6"), STEPS, "2x6"),
        (ORDER, STEPS.replace(", default: 0", ""), "the procedure 'haste' must be told 'late'"),
        (
            ORDER,
            STEPS.replace("{do: let, id: start, to: 5 - late}", "{do: roll, id: start, dice: 1d6}"),
            "the procedure 'haste' rolls dice",
        ),
    ],
)
def test_a_faulty_one_is_told(docking: Docking, order: str, steps: str, message: str) -> None:
    told = faults(docking, order, steps)
    assert len(told) == 1
    assert message in told[0]


def test_dice_of_a_procedure_that_it_runs_are_found_too(docking: Docking) -> None:
    steps = STEPS.replace(
        "{do: let, id: start, to: 5 - late}",
        "{do: let, id: start, to: 5 - late}\n"
        "      - {do: call, procedure: test, with: {attribute: wit, vs: 4}}",
    )
    assert faults(docking, steps=steps) == ["the procedure 'haste' rolls dice"]


def test_the_main_game_has_one(capital: Ruleset) -> None:
    order = capital.head.play.order
    assert order is not None
    assert (order.dice, order.procedure) == ("2d6", "turn-order-score")
