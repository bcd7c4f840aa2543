"""The walk that asks every decision in order, and what comes out of it.

Creation's steps come first; each gain then asks its own choices (or lets
them wait for their section); each further level asks its questions. An
answer is looked up by decision id: from the log, and where the log has
none from ``source`` (an answers file, chance, or nobody). The same walk
therefore serves creation, replay and editing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from charforge.content.models import Ask, Give
from charforge.content.ruleset import Ruleset
from charforge.engine.decisions import Answer, Decision
from charforge.engine.gain import give, granted
from charforge.engine.state import CHARACTER, Holding, State, Unit

MISSING: Any = object()
AnswerSource = Callable[[Decision], Answer]


def nobody(_decision: Decision) -> Answer:
    """Answer nothing: every unanswered decision stays open."""
    return MISSING


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a character; ``decision`` says where."""

    code: str
    decision: str
    message: str


@dataclass(frozen=True)
class Character:
    """What a walk found: the state, and every decision met on the way, in order.

    ``open`` are decisions without an allowed answer, ``dormant`` ids of
    answers that nothing asks for any more, ``problems`` what is broken,
    ``given`` all recorded answers, those without effect included.
    """

    state: State
    name: str
    asked: tuple[Decision, ...]
    open: tuple[Decision, ...]
    problems: tuple[Problem, ...]
    dormant: tuple[str, ...]
    given: Mapping[str, Answer] = field(default_factory=dict)

    @property
    def legal(self) -> bool:
        """Whether nothing is broken or open."""
        return not self.problems and not self.open

    def decision(self, name: str) -> Decision | None:
        """Return a decision met on the way, by id."""
        return next((decision for decision in self.asked if decision.id == name), None)

    def answers(self) -> dict[str, Answer]:
        """Return the answers in effect, in decision order."""
        effective = self.state.answers
        return {d.id: effective[d.id] for d in self.asked if d.id in effective}


def pending(character: Character) -> tuple[Decision, ...]:
    """Return the open decisions, in order."""
    return character.open


def replay(
    ruleset: Ruleset,
    answers: Mapping[str, Answer],
    level: int = 1,
    name: str = "",
    rules: Mapping[str, str] | None = None,
    source: AnswerSource = nobody,
) -> Character:
    """Walk creation and the levels up to ``level``.

    Illegal recorded answers have no effect: their decision is open again
    and named among the problems.
    """
    walk = _Walk(ruleset, answers, dict(rules or {}), source)
    walk.create()
    for reached in range(2, level + 1):
        walk.advance(reached)
    met = {decision.id for decision in walk.asked}
    left = {name: answer for name, answer in answers.items() if name not in walk.moved}
    return Character(
        walk.state,
        name,
        tuple(walk.asked),
        tuple(walk.open),
        tuple(walk.problems),
        tuple(name for name in left if name not in met),
        {**left, **{n: a for n, a in walk.state.answers.items() if n in met}},
    )


def apply(character: Character, decision: Decision, answer: Answer) -> Character:
    """Return the character with one more (or another) answer; it must be allowed."""
    reasons = decision.faults(answer)
    if reasons:
        from charforge.errors import AnswerError

        raise AnswerError((decision.id, reason) for reason in reasons)
    recorded = {**character.given, decision.id: decision.canonical(answer)}
    state = character.state
    return replay(state.ruleset, recorded, state.level, character.name, state.rules)


