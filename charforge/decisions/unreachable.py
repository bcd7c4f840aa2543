"""Entities that no character can have, by the rules alone.

Either a requirement contradicts the rules, or nothing offers or grants the
entity. A requirement is only called impossible when no state of any
character could meet it; in doubt it can be met.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from charforge.character.requirements import required_name, requirement_text
from charforge.character.state import CHARACTER
from charforge.decisions.kinds import HOLDING_NUMBER, decision_class, possible_decisions
from charforge.errors import nearest, shorten
from charforge.language import _
from charforge.rules.checks.cycles import granted_entities, offered_entities
from charforge.rules.errors import KeyPath
from charforge.rules.models import Entity, Query, Question, Requirement, ValueTest
from charforge.rules.ruleset import Ruleset, matches


class UnreachableEntity(NamedTuple):
    """An entity that no character can have, with the reason and the key it comes from.

    ``never`` is true if a requirement contradicts the rules. Otherwise
    nothing grants or offers the entity, and only the GM can give it.
    """

    entity: str
    key_path: KeyPath
    message: str
    nearest: str = ""
    never: bool = True


class ImpossibleOption(NamedTuple):
    """An option of a question of ``ruleset.yaml`` that nobody can ever choose."""

    key_path: KeyPath
    message: str
    nearest: str = ""


class Impossible(NamedTuple):
    """A requirement that nobody can meet: its key, the reason, and the nearest valid name."""

    key_path: KeyPath
    reason: str
    nearest: str = ""


def unreachable_entities(ruleset: Ruleset) -> Iterator[UnreachableEntity]:
    """Yield the entities that no character can have, with a reason."""
    obtainable, requirements = Obtainable(ruleset), RequirementCheck(ruleset)
    for entity in ruleset.entities.values():
        for key_path, clause in _requirements(entity):
            part = requirements.impossible(clause, entity, key_path)
            if part is not None:
                message = _("this can never happen: {reason}").format(reason=part.reason)
                yield UnreachableEntity(entity.id, part.key_path, message, part.nearest)
        if obtainable.is_missing(entity):
            message = _(
                "no choice offers this and nothing grants it: only the GM can award it "
                "(by_hand: true if so)"
            )
            yield UnreachableEntity(entity.id, (), message, never=False)


def impossible_options(ruleset: Ruleset) -> Iterator[ImpossibleOption]:
    """Yield the options of questions of creation and levels whose requirements nobody can meet."""
    requirements, head = RequirementCheck(ruleset), ruleset.head
    asked: list[tuple[KeyPath, object]] = [
        (("creation", n), step) for n, step in enumerate(head.creation)
    ]
    asked += [(("advancement", "asks", n), step) for n, step in enumerate(head.advancement.asks)]
    for number, unit in enumerate(head.units):
        asked += [(("units", number, "asks", n), step) for n, step in enumerate(unit.asks)]
    for path, question in asked:
        for key_path, clause in _option_requirements(question, path):
            part = requirements.impossible(clause, None, key_path)
            if part is not None:
                message = _("this can never happen: {reason}").format(reason=part.reason)
                yield ImpossibleOption(part.key_path, message, part.nearest)


# ---------------------------------------------------------------- offers and grants


class Obtainable:
    """The entities that creation, levels, the shop and other entities offer or grant.

    ``units`` has the types of unit that can gain each entity, by its id.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.units: dict[str, set[str]] = {}
        head = ruleset.head
        character = head.units[0].id
        waiting = [
            (_ids(offered_entities(ruleset, question)), unit)
            for question, unit in _rules_questions(ruleset)
        ]
        waiting.append((_ids(granted_entities(ruleset, head.creation_grants)), character))
        for name in head.gear.kinds:
            waiting.append(({e.id for e in ruleset.of_kind(name) if _has_price(e)}, character))
        for entity in ruleset.entities.values():
            if entity.condition is not None:  # play can put it on any unit
                waiting += [(self._entities_of(entity), unit.id) for unit in head.units]
        while waiting:
            ids, unit = waiting.pop()
            for name in ids:
                entity = ruleset.entities[name]
                kind = ruleset.kinds[entity.kind]
                bearer = character if kind.held_by == CHARACTER else unit
                known = self.units.setdefault(name, set())
                if bearer not in known:
                    known.add(bearer)
                    waiting.append((self._entities_of(entity), kind.unit or bearer))

    def bearers(self, entity: Entity) -> frozenset[str]:
        """Return the types of unit that can gain an entity; all if nothing grants or offers it."""
        return frozenset(self.units.get(entity.id) or self.ruleset.units)

    def is_missing(self, entity: Entity) -> bool:
        """Return whether nothing offers an entity, although others of its kind can be gained."""
        if entity.alias_of is not None or entity.condition is not None:
            return False
        return entity.kind in self._kinds and entity.id not in self.units

    @cached_property
    def _kinds(self) -> frozenset[str]:
        """The kinds with any obtainable entity; the others only explain terms."""
        return frozenset(name.partition("/")[0] for name in self.units)

    def _entities_of(self, entity: Entity) -> set[str]:
        """Return the ids of the entities that an entity grants, or that its questions offer."""
        ids = _ids(granted_entities(self.ruleset, entity.all_grants))
        for question in (*entity.choices, *entity.each_level):
            ids |= _ids(offered_entities(self.ruleset, question))
        return ids


