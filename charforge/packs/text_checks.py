"""The check of a pack's texts: each is printed as on a sheet, for sample characters and units."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from operator import methodcaller
from typing import Any

from pydantic import BaseModel

from charforge.answers.automatic import RandomAnswers
from charforge.character.holdings import add_holding
from charforge.character.state import CHARACTER, State
from charforge.character.values import Values
from charforge.describe.held_entities import HeldEntity
from charforge.errors import CharforgeError, FormulaError
from charforge.packs.ability_checks import cannot_be_calculated
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.replay.replay import replay
from charforge.rules.errors import KeyPath
from charforge.rules.models import Entity
from charforge.rules.models.base import Figures, annotated_fields
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character

# Keys whose texts have figures of steps or questions, which no sheet prints.
NOT_PRINTED = {"inputs", "does", "choices", "each_level"}
SEED = "check"  # also the id of the entity while its texts are printed
Printer = Callable[[HeldEntity], object]  # prints one text, or computes figures


class TextCheck:
    """Prints the texts of entities as a sheet would.

    A text is correct if one of these can print it: a character without any
    answers, a random character, or a unit of one of them.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    @cached_property
    def faulty_values(self) -> dict[KeyPath, FormulaError]:
        """The formulas of ``units`` that none of these can compute, by their place, and why."""
        faulty: dict[KeyPath, FormulaError] = {}
        for number, unit in enumerate(self.ruleset.head.units):
            units = [s.values(unit_id) for s, unit_id in self.bearers]
            bearers = [values for values in units if values.unit.type is unit]
            for name, computed in unit.values.items():
                errors = [_value_error(values, name) for values in bearers]
                error = errors[0] if errors and all(errors) else None
                for key in ("formula", "minimum", "maximum"):
                    formula = getattr(computed, key)
                    if error is not None and formula is not None and formula.text == error.text:
                        faulty["units", number, "values", name, key] = error
        return faulty

    def errors(self, entity: Entity, units: Collection[str]) -> Iterator[tuple[KeyPath, str]]:
        """Yield the texts that no unit of these types can print, then figures out of range."""
        bearers = [(s, unit) for s, unit in self.bearers if s.unit(unit).type.id in units]
        printers = dict(_texts(entity, ()))
        reasons: dict[KeyPath, str] = {}
        for state, unit in bearers if printers else ():
            failures = dict(self._failures(state, unit, entity, printers))
            reasons = {key: reasons.get(key, reason) for key, reason in failures.items()}
            printers = {key: printers[key] for key in failures}
        yield from reasons.items()
        # A character without answers has scores of 0: only others show figures out of range.
        for state, unit in bearers[1:] or bearers:
            failures = dict(self._failures(state, unit, entity, _changed_figures(entity)))
            if failures:
                yield from failures.items()
                return

    def _failures(
        self, state: State, unit_id: str, entity: Entity, printers: Mapping[KeyPath, Printer]
    ) -> Iterator[tuple[KeyPath, str]]:
        """Yield the texts that a unit with the entity cannot print, with the reason."""
        is_unit = self.ruleset.kinds[entity.kind].unit is not None
        for key, print_text in printers.items():
            try:
                with_entity = add_holding(state, entity, SEED, SEED, unit_id)
                print_text(HeldEntity(with_entity, entity, SEED if is_unit else unit_id, SEED))
            except CharforgeError as error:
                if str(error) not in map(str, self.faulty_values.values()):
                    yield key, cannot_be_calculated(error)

    @cached_property
    def bearers(self) -> list[tuple[State, str]]:
        """Characters and units to print texts for; a character without answers comes first."""
        empty = replay(self.ruleset, {}).state
        bearers = [(empty, CHARACTER)]
        try:
            spec = CharacterSpec(self.ruleset, SEED, SEED)
            document = create_character(spec, RandomAnswers(SEED))
            character = replay_document(document, self.ruleset).character.state
        except CharforgeError:
            character = empty
        else:
            bearers.append((character, CHARACTER))
        for kind in self.ruleset.head.kinds:
            if kind.unit is not None:
                bearers += self._with_unit(character, kind.id)
        return bearers

    def _with_unit(self, state: State, kind: str) -> Iterator[tuple[State, str]]:
        """Yield a character with the first unit of a kind that can be gained, and the unit's id."""
        for entity in self.ruleset.of_kind(kind):
            try:
                yield add_holding(state, entity, kind, kind), kind
            except CharforgeError:
                continue
            return


def _value_error(values: Values, name: str) -> FormulaError | None:
    """Return why a value cannot be computed; None if it can."""
    try:
        values.explain(name)
    except FormulaError as error:
        return error
    return None


def _changed_figures(entity: Entity) -> dict[KeyPath, Printer]:
    """Return the first key by which an entity changes figures, if any, to compute them all."""
    keys = [key for key in ("modifies", "tables", "values") if getattr(entity, key)]
    return {(key,): _compute_figures for key in keys[:1]}


def _compute_figures(held: HeldEntity) -> None:
    values = held.state.values(held.unit)
    for name in values.ids():
        values.explain(name)


def _texts(part: Any, key_path: KeyPath) -> Iterator[tuple[KeyPath, Printer]]:
    """Yield the texts with figures in a part of a model, each with its path and how to print it."""
    if isinstance(part, tuple):
        for number, item in enumerate(part):
            yield from _texts(item, (*key_path, number))
    elif isinstance(part, BaseModel):
        for name, key, annotation, _values, _readable in annotated_fields(type(part)):
            value = getattr(part, name)
            if name in NOT_PRINTED:
                continue
            if not isinstance(value, str):
                yield from _texts(value, (*key_path, key))
            elif isinstance(annotation, Figures) and annotation.single:
                yield (*key_path, key), methodcaller("amount", value)
            elif isinstance(annotation, Figures) and "{" in value:
                yield (*key_path, key), methodcaller("prose", value)
