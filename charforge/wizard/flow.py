"""The guided wizard: one question after another, in steps, then a review.

It asks the same decisions as an answers file or random answers fill. The
answers so far are the only state: going back asks an earlier decision
again, and the decisions that this opens or invalidates are asked next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from charforge.answers.automatic import RandomAnswers, RecommendedAnswers
from charforge.decisions.base import MISSING, Answer, Decision, MenuItem, TextField
from charforge.decisions.kinds import UNIT_LEVEL
from charforge.describe.remarks import fixable_remarks
from charforge.errors import UsageError, sentence
from charforge.language import N_, _
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.replay import Character
from charforge.usecases.preview import AnswerTrial, KeyValue, answers_with, key_values
from charforge.wizard.decision_prompts import ask_decision
from charforge.wizard.form import ChoiceEntry, FieldMaker, Form, FormField, TextEntry
from charforge.wizard.list_pages import ListPage
from charforge.wizard.pages import Back, Prompts, Stopped, WizardPage, first_sentence
from charforge.wizard.screen import terminal
from charforge.wizard.terms import ExplainedPrompts

NameRemark = Callable[[str], str]
BUILD = "build"
QUICK = "quick"
COMPARE_HINT = N_("Worth a look")
ADD_LATER = N_("optional: you may add it now or later")
CHANGE_HELP = N_("You can change any line below. Nothing is final until you save.")
EARLIER_ANSWERS = 3  # shown above a question
FIRST_QUESTION = N_("This is the first question: there is nothing to go back to.")


def run(
    spec: CharacterSpec,
    save_draft: Callable[[CharacterSpec], None],
    random: RandomAnswers | None = None,
    *,
    fixed: Collection[str] = frozenset(),
    intros: Mapping[str, str] = MappingProxyType({}),
    planned: Mapping[str, Answer] = MappingProxyType({}),
    name_remark: NameRemark = lambda _name: "",
) -> CharacterSpec:
    """Ask for the name and the open decisions of a character, and return it complete.

    ``save_draft`` is called with the character so far after each answer,
    and once more when the player stops. ``random`` rolls dice and makes
    suggestions. ``fixed`` decisions (those from before a level-up) are
    neither shown nor asked; the character then has a name. ``intros`` are texts
    to show where a section begins, ``planned`` answers to confirm.
    ``name_remark`` returns what to know about a name that was typed. Raises
    KeyboardInterrupt when the player stops or the terminal is gone.
    """
    source = random or RecommendedAnswers(spec.seed)
    wizard = _Wizard(
        spec,
        save_draft,
        source,
        ExplainedPrompts(terminal(), spec.ruleset),
        frozenset(fixed),
        asks_name=not fixed,
        intros=intros,
        planned=planned,
        name_remark=name_remark,
    )
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
    were asked at any time; ``begun`` is what was filled in on pages that
    the player left without finishing them. ``planned`` answers are there when their page
    opens, and count once the player continues.
    """

    spec: CharacterSpec
    save_draft: Callable[[CharacterSpec], None]
    random: RandomAnswers
    prompts: Prompts
    fixed: frozenset[str]
    asks_name: bool
    reviewing: bool = False
    note: str = ""
    intros: Mapping[str, str] = field(default_factory=dict)
    planned: Mapping[str, Answer] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)
    begun: dict[str, Answer] = field(init=False)
    name_remark: NameRemark = lambda _name: ""

    def __post_init__(self) -> None:
        self.begun = dict(self.spec.begun)
        self._replay()

    def ask_all(self) -> None:
        """Show page after page until the player saves."""
        at: _Place | str = _Place.NAME if self.asks_name and not self.spec.name else _Place.NEXT
        while at is not _Place.SAVED:
            at = self._visit(at)
        self.spec = replace(self.spec, answers={**self.spec.answers, **self._left_for_later()})
        self._replay()

    def without_dormant(self) -> CharacterSpec:
        """Return the character without answers whose decisions are no longer asked.

        Answers to decisions that were never asked stay, so that they are
        reported as mistakes.
        """
        dormant = set(self.character.dormant) & self.met
        answers = {name: a for name, a in self.spec.answers.items() if name not in dormant}
        order = [decision.id for decision in self.character.asked if decision.id in answers]
        unanswered = (d.id for d in self.character.open if d.id not in answers)
        return replace(
            self.spec,
            answers={**{name: answers[name] for name in order}, **answers},
            begun={name: self.begun[name] for name in unanswered if name in self.begun},
        )

    def _replay(self) -> None:
        """Calculate the character and the steps from the answers so far."""
        self.character: Character = self.spec.replay()
        self._tried: tuple[str, Character] = ("{}", self.character)
        self.met.update(decision.id for decision in self.character.asked)
        asks_name = self.asks_name and not self._first_page(self.character)
        self.steps: tuple[WizardStep, ...] = wizard_steps(self.character, self.fixed, asks_name)

    def _change(self, spec: CharacterSpec) -> None:
        """Continue with changed answers or another name, and save the draft."""
        self.spec, self.note = spec, ""
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
                self._begin()
            else:
                self._ask(self._page_of(self.character, str(at)), str(at))
        except Back:
            self.note = _(FIRST_QUESTION) if before == at else ""
            return _Place.REVIEW if self.reviewing and not self._open() else before
        return _Place.NEXT

    def _open(self) -> list[Decision]:
        """Return the open decisions, without those that the player may leave for later."""
        return [d for d in self.character.open if not self._may_wait(d)]

    def _may_wait(self, decision: Decision) -> bool:
        return decision.question.later and decision.id not in self.spec.answers

    def _left_for_later(self) -> dict[str, Answer]:
        """Return the empty answers of the questions that the player leaves for later."""
        return {d.id: d.empty_answer() for d in self.character.open if self._may_wait(d)}

    def _next(self) -> _Place | str:
        """Return the first open decision, or else the name or the review."""
        still_open = self._open()
        if still_open:
            return still_open[0].id
        return _Place.NAME if self.asks_name and not self.spec.name else _Place.REVIEW

    def _previous(self, at: _Place | str) -> _Place | str:
        """Return the page before one, in the order of the rules; the first page for the first."""
        pages = self._pages(self.character)
        order: list[_Place | str] = [page[0].id for page in pages]
        if self.asks_name:
            order[: bool(self._first_page(self.character))] = [_Place.NAME]
        if at is _Place.REVIEW or (at is _Place.NAME and not self._open()):
            return next((place for place in reversed(order) if place is not at), at)
        here = next((page[0].id for page in pages if at in [d.id for d in page]), at)
        index = order.index(here) if here in order else 0
        return order[max(index - 1, 0)]

    def _shown(self, character: Character) -> Iterator[Decision]:
        """Yield the decisions that this run of the wizard may ask, in order."""
        reached = {decision.id for decision in character.open}
        for decision in character.asked:
            if decision.id in reached or decision.id not in self.fixed:
                yield decision

    def _pages(self, character: Character) -> list[list[Decision]]:
        """Return the decisions to ask, those that share a page together."""
        asked = [d for d in self._shown(character) if not self._may_wait(d)]
        return [list(page) for _key, page in groupby(asked, _page_key)]

    def _page_of(self, character: Character, name: str) -> list[Decision]:
        """Return the decisions that share a page with one."""
        pages = self._pages(character)
        alone = [d for d in character.asked if d.id == name]
        return next((page for page in pages if name in [d.id for d in page]), alone)

    def _first_page(self, character: Character) -> list[Decision]:
        """Return the decisions that are asked together with the name."""
        first = next(iter(self._pages(character)), [])
        return first if first and _shares_page(first[0]) else []

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

    def _begin(self) -> None:
        """Ask for the name, and on the first page for what belongs with it.

        It can be left empty while decisions are open.
        """
        last = not self._open()
        first = [] if last else self._first_page(self.character)
        names = self.spec.ruleset.head.names
        examples = (self.random.name(names), *names) if names else ()
        typed = self.spec.name or self.begun.get(NAME_PAGE, "")
        field = TextField(
            lambda text: self._name_problems(text, required=last),
            str.strip,
            typed,
            () if last else (_("You may leave it empty until the end."),),
            tuple(dict.fromkeys(examples)),
        )
        name = TextEntry(NAME_PAGE, _("Name"), field, typed, remark=self.name_remark)
        extra: list[FormField] = [name] if last else [name, self._quick_or_not()]
        section = first[0].section if first else REVIEW if last else NAME_PAGE
        page = self._page(section, _("Who is your character?"))
        help_text = self.steps[page.number - 1].help
        page = replace(page, help=help_text or _("You can change the name at any time."))
        filled = self._fill_in(page, first, extra)
        if QUICK in filled.values():
            self._quick_build()

    def _quick_or_not(self) -> ChoiceEntry:
        """Return the question whether to choose everything page by page."""
        steps = MenuItem(
            "steps", _("Step by step"), about=_("Choose everything yourself, page by page.")
        )
        quick = MenuItem(
            QUICK,
            _("Quick build"),
            about=_("Fill in the rest by recommendation, or at random; then change what you like."),
        )
        chosen = self.begun.get(BUILD, steps.value)
        return ChoiceEntry(BUILD, _("Build"), (steps, quick), chosen)

    def _name_problems(self, typed: str, required: bool) -> Sequence[str]:
        if not typed.strip():
            return [_("a name needs at least one letter")] if required else []
        try:
            replace(self.spec, name=typed.strip())
        except UsageError as error:
            return [error.reason]
        return []

    def _quick_build(self) -> None:
        """Answer everything else by recommendation, or at random where there is none."""
        later = self._left_for_later()
        names = self.spec.ruleset.head.names
        spec = replace(
            self.spec,
            name=self.spec.name or self.random.name(names),
            answers={**self.spec.answers, **later},
        )
        answers = spec.replay(self.random).answers()
        self._change(replace(spec, answers={n: a for n, a in answers.items() if n not in later}))
        self.note = _("The rest was filled in for you; change whatever you like.")

    def _ask(self, decisions: list[Decision], at: str) -> None:
        """Ask the decisions of a page, beginning with one, and add the answers to the character."""
        first = decisions[0]
        if len(decisions) > 1 or self._may_bring_others(first):
            self._fill_in(self._decision_page(decisions), decisions, start=at)
            return
        self._decide(first)

    def _may_bring_others(self, decision: Decision) -> bool:
        """Return whether a decision begins with a suggestion, and can add others to its page."""
        if not decision.question.page or decision.id in self.spec.answers:
            return False
        return not FieldMaker(self.random).field(decision, MISSING, None).problem()

    def _decision_page(self, decisions: Sequence[Decision]) -> WizardPage:
        """Return the page of one or several decisions of a section."""
        first = decisions[0]
        asked = list(self._shown(self.character))
        index = [other.id for other in asked].index(first.id)
        begins = index == 0 or asked[index - 1].section != first.section
        explains = begins or not first.question.help
        page = self._page(first.section)
        step = self.steps[page.number - 1]
        why = self.intros.get(first.section) or step.help or self._brings(first.section)
        return replace(
            page,
            question=first.title() if len(decisions) == 1 else step.label,
            intro=why if explains else first_sentence(why),
            keeps_answer=index > 0 and asked[index - 1].rolls_dice,
            answers=tuple(self._answers(asked[max(0, index - EARLIER_ANSWERS) : index])),
            note=self.note
            or " ".join(
                note for d in decisions for note in (self._why_again(d), self._plan_note(d)) if note
            ),
        )

    def _brings(self, section: str) -> str:
        """Return what the questions of a level bring together; empty for any other section."""
        if section in {part.id for part in self.spec.ruleset.head.sections}:
            return ""
        step = next((step for step in self.steps if step.id == section), None)
        asked = [d for d in self._shown(self.character) if d.section == section]
        short_label = self.spec.ruleset.short_label
        topics = ", ".join(dict.fromkeys(short_label(d.question) for d in asked))
        return (
            _("{label} brings: {topics}.").format(label=step.label, topics=topics)
            if step is not None and topics
            else ""
        )

    def _fill_in(
        self,
        page: WizardPage,
        decisions: Sequence[Decision],
        extra: Sequence[FormField] = (),
        start: str = "",
    ) -> dict[str, Answer]:
        """Ask the questions of one page; return all answers, also those of ``extra`` fields.

        ``start`` is the question to point at first.
        """
        first = decisions[0].id if decisions else ""
        form = Form(
            extra,
            lambda fields: self._refreshed(first, fields, extra),
            lambda entry: self._preview(entry, form),
            lambda: self._values(form),
            lambda entry: _is_left_to_quick_build(entry, form),
        )
        form.fields = form.refresh(form.fields)
        try:
            while (opened := self.prompts.form(page, form, start)) is not None:
                start = opened.row
                decision = self._trial(form.answers()).decision(opened.row)
                if decision is None:
                    continue
                former = form.field(start).answer
                try:
                    answer = self._answer(decision, page, former)
                except Back:
                    continue
                form.change(form.field(start).with_answer(answer))
                start = opened.after or start
                if opened.continues and form.first_problem() is None:
                    break
        except Back:
            self.begun |= {n: a for n, a in form.answers().items() if n in form.touched}
            raise
        except (KeyboardInterrupt, EOFError, OSError) as stopped:
            kept = {NAME_PAGE, *form.touched} - ({start} if isinstance(stopped, Stopped) else set())
            self._accept({n: a for n, a in form.answers().items() if n in kept})
            raise
        answers = form.answers()
        self._accept(answers)
        return answers

    def _refreshed(
        self, first: str, fields: Sequence[FormField], extra: Sequence[FormField]
    ) -> list[FormField]:
        """Return the fields of a page again, with those that their answers open or close."""
        own = [entry.id for entry in extra]
        maker = FieldMaker(self.random)
        while True:
            known = {entry.id: entry for entry in fields}
            before = _answers_of(fields)
            decisions = self._page_of(self._trial(before), first) if first else []
            asked = [maker.field(d, self._former(d), known.get(d.id)) for d in decisions]
            fields = [*(known[name] for name in own), *asked]
            if _answers_of(fields) == before:
                return fields

    def _trial(self, answers: Mapping[str, Answer]) -> Character:
        """Return the character with the answers on a page so far."""
        key = repr(answers)
        if self._tried[0] != key:
            spec = replace(self.spec, answers={**self.spec.answers, **answers})
            self._tried = (key, spec.replay())
        return self._tried[1]

    def _preview(self, entry: FormField, form: Form) -> Sequence[str]:
        """Return what the answer of a field changes, compared with the page without it."""
        answers = form.answers()
        with_it = self._trial(answers)
        decision = with_it.decision(entry.id)
        if decision is None or entry.id not in answers or not isinstance(entry, ChoiceEntry):
            return ()
        others = {n: a for n, a in {**self.spec.answers, **answers}.items() if n != entry.id}
        trial = AnswerTrial(replace(self.spec, answers=others), decision)
        return trial.lines(entry.answer)

    def _values(self, form: Form) -> tuple[KeyValue, ...]:
        """Return the values of the character with the answers on a page."""
        return key_values(self._trial(form.answers()).state)

    def _accept(self, answers: Mapping[str, Answer]) -> None:
        """Add the answers of a page to the character."""
        own = {n: a for n, a in answers.items() if n not in (NAME_PAGE, BUILD)}
        spec = replace(self.spec, name=answers.get(NAME_PAGE, self.spec.name))
        changed = replace(spec, answers={**spec.answers, **own}).replay()
        decided = {d.id: d.canonical(own[d.id]) for d in changed.asked if d.id in own}
        self.begun = {n: a for n, a in self.begun.items() if n not in answers}
        self._change(replace(spec, answers={**spec.answers, **decided}))

    def _decide(self, decision: Decision) -> None:
        """Ask a decision on a page of its own, and add the answer to the character."""
        former = self._former(decision)
        given = self._answer(decision, self._decision_page([decision]), former)
        canonical = decision.canonical(given)
        answers = answers_with(self.spec.answers, self.character, decision, canonical)
        self._change(replace(self.spec, answers=answers))

    def _former(self, decision: Decision) -> Answer:
        """Return the answer with which a page opens: given, begun or planned; else MISSING."""
        if decision.id in self.spec.answers:
            return self.spec.answers[decision.id]
        known = self.begun.get(decision.id, self.planned.get(decision.id, MISSING))
        return MISSING if known is MISSING or decision.rule_violations(known) else known

    def _plan_note(self, decision: Decision) -> str:
        """Return the note about a planned answer; empty without one, or once it is answered."""
        planned = self.planned.get(decision.id, MISSING)
        if planned is MISSING or decision.id in {**self.spec.answers, **self.begun}:
            return ""
        reasons = "; ".join(decision.rule_violations(planned))
        text = decision.answer_text(planned)
        if reasons:
            return _("You planned {text}, which is not possible: {why}.").format(
                text=text, why=reasons
            )
        return _("You planned {text}. Enter keeps it.").format(text=text)

    def _answer(self, decision: Decision, page: WizardPage, former: Answer) -> Answer:
        """Ask for the answer to a decision on a page of its own."""
        trial = AnswerTrial(self.spec, decision)
        if former is MISSING and decision.id in self.begun:
            begun = self.begun.pop(decision.id)
            former = MISSING if decision.malformed(begun) else begun
        try:
            return ask_decision(decision, self.prompts, page, former, self.random, trial)
        except (Back, Stopped) as left:
            if left.picked:
                self.begun[decision.id] = list(left.picked)
            raise

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
        return _("Your answer, {text}, is no longer possible: {why}.").format(
            text=decision.answer_text(answer), why="; ".join(reasons)
        )

    def _review(self) -> _Place | str:
        """Show all answers; return what to ask again, or SAVED.

        A character that exceeds a limit or its money by several answers together cannot be saved.
        """
        obstacle = sentence([p.message for p in self.character.problems if not p.decision])
        about = obstacle or _("All done: save the character.")
        items = [MenuItem(_Place.SAVED, _("Save"), about=about, pinned=True), *self._advice()]
        sections = {step.id: step.label for step in self.steps}
        if self.asks_name:
            first = self.steps[0].label
            items.append(MenuItem(_Place.NAME, _("Name"), self.spec.name, group=first))
        for decision in self._shown(self.character):
            label, group = decision.title(), sections.get(decision.section, "")
            if self._may_wait(decision):
                about = decision.question.help
                items.append(MenuItem(decision.id, label, _(ADD_LATER), about, group=group))
                continue
            answer = decision.answer_text(self.character.state.answers[decision.id])
            items.append(MenuItem(decision.id, label, answer, f"{label} {answer}", group=group))
        page = self._page(REVIEW, _("Happy with it? Save, or pick something to change."))
        page = replace(page, help=_(CHANGE_HELP), status=tuple(_summary(self.character)))
        chosen: _Place | str = self.prompts.menu(page, ListPage(items, _Place.SAVED))
        if chosen is _Place.SAVED and obstacle:
            self.note = _("This cannot be saved: {reason} Change an answer first.").format(
                reason=obstacle
            )
            return _Place.REVIEW
        self.reviewing = chosen is not _Place.SAVED
        self.note = ""
        return chosen

    def _advice(self) -> Iterator[MenuItem]:
        """Yield what may not be meant: an entry leads to the question that changes it."""
        for advice in fixable_remarks(self.character.state):
            decision = self.character.decision(advice.decision)
            if decision is not None and decision.id not in self.fixed:
                about = _("Enter changes it: {decision}").format(decision=decision.title())
                yield MenuItem(decision.id, advice.text, about=about, group=_(COMPARE_HINT))
            else:
                later = f"charforge {advice.command}" if advice.command else ""
                about = (
                    _("After saving: {later}").format(later=later)
                    if later and not advice.decision
                    else ""
                )
                yield MenuItem(_Place.REVIEW, advice.text, about=about, group=_(COMPARE_HINT))


