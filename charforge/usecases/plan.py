"""Intentions for the levels to come: kept apart from what was played, and judged.

A plan is judged on a trial walk of all levels to come, its dice at their
lowest, so what is legal there is legal whatever is rolled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from charforge.answers import examples
from charforge.character.events import PlanEvent as Planning
from charforge.decisions.base import Decision
from charforge.decisions.index import may_be_asked
from charforge.decisions.option import MISSING, Answer
from charforge.errors import AnswerError, UnknownId, UsageError
from charforge.replay.loaded import LoadedCharacter
from charforge.replay.replay import AnswerSource, Character, leave_open
from charforge.replay.spec import CharacterSpec, check_level
from charforge.usecases.change import (
    EventDraft,
    TrialChange,
    change_character,
    draft_event,
    try_change,
)
from charforge.usecases.create import leave_out_optional
from charforge.usecases.level_up import PlannedAnswers, draft_advances


@dataclass(frozen=True)
class PlannedChoice:
    """A planned answer: its decision as it will be asked (None: it will not), and what forbids it.

    ``reasons`` is empty when it will be legal.
    """

    id: str
    answer: Answer
    decision: Decision | None
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class PlanPreview(CharacterSpec):
    """A plan for the wizard that walks on to levels to come: dice are taken at their lowest."""

    def walk(self, source: AnswerSource = leave_open) -> Character:
        """Walk every decision; rolls are never asked."""
        return super().walk(lowest_rolls(source))


def lowest_rolls(source: AnswerSource = leave_open) -> AnswerSource:
    """Extend a source: dice show the lowest faces that need not be rolled again."""

    def answer(decision: Decision) -> Answer:
        return decision.lowest_roll() if decision.rolls_dice else source(decision)

    return answer


def draft_future_advances(opened: LoadedCharacter, to: int | None = None) -> list[EventDraft]:
    """Return the advances to level ``to`` (by default the last): the character's, then its units'.

    Raises UsageError for a level that is none, or is reached already.
    """
    most = opened.ruleset.head.advancement.maximum
    reached = opened.document.level
    if to is not None:
        check_level(opened.ruleset, to)
        if to <= reached:
            raise UsageError(f"{opened.document.name} has level {reached} already")
    drafts = draft_advances(opened, most if to is None else to)
    then = try_change(opened, drafts, source=lowest_rolls(), groups=True).character.state
    for unit in then.units[1:]:
        bound = unit.type.highest
        if unit.type.level != "owner" and bound is not None:
            now = next((one for one in opened.character.state.units if one.id == unit.id), unit)
            raised = min(then.values(unit.id).evaluate(bound), most)
            drafts += draft_advances(opened, raised, now)
    return drafts


def planned_choices(opened: LoadedCharacter, to: int | None = None) -> tuple[PlannedChoice, ...]:
    """Return the plan, each entry judged on a trial walk of the levels to come."""
    planned = opened.document.plan
    if not planned:
        return ()
    source, found = _tried(opened, planned, to)
    asked = {decision.id: decision for decision in found.character.asked}
    judged = []
    for name, answer in planned.items():
        decision = asked.get(name)
        reasons = source.refused.get(name, ())
        if decision is None:
            reasons = (_never(opened, name),)
        judged.append(PlannedChoice(name, answer, decision, reasons))
    return tuple(judged)


def _tried(
    opened: LoadedCharacter, planned: Mapping[str, Answer], to: int | None
) -> tuple[PlannedAnswers, TrialChange]:
    drafts = draft_future_advances(opened, to)
    source = PlannedAnswers(planned, leave_out_optional(lowest_rolls()))
    return source, try_change(opened, drafts, source=source, groups=True)


def _never(opened: LoadedCharacter, name: str) -> str:
    if name in opened.document.answers:
        return "there is an answer to it already"
    return "with what is chosen now, no level to come asks for it"


def change_plan(
    opened: LoadedCharacter,
    meant: Mapping[str, Answer],
    dropped: Iterable[str] = (),
    clear: bool = False,
) -> LoadedCharacter:
    """Keep intentions, and take others back: one group of the log.

    Raises UnknownId for a decision that nothing can ask or a plan that is
    none, UsageError for one that is no choice to come, AnswerError for
    what the rules would not allow.
    """
    standing = dict(opened.document.plan)
    gone = list(standing) if clear else list(dropped)
    for name in gone:
        if name not in standing:
            raise UnknownId("planned decision", name, standing)
    kept = {name: answer for name, answer in standing.items() if name not in gone}
    canonical = _judged(opened, {**kept, **meant}, meant)
    drafts = [draft_event(Planning, decision=name, drop=True) for name in gone if name not in meant]
    drafts += [
        draft_event(Planning, decision=name, answer=answer)
        for name, answer in canonical.items()
        if standing.get(name, MISSING) != answer
    ]
    if not drafts:
        raise UsageError("that is planned already")
    return change_character(opened, *drafts)


def _judged(
    opened: LoadedCharacter, planned: Mapping[str, Answer], meant: Mapping[str, Answer]
) -> dict[str, Answer]:
    """Return new intentions in their one spelling, or raise for what cannot be planned."""
    if not meant:
        return {}
    source, found = _tried(opened, planned, None)
    asked = {decision.id: decision for decision in found.character.asked}
    refused: list[tuple[str, str]] = []
    canonical: dict[str, Answer] = {}
    for name, answer in meant.items():
        decision = asked.get(name)
        if name in opened.document.answers:
            raise UsageError(f"there is an answer to {name} already", "Use edit to change it.")
        if decision is None:
            if not may_be_asked(opened.ruleset, name):
                settled = opened.document.answers
                raise UnknownId("choice to come", name, [n for n in asked if n not in settled])
            refused.append((name, _never(opened, name)))
        elif decision.rolls_dice:
            raise UsageError(f"dice are not planned, and {name} is a roll")
        elif name in source.refused:
            refused += [
                (name, examples.with_example(decision, answer, reason))
                for reason in source.refused[name]
            ]
        else:
            canonical[name] = decision.canonical(answer)
    if refused:
        raise AnswerError(refused)
    return canonical


def preview_plan(
    opened: LoadedCharacter, to: int | None = None
) -> tuple[PlanPreview, frozenset[str]]:
    """Return a plan for the wizard up to a level (by default the next), and what it shall ask.

    Dice are not among it, nor what is settled already.
    """
    document = opened.document
    level = document.level + 1 if to is None else to
    drafts = draft_future_advances(opened, level)
    found = try_change(opened, drafts, source=lowest_rolls(), groups=True)
    log = (*document.log, *found.events)
    answers = {**document.answers, **document.plan}
    made = PlanPreview(opened.ruleset, document.seed, document.name, level, {}, answers, log)
    asked = {d.id for d in made.walk().asked if not d.rolls_dice}
    return made, frozenset(asked) - document.answers.keys()


def replace_planned(opened: LoadedCharacter, meant: Mapping[str, Answer]) -> LoadedCharacter:
    """Keep what the wizard asked as the plan; what was left empty is not planned.

    Returns the character unchanged where the plan is that already.
    """
    standing = opened.document.plan
    wanted = {name: answer for name, answer in meant.items() if answer not in ("", [])}
    gone = [name for name in meant if name in standing and name not in wanted]
    fresh = {n: a for n, a in wanted.items() if standing.get(n, MISSING) != a}
    return change_plan(opened, fresh, gone) if fresh or gone else opened
