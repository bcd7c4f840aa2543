"""``games``, ``catalog list``, ``search``, ``show`` and ``rulings``: the contents of rulesets."""

from __future__ import annotations

import json
import re
import textwrap
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from charforge.cli import console, terminal
from charforge.cli.completion import (
    complete_entities,
    complete_games,
    complete_kinds,
    complete_rulings,
)
from charforge.cli.console import print_json
from charforge.cli.messages import error_message
from charforge.cli.options import AsJson, Command, PackOption, RulesetOption
from charforge.cli.packs.campaign_defaults import choose_game
from charforge.errors import PackError, UnknownId, UsageError, nearest, shorten
from charforge.export.show_json import entity_json
from charforge.json_model import JsonModel
from charforge.language import N_, _
from charforge.packs.install import load_checked
from charforge.rules.loading import loader
from charforge.rules.loading.loader import read_ruleset
from charforge.rules.loading.parser import PackReader
from charforge.rules.loading.patches import patch_paths
from charforge.rules.models import Entity
from charforge.rules.names import exact_matches, original
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


BARE_WORDS = re.compile(r"[\w/-]+(?: [\w/-]+)*")  # words that need no quotes in YAML


def _load(ruleset: str | None, packs: list[str] | None) -> Ruleset:
    return choose_game(ruleset, packs).ruleset


def _read(ruleset: str | None, packs: list[str] | None) -> tuple[PackReader, Ruleset]:
    """Return the files of a game and its rules; of an author's own folder as it is now."""
    folder = Path(ruleset or ".")
    is_own = any((folder / name).is_file() for name in (loader.HEAD, loader.PACK))
    if is_own and not packs and ruleset not in loader.available():
        _name, reader, game = load_checked(folder, partly=True)
        return reader, game
    game = _load(ruleset, packs)
    reader, _loaded = read_ruleset(game.id, [used.id for used in game.packs])
    return reader, game


@app.command("list", cls=Command)
def list_(
    ruleset: Annotated[
        Optional[str],
        typer.Argument(
            metavar="[GAME]", autocompletion=complete_games, help=N_("The game (see games).")
        ),
    ] = None,
    kind: Annotated[
        Optional[str],
        typer.Option(
            metavar="KIND", autocompletion=complete_kinds, help=N_("Only entries of this kind.")
        ),
    ] = None,
    named: RulesetOption = None,
    pack: PackOption = None,
    as_json: AsJson = False,
) -> None:
    """List everything in a ruleset, or one kind.

    \b
    Examples:
      charforge catalog list
      charforge catalog list capital --kind system
      charforge catalog list capital --kind equipment --json
      charforge catalog list --pack house-rules
    """
    if ruleset is not None and named is not None:
        raise UsageError(_("the game appears twice"), _("Name it only once."))
    loaded = _load(named if ruleset is None else ruleset, pack)
    if kind is not None and kind not in loaded.kinds:
        raise UnknownId(_("kind in {name}").format(name=loaded.head.name), kind, loaded.kinds)
    entities = [entity for entity in loaded.entities.values() if kind in (None, entity.kind)]
    _print_entities(entities, loaded, as_json)


@app.command("search", cls=Command)
def search(
    words: Annotated[
        list[str], typer.Argument(metavar="WORD…", help=N_("Words to look for; all must occur."))
    ],
    ruleset: RulesetOption = None,
    pack: PackOption = None,
    as_json: AsJson = False,
) -> None:
    """Search names and texts.

    \b
    Examples:
      charforge catalog search overwatch
      charforge catalog search regain energy --json
    """
    loaded = _load(ruleset, pack)
    folded_words = [word.casefold() for word in words]
    matches = [
        entity
        for entity in loaded.entities.values()
        if all(word in _searched_text(entity) for word in folded_words)
    ]
    _print_entities(matches, loaded, as_json)
    if not matches:
        names = [entity.name for entity in loaded.entities.values()]
        near = nearest(" ".join(words), names)
        console.say(
            _("Nothing found with all these words. Did you mean {nearest}?").format(nearest=near)
            if near
            else _("Nothing found with all these words.")
        )
        raise typer.Exit(1)


def _searched_text(entity: Entity) -> str:
    texts = [entity.id, entity.name, original(entity.name), *entity.aliases]
    texts += [entity.text, *entity.tags]
    for action in entity.actions:
        texts += [action.name, action.limit, action.trigger, action.who, action.text]
        texts += action.results.values()
    for attack in entity.attacks:
        texts += [attack.name, attack.who, attack.text, attack.crit.effect if attack.crit else ""]
        texts += [note.text for note in attack.notes]
    for question in (*entity.choices, *entity.each_level):
        texts.append(question.label)
        texts += [part for one in question.listed_options for part in (one.label, one.text)]
    return " ".join(texts).casefold()


