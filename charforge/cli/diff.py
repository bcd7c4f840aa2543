"""``diff``: in words what differs between two characters, or two points of one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from charforge.cli import console
from charforge.cli.options import AsJson, CharacterFile

if TYPE_CHECKING:
    from charforge.replay.loaded import LoadedCharacter
    from charforge.usecases.compare import Difference

EVENT = "event."
NO_DIFFERENCE = "no difference"
ARROW = "\N{RIGHTWARDS ARROW}"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("diff")(diff)


def diff(
    file: CharacterFile,
    other: Annotated[
        Optional[Path], typer.Argument(metavar="[B]", help="Another character of the same game.")
    ] = None,
    since: Annotated[
        Optional[int], typer.Option("--from", metavar="N", help="FILE at the end of level N.")
    ] = None,
    to: Annotated[
        Optional[int],
        typer.Option("--to", metavar="N", help="B (or FILE itself) at the end of level N."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say in words what differs between two characters, or two points of one.

    \b
    Examples:
      charforge diff nix.json old/nix.json
      charforge diff nix.json --from 3
      charforge diff nix.json --from 3 --to 5 --json
    """
    from charforge.errors import UsageError
    from charforge.replay.loaded import load_character
    from charforge.usecases.compare import as_data, differences

    if other is None and since is None and to is None:
        raise UsageError(
            "one file alone has nothing to be compared with",
            "Give a second file, or two levels of this one: --from 3 --to 5.",
        )
    old = load_character(file, at_level=since)
    new = load_character(other or file, at_level=to)
    found = differences(old.character, new.character)
    if as_json:
        data = [as_data(one) for one in found]
        console.result(json.dumps(data, ensure_ascii=False, indent=1))
        return
    here = _point(file, old)
    there = _point(other, new) if other is not None else f"level {new.character.state.level}"
    console.result(f"{here} {ARROW} {there}")
    for line in lines(found) or [NO_DIFFERENCE]:
        console.result(f"  {line}")


def _point(file: Path, opened: LoadedCharacter) -> str:
    return f"{file}: {opened.document.name}, level {opened.character.state.level}"


def lines(found: Iterable[Difference]) -> list[str]:
    """Say differences in words, a line each."""
    return [SAID.get(one.topic, _changed)(one) for one in found]


def _changed(found: Difference) -> str:
    """Say old and new: ``Max HP 37 → 42``."""
    from charforge.expressions.template import true_minus

    old, new = (
        "none" if one is None else true_minus(str(one)) if isinstance(one, int) else one
        for one in (found.old, found.new)
    )
    return f"{_of(found)}{found.label} {old} {ARROW} {new}"


def _holding(found: Difference) -> str:
    """Say what was gained or lost, and what there is more or less of."""
    if isinstance(found.old, int) and isinstance(found.new, int):
        return f"{_of(found)}{found.label} × {found.old} {ARROW} × {found.new}"
    number = found.new if found.old is None else found.old
    times = f" × {number}" if number != 1 else ""
    kind = f" ({found.kind})" if found.kind else ""
    return f"{_sign(found)} {_of(found)}{found.label}{times}{kind}"


def _unit(found: Difference) -> str:
    return f"{_sign(found)} {found.label} ({found.kind})"


def _condition(found: Difference) -> str:
    if found.old is not None and found.new is not None:
        return _changed(found)
    amount = found.new if found.old is None else found.old
    return f"{_sign(found)} {_of(found)}{found.label}" + (f" {amount}" if amount != 1 else "")


def _choice(found: Difference) -> str:
    """Say a choice under its decision's id, which ``edit`` takes; what an event asked with it."""
    asked = f"{found.label} ({found.id})" if found.id.startswith(EVENT) else found.id
    if found.old is not None and found.new is not None:
        return f"{asked}: {found.new}, was {found.old}"
    return f"{_sign(found)} {asked}: {found.new if found.old is None else found.old}"


def _text(found: Difference) -> str:
    return f"{found.label}: the text of this rule is another one"


def _rule(found: Difference) -> str:
    return f"Table rule {found.id}: {found.old} {ARROW} {found.new}"


def _sign(found: Difference) -> str:
    return "+" if found.old is None else "\N{MINUS SIGN}"


def _of(found: Difference) -> str:
    return f"{found.unit}: " if found.unit else ""


SAID = {
    "holding": _holding,
    "unit": _unit,
    "condition": _condition,
    "choice": _choice,
    "text": _text,
    "rule": _rule,
}
