"""The guided wizard: one legal question after another, then a last look over all.

It walks the same decisions as an answers file and chance. The answers so
far are the only state: going back asks an earlier decision again, and
whatever that opens or breaks is asked next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from charforge.answers.random import RandomAnswers
from charforge.decisions.base import Decision
from charforge.decisions.option import MISSING, Answer
from charforge.decisions.widgets import MenuItem
from charforge.errors import UsageError
from charforge.replay.replay import Character
from charforge.rules.ruleset import Ruleset
from charforge.wizard.pages import Back, Prompts, WizardPage
from charforge.wizard.questions import ask_decision
from charforge.wizard.screen import terminal
from charforge.wizard.steps import NAME, REVIEW, WizardStep, number, steps

TOLD = 3
FIRST = "This is the first question: there is nothing to go back to."


class Plan(Protocol):
    """What the wizard needs of ``service.Plan``, which stands above it.

    A frozen dataclass that refuses a name no file should hold.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def ruleset(self) -> Ruleset:
        """The rules to follow."""
        ...

    @property
    def seed(self) -> str:
        """What the dice come from."""
        ...

    @property
    def name(self) -> str:
        """The character's name, or nothing yet."""
        ...

    @property
    def answers(self) -> Mapping[str, Answer]:
        """The answers so far, by decision id."""
        ...

    def walk(self) -> Character:
        """Walk every decision of the plan."""
        ...


P = TypeVar("P", bound=Plan)


def run(
    plan: P,
    keep: Callable[[P], None],
    chance: RandomAnswers | None = None,
    *,
    fixed: Collection[str] = frozenset(),
) -> P:
    """Ask what a plan leaves open, and return it with a name and every answer.

    ``keep`` is called with the plan so far after each answer, and once
    more when the player stops. ``fixed`` decisions (those of a character
    who levels up) are neither shown nor asked; such a character has its
    name. Raises KeyboardInterrupt when the player stops or the terminal
    is gone.
    """
    asks_name = not fixed
    luck = chance or RandomAnswers(plan.seed)
    wizard = _Wizard(plan, keep, luck, terminal(), frozenset(fixed), asks_name)
    try:
        with wizard.prompts:
            wizard.ask_all()
    except (KeyboardInterrupt, EOFError, OSError) as stopped:
        keep(wizard.kept())
        raise KeyboardInterrupt from stopped
    return wizard.kept()


class _Place(Enum):
    """Where the wizard may be besides at a decision."""

    NAME = auto()
    NEXT = auto()
    REVIEW = auto()
    SAVED = auto()


