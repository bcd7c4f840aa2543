"""Inputs and dice of procedures: read, validated, and known before one runs; pools with symbols."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from charforge.character.state import Holding, State
from charforge.character.values import Values
from charforge.errors import FormulaError, ProcedureError, did_you_mean, not_one_of, shorten
from charforge.expressions import dice as dice_module
from charforge.expressions.dice import Dice
from charforge.expressions.formula import Formula, FunctionScope
from charforge.expressions.template import has_unprintable, keyboard_minus, parse_figure
from charforge.language import N_, _, read_dice_notation
from charforge.limits import LARGEST_AMOUNT
from charforge.rules.models import DiceCounts, Die, Input, Pool, Symbol
from charforge.rules.models.procedures import GIVEN_FLAG
from charforge.rules.models.vocabulary import BLANK
from charforge.rules.names import Translated, exact_matches, name_matches
from charforge.rules.ruleset import Ruleset, named_value

MOST_NUMBERS = 100  # of one input
YES, NO = ("1", "yes", "y", "true", "on"), ("0", "no", "n", "false", "off")


def read_input(
    ruleset: Ruleset,
    input_: Input,
    text: str,
    among: Iterable[Holding] = (),
    beginnings: bool = True,
) -> int | str:
    """Return the value of an input from a text. Raises ValueError with the reason.

    Words, values, rows and items are found as ``name_matches`` finds names; an
    item is one of ``among``. A flag is 1 or 0, an item the id of its holding.
    """
    text = text.strip()
    if input_.type == "number":
        return _row_or_number(text, row_numbers(ruleset, input_))
    if input_.type == "flag":
        return read_yes_or_no(text)
    if input_.type == "word":
        words = {option: (option, input_.word(option)) for option in input_.options}
        return _named(text, words, beginnings)
    if input_.type == "value":
        values = [ruleset.values[name] for name in values_of(ruleset, input_)]
        if (value := named_value(text, values)) is not None:
            return value.id
        return _named(text, {v.id: (v.id, v.label, v.name) for v in values}, beginnings)
    if input_.type == "item" and (holdings := list(among)):
        return _item(text, holdings, beginnings)
    if input_.type == "numbers":
        return ",".join(map(str, read_faces(text)))
    if has_unprintable(text) or "\n" in text:
        raise ValueError(_("it contains control characters or invalid characters"))
    return read_dice_notation(text) if input_.type == "amount" else text


def row_numbers(ruleset: Ruleset, input_: Input) -> Mapping[str, int]:
    """Return the numbers of the rows of its chart that can be named for an input."""
    return {} if input_.chart is None else ruleset.charts[input_.chart].numbers_by_name()


def _row_or_number(text: str, rows: Mapping[str, int]) -> int:
    """Read the name of a row as its number, or a whole number. Raises ValueError."""
    try:
        return rows[_named(text, {name: (name,) for name in rows})] if rows else read_whole(text)
    except ValueError as unnamed:
        try:
            return read_whole(text)
        except ValueError:
            raise unnamed from None


def read_yes_or_no(text: str) -> int:
    """Read yes as 1 and no as 0, in English or the reader's language. Raises ValueError."""
    yes, no = (*YES, *_("y yes").casefold().split()), (*NO, *_("n no").casefold().split())
    if (word := text.strip().casefold()) not in yes + no:
        raise ValueError(_("{text} is not yes or no").format(text=shorten(text)))
    return int(word in yes)


def read_whole(text: str) -> int:
    """Read a whole number with any sign. Raises ValueError."""
    try:
        number = int(keyboard_minus(text))
    except ValueError as error:
        raise ValueError(_("{text} is not a whole number").format(text=shorten(text))) from error
    if abs(number) > LARGEST_AMOUNT:
        raise ValueError(
            _("it is larger than {largest_amount}").format(largest_amount=LARGEST_AMOUNT)
        )
    return number


def read_faces(text: str) -> tuple[int, ...]:
    """Read the faces of dice, such as ``3,4``. Raises ValueError."""
    return tuple(read_whole(part) for part in text.replace(",", " ").split())


