"""What ``--json`` prints is what the documented models say, for every command that has it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest
import typer
from hypothesis import given as over, strategies as st
from pydantic import TypeAdapter

from charforge.cli.commands import LazyGroup, ProgramGroup
from charforge.json_model import exact_number
from tests.cli.test_documentation import ROOT, script
from tests.command_runner import CommandResult
from tests.conftest import HARBOUR

Run = Callable[..., CommandResult]
OUTPUTS = script("json_output").OUTPUTS
PLAYED, SCOUT = "nix.json", "scout.json"  # of the Harbour; of Capital, which has advice
# One run or several of each command, of a character with a dog, a condition and played events.
RUNS: dict[str, tuple[tuple[str, ...], ...]] = {
    "show": ((PLAYED,), (PLAYED, "--unit", "hound")),
    "explain": (
        (PLAYED,), (PLAYED, "max_vigour"), (PLAYED, "trade"), (PLAYED, "soaked"),
        (PLAYED, "knack/kennel"), (PLAYED, "gear/crossbow"),
    ),
    "check": ((PLAYED,), (".",)),
    "history": ((PLAYED,),),
    "diff": ((PLAYED, "--from", "1", "--to", "3"),),
    "plan": ((PLAYED,),),
    "advise": ((SCOUT, "role.plus"),),
    "odds": ((PLAYED, "lifting", "weight=3"), (PLAYED, "lifting", "--vary", "weight=3..5")),
    "resolve": (("harbour",), ("harbour", "lifting", PLAYED, "--set", "weight=3")),
    "replay": ((PLAYED, "--instead", "level.2.vigour=[1]"),),
    "luck": ((PLAYED,),),
    "initiative": ((SCOUT,),),
    "restore": ((PLAYED, "--list"), (PLAYED, "1", "--yes")),
    "games": ((),),
    "catalog list": (("harbour",),),
    "catalog search": (("crossbow", "--ruleset", "harbour"),),
    "catalog show": (("gear/crossbow", "--ruleset", "harbour"), ("system/focus-ii",)),
    "catalog rulings": ((),),
    "catalog paths": (("Crossbow", "--ruleset", "harbour"),),
    "catalog installed": ((),),
    "catalog find": (("--index", "packs"),),
    "catalog check": ((str(HARBOUR),),),
    "catalog test": ((str(ROOT / "examples" / "cinderwell"),),),
    "catalog diff": ((str(HARBOUR), "harbour"), ("harbour", "harbour", PLAYED)),
}  # fmt: skip


def json_commands(group: LazyGroup, context: typer.Context, path: str = "") -> Iterator[str]:
    """Yield the commands with ``--json``, those of nested groups included."""
    for name in group.list_commands(context):
        command = group.load(name)
        if isinstance(command, LazyGroup):
            yield from json_commands(command, typer.Context(command, parent=context), f"{name} ")
        elif any("--json" in parameter.opts for parameter in command.params):
            yield path + name


def test_the_output_of_every_command_is_documented() -> None:
    group = ProgramGroup()
    commands = set(json_commands(group, typer.Context(group, info_name="charforge")))
    assert commands == OUTPUTS.keys() == RUNS.keys()


@pytest.mark.parametrize("command", RUNS)
def test_what_is_printed_is_as_documented(
    command: str, run: Run, nix: Path, capital_text: str
) -> None:
    """The model reads it without losing or adding a key."""
    (nix.parent / SCOUT).write_text(capital_text, "utf-8")
    if command == "catalog find":
        shutil.copytree(HARBOUR, "packs/harbour")
        run("catalog", "index", "packs")
    run("condition", nix, "soaked")
    run("plan", nix, "level.4.knacks=[]")
    run("damage", nix, "3")
    adapter = TypeAdapter(OUTPUTS[command])
    for arguments in RUNS[command]:
        ran = run(*command.split(), *arguments, "--json")
        assert ran.code == 0, ran.err
        printed = json.loads(ran.out)
        read = adapter.validate_python(printed)
        assert adapter.dump_python(read, mode="json") == printed
        assert printed


@over(st.fractions())
def test_an_exact_number_is_the_number(number: Fraction) -> None:
    printed = exact_number(number)
    assert Fraction(printed.exact) == number
    assert printed.decimal == float(number)
