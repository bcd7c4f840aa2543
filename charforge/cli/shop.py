"""The shop in the terminal, and the summary of what was bought and sold there."""

from __future__ import annotations

from pathlib import Path

import typer

from charforge.character import gear
from charforge.character.events import AcquireEvent, PartEvent
from charforge.cli import console
from charforge.cli.signature import save_change
from charforge.errors import UsageError
from charforge.replay.loaded_character import LoadedCharacter
from charforge.usecases import history, inventory, unit_status
from charforge.wizard.shop import Shop


def open_shop(before: LoadedCharacter, file: Path) -> None:
    """Open the shop in the terminal, then print purchases, sales and the change of money."""
    if gear.money(before.character.state) is None:
        raise UsageError(f"{before.ruleset.head.name} has no money", "Use gain and part instead.")
    unit_status.refuse_out_of_play(before)
    shop = Shop(before, file, save_change)
    try:
        shop.run()
    except KeyboardInterrupt:
        console.say("Everything bought and sold is saved.")
        _print_summary(before, shop.loaded, file)
        raise typer.Exit(130) from None
    _print_summary(before, shop.loaded, file)


def _print_summary(before: LoadedCharacter, after: LoadedCharacter, file: Path) -> None:
    """Print each purchase and sale in order, and the money before and after them."""
    new_events = after.document.log[len(before.document.log) :]
    trades = [event for event in new_events if isinstance(event, AcquireEvent | PartEvent)]
    console.print_result(f"{file}: {before.document.name}")
    for entry in history.entries_of(after, trades):
        console.print_result(f"  {entry.text}")
    label = before.ruleset.values[before.ruleset.head.gear.money or ""].label
    was, now = gear.money(before.character.state), gear.money(after.character.state)
    if trades:
        console.print_result(f"  {label} {was} → {inventory.money_text(before.ruleset, now or 0)}")
    else:
        console.print_result("  nothing was bought or sold")
