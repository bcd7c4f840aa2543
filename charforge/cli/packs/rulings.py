"""``catalog rulings``: what we decided where a book is unclear."""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from charforge.cli import console
from charforge.cli.completion import complete_rulings
from charforge.cli.console import print_json
from charforge.cli.options import AsJson, Command, PackOption, RulesetOption
from charforge.cli.packs.campaign_defaults import choose_game
from charforge.cli.packs.catalog_entries import list_rulings
from charforge.errors import UnknownId
from charforge.language import N_, _

app = typer.Typer(add_completion=False)


@app.command("rulings", cls=Command)
def rulings(
    id: Annotated[
        Optional[str],
        typer.Argument(
            metavar="[RULING]", autocompletion=complete_rulings, help=N_("The number of a ruling.")
        ),
    ] = None,
    ruleset: RulesetOption = None,
    pack: PackOption = None,
    as_json: AsJson = False,
) -> None:
    """Show our rulings where the book is unclear, and the alternatives.

    \b
    Examples:
      charforge catalog rulings
      charforge catalog rulings D18
    """
    loaded = choose_game(ruleset, pack).ruleset
    shown_rulings = list(loaded.rulings.values())
    if id is not None:
        if id.upper() not in loaded.rulings:
            raise UnknownId(_("ruling of {name}").format(name=loaded.head.name), id, loaded.rulings)
        shown_rulings = [loaded.rulings[id.upper()]]
    if as_json:
        print_json(shown_rulings)
        return
    list_rulings(shown_rulings, loaded, console.rich_console())
