"""gain: awards, resources within their limits, conditions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from charforge.rules.ruleset import Ruleset
from tests.cli.tank import assert_refused, lines_of, read_log, write_tank


@pytest.fixture
def tank(tmp_path: Path, capital: Ruleset) -> Path:
    """A Tank of Level 2 with 300 mC and every Slot free."""
    given = {"asset": "augmentation/attribute", "level.2.systems": []}
    return write_tank(tmp_path / "tank.json", capital, 2, **given)


def values(run: Any, file: Path) -> dict[str, int]:
    shown = run("show", file, "--json").json["values"]
    return {name: value["total"] for name, value in shown.items()}


def test_a_resource_says_the_real_change(run, tank):
    assert lines_of(run("award", tank, "grit"))[1:] == ["  Grit 0 → 1"]
    assert lines_of(run("award", tank, "Grit", 2))[1:] == ["  Grit 1 → 3"]
    lines = lines_of(run("award", tank, "money", 50, "--note", "Sold the wreck."))
    assert lines[1:] == ["  Money 300 → 350 mC"]
    assert read_log(tank)[-1]["note"] == "Sold the wreck."
    full = values(run, tank)["max_hp"]
    assert run("spend", tank, "hp", 3).code == 0
    assert lines_of(run("award", tank, "hp", 5))[1:] == [
        f"  HP {full - 3} → {full}"
    ]  # no more than the maximum
    run("award", tank, "hp", 5).refused(1, f"HP is already at its maximum of {full}")


def test_a_system_by_the_gm_takes_no_slot(run, tank):
    """Bonk takes 1 Slot where it is chosen; a Tank of Level 2 has 2."""
    before = values(run, tank)
    lines = lines_of(run("award", tank, "system/bonk", "--note", "A reward."))
    assert "  + Bonk (System)" in lines
    after = values(run, tank)
    assert (after["slots"], after["slots_used"]) == (before["slots"], before["slots_used"])
    event = read_log(tank)[-1]
    assert (event["do"], event["granted"], event["note"]) == ("acquire", True, "A reward.")
    assert run("check", tank).code == 0
    assert "Bonk" not in run("check", tank).out, "it is no exception"
    assert "Bonk †" in run("export", tank, "--format", "text", "-o", "-").out
    assert "got Bonk from the GM (A reward.)" in run("history", tank).out
    run("award", tank, "bonk").refused(1, "You already have Bonk")
    assert run("undo", tank).code == 0
    assert values(run, tank) == before


def test_an_innate_system_may_come_late(run, tank):
    assert "  + Robotic (System)" in lines_of(run("award", tank, "Robotic"))
    assert run("check", tank).code == 0


def test_a_companion_that_comes_late_asks_its_choices_and_levels(run, tank):
    """At Level 2 it rolls the HP of Level 2 too (ruling D89)."""
    number = read_log(tank)[-1]["n"] + 1
    ended = run("award", tank, "companion/land-beast")
    ended.refused(2, "These choices are missing", "--with")
    assert f"level.2.companion#{number}.hp" in ended.err
    assert "--with array=…" in ended.err


def test_a_vehicle_and_a_system_for_it(run, tank):
    assert "  + Bike (Special Vehicle)" in lines_of(run("award", tank, "vehicle/bike"))
    run("award", tank, "vehicle-system/capacitor-a2-mk1").refused(
        2, "is for a Vehicle, not for a Character", "--unit Bike"
    )
    before = run("show", tank, "--json").json["units"][0]
    limited = ("award", tank, "vehicle-system/capacitor-a2-mk1", "--unit", "bike")
    run(*limited).refused(
        1, "Capacitor A2 Mk1 requires to be mounted on", 'add --override "GM: reason"'
    )
    lines = lines_of(run(*limited, "--override", "GM: a frame for it"))
    assert any("Capacitor A2 Mk1" in line for line in lines)
    after = run("show", tank, "--json").json["units"][0]
    assert len(after["holdings"]) == len(before["holdings"]) + 1
    checked = run("check", tank)
    assert checked.code == 0
    assert "(allowed by GM: a frame for it)" in checked.out
    run("drop", tank, "capacitor a2", "--unit", "bike")
    [number] = [
        line.split()[0]
        for line in run("history", tank).out.splitlines()
        if line.endswith("allowed by GM: a frame for it")
    ]
    assert f"no. {number} in history: requires to be mounted on" in run("check", tank).out


def test_training_and_gear(run, tank):
    assert "  + Rifles (Training)" in lines_of(run("award", tank, "training/rifles"))
    assert "  + 3 × Torch" in lines_of(run("award", tank, "equipment/torch", 3))
    lines = lines_of(run("award", tank, "equipment/tent", "--with", "size=2-man"))
    assert "  + Tent (2-man)" in lines
    assert values(run, tank)["money"] == 300


def test_a_condition_is_put_on(run, tank):
    assert lines_of(run("award", tank, "status/prone"))[1:] == ["  now Prone"]
    assert lines_of(run("award", tank, "status/prone"))[1:] == ["  still Prone"]
    assert read_log(tank)[-1]["do"] == "condition"
    assert run("show", tank, "--json").json["conditions"] != []


@pytest.mark.parametrize(
    ("what", "code", "said"),
    [
        (["system/bonkk"], 2, "Did you mean system/bonk?"),
        (["grti"], 2, "Did you mean grit?"),
        (["str", "2"], 2, "STR is not a resource"),
        (["grit", "0"], 2, "Award 1 to"),
        (["rule/grit"], 2, "Grit (Rule) cannot be awarded"),
        (["system/bonk", "2"], 2, "Bonk can only be awarded one at a time"),
        (["grit", "1", "--with", "a=b"], 2, "a resource has no choices to make"),
        (["status/prone", "--note", "x"], 2, "charforge note"),
        (["training/rifles", "--unit", "boat"], 2, "boat"),
        (["grit", "1", "--note", "\x1b[2J"], 2, "control characters"),
    ],
)
def test_what_cannot_be_gained_changes_nothing(run, tank, what, code, said):
    assert_refused(run, "award", tank, what, code, said)


def test_a_resource_needs_no_override(run, tank):
    run("award", tank, "grit", "1", "--override", "GM: x").refused(2, "needs no permission")
