"""Level-ups of the character, and of units with levels of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from charforge.character.files.events import AdvanceEvent, Override
from charforge.character.requirements import Applicant, unmet_requirements
from charforge.character.state import CHARACTER, State, Unit
from charforge.decisions.base import MISSING, Answer, Decision
from charforge.decisions.kinds import UNIT_LEVEL
from charforge.describe.differences import difference_lines, state_differences
from charforge.errors import FILE, AnswerError, RuleRefusal, UnusedAnswers, UsageError
from charforge.expressions.formula import Formula
from charforge.language import N_, _
from charforge.replay.decision_walk import OWNER
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import AnswerSource, check_level, leave_open
from charforge.usecases.create import check_complete
from charforge.verbs.change import (
    EventDraft,
    TrialChange,
    commit_change,
    draft_event,
    refuse_out_of_play,
    try_change,
)

OWNERS_LEVEL = Formula(f"{OWNER}.level")  # the usual highest level of a unit
OVERRIDE_ADVICE = N_('If the GM allows it, add --override "GM: REASON".')
BLOCKING_PROBLEMS = ("levels", "pack")  # codes of problems that forbid further events


class PlannedAnswers:
    """A source that answers decisions as planned, and the others by another source.

    Planned answers that the rules no longer allow are left to that source;
    ``refused`` has the reasons by decision.
    """

    def __init__(self, plan: Mapping[str, Answer], source: AnswerSource) -> None:
        self._plan = plan
        self._source = source
        self.refused: dict[str, tuple[str, ...]] = {}

    def __call__(self, decision: Decision) -> Answer:
        """Return the planned answer if it is allowed, else that of the source."""
        planned = self._plan.get(decision.id, MISSING)
        if planned is MISSING:
            return self._source(decision)
        reasons = decision.rule_violations(planned)
        if not reasons:
            return planned
        self.refused[decision.id] = reasons
        return self._source(decision)


def check_advance(
    opened: LoadedCharacter,
    to: int,
    answers: Iterable[str] = (),
    unit: Unit | None = None,
    override: Override | None = None,
) -> None:
    """Check that a character or unit can reach level ``to``.

    ``answers`` are the ids of explicit answers. ``override`` allows a level whose requirement
    is not met, or that costs too much. Raises UsageError for
    an invalid level, AnswerError for an illegal character, UnusedAnswers
    for answers to earlier levels, RuleRefusal for a unit out of play.
    """
    name = opened.document.name if unit is None else unit.name
    reached = opened.document.level if unit is None else opened.character.state.level_of(unit)
    if unit is None:
        _check_character(opened, to)
    else:
        _check_unit(opened, unit, to)
    if to <= reached:
        raise UsageError(
            _("{name} is already {level}").format(
                name=name, level=opened.ruleset.head.advancement.text_inside(reached)
            ),
            _("Use a higher --to."),
        )
    if unit is None and override is None:
        _refuse_advance(opened, to)
    refuse_out_of_play(opened, *(() if unit is None else (unit.id,)))
    problems = opened.problems
    if not opened.character.legal or any(p.code in BLOCKING_PROBLEMS for p in problems):
        labels = {p.decision: p.label for p in problems if p.label}
        raise AnswerError(((p.decision or "file", p.message) for p in problems), labels)
    earlier = opened.document.answers
    label = opened.character.label
    unused = [
        (n, _("{label} was chosen at an earlier level").format(label=label(n)))
        for n in answers
        if n in earlier
    ]
    if unused:
        raise UnusedAnswers(unused)


def _check_character(opened: LoadedCharacter, to: int) -> None:
    """Raise UsageError for a level beyond the last."""
    most = opened.ruleset.head.advancement.maximum
    if most == 1:
        raise UsageError(_("{name} has no levels").format(name=opened.ruleset.head.name))
    if opened.document.level >= most < to:
        advancement = opened.ruleset.head.advancement
        raise UsageError(
            _("{name} is {label} {most}, the highest there is").format(
                name=opened.document.name, label=advancement.label, most=advancement.number(most)
            )
        )
    check_level(opened.ruleset, to)


def _check_unit(opened: LoadedCharacter, unit: Unit, to: int) -> None:
    state, advancement = opened.character.state, opened.ruleset.head.advancement
    if unit.type.level == "owner":
        raise UsageError(
            _("a {label} always has its owner's level").format(label=unit.type.label),
            _("Level the character up."),
        )
    bound = unit.type.highest
    highest = None if bound is None else state.values(unit.id).evaluate(bound)
    if highest is not None and to > highest:
        raise UsageError(
            _("{name} can be {highest} at most, not {to}").format(
                name=unit.name, highest=advancement.text_inside(highest), to=advancement.number(to)
            ),
            _("It cannot be higher than its owner.") if bound == OWNERS_LEVEL else "",
        )


def advance_cost(opened: LoadedCharacter, level: int) -> dict[str, int]:
    """Return the resources that reaching a level costs; its formulas read the level before."""
    before = opened.character.state.with_changes(level=level - 1).values()
    costs = opened.ruleset.head.advancement.costs
    amounts = {name: before.evaluate(formula) for name, formula in costs.items()}
    return {name: amount for name, amount in amounts.items() if amount > 0}


def _refuse_advance(opened: LoadedCharacter, to: int) -> None:
    """Raise RuleRefusal for a level whose requirement is not met, or that costs too much."""
    advancement, state = opened.ruleset.head.advancement, opened.character.state
    label = advancement.text(to)
    unmet = unmet_requirements(advancement.requires, Applicant(state, CHARACTER))
    if unmet:
        raise RuleRefusal(f"{label}: {'; '.join(unmet)}", _(OVERRIDE_ADVICE))
    costs = Counter[str]()
    for level in range(opened.document.level + 1, to + 1):
        costs.update(advance_cost(opened, level))
    for name, cost in costs.items():
        value, have = opened.ruleset.values[name], state.values().base(name)
        if cost > have:
            raise RuleRefusal(
                _("{label} costs {cost} {value_label}; you have {have}").format(
                    label=label, cost=cost, value_label=value.noun(cost), have=have
                ),
                _("Use level-up when you have enough. If the GM gives you more: {command}"),
                ["award", FILE, name, str(cost - have)],
            )


def draft_advances(
    opened: LoadedCharacter,
    to: int,
    unit: Unit | None = None,
    override: Override | None = None,
) -> list[EventDraft]:
    """Return the drafts that advance a character, or a unit, to level ``to``.

    With an ``override`` a level costs no more than there is.
    """
    if unit is None:
        return list(_advances(opened, to, override))
    reached = opened.character.state.level_of(unit)
    return [draft_event(AdvanceEvent, level=n, unit=unit.id) for n in range(reached + 1, to + 1)]


def _advances(opened: LoadedCharacter, to: int, override: Override | None) -> Iterator[EventDraft]:
    """Yield the drafts of the character's levels, with what each costs."""
    values, spent = opened.character.state.values(), Counter[str]()
    override = _needed(opened, to, override)
    for level in range(opened.document.level + 1, to + 1):
        costs = advance_cost(opened, level)
        if override is not None:
            left = {name: max(values.base(name) - spent[name], 0) for name in costs}
            costs = {name: min(cost, left[name]) for name, cost in costs.items() if left[name]}
        spent.update(costs)
        yield draft_event(AdvanceEvent, level=level, spent=costs, override=override)


