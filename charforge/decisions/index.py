"""Every decision that rules may ever ask, read from the rules alone.

An id that is none of these is a mistake; one that is, but is not asked
of a certain character, only waits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from charforge.rules.models import Ask, Entity, Give, Grant
from charforge.rules.ruleset import Ruleset

NUMBER = re.compile(r"#[0-9]+")  # which of several, in an instance id
UNIT_LEVEL = ".level."  # between a unit's id and the number of a level of its own


class LeadingOption(NamedTuple):
    """An option that brings further questions: where it is chosen, its id and its name.

    Without a ``decision``, any that brings it.
    """

    decision: str
    option: str
    label: str


@dataclass(frozen=True, slots=True)
class PossibleDecision:
    """A decision that may be asked: its id, its question, and the options that lead to it.

    ``own`` marks one of a unit's own levels: no creation asks it.
    """

    id: str
    ask: Ask
    taken: tuple[LeadingOption, ...] = ()
    own: bool = False

    @property
    def only(self) -> tuple[str, ...]:
        """The names of the options that lead to it."""
        return tuple(one.label for one in self.taken)


def possible_ids(ruleset: Ruleset, level: int) -> frozenset[str]:
    """Return the id of every decision that may be asked up to ``level``."""
    place = (possible_ids, level)
    return ruleset.kept(
        place, lambda: frozenset(one.id for one in possible_decisions(ruleset, level))
    )


def possible_decisions(ruleset: Ruleset, level: int) -> Iterator[PossibleDecision]:
    """Yield every decision that creation and the levels up to ``level`` may ask.

    Those of a unit's own levels follow what brings it.
    """
    for step in ruleset.head.creation:
        if isinstance(step, Give):
            path = step.id if len(step.grants) == 1 else ""
            yield from _granted(ruleset, level, step.grants, step.id, (), path)
            continue
        yield PossibleDecision(step.id, step)
        yield from _nested(ruleset, level, step, step.id, ())
    growing = [e for e in ruleset.entities.values() if e.each_level and e.alias_of is None]
    for reached in range(2, level + 1):
        prefix = f"level.{reached}"
        for entity in growing:
            kind = ruleset.kinds[entity.kind]
            part = f".{kind.path or kind.id}" if kind.unit else ""
            for ask in entity.each_level:
                taken = (LeadingOption("", entity.id, entity.name),)
                yield PossibleDecision(f"{prefix}{part}.{ask.id}", ask, taken)
        for ask in ruleset.head.advancement.asks:
            yield PossibleDecision(f"{prefix}.{ask.id}", ask)
            yield from _nested(ruleset, level, ask, f"{prefix}.{ask.id}", ())


def offered_entities(ruleset: Ruleset, ask: Ask) -> tuple[Entity, ...]:
    """Return the entities that a question offers."""
    return ruleset.select(ask.query) if ask.query is not None else ()


def _nested(
    ruleset: Ruleset, level: int, ask: Ask, path: str, taken: tuple[LeadingOption, ...]
) -> Iterator[PossibleDecision]:
    """Yield the decisions that the options of a choice bring with them."""
    several = ask.query is not None and len(ask.query.kind) != 1
    for entity in offered_entities(ruleset, ask):
        kind = ruleset.kinds[entity.kind]
        part = f".{entity.slug}" if ask.is_list else f".{kind.path or kind.id}" if several else ""
        more = (*taken, LeadingOption(path, entity.id, entity.name))
        yield from _of_entity(ruleset, level, entity, path + part, more)
    for option in ask.listed_options:
        more = (*taken, LeadingOption(path, option.id, option.label))
        yield from _granted(ruleset, level, option.grants, path, more)


def _of_entity(
    ruleset: Ruleset, level: int, entity: Entity, path: str, taken: tuple[LeadingOption, ...]
) -> Iterator[PossibleDecision]:
    for ask in entity.choices:
        yield PossibleDecision(f"{path}.{ask.id}", ask, taken)
        yield from _nested(ruleset, level, ask, f"{path}.{ask.id}", taken)
    first = tuple(grant for grant in entity.grants if grant.level == 1)
    yield from _granted(ruleset, level, first, path, taken)
    made = ruleset.kinds[entity.kind].unit
    own = ruleset.units[made].asks if made is not None else ()
    for reached in range(2, level + 1):
        for ask in own:
            asked = f"{path}{UNIT_LEVEL}{reached}.{ask.id}"
            yield PossibleDecision(asked, ask, taken, own=True)
            for one in _nested(ruleset, level, ask, asked, taken):
                yield replace(one, own=True)


def _granted(
    ruleset: Ruleset,
    level: int,
    grants: tuple[Grant, ...],
    path: str,
    taken: tuple[LeadingOption, ...],
    own: str = "",
) -> Iterator[PossibleDecision]:
    for grant in grants:
        entity = ruleset.entity(grant.id)
        for one in _of_entity(ruleset, level, entity, own or f"{path}.{entity.slug}", taken):
            if one.id.rsplit(".", 1)[-1] not in grant.with_:
                yield one


def may_be_asked(ruleset: Ruleset, name: str) -> bool:
    """Whether some character of these rules could ever be asked this decision."""
    if name.startswith("event."):
        return True  # what an event brings is known only at the event
    return NUMBER.sub("", name) in possible_ids(ruleset, ruleset.head.advancement.maximum)
