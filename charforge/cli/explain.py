"""``explain``: every step of a number, or why something can or cannot be taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Optional

import typer

from charforge.cli import screen
from charforge.cli.options import AtLevel, CharacterFile

if TYPE_CHECKING:
    from charforge.content.models import Entity
    from charforge.content.ruleset import Ruleset
    from charforge.engine.derive import Explained, Step
    from charforge.engine.replay import Character
    from charforge.engine.state import Unit

WORDS = {"at_least": "at least ", "at_most": "at most ", "multiply": "× ", "set": "", "add": ""}


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("explain")(explain)


def explain(
    file: CharacterFile,
    what: Annotated[
        Optional[str],
        typer.Argument(metavar="[VALUE|ID]", help="A value, or anything of the catalog."),
    ] = None,
    unit: Annotated[
        Optional[str], typer.Option("--unit", metavar="U", help="A companion or vehicle.")
    ] = None,
    at_level: AtLevel = None,
) -> None:
    """Explain a number step by step, or why something can or cannot be taken.

    \b
    Examples:
      charforge explain nix.json max_hp
      charforge explain nix.json system/focus-ii
      charforge explain nix.json max_hp --unit asset.companion
    """
    from charforge import service
    from charforge.errors import UnknownId

    opened = service.open_file(file, at_level=at_level)
    what = None if what is None else _meant(opened.ruleset, what)
    state = opened.character.state
    if what is not None and "/" in what:
        _say_why(opened.character, what, unit)
        return
    chosen = service.find_unit(state, unit)
    values = state.values(chosen.id)
    names = values.ids() if what is None else (what.lower(),)
    for number, name in enumerate(names):
        if name not in values:
            raise UnknownId(
                f"value of {chosen.name or opened.document.name}", what or "", values.ids()
            )
        if number:
            screen.result("")
        _say_value(opened.character, values.explain(name), chosen)


def _say_value(character: Character, value: Explained, unit: Unit) -> None:
    from charforge.sheet.audit import labelled, source

    ruleset = character.state.ruleset
    now = "" if value.total == value.base else f" (now {value.total})"
    whose = f"{unit.title}: " if unit.name else ""
    name = ruleset.values[value.id].name
    screen.result(f"{whose}{name} ({value.label}): {value.base}{now}")
    width = max((len(_amount(step)) for step in value.steps), default=0)
    for step in value.steps:
        note = f"  [{labelled(step.note, ruleset)}]" if step.note else ""
        origin = source(character, step.source)
        screen.result(f"  {_amount(step):>{width}}  = {step.total:<4} {origin}{note}")


def _amount(step: Step) -> str:
    sign = "+" if step.op == "add" and step.amount >= 0 else ""
    return f"{WORDS[step.op]}{sign}{step.amount}".replace("-", "\N{MINUS SIGN}")


def _meant(ruleset: Ruleset, named: str) -> str:
    """Return the id that a player may mean by a value's or an entity's name."""
    value = ruleset.value_named(named)
    if value is not None:
        return value.id
    folded = named.casefold()
    found = [entity.id for entity in ruleset.entities.values() if entity.name.casefold() == folded]
    return found[0] if len(found) == 1 else named


def _say_what(entity: Entity, ruleset: Ruleset) -> None:
    """Say what something is, changes and lets one do."""
    from rich.padding import Padding

    from charforge.answers import words
    from charforge.cli.entries import marked

    for paragraph in words.entity(entity, ruleset):
        screen.results().print(Padding(marked(paragraph), (0, 0, 0, 2)))


def _say_why(character: Character, name: str, unit: str | None) -> None:
    from charforge import service

    state = character.state
    entity, reasons = service.why(character, name, unit)
    bearer = None if unit is None else state.holder(entity, service.find_unit(state, unit).id)
    held = [h for h in state.holdings if h.entity.id == entity.id and bearer in (None, h.unit)]
    for holding in held:
        own = state.unit(holding.unit).title
        whose = f" by {own}" if own else ""
        told = f"held{whose}, from {holding.origin} at level {holding.level}"
        screen.result(f"{entity.name}: {told}")
    if held:
        _say_what(entity, state.ruleset)
        return
    if not reasons:
        screen.result(f"{entity.name}: nothing stands against it")
    else:
        screen.result(f"{entity.name}: not now")
        for reason in reasons:
            screen.result(f"  {reason}")
