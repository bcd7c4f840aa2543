"""Checking a pack: every error of its files, its requirements, its texts and its samples.

An *error* makes a pack useless: it cannot be loaded, a text cannot be
printed, a requirement can never be met. A *warning* is about something that
works and is probably a mistake: an entity that only the GM can award.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import methodcaller
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from charforge.answers.random import RandomAnswers
from charforge.character.holdings import gain
from charforge.character.state import CHARACTER, State
from charforge.decisions.unreachable import (
    Obtainable,
    UnreachableEntity,
    unreachable_entities,
)
from charforge.describe.entities import HeldEntity
from charforge.errors import CharforgeError, PackError, PackProblem
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.replay.replay import replay
from charforge.rules.errors import KeyPath
from charforge.rules.install import load_checked, problems_at_origin, unpacked
from charforge.rules.models import Entity
from charforge.rules.models.base import Figures, annotated_fields
from charforge.rules.parser import PackReader, sorted_problems
from charforge.rules.ruleset import Ruleset
from charforge.usecases import pack_samples
from charforge.usecases.create import create_character

# Keys whose texts have figures of steps or questions, which no sheet prints.
NOT_PRINTED = {"inputs", "does", "choices", "each_level"}
SEED = "check"
Place = tuple[Path, KeyPath]
Print = Callable[[HeldEntity], object]  # prints a text or a figure


@dataclass(frozen=True)
class CheckedPack:
    """The errors and warnings of a pack; ``ruleset`` are the rules with it, if it loads."""

    id: str
    faults: tuple[PackProblem, ...] = ()
    warnings: tuple[PackProblem, ...] = ()
    ruleset: Ruleset | None = None


def check_pack(origin: Path) -> CheckedPack:
    """Return the errors and warnings of the pack in a folder or a zip; none are raised."""
    try:
        with unpacked(origin) as folder:
            name, reader, ruleset = load_checked(folder)
            own = dict(_own_entities(reader, folder))
            unreachable = [one for one in unreachable_entities(ruleset) if one.entity in own]
            faults = [_unreachable_fault(reader, own, one) for one in unreachable if one.never]
            warnings = [
                _unreachable_fault(reader, own, one) for one in unreachable if not one.never
            ]
            faults += _unprintable(reader, own, ruleset)
            faults += _sample_errors(folder, ruleset)
    except PackError as error:
        return CheckedPack("", error.problems)
    return CheckedPack(
        name,
        tuple(problems_at_origin(sorted_problems(faults), folder, origin)),
        tuple(problems_at_origin(sorted_problems(warnings), folder, origin)),
        ruleset,
    )


def _unreachable_fault(
    reader: PackReader, own: Mapping[str, Place], entity: UnreachableEntity
) -> PackProblem:
    """Return the fault of an entity that no character can have."""
    path, way = own[entity.entity]
    return reader.problem(path, (*way, *(entity.where or ("id",))), entity.message, entity.nearest)


def _unprintable(
    reader: PackReader, own: Mapping[str, Place], ruleset: Ruleset
) -> Iterator[PackProblem]:
    """Yield the errors of texts that no sheet can print."""
    texts, obtainable = _Texts(ruleset), Obtainable(ruleset)
    for name, (path, way) in own.items():
        entity = ruleset.entities[name]
        for where, reason in texts.errors(entity, obtainable.bearers(entity)):
            yield reader.problem(path, (*way, *where), reason)


def _sample_errors(folder: Path, ruleset: Ruleset) -> Iterator[PackProblem]:
    """Yield the errors in the files of samples; ``catalog test`` runs them."""
    for path in pack_samples.sample_files(folder):
        try:
            pack_samples.read_checked_sample(path, ruleset)
        except PackError as error:
            yield from error.problems


def _own_entities(reader: PackReader, folder: Path) -> Iterator[tuple[str, Place]]:
    """Yield the entities that a pack adds or changes, each with its place."""
    for name, (path, way) in reader.places().items():
        if path.is_relative_to(folder) or reader.patches.touched(path, way):
            yield name, (path, way)


class _Texts:
    """Prints the texts of entities as a sheet would.

    At least one of these must be able to print a text: a character without
    any answers, a random character, or a unit of theirs.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def errors(self, entity: Entity, units: Collection[str]) -> Iterator[tuple[KeyPath, str]]:
        """Yield the texts that no unit of some types can print, then figures out of range."""
        able = [(s, unit) for s, unit in self._bearers if s.unit(unit).type.id in units]
        left = dict(_texts(entity, ()))
        reasons: dict[KeyPath, str] = {}
        for bearer in able if left else ():
            failed = dict(self._failed(*bearer, entity, left))
            reasons = {way: reasons.get(way, reason) for way, reason in failed.items()}
            left = {way: left[way] for way in failed}
        yield from reasons.items()
        # A character without answers has scores of 0: only others show figures out of range.
        for bearer in able[1:] or able:
            failed = dict(self._failed(*bearer, entity, _changed_figures(entity)))
            if failed:
                yield from failed.items()
                return

    def _failed(
        self, state: State, unit: str, entity: Entity, texts: Mapping[KeyPath, Print]
    ) -> Iterator[tuple[KeyPath, str]]:
        """Yield the texts that a unit cannot print, with the reason."""
        own = self.ruleset.kinds[entity.kind].unit is not None
        for way, print_text in texts.items():
            try:
                held = gain(state, entity, SEED, SEED, unit)
                print_text(HeldEntity(held, entity, SEED if own else unit, SEED))
            except CharforgeError as error:
                yield way, f"this has no figure or cannot be printed: {error}"

    @cached_property
    def _bearers(self) -> list[tuple[State, str]]:
        """Characters and units to print texts for; a character without answers comes first."""
        nobody = replay(self.ruleset, {}, 1, "").state
        found = [(nobody, CHARACTER)]
        try:
            plan = CharacterSpec(self.ruleset, SEED, SEED)
            somebody = replay_document(
                create_character(plan, RandomAnswers(SEED)), self.ruleset
            ).character.state
        except CharforgeError:
            somebody = nobody
        else:
            found.append((somebody, CHARACTER))
        for kind in self.ruleset.head.kinds:
            if kind.unit is not None:
                found += self._unit(somebody, kind.id)
        return found

    def _unit(self, state: State, kind: str) -> Iterator[tuple[State, str]]:
        """Yield a character with the first unit of a kind that can be gained."""
        for entity in self.ruleset.of_kind(kind):
            try:
                yield gain(state, entity, kind, kind), kind
            except CharforgeError:
                continue
            return


def _changed_figures(entity: Entity) -> dict[KeyPath, Print]:
    """Return the key by which an entity changes figures, if any, to compute them all."""
    parts = (name for name in ("modifies", "tables", "values") if getattr(entity, name))
    return {(part,): _compute_figures for part in itertools.islice(parts, 1)}


def _compute_figures(held: HeldEntity) -> None:
    """Compute every figure of a unit."""
    values = held.state.values(held.unit)
    for name in values.ids():
        values.explain(name)


def _texts(part: Any, where: KeyPath) -> Iterator[tuple[KeyPath, Print]]:
    """Yield the texts with figures in a part, each with its path and how to print it."""
    if isinstance(part, tuple):
        for number, one in enumerate(part):
            yield from _texts(one, (*where, number))
    elif isinstance(part, BaseModel):
        for name, key, annotation, _values in annotated_fields(type(part)):
            value = getattr(part, name)
            if name in NOT_PRINTED:
                continue
            if not isinstance(value, str):
                yield from _texts(value, (*where, key))
            elif isinstance(annotation, Figures) and annotation.whole:
                yield (*where, key), methodcaller("amount", value)
            elif isinstance(annotation, Figures) and "{" in value:
                yield (*where, key), methodcaller("prose", value)
