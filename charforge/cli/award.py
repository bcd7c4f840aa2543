"""``award``: an award of the GM, such as a System, money or a vehicle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.character.state import State
from charforge.cli import changes, console
from charforge.cli.answers_options import event_answers
from charforge.cli.completion import complete_awards
from charforge.cli.options import (
    AnswersOption,
    CharacterFile,
    NoteOption,
    OverrideOption,
    RandomOption,
    UnitOption,
    WithOption,
    read_override,
    verb,
)
from charforge.cli.play_io import save_and_print
from charforge.cli.play_verbs import AmountCommand
from charforge.describe.differences import state_differences
from charforge.errors import FILE, UsageError
from charforge.language import N_, _
from charforge.replay.loaded_character import load_character
from charforge.verbs import awards, lookup, manual_changes
from charforge.verbs.names import find_unit

app = typer.Typer(add_completion=False)


@app.command(
    "award",
    cls=verb(
        "FILE grit 1",
        'FILE money 50 --note "Sold the wreck."',
        'FILE system/robotic --note "The GM rebuilt her."',
        "FILE vehicle/bike",
        "FILE companion/drone --random",
        base=AmountCommand,
    ),
)
def award(
    ctx: typer.Context,
    file: CharacterFile,
    what: Annotated[
        str,
        typer.Argument(
            metavar="THING",
            autocompletion=complete_awards,
            help=N_("Anything in the catalog, a resource or a condition."),
        ),
    ],
    number: Annotated[Optional[int], typer.Argument(metavar="N", help=N_("The amount."))] = None,
    with_options: WithOption = None,
    answers: AnswersOption = None,
    random: RandomOption = False,
    note: NoteOption = "",
    unit: UnitOption = None,
    override: OverrideOption = None,
) -> None:
    """Award something: a System, Grit, money, a vehicle.

    An award takes no Slot. A resource stays within its limits.
    """
    before = load_character(file)
    state = before.character.state
    bearer = find_unit(state, unit)
    if what.isdecimal() and number is None:
        resource = awards.usual_resource(state, bearer)
        raise UsageError(
            _("{what} of what?").format(what=what),
            _("For example: {command}"),
            ["award", str(file), resource, what],
        )
    found = awards.find_award(state, what, bearer)
    amount = 1 if number is None else number
    if isinstance(found, str):
        _refuse_options(with_options, answers, override, "a resource")
        after = awards.award_resource(before, found, amount, bearer, note)
        save_and_print(ctx, before, after, file)
        changes.print_differences(state_differences(state, after.character.state), state.ruleset)
    elif found.condition is not None:
        _refuse_options(with_options, answers, override, "a condition")
        if note:
            raise UsageError(
                _("a condition cannot have a note"), _("Use: {command}"), ["note", FILE, "TEXT"]
            )
        result = manual_changes.change_condition(before, found.id, bearer.id, amount=number)
        save_and_print(ctx, before, result.after, file)
        for step in result.steps:
            console.print_result(f"  {step.text}")
    else:
        allowed = read_override(override)
        draft = awards.draft_award(state, found, amount, bearer, note, allowed)
        if allowed is None:
            awards.refuse_unfit(state, found, bearer)
        after = awards.award_entity(
            before, draft, event_answers(before, draft, with_options, answers, random)
        )
        save_and_print(ctx, before, after, file)
        _print_awarded(state, after.character.state)


def _refuse_options(
    with_options: list[str] | None, answers: Path | None, override: str | None, what: str
) -> None:
    """Raise UsageError for options that are only for things."""
    if override is not None:
        raise UsageError(
            _("{what} needs no permission").format(what=what), _("Leave out --override.")
        )
    if with_options or answers is not None:
        raise UsageError(
            _("{what} has no choices to make").format(what=what),
            _("Leave out --with and --answers."),
        )


def _print_awarded(old: State, new: State) -> None:
    """Print the holdings gained with their choices (and kind, except for gear), and the rest."""
    for holding in new.holdings:
        if old.holding(holding.id) is None:
            kind = holding.entity.kind
            is_gear = kind in new.ruleset.head.gear.kinds
            label = "" if is_gear else f" ({new.ruleset.kinds[kind].label})"
            console.print_result(f"  + {lookup.holding_description(new, holding)}{label}")
    changed = (d for d in state_differences(old, new) if d.old is not None)
    changes.print_differences(changed, new.ruleset)
