"""Initiative: the order of turns of a whole table, rolled by the rules.

Nothing is saved: it lasts for one scene, and includes creatures without a
character file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from pathlib import Path

from charforge.character.state import State
from charforge.errors import ProcedureError, RuleRefusal, UsageError, shorten
from charforge.expressions.dice import Dice, parse_dice
from charforge.language import _
from charforge.procedures.context import RunSettings
from charforge.procedures.inputs import FIRST_ROLL, DiceSource
from charforge.procedures.run import ProcedureResult, run_procedure
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import InitiativeRoll, Procedure, TurnOrder
from charforge.rules.names import (
    ambiguous_name,
    exact_matches,
    name_key,
    name_matches,
    told_apart,
)
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


@dataclass(frozen=True)
class InitiativeRules:
    """The rules for the order of turns of a game, and the labels of the figures it goes by."""

    ruleset: Ruleset
    spec: TurnOrder
    by: tuple[str, ...]

    @classmethod
    def of(cls, opened: Iterable[LoadedCharacter]) -> InitiativeRules:
        """Return the rules of some characters. Raises UsageError if there are none, or several."""
        ruleset, *others = (one.ruleset for one in opened)
        spec = ruleset.head.play.order
        if spec is None:
            raise UsageError(_("{name} has no initiative roll").format(name=ruleset.head.name))
        for other in others:
            if other.id != ruleset.id:
                games = _("{name} and {game}").format(name=ruleset.head.name, game=other.head.name)
                raise UsageError(
                    _("these characters are from {games}").format(games=games),
                    _("Roll for one game at a time."),
                )
        labels = {o.id: o.label for o in ruleset.procedure(spec.table_roll.procedure).outputs}
        return cls(ruleset, spec, tuple(labels[name] for name in spec.table_roll.output))

    def check_figures(self, figures: Sequence[int], text: str) -> None:
        """Raise UsageError unless figures are as many as are compared, then those of tiebreaks.

        ``text`` is what was typed.
        """
        number = len(self.by)
        if len(figures) == number or (len(figures) > number and self.spec.tie is not None):
            return
        form = f"NAME={','.join('0' * number)}"
        each = (
            _("Give {number} numbers: {names}.").format(number=number, names=", ".join(self.by))
            if number > 1
            else ""
        )
        example = _("For example Raider={names}").format(names=",".join(["9", "5", "3"][:number]))
        raise UsageError(
            _("{text} must be in the form {form}").format(text=shorten(text), form=form),
            each or example,
        )


@dataclass(frozen=True)
class KnownInitiative:
    """Initiative known before anything is rolled, by name of a seat or of somebody without a file.

    ``figures`` are used instead of a roll; results of tiebreaks follow them. ``dice`` are those
    that a player rolled. ``extra_turns`` and ``missing``, who miss their first turn, are for those
    for whom nothing is rolled.
    """

    figures: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    dice: Mapping[str, Sequence[int]] = field(default_factory=dict)
    extra_turns: Mapping[str, int] = field(default_factory=dict)
    missing: Collection[str] = ()


def roll_initiative(
    seats: Sequence[Seat], seed: str, known: KnownInitiative = KnownInitiative()
) -> InitiativeOrder:
    """Return the order of turns of characters of one game, rolled, and of others.

    A character who may not roll by the rules is left out. Raises UsageError,
    RuleRefusal if nobody is left.
    """
    rules = InitiativeRules.of(seat.opened for seat in seats)
    spec, by, ruleset = rules.spec, rules.by, rules.ruleset
    for name, figures in known.figures.items():
        rules.check_figures(figures, f"{name}={','.join(map(str, figures))}")
    combatants, refused = [], {}
    for seat, place in zip(seats, dice_places(seats), strict=True):
        faces = known.dice.get(seat.name, ())
        roller = _DescribedDice(seed, place, {FIRST_ROLL: faces} if faces else {})
        try:
            combatants.append(_combatant(seat, rules, known.figures.get(seat.name), roller))
        except RuleRefusal as error:
            refused[seat.name] = str(error)
    combatants += [
        _Combatant(InitiativePlace(name, figures[: len(by)]), list(figures[len(by) :]))
        for name, figures in known.figures.items()
        if name not in {seat.name for seat in seats}
    ]
    if not combatants:
        raise RuleRefusal("; ".join(f"{name}: {reason}" for name, reason in refused.items()))
    _set_specials(combatants, spec, seats, known)
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
    known: KnownInitiative,
) -> None:
    """Set the extra turns and missed turns of those for whom nothing was rolled here.

    Raises UsageError for others, and in a game without such results.
    """
    places = {name_key(c.place.name): c.place for c in combatants if not c.place.dice}

    def place_of(named: str, option: str, output: str) -> InitiativePlace:
        place = places.get(name_key(find_seat(seats, named.strip())))
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

    for named, number in known.extra_turns.items():
        place = place_of(named, "--extra", spec.extra_turns)
        place.extra_turns = min(max(number, 0), LARGEST_TIE)
    for named in known.missing:
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
    rules: InitiativeRules,
    known_figures: tuple[int, ...] | None,
    dice: _DescribedDice,
) -> _Combatant:
    """Return a character at the table, with known figures or by rolling."""
    state, ruleset, spec = seat.opened.character.state, seat.opened.ruleset, rules.spec
    by = rules.by
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
    words: tuple[str, ...]


def seats_of(opened: Sequence[LoadedCharacter], files: Sequence[Path]) -> Iterator[Seat]:
    """Yield each character with its name, and its file if another has the same name."""
    ends = Counter(file.name for file in files)
    shorts = [file.name if ends[file.name] == 1 else str(file) for file in files]
    shorts += [""] * (len(opened) - len(files))
    labels = told_apart([character.document.name for character in opened], shorts)
    for character, label, short, file in zip_longest(opened, labels, shorts, files):
        name = character.document.name
        if label == name:
            yield Seat(character, name, "", (name,))
            continue
        words = (name, label, short, str(file), file.name, file.stem)
        yield Seat(character, label, short, words)


def find_seat(seats: Sequence[Seat], named: str) -> str:
    """Return the character's name that a player means, else the name itself. Raises UsageError."""
    exact = exact_matches(seats, named, lambda seat: filter(None, (seat.name, seat.file)))
    matches = exact or name_matches(seats, named, lambda seat: seat.words, beginnings=False)
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
