"""``shop``: browse, compare, buy and sell gear in a terminal."""

from __future__ import annotations

from pathlib import Path

import typer

from charforge.character import gear
from charforge.character.files.events import AcquireEvent, DropEvent
from charforge.cli import console
from charforge.cli.changes import ChangeCommand, print_differences, save_change
from charforge.cli.console import FrontEnd, front_end_of
from charforge.cli.options import CharacterFile
from charforge.errors import UsageError
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.verbs import history
from charforge.verbs.change import refuse_out_of_play
from charforge.verbs.inventory import money_differences
from charforge.wizard.shop import Shop

app = typer.Typer(add_completion=False)


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
    visit = Shop(before, file, save_change)
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
