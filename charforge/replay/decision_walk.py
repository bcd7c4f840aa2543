"""A walk through all decisions of a character, in order.

The steps of creation come first; everything gained asks its own choices then
(or in their section, if that comes later); each further level asks its
questions. Answers are looked up by decision id, in the log and then in
``source`` (an answers file, random answers, or none). So the same walk serves
creation, replay and editing.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, NamedTuple

from charforge.character import gear
from charforge.character.files.events import AbilityEvent, AnswerEvent, Override, ProcedureEvent
from charforge.character.gear import newly_exceeded
from charforge.character.holdings import add_grant, add_grants, remove_answer
from charforge.character.modifiers import local_formulas
from charforge.character.state import CHARACTER, Holding, State, Unit
from charforge.decisions.base import MISSING, Answer, Decision, Reason
from charforge.decisions.choose import without_items
from charforge.decisions.kinds import make_decision
from charforge.errors import ProcedureError
from charforge.expressions.dice import Dice
from charforge.expressions.formula import Formula
from charforge.language import _
from charforge.procedures import abilities, run, use
from charforge.procedures.context import RunSettings
from charforge.procedures.run import ProcedureResult
from charforge.rules.models import Give, Question
from charforge.rules.ruleset import EVENT, Ruleset

OWNER = "owner"  # of unit types: units have the level of their owner
AnswerSource = Callable[[Decision], Answer]


def leave_open(_decision: Decision) -> Answer:
    """Return no answer, so that the decision stays open."""
    return MISSING


class TargetMissing(Exception):
    """The target of an event does not exist, or not any more."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a character.

    ``code`` is its kind (``open``, ``broken``, ``illegal`` …), ``decision``
    the id of the decision or ``event.N``; empty for the whole character.
    ``label`` is the short name of the decision, or of the limit that is
    exceeded; ``limit`` identifies it together with its unit, ``excess`` is by
    how much. ``reason`` is the code of what is against the answer.
    """

    code: str
    decision: str
    message: str
    label: str = ""
    limit: str = ""
    excess: int = field(default=0, compare=False)
    reason: str = ""


class Overridden(NamedTuple):
    """An answer that the GM allowed, with the reasons of the rules against it.

    ``entities`` are the ids of the chosen entities that the rules forbid; the
    other items of a list are ordinary choices. ``values`` are pairs of unit and
    value that a forbidden answer changes.
    """

    decision: str
    override: Override
    reasons: tuple[str, ...]
    entities: tuple[str, ...] = ()
    values: frozenset[tuple[str, str]] = frozenset()


@dataclass
class DecisionWalk:
    """A walk through the decisions: the state so far, and the decisions asked.

    ``answers`` are the recorded answers by decision id; ``source`` answers
    the other decisions. ``rules`` are the table rules of creation.
    ``overrides`` are the answers that the GM allows, by decision id.
    ``unfinished`` is a decision whose answer counts although it is incomplete,
    such as the first items of a list.

    ``new`` is true for a character without a file.

    Results: ``asked`` and ``open`` decisions, ``problems``, ``overridden``
    answers; ``former_ids``, under which recorded answers were found that have
    another id now; ``answered_again``, decisions that were answered again
    later, by id.
    """

    ruleset: Ruleset
    answers: Mapping[str, Answer]
    rules: dict[str, str]
    source: AnswerSource
    overrides: Mapping[str, Override] = field(default_factory=dict)
    unfinished: str = ""
    new: bool = False
    asked: list[Decision] = field(default_factory=list)
    open: list[Decision] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    overridden: list[Overridden] = field(default_factory=list)
    former_ids: set[str] = field(default_factory=set)
    answered_again: dict[str, Decision] = field(default_factory=dict)

    def __post_init__(self) -> None:
        character = Unit(CHARACTER, next(iter(self.ruleset.units.values())), "")
        self.state = State(self.ruleset, 1, self.rules, units=(character,))
        self._deferred: dict[str, list[tuple[Holding, Question]]] = {}  # choices by section
        self._later_sections: list[str] = []
        self._unit_paths: dict[str, str] = {}  # units in the ids of level decisions, by unit id
        # Rows of tables by a value that have granted: bearer, entity, table and row.
        self._reached: set[tuple[str, str, str, int]] = set()

    def copy(
        self, answers: Mapping[str, Answer], source: AnswerSource, overrides: Mapping[str, Override]
    ) -> DecisionWalk:
        """Return a walk that goes on from here with other answers, and leaves this one as it is."""
        walk = copy.copy(self)
        walk.answers, walk.source, walk.overrides = answers, source, overrides
        walk.asked, walk.open = [*self.asked], [*self.open]
        walk.problems, walk.overridden = [*self.problems], [*self.overridden]
        walk.former_ids, walk.answered_again = {*self.former_ids}, {**self.answered_again}
        walk._unit_paths, walk._reached = {**self._unit_paths}, {*self._reached}
        return walk

    def create(self) -> None:
        """Ask creation's sections in order, then take in hand what is ready."""
        head = self.ruleset.head
        self._later_sections = [section.id for section in head.sections]
        for section in head.sections:
            for step in head.creation:
                if step.section == section.id:
                    self._take_step(step, section.id)
            self._later_sections.remove(section.id)
            for holding, question in self._deferred.pop(section.id, ()):
                self._ask_choice(holding, question, section.id)
        self.state = gear.hold_ready(self.state)

    def advance(self, level: int) -> None:
        """Raise the character to a level: apply its grants and ask its questions."""
        self.state = self.state.with_changes(level=level)
        section = f"level.{level}"
        for holding in self.state.holdings:
            if holding.entity.each_level:
                self._ask_level_questions(holding, level, section)
        for holding in self.state.holdings:
            grants = holding.entity.level_grants
            if grants and any(grant.level == level for grant in grants):
                self.continue_with(add_grants(self.state, holding, level, level), section)
        self.grant_reached(section)
        for question in self.ruleset.head.advancement.asks:
            self._ask(question, f"{section}.{question.id}", CHARACTER, "", section)

    def advance_unit(self, name: str, level: int) -> None:
        """Raise a unit that has levels of its own, and ask the questions of the level."""
        unit = self.state.unit(name)
        raised = unit._replace(advances=level - 1)
        units = tuple(raised if other is unit else other for other in self.state.units)
        self.state = self.state.with_changes(units=units)
        section = f"{name}.level.{level}"
        for question in unit.type.asks:
            self._ask(question, f"{section}.{question.id}", name, "", section)

    def answer_now(self, event: AnswerEvent) -> None:
        """Replace the answer of a decision from here on, and remove what the old one granted.

        Raises TargetMissing if the decision was never asked.
        """
        former = next((d for d in self.asked if d.id == event.decision), None)
        if former is None:
            raise TargetMissing
        kept_items = former.kept_items(self.state, event.answer)
        state = remove_answer(self.state, former.id, kept_items)
        decision = replace(former, before=state, root=f"event.{event.n}")
        new_items = without_items(event.answer, kept_items) if kept_items else event.answer
        if not self._is_accepted(decision, new_items, event.override, "broken"):
            return
        self.open = [other for other in self.open if other.id != decision.id]
        self.answered_again[decision.id] = decision
        self.state = state
        answer = decision.canonical(new_items)
        self.continue_with(decision.state_after(answer), f"event.{event.n}")
        all_items = [*kept_items, *answer] if kept_items else answer
        self.state = self.state.with_changes(answers={**self.state.answers, decision.id: all_items})

    def _name_unit(self, holding: Holding, section: str) -> None:
        """Set the path of a new unit in the ids of level decisions: its kind, numbered.

        For a unit that an event brings, the number is that of the event, so
        that its dice stay the same whatever other units there are.
        """
        kind = self.ruleset.kinds[holding.entity.kind]
        if kind.unit is None:
            return
        path = kind.path or kind.id
        event = EVENT.fullmatch(section)
        alike = sum(path == other.partition("#")[0] for other in self._unit_paths.values())
        number = event[1] if event else alike + 1 if alike else ""
        self._unit_paths[holding.id] = f"{path}#{number}" if number else path

    def _take_step(self, step: Any, section: str) -> None:
        """Ask the question of a step of creation, or apply its grants."""
        if not isinstance(step, Give):
            self._ask(step, step.id, CHARACTER, "", section)
            return
        if step.when is None or self.state.values().holds(step.when):
            path = step.id if len(step.grants) == 1 else ""
            for grant in step.grants:
                self.continue_with(add_grant(self.state, grant, step.id, path=path), section)

    def continue_with(self, state: State, section: str) -> None:
        """Continue with a new state, and ask the choices of the holdings gained in it.

        ``section`` is the section of the decisions: of creation, a level
        (``level.N``) or an event (``event.N``).
        """
        before = {holding.id for holding in self.state.holdings}
        self.state = state
        for holding in [holding for holding in state.holdings if holding.id not in before]:
            self._name_unit(holding, section)
            for question in holding.entity.choices:
                if question.section in self._later_sections and question.section != section:
                    self._deferred.setdefault(question.section, []).append((holding, question))
                else:
                    self._ask_choice(holding, question, section)
            self._catch_up(holding, section)
        self.grant_reached(section)

    def grant_reached(self, section: str) -> None:
        """Give what tables by a value grant at the rows that the value has reached, each once.

        What is held several times, such as once for each level in a class, grants once; whoever
        loses it and gains it again reaches its rows again.
        """
        if not self.ruleset.index.grants_by_value:
            return
        held = {(self.state.bearer(one), one.entity.id) for one in self.state.holdings}
        self._reached = {row for row in self._reached if row[:2] in held}
        for holding in self.state.holdings:
            for table in holding.entity.value_tables:
                by = Formula(table.by).with_variables(local_formulas(self.state, holding))
                bearer = self.state.bearer(holding)
                for number in table.rows:
                    row = (bearer, holding.entity.id, table.id, number)
                    if self.state.holding(holding.id) is None:
                        continue  # what came before has replaced it
                    if row in self._reached or self.state.values(bearer).evaluate(by) < number:
                        continue
                    self._reached.add(row)
                    state = self.state
                    for grant in table.granted_at(number):
                        state = add_grant(state, grant, holding.id, bearer)
                    if state is not self.state:
                        self.continue_with(state, section)

    def _catch_up(self, holding: Holding, section: str) -> None:
        """Ask a unit gained later the questions of the levels so far (ruling D89)."""
        unit = self.state.bearer(holding)
        if unit != holding.id or self.state.unit(unit).type.level != OWNER:
            return
        for level in range(2, self.state.level + 1):
            self._ask_level_questions(holding, level, section)

    def _ask_level_questions(self, holding: Holding, level: int, section: str) -> None:
        """Ask the questions that a holding asks at each level, if its unit is not out of play."""
        unit = self.state.bearer(holding)
        if self.state.out_of_play(unit) is not None:
            return
        path = f".{self._unit_paths[unit]}" if unit != CHARACTER else ""
        for question in holding.entity.each_level:
            self._ask(question, f"level.{level}{path}.{question.id}", unit, "", section)

    def _ask_choice(self, holding: Holding, question: Question, section: str) -> None:
        """Ask a choice of a holding, or apply the answer that its grant gave in advance."""
        if self.state.holding(holding.id) is None:
            return  # another holding has replaced it
        name = f"{holding.id}.{question.id}"
        if name in self.state.answers:
            unit = self.state.bearer(holding)
            decision = make_decision(name, question, self.state, unit, holding.id, section)
            self.continue_with(decision.state_after(self.state.answers[name]), section)
            return
        self._ask(question, name, self.state.bearer(holding), holding.id, section)

    def _ask(self, question: Question, name: str, unit_id: str, holding: str, section: str) -> None:
        decision = make_decision(
            name, question, self.state, unit_id, holding, section, self.state.level
        )
        ready = all(roll in self.state.answers for roll in decision.reads())
        if not ready or not decision.applies():
            return
        self.asked.append(decision)
        answer = self._recorded(name)
        is_recorded = answer is not MISSING
        if not is_recorded:
            answer = self.source(decision)
        if answer is MISSING:
            self.open.append(decision)
            return
        code = "broken" if is_recorded else "illegal"
        override, before = self.overrides.get(name), self.state
        if self._is_accepted(decision, answer, override, code):
            self.continue_with(decision.state_after(decision.canonical(answer)), section)
            if override is not None:
                self.allow_excess(before, decision.id, override)
        else:
            self.open.append(decision)

    def allow_excess(
        self, before: State, name: str, override: Override, entities: tuple[str, ...] = ()
    ) -> None:
        """Allow what an answer or an event exceeds with the GM's permission, and record it."""
        exceeded = tuple(newly_exceeded(before, self.state))
        if not exceeded:
            return
        allowed = {(limit.limit, limit.unit, limit.excess) for limit in exceeded}
        self.state = self.state.with_changes(allowed_limits=self.state.allowed_limits | allowed)
        if all(recorded.decision != name for recorded in self.overridden):
            reasons = tuple(limit.text for limit in exceeded)
            self.overridden.append(Overridden(name, override, reasons, entities))

    def _is_accepted(
        self, decision: Decision, answer: Answer, override: Override | None, code: str
    ) -> bool:
        """Return whether the rules or the GM allow an answer; otherwise add the problems.

        ``code`` is the code of the problems.
        """
        reasons = decision.rule_violations(answer)
        if not reasons or (decision.id == self.unfinished and not decision.malformed(answer)):
            return True
        if override is not None:
            malformed = decision.malformed(answer)
            if not malformed:
                self.overridden.append(_overridden(decision, answer, override))
                return True
            reasons = tuple(Reason(text, "form") for text in malformed)
        label = decision.heading()
        self.problems.extend(
            Problem(code, decision.id, reason, label, reason=reason.code) for reason in reasons
        )
        return code == "broken" and override is None and decision.keeps_effect(answer)

    def _recorded(self, name: str) -> Answer:
        """Return the recorded answer of a decision, under its current or a former id.

        MISSING if there is none.
        """
        if name in self.answers or not self.ruleset.former_slugs:
            return self.answers.get(name, MISSING)
        parts = []
        for part in name.split("."):
            slug, mark, number = part.partition("#")
            former = self.ruleset.former_slugs.get(slug, ())
            parts.append([part, *(f"{old}{mark}{number}" for old in former)])
        for former_id in map(".".join, product(*parts)):
            if former_id in self.answers:
                self.former_ids.add(former_id)
                return self.answers[former_id]
        return MISSING


