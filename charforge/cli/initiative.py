"""``initiative``: roll initiative for the characters of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.cli import console
from charforge.cli.console import print_json
from charforge.cli.files import character_files, settle_language
from charforge.cli.options import AsJson, CharacterFiles, Command, SeedOption
from charforge.errors import RuleRefusal, UsageError
from charforge.json_model import JsonModel
from charforge.language import N_, _, ngettext
from charforge.procedures.inputs import read_faces, read_whole
from charforge.replay.character_spec import new_seed
from charforge.replay.loaded_character import LoadedCharacter, is_shared_file, load_character
from charforge.rules.names import name_key
from charforge.verbs.initiative import (
    InitiativeOrder,
    InitiativePlace,
    InitiativeRules,
    KnownInitiative,
    Seat,
    find_seat,
    roll_initiative,
    seats_of,
)

app = typer.Typer(add_completion=False)


@app.command("initiative", cls=Command)
def initiative(
    files: CharacterFiles,
    others: Annotated[
        Optional[list[str]],
        typer.Option(
            "--with",
            metavar="NAME=3",
            help=N_(
                "Someone without a file, or a roll of your own. If the game compares several "
                "numbers, give them all: NAME=1,2,0, then the results of tiebreaks. "
                "Repeat for each."
            ),
        ),
    ] = None,
    dice: Annotated[
        Optional[list[str]],
        typer.Option(
            "--dice",
            metavar="NAME=3,4",
            help=N_("Dice that a player rolled, then those of rerolls and tiebreaks."),
        ),
    ] = None,
    extra: Annotated[
        Optional[list[str]],
        typer.Option(
            "--extra",
            metavar="NAME=2",
            help=N_("Extra turns before combat for someone from --with."),
        ),
    ] = None,
    misses: Annotated[
        Optional[list[str]],
        typer.Option(
            "--misses", metavar="NAME", help=N_("Someone from --with who misses the first turn.")
        ),
    ] = None,
    seed: SeedOption = None,
    as_json: AsJson = False,
) -> None:
    """Roll initiative for everyone in the fight.

    The game's rules decide which numbers count and how ties are broken: by
    another roll, in favour of players, or by who is listed first. Characters
    with the same name are shown with their files. Those who are out of play,
    or whom a rule forbids to roll, are left out. Nothing is saved.

    \b
    Examples:
      charforge initiative nix.json ada.json --with "Raider=9" --with "Hound=12"
      charforge initiative campaign/ --with "Ogre=1,2,0" --seed dusk
      charforge initiative nix.json --with "Raider=12,9" --dice "Nix=6,6,3,4"
      charforge initiative nix.json --with "Nix=11" --json
    """
    in_play = _load_those_in_play(files)
    dice_seed = new_seed() if seed is None else seed
    seats = list(seats_of(list(in_play.values()), list(in_play)))
    known = KnownInitiative(
        read_figures(seats, others or []), _read_dice(seats, dice or []),
        _read_extra_turns(extra or []), misses or [],
    )  # fmt: skip
    turns = roll_initiative(seats, dice_seed, known)
    for name, reason in turns.refused.items():
        console.say(_("{name} is left out. {reason}").format(name=name, reason=reason))
    if as_json:
        print_json(InitiativeJson.model_validate(turns))
    else:
        _print_order(turns)


def read_figures(seats: Sequence[Seat], texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return the figures of ``Ogre=1,2,0``, with tiebreaks after them, by name. Raises UsageError.

    Names that mean a character here are replaced by its name at the table.
    """
    rules = InitiativeRules.of(seat.opened for seat in seats)
    known: dict[str, tuple[int, ...]] = {}
    for text in texts:
        named, _equals, listed = text.rpartition("=")
        figures: tuple[int, ...] = ()
        if named.strip():
            with suppress(ValueError):
                figures = tuple(read_whole(part) for part in listed.split(","))
        rules.check_figures(figures, text)
        name = find_seat(seats, named.strip())
        if name_key(name) in map(name_key, known):
            raise _repeated(name)
        known[name] = figures
    return known


