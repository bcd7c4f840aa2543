"""What entities bring with them: nothing brings itself, and nothing brings without end.

A grant brings what it names; a choice may bring any of its options, and
those ask further. Whoever follows these ways, to ask or to list every
decision, must come to an end, and soon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from charforge.expressions.formula import Formula
from charforge.rules.models import Ask, Entity, Give, Grants, LevelTable, Modifier, UnitType
from charforge.rules.ruleset import Ruleset

Way = tuple[str | int, ...]
DEEPEST = 30  # one brings another, which brings another …
MOST_THINGS = 1_000  # that come along with one
MOST_DECISIONS = 20_000  # that a character of these rules might be asked


class _Reach(NamedTuple):
    """What comes of one entity, at most: things with it, decisions, links in a row."""

    things: int = 1
    decisions: int = 0
    depth: int = 1


class GrantGraph:
    """What each entity of a ruleset brings, reckoned once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._known: dict[str, _Reach] = {}
        self._faults: dict[str, tuple[Way, str]] = {}

    def faults(self, entity: Entity) -> Iterator[tuple[Way, str]]:
        """Yield what is endless of an entity."""
        self._of(entity.id, ())
        if entity.id in self._faults:
            yield self._faults[entity.id]

    def decisions(self) -> int:
        """Return how many decisions a character of these rules might be asked, at most."""
        head = self._ruleset.head
        total = 0
        for step in head.creation:
            total += self._asked(step) if isinstance(step, Ask) else self._given(step)
        each = sum(map(self._asked, head.advancement.asks))
        for entity in self._ruleset.entities.values():
            each += sum(map(self._asked, entity.each_level))
        return total + each * (head.advancement.maximum - 1)

    def _asked(self, ask: Ask) -> int:
        return 1 + sum(self._of(name, ()).decisions for _way, name in self._options(ask, ()))

    def _given(self, step: Give) -> int:
        return sum(self._of(name, ()).decisions for _way, name in self._grants(step.grants, ()))

    def _of(self, name: str, path: tuple[str, ...]) -> _Reach:
        """Return what an entity brings; ``path`` led here."""
        found = self._known.get(name)
        entity = self._ruleset.entities.get(name)
        if found is not None or entity is None:
            return found or _Reach(0)
        things, decisions, depth = 1, self._own(entity), 0
        levels = self._ruleset.head.advancement.maximum
        for way, other, asked in self._brings(entity):
            if other == name or other in path:
                self._faults[name] = way, f"{name} brings itself{_by(other, name)}"
                continue
            if len(path) >= DEEPEST:
                told = f"more than {DEEPEST} things bring one another in a row"
                self._faults.setdefault(path[0], ((), told))
                continue
            more = self._of(other, (*path, name))
            things += 0 if asked else more.things
            decisions += more.decisions * (levels if way[:1] == ("units",) else 1)
            depth = max(depth, more.depth)
        if things > MOST_THINGS:
            told = f"more than {MOST_THINGS:,} things come along with it"
            self._faults.setdefault(name, (("grants",), told))
        found = self._known[name] = _Reach(
            min(things, MOST_THINGS + 1), min(decisions, MOST_DECISIONS + 1), depth + 1
        )
        if found.depth > DEEPEST:
            told = f"more than {DEEPEST} things bring one another in a row"
            self._faults.setdefault(name, ((), told))
        return found

    def _own(self, entity: Entity) -> int:
        """Return how many decisions an entity asks itself, the levels of its unit included."""
        kind = self._ruleset.kinds[entity.kind]
        unit = self._ruleset.units.get(kind.unit or "")
        levels = self._ruleset.head.advancement.maximum
        return len(entity.choices) + (len(unit.asks) * levels if unit is not None else 0)

    def _brings(self, entity: Entity) -> Iterator[tuple[Way, str, bool]]:
        """Yield what an entity brings: where it says so, what, and whether that is a choice."""
        for way, name in self._grants(entity.grants, ("grants",)):
            yield way, name, False
        for number, ask in enumerate(entity.choices):
            for way, name in self._options(ask, ("choices", number)):
                yield way, name, True
        kind = self._ruleset.kinds[entity.kind]
        unit = self._ruleset.units.get(kind.unit or "")
        for ask in unit.asks if unit is not None else ():
            for _way, name in self._options(ask, ()):
                yield ("units",), name, True

    def _options(self, ask: Ask, where: Way) -> Iterator[tuple[Way, str]]:
        if ask.query is not None:
            for entity in self._ruleset.select(ask.query):
                yield (*where, "among"), entity.id
        for number, option in enumerate(ask.listed_options):
            yield from self._grants(option.grants, (*where, "options", number, "grants"))

    def _grants(self, grants: Grants, where: Way) -> Iterator[tuple[Way, str]]:
        for number, grant in enumerate(grants):
            yield (*where, number), self._ruleset.canonical(grant.id)


def _by(other: str, name: str) -> str:
    """Say by whose way something brings itself."""
    return "" if other == name else f" by way of {other}"


Needs = dict[str, set[str]]
Targets = Callable[[str], Iterable[str]]


class Dependencies:
    """What each value of each unit type needs.

    ``circular`` are the values, by unit type, that the type itself computes
    in a circle: of each circle the first one. ``closes`` then adds, step by
    step, what the entities of the pack would change.
    """

    def __init__(self, units: Iterable[UnitType], targets: Targets) -> None:
        self._needs: dict[str, Needs] = {}
        self.circular: dict[str, list[str]] = {}
        for unit in units:
            needs = self._needs[unit.id] = _needs(unit, targets)
            circular = self.circular[unit.id] = []
            for name in needs:
                if name in _all_needs(needs, needs[name]):
                    circular.append(name)
                    needs[name] = set()

    def closes(self, units: Iterable[str], target: str, reads: Iterable[str]) -> bool:
        """Whether ``target`` would then need itself; if not, it is known to need ``reads``."""
        for unit in units:
            needs = self._needs.get(unit, {})
            more = needs.keys() & reads
            if target in needs and more:
                if target in _all_needs(needs, more):
                    return True
                needs[target] |= more
        return False


def names_read(modifier: Modifier) -> frozenset[str]:
    """Return the names a modifier reads for the lasting figure."""
    if modifier.layer == "current":
        return frozenset()
    return modifier.amount.names | (modifier.when.names if modifier.when else frozenset())


def cells(table: LevelTable) -> Iterable[tuple[str, Formula]]:
    """Yield the cells of a table, each with the value it sets."""
    for row in table.rows.values():
        for name, cell in zip(table.columns, row, strict=True):
            if cell is not None:
                yield name, cell


def _needs(unit: UnitType, targets: Targets) -> Needs:
    """Return what each value needs by the unit type alone."""
    needs: Needs = {name: set() for name in unit.values}
    for name, computed in unit.values.items():
        for formula in (computed.formula, computed.minimum, computed.maximum):
            if formula is not None:
                needs[name] |= formula.names
    for table in unit.tables:
        for name, cell in cells(table):
            needs.get(name, set()).update(cell.names)
    for modifier in unit.modifies:
        for name in targets(modifier.value):
            needs.get(name, set()).update(names_read(modifier))
    return {name: reads & needs.keys() for name, reads in needs.items()}


def _all_needs(needs: Needs, names: Iterable[str]) -> set[str]:
    """Return the names and everything that they need."""
    found: set[str] = set()
    front = set(names)
    while front:
        found |= front
        front = {far for name in front for far in needs[name]} - found
    return found
