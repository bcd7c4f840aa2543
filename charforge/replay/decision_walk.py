"""Ask every decision of a character, in order.

Creation's steps come first; each gain then asks its own choices (or lets
them wait for their section); each further level asks its questions. An
answer is looked up by decision id: from the log, and where the log has
none from ``source`` (an answers file, chance, or nobody). The same walk
therefore serves creation, replay and editing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from charforge.character.events import AnswerEvent, Override
from charforge.character.holdings import add_grant, add_grants, remove_answer
from charforge.character.state import CHARACTER, Holding, State, Unit
from charforge.decisions.base import Decision
from charforge.decisions.choose import without_items
from charforge.decisions.kinds import make_decision
from charforge.decisions.option import MISSING, Answer
from charforge.rules.models import Give, Question
from charforge.rules.ruleset import Ruleset

EVENT = re.compile(r"event\.([0-9]+)")
OWNER = "owner"  # whose level a unit has, if it has none of its own
AnswerSource = Callable[[Decision], Answer]


def leave_open(_decision: Decision) -> Answer:
    """Return no answer, so that the decision stays open."""
    return MISSING


class TargetMissing(Exception):
    """An event concerns something that the character does not have (any more)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a character; ``decision`` says where: a decision or ``event.N``."""

    code: str
    decision: str
    message: str


@dataclass(frozen=True, slots=True)
class Overridden:
    """An answer that the GM allowed against the rules, with the rules' reasons against it."""

    decision: str
    override: Override
    reasons: tuple[str, ...]


