"""Gear: ``buy``, ``sell``, ``drop``, ``hold``, ``stow``, ``wear``, ``award``, ``shop``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge import wizard
from charforge.character import gear
from charforge.character.files.events import AcquireEvent, DropEvent
from charforge.character.state import find_unit
from charforge.cli import answers_options, console
from charforge.cli.answers_options import event_answers
from charforge.cli.changes import ChangeCommand, print_differences, save_change
from charforge.cli.completion import complete_awards, complete_for_sale, complete_items
from charforge.cli.console import FrontEnd, front_end_of
from charforge.cli.options import (
    AnswersOption,
    CharacterFile,
    DiceOption,
    NoteOption,
    OverrideOption,
    PriceOption,
    RandomOption,
    SetOption,
    UnitOption,
    WithOption,
    read_override,
    refuse_together,
    verb,
)
from charforge.cli.play_io import PlayCommand, read_typed
from charforge.cli.play_verbs import AmountCommand
from charforge.errors import UsageError
from charforge.language import N_, _
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.verbs import history, inventory, manual_changes
from charforge.verbs.change import refuse_out_of_play
from charforge.verbs.inventory import money_differences, refuse_without_gear

app = typer.Typer(add_completion=False)

QuantityOption = Annotated[
    int, typer.Option("--quantity", "-n", metavar="N", help=N_("The number of items."))
]
OwnedItem = Annotated[
    str,
    typer.Argument(
        metavar="ITEM", autocompletion=complete_items, help=N_("Name or id of the item.")
    ),
]
GrantedOption = Annotated[
    bool, typer.Option("--granted", help=N_("It costs nothing: the GM or an ability allows it."))
]
Items = Annotated[
    Optional[list[str]],
    typer.Argument(
        metavar="ITEM…", autocompletion=complete_items, help=N_("Names or ids of items.")
    ),
]


@app.command(
    "buy",
    cls=verb(
        "FILE torch --quantity 2",
        "FILE tent --with size=4-man",
        "FILE pistol --price 120 --with damage=sharp",
        base=ChangeCommand,
    ),
)
def buy(
    ctx: typer.Context,
    file: CharacterFile,
    item: Annotated[
        Optional[str],
        typer.Argument(
            metavar="ITEM",
            autocompletion=complete_for_sale,
            help=N_("Name or id of the item (see shop)."),
        ),
    ] = None,
    quantity: QuantityOption = 1,
    price: PriceOption = None,
    free: Annotated[bool, typer.Option("--free", help=N_("Pay nothing."))] = False,
    with_options: WithOption = None,
    answers: AnswersOption = None,
    random: RandomOption = False,
    note: NoteOption = "",
    unit: UnitOption = None,
    override: OverrideOption = None,
) -> None:
    """Buy an item, at the list price or another.

    An item without a list price needs --price or --free. Choices such as a
    damage type or a size are given with --with, or you are asked. To browse,
    open the shop.
    """
    refuse_together({"--price": price is not None, "--free": free})
    command = PlayCommand(ctx, file)
    before = command.before
    if item is None:
        raise UsageError(_("name an item"), _("To browse: {command}"), ["shop", str(file)])
    purchase = inventory.read_purchase(
        before, item, quantity, 0 if free else price, note, unit, read_override(override)
    )
    choices = answers_options.event_answers(
        before, purchase.draft(None), with_options, answers, random
    )
    command.save(inventory.buy_item(before, purchase, choices))


@app.command(
    "sell",
    cls=verb(
        "FILE torch", "FILE rations --quantity 3", "FILE pistol --price 60", base=ChangeCommand
    ),
)
def sell(
    ctx: typer.Context,
    file: CharacterFile,
    item: OwnedItem,
    quantity: QuantityOption = 1,
    price: PriceOption = None,
    note: NoteOption = "",
    unit: UnitOption = None,
) -> None:
    """Sell gear, at the list price or another."""
    command = PlayCommand(ctx, file)
    command.save(inventory.sell_item(command.before, item, quantity, price, note, unit))


@app.command(
    "drop",
    cls=verb(
        'FILE torch --note "Dropped it in the shaft."',
        "FILE rations --quantity 2",
        base=ChangeCommand,
    ),
)
def drop(
    ctx: typer.Context,
    file: CharacterFile,
    item: OwnedItem,
    quantity: QuantityOption = 1,
    note: NoteOption = "",
    unit: UnitOption = None,
) -> None:
    """Drop gear or give it away; no money changes hands."""
    command = PlayCommand(ctx, file)
    command.save(inventory.drop_item(command.before, item, quantity, note, unit))


@app.command(
    "hold",
    cls=verb(
        "FILE pistol dagger",
        "FILE warhammer --check",
        "FILE warhammer --check --dice 3,4",
        base=ChangeCommand,
    ),
)
def hold(
    ctx: typer.Context,
    file: CharacterFile,
    items: Items = None,
    check: Annotated[
        bool, typer.Option("--check", help=N_("Roll to lift items that are too heavy."))
    ] = False,
    dice: DiceOption = None,
    settings: SetOption = None,
    granted: GrantedOption = False,
) -> None:
    """Take items in hand, or list the items in hand.

    In combat the rules may limit how often you change what you hold; putting
    items away and taking others in a row is one change.
    """
    command = PlayCommand(ctx, file)
    before = command.before
    if (dice or settings) and not check:
        raise UsageError(_("--dice and --set need --check"), _("Add --check."))
    if not items:
        console.print_lines((f"  {line}",) for line in inventory.hand_lines(before.character.state))
        return
    result = inventory.hold_items(
        before, inventory.named_items(before, items), check, read_typed(settings, dice), granted
    )
    command.save(result)


@app.command("stow", cls=verb("FILE pistol", "FILE --all", base=ChangeCommand))
def stow(
    ctx: typer.Context,
    file: CharacterFile,
    items: Items = None,
    everything: Annotated[bool, typer.Option("--all", help=N_("Put away everything."))] = False,
    granted: GrantedOption = False,
) -> None:
    """Put away items in hand."""
    command = PlayCommand(ctx, file)
    before = command.before
    if bool(items) == everything:
        raise UsageError(_("name what to put away"), _("Name an item, or use --all."))
    named = inventory.named_items(before, items or [])
    command.save(inventory.stow_items(before, named, everything, granted))


@app.command("wear", cls=verb('FILE "leather armour" shield', "FILE", base=ChangeCommand))
def wear(ctx: typer.Context, file: CharacterFile, items: Items = None) -> None:
    """Put on items, or list what is worn."""
    command = PlayCommand(ctx, file)
    before = command.before
    if not items:
        console.print_result(f"  {inventory.worn_line(before.character.state)}")
        return
    named = inventory.named_items(before, items)
    command.save(inventory.wear_items(before, named))


@app.command("take-off", cls=verb("FILE shield", "FILE --all", base=ChangeCommand))
def take_off(
    ctx: typer.Context,
    file: CharacterFile,
    items: Items = None,
    everything: Annotated[bool, typer.Option("--all", help=N_("Take off everything."))] = False,
) -> None:
    """Take off items that are worn."""
    command = PlayCommand(ctx, file)
    before = command.before
    if bool(items) == everything:
        raise UsageError(_("name what to take off"), _("Name an item, or use --all."))
    named = inventory.named_items(before, items or [])
    command.save(inventory.take_off_items(before, named, everything))


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
    """Award something: a resource, money, an item, a condition.

    An award takes no Slot. A resource stays within its limits.
    """
    command = PlayCommand(ctx, file)
    before = command.before
    state = before.character.state
    bearer = find_unit(state, unit)
    if what.isdecimal() and number is None:
        resource = manual_changes.usual_resource(state, bearer)
        raise UsageError(
            _("{what} of what?").format(what=what),
            _("For example: {command}"),
            ["award", str(file), resource, what],
        )
    found = manual_changes.find_award(state, what, bearer)
    if isinstance(found, str):
        _refuse_options(with_options, answers, override, "a resource")
    elif found.condition is not None:
        _refuse_options(with_options, answers, override, "a condition")
    result = manual_changes.award(
        before, found, number, bearer.id, note, read_override(override),
        lambda draft: event_answers(before, draft, with_options, answers, random),
    )  # fmt: skip
    command.save(result)


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


@app.command("shop", cls=ChangeCommand)
def shop(ctx: typer.Context, file: CharacterFile) -> None:
    """Open the shop: browse, compare, buy and sell gear.

    Each purchase and sale is saved immediately. Without a terminal, use buy
    and sell.

    \b
    Examples:
      charforge shop nix.json
    """
    before = load_character(file)
    refuse_without_gear(before.ruleset)
    if not console.is_interactive():
        raise UsageError(
            _("the shop needs a terminal"),
            _("Buy an item by its name: {command}"),
            ["buy", str(file), "ITEM"],
        )
    if gear.money(before.character.state) is None:
        advice = _("Use award and drop instead.")
        raise UsageError(_("{name} has no money").format(name=before.ruleset.head.name), advice)
    refuse_out_of_play(before)
    visit = wizard.shop.Shop(before, file, save_change)
    try:
        visit.run()
    except KeyboardInterrupt:
        console.say(_("Everything bought and sold is saved."))
        _print_summary(front_end_of(ctx), before, visit.loaded, file)
        raise typer.Exit(130) from None
    _print_summary(front_end_of(ctx), before, visit.loaded, file)


def _print_summary(
    front_end: FrontEnd, before: LoadedCharacter, after: LoadedCharacter, file: Path
) -> None:
    """Print each purchase and sale in order, and the money before and after them."""
    new_events = after.document.log[len(before.document.log) :]
    trades = [event for event in new_events if isinstance(event, AcquireEvent | DropEvent)]
    console.print_result(front_end.about(file, before.document.name))
    for entry in history.entries_of(after, trades):
        console.print_wrapped(entry.text, "    ", "  ")
    if trades:
        money = money_differences(before.character.state, after.character.state)
        print_differences(money, after.ruleset)
    else:
        console.print_result(_("  nothing was bought or sold"))