def _is_left_to_quick_build(entry: FormField, form: Form) -> bool:
    """Return whether a quick build fills in a text that the player has not written."""
    quick = any(f.id == BUILD and f.answer == QUICK for f in form.fields)
    return quick and isinstance(entry, TextEntry) and not entry.text.strip()


def _answers_of(fields: Sequence[FormField]) -> dict[str, Answer]:
    return Form(fields).answers()


def _shares_page(decision: Decision) -> bool:
    """Return whether a decision may share a page of the wizard with others."""
    return bool(decision.question.page) or decision.question.is_short


def _page_key(decision: Decision) -> tuple[str, ...]:
    """Return what decisions in a row have in common if they share a page."""
    if not _shares_page(decision):
        return (decision.section, "", decision.id)
    return (decision.section, decision.question.page or decision.section)


def _summary(character: Character) -> Iterator[str]:
    """Yield the character's headline and level, then the main values of its other units.

    Those of the character itself are shown on every page.
    """
    state, head = character.state, character.state.ruleset.head
    kinds = [h.name for h in state.holdings if h.entity.kind in head.sheet.headline]
    yield ", ".join(filter(None, (*kinds, head.advancement.text(state.level))))
    attributes = state.ruleset.group(head.sheet.attributes)
    maxima = [vital.max for vital in head.sheet.vitals if vital.max is not None]
    maxima = [name for name in maxima if name not in attributes]
    for unit in state.units[1:]:
        values = state.values(unit.id)
        for names in (attributes, maxima):
            labels = ((state.ruleset.values[name].label, name) for name in names if name in values)
            shown = " · ".join(f"{label} {values.base(name)}" for label, name in labels)
            if shown:
                yield f"{unit.name}: {shown}"


