"""Who acts first: the order of turns of a whole table, rolled as the rules have it.

Nothing is kept: it holds for one scene, and others stand in it than
those who have a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from charforge.content.models import TurnOrder
from charforge.content.ruleset import Ruleset
from charforge.dice import Dice, parse
from charforge.engine import procedures
from charforge.engine.inputs import whole
from charforge.errors import ProcedureError, UsageError
from charforge.opened import Opened
from charforge.service.rolling import Thrown


@dataclass(frozen=True)
class Turn:
    """Somebody's place: what it goes by, the first figure first, and the dice that were rolled."""

    name: str
    figures: tuple[int, ...]
    player: bool = False
    dice: tuple[str, ...] = ()


@dataclass(frozen=True)
class Turns:
    """An order of turns: what it is called, what it goes by, and who comes first."""

    label: str
    by: tuple[str, ...]
    order: tuple[Turn, ...]


def order(opened: Sequence[Opened], told: Iterable[str], seed: str) -> Turns:
    """Roll for characters of one game, and sort them with others.

    ``told`` are figures that are known, ``Ogre=3`` or ``Ogre=1,2,0``: of
    others, or those of a character in place of a roll. Raises UsageError.
    """
    ruleset = opened[0].ruleset
    spec = ruleset.head.play.order
    if spec is None:
        raise UsageError(f"{ruleset.head.name} has no order of turns to roll for")
    for one in opened:
        if one.ruleset.id != ruleset.id:
            games = f"{ruleset.head.name} and {one.ruleset.head.name}"
            raise UsageError(f"these are characters of {games}", "Name those of one game.")
    known = dict(_told(text, spec) for text in told)
    called = {one.document.name.casefold(): one.document.name for one in opened}
    typed = {called.get(name.casefold(), name): figures for name, figures in known.items()}
    turns = [_turn(one, spec, typed.pop(one.document.name, None), seed) for one in opened]
    turns += [Turn(name, figures) for name, figures in typed.items()]
    procedure = ruleset.procedure(spec.procedure)
    labels = {one.id: one.label for one in procedure.outputs}
    turns.sort(key=lambda turn: (turn.figures, spec.players_first and turn.player), reverse=True)
    return Turns(spec.label, tuple(labels[name] for name in spec.output), tuple(turns))


def _told(text: str, spec: TurnOrder) -> tuple[str, tuple[int, ...]]:
    """Read ``Ogre=1,2,0``."""
    name, equals, said = text.rpartition("=")
    number = len(spec.output)
    try:
        figures = tuple(whole(part) for part in said.split(","))
    except ValueError:
        figures = ()
    if not (name.strip() and equals and len(figures) == number):
        form = f"NAME={','.join('0' * number)}"
        raise UsageError(f"{text!r} is not of the form {form}", f"It goes by {number} figures."
                         if number > 1 else "")  # fmt: skip
    return name.strip(), figures


def _turn(opened: Opened, spec: TurnOrder, told: tuple[int, ...] | None, seed: str) -> Turn:
    """Return the place of a character: as told, else rolled."""
    name = opened.document.name
    if told is not None:
        return Turn(name, told, player=True)
    state = opened.character.state
    rolls = _Rolls(seed, f"order.{opened.document.id}", {})
    procedure = opened.ruleset.procedure(spec.procedure)
    run = procedures.run(state, procedure, {}, rolls)
    figures = [_number(procedure.label, output, run.outputs[output]) for output in spec.output]
    if spec.dice:
        figures[0] += sum(rolls(spec.label, _dice(opened.ruleset, spec), spec.label))
    return Turn(name, tuple(figures), player=True, dice=tuple(rolls.told))


def _dice(ruleset: Ruleset, spec: TurnOrder) -> Dice:
    return parse(spec.dice, ruleset.dice)


def _number(what: str, name: str, found: int | str) -> int:
    if isinstance(found, str):
        raise ProcedureError(what, [(name, "it is no number to go by")])
    return found


class _Rolls(Thrown):
    """Dice that tell what fell."""

    def __init__(self, seed: str, place: str, given: Mapping[str, tuple[int, ...]]) -> None:
        super().__init__(seed, place, given)
        self.told: list[str] = []

    def __call__(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return the faces of a roll."""
        faces = super().__call__(name, dice, label)
        self.told.append(f"{label or name} {dice.said(faces)}")
        return faces
