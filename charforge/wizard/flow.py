"""The guided wizard: one question after another, in steps, then a review.

It asks the same decisions as an answers file or random answers fill. The
answers so far are the only state: going back asks an earlier decision
again, and the decisions that this opens or invalidates are asked next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from charforge.answers.random import RandomAnswers
from charforge.decisions.base import Decision
from charforge.decisions.index import UNIT_LEVEL
from charforge.decisions.option import MISSING
from charforge.decisions.widgets import MenuItem
from charforge.describe.remarks import remarks
from charforge.errors import UsageError
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.replay import Character
from charforge.usecases.key_values import key_values
from charforge.usecases.preview import AnswerTrial, answers_with
from charforge.wizard.decision_prompts import ask_decision
from charforge.wizard.list_pages import ListPage
from charforge.wizard.pages import Back, Prompts, WizardPage
from charforge.wizard.screen import terminal

NAME = "name"
REVIEW = "review"
EARLIER_ANSWERS = 3  # shown above a question
FIRST = "This is the first question: there is nothing to go back to."


def run(
    spec: CharacterSpec,
    save_draft: Callable[[CharacterSpec], None],
    random: RandomAnswers | None = None,
    *,
    fixed: Collection[str] = frozenset(),
) -> CharacterSpec:
    """Ask for the name and the open decisions of a character, and return it complete.

    ``save_draft`` is called with the character so far after each answer,
    and once more when the player stops. ``random`` rolls dice and makes
    suggestions. ``fixed`` decisions (those from before a level-up) are
    neither shown nor asked; the character then has a name. Raises
    KeyboardInterrupt when the player stops or the terminal is gone.
    """
    source = random or RandomAnswers(spec.seed)
    wizard = _Wizard(spec, save_draft, source, terminal(), frozenset(fixed), asks_name=not fixed)
    try:
        with wizard.prompts:
            wizard.ask_all()
    except (KeyboardInterrupt, EOFError, OSError) as stopped:
        save_draft(wizard.without_dormant())
        raise KeyboardInterrupt from stopped
    return wizard.without_dormant()


class _Place(Enum):
    """A page of the wizard that is not a decision, the next open one, or the end."""

    NAME = auto()
    NEXT = auto()
    REVIEW = auto()
    SAVED = auto()


@dataclass
class _Wizard:
    """The wizard: the character so far, and the pages to show.

    ``reviewing`` is true while an answer is changed from the review; ``note``
    is a warning for the next page; ``met`` are the ids of all decisions that
    were asked at any time.
    """

    spec: CharacterSpec
    save_draft: Callable[[CharacterSpec], None]
    random: RandomAnswers
    prompts: Prompts
    fixed: frozenset[str]
    asks_name: bool
    reviewing: bool = False
    note: str = ""
    met: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._replay()

    def ask_all(self) -> None:
        """Show page after page until the player saves."""
        at: _Place | str = _Place.NAME if self.asks_name and not self.spec.name else _Place.NEXT
        while at is not _Place.SAVED:
            at = self._visit(at)

    def without_dormant(self) -> CharacterSpec:
        """Return the character without answers whose decisions are no longer asked.

        Answers to decisions that were never asked stay, so that they are
        reported as mistakes.
        """
        dormant = set(self.character.dormant) & self.met
        answers = {name: a for name, a in self.spec.answers.items() if name not in dormant}
        order = [decision.id for decision in self.character.asked if decision.id in answers]
        return replace(self.spec, answers={**{name: answers[name] for name in order}, **answers})

    def _replay(self) -> None:
        """Calculate the character and the steps from the answers so far."""
        self.character: Character = self.spec.replay()
        self.met.update(decision.id for decision in self.character.asked)
        self.steps: tuple[WizardStep, ...] = wizard_steps(
            self.character, self.fixed, self.asks_name
        )

    def _change(self, spec: CharacterSpec) -> None:
        """Continue with changed answers or another name, and save the draft."""
        self.spec = spec
        self._replay()
        self.save_draft(self.without_dormant())

    def _visit(self, at: _Place | str) -> _Place | str:
        """Show one page, and return the next."""
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
        """Return the first open decision, or else the name or the review."""
        if self.character.open:
            return self.character.open[0].id
        return _Place.NAME if self.asks_name and not self.spec.name else _Place.REVIEW

    def _previous(self, at: _Place | str) -> _Place | str:
        """Return the page before one, in the order of the rules; the first page for the first."""
        order: list[_Place | str] = [d.id for d in self._shown()]
        if self.asks_name:
            order.insert(0, _Place.NAME)
        last = at is _Place.REVIEW or (at is _Place.NAME and not self.character.open)
        if last:
            return next((place for place in reversed(order) if place is not at), at)
        index = order.index(at) if at in order else 0
        return order[max(index - 1, 0)]

    def _shown(self) -> Iterator[Decision]:
        """Yield the decisions that this run of the wizard may ask, in order."""
        reached = {decision.id for decision in self.character.open}
        for decision in self.character.asked:
            if decision.id in reached or decision.id not in self.fixed:
                yield decision

    def _page(self, section: str, question: str = "") -> WizardPage:
        """Return an empty page of a section, with title and step."""
        here = step_number(self.steps, section)
        title = self.spec.ruleset.head.name
        return WizardPage(
            title=" · ".join(filter(None, (title, self.spec.name))),
            step=self.steps[here - 1].label,
            number=here,
            total=len(self.steps),
            question=question,
            note=self.note,
            values=key_values(self.character.state),
        )

    def _name(self, required: bool) -> None:
        """Ask for the name; it can be left empty while decisions are open."""

        def problem(typed: str) -> str:
            if not typed.strip():
                return "A name needs at least one letter." if required else ""
            try:
                replace(self.spec, name=typed.strip())
            except UsageError as error:
                return f"{error.reason[0].upper()}{error.reason[1:]}."
            return ""

        names = self.spec.ruleset.head.names
        examples = (self.random.name(names), *names) if names else ()
        hint = () if required else ("Leave it empty to name them at the end.",)
        page = self._page(REVIEW if required else NAME, "What is the character's name?")
        page = replace(page, status=hint)
        typed = self.prompts.line(page, self.spec.name, problem, tuple(dict.fromkeys(examples)))
        self._change(replace(self.spec, name=typed.strip()))

    def _decide(self, decision: Decision) -> None:
        """Ask a decision, and add the answer to the character."""
        asked = list(self._shown())
        index = [other.id for other in asked].index(decision.id)
        begins = index == 0 or asked[index - 1].section != decision.section
        page = self._page(decision.section)
        page = replace(
            page,
            intro=self.steps[page.number - 1].help if begins else "",
            answers=tuple(self._answers(asked[max(0, index - EARLIER_ANSWERS) : index])),
            note=self.note or self._why_again(decision),
        )
        former = self.spec.answers.get(decision.id, MISSING)
        trial = AnswerTrial(self.spec, decision)
        answer = ask_decision(decision, self.prompts, page, former, self.random, trial)
        canonical = decision.canonical(answer)
        answers = answers_with(self.spec.answers, self.character, decision, canonical)
        self._change(replace(self.spec, answers=answers))

    def _answers(self, decisions: list[Decision]) -> Iterator[tuple[str, str]]:
        """Yield the titles of answered decisions, with their answers in words."""
        effective = self.character.state.answers
        for decision in decisions:
            if decision.id in effective:
                yield decision.title(), decision.answer_text(effective[decision.id])

    def _why_again(self, decision: Decision) -> str:
        """Return the note that an earlier answer is no longer allowed; empty if it is."""
        answer = self.spec.answers.get(decision.id, MISSING)
        reasons = [p.message for p in self.character.problems if p.decision == decision.id]
        if answer is MISSING or not reasons:
            return ""
        text = decision.answer_text(answer)
        why = "; ".join(reasons).replace(repr(answer), text)
        return f"Your answer, {text}, does not fit any more: {why}."

    def _review(self) -> _Place | str:
        """Show all answers; return what to ask again, or SAVED."""
        items = [MenuItem(_Place.SAVED, "Save", about="Finish: every question is answered.")]
        if self.asks_name:
            items.append(MenuItem(_Place.NAME, "Name", self.spec.name))
        sections = {step.id: step.label for step in self.steps}
        for decision in self._shown():
            answer = decision.answer_text(self.character.state.answers[decision.id])
            label = decision.title()
            about = f"{label} {answer}"
            group = sections.get(decision.section, "")
            items.append(MenuItem(decision.id, label, answer, about, group=group))
        page = self._page(REVIEW, "Is everything as you want it? Save, or choose what to change.")
        page = replace(page, status=(*_summary(self.character), *remarks(self.character.state)))
        chosen: _Place | str = self.prompts.menu(page, ListPage(items, _Place.SAVED))
        self.reviewing = chosen is not _Place.SAVED
        return chosen


def _summary(character: Character) -> Iterator[str]:
    """Yield the character's headline and level, then the main values of each unit."""
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