@dataclass
class _Wizard(Generic[P]):
    plan: P
    keep: Callable[[P], None]
    chance: RandomAnswers
    prompts: Prompts
    fixed: frozenset[str]
    asks_name: bool
    reviewing: bool = False
    note: str = ""
    met: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._walk()

    def ask_all(self) -> None:
        """Go from place to place until the player saves."""
        at: _Place | str = _Place.NAME if self.asks_name and not self.plan.name else _Place.NEXT
        while at is not _Place.SAVED:
            at = self._visit(at)

    def kept(self) -> P:
        """Return the plan without answers that nothing asks for any more.

        Those that were never asked for stay: they are mistakes to be told.
        """
        dormant = set(self.character.dormant) & self.met
        answers = {name: a for name, a in self.plan.answers.items() if name not in dormant}
        order = [decision.id for decision in self.character.asked if decision.id in answers]
        return replace(self.plan, answers={**{name: answers[name] for name in order}, **answers})

    def _walk(self) -> None:
        self.character: Character = self.plan.walk()
        self.met.update(decision.id for decision in self.character.asked)
        self.steps: tuple[WizardStep, ...] = steps(self.character, self.fixed, self.asks_name)

    def _change(self, plan: P) -> None:
        self.plan = plan
        self._walk()
        self.keep(self.kept())

    def _visit(self, at: _Place | str) -> _Place | str:
        """Ask at one place, and return the next one."""
        if at is _Place.NEXT:
            at = self._next()
        before = self._previous(at)
        try:
            if at is _Place.REVIEW:
                self.reviewing = False
                return self._review()
            if at is _Place.NAME:
                self._name(required=not self.character.open)
            else:
                self._decide(next(d for d in self.character.asked if d.id == at))
        except Back:
            self.note = FIRST if before == at else ""
            return _Place.REVIEW if self.reviewing and not self.character.open else before
        self.note = ""
        return _Place.NEXT

    def _next(self) -> _Place | str:
        if self.character.open:
            return self.character.open[0].id
        return _Place.NAME if self.asks_name and not self.plan.name else _Place.REVIEW

    def _previous(self, at: _Place | str) -> _Place | str:
        """Return the place before one, in the order of the rules; the first has itself."""
        order: list[_Place | str] = [d.id for d in self._own()]
        if self.asks_name:
            order.insert(0, _Place.NAME)
        last = at is _Place.REVIEW or (at is _Place.NAME and not self.character.open)
        if last:
            return next((place for place in reversed(order) if place is not at), at)
        index = order.index(at) if at in order else 0
        return order[max(index - 1, 0)]

    def _own(self) -> Iterator[Decision]:
        """Yield the decisions that may be asked here, in order."""
        reached = {decision.id for decision in self.character.open}
        for decision in self.character.asked:
            if decision.id in reached or decision.id not in self.fixed:
                yield decision

    def _page(self, section: str, question: str = "") -> WizardPage:
        here = number(self.steps, section)
        title = self.plan.ruleset.head.name
        return WizardPage(
            title=" · ".join(filter(None, (title, self.plan.name))),
            step=self.steps[here - 1].label,
            number=here,
            total=len(self.steps),
            question=question,
            note=self.note,
        )

    def _name(self, required: bool) -> None:
        """Ask the name; it may come later, but not too late."""

        def problem(typed: str) -> str:
            if not typed.strip():
                return "A name needs at least one letter." if required else ""
            try:
                replace(self.plan, name=typed.strip())
            except UsageError as error:
                return f"{error.reason[0].upper()}{error.reason[1:]}."
            return ""

        names = self.plan.ruleset.head.names
        examples = (self.chance.name(names), *names) if names else ()
        later = () if required else ("Leave it empty to name them at the end.",)
        page = self._page(REVIEW if required else NAME, "What is the character's name?")
        page = replace(page, status=later)
        typed = self.prompts.line(page, self.plan.name, problem, tuple(dict.fromkeys(examples)))
        self._change(replace(self.plan, name=typed.strip()))

    def _decide(self, decision: Decision) -> None:
        """Ask a decision, and take the answer into the plan."""
        asked = list(self._own())
        index = [other.id for other in asked].index(decision.id)
        begins = index == 0 or asked[index - 1].section != decision.section
        page = self._page(decision.section)
        page = replace(
            page,
            intro=self.steps[page.number - 1].help if begins else "",
            told=tuple(self._told(asked[max(0, index - TOLD) : index])),
            note=self.note or self._why_again(decision),
        )
        former = self.plan.answers.get(decision.id, MISSING)
        answer = ask_decision(decision, self.prompts, page, former, self.chance)
        answers = {**self.plan.answers, decision.id: decision.canonical(answer)}
        if answers[decision.id] != former:
            # What was chosen for other dice is asked again, even where it would still fit.
            for other in self.character.asked:
                if decision.id in other.reads():
                    answers.pop(other.id, None)
        self._change(replace(self.plan, answers=answers))

    def _told(self, decisions: list[Decision]) -> Iterator[tuple[str, str]]:
        effective = self.character.state.answers
        for decision in decisions:
            if decision.id in effective:
                yield decision.title(), decision.answer_text(effective[decision.id])

    def _why_again(self, decision: Decision) -> str:
        """Say why an answer given before does not hold any more."""
        given = self.plan.answers.get(decision.id, MISSING)
        reasons = [p.message for p in self.character.problems if p.decision == decision.id]
        if given is MISSING or not reasons:
            return ""
        shown = decision.answer_text(given)
        why = "; ".join(reasons).replace(repr(given), shown)
        return f"Your answer, {shown}, does not fit any more: {why}."

    def _review(self) -> _Place | str:
        """Show everything; return what to ask again, or that all is well."""
        items = [MenuItem(_Place.SAVED, "Save", about="Finish: every question is answered.")]
        if self.asks_name:
            items.append(MenuItem(_Place.NAME, "Name", self.plan.name))
        sections = {step.id: step.label for step in self.steps}
        for decision in self._own():
            answer = decision.answer_text(self.character.state.answers[decision.id])
            label = decision.title()
            about = f"{label} {answer}"
            group = sections.get(decision.section, "")
            items.append(MenuItem(decision.id, label, answer, about, group=group))
        page = self._page(REVIEW, "Is everything as you want it? Save, or choose what to change.")
        page = replace(page, status=tuple(_figures(self.character)))
        taken: _Place | str = self.prompts.menu(page, items, _Place.SAVED)
        self.reviewing = taken is not _Place.SAVED
        return taken


def _figures(character: Character) -> Iterator[str]:
    """Yield what the character is, then the main values of each unit."""
    state, head = character.state, character.state.ruleset.head
    kinds = [h.name for h in state.holdings if h.entity.kind in head.sheet.headline]
    level = f"{head.advancement.label} {state.level}" if head.advancement.maximum > 1 else ""
    yield ", ".join(filter(None, (*kinds, level)))
    attributes = state.ruleset.group(head.sheet.attributes)
    maxima = [vital.max for vital in head.sheet.vitals if vital.max is not None]
    maxima = [name for name in maxima if name not in attributes]
    for unit in state.units:
        values = state.values(unit.id)
        for names in (attributes, maxima):
            labels = ((state.ruleset.values[name].label, name) for name in names if name in values)
            shown = " · ".join(f"{label} {values.base(name)}" for label, name in labels)
            if shown:
                yield f"{unit.name}: {shown}" if unit.name else shown