def _ids(places: Iterable[tuple[KeyPath, str]]) -> set[str]:
    return {name for _where, name in places}


def offered_queries(ruleset: Ruleset) -> frozenset[Query]:
    """Return the queries of all questions that choose among entities."""
    questions = [question for question, _unit in _rules_questions(ruleset)]
    for entity in ruleset.entities.values():
        questions += [*entity.choices, *entity.each_level]
    return frozenset(question.query for question in questions if question.query is not None)


def _rules_questions(ruleset: Ruleset) -> Iterator[tuple[Question, str]]:
    """Yield the questions of creation and levels, with the type of the unit they are asked of."""
    head = ruleset.head
    character = head.units[0].id
    yield from ((question, character) for question in head.creation_questions)
    yield from ((question, character) for question in head.advancement.asks)
    yield from ((question, unit.id) for unit in head.units for question in unit.asks)


def _has_price(entity: Entity) -> bool:
    """Return whether an entity or one of its options has a price."""
    options = (option for question in entity.choices for option in question.listed_options)
    return entity.price is not None or any(option.price is not None for option in options)


# ---------------------------------------------------------------- requirements


class RequirementCheck:
    """Checks which requirements any character can meet.

    ``possible`` are the ids of the entities whose own requirements can be
    met, even if nothing grants or offers them: a GM can give them.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.possible: set[str] = set()
        self._obtainable = Obtainable(ruleset)
        waiting = [entity for entity in ruleset.entities.values() if entity.alias_of is None]
        while met := {e.id for e in waiting if self.impossible(e.requires, e, ()) is None}:
            waiting = [entity for entity in waiting if entity.id not in met]
            self.possible |= met

    def impossible(
        self, clause: Requirement | None, entity: Entity | None, key_path: KeyPath
    ) -> Impossible | None:
        """Return the first part of a clause that fails for everybody, None if it can be met."""
        if clause is None:
            return None
        if clause.all is not None:
            parts = enumerate(clause.all)
            each = (self.impossible(part, entity, (*key_path, "all", n)) for n, part in parts)
            return next(filter(None, each), None) or self._contradiction(clause.all, key_path)
        if clause.any is not None:
            return self._none_possible(clause.any, entity, (*key_path, "any"))
        reason, near = self._single_test(clause, entity)
        return Impossible(key_path, reason, near) if reason else None

    def _none_possible(
        self, parts: Sequence[Requirement], entity: Entity | None, key_path: KeyPath
    ) -> Impossible | None:
        """Return why not even one of some clauses can be met."""
        each = [self.impossible(part, entity, (*key_path, n)) for n, part in enumerate(parts)]
        if not parts:
            return Impossible(key_path, _("it lists nothing"))
        return each[0] if None not in each else None

    def _contradiction(self, parts: Sequence[Requirement], key_path: KeyPath) -> Impossible | None:
        """Return the clause of an ``all`` that excludes another one."""
        excluded = {_entity_id(part.not_) for part in parts if part.not_ is not None} - {None}
        for number, part in enumerate(parts):
            if _entity_id(part) in excluded:
                name = requirement_text(part, self.ruleset)
                return Impossible(
                    (*key_path, "all", number),
                    _("it both requires and forbids {name}").format(name=name),
                )
        bounds = [(n, part.value) for n, part in enumerate(parts) if part.value is not None]
        for (number, test), (_other, against) in product(bounds, bounds):
            if test.id == against.id and (reason := _crossed(test.at_least, against.at_most)):
                return Impossible((*key_path, "all", number), reason)
        return None

    def _single_test(self, clause: Requirement, entity: Entity | None) -> tuple[str, str]:
        """Return why a single test can never be met, and the nearest valid name; empty if none."""
        if clause.value is not None:
            return self._out_of_bounds(clause.value, entity), ""
        if clause.choice is not None:
            return self._never_answered(clause.choice.id, clause.choice.equals, entity)
        name = requirement_text(clause, self.ruleset) or "nothing"
        entities = clause.has or clause.wears
        if entities is not None and not self._any_possible(entities):
            if entity is not None and isinstance(clause.has, str):
                required = self.ruleset.canonical(clause.has)
                if required == entity.id:
                    return _("it requires itself"), ""
                if self._leads_to(required, entity.id):
                    message = _(
                        "no character can have {name}, because it requires {entity} in turn"
                    )
                    return message.format(name=name, entity=entity.name), ""
            return _("no character can have {name}").format(name=name), ""
        if clause.bearer is not None and not self._any_possible(clause.bearer):
            bearer = required_name(clause.bearer, self.ruleset) or _("such a bearer")
            return _("no unit is {name}").format(name=bearer), ""
        if clause.trained is not None and not self._can_be_trained(clause.trained, entity):
            return _("no character can have {name}").format(name=name), ""
        return "", ""

    def _leads_to(self, start: str, end: str) -> bool:
        """Return whether an entity requires another one, itself or by what it requires."""
        waiting, seen = [start], {start}
        while waiting:
            entity = self.ruleset.entities.get(waiting.pop())
            required = _required_ids(entity.requires if entity is not None else None)
            new = {self.ruleset.canonical(name) for name in required} - seen
            seen |= new
            waiting += new
        return end in seen

    def _any_possible(self, entities: str | Query) -> bool:
        if isinstance(entities, Query):
            return any(entity.id in self.possible for entity in self.ruleset.select(entities))
        return self.ruleset.canonical(entities) in self.possible

    def _can_be_trained(self, trained: str | Query, entity: Entity | None) -> bool:
        """Return whether any Training covers one of the entities, or comes with it."""
        own = () if entity is None else (entity,)
        among = self.ruleset.select(trained) if isinstance(trained, Query) else own
        every = self.ruleset.entities.values()
        if any(brings.own_training for brings in every if brings.all_grants):
            return True
        covers = [training.covers for training in every if training.covers is not None]
        return any(e.own_training or any(matches(query, e) for query in covers) for e in among)

    def _out_of_bounds(self, test: ValueTest, entity: Entity | None) -> str:
        """Return why no unit that gains the entity (None: any unit) can meet a bound."""
        if test.id in self.ruleset.shared_labels:
            return _crossed(test.at_least, test.at_most)
        character = self.ruleset.head.units[0]
        bearers = self.ruleset.units if entity is None else self._obtainable.bearers(entity)
        types = [self.ruleset.units[name] for name in bearers]
        types = [unit if test.id in unit.values else character for unit in types]
        values = [unit.values[test.id] for unit in types if test.id in unit.values]
        label = self.ruleset.values[test.id].label
        if not values:
            return _("no unit has {label}").format(label=label)
        if reason := _crossed(test.at_least, test.at_most):
            return reason
        tops = [None if v.maximum is None else v.maximum.constant for v in values]
        most = max((top for top in tops if top is not None), default=0)
        if test.at_least is not None and None not in tops and test.at_least > most:
            return _("{label} is at most {most}").format(label=label, most=most)
        ends = [None if v.minimum is None else v.minimum.constant for v in values]
        least = min((end for end in ends if end is not None), default=0)
        if test.at_most is not None and None not in ends and test.at_most < least:
            return _("{label} is at least {least}").format(label=label, least=least)
        return ""

    def _never_answered(self, name: str, equals: str, entity: Entity | None) -> tuple[str, str]:
        """Return why a decision never has an answer, and the nearest valid name; empty if none."""
        plain = HOLDING_NUMBER.sub("", name)
        own = entity.choices if entity is not None else ()
        choices = [question for question in own if question.id == name]
        questions = [*self._asked.get(plain, ()), *choices] or self._preset(plain)
        if not questions:
            return _("there is no choice with the id {name}").format(name=shorten(name)), nearest(
                name, self._asked
            )
        known: list[str] = []
        for question in questions:
            answers = decision_class(question).possible_answers(question, self.ruleset)
            if answers is None or equals in answers:
                return "", ""
            known += answers
        return _("{equals} is not an option of {name}").format(
            equals=shorten(equals), name=name
        ), nearest(equals, known)

    @cached_property
    def _asked(self) -> dict[str, list[Question]]:
        """Every decision that may be asked, by id."""
        by_id: dict[str, list[Question]] = {}
        for decision in possible_decisions(self.ruleset, self.ruleset.head.advancement.maximum):
            by_id.setdefault(decision.id, []).append(decision.question)
        return by_id

    def _preset(self, name: str) -> list[Question]:
        """Return the choices of a granted entity that its grant may answer in advance."""
        path, _dot, choice = name.rpartition(".")
        slug = path.rpartition(".")[2]
        entities = (entity for entity in self.ruleset.entities.values() if entity.slug == slug)
        return [
            question for entity in entities for question in entity.choices if question.id == choice
        ]


def _required_ids(clause: Requirement | None) -> Iterator[str]:
    """Yield the ids of the entities that a clause requires in any case."""
    if clause is not None and isinstance(clause.has, str):
        yield clause.has
    for part in (clause.all if clause is not None else None) or ():
        yield from _required_ids(part)


def _entity_id(clause: Requirement) -> str | None:
    """Return the entity that a clause asks for by id."""
    return clause.has if isinstance(clause.has, str) else None


def _crossed(low: int | None, high: int | None) -> str:
    """Return why no number is within two bounds; empty if one is."""
    if low is None or high is None or low <= high:
        return ""
    return _("no number is at least {low} and at most {high}").format(low=low, high=high)


def _requirements(entity: Entity) -> Iterator[tuple[KeyPath, Requirement]]:
    """Yield every requirement of an entity with its key path."""
    if entity.requires is not None:
        yield ("requires",), entity.requires
    for part in ("actions", "attacks"):
        for number, action in enumerate(getattr(entity, part)):
            if action.requires is not None:
                yield (part, number, "requires"), action.requires
    for key in ("choices", "each_level"):
        for number, question in enumerate(getattr(entity, key)):
            yield from _option_requirements(question, (key, number))


def _option_requirements(question: object, path: KeyPath) -> Iterator[tuple[KeyPath, Requirement]]:
    """Yield the requirements of the options of a question with their key paths."""
    options = question.listed_options if isinstance(question, Question) else ()
    for number, option in enumerate(options):
        if option.requires is not None:
            yield (*path, "options", number, "requires"), option.requires
