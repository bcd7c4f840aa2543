"""Cycles: entities that grant themselves, and values that are calculated from themselves.

An entity leads to those that it grants, to every option of its choices, and
to what those lead to. Code that follows these links, to ask decisions or to
list them, relies on this module: they end, and soon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from charforge.expressions.formula import FULL, TAG_PREFIX, Formula
from charforge.language import N_, _, format_number
from charforge.rules.errors import KeyPath
from charforge.rules.models import (
    Entity,
    Grants,
    LevelTable,
    Modifier,
    Procedure,
    Query,
    Question,
    Steps,
    UnitType,
)
from charforge.rules.models.base import BEARER
from charforge.rules.ruleset import Ruleset, figure

MAX_CHAIN = 30  # an entity grants another, which grants another …
MAX_GRANTED = 1_000  # entities that come along with one
MAX_DECISIONS = 20_000  # that a character might be asked
MAX_OPTIONS = 2_000_000  # that all questions offer, and that their queries look at
TOO_MANY_OPTIONS = N_("the questions of all entities together have too many options")
TOO_DEEP = N_("more than {most} things grant one another in a row")
TOO_MANY = N_("it grants more than {most} things")


def reachable(names: Iterable[str], links: Callable[[str], Iterable[str]]) -> set[str]:
    """Return names and everything that they lead to; ``links`` gives what one leads to."""
    reached: set[str] = set()
    waiting = set(names)
    while waiting:
        reached |= waiting
        waiting = {linked for name in waiting for linked in links(name)} - reached
    return reached


def granted_entities(
    ruleset: Ruleset, grants: Grants, key_path: KeyPath = ()
) -> Iterator[tuple[KeyPath, str]]:
    """Yield the ids of granted entities, each with the place of its grant."""
    for number, grant in enumerate(grants):
        yield (*key_path, number), ruleset.canonical(grant.id)


def offered_entities(
    ruleset: Ruleset, question: Question, key_path: KeyPath = ()
) -> Iterator[tuple[KeyPath, str]]:
    """Yield the ids of the entities that an answer can bring, each with its place.

    They are the entities among the options, and those that options grant.
    """
    for entity in ruleset.offered(question):
        yield (*key_path, "among"), entity.id
    for number, option in enumerate(question.listed_options):
        place = (*key_path, *question.option_place(number), "grants")
        yield from granted_entities(ruleset, option.grants, place)


MAX_CALL_DEPTH = 20  # a procedure runs another, which runs another …
MAX_CALLED_STEPS = 5_000  # of a procedure, with those of all that it runs


class _Reach(NamedTuple):
    """The most that one entity can lead to: entities granted, decisions, links in a row."""

    granted: int = 1
    decisions: int = 0
    depth: int = 1


class GrantGraph:
    """The entities that each entity of a ruleset grants or offers, computed once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._options_left = MAX_OPTIONS
        self._queries: set[Query] = set()
        self._reaches: dict[str, _Reach] = {}
        self._errors: dict[str, tuple[KeyPath, str]] = {}

    def errors(self, entity: Entity) -> Iterator[tuple[KeyPath, str]]:
        """Yield where an entity grants itself or too much, with the message."""
        self._reach(entity.id, ())
        if entity.id in self._errors:
            yield self._errors[entity.id]

    def decisions(self) -> int:
        """Return the most decisions that a character can be asked."""
        head = self._ruleset.head
        granted = granted_entities(self._ruleset, head.creation_grants)
        total = sum(self._reach(name, ()).decisions for _where, name in granted)
        total += sum(map(self._ask_decisions, head.creation_questions))
        each = sum(map(self._ask_decisions, head.advancement.asks))
        for entity in self._ruleset.entities.values():
            each += sum(map(self._ask_decisions, entity.each_level))
        return total + each * (head.advancement.maximum - 1)

    def _ask_decisions(self, question: Question) -> int:
        """Return the most decisions that a question leads to, itself included."""
        offered = offered_entities(self._ruleset, question)
        return 1 + sum(self._reach(name, ()).decisions for _where, name in offered)

    def _reach(self, name: str, path: tuple[str, ...]) -> _Reach:
        """Return what an entity leads to; ``path`` are the entities that led to it."""
        symbols = self._reaches.get(name)
        entity = self._ruleset.entities.get(name)
        if symbols is not None or entity is None:
            return symbols or _Reach(0)
        if not self._spend(entity):
            self._errors[name] = (("choices",), _(TOO_MANY_OPTIONS))
            return _Reach()
        granted, decisions, depth = 1, self._own_decisions(entity), 0
        levels = self._ruleset.head.advancement.maximum
        for key_path, other, optional in self._links(entity):
            if other == name or other in path:
                self._errors[name] = (
                    key_path,
                    _("{name} grants itself").format(name=name)
                    if other == name
                    else _("{name} grants itself through {other}").format(name=name, other=other),
                )
                continue
            if len(path) >= MAX_CHAIN:
                self._errors.setdefault(path[0], ((), _(TOO_DEEP).format(most=MAX_CHAIN)))
                continue
            reach = self._reach(other, (*path, name))
            granted += 0 if optional else reach.granted
            decisions += reach.decisions * (levels if key_path[:1] == ("units",) else 1)
            depth = max(depth, reach.depth)
        if granted > MAX_GRANTED:
            self._errors.setdefault(
                name, (("grants",), _(TOO_MANY).format(most=format_number(MAX_GRANTED)))
            )
        reach = self._reaches[name] = _Reach(
            min(granted, MAX_GRANTED + 1), min(decisions, MAX_DECISIONS + 1), depth + 1
        )
        if reach.depth > MAX_CHAIN:
            self._errors.setdefault(name, ((), _(TOO_DEEP).format(most=MAX_CHAIN)))
        return reach

    def _spend(self, entity: Entity) -> bool:
        """Return whether the options of an entity's questions can still be followed.

        A query costs as much as the entities it looks at, once; then each
        of its options costs something at every question.
        """
        for question in (*entity.choices, *self._level_questions(entity)):
            if question.query is not None:
                if question.query not in self._queries:
                    self._queries.add(question.query)
                    self._options_left -= len(self._ruleset.entities)
                if self._options_left < 0:
                    return False
                self._options_left -= len(self._ruleset.offered(question))
        return self._options_left >= 0

    def _own_decisions(self, entity: Entity) -> int:
        """Return how many decisions an entity asks itself, including those of its unit's levels."""
        levels = self._ruleset.head.advancement.maximum
        return len(entity.choices) + len(self._level_questions(entity)) * levels

    def _level_questions(self, entity: Entity) -> tuple[Question, ...]:
        """Return the questions of each level of the unit that an entity becomes."""
        unit = self._ruleset.unit_type(entity)
        return unit.asks if unit is not None else ()

    def leads_to(self, name: str) -> Iterator[str]:
        """Yield the entities that an entity grants or offers."""
        entity = self._ruleset.entities.get(name)
        return (other for _where, other, _optional in self._links(entity)) if entity else iter(())

    def _links(self, entity: Entity) -> Iterator[tuple[KeyPath, str, bool]]:
        """Yield the entities that an entity leads to: where, the id, and whether it is optional."""
        for key_path, name in granted_entities(self._ruleset, entity.grants, ("grants",)):
            yield key_path, name, False
        for number, table in enumerate(entity.tables):
            for _where, name in granted_entities(self._ruleset, table.grants):
                yield ("tables", number), name, False
        for number, question in enumerate(entity.choices):
            place = ("choices", number)
            for key_path, name in offered_entities(self._ruleset, question, place):
                yield key_path, name, True
        for asked_at_levels in self._level_questions(entity):
            for _where, name in offered_entities(self._ruleset, asked_at_levels):
                yield ("units",), name, True


