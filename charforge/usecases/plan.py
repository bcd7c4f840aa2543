"""Plans: choices for later levels, checked by the rules, and the search for the shortest plan.

A plan is checked on a trial of all later levels with the lowest dice:
a choice that is legal there is legal with any roll.

The search for wanted entities tries sets of choices on such trials, those first that may be
complete with the fewest choices (A*). Only what can lead to a wanted entity is tried: the entity,
what it requires, what grants or offers these, and what raises the values that they require or that
pay for them. Each is picked at the first level at which it is legal: any plan can be moved forward
like this, one pick after the other in the order of its levels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any

from charforge.answers.automatic import leave_out_optional
from charforge.answers.file import with_example
from charforge.character.files.events import PlanEvent
from charforge.decisions.base import (
    MISSING,
    Answer,
    Decision,
    DecisionOption,
    OptionId,
    is_sequence,
)
from charforge.decisions.kinds import may_be_asked
from charforge.errors import RuleRefusal, UnknownId, UsageError, sentence
from charforge.language import _
from charforge.replay.character_spec import CharacterSpec, check_level
from charforge.replay.loaded_character import LoadedCharacter, level_read, load_character
from charforge.replay.replay import AnswerSource, Character, leave_open
from charforge.rules.models import GROUP, Entity, Option, Query, Requirement
from charforge.rules.names import exact_matches
from charforge.rules.ruleset import LEVEL_DECISION, Ruleset
from charforge.usecases.level_up import LevelUp, PlannedAnswers
from charforge.verbs.change import (
    EventDraft,
    TrialChange,
    change_character,
    commit_change,
    draft_event,
    try_change,
)
from charforge.verbs.lookup import explain_legality, find_entity

CHOICE_MARK = "$"  # in the name of a value: what a choice took
MOST_REPLAYS = 3_000  # replays: some ten seconds
PlanProgress = Callable[[int], None]  # the number of plans tried
Pick = tuple[str, OptionId]  # a decision and one of its options


@dataclass(frozen=True)
class PlannedChoice:
    """A planned answer, its decision (None if it will not be asked), and reasons against it."""

    id: str
    answer: Answer
    decision: Decision | None
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class PlanPreview(CharacterSpec):
    """A specification for the wizard that includes later levels, with the lowest dice."""

    def replay(self, source: AnswerSource = leave_open, unfinished: str = "") -> Character:
        """Walk every decision; rolls are never asked."""
        return super().replay(lowest_rolls(source), unfinished)

    @property
    def basis(self) -> str:
        """The level that its figures are of, and that dice are as low as they can be."""
        level = self.ruleset.head.advancement.text_inside(self.level)
        return _("The figures are those of {level}, with the lowest dice.").format(level=level)


def lowest_rolls(source: AnswerSource = leave_open) -> AnswerSource:
    """Return a source that answers rolls with the lowest legal faces, all else by ``source``."""

    def answer(decision: Decision) -> Answer:
        return decision.lowest_roll() if decision.rolls_dice else source(decision)

    return answer


def draft_future_advances(opened: LoadedCharacter, to: int | None = None) -> list[EventDraft]:
    """Return drafts of the advances to level ``to`` (by default the last), also of units.

    Raises UsageError for an invalid level or one that is reached already.
    """
    most = opened.ruleset.head.advancement.maximum
    reached = opened.document.level
    if to is not None:
        check_level(opened.ruleset, to)
        if to <= reached:
            raise UsageError(
                _("{name} is already {level}").format(
                    name=opened.document.name,
                    level=opened.ruleset.head.advancement.text_inside(reached),
                )
            )
    drafts = LevelUp(opened, most if to is None else to).drafts()
    then = try_change(opened, drafts, source=lowest_rolls(), groups=True).character.state
    for unit in then.units[1:]:
        bound = unit.type.highest
        if unit.type.level != "owner" and bound is not None:
            now = next(
                (known for known in opened.character.state.units if known.id == unit.id), unit
            )
            raised = min(then.values(unit.id).evaluate(bound), most)
            drafts += LevelUp(opened, raised, now).drafts()
    return drafts


def planned_choices(opened: LoadedCharacter, to: int | None = None) -> tuple[PlannedChoice, ...]:
    """Return the planned choices, each checked on a trial of the later levels."""
    planned = opened.document.plan
    if not planned:
        return ()
    source, trial = _try_plan(opened, planned, to)
    choices = []
    for name, answer in planned.items():
        decision = trial.character.decision(name)
        reasons = source.refused.get(name, ())
        if decision is None:
            reasons = (_not_asked_reason(opened, name),)
        choices.append(PlannedChoice(name, answer, decision, reasons))
    return tuple(choices)


def load_at(file: Path, level: int | None = None, planned: bool = False) -> LoadedCharacter:
    """Load a character as it is, as of a level it has reached, or as planned for a later one."""
    if not planned:
        return load_character(file, at_level=level)
    loaded = load_character(file)
    return as_planned(loaded, level_read(loaded, level))


def as_planned(opened: LoadedCharacter, level: int | None = None) -> LoadedCharacter:
    """Return the character at a later level, with its planned choices and the lowest dice.

    By default at the last planned level. What is not planned is left out.
    Raises UsageError without a plan, or for a level that it has already.
    """
    document = opened.document
    if level is None:
        levels = [int(found[1]) for found in map(LEVEL_DECISION.fullmatch, document.plan) if found]
        level = max(levels, default=0)
        if level <= document.level:
            raise UsageError(
                _("{name} has no plan for a later level").format(name=document.name),
                _("Make one with plan, or choose a level: --at-level N."),
            )
    _source, trial = _try_plan(opened, document.plan, level)
    return commit_change(trial, tolerant=True)


def titled_as_planned(opened: LoadedCharacter) -> LoadedCharacter:
    """Return a character whose name says that it is planned, and with which dice, for sheets."""
    name = _("{name} (planned, lowest dice)").format(name=opened.document.name)
    document = opened.document.model_copy(update={"name": name})
    return replace(opened, document=document, character=replace(opened.character, name=name))


def _try_plan(
    opened: LoadedCharacter, planned: Mapping[str, Answer], to: int | None
) -> tuple[PlannedAnswers, TrialChange]:
    """Return the planned answers, which know those refused, and the trial of the later levels."""
    drafts = draft_future_advances(opened, to)
    source = PlannedAnswers(planned, leave_out_optional(lowest_rolls()))
    return source, try_change(opened, drafts, source=source, groups=True)


def _not_asked_reason(opened: LoadedCharacter, name: str) -> str:
    if name in opened.document.answers:
        return _("it is already chosen")
    return _("no later level asks for it with these choices")


def change_plan(
    opened: LoadedCharacter,
    new_choices: Mapping[str, Answer],
    dropped: Iterable[str] = (),
    clear: bool = False,
) -> LoadedCharacter:
    """Add choices to the plan and remove others (``dropped``), in one group of the log.

    Raises UnknownId for an unknown decision or one that is not planned,
    UsageError for one that cannot be planned, AnswerError for an answer
    that the rules will not allow.
    """
    former_plan = dict(opened.document.plan)
    removed = list(former_plan) if clear else list(dropped)
    for name in removed:
        if name not in former_plan:
            raise UnknownId(_("planned decision"), name, former_plan)
    kept = {name: answer for name, answer in former_plan.items() if name not in removed}
    canonical = _check_choices(opened, {**kept, **new_choices}, new_choices)
    drafts = [
        draft_event(PlanEvent, decision=name, drop=True)
        for name in removed
        if name not in new_choices
    ]
    drafts += [
        draft_event(PlanEvent, decision=name, answer=answer)
        for name, answer in canonical.items()
        if former_plan.get(name, MISSING) != answer
    ]
    if not drafts:
        raise UsageError(_("that is already planned"))
    return change_character(opened, *drafts)


def _check_choices(
    opened: LoadedCharacter, planned: Mapping[str, Answer], new_choices: Mapping[str, Answer]
) -> dict[str, Answer]:
    """Return new choices in canonical form. Raises for those that cannot be planned."""
    if not new_choices:
        return {}
    source, trial = _try_plan(opened, planned, None)
    asked = {decision.id: decision for decision in trial.character.asked}
    refused: list[tuple[str, str]] = []
    canonical: dict[str, Answer] = {}
    for name, answer in new_choices.items():
        decision = asked.get(name)
        if name in opened.document.answers:
            raise UsageError(
                _("{heading}: already chosen").format(heading=opened.character.label(name)),
                _("Use edit to change it."),
            )
        if decision is None:
            if not may_be_asked(opened.ruleset, name):
                answered = opened.document.answers
                raise UnknownId(_("later choice"), name, [n for n in asked if n not in answered])
            refused.append((name, _not_asked_reason(opened, name)))
        elif decision.rolls_dice:
            raise UsageError(
                _("{heading} is a roll, and rolls cannot be planned").format(
                    heading=decision.heading()
                )
            )
        elif name in source.refused:
            refused += [
                (name, with_example(decision, answer, reason)) for reason in source.refused[name]
            ]
        else:
            canonical[name] = decision.canonical(answer)
    if refused:
        raise trial.character.refusal(refused)
    return canonical


def preview_plan(
    opened: LoadedCharacter, to: int | None = None
) -> tuple[PlanPreview, frozenset[str]]:
    """Return a specification for the wizard up to a level (by default the next), and ids to ask.

    The ids are those of decisions without an answer, except rolls.
    """
    document = opened.document
    level = document.level + 1 if to is None else to
    drafts = draft_future_advances(opened, level)
    trial = try_change(opened, drafts, source=lowest_rolls(), groups=True)
    log = (*document.log, *trial.events)
    answers = {**document.answers, **document.plan}
    preview = PlanPreview(opened.ruleset, document.seed, document.name, level, {}, answers, log)
    asked = {d.id for d in preview.replay().asked if not d.rolls_dice}
    return preview, frozenset(asked) - document.answers.keys()


def replace_planned(opened: LoadedCharacter, new_choices: Mapping[str, Answer]) -> LoadedCharacter:
    """Make the answers of the wizard the plan; empty ones are removed from it.

    Returns the character unchanged if the plan stays the same.
    """
    former_plan = opened.document.plan
    planned = {name: answer for name, answer in new_choices.items() if answer not in ("", [])}
    removed = [name for name in new_choices if name in former_plan and name not in planned]
    changed = {n: a for n, a in planned.items() if former_plan.get(n, MISSING) != a}
    return change_plan(opened, changed, removed) if changed or removed else opened


# ------------------------------------------------------------------ plans for wanted entities


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
        owned = exact_matches(map(ruleset.entity, held), name, lambda entity: entity.names)
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
        """Return whether an option may help."""
        if str(option.id) in self.entities or str(option.id) in self.answers:
            return True
        part = option.option  # an entity that helps is among the entities
        return part is not None and _helps(self.ruleset, part, self.entities, self.values)


def useful_options(ruleset: Ruleset, wanted: Iterable[Entity]) -> UsefulOptions:
    """Return what may lead to wanted entities, found from their requirements backwards."""
    wanted = tuple(wanted)
    entities = {entity.id for entity in wanted}
    budgets = (question.list_budget for question in ruleset.head.advancement.asks)
    values = {name for budget in budgets if budget is not None for name in budget.within.names}
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
    """Return whether something offers one of the entities, or changes one of the values."""
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
