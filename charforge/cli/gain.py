"""``gain``: what comes to a character beyond the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.character.state import Holding, State
from charforge.cli import answers_options, changes, console
from charforge.cli.amount_command import AmountCommand
from charforge.cli.answers_options import NoteOption, WithOption
from charforge.cli.options import AnswersOption, CharacterFile, RandomOption, UnitOption
from charforge.cli.output import saved
from charforge.errors import UsageError
from charforge.expressions.template import true_minus
from charforge.replay.loaded import LoadedCharacter, load_character
from charforge.rules.models import Entity
from charforge.usecases import award, lookup, manual_changes
from charforge.usecases.lookup import find_unit

app = typer.Typer(add_completion=False)


@app.command("gain", cls=AmountCommand)
def gain(
    file: CharacterFile,
    what: Annotated[
        str,
        typer.Argument(
            metavar="ID|VALUE", help="Anything of the catalog, a resource or a condition."
        ),
    ],
    number: Annotated[Optional[int], typer.Argument(metavar="N", help="The amount.")] = None,
    given: WithOption = None,
    answers: AnswersOption = None,
    random: RandomOption = False,
    note: NoteOption = "",
    unit: UnitOption = None,
) -> None:
    """Award something: a System, Grit, money, a vehicle.

    An award takes no Slot. A resource stays within its limits.

    \b
    Examples:
      charforge gain nix.json grit 1
      charforge gain nix.json money 50 --note "Sold the wreck."
      charforge gain nix.json system/robotic --note "The GM rebuilt her."
      charforge gain nix.json vehicle/bike
      charforge gain nix.json companion/drone --random
    """
    before = load_character(file)
    state = before.character.state
    bearer = find_unit(state, unit)
    found = award.find_award(state, what, bearer)
    if isinstance(found, str):
        _refuse_answers(given, answers, "a resource")
        after, real = award.award_resource(
            before, found, 1 if number is None else number, bearer, note
        )
        saved(before, after, file)
        label = state.ruleset.values[found].label
        now = after.character.state.values(bearer.id).read(found)
        gained = f"{label} {real:+d} → {state.ruleset.figure_text(found, now)}"
        console.result(f"  {true_minus(gained)}")
        return
    if found.condition is not None:
        _refuse_answers(given, answers, "a condition")
        _put(before, found, number, note, bearer.id, file)
        return
    made = award.draft_award(state, found, 1 if number is None else number, bearer, note)
    known = answers_options.event_answers(before, made, given, answers, random)
    after = award.award_entity(before, made, known)
    saved(before, after, file)
    _say_gained(before, after)


def _refuse_answers(given: list[str] | None, answers: Path | None, what: str) -> None:
    if given or answers is not None:
        raise UsageError(f"{what} asks nothing", "Leave --with and --answers out.")


def _put(
    before: LoadedCharacter, condition: Entity, number: int | None, note: str, unit: str, file: Path
) -> None:
    """Put a condition on a unit."""
    if note:
        raise UsageError("a condition keeps no note", "Write it with: charforge note FILE TEXT.")
    done = manual_changes.change_condition(before, condition.id, unit, amount=number)
    saved(before, done.after, file)
    for step in done.steps:
        console.result(f"  {step.text}")


def _kind(state: State, holding: Holding) -> str:
    """Return what sort of thing it is, where that is no gear."""
    kind = holding.entity.kind
    gear = kind in state.ruleset.head.gear.kinds
    return "" if gear else f" ({state.ruleset.kinds[kind].label})"


def _say_gained(before: LoadedCharacter, after: LoadedCharacter) -> None:
    """Say what is held now, what it replaced, and which values it changed."""
    old, new = before.character.state, after.character.state
    for holding in new.holdings:
        if old.holding(holding.id) is None:
            console.result(f"  + {lookup.holding_description(new, holding)}{_kind(new, holding)}")
    changes.say_replaced(old, new)
    changes.say_values(old, new)
