"""Differences between two characters, or two levels of one: as data and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from charforge.character.files.differences import Difference, Entries, entry_differences
from charforge.character.state import CHARACTER, State, Unit
from charforge.errors import UsageError
from charforge.language import _
from charforge.procedures.pools import dice_of_unit
from charforge.replay.replay import Character
from charforge.rules.ruleset import Ruleset

ARROW = "\N{RIGHTWARDS ARROW}"


def difference_lines(differences: Iterable[Difference], ruleset: Ruleset) -> list[str]:
    """Return differences in words, a line each, with the figures as the game prints them."""
    worded = (_with_figures(difference, ruleset) for difference in differences)
    return [LINES.get(one.topic, _changed)(one) for one in worded]


def change_text(difference: Difference) -> str:
    """Return what differs without its owner: ``Max HP 37 → 42``; of a new value the new one."""
    old, new = map(_value_text, (difference.old, difference.new))
    if difference.old is None:
        return f"{difference.label} {new}"
    return f"{difference.label} {old} {ARROW} {new}"


def _with_figures(difference: Difference, ruleset: Ruleset) -> Difference:
    """Return a difference with its numbers as the game prints them: ``d8``, ``10 m``."""
    old, new = difference.old, difference.new
    if difference.topic == "level":
        number = ruleset.head.advancement.number
        old, new = (number(n) if isinstance(n, int) else n for n in (old, new))
    elif difference.topic == "value":
        figure = partial(ruleset.figure_text, difference.id)
        old, new = (figure(n) if isinstance(n, int) else n for n in (old, new))
        value = ruleset.values.get(difference.id)
        if isinstance(new, str) and value is not None and value.unit:
            new = f"{new} {value.unit}"
    return replace(difference, old=old, new=new)


def _value_text(value: int | str | None) -> str:
    return _("none") if value is None else str(value)


def _changed(difference: Difference) -> str:
    return f"{_owner_prefix(difference)}{change_text(difference)}"


def _holding(difference: Difference) -> str:
    """Return a holding that was gained or lost, or whose quantity changed."""
    if isinstance(difference.old, int) and isinstance(difference.new, int):
        numbers = f"× {difference.old} {ARROW} × {difference.new}"
        return f"{_owner_prefix(difference)}{difference.label} {numbers}"
    number = difference.new if difference.old is None else difference.old
    times = f" × {number}" if number != 1 else ""
    kind = f" ({difference.kind})" if difference.kind else ""
    return f"{_sign(difference)} {_owner_prefix(difference)}{difference.label}{times}{kind}"


def _unit(difference: Difference) -> str:
    return f"{_sign(difference)} {difference.label} ({difference.kind})"


def _condition(difference: Difference) -> str:
    if difference.old is not None and difference.new is not None:
        return _changed(difference)
    amount = difference.new if difference.old is None else difference.old
    return f"{_sign(difference)} {_owner_prefix(difference)}{difference.label}" + (
        f" {amount}" if amount != 1 else ""
    )


def _choice(difference: Difference) -> str:
    """Return a changed choice by its short name, which ``edit`` accepts."""
    name = difference.label
    if difference.old is not None and difference.new is not None:
        return _("{name}: {new}, was {old}").format(
            name=name, new=difference.new, old=difference.old
        )
    answer = difference.new if difference.old is None else difference.old
    return f"{_sign(difference)} {name}: {answer}"


def _text(difference: Difference) -> str:
    return _("{label}: this rule has a different text").format(label=difference.label)


def _rule(difference: Difference) -> str:
    if difference.old is None or difference.new is None:
        option = difference.new if difference.old is None else difference.old
        text = _("Table rule {label}: {option}").format(label=difference.label, option=option)
        return f"{_sign(difference)} {text}"
    return _("Table rule {label}: {old} {arrow} {new}").format(
        label=difference.label, old=difference.old, arrow=ARROW, new=difference.new
    )


def _sign(difference: Difference) -> str:
    return "+" if difference.old is None else "\N{MINUS SIGN}"


def _owner_prefix(difference: Difference) -> str:
    return f"{difference.unit}: " if difference.unit else ""


LINES = {
    "holding": _holding,
    "unit": _unit,
    "condition": _condition,
    "choice": _choice,
    "text": _text,
    "rule": _rule,
}


def differences(old: Character, new: Character, choices: bool = True) -> tuple[Difference, ...]:
    """Return all differences; without ``choices`` only their effects.

    Raises UsageError for characters of different games.
    """
    before, after = old.state, new.state
    if before.ruleset.id != after.ruleset.id:
        raise UsageError(
            _("{name} is a {game} character and {other_name} a {other_game} character").format(
                name=old.name,
                game=before.ruleset.head.name,
                other_name=new.name,
                other_game=after.ruleset.head.name,
            ),
            _("Compare characters of the same game."),
        )
    all_differences = [
        *entry_differences(
            "name", {"name": (_("Name"), old.name)}, {"name": (_("Name"), new.name)}
        ),
        *entry_differences("level", _level(before), _level(after)),
        *entry_differences("rule", _table_rules(before), _table_rules(after)),
        *state_differences(before, after),
        *entry_differences("text", _ruled_texts(before), _ruled_texts(after)),
    ]
    if choices:
        all_differences += entry_differences("choice", _choices(old), _choices(new))
    return tuple(all_differences)


def _level(state: State) -> Entries:
    return {"level": (state.ruleset.head.advancement.label, state.level)}


def _table_rules(state: State) -> Entries:
    """Return the label of the chosen option of each table rule."""
    entries = {}
    for name, chosen in state.ruleset.table_rule_options(state.rules).items():
        rule = state.ruleset.table_rules[name]
        label = next((option.label for option in rule.options if option.id == chosen), chosen)
        entries[name] = (rule.label, label)
    return entries


def state_differences(before: State, after: State) -> Iterator[Difference]:
    """Yield the differences of the units of two states.

    Only the name of a unit that one side lacks is a difference.
    """
    old_units, new_units = _units_by_key(before), _units_by_key(after)
    for key in dict.fromkeys([*new_units, *old_units]):
        old, new = old_units.get(key), new_units.get(key)
        if old is None or new is None:
            yield _missing_unit(old, new)
            continue
        name = new.name if new.id != CHARACTER else ""
        if old.name != new.name and name:
            yield Difference("name", new.id, _("Name"), old.name, new.name, name)
        levels = before.level_of(old), after.level_of(new)
        if levels[0] != levels[1] and name and new.type.level != "owner":
            label = after.ruleset.head.advancement.label
            yield Difference("level", new.id, label, *levels, name)
        yield from entry_differences("value", _values(before, old), _values(after, new), name)
        yield from entry_differences("value", _pools(before, old), _pools(after, new), name)
        yield from entry_differences(
            "holding", _holdings(before, old), _holdings(after, new), name,
            lambda key: after.ruleset.kind_label(key),
        )  # fmt: skip
        conditions = _conditions(before, old), _conditions(after, new)
        yield from entry_differences("condition", *conditions, name)


def _units_by_key(state: State) -> dict[tuple[str, str], Unit]:
    return {(unit.id, unit.entity.id if unit.entity else ""): unit for unit in state.units}


def _missing_unit(old: Unit | None, new: Unit | None) -> Difference:
    """Return the difference of a unit that only one side has."""
    unit = new or old
    assert unit is not None
    names = old.name if old else None, new.name if new else None
    return Difference("unit", unit.id, unit.name, *names, kind=unit.type.label)


def _values(state: State, unit: Unit) -> Entries:
    values = state.values(unit.id)
    shown = (name for name in values.ids() if not values.is_hidden(name))
    return {name: (state.ruleset.values[name].label, values.total(name)) for name in shown}


def _pools(state: State, unit: Unit) -> Entries:
    """Return the dice of each pool of a unit in words."""
    values = state.values(unit.id)
    return {pool.id: (pool.label, dice_of_unit(values, pool)) for pool in unit.type.pools}


def _holdings(state: State, unit: Unit) -> Entries:
    """Return the number of each entity that a unit has; those with a title are kept apart."""
    entries: dict[str, tuple[str, int]] = {}
    for holding in state.held(unit.id):
        if state.ruleset.kinds[holding.entity.kind].unit is None:
            key = f"{holding.entity.id} {holding.title}".strip()
            number = entries.get(key, ("", 0))[1] + holding.quantity
            entries[key] = (holding.name, number)
    return entries


def _conditions(state: State, unit: Unit) -> Entries:
    entries = {}
    for condition in state.active_conditions(unit.id):
        if condition.hidden:
            continue
        about = f" ({condition.about})" if condition.about else ""
        entity = condition.entity
        entries[f"{entity.id}{about}"] = (entity.name + about, condition.amount)
    return entries


def _choices(character: Character) -> Entries:
    """Return every answer in effect, in words, by decision id."""
    answers = character.answers()
    return {
        decision.id: (decision.heading(), decision.answer_text(answers[decision.id]))
        for decision in character.asked
        if decision.id in answers
    }


def _ruled_texts(state: State) -> Entries:
    """Return the rules texts that depend on table rules, as they are for this character."""
    ruled = (entity for entity in state.ruleset.entities.values() if entity.ruled)
    return {entity.id: (entity.name, state.text(entity)) for entity in ruled}
