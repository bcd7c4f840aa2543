"""Plans that lead to wanted entities: the fewest choices at later levels, or why there are none.

The search tries sets of choices on trials of the later levels, those first that may be complete
with the fewest choices (A*). Only what can lead to a wanted entity is tried: the entity, what it
requires, what grants or offers these, and what raises the values that they require or that pay for
them. Each is picked at the first level at which it is legal: any plan can be moved forward like
this, one pick after the other in the order of its levels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any

from charforge.answers.automatic import leave_out_optional
from charforge.decisions.base import Answer, Decision, DecisionOption, OptionId, is_sequence
from charforge.errors import RuleRefusal, UnknownId, UsageError, sentence
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character
from charforge.rules.models import GROUP, Entity, Option, Query, Requirement
from charforge.rules.names import entity_names, exact_matches
from charforge.rules.ruleset import Ruleset
from charforge.usecases.level_up import PlannedAnswers
from charforge.usecases.plan import draft_future_advances, lowest_rolls
from charforge.verbs.change import EventDraft, try_change
from charforge.verbs.lookup import explain_legality, find_entity

CHOICE_MARK = "$"  # in the name of a value: what a choice took


MOST_REPLAYS = 3_000  # replays: some ten seconds


PlanProgress = Callable[[int], None]  # the number of plans tried


Pick = tuple[str, OptionId]  # a decision and one of its options


@dataclass(frozen=True)
class WantedPlan:
    """A plan that leads to the wanted entities: all planned answers, and the picks that are new."""

    answers: Mapping[str, Answer]
    picks: tuple[Pick, ...]
    replaces_former: bool = False


def find_plan(
    opened: LoadedCharacter,
    wanted: Sequence[Entity],
    by: int | None = None,
    progress: PlanProgress | None = None,
) -> WantedPlan:
    """Return the plan with the fewest new choices that leads to all wanted entities by a level.

    The former plan is kept if that is possible. Raises RuleRefusal with the
    reasons if there is no plan, UsageError if too many would have to be tried.
    """
    former = opened.document.plan
    search = _Search(opened, wanted, by, progress)
    picks = search.run(former)
    if picks is not None:
        return WantedPlan(_answers_with(search.single, former, picks), picks)
    if former:
        picks = search.run({})
        if picks is not None:
            return WantedPlan(_answers_with(search.single, {}, picks), picks, True)
    raise RuleRefusal(_refusal(opened, wanted, search, progress))


def find_wanted(opened: LoadedCharacter, name: str) -> Entity:
    """Return the entity of later levels, or one held already, that a player wants by id or name.

    Raises as ``find_entity`` does.
    """
    ruleset, offered = opened.ruleset, set()
    held = {holding.entity.id for holding in opened.character.state.holdings}
    for question in ruleset.head.advancement.asks:
        query = question.query
        offered |= {entity.id for entity in ruleset.select(query)} if query else set()
    for option in list(offered):  # what a later choice opens
        for choice in ruleset.entities[option].choices:
            offered |= {entity.id for entity in ruleset.offered(choice)}
    kinds = {ruleset.entities[entity].kind for entity in offered}
    try:
        return find_entity(ruleset, name, lambda e: e.kind in kinds, _("choice of later levels"))
    except UnknownId:  # only what can be chosen is suggested, but what is owned is known
        owned = exact_matches(map(ruleset.entity, held), name, entity_names)
        if not owned:
            raise
        return owned[0]


@dataclass
class _Search:
    """A search for one set of wanted entities; ``trials`` counts the plans that were tried."""

    opened: LoadedCharacter
    wanted: Sequence[Entity]
    by: int | None
    progress: PlanProgress | None = None
    trials: int = 0
    single: set[str] = field(default_factory=set)  # decisions with one answer, not a list
    last: Character | None = None  # the character of the first trial, for reasons

    def __post_init__(self) -> None:
        self.drafts: list[EventDraft] = draft_future_advances(self.opened, self.by)
        self.useful = useful_options(self.opened.ruleset, self.wanted)

    def run(self, former: Mapping[str, Answer]) -> tuple[Pick, ...] | None:
        """Return the fewest picks beyond a former plan that lead there; None if there are none.

        A pick gives at most so many of the wanted entities at once (``useful.at_once``), so that
        what is still missing is a lower bound of the picks to come.
        """
        order = count()  # of equal ones the latest first, which goes on with what has begun well
        waiting: list[tuple[int, int, tuple[Pick, ...]]] = [(0, next(order), ())]
        seen: set[frozenset[Pick]] = {frozenset()}
        while waiting:
            _bound, _order, picks = heappop(waiting)
            character = self._try(former, picks)
            if character is None:
                continue
            if not self._missing(character):
                return picks
            for pick in self._further(character, former, picks):
                key = frozenset((*picks, pick))
                if key not in seen:
                    seen.add(key)
                    missing = self._missing(character) - self.useful.gives(pick[1])
                    bound = len(picks) + 1 + -(-missing // self.useful.at_once)
                    heappush(waiting, (bound, -next(order), (*picks, pick)))
        return None

    def _try(self, former: Mapping[str, Answer], picks: tuple[Pick, ...]) -> Character | None:
        """Return the character with picks; None if the rules refuse one of them."""
        self.trials += 1
        if self.progress is not None:
            self.progress(self.trials)
        if self.trials > MOST_REPLAYS:
            raise UsageError(
                _("there are too many ways to try them all"), _("Want fewer things at a time.")
            )
        answers = _answers_with(self.single, former, picks)
        source = PlannedAnswers(answers, leave_out_optional(lowest_rolls()))
        trial = try_change(self.opened, self.drafts, source=source, groups=True)
        if self.last is None:
            self.last = trial.character
        picked = {decision for decision, _option in picks}
        return None if picked & source.refused.keys() else trial.character

    def _missing(self, character: Character) -> int:
        """Return how many of the wanted entities a character does not have."""
        held = {holding.entity.id for holding in character.state.holdings}
        return sum(entity.id not in held for entity in self.wanted)

    def _further(
        self, character: Character, former: Mapping[str, Answer], picks: tuple[Pick, ...]
    ) -> Iterator[Pick]:
        """Yield the picks that may help, each option at the first choice that allows it."""
        answers = _answers_with(self.single, former, picks)
        placed: set[OptionId] = set()
        for decision, options in self.choices(character):
            if decision.question.is_list:
                chosen = answers.get(decision.id, [])
            elif decision.id in answers:
                continue
            else:
                self.single.add(decision.id)
                chosen = []
            legal = decision.options(tuple(chosen))
            useful = {option.id for option in options}
            full = decision.is_full(chosen)
            for option in legal:
                if not option.legal or option.id not in useful or (chosen and full):
                    continue
                if option.id not in placed:
                    placed.add(option.id)
                    yield decision.id, option.id

    def choices(self, character: Character) -> Iterator[tuple[Decision, list[DecisionOption]]]:
        """Yield the choices of later levels, with the options that may help."""
        for decision in character.asked:
            if self._is_later(decision):
                useful = [
                    option
                    for option in decision.options_by_id.values()
                    if self.useful.holds(option)
                ]
                if useful:
                    yield decision, useful

    def _is_later(self, decision: Decision) -> bool:
        return decision.id not in self.opened.document.answers


def _answers_with(
    single: set[str], former: Mapping[str, Answer], picks: Iterable[Pick]
) -> dict[str, Answer]:
    """Return planned answers with picks: a list is extended, a single choice answered."""
    answers: dict[str, Answer] = dict(former)
    for decision, option in picks:
        if decision in single:
            answers[decision] = option
        else:
            present = answers.get(decision, [])
            answers[decision] = [*(present if is_sequence(present) else []), option]
    return answers


@dataclass(frozen=True)
class UsefulOptions:
    """Options that may lead to the wanted entities: entities, answers, and what raises values.

    ``given`` are the wanted entities that an entity is or grants, directly or by others.
    """

    ruleset: Ruleset
    entities: frozenset[str]
    values: frozenset[str]
    answers: frozenset[str]
    given: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def at_once(self) -> int:
        """The most wanted entities that one pick gives."""
        return max((len(names) for names in self.given.values()), default=1) or 1

    def gives(self, option: OptionId) -> int:
        """Return how many of the wanted entities an option gives."""
        return len(self.given.get(str(option), ()))

    def holds(self, option: DecisionOption) -> bool:
        """Whether an option may help."""
        if str(option.id) in self.entities or str(option.id) in self.answers:
            return True
        part = option.option  # an entity that helps is among the entities
        return part is not None and _helps(self.ruleset, part, self.entities, self.values)


def useful_options(ruleset: Ruleset, wanted: Iterable[Entity]) -> UsefulOptions:
    """Return what may lead to wanted entities, found from their requirements backwards."""
    wanted = tuple(wanted)
    entities = {entity.id for entity in wanted}
    values = _paying_values(ruleset)
    answers: set[str] = set()
    size = -1
    while size != len(entities) + len(values) + len(answers):
        size = len(entities) + len(values) + len(answers)
        for name in list(entities):
            for required in _requirements(ruleset.entities[name].requires):
                if isinstance(required.has, Query):
                    entities |= {entity.id for entity in ruleset.select(required.has)}
                elif required.has is not None:
                    entities.add(ruleset.canonical(required.has))
                if required.value is not None:
                    values.add(required.value.id)
                if required.choice is not None:
                    answers.add(required.choice.equals)
        entities |= {
            entity.id
            for entity in ruleset.entities.values()
            if _helps(ruleset, entity, frozenset(entities), frozenset(values))
        }
    names = frozenset(entity.id for entity in wanted)
    given = {name: _given(ruleset, name, frozenset()) & names for name in entities}
    return UsefulOptions(ruleset, frozenset(entities), frozenset(values), frozenset(answers), given)


def _given(ruleset: Ruleset, name: str, above: frozenset[str]) -> frozenset[str]:
    """Return an entity and all that it grants, directly or by others."""
    grants = (ruleset.canonical(grant.id) for grant in ruleset.entity(name).all_grants)
    seen = above | {name}
    parts = (_given(ruleset, granted, seen) for granted in grants if granted not in seen)
    return frozenset({name}).union(*parts)


def _paying_values(ruleset: Ruleset) -> set[str]:
    """Return the values that pay for the options of later levels."""
    names: set[str] = set()
    for question in ruleset.head.advancement.asks:
        if question.list_budget is not None:
            names |= question.list_budget.within.names
    return names


def _requirements(part: Any) -> Iterator[Requirement]:
    """Yield every node of a tree of requirements."""
    if isinstance(part, Requirement):
        yield part
        for name in type(part).model_fields:
            yield from _requirements(getattr(part, name))
    elif isinstance(part, tuple | list):
        for item in part:
            yield from _requirements(item)
    elif hasattr(part, "of"):
        yield from _requirements(part.of)


def _helps(
    ruleset: Ruleset, part: Entity | Option, entities: frozenset[str], values: frozenset[str]
) -> bool:
    """Whether something grants or offers one of the entities, or changes one of the values."""
    grants = part.all_grants if isinstance(part, Entity) else part.grants
    if any(ruleset.canonical(grant.id) in entities for grant in grants):
        return True
    offered = part.choices if isinstance(part, Entity) else ()
    if any(entity.id in entities for choice in offered for entity in ruleset.offered(choice)):
        return True
    changed: set[str] = set()
    for modifier in part.modifies:
        value = modifier.value
        if CHOICE_MARK in value:
            changed |= _possible_values(ruleset, part, value)
            continue
        changed |= {value, *ruleset.group(value.removeprefix(GROUP))} if GROUP in value else {value}
    if isinstance(part, Entity):
        changed |= {column for table in part.tables for column in table.columns}
    return not changed.isdisjoint(values)


def _possible_values(ruleset: Ruleset, part: Entity | Option, value: str) -> set[str]:
    """Return the values that ``ward_$choice`` can stand for."""
    before, _choice, name = value.partition(CHOICE_MARK)
    question = None
    if isinstance(part, Entity):
        question = next((choice for choice in part.choices if choice.id == name), None)
    source = question.option_source if question is not None else None
    group = source.values if source is not None else ""
    if group:
        return {f"{before}{known}" for known in ruleset.group(group)}
    return {known for known in ruleset.values if known.startswith(before)}


def _refusal(
    opened: LoadedCharacter,
    wanted: Sequence[Entity],
    search: _Search,
    progress: PlanProgress | None,
) -> str:
    """Return why there is no plan: the reasons of each entity, or that they exclude each other."""
    level = search.by or opened.ruleset.head.advancement.maximum
    impossible = []
    for entity in wanted:
        alone = search if len(wanted) == 1 else _Search(opened, (entity,), search.by, progress)
        if len(wanted) == 1 or alone.run({}) is None:
            impossible.append(f"{entity.name}: {'; '.join(_reasons(opened, entity, alone))}")
    label = opened.ruleset.head.advancement.text(level)
    if impossible:
        return _("no choices lead there by {level}. {reasons}").format(
            level=label, reasons=" ".join(map(sentence, ([text] for text in impossible)))
        )
    names = _(" and ").join(entity.name for entity in wanted)
    if len(wanted) == 2:
        text = _("{names}: each is possible by {level}, but not both of them")
    else:
        text = _("{names}: each is possible by {level}, but not all of them")
    return text.format(names=names, level=label) + _budget_reason(wanted, search)


def _budget_reason(wanted: Sequence[Entity], search: _Search) -> str:
    """Return what the wanted entities cost together, if no later choice has as much to spend."""
    shortfall = ""
    for decision, options in search.choices(search.last) if search.last is not None else ():
        budget = decision.question.list_budget
        costs = {option.id: option.cost for option in options}
        if budget is None or not all(entity.id in costs for entity in wanted):
            continue
        needed, free = sum(costs[e.id] for e in wanted), decision.evaluate(budget.within)
        if needed <= free:
            return ""
        shortfall = _(". They need {needed}; {free} will be free").format(
            needed=budget.counted(needed), free=free
        )
    return shortfall


def _reasons(opened: LoadedCharacter, entity: Entity, search: _Search) -> list[str]:
    """Return the reasons against an entity at the last choice that offers it, or in general."""
    reasons: tuple[str, ...] = ()
    if search.last is not None:
        for decision, _options in search.choices(search.last):
            for option in decision.options(only=entity.id):
                reasons = option.reasons or reasons
    reasons = reasons or explain_legality(opened.character, entity.id)[1]
    held = {holding.entity.id for holding in opened.character.state.holdings}
    lines = list(reasons)
    for required in _requirements(entity.requires):
        if isinstance(required.has, str) and required.has not in held:
            other, why = explain_legality(opened.character, required.has)
            lines += [f"{other.name}: {reason}" for reason in why]
    return lines or [_("no choice of these levels offers it")]