@dataclass
class _Walk:
    ruleset: Ruleset
    answers: Mapping[str, Answer]
    rules: dict[str, str]
    source: AnswerSource
    asked: list[Decision] = field(default_factory=list)
    open: list[Decision] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    moved: set[str] = field(default_factory=set)  # former ids of decisions that were answered

    def __post_init__(self) -> None:
        character = Unit(CHARACTER, next(iter(self.ruleset.units.values())), "")
        self.state = State(self.ruleset, 1, self.rules, units=(character,))
        self.waiting: dict[str, list[tuple[Holding, Ask]]] = {}
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
            for holding, ask in self.waiting.pop(section.id, ()):
                self._choice(holding, ask, section.id)

    def advance(self, level: int) -> None:
        """Reach a level: its dice, what it grants, its further questions."""
        self.state = replace(self.state, level=level)
        section = f"level.{level}"
        for holding in self.state.holdings:
            unit = self.state.bearer(holding)
            part = f".{self._part(unit)}" if unit != CHARACTER else ""
            for ask in holding.entity.each_level:
                self._ask(ask, f"{section}{part}.{ask.id}", unit, "", section)
        for holding in self.state.holdings:
            if any(grant.level == level for grant in holding.entity.grants):
                self._gained(granted(self.state, holding, level, level), section)
        for ask in self.ruleset.head.advancement.asks:
            self._ask(ask, f"{section}.{ask.id}", CHARACTER, "", section)

    def _part(self, unit: str) -> str:
        """Return a unit's part in decision ids: its kind's, numbered from the second on."""
        entities = {u.id: u.entity for u in self.state.units if u.entity is not None}
        alike = [name for name, e in entities.items() if e.kind == entities[unit].kind]
        kind = self.ruleset.kinds[entities[unit].kind]
        number = alike.index(unit) + 1
        return (kind.path or kind.id) + (f"#{number}" if number > 1 else "")

    def _step(self, step: Any, section: str) -> None:
        if not isinstance(step, Give):
            self._ask(step, step.id, CHARACTER, "", section)
            return
        if self.state.values().holds(step.when):
            only = step.id if len(step.grants) == 1 else ""
            for grant in step.grants:
                self._gained(give(self.state, grant, step.id, path=only), section)

    def _gained(self, after: State, section: str) -> None:
        """Go on from a new state, and ask the choices of everything it gained."""
        before = {holding.id for holding in self.state.holdings}
        self.state = after
        fresh = [holding for holding in after.holdings if holding.id not in before]
        for holding in fresh:
            for ask in holding.entity.choices:
                if ask.section in self.to_come and ask.section != section:
                    self.waiting.setdefault(ask.section, []).append((holding, ask))
                else:
                    self._choice(holding, ask, section)

    def _choice(self, holding: Holding, ask: Ask, section: str) -> None:
        if self.state.holding(holding.id) is None:
            return  # replaced meanwhile
        name = f"{holding.id}.{ask.id}"
        if name in self.state.answers:
            self._preset(holding, ask, name, section)
            return
        self._ask(ask, name, self.state.bearer(holding), holding.id, section)

    def _preset(self, holding: Holding, ask: Ask, name: str, section: str) -> None:
        """Carry out a choice that the grant settled in advance."""
        decision = Decision(name, ask, self.state, self.state.bearer(holding), holding.id, section)
        self._gained(decision.take(self.state.answers[name]), section)

    def _ask(self, ask: Ask, name: str, unit: str, holding: str, section: str) -> None:
        decision = Decision(name, ask, self.state, unit, holding, section, self.state.level)
        ready = all(roll in self.state.answers for roll in decision.reads())
        if not ready or not self.state.values(unit).holds(ask.when):
            return
        self.asked.append(decision)
        answer = self._recorded(name)
        given = answer is not MISSING
        if not given:
            answer = self.source(decision)
        if answer is MISSING:
            self.open.append(decision)
            return
        reasons = decision.faults(answer)
        if reasons:
            code = "broken" if given else "illegal"
            self.problems.extend(Problem(code, name, reason) for reason in reasons)
            self.open.append(decision)
            return
        self._gained(decision.take(decision.canonical(answer)), section)

    def _recorded(self, name: str) -> Answer:
        """Return what the log has for a decision, under its present or a former id."""
        if name in self.answers or not self.ruleset.former:
            return self.answers.get(name, MISSING)
        spelt = []
        for part in name.split("."):
            slug, mark, number = part.partition("#")
            former = self.ruleset.former.get(slug, ())
            spelt.append([part, *(f"{old}{mark}{number}" for old in former)])
        for old in map(".".join, product(*spelt)):
            if old in self.answers:
                self.moved.add(old)
                return self.answers[old]
        return MISSING