def input_options(state: State, input_: Input, unit_id: str) -> Iterator[str]:
    """Yield the names that an input can have: of its words, values or items, or yes and no."""
    if input_.type == "flag":
        yield from (_("yes"), _("no"))
    elif input_.type == "word":
        yield from map(input_.word, input_.options)
    elif input_.type == "number":
        yield from row_numbers(state.ruleset, input_)
    elif input_.type == "value":
        yield from (state.ruleset.values[name].label for name in values_of(state.ruleset, input_))
    elif input_.type == "item":
        yield from dict.fromkeys(holding.name for holding in items_of(state, input_, unit_id))


def _named(text: str, names: Mapping[str, Sequence[str]], beginnings: bool = True) -> str:
    """Return the id that a text names; ``names`` has the names of each."""
    found = name_matches(names, text, names.__getitem__, beginnings)
    if len(found) == 1:
        return found[0]
    shown = {id_: _shown(id_, *words) for id_, words in names.items()}
    if found:
        raise ValueError(_several(text, [shown[id_] for id_ in found]))
    others = (word for words in names.values() for word in words)
    raise ValueError(not_one_of(text, list(shown.values()), others))


def _several(text: str, listed: Iterable[str]) -> str:
    return _("{text} matches several: {listed}").format(
        text=shorten(text), listed=_(" or ").join(listed)
    )


def _shown(id_: str, *words: str) -> str:
    """Return the id of an option for an error; in another language its first translated word."""
    return next((word for word in words if isinstance(word, Translated)), id_)


def _item(text: str, among: list[Holding], beginnings: bool) -> str:
    """Return the instance id of the item that a text names."""

    def own_names(holding: Holding) -> Iterable[str]:
        return holding.id, holding.name, holding.entity.id

    def all_names(holding: Holding) -> Iterable[str]:
        return holding.id, holding.name, *holding.entity.names

    own = exact_matches(among, text, own_names)
    matches = own or name_matches(among, text, all_names, beginnings)
    if len(matches) == 1:
        return matches[0].id
    if matches:
        raise ValueError(_several(text, (f"{one.id} ({one.name})" for one in matches)))
    raise ValueError(not_one_of(text, dict.fromkeys(holding.name for holding in among)))


