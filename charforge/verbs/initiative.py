"""Initiative: the order of turns of a whole table, rolled by the rules.

Nothing is saved: it lasts for one scene, and includes creatures without a
character file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from pathlib import Path

from charforge.character.names import ambiguous_name
from charforge.character.state import State
from charforge.errors import ProcedureError, RuleRefusal, UsageError, shorten
from charforge.expressions.dice import Dice, parse_dice
from charforge.language import _
from charforge.procedures.context import RunSettings
from charforge.procedures.inputs import FIRST_ROLL, DiceSource, read_faces, read_whole
from charforge.procedures.run import ProcedureResult, run_procedure
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import InitiativeRoll, Procedure, TurnOrder
from charforge.rules.ruleset import Ruleset

LARGEST_TIE = 100  # rolls in a row after which a tie stays one


@dataclass
class InitiativePlace:
    """A place in the order: its figures, the most important first; the dice rolled, in words.

    ``extra_turns`` are taken before combat begins. ``tiebreaks`` are the
    results of the rolls that decided a tie, ``tiebreak_dice`` their dice;
    ``lacks_tiebreak`` says that the tie stays until the next result is known.
    """

    name: str
    figures: tuple[int, ...]
    player: bool = False
    dice: tuple[str, ...] = ()
    extra_turns: int = 0
    misses_first_turn: bool = False
    acts_last: bool = False
    tiebreaks: tuple[int, ...] = ()
    tiebreak_dice: tuple[str, ...] = ()
    lacks_tiebreak: bool = False


@dataclass(frozen=True)
class InitiativeOrder:
    """An order of turns: its label, the labels of the figures it goes by, the places in order.

    ``tied`` are the names of those whose tie must still be broken, ``refused``
    the reasons of the rules against rolling for a character, by name.
    """

    label: str
    by: tuple[str, ...]
    order: tuple[InitiativePlace, ...]
    tied: tuple[tuple[str, ...], ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)

    @property
    def before_combat(self) -> tuple[str, ...]:
        """Return who takes the extra turns before combat begins, turn by turn.

        Those who have several take turns among themselves.
        """
        most = max((place.extra_turns for place in self.order), default=0)
        return tuple(
            place.name
            for number in range(most)
            for place in self.order
            if place.extra_turns > number
        )


@dataclass
class _Combatant:
    """Someone who takes part: the place, and what a tie is broken with.

    ``dice`` roll for a character, None for someone without a file. ``rolled_tiebreaks``
    are results of tiebreaks that were rolled at the table.
    """

    place: InitiativePlace
    rolled_tiebreaks: list[int]
    state: State | None = None
    dice: _DescribedDice | None = None


def roll_initiative(
    opened: Sequence[LoadedCharacter],
    figure_texts: Iterable[str],
    seed: str,
    files: Sequence[Path] = (),
    dice_texts: Iterable[str] = (),
    extra_texts: Iterable[str] = (),
    missing: Iterable[str] = (),
) -> InitiativeOrder:
    """Return the order of turns of characters of one game, rolled, and of others.

    ``figure_texts`` are known figures, ``Ogre=3`` or ``Ogre=1,2,0``, of
    others or of a character instead of a roll; results of tiebreaks follow
    them. ``dice_texts`` are dice that a player rolled, ``Nix=6,6,2,3``.
    ``extra_texts`` are extra turns (``Ogre=2``), ``missing`` the names of
    those who miss their first turn, both of others and of known figures.
    ``files`` are the files of the characters, which distinguish equal names.
    A character who may not roll by the rules is left out. Raises UsageError,
    RuleRefusal if nobody is left.
    """
    ruleset = opened[0].ruleset
    spec = ruleset.head.play.order
    if spec is None:
        raise UsageError(_("{name} has no initiative roll").format(name=ruleset.head.name))
    for other in opened:
        if other.ruleset.id != ruleset.id:
            games = _("{name} and {game}").format(
                name=ruleset.head.name, game=other.ruleset.head.name
            )
            raise UsageError(
                _("these characters are from {games}").format(games=games),
                _("Roll for one game at a time."),
            )
    seats = list(seats_of(opened, files))
    procedure = ruleset.procedure(spec.table_roll.procedure)
    labels = {output.id: output.label for output in procedure.outputs}
    by = tuple(labels[name] for name in spec.table_roll.output)
    known_figures = parse_initiative(seats, figure_texts, by, spec.tie is not None)
    dice = parse_dice_texts(seats, dice_texts)
    combatants, refused = [], {}
    for seat, place in zip(seats, dice_places(seats), strict=True):
        roller = _DescribedDice(seed, place, dice.pop(seat.name, {}))
        known = known_figures.pop(seat.name, None)
        try:
            combatants.append(_combatant(seat, spec, known, roller, by))
        except RuleRefusal as error:
            refused[seat.name] = str(error)
    combatants += [
        _Combatant(InitiativePlace(name, figures[: len(by)]), list(figures[len(by) :]))
        for name, figures in known_figures.items()
    ]
    if not combatants:
        raise RuleRefusal("; ".join(f"{name}: {reason}" for name, reason in refused.items()))
    _set_specials(combatants, spec, seats, extra_texts, missing)
    order, tied = _sorted(combatants, spec, ruleset)
    waiting = {name for names in tied for name in names}  # for the tiebreak of somebody else
    for combatant in combatants:
        if combatant.dice is not None and combatant.place.name not in waiting:
            combatant.dice.refuse_unused(combatant.place.name)
    return InitiativeOrder(spec.label, by, tuple(c.place for c in order), tuple(tied), refused)


def _set_specials(
    combatants: Sequence[_Combatant],
    spec: TurnOrder,
    seats: Sequence[Seat],
    extra_texts: Iterable[str],
    missing: Iterable[str],
) -> None:
    """Set the extra turns and missed turns of those for whom nothing was rolled here.

    Raises UsageError for others, and in a game without such results.
    """
    places = {c.place.name.casefold(): c.place for c in combatants if not c.place.dice}

    def place_of(named: str, option: str, output: str) -> InitiativePlace:
        place = places.get(find_seat(seats, named.strip()).casefold())
        if place is None or not output:
            needed = (
                _('Add the result: --with "{named}=N".').format(named=named.strip())
                if output
                else ""
            )
            raise UsageError(
                _("{option} {named}: nobody here has that name").format(option=option, named=named),
                needed,
            )
        return place

    for text in extra_texts:
        named, _equals, number = text.rpartition("=")
        place = place_of(named, "--extra", spec.extra_turns)
        try:
            place.extra_turns = min(max(read_whole(number), 0), LARGEST_TIE)
        except ValueError as error:
            raise UsageError(f"--extra {text}: {error}", _("Write NAME=2.")) from error
    for named in missing:
        place_of(named, "--misses", spec.missed).misses_first_turn = True


def _sorted(
    combatants: Sequence[_Combatant], spec: TurnOrder, ruleset: Ruleset
) -> tuple[list[_Combatant], list[tuple[str, ...]]]:
    """Return everyone in the order of turns, and the names of those who are still tied."""

    def key(combatant: _Combatant) -> tuple[bool, tuple[int, ...], bool]:
        place = combatant.place
        return not place.acts_last, place.figures, spec.players_first and place.player

    by_figures = sorted(combatants, key=key, reverse=True)
    if spec.tie is None:
        return by_figures, []
    order: list[_Combatant] = []
    tied: list[tuple[str, ...]] = []
    for _key, group in groupby(by_figures, key):
        order += _break_tie(list(group), spec.tie, ruleset, tied)
    return order, tied


def _break_tie(
    group: list[_Combatant],
    tie: InitiativeRoll,
    ruleset: Ruleset,
    tied: list[tuple[str, ...]],
    rolls: int = 0,
) -> list[_Combatant]:
    """Return those who are tied in the order of further rolls.

    Where someone has neither a file to roll from nor a known result, the tie
    stays, and is added to ``tied``.
    """
    if len(group) < 2:
        return group
    lacking = [c.place for c in group if c.dice is None and not c.rolled_tiebreaks]
    if rolls == LARGEST_TIE or lacking:
        for place in lacking:
            place.lacks_tiebreak = True
        tied.append(tuple(combatant.place.name for combatant in group))
        return group
    for combatant in group:
        _roll_tiebreak(combatant, tie, ruleset)

    def result(combatant: _Combatant) -> int:
        return combatant.place.tiebreaks[-1]

    order: list[_Combatant] = []
    for _result, equals in groupby(sorted(group, key=result, reverse=True), result):
        order += _break_tie(list(equals), tie, ruleset, tied, rolls + 1)
    return order


def _roll_tiebreak(combatant: _Combatant, tie: InitiativeRoll, ruleset: Ruleset) -> None:
    """Add the result of one tiebreak to a place: the known one, else a roll."""
    place, dice, state = combatant.place, combatant.dice, combatant.state
    if combatant.rolled_tiebreaks:
        place.tiebreaks += (combatant.rolled_tiebreaks.pop(0),)
    elif dice is not None and state is not None:
        rolled = len(dice.texts)
        procedure = ruleset.procedure(tie.procedure)
        result = run_procedure(state, procedure, {}, RunSettings(dice.roll))
        place.tiebreaks += _figures(result, procedure, tie.output)[:1]
        place.tiebreak_dice += tuple(dice.texts[rolled:])


def _combatant(
    seat: Seat,
    spec: TurnOrder,
    known_figures: tuple[int, ...] | None,
    dice: _DescribedDice,
    by: tuple[str, ...],
) -> _Combatant:
    """Return a character at the table, with known figures or by rolling."""
    state, ruleset = seat.opened.character.state, seat.opened.ruleset
    if known_figures is not None:
        place = InitiativePlace(seat.name, known_figures[: len(by)], player=True)
        return _Combatant(place, list(known_figures[len(by) :]), state, dice)
    procedure = ruleset.procedure(spec.table_roll.procedure)
    result = run_procedure(state, procedure, {}, RunSettings(dice.roll))
    figures = _figures(result, procedure, spec.table_roll.output)
    if spec.added_dice:
        initiative = parse_dice(spec.added_dice, ruleset.dice)
        faces = dice.roll(spec.label, initiative, spec.label)
        if problem := initiative.problem(faces):
            raise ProcedureError(seat.name, [(spec.label, problem)])
        figures = (figures[0] + initiative.total(faces),)
    place = InitiativePlace(
        seat.name, figures, player=True, dice=tuple(dice.texts),
        extra_turns=int(result.outputs.get(spec.extra_turns, 0)),
        misses_first_turn=bool(result.outputs.get(spec.missed)),
        acts_last=bool(result.outputs.get(spec.last)),
    )  # fmt: skip
    return _Combatant(place, [], state, dice)


def _figures(
    result: ProcedureResult, procedure: Procedure, names: tuple[str, ...]
) -> tuple[int, ...]:
    """Return outputs of a run that are numbers. Raises ProcedureError."""
    figures = []
    for name in names:
        output = result.outputs[name]
        if isinstance(output, str):
            raise ProcedureError(procedure.label, [(name, _("it is not a number"))])
        figures.append(output)
    return tuple(figures)


class _DescribedDice(DiceSource):
    """Dice that keep each roll in words."""

    def __init__(self, seed: str, place: str, faces: Mapping[str, Sequence[int]]) -> None:
        super().__init__(seed, place, faces)
        self.texts: list[str] = []

    def roll(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return the faces of a roll."""
        faces = super().roll(name, dice, label)
        self.texts.append(f"{label or name} {dice.describe(faces)}")
        return faces


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


def parse_initiative(
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
                _("--dice {text}: no character here has that name").format(text=text),
                _("Write NAME=3,4."),
            )
        if name in dice:
            raise UsageError(_("{name} appears twice").format(name=name), _("Use each only once."))
        try:
            dice[name] = {FIRST_ROLL: read_faces(faces)}
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