class CallGraph:
    """The procedures that each procedure runs, computed once and without running any."""

    def __init__(self, procedures: Mapping[str, Procedure]) -> None:
        self._procedures = procedures
        # Steps and depth of each procedure, with what it runs; none for one that never ends.
        self._sizes: dict[str, tuple[int, int]] = {}
        callers: dict[str, list[str]] = {}
        left = Counter[str]()
        for name, procedure in procedures.items():
            for called in self._called(procedure.steps):
                callers.setdefault(called, []).append(name)
                left[name] += 1
        ready = [name for name in procedures if not left[name]]
        while ready:  # each after all that it runs
            name = ready.pop()
            self._sizes[name] = self._size(procedures[name].steps)
            for caller in callers.get(name, ()):
                left[caller] -= 1
                if not left[caller]:
                    ready.append(caller)

    def error(self, steps: Steps) -> str:
        """Return what is wrong with the calls of steps, if anything, other than that they loop."""
        if not all(map(self.can_follow, self._called(steps))):
            return ""  # reported where the calls become too many
        count, depth = self._size(steps)
        if depth > MAX_CALL_DEPTH:
            return _("more than {max_call_depth} procedures run one another in a row").format(
                max_call_depth=MAX_CALL_DEPTH
            )
        if count > MAX_CALLED_STEPS:
            return _(
                "more than {max_called_steps} steps, with those of the procedures it runs"
            ).format(max_called_steps=format_number(MAX_CALLED_STEPS, ","))
        return ""

    def can_follow(self, name: str) -> bool:
        """Return whether the steps of a procedure, and of all that it runs, come to an end soon."""
        count, depth = self._sizes.get(name, (0, MAX_CALL_DEPTH + 1))
        return count <= MAX_CALLED_STEPS and depth <= MAX_CALL_DEPTH

    def all_called(self, name: str) -> set[str]:
        """Return the ids of a procedure and of all that it runs, directly or through others."""

        def calls(caller: str) -> list[str]:
            procedure = self._procedures.get(caller)
            return self._called(procedure.steps) if procedure is not None else []

        return reachable([name], calls)

    def runs_itself(self, name: str, called: str) -> bool:
        """Return whether a procedure runs itself by way of one that it calls."""
        return name not in self._sizes and name in self.all_called(called)

    def _called(self, steps: Steps) -> list[str]:
        names = [step.called_procedure for step in steps]
        return [name for name in names if name is not None and name in self._procedures]

    def _size(self, steps: Steps) -> tuple[int, int]:
        """Return how many steps there are with those of the procedures run, and how deep."""
        inner = [self._sizes.get(name, (0, 0)) for name in self._called(steps)]
        count = len(steps) + sum(count for count, _depth in inner)
        depth = 1 + max((depth for _count, depth in inner), default=0)
        return min(count, MAX_CALLED_STEPS + 1), min(depth, MAX_CALL_DEPTH + 1)


