"""Initiative: the order of turns of a whole table, rolled by the rules.

Nothing is saved: it lasts for one scene, and includes creatures without a
character file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from charforge.errors import ProcedureError, UsageError
from charforge.expressions.dice import Dice, parse_dice
from charforge.procedures import run as procedures
from charforge.procedures.dice_source import DiceSource
from charforge.procedures.inputs import read_whole
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import TurnOrder
from charforge.usecases.names import ambiguous_name


@dataclass(frozen=True)
class InitiativePlace:
    """A place in the order: its figures, the most important first; the dice rolled, in words."""

    name: str
    figures: tuple[int, ...]
    player: bool = False
    dice: tuple[str, ...] = ()


@dataclass(frozen=True)
class InitiativeOrder:
    """An order of turns: its label, the labels of the figures it goes by, the places in order."""

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
    """Return the order of turns of characters of one game, rolled, and of others.

    ``figure_texts`` are known figures, ``Ogre=3`` or ``Ogre=1,2,0``, of
    others or of a character instead of a roll. ``files`` are the files of
    the characters, which distinguish equal names. Raises UsageError.
    """
    ruleset = opened[0].ruleset
    spec = ruleset.head.play.order
    if spec is None:
        raise UsageError(f"{ruleset.head.name} has no order of turns to roll for")
    for other in opened:
        if other.ruleset.id != ruleset.id:
            games = f"{ruleset.head.name} and {other.ruleset.head.name}"
            raise UsageError(f"these are characters of {games}", "Name those of one game.")
    seats = list(_seats(opened, files))
    procedure = ruleset.procedure(spec.procedure)
    labels = {output.id: output.label for output in procedure.outputs}
    by = tuple(labels[name] for name in spec.output)
    known_figures = _parse_all_figures(seats, figure_texts, by)
    turns = [
        _turn(seat, spec, known_figures.pop(seat.name, None), dice_place, seed)
        for seat, dice_place in zip(seats, _dice_places(seats), strict=True)
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
    names = Counter(character.document.name.casefold() for character in opened)
    ends = Counter(file.name for file in files)
    for character, file in zip_longest(opened, files):
        name = character.document.name
        if file is None or names[name.casefold()] == 1:
            yield _Seat(character, name, "", frozenset({name.casefold()}))
            continue
        short = file.name if ends[file.name] == 1 else str(file)
        label = f"{name} ({short})"
        words = (name, label, short, str(file), file.name, file.stem)
        yield _Seat(character, label, short, frozenset(word.casefold() for word in words))


def _parse_all_figures(
    seats: Sequence[_Seat], figure_texts: Iterable[str], by: tuple[str, ...]
) -> dict[str, tuple[int, ...]]:
    """Return the known figures by name. Raises UsageError for a name given twice."""
    known_figures: dict[str, tuple[int, ...]] = {}
    for text in figure_texts:
        name, figures = _parse_figures(text, by)
        name = _find_seat(seats, name)
        if name in known_figures:
            raise UsageError(f"{name} is given twice", "Give each once.")
        known_figures[name] = figures
    return known_figures


def _find_seat(seats: Sequence[_Seat], named: str) -> str:
    """Return the character's name that a player means, else the name itself. Raises UsageError."""
    folded = named.casefold()
    exact = [seat for seat in seats if folded in (seat.name.casefold(), seat.file.casefold())]
    matches = exact or [seat for seat in seats if folded in seat.words]
    if len(matches) > 1:
        listed = (f"{seat.file}  {seat.opened.document.name}" for seat in matches)
        raise ambiguous_name(named, listed, "Name one by what stands first")
    return matches[0].name if matches else named


def _dice_places(seats: Sequence[_Seat]) -> Iterator[str]:
    """Yield the key for the dice of each seat; equal ids (of one seed) are numbered."""
    counts = Counter[str]()
    for seat in seats:
        character = seat.opened.document.id
        counts[character] += 1
        number = counts[character]
        yield f"order.{character}" if number == 1 else f"order.{character}.{number}"


def _turn(
    seat: _Seat, spec: TurnOrder, known_figures: tuple[int, ...] | None, dice_place: str, seed: str
) -> InitiativePlace:
    """Return the place of a character, with known figures or by rolling."""
    opened = seat.opened
    if known_figures is not None:
        return InitiativePlace(seat.name, known_figures, player=True)
    state = opened.character.state
    dice = _DescribedDice(seed, dice_place)
    procedure = opened.ruleset.procedure(spec.procedure)
    result = procedures.run_procedure(state, procedure, {}, dice.roll)
    figures = []
    for name in spec.output:
        output = result.outputs[name]
        if isinstance(output, str):
            raise ProcedureError(procedure.label, [(name, "it is no number to go by")])
        figures.append(output)
    if spec.dice:
        initiative = parse_dice(spec.dice, opened.ruleset.dice)
        figures[0] += sum(dice.roll(spec.label, initiative, spec.label))
    return InitiativePlace(seat.name, tuple(figures), player=True, dice=tuple(dice.texts))


class _DescribedDice(DiceSource):
    """Dice that keep each roll in words."""

    def __init__(self, seed: str, place: str) -> None:
        super().__init__(seed, place)
        self.texts: list[str] = []

    def roll(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return the faces of a roll."""
        faces = super().roll(name, dice, label)
        self.texts.append(f"{label or name} {dice.describe(faces)}")
        return faces
