"""The commands of play: ``turn``, ``use``, ``damage``, ``rest``, ``roll`` and others."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Annotated, Any, Optional

import typer

from charforge.cli import commands
from charforge.cli.completion import (
    complete_abilities,
    complete_attributes,
    complete_conditions,
    complete_items,
    complete_resources,
    complete_rests,
)
from charforge.cli.help_format import takes_number
from charforge.cli.options import (
    AgainstOption,
    CharacterFile,
    DiceOption,
    InputsOption,
    OverrideOption,
    SetOption,
    UnitOption,
    read_override,
)
from charforge.cli.play_io import PlayCommand, print_inputs
from charforge.cli.play_words import argument_positions
from charforge.cli.signature import ChangeCommand, current_time
from charforge.errors import UsageError
from charforge.language import N_, _
from charforge.replay.loaded_character import load_character
from charforge.verbs import manual_changes, play

app = typer.Typer(add_completion=False)

Amount = Annotated[int, typer.Argument(metavar="AMOUNT", min=0, help=N_("The amount."))]

NEGATIVE_NUMBER = re.compile(r"-[0-9]+")
OPPOSITES = {"award": "spend", "spend": "award", "damage": "heal", "heal": "damage"}


class AmountCommand(ChangeCommand):
    """A command with an amount; for one below 0 it suggests the opposite command.

    Otherwise -3 would be reported as an unknown option. The amount can also stand
    on the other side of what it is of.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments. Raises UsageError if the amount is their only mistake."""
        for index, (previous, word) in enumerate(zip(["", *args], args, strict=False)):
            if NEGATIVE_NUMBER.fullmatch(word) and not previous.startswith("--"):
                positive = [*args[:index], word[1:], *args[index + 1 :]]
                super().parse_args(ctx, list(positive))
                name = str(self.name)
                advice = _opposite_advice(name, ctx.params, positive)
                raise UsageError(_("the amount must be 0 or more"), advice)
        return super().parse_args(ctx, _in_order(self, args))


def _in_order(command: Any, args: list[str]) -> list[str]:
    """Return the words of a command with the amount where the command takes it."""
    taken = [part for part in command.params if part.param_type_name == "argument"][1:]
    positions = argument_positions(command, args)[1:]
    if not len(taken) == len(positions) == 2:
        return args
    first, second = positions
    has_number = [args[at].isdecimal() for at in positions]
    if has_number[::-1] != [takes_number(part) for part in taken]:
        return args
    swapped = list(args)
    swapped[first], swapped[second] = args[second], args[first]
    return swapped


def _opposite_advice(name: str, parameters: dict[str, Any], args: Sequence[str]) -> str:
    """Return the opposite command if it takes the same arguments, otherwise how to undo."""
    if _accepts(OPPOSITES[name], args) and _reversible(parameters):
        return _("Use: {names}").format(names=shlex.join(["charforge", OPPOSITES[name], *args]))
    undo = shlex.join(["charforge", "undo", str(parameters["file"])])
    return _("To undo the last change: {undo}").format(undo=undo)


def _accepts(name: str, args: Sequence[str]) -> bool:
    """Whether a command can parse the arguments."""
    try:
        commands.load(name).make_context(name, list(args))
    except UsageError:
        return False
    return True


def _reversible(parameters: dict[str, Any]) -> bool:
    """Whether the opposite command accepts the resource; damage and healing always have one."""
    what = parameters.get("what")
    return what is None or manual_changes.is_spendable(
        load_character(parameters["file"]), what, parameters.get("unit")
    )


@app.command("turn", cls=ChangeCommand)
def turn(
    file: CharacterFile,
    end: Annotated[bool, typer.Option("--end", help=N_("End the turn instead."))] = False,
    settings: SetOption = None,
    dice: DiceOption = None,
    unit: UnitOption = None,
) -> None:
    """Start a turn: end expired effects and roll cooldowns.

    Companions share the turn of their owner; --unit starts it for one alone.

    \b
    Examples:
      charforge turn nix.json
      charforge turn nix.json --end
      charforge turn nix.json --dice "Focus II=5"
    """
    command = PlayCommand(file, settings, dice)
    command.save(play.start_or_end_turn(command.before, end, unit, command.inputs))


@app.command("use", cls=ChangeCommand)
def use(
    file: CharacterFile,
    ability: Annotated[
        list[str],
        typer.Argument(
            metavar="ABILITY…",
            autocompletion=complete_abilities,
            help=N_("Name or id; the first letters are enough."),
        ),
    ],
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

    You can also run a rule such as a fall by its name; resolve lists them
    all. --inputs lists the options and dice it uses.

    \b
    Examples:
      charforge use nix.json system/focus-i
      charforge use nix.json fall --set metres=6
      charforge use nix.json "auto rifle" --inputs
      charforge use nix.json "auto rifle" --vs 6
      charforge use nix.json move --override "GM: carried by the wind"
      charforge use nix.json bite --unit "land beast" --set opposed=12 --dice own=4,5
    """
    name = " ".join(ability)
    if inputs:
        print_inputs(play.inputs_of_named(load_character(file), name, action, unit))
        return
    command = PlayCommand(file, settings, dice)
    allowed, typed = read_override(override), command.inputs.also(vs=against)
    command.save(
        play.use_named(command.before, name, action, untrained, unit, typed, allowed, granted)
    )


