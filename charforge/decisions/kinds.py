"""The kinds of decision, and all decisions that a ruleset can ask, found without a character.

A new kind is a model in ``rules/models/questions.py`` (and its name in the
union at the end of that module), a module with its class beside this one,
and a line in KINDS.

An answer to an id that no decision can have is a mistake. An answer to an id that a character is
not asked is kept until it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from charforge.character.state import CHARACTER, State
from charforge.decisions.base import Decision
from charforge.decisions.choose import ChooseDecision
from charforge.decisions.roll import RollDecision, RollOnDecision
from charforge.decisions.scores import AllotDecision, AssignDecision
from charforge.decisions.text_fields import EnterDecision, WriteDecision
from charforge.rules.models import (
    Allot,
    Assign,
    Choose,
    Enter,
    Entity,
    Give,
    Grant,
    Question,
    Roll,
    RollOn,
    Write,
)
from charforge.rules.names import name_matches
from charforge.rules.ruleset import Ruleset

KINDS: Mapping[type[Question], type[Decision]] = MappingProxyType(
    {
        Choose: ChooseDecision,
        Roll: RollDecision,
        RollOn: RollOnDecision,
        Assign: AssignDecision,
        Allot: AllotDecision,
        Enter: EnterDecision,
        Write: WriteDecision,
    }
)


def decision_class(question: Question) -> type[Decision]:
    """Return the class of the decisions that ask a question of a pack."""
    return KINDS[type(question)]


def make_decision(
    name: str,
    question: Question,
    before: State,
    unit_id: str = CHARACTER,
    holding: str = "",
    section: str = "",
    level: int = 1,
) -> Decision:
    """Return the decision that asks a question at a place; see Decision for the arguments."""
    return decision_class(question)(name, question, before, unit_id, holding, section, level)


HOLDING_NUMBER = re.compile(r"#[0-9]+")  # the number of a second or later holding, in its id
UNIT_LEVEL = ".level."  # between a unit's id and the number of one of its own levels


class LeadingOption(NamedTuple):
    """An option that leads to further questions: its decision, its id and its name.

    ``decision`` is empty if any decision can lead to the option.
    """

    decision: str
    option: str
    label: str


OptionPath = tuple[LeadingOption, ...]


class PossibleDecision(NamedTuple):
    """A decision that can be asked: its id, its question, and the options that lead to it.

    ``unit_level`` is true for the levels of a unit, which creation never asks.
    """

    id: str
    question: Question
    path: OptionPath = ()
    unit_level: bool = False

    @property
    def option_labels(self) -> tuple[str, ...]:
        """The names of the options that lead to it."""
        return tuple(option.label for option in self.path)


def possible_ids(ruleset: Ruleset, level: int) -> frozenset[str]:
    """Return the id of every decision that may be asked up to ``level``."""

    def ids() -> frozenset[str]:
        return frozenset(decision.id for decision in possible_decisions(ruleset, level))

    return ruleset.cached((possible_ids, level), ids)


def possible_decisions(ruleset: Ruleset, level: int) -> Iterator[PossibleDecision]:
    """Yield every decision that creation and the levels up to ``level`` may ask.

    Those of a unit's own levels follow the question that adds the unit.
    """
    index = _Index(ruleset, level)
    yield from index.of_creation()
    for reached in range(2, level + 1):
        yield from index.of_level(reached)


def decision_ids(
    ruleset: Ruleset, level: int, names: Iterable[str], prefix: str = ""
) -> dict[str, str]:
    """Return the ids of the decisions that a player names in words, such as ``Special Asset``.

    Names that are ids already, or that match no decision or several, are left out. Questions of
    creation or of a level win over those that options bring. Only ids that begin with ``prefix``
    count; the player may leave it out.
    """
    known = possible_ids(ruleset, level)
    unknown = [name for name in names if HOLDING_NUMBER.sub("", name) not in known]
    if not unknown:
        return {}
    possible = [one for one in possible_decisions(ruleset, level) if one.id.startswith(prefix)]

    def names_of(one: PossibleDecision) -> tuple[str, ...]:
        in_words = ruleset.short_label(one.question), ruleset.decision_label(one.id)
        return one.id, *in_words, one.question.label

    ids = {name: f"{prefix}{name}" for name in unknown if f"{prefix}{name}" in known}
    for name in unknown:
        named = name_matches(possible, name, names_of) if name not in ids else []
        meant = {one.id for one in named if not one.path} or {one.id for one in named}
        if len(meant) == 1:
            ids[name] = meant.pop()
    return ids


def may_be_asked(ruleset: Ruleset, name: str) -> bool:
    """Return whether any character of these rules can be asked this decision."""
    if name.startswith("event."):
        return True  # the questions of an event are known only when it happens
    return HOLDING_NUMBER.sub("", name) in possible_ids(ruleset, ruleset.head.advancement.maximum)


class _Index(NamedTuple):
    """Lists the decisions up to a level, each followed by those of its options."""

    ruleset: Ruleset
    level: int

    def of_creation(self) -> Iterator[PossibleDecision]:
        for step in self.ruleset.head.creation:
            if isinstance(step, Give):
                name = step.id if len(step.grants) == 1 else ""
                yield from self._of_grants(step.grants, step.id, (), name)
            else:
                yield from self._of_question(step, step.id, ())

    def of_level(self, level: int) -> Iterator[PossibleDecision]:
        for entity in self.ruleset.entities.values():
            kind = self.ruleset.kinds[entity.kind]
            part = f".{kind.path or kind.id}" if kind.unit else ""
            for question in entity.each_level if entity.alias_of is None else ():
                path = (LeadingOption("", entity.id, entity.name),)
                yield PossibleDecision(f"level.{level}{part}.{question.id}", question, path)
        for question in self.ruleset.head.advancement.asks:
            yield from self._of_question(question, f"level.{level}.{question.id}", ())

    def _of_question(
        self, question: Question, name: str, path: OptionPath
    ) -> Iterator[PossibleDecision]:
        """Yield a question, then the questions of its options."""
        yield PossibleDecision(name, question, path)
        several = question.query is not None and len(question.query.kind) != 1
        for entity in self.ruleset.offered(question):
            kind = self.ruleset.kinds[entity.kind]
            part = ""
            if question.is_list:
                part = f".{entity.slug}"
            elif several:
                part = f".{kind.path or kind.id}"
            option = LeadingOption(name, entity.id, entity.name)
            yield from self._of_entity(entity, name + part, (*path, option))
        for listed in question.listed_options:
            option = LeadingOption(name, listed.id, listed.label)
            yield from self._of_grants(listed.grants, name, (*path, option))

    def _of_entity(self, entity: Entity, name: str, path: OptionPath) -> Iterator[PossibleDecision]:
        """Yield the questions of an entity, of its grants, and of its unit's levels."""
        for question in entity.choices:
            yield from self._of_question(question, f"{name}.{question.id}", path)
        granted = tuple(grant for grant in entity.all_grants if grant.level <= self.level)
        yield from self._of_grants(granted, name, path)
        unit = self.ruleset.unit_type(entity)
        asks = unit.asks if unit is not None else ()
        for level, question in product(range(2, self.level + 1), asks):
            for decision in self._of_question(
                question, f"{name}{UNIT_LEVEL}{level}.{question.id}", path
            ):
                yield decision._replace(unit_level=True)

    def _of_grants(
        self, grants: tuple[Grant, ...], name: str, path: OptionPath, only: str = ""
    ) -> Iterator[PossibleDecision]:
        """Yield the questions of granted entities; ``only`` is the id of a step with one grant."""
        for grant in grants:
            entity = self.ruleset.entity(grant.id)
            for decision in self._of_entity(entity, only or f"{name}.{entity.slug}", path):
                if decision.id.rsplit(".", 1)[-1] not in grant.with_:
                    yield decision
