"""What no character can come by: requirements that are never met, things that nothing brings.

Read from the rules alone. A requirement is only called impossible when no
state of any character could meet it; in doubt it can be met.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from charforge.character.requirements import words
from charforge.decisions.obtainable import Offers
from charforge.decisions.possible import NUMBER, possible
from charforge.errors import nearest
from charforge.rules.models import Ask, Choose, Entity, Query, Requirement, ValueTest
from charforge.rules.ruleset import Ruleset, matches

Way = tuple[str | int, ...]


class Hopeless(NamedTuple):
    """Something that no character comes by: the entity, where it says so, and why.

    ``never``: a requirement contradicts the rules. Otherwise nothing
    grants or offers the entity, and only a gift of the GM brings it.
    """

    entity: str
    where: Way
    message: str
    nearest: str = ""
    never: bool = True


class Attainable:
    """What characters of a ruleset can have."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.had: set[str] = set()
        self.offers = Offers(ruleset)
        waiting = [entity for entity in ruleset.entities.values() if entity.alias_of is None]
        while True:
            fresh = {one.id for one in waiting if self._why(one.requires, one, ()) is None}
            if not fresh:
                break
            self.had |= fresh
            waiting = [one for one in waiting if one.id not in fresh]

    def hopeless(self) -> Iterator[Hopeless]:
        """Yield everything that no character comes by, entity by entity."""
        for entity in self.ruleset.entities.values():
            for where, clause in _requirements(entity):
                found = self._why(clause, entity, where)
                if found is not None:
                    way, why, near = found
                    told = f"this can never be met: {why}"
                    yield Hopeless(entity.id, way, told, near)
            if self.offers.lacks(entity):
                told = "nothing grants or offers this: only a gift of the GM brings it"
                yield Hopeless(entity.id, (), told, never=False)

    def _why(
        self, clause: Requirement | None, entity: Entity, where: Way
    ) -> tuple[Way, str, str] | None:
        """Say where a clause fails for everybody, why, and the nearest right name; None: it may."""
        if clause is None:
            return None
        if clause.all is not None:
            each = [self._why(p, entity, (*where, "all", n)) for n, p in enumerate(clause.all)]
            found = next(filter(None, each), None)
            return found or self._contradicted(clause.all, where)
        if clause.any is not None:
            return self._too_few(clause.any, 1, entity, (*where, "any"))
        if clause.at_least is not None:
            of, number = clause.at_least.of, clause.at_least.number
            return self._too_few(of, number, entity, (*where, "at_least", "of"))
        why, near = self._leaf(clause, entity)
        return (where, why, near) if why else None

    def _too_few(
        self, parts: Sequence[Requirement], number: int, entity: Entity, where: Way
    ) -> tuple[Way, str, str] | None:
        """Say why not even ``number`` of some clauses can be met."""
        each = [self._why(part, entity, (*where, n)) for n, part in enumerate(parts)]
        failed = [found for found in each if found is not None]
        if len(parts) - len(failed) >= number:
            return None
        if len(parts) < number:
            return where, f"it takes {number} of {len(parts)}", ""
        return failed[0]

    def _leaf(self, clause: Requirement, entity: Entity) -> tuple[str, str]:
        """Say why a leaf can never be met, if so, and the nearest right name."""
        if clause.value is not None:
            return self._bound(clause.value, entity), ""
        if clause.choice is not None:
            return self._answered(clause.choice.id, clause.choice.equals, entity)
        said = words(clause, self.ruleset) or "nothing"
        wanted = clause.has or clause.holds
        if wanted is not None and not self._any(wanted):
            return f"no character can have {said}", ""
        if clause.bearer is not None and not self._any(clause.bearer):
            return f"nothing is {said.removeprefix('to be mounted on ') or 'such a bearer'}", ""
        if clause.trained is not None and not self._trained(clause.trained, entity):
            return f"no character can have {said}", ""
        return "", ""

    def _any(self, wanted: str | Query) -> bool:
        if isinstance(wanted, Query):
            return any(entity.id in self.had for entity in self.ruleset.select(wanted))
        return self.ruleset.canonical(wanted) in self.had

    def _trained(self, wanted: str | Query, entity: Entity) -> bool:
        among = self.ruleset.select(wanted) if isinstance(wanted, Query) else (entity,)
        return any(
            one.own_training or any(matches(covers, one) for covers in self._covered)
            for one in among
        ) or any(brings.own_training for brings in self.ruleset.entities.values() if brings.grants)

    @cached_property
    def _covered(self) -> tuple[Query, ...]:
        return tuple(e.covers for e in self.ruleset.entities.values() if e.covers is not None)

    def _bound(self, test: ValueTest, entity: Entity) -> str:
        """Say why a bound on a value is beyond what any unit that gains the entity can reach."""
        own = self.ruleset.head.units[0]
        types = [self.ruleset.units[name] for name in self.offers.bearers(entity)]
        units = {(unit if test.id in unit.values else own).id for unit in types}
        made = [u.values[test.id] for u in self.ruleset.head.units
                if u.id in units and test.id in u.values]  # fmt: skip
        label = self.ruleset.values[test.id].label
        if not made:
            return f"no unit has {label}"
        low, high = test.at_least, test.at_most
        if low is not None and high is not None and low > high:
            return f"nothing is both {low} or more and {high} or less"
        tops = [None if one.maximum is None else one.maximum.constant for one in made]
        most = max((top for top in tops if top is not None), default=None)
        if low is not None and most is not None and None not in tops and low > most:
            return f"{label} is {most} at most"
        ends = [None if one.minimum is None else one.minimum.constant for one in made]
        least = min((end for end in ends if end is not None), default=None)
        if high is not None and least is not None and None not in ends and high < least:
            return f"{label} is {least} at least"
        return ""

    def _answered(self, name: str, equals: str, entity: Entity) -> tuple[str, str]:
        """Say why a decision is never answered so."""
        asks = [*self._asked.get(NUMBER.sub("", name), ())]
        asks += [ask for ask in entity.choices if ask.id == name] or self._settled(name)
        if not asks:
            return f"no decision has the id {name!r}", nearest(name, self._asked)
        answers = [answer for ask in asks for answer in self._answers(ask)]
        if None in answers or equals in answers:
            return "", ""
        near = nearest(equals, [answer for answer in answers if answer is not None])
        return f"{name} is never answered with {equals!r}", near

    def _settled(self, name: str) -> list[Ask]:
        """Return the choices of a granted entity that its grant may answer in advance."""
        way = NUMBER.sub("", name).split(".")
        slug, choice = way[-2:] if len(way) > 1 else ("", "")
        entities = (e for e in self.ruleset.entities.values() if e.slug == slug)
        return [ask for entity in entities for ask in entity.choices if ask.id == choice]

    def _answers(self, ask: Ask) -> Iterator[str | None]:
        """Yield what may be answered; None where that cannot be listed."""
        if not isinstance(ask, Choose) or ask.own_words or ask.is_list:
            yield None
            return
        yield from (option.id for option in ask.options)
        among = ask.among
        if among is not None and among.query is not None:
            yield from (entity.id for entity in self.ruleset.select(among.query))
        elif among is not None and among.values is not None:
            yield from self.ruleset.group(among.values)
        elif among is not None and among.terms is not None:
            yield from (term.id for term in self.ruleset.head.terms.get(among.terms, ()))
        elif among is not None:
            yield None

    @cached_property
    def _asked(self) -> dict[str, list[Ask]]:
        """Every decision that may be asked, by id."""
        found: dict[str, list[Ask]] = {}
        for one in possible(self.ruleset, self.ruleset.head.advancement.maximum):
            found.setdefault(one.id, []).append(one.ask)
        return found

    def _contradicted(
        self, parts: Iterable[Requirement], where: Way
    ) -> tuple[Way, str, str] | None:
        """Say which clauses of an ``all`` exclude each other."""
        parts = list(parts)
        barred = {_wanted(part.not_) for part in parts if part.not_ is not None} - {None}
        for number, part in enumerate(parts):
            if _wanted(part) in barred:
                said = words(part, self.ruleset)
                return (*where, "all", number), f"it takes {said}, and not {said}", ""
        bounds = [(n, part.value) for n, part in enumerate(parts) if part.value is not None]
        for number, test in bounds:
            for _other, against in bounds:
                low, high = test.at_least, against.at_most
                if test.id == against.id and low is not None and high is not None and low > high:
                    told = f"nothing is both {low} or more and {high} or less"
                    return (*where, "all", number), told, ""
        return None


def _wanted(clause: Requirement) -> str | None:
    """Return the entity that a clause asks for by id."""
    return clause.has if isinstance(clause.has, str) else None


def _requirements(entity: Entity) -> Iterator[tuple[Way, Requirement]]:
    """Yield every requirement of an entity with its way."""
    if entity.requires is not None:
        yield ("requires",), entity.requires
    for part in ("actions", "attacks"):
        for number, one in enumerate(getattr(entity, part)):
            if one.requires is not None:
                yield (part, number, "requires"), one.requires
    for number, ask in enumerate(entity.choices):
        for place, option in enumerate(ask.listed_options):
            if option.requires is not None:
                yield ("choices", number, "options", place, "requires"), option.requires