@app.command("damage", cls=AmountCommand)
def damage(
    file: CharacterFile,
    amount: Amount,
    typed_type: Annotated[
        Optional[str], typer.Argument(metavar="[TYPE]", help=N_("The damage type."))
    ] = None,
    option_type: Annotated[
        Optional[str], typer.Option("--type", metavar="TYPE", help=N_("The damage type."))
    ] = None,
    settings: SetOption = None,
    dice: DiceOption = None,
    unit: UnitOption = None,
) -> None:
    """Apply damage and its consequences.

    \b
    Examples:
      charforge damage nix.json 7 --type sharp
      charforge damage nix.json 3 --unit "land beast"
    """
    if typed_type is not None and option_type is not None and typed_type != option_type:
        raise UsageError(
            _("the type is given twice: {typed_type} and {option_type}").format(
                typed_type=typed_type, option_type=option_type
            )
        )
    damage_type = option_type if typed_type is None else typed_type
    command = PlayCommand(file, settings, dice)
    command.save(play.apply_damage(command.before, amount, damage_type, unit, command.inputs))


@app.command("heal", cls=AmountCommand)
def heal(
    file: CharacterFile,
    amount: Amount,
    settings: SetOption = None,
    dice: DiceOption = None,
    unit: UnitOption = None,
) -> None:
    """Restore hit points, up to the maximum.

    \b
    Examples:
      charforge heal nix.json 5
    """
    command = PlayCommand(file, settings, dice)
    command.save(play.apply_healing(command.before, amount, unit, command.inputs))


@app.command("spend", cls=AmountCommand)
def spend(
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
    """Spend a resource, a counter or ammo.

    \b
    Examples:
      charforge spend nix.json energy 2
      charforge spend nix.json ammo 1 --item pistol
      charforge spend nix.json lockdown
    """
    command = PlayCommand(file)
    command.save(manual_changes.spend_resource(command.before, what, amount, unit, item))


@app.command("condition", cls=ChangeCommand)
def condition(
    file: CharacterFile,
    name: Annotated[
        list[str],
        typer.Argument(
            metavar="CONDITION…",
            autocompletion=complete_conditions,
            help=N_("Name or id; the first letters are enough."),
        ),
    ],
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
    """Add a condition to a unit, or remove it.

    \b
    Examples:
      charforge condition nix.json prone
      charforge condition nix.json prone --off
      charforge condition nix.json taunted --about "the sniper"
      charforge condition nix.json regeneration --turns 5
    """
    command = PlayCommand(file)
    command.save(
        manual_changes.change_condition(
            command.before, " ".join(name), unit, off, amount, about, turns
        )
    )


@app.command("rest", cls=ChangeCommand)
def rest(
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
    unit: UnitOption = None,
) -> None:
    """Rest: recover as the rules say.

    Companions rest with their owner.

    \b
    Examples:
      charforge rest nix.json short
      charforge rest nix.json long --hours 3
      charforge rest nix.json full
    """
    command = PlayCommand(file, settings, dice)
    command.save(play.take_rest(command.before, sort, hours, unit, command.inputs))


@app.command("roll", cls=ChangeCommand)
def roll(
    file: CharacterFile,
    score: Annotated[
        str,
        typer.Argument(
            metavar="ATTRIBUTE",
            autocompletion=complete_attributes,
            help=N_("The attribute to roll."),
        ),
    ],
    against: AgainstOption = None,
    settings: SetOption = None,
    dice: DiceOption = None,
    unit: UnitOption = None,
) -> None:
    """Roll a check.

    \b
    Examples:
      charforge roll nix.json str --vs 5
      charforge roll nix.json cha --vs 7 --set helps=1 --set grit=2
    """
    command = PlayCommand(file, settings, dice)
    command.save(play.roll_check(command.before, score, against, unit, command.inputs))


@app.command("note", cls=ChangeCommand)
def note(
    file: CharacterFile,
    text: Annotated[list[str], typer.Argument(metavar="TEXT…", help=N_("The text of the note."))],
    unit: UnitOption = None,
) -> None:
    """Add a note to the history.

    \b
    Examples:
      charforge note nix.json "Owes the ferryman 20."
    """
    command = PlayCommand(file)
    command.save(manual_changes.add_note(command.before, " ".join(text), current_time(), unit))