def _overridden(decision: Decision, answer: Answer, override: Override) -> Overridden:
    """Return the record of an answer that an override allows."""
    values = frozenset((decision.unit, name) for name in decision.refused_values(answer))
    reasons, entities = decision.broken_rules(answer), decision.refused_entities(answer)
    return Overridden(decision.id, override, reasons, entities, values)


RunEvent = ProcedureEvent | AbilityEvent


class RecordedRoll(NamedTuple):
    """One roll of a run: its label, its dice and their faces."""

    label: str
    dice: Dice
    faces: list[int]


class RecordedDice:
    """The recorded dice of a run, returned in their order; ``rolls`` are those rolled so far."""

    def __init__(self, faces: dict[str, list[list[int]]]) -> None:
        self.rolls: list[RecordedRoll] = []
        self._left = {name: list(rolls) for name, rolls in faces.items()}

    def left(self, name: str) -> int:
        """Return how many rolls of this name are left."""
        return len(self._left.get(name, ()))

    def __call__(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return the next faces of a roll, by its id. Raises ProcedureError if there are none."""
        rolls = self._left.get(name)
        if not rolls:
            reason = _("no roll of {words} is recorded for it").format(words=dice.words)
            raise ProcedureError(_("the recorded dice"), [(label or name, reason)])
        faces = rolls.pop(0)
        self.rolls.append(RecordedRoll(label or name, dice, faces))
        return faces


def repeat_run(
    state: State, event: RunEvent, dice: RecordedDice, quiet: bool = False
) -> ProcedureResult:
    """Run the procedure or ability of an event once more, from a state.

    With ``quiet`` there are no messages and no outputs. Raises TargetMissing
    if the unit or the ability is gone, ProcedureError or RuleRefusal where
    the rules do not allow it.
    """
    if not state.has_unit(event.unit):
        raise TargetMissing
    settings = RunSettings(dice, quiet=quiet, recorded=dice.left)
    if isinstance(event, ProcedureEvent):
        procedure = state.ruleset.procedure(event.procedure)
        return run.run_procedure(state, procedure, event.inputs, settings, event.unit)
    ability = abilities.ability_of(state, event.unit, event.holding, event.ability)
    if ability is None:
        raise TargetMissing
    permit = use.permit_of(event)
    return use.use_ability(state, ability, event.inputs, settings, event.untrained, permit)
