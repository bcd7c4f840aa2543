"""Level-ups of the character, and of units with levels of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from charforge.character.files.events import AdvanceEvent, Override
from charforge.character.requirements import Applicant, unmet_requirements
from charforge.character.state import CHARACTER, State, Unit
from charforge.decisions.base import MISSING, Answer, Decision
from charforge.decisions.kinds import UNIT_LEVEL
from charforge.describe.differences import difference_lines, state_differences
from charforge.errors import FILE, AnswerError, RuleRefusal, UnusedAnswers, UsageError
from charforge.expressions.formula import Formula
from charforge.language import N_, _
from charforge.replay.character_spec import check_level
from charforge.replay.decision_walk import OWNER
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import AnswerSource, leave_open
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


@dataclass(frozen=True)
class LevelUp:
    """A level-up of a character, or of one of its units, to level ``to``.

    ``override`` allows what the rules forbid: a level whose requirement is not met or that costs
    too much, or one of the answers.
    """

    opened: LoadedCharacter
    to: int
    unit: Unit | None = None
    override: Override | None = None

    @property
    def reached(self) -> int:
        """The level now."""
        if self.unit is None:
            return self.opened.document.level
        return self.opened.character.state.level_of(self.unit)

    def check(self, answers: Iterable[str] = ()) -> None:
        """Check that the level can be reached; ``answers`` are the ids of explicit answers.

        Raises UsageError for an invalid level, AnswerError for an illegal character, UnusedAnswers
        for answers to earlier levels, RuleRefusal for a unit out of play.
        """
        opened, unit, to = self.opened, self.unit, self.to
        name = opened.document.name if unit is None else unit.name
        if unit is None:
            _check_character(opened, to)
        else:
            _check_unit(opened, unit, to)
        if to <= self.reached:
            raise UsageError(
                _("{name} is already {level}").format(
                    name=name, level=opened.ruleset.head.advancement.text_inside(self.reached)
                ),
                _("Use a higher --to."),
            )
        if unit is None and self.override is None:
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

    def drafts(self) -> list[EventDraft]:
        """Return the drafts of its events; with an ``override`` a level costs what there is."""
        if self.unit is None:
            return list(_advances(self.opened, self.to, self.override))
        levels = range(self.reached + 1, self.to + 1)
        return [draft_event(AdvanceEvent, level=level, unit=self.unit.id) for level in levels]

    def trial(
        self, answers: Mapping[str, Answer], source: AnswerSource = leave_open
    ) -> TrialChange:
        """Return the change, for ``commit_change``; each level is a group of its own.

        New decisions are answered by ``answers``, then as planned, then by ``source``.
        """
        planned = PlannedAnswers(self.opened.document.plan, source)
        return try_change(
            self.opened, self.drafts(), answers, planned, groups=True, override=self.override
        )

    def apply(
        self, answers: Mapping[str, Answer], source: AnswerSource = leave_open
    ) -> LoadedCharacter:
        """Return the advanced character. Raises as ``check`` and ``check_complete`` do."""
        self.check(answers)
        trial = self.trial(answers, source)
        check_complete(trial.character, answers, creation=False)
        return commit_change(trial)

    def refused_planned_answers(self, answers: Mapping[str, Answer]) -> dict[str, tuple[str, ...]]:
        """Return the planned answers that are no longer allowed, with the reasons."""
        if not self.opened.document.plan:
            return {}
        planned = PlannedAnswers(self.opened.document.plan, leave_open)
        drafts = replace(self, override=None).drafts()
        try_change(self.opened, drafts, answers, planned, groups=True)
        return planned.refused

    def gains(self) -> Mapping[str, str]:
        """Return what each level brings, by the section of its decisions."""
        state = self.opened.character.state
        gains: dict[str, str] = {}
        for level in range(self.reached + 1, self.to + 1):
            drafts = LevelUp(self.opened, level, self.unit).drafts()
            trial = try_change(self.opened, drafts, groups=True)
            section = "level." if self.unit is None else f"{self.unit.id}{UNIT_LEVEL}"
            section += str(level)
            lines = [f"- {line}" for line in _gains(state, trial, section)]
            label = self.opened.ruleset.head.advancement.text(level)
            brings = [_("{level} brings:").format(level=label), *lines]
            gains[section] = "\n".join(brings) if lines else ""
            state = trial.character.state
        return gains


def level_up_character(
    opened: LoadedCharacter,
    to: int,
    answers: Mapping[str, Answer],
    source: AnswerSource = leave_open,
    unit: Unit | None = None,
    override: Override | None = None,
) -> LoadedCharacter:
    """Advance a character (or a unit) to level ``to``, as ``LevelUp.apply`` does."""
    return LevelUp(opened, to, unit, override).apply(answers, source)


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
