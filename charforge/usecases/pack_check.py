"""What is wrong with a pack, all at once: what loading refuses, and what only a character meets.

A *fault* makes a pack unfit: it cannot be loaded, a text cannot be
printed, a requirement contradicts the rules. A *warning* names what works
and is hardly meant: something that only a gift of the GM can bring.
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
from charforge.character.grants import gain
from charforge.character.state import CHARACTER, State
from charforge.decisions.unreachable import Obtainable, UnreachableEntity, Way, unreachable_entities
from charforge.errors import CharforgeError, PackError, PackProblem
from charforge.replay import replay as engine
from charforge.replay.loaded import replay_document
from charforge.replay.spec import CharacterSpec
from charforge.rules.install import faults_at_origin, load_checked, unpacked
from charforge.rules.models import Entity
from charforge.rules.models.base import Figures, annotated_fields
from charforge.rules.parser import PackReader, sorted_faults
from charforge.rules.ruleset import Ruleset
from charforge.sheet.bearer import Speaker
from charforge.usecases import pack_samples
from charforge.usecases.create import create_character

# What only steps and questions say: they have figures of their own.
SAID_ELSEWHERE = {"inputs", "does", "choices", "each_level"}
SEED = "check"
Place = tuple[Path, Way]
Saying = Callable[[Speaker], object]


@dataclass(frozen=True)
class Checked:
    """A pack with all that is wrong with it; ``ruleset`` are the rules with it, if it loads."""

    id: str
    faults: tuple[PackProblem, ...] = ()
    warnings: tuple[PackProblem, ...] = ()
    ruleset: Ruleset | None = None


def check(origin: Path) -> Checked:
    """Check the pack in a folder or a zip. Nothing is raised for what is wrong with it."""
    try:
        with unpacked(origin) as fresh:
            name, read, ruleset = load_checked(fresh)
            own = dict(_own(read, fresh))
            unreachable = [one for one in unreachable_entities(ruleset) if one.entity in own]
            faults = [_unreachable_fault(read, own, one) for one in unreachable if one.never]
            warnings = [_unreachable_fault(read, own, one) for one in unreachable if not one.never]
            faults += _unprintable(read, own, ruleset)
            faults += _of_samples(fresh, ruleset)
    except PackError as error:
        return Checked("", error.faults)
    return Checked(
        name,
        tuple(faults_at_origin(sorted_faults(faults), fresh, origin)),
        tuple(faults_at_origin(sorted_faults(warnings), fresh, origin)),
        ruleset,
    )


def _unreachable_fault(
    read: PackReader, own: Mapping[str, Place], found: UnreachableEntity
) -> PackProblem:
    """Return the fault of an entity that no character can have."""
    path, way = own[found.entity]
    return read.fault(path, (*way, *(found.where or ("id",))), found.message, found.nearest)


def _unprintable(
    read: PackReader, own: Mapping[str, Place], ruleset: Ruleset
) -> Iterator[PackProblem]:
    """Yield the faults of texts that no sheet can print."""
    texts, obtainable = _Texts(ruleset), Obtainable(ruleset)
    for name, (path, way) in own.items():
        entity = ruleset.entities[name]
        for where, reason in texts.unresolved(entity, obtainable.bearers(entity)):
            yield read.fault(path, (*way, *where), reason)


def _of_samples(folder: Path, ruleset: Ruleset) -> Iterator[PackProblem]:
    """Yield what is wrong with the files of samples; what comes of them is another matter."""
    for path in pack_samples.files(folder):
        try:
            pack_samples.read(path, ruleset)
        except PackError as error:
            yield from error.faults


def _own(read: PackReader, folder: Path) -> Iterator[tuple[str, Place]]:
    """Yield the entities that a pack adds or changes: what else there is was there before."""
    for name, (path, way) in read.places().items():
        if path.is_relative_to(folder) or read.patches.touched(path, way):
            yield name, (path, way)


class _Texts:
    """Says the texts of entities as a sheet would, for nobody in particular.

    A text must be sayable by somebody: by a character of whom nothing is
    known, by one made by chance, or by a unit of theirs.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def unresolved(self, entity: Entity, units: Collection[str]) -> Iterator[tuple[Way, str]]:
        """Yield what none of some types of unit can say, and what one of them cannot reckon."""
        able = [(s, unit) for s, unit in self._bearers if s.unit(unit).type.id in units]
        left = dict(_texts(entity, ()))
        reasons: dict[Way, str] = {}
        for bearer in able if left else ():
            failed = dict(self._failed(*bearer, entity, left))
            reasons = {way: reasons.get(way, reason) for way, reason in failed.items()}
            left = {way: left[way] for way in failed}
        yield from reasons.items()
        # Nobody's scores are 0; of somebody's none may be beyond all reckoning.
        for bearer in able[1:] or able:
            failed = dict(self._failed(*bearer, entity, _reckoned(entity)))
            if failed:
                yield from failed.items()
                return

    def _failed(
        self, state: State, unit: str, entity: Entity, sayings: Mapping[Way, Saying]
    ) -> Iterator[tuple[Way, str]]:
        """Yield what a bearer cannot say, with the reason."""
        own = self.ruleset.kinds[entity.kind].unit is not None
        for way, say in sayings.items():
            try:
                held = gain(state, entity, SEED, SEED, unit)
                say(Speaker(held, entity, SEED if own else unit, SEED))
            except CharforgeError as error:
                yield way, f"this has no figure or cannot be printed: {error}"

    @cached_property
    def _bearers(self) -> list[tuple[State, str]]:
        """Characters and units that may bear something; the one of whom nothing is known first."""
        nobody = engine.replay(self.ruleset, {}, 1, "").state
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
                found += self._mounted(somebody, kind.id)
        return found

    def _mounted(self, state: State, kind: str) -> Iterator[tuple[State, str]]:
        for entity in self.ruleset.of_kind(kind):
            try:
                yield gain(state, entity, kind, kind), kind
            except CharforgeError:
                continue
            return


def _reckoned(entity: Entity) -> dict[Way, Saying]:
    """Return the part by which an entity changes figures, if any."""
    parts = (name for name in ("modifies", "tables", "values") if getattr(entity, name))
    return {(part,): _reckon for part in itertools.islice(parts, 1)}


def _reckon(speaker: Speaker) -> None:
    """Compute every figure of a bearer."""
    values = speaker.state.values(speaker.unit)
    for name in values.ids():
        values.explain(name)


def _texts(part: Any, where: Way) -> Iterator[tuple[Way, Saying]]:
    """Yield the texts with figures below a part, each with its way."""
    if isinstance(part, tuple):
        for number, one in enumerate(part):
            yield from _texts(one, (*where, number))
    elif isinstance(part, BaseModel):
        for name, key, mark, _values in annotated_fields(type(part)):
            value = getattr(part, name)
            if name in SAID_ELSEWHERE:
                continue
            if not isinstance(value, str):
                yield from _texts(value, (*where, key))
            elif isinstance(mark, Figures) and mark.whole:
                yield (*where, key), methodcaller("amount", value)
            elif isinstance(mark, Figures) and "{" in value:
                yield (*where, key), methodcaller("prose", value)
