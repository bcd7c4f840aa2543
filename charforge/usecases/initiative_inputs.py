"""Typed inputs of initiative: who sits at the table, known figures and dice by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from charforge.errors import UsageError, shorten
from charforge.language import _
from charforge.procedures.dice_source import FIRST
from charforge.procedures.inputs import read_faces, read_whole
from charforge.replay.loaded_character import LoadedCharacter
from charforge.usecases.names import ambiguous_name


@dataclass(frozen=True)
class Seat:
    """A character at the table: its name there, its file, and the words that name it."""

    opened: LoadedCharacter
    name: str
    file: str
    words: frozenset[str]


def _figures_of(text: str, by: tuple[str, ...], tiebreaks: bool) -> tuple[str, tuple[int, ...]]:
    """Return the name and figures of ``Ogre=1,2,0``, and tiebreaks after them.

    Raises UsageError.
    """
    name, equals, listed_figures = text.rpartition("=")
    number = len(by)
    try:
        figures = tuple(read_whole(part) for part in listed_figures.split(","))
    except ValueError:
        figures = ()
    enough = len(figures) >= number if tiebreaks else len(figures) == number
    if not (name.strip() and equals and enough):
        form = f"NAME={','.join('0' * number)}"
        each = (
            _("Give {number} numbers: {names}.").format(number=number, names=", ".join(by))
            if number > 1
            else ""
        )
        example = _("For example Raider={names}").format(names=",".join(["9", "5", "3"][:number]))
        raise UsageError(
            _("{text} must be in the form {form}").format(text=shorten(text), form=form),
            each or example,
        )
    return name.strip(), figures


def seats_of(opened: Sequence[LoadedCharacter], files: Sequence[Path]) -> Iterator[Seat]:
    """Yield each character with its name, and its file if another has the same name."""
    names = Counter(character.document.name.casefold() for character in opened)
    ends = Counter(file.name for file in files)
    for character, file in zip_longest(opened, files):
        name = character.document.name
        if file is None or names[name.casefold()] == 1:
            yield Seat(character, name, "", frozenset({name.casefold()}))
            continue
        short = file.name if ends[file.name] == 1 else str(file)
        label = f"{name} ({short})"
        words = (name, label, short, str(file), file.name, file.stem)
        yield Seat(character, label, short, frozenset(word.casefold() for word in words))


def parse_figures(
    seats: Sequence[Seat], figure_texts: Iterable[str], by: tuple[str, ...], tiebreaks: bool
) -> dict[str, tuple[int, ...]]:
    """Return the known figures by name. Raises UsageError for a name given twice."""
    known_figures: dict[str, tuple[int, ...]] = {}
    for text in figure_texts:
        name, figures = _figures_of(text, by, tiebreaks)
        name = find_seat(seats, name)
        if name in known_figures:
            raise UsageError(_("{name} appears twice").format(name=name), _("Use each only once."))
        known_figures[name] = figures
    return known_figures


def parse_dice_texts(
    seats: Sequence[Seat], texts: Iterable[str]
) -> dict[str, dict[str, tuple[int, ...]]]:
    """Return the dice that players rolled, by the name of the character. Raises UsageError."""
    names = {seat.name for seat in seats}
    dice: dict[str, dict[str, tuple[int, ...]]] = {}
    for text in texts:
        named, _equals, faces = text.rpartition("=")
        name = find_seat(seats, named.strip() or (seats[0].name if len(seats) == 1 else ""))
        if name not in names:
            raise UsageError(
                f"--dice {text}: no character here has that name", _("Write NAME=3,4.")
            )
        if name in dice:
            raise UsageError(_("{name} appears twice").format(name=name), _("Use each only once."))
        try:
            dice[name] = {FIRST: read_faces(faces)}
        except ValueError as error:
            raise UsageError(f"--dice {text}: {error}") from error
    return dice


def find_seat(seats: Sequence[Seat], named: str) -> str:
    """Return the character's name that a player means, else the name itself. Raises UsageError."""
    folded = named.casefold()
    exact = [seat for seat in seats if folded in (seat.name.casefold(), seat.file.casefold())]
    matches = exact or [seat for seat in seats if folded in seat.words]
    if len(matches) > 1:
        listed = ((seat.opened.document.name, seat.file) for seat in matches)
        raise ambiguous_name(named, listed)
    return matches[0].name if matches else named


def dice_places(seats: Sequence[Seat]) -> Iterator[str]:
    """Yield the key for the dice of each seat; equal ids (of one seed) are numbered."""
    counts = Counter[str]()
    for seat in seats:
        character = seat.opened.document.id
        counts[character] += 1
        number = counts[character]
        yield f"order.{character}" if number == 1 else f"order.{character}.{number}"
