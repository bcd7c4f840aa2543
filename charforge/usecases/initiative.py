"""Initiative: the order of turns of a whole table, rolled by the rules.

Nothing is saved: it lasts for one scene, and includes creatures without a
character file.
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
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import TurnOrder
from charforge.rules.ruleset import Ruleset
from charforge.usecases.dice_source import DiceSource


@dataclass(frozen=True)
class InitiativePlace:
    """A place in the order: its figures, the most important first, and the dice rolled."""

    name: str
    figures: tuple[int, ...]
    player: bool = False
    dice: tuple[str, ...] = ()


@dataclass(frozen=True)
class InitiativeOrder:
    """An order of turns: its label, the labels of its figures, and the places in order."""

    label: str
    by: tuple[str, ...]
    order: tuple[InitiativePlace, ...]


@dataclass(frozen=True)
class _Seat:
    """A character at the table: its name there, its file, and the words that name it."""

    opened: LoadedCharacter
    name: str
    file: str
    words: frozenset[str]


def roll_initiative(
    opened: Sequence[LoadedCharacter],
    figure_texts: Iterable[str],
    seed: str,
    files: Sequence[Path] = (),
) -> InitiativeOrder:
    """Return the order of turns: roll for characters of one game, and sort them with others.

    ``figure_texts`` are known figures, ``Ogre=3`` or ``Ogre=1,2,0``, of
    others or of a character instead of a roll. ``files`` are the files of
    the characters, which distinguish equal names. Raises UsageError.
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
    known_figures = _parse_all_figures(seats, figure_texts, by)
    turns = [
        _turn(seat, spec, known_figures.pop(seat.name, None), place, seed)
        for seat, place in zip(seats, _places(seats), strict=True)
    ]
    turns += [InitiativePlace(name, figures) for name, figures in known_figures.items()]
    turns.sort(key=lambda turn: (turn.figures, spec.players_first and turn.player), reverse=True)
    return InitiativeOrder(spec.label, by, tuple(turns))


def _parse_figures(text: str, by: tuple[str, ...]) -> tuple[str, tuple[int, ...]]:
    """Return the name and figures of ``Ogre=1,2,0``. Raises UsageError."""
    name, equals, listed_figures = text.rpartition("=")
    number = len(by)
    try:
        figures = tuple(read_whole(part) for part in listed_figures.split(","))
    except ValueError:
        figures = ()
    if not (name.strip() and equals and len(figures) == number):
        form = f"NAME={','.join('0' * number)}"
        each = f"It goes by {number} figures: {', '.join(by)}." if number > 1 else ""
        raise UsageError(f"{text!r} is not of the form {form}", each)
    return name.strip(), figures


def _seats(opened: Sequence[LoadedCharacter], files: Sequence[Path]) -> Iterator[_Seat]:
    """Yield each character with its name, and its file if another has the same name."""
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


def _parse_all_figures(
    seats: Sequence[_Seat], figure_texts: Iterable[str], by: tuple[str, ...]
) -> dict[str, tuple[int, ...]]:
    """Return the known figures by name. Raises UsageError for a name given twice."""
    known_figures: dict[str, tuple[int, ...]] = {}
    for text in figure_texts:
        name, figures = _parse_figures(text, by)
        whose = _find_seat(seats, name)
        if whose in known_figures:
            raise UsageError(f"{whose} is given twice", "Give each once.")
        known_figures[whose] = figures
    return known_figures


def _find_seat(seats: Sequence[_Seat], named: str) -> str:
    """Return the name of the character that is meant, else the name itself. Raises UsageError."""
    wanted = named.casefold()
    exact = [seat for seat in seats if wanted in (seat.name.casefold(), seat.file.casefold())]
    seats_meant = exact or [seat for seat in seats if wanted in seat.words]
    if len(seats_meant) > 1:
        listed = "".join(f"\n  {seat.file}  {seat.opened.document.name}" for seat in seats_meant)
        raise UsageError(f"{named!r} may mean several:{listed}\nName one by what stands first")
    return seats_meant[0].name if seats_meant else named


def _places(seats: Sequence[_Seat]) -> Iterator[str]:
    """Yield the key for the dice of each seat; equal ids (of one seed) are numbered."""
    met = Counter[str]()
    for seat in seats:
        known = seat.opened.document.id
        met[known] += 1
        yield f"order.{known}" if met[known] == 1 else f"order.{known}.{met[known]}"


def _turn(
    seat: _Seat, spec: TurnOrder, known_figures: tuple[int, ...] | None, place: str, seed: str
) -> InitiativePlace:
    """Return the place of a character, with known figures or by rolling."""
    opened, name = seat.opened, seat.name
    if known_figures is not None:
        return InitiativePlace(name, known_figures, player=True)
    state = opened.character.state
    rolls = _Rolls(seed, place, {})
    procedure = opened.ruleset.procedure(spec.procedure)
    run = procedures.run_procedure(state, procedure, {}, rolls)
    figures = [_number(procedure.label, output, run.outputs[output]) for output in spec.output]
    if spec.dice:
        figures[0] += sum(rolls(spec.label, _dice(opened.ruleset, spec), spec.label))
    return InitiativePlace(name, tuple(figures), player=True, dice=tuple(rolls.texts))


def _dice(ruleset: Ruleset, spec: TurnOrder) -> Dice:
    return parse_dice(spec.dice, ruleset.dice)


def _number(what: str, name: str, output: int | str) -> int:
    if isinstance(output, str):
        raise ProcedureError(what, [(name, "it is no number to go by")])
    return output


class _Rolls(DiceSource):
    """Dice that record each roll as text."""

    def __init__(self, seed: str, place: str, given: Mapping[str, tuple[int, ...]]) -> None:
        super().__init__(seed, place, given)
        self.texts: list[str] = []

    def __call__(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return the faces of a roll."""
        faces = super().__call__(name, dice, label)
        self.texts.append(f"{label or name} {dice.describe(faces)}")
        return faces
