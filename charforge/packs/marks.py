"""Changes by packs: which pack changed an entry of the rules, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from charforge.packs.diff import PackDiff, pack_effects
from charforge.rules.models.ruleset import RULESET
from charforge.rules.ruleset import Ruleset
from charforge.sheet.rulebook import PackMark

# The fields of an entity from which its values and those of its bearer are calculated.
FIGURES = ("modifies", "tables", "values", "choices", "each_level")


class PackMarks:
    """The changes by the packs of a game, by what they are about."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.effects = pack_effects(ruleset) if ruleset.packs else ()
        self._changed = {(effect.part, effect.id): effect for effect in self.effects}
        self._names = {pack.id: pack.name for pack in ruleset.packs}
        self._ruleset = ruleset

    def of_entity(self, entity: str) -> Iterator[PackMark]:
        """Yield the change of an entity, if there is one."""
        effect = self._changed.get(("entity", entity))
        if effect is not None:
            yield PackMark(self._packs(effect.packs), effect.how == "added", effect.reason)

    def of_fields(self, *starts: Sequence[str]) -> Iterator[PackMark]:
        """Yield the changes of ``ruleset.yaml`` below some paths, each reason once."""
        effect = self._changed.get((RULESET, self._ruleset.id))
        fields = effect.fields if effect is not None else ()
        reasons = {
            (field.packs, field.reason): starts == (field.path,) and field.how == "added"
            for field in fields
            if any(field.path[: len(start)] == tuple(start) for start in starts)
        }
        for (packs, why), new in reasons.items():
            yield PackMark(self._packs(packs), new, why)

    def of_value(self, unit_type: str, value: str) -> Iterator[PackMark]:
        """Yield the changes of the formula and the bounds of a value of a kind of unit."""
        yield from self.of_fields(("units", unit_type, "values", value))

    def of_source(self, entity: str) -> Iterator[PackMark]:
        """Yield the change of an entity, if it is one of its figures, or the entity is new."""
        effect = self._changed.get(("entity", entity))
        if effect is not None and (effect.how == "added" or _changes_figures(effect)):
            yield from self.of_entity(entity)

    def _packs(self, packs: Sequence[str]) -> str:
        return ", ".join(self._names.get(pack, pack) for pack in packs)


def pack_marks(ruleset: Ruleset) -> PackMarks:
    """Return the changes by the packs of a game; they are compared once."""
    return ruleset.cached("changes by packs", lambda: PackMarks(ruleset))


def _changes_figures(effect: PackDiff) -> bool:
    return any(field.path[:1] == (name,) for field in effect.fields for name in FIGURES)
