"""The options of a choice: every one of them, the closed ones with their reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from charforge.character.requirements import Asker, unmet
from charforge.character.state import State
from charforge.rules.models import Choose, Entity, Option, Query
from charforge.rules.ruleset import Ruleset, figure

if TYPE_CHECKING:
    from charforge.decisions.base import Decision

Item = str | int  # what an answer names: an id, or a face


@dataclass(frozen=True, slots=True)
class Offer:
    """One option as it stands: ``legal`` means that there are no reasons against it.

    ``names`` are what it may be called beside its label; ``cost`` is what it
    takes of the decision's budget, ``number`` how many of it there are
    (dice that show the same face).
    """

    id: Item
    label: str
    text: str = ""
    group: str = ""
    reasons: tuple[str, ...] = ()
    entity: Entity | None = None
    option: Option | None = None
    cost: int = 0
    number: int | None = None
    names: tuple[str, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether it may be taken."""
        return not self.reasons


def offers(decision: Decision, ask: Choose) -> Iterator[Offer]:
    """Yield the options of a choice without judging them."""
    ruleset, among = decision.before.ruleset, ask.among
    for option in ask.options:
        yield Offer(option.id, option.label, option.text, option=option)
    if among is None:
        return
    if among.query is not None:
        yield from _entities(ruleset, among.query, _cost(ask)).values()
    for name in ruleset.group(among.values) if among.values else ():
        value = ruleset.values[name]
        names = (value.name, value.label)
        yield Offer(name, value.title, value.text, names=names)
    for term in ruleset.head.terms.get(among.terms or "", ()):
        if not among.only or term.id in among.only:
            yield Offer(term.id, term.label, term.text)
    if among.faces is not None:
        shown = Counter(decision.faces(among.faces))
        for face in sorted(shown):
            yield Offer(face, str(face), number=shown[face])


def offered(decision: Decision, ask: Choose) -> Mapping[Item, Offer]:
    """Return the options of a choice by id, without judging them."""
    among = ask.among
    if among is not None and among.query is not None and not ask.options:
        return _entities(decision.before.ruleset, among.query, _cost(ask))
    return {offer.id: offer for offer in offers(decision, ask)}


def _cost(ask: Choose) -> str:
    """Return the field that says how much each option takes of the budget, if there is one."""
    return ask.budget.cost if ask.budget else ""


def _entities(ruleset: Ruleset, query: Query, cost: str) -> Mapping[Item, Offer]:
    """Return the entities that a query offers, by id; ``cost`` is the field of what each takes."""

    def made() -> dict[Item, Offer]:
        return {
            entity.id: Offer(
                entity.id, entity.name, entity.text, ruleset.kinds[entity.kind].label,
                entity=entity, cost=figure(entity, cost) if cost else 0,
            )
            for entity in ruleset.select(query)
        }  # fmt: skip

    return ruleset.kept(("offers", query, cost), made)


def called(found: Mapping[Item, Offer], name: str) -> str:
    """Return the id of the one option that has this id, name or label; else the name itself."""
    if name in found:
        return name
    wanted = name.casefold()
    meant: dict[str, None] = {}
    for offer in found.values():
        if isinstance(offer.id, str) and wanted in map(str.casefold, _names(offer)):
            meant[offer.id] = None
    return next(iter(meant)) if len(meant) == 1 else name


def _names(offer: Offer) -> Iterator[str]:
    yield from (str(offer.id), offer.label, *offer.names)
    if offer.entity is not None:
        yield offer.entity.slug


def judged(
    decision: Decision, ask: Choose, picked: Sequence[Item], only: Item | None = None
) -> Iterator[Offer]:
    """Yield every option, or ``only`` one, with the reasons against it once ``picked`` is taken."""
    known = offered(decision, ask)
    found = [*known.values()] if only is None else [known[only]] if only in known else []
    if not found:
        return
    state = decision.after(picked)
    free = decision.free()
    if free is not None:
        free -= decision.spent(picked)
    taken = Counter(picked)
    for offer in found:
        reasons = [*against(decision, offer, state)]
        if free is not None and ask.budget is not None and offer.cost > free:
            reasons.append(f"needs {ask.budget.counted(offer.cost)}, {free} free")
        if offer.number is not None and taken[offer.id] >= offer.number:
            reasons.append("no more dice show it")
        elif not reasons and offer.number is None and taken[offer.id] and _once(ask, offer):
            reasons.append("chosen already")
        yield replace(offer, reasons=tuple(dict.fromkeys(reasons))) if reasons else offer


def _once(ask: Choose, offer: Offer) -> bool:
    """Whether an option may stand only once in a list."""
    return not ask.repeats and not (offer.entity is not None and offer.entity.repeatable)


def against(decision: Decision, offer: Offer, state: State) -> Iterator[str]:
    """Yield every reason of the rules against one option, judged on ``state``."""
    if offer.option is not None:
        yield from unmet(offer.option.requires, Asker(state, decision.unit))
    if offer.id in _taken_elsewhere(decision):
        yield "chosen already"
    entity = offer.entity
    if entity is None:
        return
    yield from unmet(entity.requires, Asker(state, decision.unit, entity))
    if entity.repeatable:
        if entity.distinct and not _choices_left(decision, state, entity):
            yield "every choice of it is taken"
    elif state.ruleset.kinds[entity.kind].single and state.has_on(
        state.holder(entity, decision.unit), entity.id
    ):
        yield "held already; only Repeatable ones can be had twice"


def _taken_elsewhere(decision: Decision) -> set[object]:
    """Return what other holdings of the same entity took, where it must differ."""
    holding = decision.before.holding(decision.holding)
    if holding is None or holding.entity.distinct != decision.ask.id:
        return set()
    others = (h for h in decision.before.holdings if h.entity.id == holding.entity.id)
    answers = decision.before.answers
    return {answers.get(f"{h.id}.{decision.ask.id}") for h in others if h.id != holding.id}


def _choices_left(decision: Decision, state: State, entity: Entity) -> bool:
    """Whether a choice that must differ has an option for one more holding."""
    ask = next(choice for choice in entity.choices if choice.id == entity.distinct)
    held = sum(holding.entity.id == entity.id for holding in state.holdings)
    if not isinstance(ask, Choose):
        return True
    return held < sum(1 for _offer in offers(replace(decision, before=state), ask))
