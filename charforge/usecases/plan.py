"""Plans: choices for later levels, checked against the rules.

A plan is checked on a trial of all later levels with the lowest dice:
a choice that is legal there is legal with any roll.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from charforge.answers.automatic import leave_out_optional
from charforge.answers.file import with_example
from charforge.character.files.events import PlanEvent
from charforge.decisions.base import MISSING, Answer, Decision
from charforge.decisions.kinds import may_be_asked
from charforge.errors import UnknownId, UsageError
from charforge.language import _
from charforge.replay.character_spec import CharacterSpec, check_level
from charforge.replay.loaded_character import LoadedCharacter, level_read, load_character
from charforge.replay.replay import AnswerSource, Character, leave_open
from charforge.rules.ruleset import LEVEL_DECISION
from charforge.usecases.level_up import LevelUp, PlannedAnswers
from charforge.verbs.change import (
    EventDraft,
    TrialChange,
    change_character,
    commit_change,
    draft_event,
    try_change,
)


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