def _print_entities(entities: list[Entity], ruleset: Ruleset, as_json: bool) -> None:
    if as_json:
        print_json(entity_json(entity, ruleset) for entity in entities)
        return
    terminal.rules.list_entities(entities, ruleset, terminal.screen.rich_console())


@app.command("show", cls=Command)
def show(
    id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            autocompletion=complete_entities,
            help=N_("An id such as system/focus-i, or a name."),
        ),
    ],
    ruleset: RulesetOption = None,
    pack: PackOption = None,
    as_json: AsJson = False,
) -> None:
    """Show one entry: effects, source and rulings.

    \b
    Examples:
      charforge catalog show system/focus-ii
      charforge catalog show "Auto Rifle"
      charforge catalog show capital:role/the-tank --json
    """
    scope, colon, rest = id.partition(":")
    game = choose_game(scope if colon else ruleset, pack)
    loaded = game.ruleset
    entity = _find_entity(loaded, rest if colon else id)
    if as_json:
        print_json(entity_json(entity, loaded))
        return
    terminal.rules.show_entity(entity, loaded, terminal.screen.rich_console(), game.rules)


@app.command("paths", cls=Command)
def paths(
    id: Annotated[
        str,
        typer.Argument(metavar="ID", autocompletion=complete_entities, help=N_("An id or a name.")),
    ],
    ruleset: RulesetOption = None,
    pack: PackOption = None,
    as_json: AsJson = False,
) -> None:
    """List the paths into a part of the game, for the `at` of a patch.

    A part is an entity, a procedure, a chart, a ruling, or `ruleset` for ruleset.yaml. Each
    line is a path and the keys that a patch can set, drop or add to there. In the folder of
    a game or pack that you write, its own parts are listed; --ruleset takes such a folder, too.

    \b
    Examples:
      charforge catalog paths equipment/standard-pistol
      charforge catalog paths "Standard Pistol" --json
      charforge catalog paths ruleset
    """
    reader, game = _read(ruleset, pack)
    known = {at: part for at, part in reader.all_parts() if at[-1] == id}
    if not known:
        entity = _find_entity(game, id)
        known = {(entity.id,): reader.written(entity.id)}
    parts = [
        (path, keys) for at, part in known.items() for path, keys in patch_paths(part, at) if keys
    ]
    if as_json:
        print_json(PathsJson(at=at, keys=keys) for at, keys in parts)
        return
    for at, keys in parts:
        path = at[0] if len(at) == 1 else f"[{', '.join(map(_in_yaml, at))}]"
        console.print_result(f"{path}: {', '.join(keys)}")


class PathsJson(JsonModel):
    """A part of a game, with the path to it and its keys, in the output of ``catalog paths``."""

    at: tuple[str, ...]
    keys: dict[str, Any]


def _in_yaml(word: str) -> str:
    """Return a word of a path as YAML takes it in brackets."""
    return word if BARE_WORDS.fullmatch(word) else json.dumps(word, ensure_ascii=False)


def _find_entity(loaded: Ruleset, name: str) -> Entity:
    """Return the entity with an id or a name. Raises UsageError if several have the name."""
    if "/" in name and name in loaded.entities:
        return loaded.entities[name]
    matches = exact_matches(loaded.entities.values(), name, lambda entity: entity.names)
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UsageError(
            _("{name} matches {ids}").format(
                name=shorten(name), ids=_(" and ").join(e.id for e in matches)
            ),
            _("Use the id."),
        )
    known = [*loaded.entities, *(entity.name for entity in loaded.entities.values())]
    raise UnknownId(_("entity of {name}").format(name=loaded.head.name), name, known)


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
            is_game = id in {*loader.built_in(), *loader.installed()}
            raise UnknownId(
                _("ruling of {name}").format(name=loaded.head.name),
                id,
                () if is_game else loaded.rulings,
                advice=_("To list the rulings of a game: {command}") if is_game else "",
                command=["catalog", "rulings", "--ruleset", id] if is_game else (),
            )
        shown_rulings = [loaded.rulings[id.upper()]]
    if as_json:
        print_json(shown_rulings)
        return
    terminal.rules.list_rulings(shown_rulings, loaded, terminal.screen.rich_console())