@dataclass
class DecisionWalk:
    """A walk through the decisions: the state so far and the decisions asked.

    ``answers`` are the recorded ones by decision; ``source`` gives the
    others; ``overrides`` are the answers that the GM allows against the rules.
    """

    ruleset: Ruleset
    answers: Mapping[str, Answer]
    rules: dict[str, str]
    source: AnswerSource
    overrides: Mapping[str, Override] = field(default_factory=dict)
    asked: list[Decision] = field(default_factory=list)
    open: list[Decision] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    overridden: list[Overridden] = field(default_factory=list)
    moved: set[str] = field(default_factory=set)  # former ids of decisions that were answered
    now: dict[str, Decision] = field(default_factory=dict)  # those answered anew, as they are then
    parts: dict[str, str] = field(default_factory=dict)  # of units, in the ids of level decisions

    def __post_init__(self) -> None:
        character = Unit(CHARACTER, next(iter(self.ruleset.units.values())), "")
        self.state = State(self.ruleset, 1, self.rules, units=(character,))
        self.waiting: dict[str, list[tuple[Holding, Question]]] = {}
        self.to_come: list[str] = []

    def create(self) -> None:
        """Ask creation's sections in order."""
        head = self.ruleset.head
        self.to_come = [section.id for section in head.sections]
        for section in head.sections:
            for step in head.creation:
                if step.section == section.id:
                    self._step(step, section.id)
            self.to_come.remove(section.id)
            for holding, question in self.waiting.pop(section.id, ()):
                self._choice(holding, question, section.id)

    def advance(self, level: int) -> None:
        """Raise the character to a level: roll, grant and ask what the level brings."""
        self.state = self.state.with_changes(level=level)
        section = f"level.{level}"
        for holding in self.state.holdings:
            if holding.entity.each_level:
                self._each_level(holding, level, section)
        for holding in self.state.holdings:
            grants = holding.entity.grants
            if grants and any(grant.level == level for grant in grants):
                self.gained(add_grants(self.state, holding, level, level), section)
        for question in self.ruleset.head.advancement.asks:
            self._ask(question, f"{section}.{question.id}", CHARACTER, "", section)

    def advance_unit(self, name: str, level: int) -> None:
        """Raise a unit that has levels of its own, and ask what that brings."""
        unit = self.state.unit(name)
        raised = replace(unit, advances=level - 1)
        units = tuple(raised if one is unit else one for one in self.state.units)
        self.state = self.state.with_changes(units=units)
        section = f"{name}.level.{level}"
        for question in unit.type.asks:
            self._ask(question, f"{section}.{question.id}", name, "", section)

    def answer_now(self, event: AnswerEvent) -> None:
        """Replace the answer of a decision from here on, and remove what the old one granted."""
        former = next((d for d in self.asked if d.id == event.decision), None)
        if former is None:
            raise TargetMissing
        kept = former.kept_items(self.state, event.answer)
        state = remove_answer(self.state, former.id, kept)
        decision = replace(former, before=state, root=f"event.{event.n}")
        fresh = without_items(event.answer, kept) if kept else event.answer
        if not self.judged(decision, fresh, event.override, "broken"):
            return
        self.open = [one for one in self.open if one.id != decision.id]
        self.now[decision.id] = decision
        self.state = state
        answer = decision.canonical(fresh)
        self.gained(decision.state_after(answer), f"event.{event.n}")
        whole = [*kept, *answer] if kept else answer
        self.state = self.state.with_changes(answers={**self.state.answers, decision.id: whole})

    def _name_part(self, holding: Holding, section: str) -> None:
        """Give a new unit its part in the ids of level decisions: its kind's.

        One that an event brings has that event's number, so that its dice
        are its own whichever units come before it or have gone.
        """
        kind = self.ruleset.kinds[holding.entity.kind]
        if kind.unit is None:
            return
        part = kind.path or kind.id
        event = EVENT.fullmatch(section)
        alike = sum(part == other.partition("#")[0] for other in self.parts.values())
        number = event[1] if event else alike + 1 if alike else ""
        self.parts[holding.id] = f"{part}#{number}" if number else part

    def _step(self, step: Any, section: str) -> None:
        if not isinstance(step, Give):
            self._ask(step, step.id, CHARACTER, "", section)
            return
        if step.when is None or self.state.values().holds(step.when):
            only = step.id if len(step.grants) == 1 else ""
            for grant in step.grants:
                self.gained(add_grant(self.state, grant, step.id, path=only), section)

    def gained(self, after: State, section: str) -> None:
        """Continue with a new state, and ask the choices of everything gained in it."""
        before = {holding.id for holding in self.state.holdings}
        self.state = after
        fresh = [holding for holding in after.holdings if holding.id not in before]
        for holding in fresh:
            self._name_part(holding, section)
            for question in holding.entity.choices:
                if question.section in self.to_come and question.section != section:
                    self.waiting.setdefault(question.section, []).append((holding, question))
                else:
                    self._choice(holding, question, section)
            self._catch_up(holding, section)

    def _catch_up(self, holding: Holding, section: str) -> None:
        """Ask a unit that comes late what the levels so far ask of it (ruling D89)."""
        unit = self.state.bearer(holding)
        if unit != holding.id or self.state.unit(unit).type.level != OWNER:
            return
        for level in range(2, self.state.level + 1):
            self._each_level(holding, level, section)

    def _each_level(self, holding: Holding, level: int, section: str) -> None:
        unit = self.state.bearer(holding)
        part = f".{self.parts[unit]}" if unit != CHARACTER else ""
        for question in holding.entity.each_level:
            self._ask(question, f"level.{level}{part}.{question.id}", unit, "", section)

    def _choice(self, holding: Holding, question: Question, section: str) -> None:
        if self.state.holding(holding.id) is None:
            return  # replaced meanwhile
        name = f"{holding.id}.{question.id}"
        if name in self.state.answers:
            self._preset(holding, question, name, section)
            return
        self._ask(question, name, self.state.bearer(holding), holding.id, section)

    def _preset(self, holding: Holding, question: Question, name: str, section: str) -> None:
        """Carry out a choice that the grant settled in advance."""
        unit = self.state.bearer(holding)
        decision = make_decision(name, question, self.state, unit, holding.id, section)
        self.gained(decision.state_after(self.state.answers[name]), section)

    def _ask(self, question: Question, name: str, unit: str, holding: str, section: str) -> None:
        decision = make_decision(
            name, question, self.state, unit, holding, section, self.state.level
        )
        ready = all(roll in self.state.answers for roll in decision.reads())
        if not ready or not decision.applies():
            return
        self.asked.append(decision)
        answer = self._recorded(name)
        given = answer is not MISSING
        if not given:
            answer = self.source(decision)
        if answer is MISSING:
            self.open.append(decision)
            return
        if self.judged(
            decision, answer, self.overrides.get(name), "broken" if given else "illegal"
        ):
            self.gained(decision.state_after(decision.canonical(answer)), section)
        else:
            self.open.append(decision)

    def judged(
        self, decision: Decision, answer: Answer, override: Override | None, code: str
    ) -> bool:
        """Whether an answer counts: the rules allow it, or somebody who may has overridden them."""
        reasons = decision.rule_violations(answer)
        if not reasons:
            return True
        if override is not None:
            malformed = decision.malformed(answer)
            if not malformed:
                self.overridden.append(Overridden(decision.id, override, reasons))
                return True
            reasons = malformed
        self.problems.extend(Problem(code, decision.id, reason) for reason in reasons)
        return False

    def _recorded(self, name: str) -> Answer:
        """Return the recorded answer of a decision, under its current or a former id."""
        if name in self.answers or not self.ruleset.former_slugs:
            return self.answers.get(name, MISSING)
        spelt = []
        for part in name.split("."):
            slug, mark, number = part.partition("#")
            former = self.ruleset.former_slugs.get(slug, ())
            spelt.append([part, *(f"{old}{mark}{number}" for old in former)])
        for old in map(".".join, product(*spelt)):
            if old in self.answers:
                self.moved.add(old)
                return self.answers[old]
        return MISSING
