"""Which values are computed from which others, so that none is computed from itself.

Only what makes the lasting figure counts: the current layer reads lasting
figures and can never feed itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from charforge.expressions.formula import Formula
from charforge.rules.models import Modifier, Table, UnitType

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


def read_by(modifier: Modifier) -> frozenset[str]:
    """Return the names a modifier reads for the lasting figure."""
    if modifier.layer == "current":
        return frozenset()
    return modifier.amount.names | (modifier.when.names if modifier.when else frozenset())


def cells(table: Table) -> Iterable[tuple[str, Formula]]:
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
            needs.get(name, set()).update(read_by(modifier))
    return {name: reads & needs.keys() for name, reads in needs.items()}


def _all_needs(needs: Needs, names: Iterable[str]) -> set[str]:
    """Return the names and everything that they need."""
    found: set[str] = set()
    front = set(names)
    while front:
        found |= front
        front = {far for name in front for far in needs[name]} - found
    return found