@dataclass(frozen=True, slots=True)
class WizardStep:
    """One step of the wizard; ``id`` is the section of its decisions."""

    id: str
    label: str
    help: str = ""


def wizard_steps(
    character: Character, fixed: Collection[str] = (), asks_name: bool = True
) -> tuple[WizardStep, ...]:
    """Return the steps in order: name, sections, levels, later events, review.

    Steps whose decisions are not asked yet count too, so that the number
    of steps stays the same from the first page on. Steps whose decisions
    are all ``fixed`` are left out.
    """
    head = character.state.ruleset.head
    asked = {decision.section for decision in character.asked if decision.id not in fixed}
    past = max((d.level for d in character.asked if d.id in fixed), default=0)
    if not past:
        asked |= {question.section for question in head.creation_questions if not question.when}
    steps = [WizardStep(NAME, "Name")] if asks_name else []
    steps += [
        WizardStep(part.id, part.label, part.help) for part in head.sections if part.id in asked
    ]
    for level in range(2, character.state.level + 1):
        section = f"level.{level}"
        if level > past or section in asked:
            steps.append(WizardStep(section, f"{head.advancement.label} {level}"))
    shown = {step.id for step in steps}
    for section in dict.fromkeys(d.section for d in character.asked if d.id not in fixed):
        if section not in shown:
            steps.append(WizardStep(section, _later_label(character, section)))
    return (*steps, WizardStep(REVIEW, "Review"))


def _later_label(character: Character, section: str) -> str:
    """Return the label of a unit's own level, or of what an event added."""
    state = character.state
    named, level, number = section.rpartition(UNIT_LEVEL)
    owner = named or section
    unit = next((unit for unit in state.units if unit.id == owner), None)
    holding = state.holding(owner)
    label = unit.title if unit else holding.name if holding else owner
    return f"{label}: {state.ruleset.head.advancement.label} {number}" if level else label


def step_number(steps: tuple[WizardStep, ...], section: str) -> int:
    """Return the number of a section's step, from 1; for no step, the last number."""
    return next((n for n, step in enumerate(steps, 1) if step.id == section), len(steps))
