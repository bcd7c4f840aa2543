"""What a procedure is told: its inputs read from words, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from charforge.character.events import LARGEST_AMOUNT
from charforge.character.state import Holding, State
from charforge.errors import FormulaError, not_one_of, shorten
from charforge.expressions.formula import Formula
from charforge.expressions.template import MINUS, has_unprintable, parse_figure
from charforge.rules.models import AnyProcedureStep, Call, Decide, Input
from charforge.rules.ruleset import Ruleset

YES, NO = ("1", "yes", "y", "true", "on"), ("0", "no", "n", "false", "off")


def read(ruleset: Ruleset, one: Input, text: str, among: Iterable[Holding] = ()) -> int | str:
    """Return what a text says for an input. Raises ValueError with the reason.

    Words, values and terms may be given by id, label or name, in any case;
    an item is one of those ``among`` which it must be.
    """
    text = text.strip()
    if one.type == "number":
        return whole(text)
    if one.type == "flag":
        if text.casefold() not in YES + NO:
            raise ValueError(f"{shorten(text)} is neither yes nor no")
        return int(text.casefold() in YES)
    if one.type == "word":
        return _named(text, {option: (option,) for option in one.options})
    if one.type == "value":
        values = (ruleset.values[name] for name in values_of(ruleset, one))
        return _named(text, {v.id: (v.id, v.label, v.name) for v in values})
    if one.type == "item" and (held := list(among)):
        return _item(text, held)
    if has_unprintable(text) or "\n" in text:
        raise ValueError("it holds control characters or broken signs")
    return text


def whole(text: str) -> int:
    """Read a whole number with any sign. Raises ValueError."""
    try:
        number = int(text.replace(MINUS, "-"))
    except ValueError as error:
        raise ValueError(f"{shorten(text)} is no whole number") from error
    if abs(number) > LARGEST_AMOUNT:
        raise ValueError(f"it is larger than {LARGEST_AMOUNT}")
    return number


def _named(text: str, names: Mapping[str, Iterable[str]]) -> str:
    """Return the id that a text names."""
    wanted = _folded(text)
    for name, words in names.items():
        if wanted in map(_folded, words):
            return name
    raise ValueError(not_one_of(text, names))


def _item(text: str, among: list[Holding]) -> str:
    """Return the instance id of the item that a text names."""
    wanted = _folded(text)
    exact = [held for held in among if wanted in (held.id, _folded(held.name))]
    found = exact or [
        held
        for held in among
        if wanted in (held.entity.slug, _folded(held.entity.name)) or wanted in _folded(held.name)
    ]
    if len(found) == 1:
        return found[0].id
    if found:
        listed = " or ".join(f"{held.id} ({held.name})" for held in found)
        raise ValueError(f"{shorten(text)} may mean several: {listed}")
    raise ValueError(not_one_of(text, dict.fromkeys(held.name for held in among)))


def _folded(text: str) -> str:
    return text.casefold().replace(" ", "-").replace("_", "-")


def choices(ruleset: Ruleset, steps: Iterable[AnyProcedureStep]) -> Iterator[Decide]:
    """Yield what is chosen on the way by steps, and by the procedures that they call."""
    for step in every_step(ruleset, steps):
        if isinstance(step, Decide):
            yield step


def every_step(ruleset: Ruleset, steps: Iterable[AnyProcedureStep]) -> Iterator[AnyProcedureStep]:
    """Yield steps, and those of the procedures that they call."""
    for step in steps:
        yield step
        if isinstance(step, Call):
            yield from every_step(ruleset, ruleset.procedure(step.procedure).steps)


def input_faults(
    state: State,
    inputs: tuple[Input, ...],
    given: Mapping[str, Any],
    unit: str,
    figures: Mapping[str, int] | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the inputs given: ``(input, reason)``.

    ``figures`` are all that are known where there is no character; bounds
    that read others are not judged then.
    """
    for one in inputs:
        value = given.get(one.id)
        if value is None:
            if one.needed:
                yield one.id, f"it must be given: {one.label}"
        elif one.type == "item":
            if figures is None and value not in {held.id for held in items_of(state, one, unit)}:
                yield one.id, f"{shorten(value)} is nothing that there is here"
        elif one.type in ("number", "flag"):
            yield from _number_faults(state, one, value, unit, figures)
        elif not isinstance(value, str):
            yield one.id, "it must be a word"
        elif one.type == "word" and value not in one.options:
            yield one.id, f"{value!r} is none of {', '.join(one.options)}"
        elif one.type == "value":
            names = values_of(state.ruleset, one)
            if value not in names:
                yield one.id, f"{value!r} is none of {', '.join(names)}"
        elif one.type == "amount":
            try:
                chosen = parse_figure(value).choice
            except FormulaError as error:
                yield one.id, f"{value!r} is no amount such as 1d6 + 2: {error.reason}"
            else:
                if chosen:
                    yield one.id, f"{value!r} is no amount such as 1d6 + 2"


def items_of(state: State, one: Input, unit: str) -> Iterator[Holding]:
    """Yield the holdings of a unit that an input of the type item may be."""
    return (held for held in state.held(unit) if held.entity.kind in one.kind)


def values_of(ruleset: Ruleset, one: Input) -> tuple[str, ...]:
    """Return the values that an input of the type value may name."""
    return ruleset.group(one.group) if one.group else tuple(ruleset.values)


def _number_faults(
    state: State, one: Input, value: object, unit: str, figures: Mapping[str, int] | None
) -> Iterator[tuple[str, str]]:
    if one.type == "flag":
        if value not in (0, 1):
            yield one.id, "it is yes or no (1 or 0)"
        return
    if isinstance(value, bool) or not isinstance(value, int):
        yield one.id, "it must be a whole number"
        return
    low = None if one.minimum is None else _bound(state, one.minimum, unit, figures)
    high = None if one.maximum is None else _bound(state, one.maximum, unit, figures)
    if low is not None and value < low:
        yield one.id, f"{value} is less than {low}"
    if high is not None and value > high:
        yield one.id, f"{value} is more than {high}"


def _bound(
    state: State, bound: Formula, unit: str, figures: Mapping[str, int] | None
) -> int | None:
    if bound.constant is not None:
        return bound.constant
    if figures is not None and not bound.names <= figures.keys():
        return None
    values = state.values(unit)
    read = values.now if figures is None else figures.__getitem__
    return bound.whole(read, values.has, values.number)
