"""``shop``: the shop in the terminal, and the summary of what was bought and sold there."""

from __future__ import annotations

from pathlib import Path

import typer

from charforge.character import gear
from charforge.character.events import AcquireEvent, PartEvent
from charforge.cli import console
from charforge.cli.options import CharacterFile
from charforge.cli.signature import ChangeCommand, save_change
from charforge.errors import UsageError
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.usecases import history, inventory
from charforge.usecases.change import refuse_out_of_play

app = typer.Typer(add_completion=False)


@app.command("shop", cls=ChangeCommand)
def shop(file: CharacterFile) -> None:
    """Open the shop: browse, compare, buy and sell gear.

    Each purchase and sale is saved immediately. Without a terminal, use buy
    and sell.

    \b
    Examples:
      charforge shop nix.json
    """
    before = load_character(file)
    if not console.is_interactive():
        path = console.quoted(file)
        raise UsageError(
            _("the shop needs a terminal"),
            _("Buy an item by its name: charforge buy {path} ITEM.").format(path=path),
        )
    if gear.money(before.character.state) is None:
        advice = _("Use award and drop instead.")
        raise UsageError(_("{name} has no money").format(name=before.ruleset.head.name), advice)
    refuse_out_of_play(before)
    # Here, because only an open shop needs prompts, which take long to import.
    from charforge.wizard.shop import Shop

    visit = Shop(before, file, save_change)
    try:
        visit.run()
    except KeyboardInterrupt:
        console.say(_("Everything bought and sold is saved."))
        _print_summary(before, visit.loaded, file)
        raise typer.Exit(130) from None
    _print_summary(before, visit.loaded, file)


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
        console.print_result(_("  nothing was bought or sold"))