def circular_grant(ruleset: Ruleset, entity: Entity, table: LevelTable) -> str:
    """Return an entity that a table by a value grants, or leads to, and that changes this value.

    Empty if there is none: then the value is known before anything is granted.
    """
    everything = ruleset.entities.values()
    behind = reachable([table.by], lambda name: _read_for(ruleset, everything, name))
    granted = (name for _where, name in granted_entities(ruleset, table.grants))
    led_to = reachable(granted, GrantGraph(ruleset).leads_to) - {entity.id}
    for name in sorted(led_to & ruleset.entities.keys()):
        other = ruleset.entities[name]
        names = (other.id, other.kind, *(f"{TAG_PREFIX}{tag}" for tag in other.tags))
        summed = (
            TOTAL_OF + field for field in (*other.own, "slots", "price") if figure(other, field)
        )
        if behind & {*names, *summed, *_changed(ruleset, other)}:
            return name
    return ""


TOTAL_OF = "total of "  # before a field that a value is the sum of


def _changed(ruleset: Ruleset, entity: Entity) -> Iterator[str]:
    """Yield the values whose lasting figure an entity changes."""
    for modifier in entity.modifies:
        if modifier.layer == "lasting":
            yield from ruleset.target_values(modifier.value)
    for table in entity.tables:
        yield from (name for _column, name in table.value_columns)


