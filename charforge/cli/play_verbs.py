"""The commands of play: ``turn``, ``use``, ``damage``, ``rest``, ``roll`` and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Optional

import typer

from charforge.character.state import find_unit
from charforge.cli import commands, console
from charforge.cli.changes import ChangeCommand, current_time
from charforge.cli.completion import (
    complete_abilities,
    complete_attributes,
    complete_conditions,
    complete_items,
    complete_resources,
    complete_rests,
)
from charforge.cli.options import (
    NEGATIVE_NUMBER,
    AgainstOption,
    CharacterFile,
    DiceOption,
    InputsOption,
    OverrideOption,
    SetOption,
    UnitOption,
    read_override,
    verb,
)
from charforge.cli.play_io import PlayCommand, print_inputs
from charforge.cli.session.screens import ability_lines, condition_lines
from charforge.errors import UsageError
from charforge.language import N_, _, page
from charforge.replay.loaded_character import load_character
from charforge.rules.models import Procedure
from charforge.verbs import manual_changes, play
from charforge.verbs.typed_inputs import CommandInputs
from charforge.verbs.unit_status import ability_rows, named_or_numbered

app = typer.Typer(add_completion=False)

AmountArgument = Annotated[int, typer.Argument(metavar="AMOUNT", help=N_("The amount."))]

OPPOSITE_VERBS = {"award": "spend", "spend": "award", "damage": "heal", "heal": "damage"}


class AmountCommand(ChangeCommand):
    """A command with an amount; for one below 0 it suggests the opposite command.

    Otherwise -3 would be reported as an unknown option.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments. Raises UsageError if the amount is their only mistake."""
        for index, (previous, word) in enumerate(zip(["", *args], args, strict=False)):
            if NEGATIVE_NUMBER.fullmatch(word) and not previous.startswith("--"):
                positive = [*args[:index], word[1:], *args[index + 1 :]]
                super().parse_args(ctx, list(positive))
                opposite = [OPPOSITE_VERBS[str(self.name)], *positive]
                if _accepts(opposite, ctx) and _reversible(ctx.params):
                    advice, command = _("Use: {command}"), opposite
                else:
                    advice = _("To undo the last change: {command}")
                    command = ["undo", str(ctx.params["file"])]
                raise UsageError(_("the amount must be at least 1"), advice, command)
        return super().parse_args(ctx, args)


def _accepts(words: Sequence[str], ctx: Any) -> bool:
    """Return whether a command can parse the words after it."""
    name, *args = words
    try:
        commands.load(name).make_context(name, args, obj=ctx.obj)
    except UsageError:
        return False
    return True


def _reversible(parameters: dict[str, Any]) -> bool:
    """Return whether the opposite command accepts the resource; yes for damage and healing."""
    what = parameters.get("what")
    with page():  # nothing is shown of the character
        return what is None or manual_changes.is_spendable(
            load_character(parameters["file"]), what, parameters.get("unit")
        )


def _print_inputs(command: PlayCommand, rule: Procedure, unit: str | None) -> None:
    """Print the options and dice of the rule behind a verb."""
    print_inputs(play.inputs_of_procedure(command.before, rule, unit))


@app.command(
    "turn",
    cls=verb(
        "FILE", "FILE end", 'FILE --dice "Focus II=5"', base=ChangeCommand, ending="[start|end]"
    ),
)
def turn(
    ctx: typer.Context,
    file: CharacterFile,
    end: Annotated[bool, typer.Option("--end/--start", help=N_("End the turn instead."))] = False,
    settings: SetOption = None,
    dice: DiceOption = None,
    inputs: InputsOption = False,
    unit: UnitOption = None,
) -> None:
    """Start a turn: end expired effects and roll cooldowns.

    Companions share the turn of their owner; --unit starts it for one alone.
    """
    command = PlayCommand(ctx, file, settings, dice)
    if inputs:
        _print_inputs(command, play.turn_rule(command.before, end), unit)
        return
    command.save(play.start_or_end_turn(command.before, end, unit, command.inputs))


@app.command(
    "use",
    cls=verb(
        "FILE focus",
        "FILE pistol 8",
        "FILE pistol vs 8 aim=1",
        "FILE fall metres=6",
        "FILE unarmed inputs",
        'FILE move --override "GM: carried by the wind"',
        'FILE bite --unit "land beast" opposed=12 own=4,5',
        base=ChangeCommand,
    ),
)
def use(
    ctx: typer.Context,
    file: CharacterFile,
    ability: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="[ABILITY…]",
            autocompletion=complete_abilities,
            help=N_(
                "Name, number or id; the first letters are enough. Without it, all are listed."
            ),
        ),
    ] = None,
    action: Annotated[
        Optional[str],
        typer.Option("--action", metavar="NAME", help=N_("Which action, if there are several.")),
    ] = None,
    untrained: Annotated[
        bool, typer.Option("--untrained", help=N_("Use it without Training, at the extra cost."))
    ] = False,
    granted: Annotated[
        bool,
        typer.Option(
            "--granted", help=N_("Another ability grants it: it costs none of your Actions.")
        ),
    ] = False,
    override: OverrideOption = None,
    against: AgainstOption = None,
    settings: SetOption = None,
    dice: DiceOption = None,
    inputs: InputsOption = False,
    unit: UnitOption = None,
) -> None:
    """Use an action or attack: pay its cost and apply its effects.

    A weapon that is not in hand is taken in hand first if you agree. You can
    also run a rule such as a fall by its name; resolve lists them all.
    --inputs lists the options and dice it uses.
    """
    if not ability:
        state = load_character(file).character.state
        console.print_lines(ability_lines(ability_rows(state, find_unit(state, unit).id)))
        return
    command = PlayCommand(ctx, file, settings, dice)
    name, action = named_or_numbered(command.before.character.state, ability, action, unit)
    if inputs:
        usable = play.find_usable(command.before, name, action, unit)
        print_inputs(play.inputs_of(command.before, usable))
        return
    usable = play.find_usable_with_input(command.before, name, action, unit)
    terms = play.UseTerms(untrained, read_override(override), granted)
    typed = command.inputs.also(**usable.input).of_command(CommandInputs(vs=against))
    item = play.item_to_take(command.before.character.state, usable)
    command.save(play.use(command.offer_to_hold(item), usable, typed, terms))


@app.command(
    "damage",
    cls=verb(
        "FILE 7", "FILE 7 sharp", "FILE 7 inputs", 'FILE 3 --unit "land beast"', base=AmountCommand
    ),
)
def damage(
    ctx: typer.Context,
    file: CharacterFile,
    amount: AmountArgument,
    typed_type: Annotated[
        Optional[str], typer.Argument(metavar="[TYPE]", help=N_("The damage type."))
    ] = None,
    option_type: Annotated[
        Optional[str], typer.Option("--type", metavar="TYPE", help=N_("The damage type."))
    ] = None,
    settings: SetOption = None,
    dice: DiceOption = None,
    inputs: InputsOption = False,
    unit: UnitOption = None,
) -> None:
    """Apply damage and its consequences.

    --inputs lists the options and dice it uses.
    """
    if typed_type is not None and option_type is not None and typed_type != option_type:
        raise UsageError(
            _("the type is given twice: {typed_type} and {option_type}").format(
                typed_type=typed_type, option_type=option_type
            )
        )
    damage_type = option_type if typed_type is None else typed_type
    command = PlayCommand(ctx, file, settings, dice)
    if inputs:
        _print_inputs(command, play.damage_rule(command.before), unit)
        return
    command.save(play.apply_damage(command.before, amount, damage_type, unit, command.inputs))


@app.command("heal", cls=verb("FILE 5", base=AmountCommand))
def heal(
    ctx: typer.Context,
    file: CharacterFile,
    amount: AmountArgument,
    settings: SetOption = None,
    dice: DiceOption = None,
    inputs: InputsOption = False,
    unit: UnitOption = None,
) -> None:
    """Restore hit points, up to the maximum.

    --inputs lists the options and dice it uses.
    """
    command = PlayCommand(ctx, file, settings, dice)
    if inputs:
        _print_inputs(command, play.healing_rule(command.before), unit)
        return
    command.save(play.apply_healing(command.before, amount, unit, command.inputs))


@app.command(
    "spend",
    cls=verb("FILE energy 2", "FILE ammo 1 --item pistol", "FILE lockdown", base=AmountCommand),
)
def spend(
    ctx: typer.Context,
    file: CharacterFile,
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            autocompletion=complete_resources,
            help=N_("A resource, a counter or ammo."),
        ),
    ],
    amount: Annotated[int, typer.Argument(metavar="[AMOUNT]", help=N_("The amount."))] = 1,
    item: Annotated[
        Optional[str],
        typer.Option(
            "--item",
            metavar="ITEM",
            autocompletion=complete_items,
            help=N_("The item that holds it."),
        ),
    ] = None,
    unit: UnitOption = None,
) -> None:
    """Spend a resource, a counter or ammo."""
    command = PlayCommand(ctx, file)
    command.save(manual_changes.spend_resource(command.before, what, amount, unit, item))


@app.command(
    "condition",
    cls=verb(
        "FILE prone",
        "FILE prone off",
        'FILE taunted --about "the sniper"',
        "FILE regeneration --turns 5",
        base=ChangeCommand,
        ending="[off]",
    ),
)
def condition(
    ctx: typer.Context,
    file: CharacterFile,
    name: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="[CONDITION…]",
            autocompletion=complete_conditions,
            help=N_("Name or id; without it, all are listed."),
        ),
    ] = None,
    off: Annotated[bool, typer.Option("--off", help=N_("Remove the condition."))] = False,
    amount: Annotated[
        Optional[int],
        typer.Option("--amount", metavar="N", help=N_("The amount, if the condition has one.")),
    ] = None,
    about: Annotated[
        str, typer.Option("--about", metavar="WHO", help=N_("Who or what it refers to."))
    ] = "",
    turns: Annotated[
        Optional[int],
        typer.Option("--turns", metavar="N", help=N_("How many turns it lasts, if not as usual.")),
    ] = None,
    unit: UnitOption = None,
) -> None:
    """Add a condition to a unit, or remove it."""
    if not name:
        state = load_character(file).character.state
        bearer = find_unit(state, unit)
        of_unit = [] if unit is None else ["--unit", state.unit_word(bearer)]
        words = ["condition", str(file), *of_unit, "NAME"]
        add = console.front_end_of(ctx).command_line(words)
        console.print_lines(condition_lines(state, bearer.id, add))
        return
    command = PlayCommand(ctx, file)
    command.save(
        manual_changes.change_condition(
            command.before, " ".join(name), unit, off, amount, about, turns
        )
    )


@app.command("rest", cls=verb("FILE short", "FILE long --hours 3", "FILE full", base=ChangeCommand))
def rest(
    ctx: typer.Context,
    file: CharacterFile,
    sort: Annotated[
        Optional[str],
        typer.Argument(
            metavar="[REST]",
            autocompletion=complete_rests,
            help=N_("The kind of rest; without it, they are listed."),
        ),
    ] = None,
    hours: Annotated[
        Optional[int], typer.Option("--hours", metavar="N", min=1, help=N_("Duration in hours."))
    ] = None,
    settings: SetOption = None,
    dice: DiceOption = None,
    inputs: InputsOption = False,
    unit: UnitOption = None,
) -> None:
    """Rest: recover as the rules say.

    Companions rest with their owner.
    """
    command = PlayCommand(ctx, file, settings, dice)
    if inputs:
        _print_inputs(command, play.rest_rule(command.before, sort), unit)
        return
    command.save(play.take_rest(command.before, sort, hours, unit, command.inputs))


@app.command(
    "roll",
    cls=verb(
        "FILE str 5",
        "FILE str vs 5",
        "FILE cha 7 helps=1 grit=2",
        "FILE cha inputs",
        base=ChangeCommand,
    ),
)
def roll(
    ctx: typer.Context,
    file: CharacterFile,
    score: Annotated[
        Optional[str],
        typer.Argument(
            metavar="[ATTRIBUTE]",
            autocompletion=complete_attributes,
            help=N_("The attribute to roll; without it, they are listed."),
        ),
    ] = None,
    against: AgainstOption = None,
    settings: SetOption = None,
    dice: DiceOption = None,
    inputs: InputsOption = False,
    unit: UnitOption = None,
) -> None:
    """Roll a check.

    --inputs lists the options and dice it uses.
    """
    command = PlayCommand(ctx, file, settings, dice)
    if inputs:
        _print_inputs(command, play.check_rule(command.before), unit)
        return
    command.save(play.roll_check(command.before, score, against, unit, command.inputs))


@app.command(
    "note", cls=verb('FILE "Owes the ferryman 20."', base=ChangeCommand, plain_words=False)
)
def note(
    ctx: typer.Context,
    file: CharacterFile,
    text: Annotated[list[str], typer.Argument(metavar="TEXT…", help=N_("The text of the note."))],
    unit: UnitOption = None,
) -> None:
    """Add a note to the history."""
    command = PlayCommand(ctx, file)
    command.save(manual_changes.add_note(command.before, " ".join(text), current_time(), unit))
