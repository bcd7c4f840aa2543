"""Who acts first: the order of turns of a whole table, rolled as the rules have it.

Nothing is kept: it holds for one scene, and others stand in it than
those who have a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from charforge.errors import ProcedureError, UsageError
from charforge.expressions.dice import Dice, parse_dice
from charforge.procedures import run as procedures
from charforge.procedures.inputs import read_whole
from charforge.replay.loaded import LoadedCharacter
from charforge.rules.models import TurnOrder
from charforge.rules.ruleset import Ruleset
from charforge.usecases.dice_source import DiceSource


@dataclass(frozen=True)
class InitiativePlace:
    """Somebody's place: what it goes by, the first figure first, and the dice that were rolled."""

    name: str
    figures: tuple[int, ...]
    player: bool = False
    dice: tuple[str, ...] = ()


@dataclass(frozen=True)
class InitiativeOrder:
    """An order of turns: what it is called, what it goes by, and who comes first."""

    label: str
    by: tuple[str, ...]
    order: tuple[InitiativePlace, ...]


@dataclass(frozen=True)
class _Seat:
    """A character at the table: what it is called there, its file, words that mean it."""

    opened: LoadedCharacter
    name: str
    file: str
    words: frozenset[str]


def roll_initiative(
    opened: Sequence[LoadedCharacter], told: Iterable[str], seed: str, files: Sequence[Path] = ()
) -> InitiativeOrder:
    """Roll for characters of one game, and sort them with others.

    ``told`` are figures that are known, ``Ogre=3`` or ``Ogre=1,2,0``: of
    others, or those of a character in place of a roll. ``files`` are those
    of the characters; they tell namesakes apart. Raises UsageError.
    """
    ruleset = opened[0].ruleset
    spec = ruleset.head.play.order
    if spec is None:
        raise UsageError(f"{ruleset.head.name} has no order of turns to roll for")
    for one in opened:
        if one.ruleset.id != ruleset.id:
            games = f"{ruleset.head.name} and {one.ruleset.head.name}"
            raise UsageError(f"these are characters of {games}", "Name those of one game.")
    seats = list(_seats(opened, files))
    procedure = ruleset.procedure(spec.procedure)
    labels = {one.id: one.label for one in procedure.outputs}
    by = tuple(labels[name] for name in spec.output)
    typed = _typed(seats, told, by)
    turns = [
        _turn(seat, spec, typed.pop(seat.name, None), place, seed)
        for seat, place in zip(seats, _places(seats), strict=True)
    ]
    turns += [InitiativePlace(name, figures) for name, figures in typed.items()]
    turns.sort(key=lambda turn: (turn.figures, spec.players_first and turn.player), reverse=True)
    return InitiativeOrder(spec.label, by, tuple(turns))


def _told(text: str, by: tuple[str, ...]) -> tuple[str, tuple[int, ...]]:
    """Read ``Ogre=1,2,0``."""
    name, equals, said = text.rpartition("=")
    number = len(by)
    try:
        figures = tuple(read_whole(part) for part in said.split(","))
    except ValueError:
        figures = ()
    if not (name.strip() and equals and len(figures) == number):
        form = f"NAME={','.join('0' * number)}"
        each = f"It goes by {number} figures: {', '.join(by)}." if number > 1 else ""
        raise UsageError(f"{text!r} is not of the form {form}", each)
    return name.strip(), figures


def _seats(opened: Sequence[LoadedCharacter], files: Sequence[Path]) -> Iterator[_Seat]:
    """Yield each character with what it is called: namesakes by their files as well."""
    names = Counter(one.document.name.casefold() for one in opened)
    ends = Counter(file.name for file in files)
    for one, file in zip_longest(opened, files):
        name = one.document.name
        if file is None or names[name.casefold()] == 1:
            yield _Seat(one, name, "", frozenset({name.casefold()}))
            continue
        short = file.name if ends[file.name] == 1 else str(file)
        label = f"{name} ({short})"
        words = (name, label, short, str(file), file.name, file.stem)
        yield _Seat(one, label, short, frozenset(word.casefold() for word in words))


def _typed(
    seats: Sequence[_Seat], told: Iterable[str], by: tuple[str, ...]
) -> dict[str, tuple[int, ...]]:
    """Return the figures that are known, by whose they are. Raises UsageError for two of one."""
    typed: dict[str, tuple[int, ...]] = {}
    for text in told:
        name, figures = _told(text, by)
        whose = _meant(seats, name)
        if whose in typed:
            raise UsageError(f"{whose} is given twice", "Give each once.")
        typed[whose] = figures
    return typed


def _meant(seats: Sequence[_Seat], named: str) -> str:
    """Return the character that a name means, else the name: somebody without a file."""
    wanted = named.casefold()
    exact = [seat for seat in seats if wanted in (seat.name.casefold(), seat.file.casefold())]
    found = exact or [seat for seat in seats if wanted in seat.words]
    if len(found) > 1:
        listed = "".join(f"\n  {seat.file}  {seat.opened.document.name}" for seat in found)
        raise UsageError(f"{named!r} may mean several:{listed}\nName one by what stands first")
    return found[0].name if found else named


def _places(seats: Sequence[_Seat]) -> Iterator[str]:
    """Yield what dice are rolled for, by the ids: of one seed come characters of one id."""
    met = Counter[str]()
    for seat in seats:
        known = seat.opened.document.id
        met[known] += 1
        yield f"order.{known}" if met[known] == 1 else f"order.{known}.{met[known]}"


def _turn(
    seat: _Seat, spec: TurnOrder, told: tuple[int, ...] | None, place: str, seed: str
) -> InitiativePlace:
    """Return the place of a character: as told, else rolled."""
    opened, name = seat.opened, seat.name
    if told is not None:
        return InitiativePlace(name, told, player=True)
    state = opened.character.state
    rolls = _Rolls(seed, place, {})
    procedure = opened.ruleset.procedure(spec.procedure)
    run = procedures.run_procedure(state, procedure, {}, rolls)
    figures = [_number(procedure.label, output, run.outputs[output]) for output in spec.output]
    if spec.dice:
        figures[0] += sum(rolls(spec.label, _dice(opened.ruleset, spec), spec.label))
    return InitiativePlace(name, tuple(figures), player=True, dice=tuple(rolls.told))


def _dice(ruleset: Ruleset, spec: TurnOrder) -> Dice:
    return parse_dice(spec.dice, ruleset.dice)


def _number(what: str, name: str, found: int | str) -> int:
    if isinstance(found, str):
        raise ProcedureError(what, [(name, "it is no number to go by")])
    return found


class _Rolls(DiceSource):
    """Dice that tell what fell."""

    def __init__(self, seed: str, place: str, given: Mapping[str, tuple[int, ...]]) -> None:
        super().__init__(seed, place, given)
        self.told: list[str] = []

    def __call__(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return the faces of a roll."""
        faces = super().__call__(name, dice, label)
        self.told.append(f"{label or name} {dice.describe(faces)}")
        return faces