def _needed(opened: LoadedCharacter, to: int, override: Override | None) -> Override | None:
    """Return the override of a level-up, None if the rules allow the levels anyway."""
    try:
        _refuse_advance(opened, to)
    except RuleRefusal:
        return override
    return None


def level_up_character(
    opened: LoadedCharacter,
    to: int,
    answers: Mapping[str, Answer],
    source: AnswerSource = leave_open,
    unit: Unit | None = None,
    override: Override | None = None,
) -> LoadedCharacter:
    """Advance a character (or a unit) to level ``to``.

    Its new decisions are answered by ``answers``, then as planned, then by
    ``source``. ``override`` allows what the rules forbid: the level, or one of ``answers``.
    Raises as ``check_advance`` and ``check_complete`` do.
    """
    check_advance(opened, to, answers, unit, override)
    trial = try_level_up(opened, to, answers, source, unit, override)
    check_complete(trial.character, answers, creation=False)
    return commit_change(trial)


def refused_planned_answers(
    opened: LoadedCharacter, to: int, answers: Mapping[str, Answer], unit: Unit | None = None
) -> dict[str, tuple[str, ...]]:
    """Return the planned answers that are no longer allowed, with the reasons."""
    if not opened.document.plan:
        return {}
    planned = PlannedAnswers(opened.document.plan, leave_open)
    try_change(opened, draft_advances(opened, to, unit), answers, planned, groups=True)
    return planned.refused


def try_level_up(
    opened: LoadedCharacter,
    to: int,
    answers: Mapping[str, Answer],
    source: AnswerSource = leave_open,
    unit: Unit | None = None,
    override: Override | None = None,
) -> TrialChange:
    """Return the change of a level-up, for ``commit_change``; each level is a group of its own."""
    planned = PlannedAnswers(opened.document.plan, source)
    drafts = draft_advances(opened, to, unit, override)
    return try_change(opened, drafts, answers, planned, groups=True, override=override)


def level_gains(before: LoadedCharacter, to: int, unit: Unit | None) -> Mapping[str, str]:
    """Return what each level up to ``to`` brings, by the section of its decisions.

    Of a ``unit``, if it is not None, instead of the character.
    """
    state = before.character.state
    first = state.level if unit is None else state.level_of(unit)
    gains: dict[str, str] = {}
    for level in range(first + 1, to + 1):
        trial = try_change(before, draft_advances(before, level, unit), groups=True)
        section = f"level.{level}" if unit is None else f"{unit.id}{UNIT_LEVEL}{level}"
        lines = [f"- {line}" for line in _gains(state, trial, section)]
        label = before.ruleset.head.advancement.text(level)
        gains[section] = (
            "\n".join([_("{level} brings:").format(level=label), *lines]) if lines else ""
        )
        state = trial.character.state
    return gains


def _gains(before: State, trial: TrialChange, section: str) -> Iterator[str]:
    """Yield what one level brings, in words.

    What a choice can spend is said with the choice, not as a value that changes, too.
    """
    after = trial.character.state
    spent: set[tuple[str, str]] = set()  # names of units, and values
    for decision in trial.character.open:
        if decision.section == section:
            owner = "" if decision.unit == CHARACTER else after.unit(decision.unit).name
            yield f"{owner}: {decision.gain_text()}" if owner else decision.gain_text()
            budget = decision.question.list_budget
            if budget is not None:
                spent |= {(owner, name) for name in budget.within.names}
    for difference in state_differences(before, after):
        if difference.topic in ("holding", "unit") and difference.old is None:
            yield _("New {kind}: {name}").format(kind=difference.kind, name=difference.label)
        elif difference.topic == "value" and (difference.unit, difference.id) in spent:
            continue
        elif difference.topic != "level":
            yield from difference_lines([difference], after.ruleset)