def _read_dice(seats: Sequence[Seat], texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return the dice that players rolled, ``Nix=6,6``, by their seat. Raises UsageError."""
    names = {seat.name for seat in seats}
    dice: dict[str, tuple[int, ...]] = {}
    for text in texts:
        named, _equals, faces = text.rpartition("=")
        name = find_seat(seats, named.strip() or (seats[0].name if len(seats) == 1 else ""))
        if name not in names:
            raise UsageError(
                _("--dice {text}: no character here has that name").format(text=text),
                _("Write NAME=3,4."),
            )
        if name in dice:
            raise _repeated(name)
        try:
            dice[name] = read_faces(faces)
        except ValueError as error:
            raise UsageError(f"--dice {text}: {error}") from error
    return dice


def _read_extra_turns(texts: Iterable[str]) -> dict[str, int]:
    """Return the extra turns of ``Ogre=2``, by name. Raises UsageError."""
    turns = {}
    for text in texts:
        named, _equals, number = text.rpartition("=")
        try:
            turns[named] = read_whole(number)
        except ValueError as error:
            raise UsageError(f"--extra {text}: {error}", _("Write NAME=2.")) from error
    return turns


def _repeated(name: str) -> UsageError:
    return UsageError(_("{name} appears twice").format(name=name), _("Use each only once."))


def _load_those_in_play(files: list[Path]) -> dict[Path, LoadedCharacter]:
    """Return the characters that are in play, by file, and print who is left out.

    Raises RuleRefusal if nobody is in play.
    """
    characters = character_files(files)
    settle_language(characters)
    in_play = {}
    for file in characters:
        if is_shared_file(file):
            continue
        loaded = load_character(file)
        condition = loaded.character.state.out_of_play()
        if condition is None:
            in_play[file] = loaded
            continue
        console.say(
            _("{name} is {entity_name} and is left out.").format(
                name=loaded.document.name, entity_name=condition.entity.name
            )
        )
    if not in_play:
        raise RuleRefusal(_("none of these characters is in play"))
    return in_play


def _print_order(turns: InitiativeOrder) -> None:
    console.print_result(f"{turns.label}: {', '.join(turns.by)}")
    if turns.before_combat:
        console.print_result(
            _("Before combat begins: {names}").format(names=", ".join(turns.before_combat))
        )
    width = max(len(turn.name) for turn in turns.order)
    for number, turn in enumerate(turns.order, 1):
        figures = ", ".join(str(figure) for figure in turn.figures)
        dice = f"  ({'; '.join(turn.dice)})" if turn.dice else ""
        notes = "".join(f"  {note}" for note in _notes(turn))
        console.print_result(f"{number:>3}  {turn.name:<{width}}  {figures}{dice}{notes}")
    for names in turns.tied:
        needed = " ".join(
            f'--with "{turn.name}={",".join(map(str, turn.figures + turn.tiebreaks))},N"'
            for turn in turns.order
            if turn.name in names and turn.lacks_tiebreak
        )
        console.say(
            _("Still tied: {names}. Roll again and add the results: {needed}").format(
                names=", ".join(names), needed=needed
            )
        )


def _notes(turn: InitiativePlace) -> Iterator[str]:
    """Yield what is special about a place."""
    if turn.tiebreaks:
        dice = f" ({'; '.join(turn.tiebreak_dice)})" if turn.tiebreak_dice else ""
        yield _("tiebreak {names}{dice}").format(
            names=", ".join(map(str, turn.tiebreaks)), dice=dice
        )
    if turn.extra_turns:
        extra = ngettext(
            "{count} extra turn before combat",
            "{count} extra turns before combat",
            turn.extra_turns,
        )
        yield extra.format(count=turn.extra_turns)
    if turn.misses_first_turn:
        yield _("misses the first turn")
    if turn.acts_last:
        yield _("acts last")


class InitiativePlaceJson(JsonModel):
    """A place in the order of turns, as ``InitiativePlace``."""

    name: str
    figures: tuple[int, ...]
    player: bool
    dice: tuple[str, ...]
    extra_turns: int
    misses_first_turn: bool
    acts_last: bool
    tiebreaks: tuple[int, ...]
    tiebreak_dice: tuple[str, ...]
    lacks_tiebreak: bool


class InitiativeJson(JsonModel):
    """The output of ``initiative --json``; ``refused`` are reasons by name."""

    label: str
    by: tuple[str, ...]
    before_combat: tuple[str, ...]
    order: tuple[InitiativePlaceJson, ...]
    tied: tuple[tuple[str, ...], ...]
    refused: dict[str, str]