NAME_PAGE = "name"
REVIEW = "review"


class WizardStep(NamedTuple):
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
    are all ``fixed``, or left for later, are left out.
    """
    head, answers = character.state.ruleset.head, character.state.answers
    decisions = [d for d in character.asked if d.id not in fixed]
    decisions = [d for d in decisions if d.id in answers or not d.question.later]
    asked = {decision.section for decision in decisions}
    past = max((d.level for d in character.asked if d.id in fixed), default=0)
    if not past:
        creation = (q for q in head.creation_questions if not q.when and not q.later)
        asked |= {question.section for question in creation}
    steps = [WizardStep(NAME_PAGE, _("Name"))] if asks_name else []
    steps += [
        WizardStep(part.id, part.label, part.help) for part in head.sections if part.id in asked
    ]
    for level in range(2, character.state.level + 1):
        section = f"level.{level}"
        if level > past or section in asked:
            steps.append(WizardStep(section, head.advancement.text(level)))
    shown = {step.id for step in steps}
    for section in dict.fromkeys(decision.section for decision in decisions):
        if section not in shown:
            steps.append(WizardStep(section, _later_label(character, section)))
    return (*steps, WizardStep(REVIEW, _("Review")))


def _later_label(character: Character, section: str) -> str:
    """Return the label of a unit's own level, or of what an event added."""
    state = character.state
    named, level, number = section.rpartition(UNIT_LEVEL)
    owner = named or section
    unit = next((unit for unit in state.units if unit.id == owner), None)
    holding = state.holding(owner)
    label = unit.title if unit else holding.name if holding else owner
    return f"{label}: {state.ruleset.head.advancement.text(int(number))}" if level else label


def step_number(steps: tuple[WizardStep, ...], section: str) -> int:
    """Return the number of a section's step, from 1; for no step, the last number."""
    return next((n for n, step in enumerate(steps, 1) if step.id == section), len(steps))
