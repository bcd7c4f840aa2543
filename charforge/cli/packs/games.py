"""``games``: the installed games, with what each is and what it has."""

from __future__ import annotations

import textwrap
from collections import Counter

import typer

from charforge.cli import console
from charforge.cli.json_output import print_json
from charforge.cli.messages import error_message
from charforge.cli.options import AsJson, Command
from charforge.decisions.base import MenuItem
from charforge.errors import PackError
from charforge.json_model import JsonModel
from charforge.language import _
from charforge.rules.loading import loader
from charforge.rules.ruleset import Ruleset

app = typer.Typer(add_completion=False)

KINDS_SHOWN = 5
WIDTH = 78  # columns of text


@app.command("games", cls=Command)
def games(as_json: AsJson = False) -> None:
    """List the games you can create characters for.

    \b
    Examples:
      charforge games
      charforge games --json
      charforge new --ruleset squad-d20
    """
    loaded = list(installed_games())
    default = loader.default_ruleset()
    if as_json:
        print_json(_game_json(game, default) for game in loaded)
        return
    for game in loaded:
        usual = _(", the default") if game.id == default else ""
        console.print_result(f"{game.head.name} ({game.id}{usual})")
        for text in filter(None, (game.head.text, _contents_text(game))):
            lines = textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
            console.print_result("\n".join(lines))
    console.say(_("To create a character: charforge new --ruleset GAME"))


def installed_games() -> list[Ruleset]:
    """Return the installed games, the usual one first; those that cannot be read are reported."""
    default = loader.default_ruleset()
    games = []
    for name in sorted(loader.available(), key=lambda name: (name != default, name)):
        try:
            games.append(loader.load(name))
        except PackError as error:
            console.say(f"{name}: {error_message(error)}")
    return games


def ask_game() -> str | None:
    """Ask for one of the installed games and return its id; None if there is only one.

    Esc ends the program.
    """
    games = installed_games()
    if len(games) < 2:
        return None
    # Here, because most commands ask nothing, and prompts take long to import.
    from charforge.cli.prompt import choose

    items = [MenuItem(game.id, game.head.name, about=game.head.text) for game in games]
    chosen: str | None = choose(_("Which game?"), items)
    if chosen is None:
        raise typer.Exit(0)
    return chosen


def _contents(game: Ruleset) -> dict[str, int]:
    """Return how many entries each kind has, by its plural; kinds with one entry are left out."""
    numbers = Counter(entity.kind for entity in game.entities.values())
    return {kind.plural: numbers[kind.id] for kind in game.kinds.values() if numbers[kind.id] > 1}


def _contents_text(game: Ruleset) -> str:
    maximum = game.head.advancement.maximum
    levels = _("No levels")
    if maximum > 1:
        levels = _("Levels {first} to {last}").format(
            first=game.head.advancement.first, last=game.head.advancement.number(maximum)
        )
    first_kinds = list(_contents(game).items())[:KINDS_SHOWN]
    return ", ".join([levels, *(f"{number} {plural}" for plural, number in first_kinds)]) + "."


class GameJson(JsonModel):
    """An installed game in the output of ``games --json``; ``entries`` are numbers by kind."""

    id: str
    name: str
    version: str
    text: str
    default: bool
    levels: int
    entries: dict[str, int]


def _game_json(game: Ruleset, default: str) -> GameJson:
    return GameJson(
        id=game.id,
        name=game.head.name,
        version=game.head.version,
        text=game.head.text,
        default=game.id == default,
        levels=game.head.advancement.maximum,
        entries=_contents(game),
    )