def _read_for(ruleset: Ruleset, entities: Iterable[Entity], value: str) -> Iterator[str]:
    """Yield the names that anything reads to calculate a value, and the things that it counts."""
    formulas: list[Formula] = []
    bearers: list[UnitType | Entity] = [*ruleset.head.units, *entities]
    for unit in ruleset.head.units:
        computed = unit.values.get(value)
        if computed is not None:
            formulas += filter(None, (computed.formula, computed.minimum, computed.maximum))
            yield TOTAL_OF + (computed.total_of or "")
    for bearer in bearers:
        formulas += (cell for t in bearer.tables for name, cell in cells(t) if name == value)
        for modifier in bearer.modifies:
            if modifier.layer == "lasting" and value in ruleset.target_values(modifier.value):
                formulas += filter(None, (modifier.amount, modifier.when))
    for formula in formulas:
        yield from (name.rpartition(".")[2] for name in formula.names)
        yield from formula.referred


Needs = dict[str, set[str]]
Cycle = tuple[str, ...]  # each value needs the next one, and the last is the first
Targets = Callable[[str], Iterable[str]]


class Dependencies:
    """The values that each value is calculated from, for each unit type.

    Only the modifiers of the lasting figure count: the current layer reads
    lasting figures and can never change them. ``circular`` has, by unit
    type, the values of each cycle in the type itself, from the first back to
    it. ``cycle`` then adds the modifiers of entities, one by one.
    """

    def __init__(self, units: Iterable[UnitType], targets: Targets) -> None:
        self._needs: dict[str, Needs] = {}
        self.circular: dict[str, list[Cycle]] = {}
        for unit in units:
            needs = self._needs[unit.id] = _needs(unit, targets)
            circular = self.circular[unit.id] = []
            for name in needs:
                cycle = _way_back(name, needs[name], needs)
                if cycle:
                    circular.append(cycle)
                    needs[name] = set()

    def cycle(self, units: Iterable[str], target: str, reads: Iterable[str]) -> Cycle:
        """Return how the values read would make a target need itself; if not, they are added."""
        for unit in units:
            needs = self._needs.get(unit, {})
            needed = needs.keys() & {name.removeprefix(FULL) for name in reads}
            if target in needs and needed:
                cycle = _way_back(target, needed, needs)
                if cycle:
                    return cycle
                needs[target] |= needed
        return ()


def _way_back(value: str, needed: Iterable[str], needs: Needs) -> Cycle:
    """Return the shortest way from a value through those that it needs back to it, if any."""
    ways: dict[str, Cycle] = {name: (value, name) for name in sorted(needed)}
    waiting = list(ways)
    while waiting and value not in ways:
        name = waiting.pop(0)
        for further in sorted(needs[name] - ways.keys()):
            ways[further] = (*ways[name], further)
            waiting.append(further)
    return ways.get(value, ())


def names_read(modifier: Modifier) -> frozenset[str]:
    """Return the names that a modifier reads to change the lasting figure."""
    if modifier.layer == "current":
        return frozenset()
    names = modifier.amount.names | (modifier.when.names if modifier.when else frozenset())
    where = modifier.of.where.names if modifier.of and modifier.of.where else ()
    return names.union(name.removeprefix(BEARER) for name in where if name.startswith(BEARER))


def cells(table: LevelTable) -> Iterable[tuple[str, Formula]]:
    """Yield what a table reads for each value: the formulas in its cells, and what rows go by."""
    for column, name in table.value_columns:
        yield name, Formula(table.by)
        for row in table.rows.values():
            if isinstance(cell := row[column], Formula):
                yield name, cell


def _needs(unit: UnitType, targets: Targets) -> Needs:
    """Return the values that each value needs, by the unit type alone."""
    needs: Needs = {name: set() for name in unit.values}
    for name, computed in unit.values.items():
        for formula in (computed.formula, computed.minimum, computed.maximum):
            if formula is not None:
                # A resource can be bounded by its own figure before play changed it.
                needs[name] |= formula.names - {f"{FULL}{name}"}
    for table in unit.tables:
        for name, cell in cells(table):
            needs.get(name, set()).update(cell.names)
    for modifier in unit.modifies:
        for name in targets(modifier.value):
            needs.get(name, set()).update(names_read(modifier))
    return {
        name: {one.removeprefix(FULL) for one in reads} & needs.keys()
        for name, reads in needs.items()
    }
