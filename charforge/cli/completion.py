"""Shell completion: the words that fit an argument, by its character, game or command.

The functions run only while a word is being completed, so they import what
they need themselves: every command imports this module. What cannot be read
has no completions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from charforge.character.state import find_unit
from charforge.cli.files import character_paths, find_character
from charforge.errors import CharforgeError
from charforge.language import page
from charforge.procedures.abilities import all_abilities
from charforge.replay.loaded_character import load_character
from charforge.rules.loading import loader

if TYPE_CHECKING:
    from charforge.character.state import Unit
    from charforge.replay.loaded_character import LoadedCharacter
    from charforge.rules.ruleset import Ruleset
    from charforge.verbs.unit_status import CompletionWords

Complete = Callable[[typer.Context, str], list[str]]
OfCharacter = Callable[["LoadedCharacter", "Unit", typer.Context], Iterable[str]]
OfGame = Callable[["Ruleset"], Iterable[str]]


def complete_files(incomplete: str) -> list[str]:
    """Return the character files and folders that begin with a word, in whatever case.

    What was typed keeps its case, because shells compare it; commands find the file anyway.
    """
    typed_folder = incomplete[: incomplete.rfind("/") + 1]
    folder = Path(typed_folder)
    try:
        folders = sorted(entry.name for entry in folder.iterdir() if entry.is_dir())
    except OSError:
        return []
    files = [file.name for file in character_paths(folder)]
    names = [f"{typed_folder}{name}" for name in (*files, *(f"{name}/" for name in folders))]
    length, folded = len(incomplete), incomplete.casefold()
    return [
        name if name.startswith(incomplete) else f"{incomplete}{name[length:]}"
        for name in names
        if name.casefold().startswith(folded)
    ]


def complete_games(_ctx: typer.Context, _incomplete: str) -> list[str]:
    """Return the ids of the installed games."""
    return loader.available()


def complete_packs(_ctx: typer.Context, _incomplete: str) -> list[str]:
    """Return the ids of the packs that amend a game."""
    return list(loader.installed_packs())


def complete_installed(_ctx: typer.Context, _incomplete: str) -> list[str]:
    """Return the ids of the games and packs that the user installed."""
    return list(loader.installed())


def of_character(words: OfCharacter) -> Complete:
    """Return a function that completes words of the character of a command, and of its unit."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        file = _typed(ctx, "file", 0)
        if file is None:
            return []
        try:
            with page():  # its own: messages that list the words are in the language of the reader
                loaded = load_character(find_character(Path(file)))
                unit = find_unit(loaded.character.state, ctx.params.get("unit"))
                return _starting(words(loaded, unit, ctx), incomplete)
        except CharforgeError:
            return []

    return complete


def _typed(ctx: typer.Context, name: str, position: int) -> str | None:
    """Return what was typed for an argument.

    Before the value of an option is typed, the arguments are not assigned yet.
    """
    value = ctx.params.get(name) or next(iter(ctx.args[position:]), None)
    return None if value is None else str(value)


def of_game(words: OfGame) -> Complete:
    """Return a function that completes words of the game of a command, by default the usual."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        named = ctx.params.get("ruleset") or ctx.params.get("named")
        packs = ctx.params.get("pack") or ()
        try:
            ruleset = loader.load(loader.ruleset_for(named, packs), packs)
            return _starting(words(ruleset), incomplete)
        except CharforgeError:
            return []

    return complete


def _starting(words: Iterable[str], incomplete: str) -> list[str]:
    """Return the words that begin with another, each once; those with spaces are left out."""
    found = (word for word in words if word.startswith(incomplete) and " " not in word)
    return list(dict.fromkeys(found))


def session_words(chosen: Callable[[CompletionWords], Iterable[str]]) -> Complete:
    """Return a function that completes some of the words that a session at the table completes."""

    return of_character(lambda loaded, unit, _ctx: chosen(_words_of(loaded, unit)))


def _words_of(loaded: LoadedCharacter, unit: Unit) -> CompletionWords:
    # Here, because every command imports this module, and this takes 25 ms to import.
    from charforge.verbs.unit_status import completion_words

    return completion_words(loaded.character.state, unit.id)


def _abilities(loaded: LoadedCharacter, unit: Unit, _ctx: typer.Context) -> Iterator[str]:
    yield from (a.entity.slug for a in all_abilities(loaded.character.state, unit.id))


def _items(loaded: LoadedCharacter, unit: Unit, _ctx: typer.Context) -> Iterator[str]:
    kinds = loaded.ruleset.head.gear.kinds
    held = loaded.character.state.held(unit.id)
    yield from (holding.entity.slug for holding in held if holding.entity.kind in kinds)


def _decisions(loaded: LoadedCharacter, _unit: Unit, _ctx: typer.Context) -> Iterator[str]:
    yield from (decision.id for decision in loaded.character.asked)


def _answers(loaded: LoadedCharacter, _unit: Unit, ctx: typer.Context) -> Iterator[str]:
    decision = loaded.character.decision(_typed(ctx, "decision", 1) or "")
    if decision is not None:
        yield from (str(option.id) for option in decision.options() if option.legal)


def _things(loaded: LoadedCharacter, unit: Unit, ctx: typer.Context) -> Iterator[str]:
    """Yield what can be explained: values, decisions, entities by id and by their word alone."""
    yield from loaded.character.state.values(unit.id).shown_ids()
    yield from loaded.ruleset.shared_labels
    yield from _decisions(loaded, unit, ctx)
    yield from loaded.ruleset.entities
    yield from (entity.slug for entity in loaded.ruleset.entities.values())


def _awards(loaded: LoadedCharacter, unit: Unit, _ctx: typer.Context) -> Iterator[str]:
    values = unit.type.values
    yield from (name for name in values if values[name].resource)
    yield from loaded.ruleset.entities


def _for_sale(loaded: LoadedCharacter, _unit: Unit, _ctx: typer.Context) -> Iterator[str]:
    for kind in loaded.ruleset.head.gear.kinds:
        yield from (entity.slug for entity in loaded.ruleset.of_kind(kind))


def complete_odds(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return character files for the first word of ``odds``, then what can be rolled."""
    typed = ctx.params.get("words") or ()
    if not typed:
        return complete_files(incomplete)
    ctx.params["file"] = typed[0]
    return [*complete_abilities(ctx, incomplete), *complete_attributes(ctx, incomplete)]


complete_abilities = of_character(_abilities)
complete_attributes = session_words(lambda words: words.attributes)
complete_conditions = session_words(lambda words: words.condition_slugs)
complete_items = of_character(_items)
complete_resources = session_words(lambda words: words.resources)
complete_rests = session_words(lambda words: words.rests)
complete_units = session_words(lambda words: words.units)
complete_decisions = of_character(_decisions)
complete_answers = of_character(_answers)
complete_things = of_character(_things)
complete_awards = of_character(_awards)
complete_for_sale = of_character(_for_sale)
complete_planned = of_character(lambda loaded, _unit, _ctx: loaded.document.plan)
complete_entities = of_game(lambda ruleset: ruleset.entities)
complete_kinds = of_game(lambda ruleset: ruleset.kinds)
complete_rulings = of_game(lambda ruleset: ruleset.rulings)
complete_procedures = of_game(lambda ruleset: ruleset.procedures)