def input_problems(
    state: State,
    inputs: tuple[Input, ...],
    answers: Mapping[str, Any],
    unit_id: str,
    figures: Mapping[str, int] | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with ``answers``, the values of inputs by id: ``(input, reason)``.

    ``figures`` are all that is known where there is no character; bounds
    that read others are not checked then, nor are items.
    """
    for input_ in inputs:
        value = answers.get(input_.id)
        if value is None:
            if input_.needed:
                yield input_.id, _("missing: {label}").format(label=input_.label)
        elif input_.type in ("number", "flag"):
            yield from _number_problems(state, input_, value, unit_id, figures)
        elif input_.type == "item":
            if figures is None and value not in {
                held.id for held in items_of(state, input_, unit_id)
            }:
                yield input_.id, _("you do not have {value}").format(value=shorten(value))
        elif not isinstance(value, str):
            yield input_.id, _("it must be a word")
        else:
            yield from _text_problems(state.ruleset, input_, value)


def _text_problems(ruleset: Ruleset, input_: Input, value: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the text of a word, a value or an amount."""
    if input_.type in ("word", "value"):
        names = input_.options if input_.type == "word" else values_of(ruleset, input_)
        if value not in names:
            yield (
                input_.id,
                _("{value} is not one of {names}").format(
                    value=shorten(value),
                    names=", ".join(
                        input_.word(name) if input_.type == "word" else ruleset.value_label(name)
                        for name in names
                    ),
                ),
            )
    elif input_.type == "numbers":
        yield from _numbers_problems(input_, value)
    elif input_.type == "amount":
        reason = _("{value} is not an amount such as 1d6 + 2").format(value=shorten(value))
        try:
            chosen = parse_figure(value).choice
        except FormulaError as error:
            yield input_.id, f"{reason}: {error.reason}"
        else:
            if chosen:
                yield input_.id, reason


def _numbers_problems(input_: Input, value: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a list of numbers."""
    try:
        numbers = read_faces(value)
    except ValueError as error:
        yield input_.id, str(error)
    else:
        if len(numbers) > MOST_NUMBERS:
            yield (
                input_.id,
                _("at most {most_numbers} numbers are possible, not {count}").format(
                    most_numbers=MOST_NUMBERS, count=len(numbers)
                ),
            )


def items_of(state: State, input_: Input, unit_id: str) -> Iterator[Holding]:
    """Yield the holdings of a unit that an input of the type item may be."""
    return (held for held in state.held(unit_id) if held.entity.kind in input_.kind)


def values_of(ruleset: Ruleset, input_: Input) -> tuple[str, ...]:
    """Return the values that an input of the type value may name."""
    return ruleset.grouped(input_.group) if input_.group else tuple(ruleset.values)


def _number_problems(
    state: State, input_: Input, value: object, unit_id: str, figures: Mapping[str, int] | None
) -> Iterator[tuple[str, str]]:
    if input_.type == "flag":
        if value not in (0, 1):
            yield input_.id, _("it must be yes or no (1 or 0)")
        return
    if isinstance(value, bool) or not isinstance(value, int):
        yield input_.id, _("it must be a whole number")
        return
    low, high = input_bounds(state, input_, unit_id, figures)
    if low is not None and value < low:
        yield input_.id, _("{value} is too low; the lowest is {low}").format(value=value, low=low)
    if high is not None and value > high:
        yield (
            input_.id,
            _("{value} is too high; the highest is {high}").format(value=value, high=high),
        )


def input_bounds(
    state: State, input_: Input, unit_id: str, figures: Mapping[str, int] | None = None
) -> tuple[int | None, int | None]:
    """Return the lowest and the highest number of an input; None where it has no bound.

    ``figures`` are all that is known where there is no character: bounds that read others are
    left out then.
    """
    low, high = (
        None if bound is None else _bound(state, bound, unit_id, figures)
        for bound in (input_.minimum, input_.maximum)
    )
    return low, high


def _bound(
    state: State, bound: Formula, unit_id: str, figures: Mapping[str, int] | None
) -> int | None:
    if bound.constant is not None:
        return bound.constant
    if figures is not None and not bound.names <= figures.keys():
        return None
    values = state.values(unit_id)
    read_input = values.now if figures is None else figures.__getitem__
    return bound.evaluate(FunctionScope(read_input, values))


class NeededInput(NamedTuple):
    """A rule that the given inputs do not satisfy, before any dice are rolled.

    Any one of ``options`` would satisfy it. ``open`` says that all of them
    together would too: of two inputs of which only one may be given,
    another rule may still supply one.
    """

    message: str
    options: tuple[Input, ...]
    open: bool


class KnownInputs(NamedTuple):
    """The inputs of a procedure that are known before it runs.

    ``variables`` are those known by name; ``missing`` are the optional
    inputs that were not given, by their variable ``ID_given``.
    """

    ruleset: Ruleset
    variables: Mapping[str, int]
    missing: Mapping[str, Input]

    @classmethod
    def of(
        cls, ruleset: Ruleset, inputs: Iterable[Input], answers: Mapping[str, Any]
    ) -> KnownInputs:
        """Return what is known with these answers."""
        variables: dict[str, int] = {}
        missing: dict[str, Input] = {}
        for input_ in inputs:
            value = answers.get(input_.id)
            if input_.optional:
                variables[input_.id + GIVEN_FLAG] = int(value is not None)
                missing |= {input_.id + GIVEN_FLAG: input_} if value is None else {}
            variables |= _default_variables(input_) if value is None else _variables(input_, value)
        return cls(ruleset, variables, missing)

    def passed(self, inputs: Iterable[Input], values: Mapping[str, str | Formula]) -> KnownInputs:
        """Return what a called procedure knows: ``values`` are passed to its inputs."""
        variables: dict[str, int] = {}
        missing: dict[str, Input] = {}
        for input_ in inputs:
            value = values.get(input_.id)
            if not isinstance(value, str) or not value.startswith("$"):
                variables[input_.id + GIVEN_FLAG] = int(value is not None)
                known = value.constant if isinstance(value, Formula) else value
                variables |= (
                    _default_variables(input_) if value is None else _variables(input_, known)
                )
                continue
            ours = value.removeprefix("$")
            for name in (input_.id, *input_.option_variables, input_.id + GIVEN_FLAG):
                same = ours + name.removeprefix(input_.id)
                variables |= {name: self.variables[same]} if same in self.variables else {}
                missing |= {name: self.missing[same]} if same in self.missing else {}
            variables.setdefault(input_.id + GIVEN_FLAG, 1)
        return KnownInputs(self.ruleset, variables, missing)

    def holds(self, formula: Formula | None, supposed: Iterable[str] = ()) -> bool | None:
        """Return whether a formula holds, with the ``supposed`` variables 1; None: unknown."""
        if formula is None:
            return True
        if formula.asks_facts or not formula.names <= self.variables.keys():
            return None
        variables = {**self.variables, **dict.fromkeys(supposed, 1)}
        return bool(formula.evaluate_exact(FunctionScope(variables.__getitem__)))

    def exclude(self, formula: Formula | None) -> bool:
        """Return whether a formula cannot hold, whatever the unknown variables are."""
        parts = () if formula is None else formula.conjuncts
        return any(self.holds(part) is False for part in parts)


def _default_variables(input_: Input) -> dict[str, int]:
    """Return the variables of an input that is left out, as far as known."""
    return _variables(
        input_, input_.default_word if input_.default is None else input_.default.constant
    )


def _variables(input_: Input, value: object) -> dict[str, int]:
    """Return the variables of an input, as far as known: a flag, or which word it is."""
    if input_.type == "flag":
        return {input_.id: value} if isinstance(value, int) else {}
    words = zip(input_.option_variables, input_.options, strict=True)
    return {name: int(value == option) for name, option in words}


FIRST_ROLL = "first"  # the name of faces that were typed without one: those of the first roll
NO_DICE: Mapping[str, Sequence[int]] = MappingProxyType({})


class RolledDice:
    """Faces that a player rolled, by the name or the label of their roll.

    ``left`` are those not used yet, by name in lower case. Faces under
    ``FIRST_ROLL`` belong to the first roll.
    """

    def __init__(self, faces: Mapping[str, Sequence[int]]) -> None:
        self.left = {name.casefold(): tuple(rolled) for name, rolled in faces.items()}

    def take(self, name: str, label: str, dice: Dice) -> list[int]:
        """Remove and return the next faces of a roll, fewer or none if there are no more.

        A percentile die can be two dice, tens and ones.
        """
        if FIRST_ROLL in self.left:
            self.left[name.casefold()] = self.left.pop(FIRST_ROLL)
        for key in (name.casefold(), label.casefold()):
            if faces := self.left.get(key):
                percentile = dice_module.tens_and_ones(dice, faces)
                self.left[key] = faces[2 if percentile else dice.number :]
                return [percentile] if percentile else list(faces[: dice.number])
        return []


class DiceSource:
    """The dice of one run of a procedure; its ``roll`` is the run's ``Roller``.

    ``faces`` are those that a player rolled, the others are rolled from
    ``seed``. ``place`` says what they are rolled for (``event.7``), so that
    the same dice fall when it is undone and repeated. ``thrown`` has the faces
    of all rolls so far, by name.
    """

    def __init__(self, seed: str, place: str, faces: Mapping[str, Sequence[int]] = NO_DICE) -> None:
        self._seed = seed
        self._place = place
        self._rolled = RolledDice(faces)
        self._rolls: Counter[str] = Counter()  # by name, in order
        self._typed_names: dict[str, str] = {}  # what players type for each roll, and its label
        # What one percentile die showed last, by the name and the label of its roll.
        self._percentile: dict[str, int] = {}
        self.thrown: dict[str, list[int]] = {}

    def roll(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return the faces of a roll, which may be wrong if a player typed them."""
        attempt = self._rolls[name]
        self._rolls[name] += 1
        # A roll for one of several effects is named by its label: its name is made of ids.
        self._typed_names[name] = f"{name} ({label})" if name.isidentifier() else label
        faces = self._rolled.take(name, label, dice)
        faces = faces or self.random_faces(name, dice, attempt)
        if dice.number == 1 and dice.faces == dice_module.PERCENTILE:
            self._percentile |= dict.fromkeys((name.casefold(), label.casefold()), faces[0])
        self.thrown.setdefault(name, []).extend(faces)
        return faces

    def random_faces(self, name: str, dice: Dice, attempt: int) -> list[int]:
        """Return faces for the roll with a name; ``attempt`` counts its rolls from 0."""
        numbers = dice_module.random_stream(self._seed, f"{self._place}.{name}", attempt)
        return dice_module.roll_dice(dice, numbers)[0]

    @property
    def unused(self) -> Mapping[str, Sequence[int]]:
        """The typed faces that were not rolled yet, by the name of their roll."""
        return self._rolled.left

    def refuse_unused(self, label: str) -> None:
        """Raise ProcedureError for typed dice that were not rolled; ``label`` names the rule."""
        rolled = ", ".join(self._typed_names.values()) or _("nothing")
        unused = [
            ("" if name == FIRST_ROLL else name, self._not_needed(name, faces, rolled))
            for name, faces in self._rolled.left.items()
            if faces
        ]
        if unused:
            raise ProcedureError(label, unused)

    def _not_needed(self, name: str, faces: Sequence[int], rolled: str) -> str:
        """Return that typed faces are left, and what to type for a percentile die instead."""
        names = " ".join(map(str, faces))
        if name not in self._percentile:
            text = _("the dice {names} were not needed; this rule rolls {rolled}")
            return text.format(names=names, rolled=rolled)
        turned = (faces[0], self._percentile[name])
        if dice_module.tens_and_ones(ONE_PERCENTILE, turned):
            text = _(
                "the dice {names} were not needed; "
                "type two dice for d100 as tens and ones: {example}"
            )
            return text.format(names=names, example=",".join(map(str, turned)))
        text = _(
            "the dice {names} were not needed; type two dice for d100 as tens and ones: 10,2 is 12"
        )
        return text.format(names=names)


class LowestDice(DiceSource):
    """Dice that show their lowest face, for trials whose result must not depend on luck."""

    def __init__(self, faces: Mapping[str, Sequence[int]] = NO_DICE) -> None:
        super().__init__("", "", faces)

    def random_faces(self, _name: str, dice: Dice, _attempt: int) -> list[int]:
        """Return the lowest face of each die."""
        return [dice.faces[0]] * dice.number


ONE_PERCENTILE = dice_module.parse_dice("1d100")
EMPTY_POOL = N_("nothing")


def dice_counts(dice: DiceCounts, whole: Callable[[Formula], int]) -> dict[str, int]:
    """Return the number of each die in a pool by id, without those of which it has none."""
    numbers = {name: whole(formula) for name, formula in dice.items()}
    return {name: number for name, number in numbers.items() if number > 0}


def count_symbols(die: Die, faces: Iterable[int]) -> Counter[str]:
    """Count the symbols on these faces of a die, which are numbered from 1."""
    return Counter(symbol for face in faces for symbol in die.symbols[face - 1])


def read_symbol_faces(ruleset: Ruleset, die: Die, text: str) -> tuple[int, ...]:
    """Read the faces of symbol dice: by number, or as ``success+advantage, blank``.

    Raises ValueError.
    """
    parts = (part.strip() for part in text.split(","))
    return tuple(face for part in parts for face in _read_face(ruleset, die, part))


def _read_face(ruleset: Ruleset, die: Die, text: str) -> tuple[int, ...]:
    """Read one face by its symbols, or some by their numbers."""
    if any(sign.isdecimal() for sign in text):
        return read_faces(text)
    words = [word.strip().casefold() for word in text.split("+")]
    if words == [BLANK]:
        words = []
    by_name = {name.casefold(): symbol.id for symbol in ruleset.head.symbols
              for name in (symbol.id, symbol.label)}  # fmt: skip
    unknown = [word for word in words if word not in by_name]
    if unknown:
        raise ValueError(
            _("there is no symbol {unknown}{did_you_mean}").format(
                unknown=shorten(unknown[0]), did_you_mean=did_you_mean(unknown[0], by_name)
            )
        )
    symbols_shown = sorted(by_name[word] for word in words)
    for number, symbols in enumerate(die.symbols, 1):
        if sorted(symbols) == symbols_shown:
            return (number,)
    raise ValueError(
        _("{label} has no face with {text}").format(label=die.label or die.id, text=text)
    )


def net_symbols(ruleset: Ruleset, counts: Mapping[str, int]) -> dict[str, int]:
    """Return the net count of every symbol of a ruleset, from the counts that dice show.

    A symbol that counts as another is added to it; then the symbols that
    cancel one are subtracted, so that a count may be negative. The net of
    two pools is the sum of their nets.
    """
    symbols = ruleset.symbols
    gross = dict.fromkeys(symbols, 0)
    for name, number in counts.items():
        for symbol in _counted(symbols, name):
            gross[symbol] += number
    return {
        name: gross[name] - (gross[symbol.cancels] if symbol.cancels else 0)
        for name, symbol in symbols.items()
    }


def _counted(symbols: Mapping[str, Symbol], name: str | None) -> Iterator[str]:
    """Yield a symbol, and those that it counts as."""
    while name is not None:
        yield name
        name = symbols[name].counts


def is_opposing(ruleset: Ruleset, die: Die) -> bool:
    """Return whether a die shows only symbols that cancel an earlier symbol of the ruleset."""
    order = list(ruleset.symbols)
    sides = {
        order.index(cancels) < order.index(name)
        for symbol in {symbol for face in die.symbols for symbol in face}
        for name in _counted(ruleset.symbols, symbol)
        if (cancels := ruleset.symbols[name].cancels) is not None
    }
    return sides == {True}


def sorted_dice(ruleset: Ruleset, dice: Iterable[str]) -> list[str]:
    """Return dice with those that oppose the others last."""
    return sorted(dice, key=lambda name: is_opposing(ruleset, ruleset.symbol_dice[name]))


def pool_text(ruleset: Ruleset, pool: Mapping[str, int]) -> str:
    """Return a pool in words: ``Ability 1, Proficiency 2 against Difficulty 2``."""
    sides: dict[bool, dict[str, int]] = {False: {}, True: {}}
    for name, number in pool.items():
        sides[is_opposing(ruleset, ruleset.symbol_dice[name])][name] = number
    own, others = (dice_text(ruleset, sides[side]) for side in (False, True))
    if not others:
        return own or _(EMPTY_POOL)
    return _("{own} against {others}").format(own=own or _(EMPTY_POOL), others=others)


def dice_of_unit(values: Values, pool: Pool) -> str:
    """Return the dice that a unit has in a pool, in words."""
    counted = dice_counts(pool.dice, values.evaluate_now)
    return dice_text(values.ruleset, counted) or _(EMPTY_POOL)


def dice_text(ruleset: Ruleset, dice: Mapping[str, int]) -> str:
    """Return dice with their numbers in words: ``Difficulty 1, Challenge 2``."""
    named = ((ruleset.symbol_dice[name], number) for name, number in dice.items())
    return ", ".join(f"{die.label or die.id} {number}" for die, number in named)


def symbols_text(ruleset: Ruleset, left: Mapping[str, int]) -> str:
    """Return the symbols left in words: ``2 Successes, 1 Threat``."""
    symbols = ruleset.symbols
    parts = [symbols[name].counted(number) for name, number in left.items() if number > 0]
    return ", ".join(parts) or _(EMPTY_POOL)


def pool_outcomes(
    ruleset: Ruleset, pool: Mapping[str, int], symbols: Sequence[str]
) -> Iterator[tuple[dict[str, int], int]]:
    """Yield every possible net count of these symbols in a pool, with its number of ways.

    ``pool`` has the number of each die by id. The fewer symbols, the faster.
    """
    dice = tuple((_net_faces(ruleset, name, symbols), number) for name, number in pool.items())
    for left, ways in _added_up(dice, len(symbols)).items():
        yield dict(zip(symbols, map(int, left), strict=True)), int(ways)


NetFaces = tuple[tuple[int, ...], ...]  # of each face of a die, the number of each symbol


@lru_cache(maxsize=64)
def _added_up(dice: tuple[tuple[NetFaces, int], ...], symbols: int) -> Any:
    """Return the sum of dice, each with its number, as a die of icepool.

    It is kept, because the pools of a sheet or a table often differ in their last dice alone.
    """
    # Here, because only odds of pools need it, and it takes 25 ms to import.
    import icepool

    if not dice:
        return icepool.Die([icepool.Vector([0] * symbols)])
    total, (faces, number) = _added_up(dice[:-1], symbols), dice[-1]
    die = icepool.Die([icepool.Vector(face) for face in faces])
    for _die in range(number):
        total += die
    return total


def _net_faces(ruleset: Ruleset, name: str, symbols: Sequence[str]) -> NetFaces:
    """Return the net of each face of a symbol die."""
    die = ruleset.symbol_dice[name]
    nets = (net_symbols(ruleset, count_symbols(die, [n + 1])) for n in range(len(die.symbols)))
    return tuple(tuple(left[symbol] for symbol in symbols) for left in nets)
