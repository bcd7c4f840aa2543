"""What strict models cannot see: names that must exist, formulas, texts, cycles.

``check`` walks every model of a ruleset once and yields each fault with
its way from the top of its entity (or of ``ruleset.yaml``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pydantic import BaseModel

from charforge import dice
from charforge.content import models
from charforge.content.ruleset import Ruleset
from charforge.errors import FormulaError, nearest
from charforge.formula import Formula
from charforge.text import figures

Where = tuple[str | int, ...]
Finding = tuple[str, Where, str, str, str]  # entity id or "", way, message, nearest, culprit
EXTRA_NAMES = frozenset({"level", "roll"})
TEXTS = ("text", "effect")
TYPES: dict[str, type | tuple[type, ...]] = {
    "text": str,
    "number": int,
    "flag": bool,
    "list": list,
}


def fits(value: object, wanted: str) -> bool:
    """Whether a YAML value is of a field's declared type."""
    if wanted == "number" and isinstance(value, bool):
        return False
    return isinstance(value, TYPES[wanted])


def known_keys() -> list[str]:
    """Return every key any model knows: the pool for 'did you mean'."""
    return sorted(
        {
            field.alias or name
            for model in vars(models).values()
            if isinstance(model, type) and issubclass(model, BaseModel)
            for name, field in model.model_fields.items()
        }
    )


def check(ruleset: Ruleset) -> Iterator[Finding]:
    """Yield every fault of the loaded ruleset."""
    checker = _Checker(ruleset)
    for where, item in _walk(ruleset.head, ()):
        for message, near, culprit in checker.check(item, None):
            yield "", where, message, near, culprit
    for entity in ruleset.entities.values():
        for where, item in _walk(entity, ()):
            for message, near, culprit in checker.check(item, entity):
                yield entity.id, where, message, near, culprit


def _walk(item: Any, where: Where) -> Iterator[tuple[Where, Any]]:
    """Yield a model and everything in it, each with its way."""
    yield where, item
    if isinstance(item, BaseModel):
        fields = type(item).model_fields
        for name in item.model_fields_set:
            value = getattr(item, name)
            if isinstance(value, str | int):
                if name in TEXTS and value:
                    yield (*where, name), _Prose(value)
            elif value is not None:
                yield from _walk(value, (*where, fields[name].alias or name))
    elif isinstance(item, tuple):
        for number, part in enumerate(item):
            if not isinstance(part, str | int):
                yield from _walk(part, (*where, number))
    elif isinstance(item, dict):
        for key, part in item.items():
            if not isinstance(part, str | int):
                yield from _walk(part, (*where, key))


class _Prose(str):
    """A text in which figures may stand."""

    __slots__ = ()


Found = Iterator[tuple[str, str, str]]  # message, nearest, culprit


class _Checker:
    """The checks of each kind of model, with the names a ruleset knows."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.entity: models.Entity | None = None
        self.by_type: dict[type, list[Callable[..., Found]]] = {}
        head = ruleset.head
        self.values = set(ruleset.values)
        self.tags = {tag for entity in ruleset.entities.values() for tag in entity.tags}
        self.timings = [timing.id for timing in head.timings]
        self.sections = [section.id for section in head.sections]
        self.fields = {name for kind in head.kinds for name in kind.fields} | {"slots", "price"}
        self.formula_names = (
            self.values
            | EXTRA_NAMES
            | self.fields
            | {f"{scope}.{value}" for scope in ("owner", "operator") for value in self.values}
            | {"owner.level", "operator.level"}
        )
        self.handlers: list[tuple[type, Callable[..., Found]]] = [
            (Formula, self._formula),
            (_Prose, self._prose),
            (models.Query, self._query),
            (models.Requirement, self._requirement),
            (models.Modifier, self._modifier),
            (models.Grant, self._grant),
            (models.Action, self._action),
            (models.Attack, self._attack),
            (models.Among, self._among),
            (models.Roll, self._roll),
            (models.Assign, self._assign),
            (models.Table, self._table),
            (models.Entity, self._entity),
            (models.Give, self._section),
            (models.Ask, self._section),
            (models.UnitType, self._unit_type),
            (models.Computed, self._computed),
            (models.Kind, self._kind),
            (models.SheetSpec, self._sheet),
            (models.Track, self._track),
        ]

    def check(self, item: Any, entity: models.Entity | None) -> Found:
        """Yield the faults of one model: message, nearest name, the text at fault."""
        self.entity = entity
        for handler in self._handlers(type(item)):
            yield from handler(item)

    def _handlers(self, kind: type) -> list[Callable[..., Found]]:
        """Return the checks of a type, looked up once."""
        found = self.by_type.get(kind)
        if found is None:
            found = [handler for base, handler in self.handlers if issubclass(kind, base)]
            self.by_type[kind] = found
        return found

    def _known(self, what: str, name: str, known: Iterable[str]) -> Found:
        pool = list(known)
        if name not in pool:
            yield f"no {what} is named {name!r}", nearest(name, pool), name

    def _id(self, name: str) -> Found:
        yield from self._known("entity", name, self.ruleset.entities)

    def _formula(self, formula: Formula) -> Found:
        for name in sorted(formula.names):
            yield from self._known("value", name, self.formula_names)
        for name in formula.referred:
            yield from self._id(name)

    def _prose(self, prose: _Prose) -> Found:
        try:
            for figure in figures(prose):
                if figure.choice:
                    yield from self._choice(figure.choice)
                else:
                    yield from self._formula(figure.formula)
        except FormulaError as error:
            yield f"{{{error.text}}}: {error.reason}", "", ""

    def _choice(self, name: str) -> Found:
        choices = [choice.id for choice in self.entity.choices] if self.entity else []
        yield from self._known("choice of this entity", name, choices)

    def _query(self, query: models.Query) -> Found:
        for kind in query.kind:
            yield from self._known("kind", kind, self.ruleset.kinds)
        for name in query.ids:
            yield from self._id(name)
        for tag in (*query.tags.all, *query.tags.any, *query.tags.none):
            yield from self._known("tag", tag, self.tags)

    def _requirement(self, clause: models.Requirement) -> Found:
        for leaf in (clause.has, clause.holds):
            if isinstance(leaf, str):
                yield from self._id(leaf)
        if clause.value is not None:
            yield from self._known("value", clause.value.id, self.values)

    def _modifier(self, modifier: models.Modifier) -> Found:
        if modifier.value.startswith("$"):
            yield from self._choice(modifier.value[1:])
        elif modifier.value.startswith("group:"):
            yield from self._known("group", modifier.value[6:], self.ruleset.head.groups)
        else:
            yield from self._known("value", modifier.value, self.values)

    def _grant(self, grant: models.Grant) -> Found:
        yield from self._id(grant.id)
        granted = self.ruleset.entities.get(grant.id)
        for name in grant.with_ if granted else ():
            choices = [choice.id for choice in granted.choices] if granted else []
            yield from self._known(f"choice of {grant.id}", name, choices)

    def _action(self, action: models.Action) -> Found:
        yield from self._known("timing", action.timing, self.timings)
        yield from self._costs(action.cost)

    def _costs(self, cost: Iterable[str]) -> Found:
        held = self.entity.capacities if self.entity else ()
        capacities = {item.id for item in held}
        for name in cost:
            yield from self._known("resource", name, self.values | capacities)

    def _attack(self, attack: models.Attack) -> Found:
        yield from self._costs(attack.cost)
        yield from self._known("value", attack.defence, self.values)
        if isinstance(attack.hit, str):
            yield from self._known("value", attack.hit, self.values)
        for name in attack.type:
            if name.startswith("$"):
                yield from self._choice(name[1:])
            elif self.ruleset.term(name) is None:
                yield f"no damage type is named {name!r}", "", name
        for amount in (attack.damage, attack.shots):
            if isinstance(amount, str):
                yield from self._prose(_Prose(f"{{{amount}}}"))

    def _among(self, among: models.Among) -> Found:
        head = self.ruleset.head
        if among.values is not None:
            yield from self._known("group", among.values, head.groups)
        if among.terms is not None:
            yield from self._known("vocabulary", among.terms, head.terms)
            known = [term.id for term in head.terms.get(among.terms, ())]
            for name in among.only:
                yield from self._known("term", name, known)
        if among.faces is not None:
            yield from self._known("roll", among.faces, [step.id for step in head.creation])

    def _roll(self, ask: models.Roll) -> Found:
        try:
            dice.parse(ask.dice, self.ruleset.dice)
        except ValueError as error:
            yield str(error), "", ask.dice
        if ask.to is not None:
            yield from self._known("value", ask.to, self.values)

    def _assign(self, ask: models.Assign) -> Found:
        for name in ask.to:
            if name.startswith("group:"):
                yield from self._known("group", name[6:], self.ruleset.head.groups)
            else:
                yield from self._known("value", name, self.values)

    def _table(self, table: models.Table) -> Found:
        for column in table.columns:
            yield from self._known("value", column, self.values)

    def _entity(self, item: models.Entity) -> Found:
        for name in filter(None, (item.replaces, item.alias_of)):
            yield from self._id(name)
        for ruling in item.rulings:
            yield from self._known("ruling", ruling, self.ruleset.rulings)
        if item.distinct is not None:
            yield from self._choice(item.distinct)
        for value in item.values:
            yield from self._known("value", value, self.values)

    def _section(self, ask: models.Ask | models.Give) -> Found:
        if ask.section:
            yield from self._known("section", ask.section, self.sections)

    def _unit_type(self, unit: models.UnitType) -> Found:
        for value in unit.values:
            yield from self._known("value", value, self.values)
        if unit.source:
            yield from self._id(unit.source)
        yield from self._cycles(unit)

    def _cycles(self, unit: models.UnitType) -> Found:
        """Find a value that would be computed from itself."""
        needs = {
            name: {other for other in computed.formula.names if other in unit.values}
            for name, computed in unit.values.items()
            if computed.formula is not None
        }
        for start in needs:
            seen: set[str] = set()
            front = set(needs[start])
            while front:
                if start in front:
                    yield f"the value {start!r} is computed from itself", "", start
                    break
                seen |= front
                front = {far for name in front for far in needs.get(name, ())} - seen

    def _computed(self, computed: models.Computed) -> Found:
        if computed.source:
            yield from self._id(computed.source)
        if computed.total_of is not None:
            yield from self._known("field", computed.total_of, self.fields)

    def _kind(self, kind: models.Kind) -> Found:
        if kind.unit is not None:
            yield from self._known("unit type", kind.unit, self.ruleset.units)

    def _sheet(self, sheet: models.SheetSpec) -> Found:
        for name in (*sheet.cards, *sheet.items, *sheet.reference, *sheet.headline):
            yield from self._known("kind", name, self.ruleset.kinds)
        for name in (*sheet.always, *sheet.conditions):
            yield from self._id(name)

    def _track(self, track: models.Track) -> Found:
        yield from self._known("step of this track", track.start, [step.id for step in track.steps])
