"""Edits: a new answer to an earlier decision, and its consequences.

The answer is appended to the log and counts at the decision's own place
(with ``now`` from the end of the log on). Answers and events that lose
their effect become dormant; answers that the rules no longer allow are
broken, and their decisions are open again. Nothing is chosen silently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import with_example, with_examples
from charforge.character.files.document import Difference, Document, logged_lines
from charforge.character.files.events import (
    LONGEST_STATED_LINE,
    AnswerEvent,
    AnyEvent,
    Override,
    SetEvent,
)
from charforge.character.state import CHARACTER, State, Unit
from charforge.decisions.base import MISSING, Answer, Decision
from charforge.describe.differences import differences
from charforge.errors import FILE, UnknownId, UnusedAnswers, UsageError
from charforge.expressions.template import has_unprintable
from charforge.language import N_, _
from charforge.replay.character_spec import check_name, check_rules
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import NO_ANSWERS, AnswerSource, leave_open
from charforge.rules.names import ambiguous_name, exact_matches, name_matches
from charforge.verbs.change import EventDraft, TrialChange, draft_event, try_change

AT_ITS_PLACE = N_("Leave out --now to change it from the beginning.")
SET_BY_EDIT = ("name", "rule")  # topics of differences that the edit itself sets


def find_decision(opened: LoadedCharacter, name: str, unit: Unit | None = None) -> Decision:
    """Return the decision with this id, short name or question.

    For a ``unit`` the prefix of the id may be left out. Raises UnknownId, or UsageError for a
    name of several decisions or a decision that is dormant.
    """
    asked = {d.id: d for d in opened.character.asked}
    if unit is not None and unit.id != CHARACTER:
        asked = {d.id: d for d in opened.character.asked if unit.id in (d.unit, d.holding)}
        name = f"{unit.id}.{name}" if f"{unit.id}.{name}" in asked else name
    if name in asked:
        return asked[name]
    if name in opened.document.answers and unit is None:
        raise UsageError(
            _(
                "{label} has no effect at the moment, because you changed the choice "
                "that it belongs to"
            ).format(label=opened.character.label(name))
        )
    named = exact_matches(asked.values(), name, lambda decision: decision.names())
    named = named or name_matches(asked.values(), name, lambda decision: decision.names())
    if len(named) > 1:
        raise ambiguous_name(name, ((found.title(), found.id) for found in named))
    if named:
        return named[0]
    _refuse_no_decision(opened, name)
    headings = [decision.heading() for decision in asked.values()]
    raise UnknownId(_("choice"), name, [*asked, *headings], headings)


def _refuse_no_decision(opened: LoadedCharacter, name: str) -> None:
    """Raise UsageError for a planned decision, and for what an option changes, such as the name."""
    labels = {planned: opened.character.label(planned) for planned in opened.document.plan}
    for planned in name_matches(labels, name, lambda id_: (id_, labels[id_])):
        raise UsageError(
            _("{label} is planned, not chosen yet").format(label=labels[planned]),
            _("To change the plan: {command}"),
            ["plan", FILE, f"{planned}=ANSWER"],
        )
    options = {_("name"): ["--name", "NAME"], _("portrait"): ["--portrait", "IMAGE"]}
    for label in map(_, opened.ruleset.head.sheet.plate):
        options[label] = ["--line", f"{label}=TEXT"]
    for word in name_matches(options, name, lambda label: (label,)):
        raise UsageError(
            _("{word} is not one of the choices").format(word=word),
            _("To change it: {command}"),
            ["edit", FILE, *options[word]],
        )


def random_reanswers(document: Document) -> RandomAnswers:
    """Return random answers for an edit, with other dice than those in the log."""
    answers = (e for e in document.log if isinstance(e, AnswerEvent) and not e.now)
    return RandomAnswers(document.seed, Counter(event.decision for event in answers))


def draft_answer(
    opened: LoadedCharacter,
    decision: Decision,
    answer: Answer,
    now: bool = False,
    override: Override | None = None,
    later: bool = False,
) -> EventDraft:
    """Return the draft of a new answer to a decision.

    With ``later`` other drafts come before it, so that only the replay can judge it.
    Raises AnswerError for an answer that the rules forbid (with an
    ``override`` only for a malformed one), UsageError for ``now`` with dice
    or scores.
    """
    if now and decision.settled_once:
        reason = _("{heading}: the {settled} at creation or level-up").format(
            heading=decision.heading(), settled=_(decision.settled_once)
        )
        raise UsageError(reason, _(AT_ITS_PLACE))
    former = opened.character.state.answers.get(decision.id, MISSING)
    answer = decision.completed(decision.as_typed(answer), former)
    answered_now = any(
        isinstance(e, AnswerEvent) and e.now and e.decision == decision.id
        for e in opened.document.log
    )
    if not (now or answered_now or later):  # else the replay checks it: the decision may change
        reasons: tuple[str, ...] = decision.rule_violations(answer)
        if reasons and override is not None:
            reasons = decision.malformed(answer)
        if reasons:
            raise opened.character.refusal(
                (decision.id, with_example(decision, answer, reason)) for reason in reasons
            )
        answer = decision.canonical(answer)
    else:
        answer = decision.resolve_names(answer)
    return draft_event(AnswerEvent, decision=decision.id, answer=answer, now=now, override=override)


def draft_table_rules(opened: LoadedCharacter, rules: Mapping[str, str]) -> list[EventDraft]:
    """Return drafts that set table rules from now on. Raises UnknownId."""
    check_rules(opened.ruleset, rules)
    return [draft_event(SetEvent, rule=rule, value=value) for rule, value in rules.items()]


def draft_name(name: str, unit: Unit | None = None) -> EventDraft:
    """Return the draft of a new name for the character or a unit. Raises UsageError."""
    check_name(name)
    unit_id = None if unit is None or unit.id == CHARACTER else unit.id
    return draft_event(SetEvent, name=name.strip(), unit=unit_id)


def draft_lines(opened: LoadedCharacter, lines: Mapping[str, str]) -> list[EventDraft]:
    """Return drafts of lines at the head of the sheet by their labels; an empty text erases one.

    Raises UnknownId for a label that the sheet does not have, AmbiguousName for one that begins
    like several, UsageError for a text that is too long.
    """
    labels = dict(enumerate(opened.ruleset.head.sheet.plate, 1))
    drafts = []
    for named, text in lines.items():
        found = name_matches(labels, named, lambda number: (_(labels[number]), labels[number]))
        if not found:
            known = map(_, labels.values())
            raise UnknownId(_("line at the head of the sheet"), named, known)
        if len(found) > 1:
            raise ambiguous_name(named, ((_(labels[n]), _(labels[n])) for n in found))
        check_line(_(labels[found[0]]), text)
        drafts.append(draft_event(SetEvent, line=found[0], value=text))
    return drafts


def check_line(label: str, text: str) -> None:
    """Raise UsageError for a text that no line at the head of the sheet can have."""
    if len(text) > LONGEST_STATED_LINE:
        raise UsageError(
            _("{label} has {count} characters; the limit is {limit}").format(
                label=label, count=len(text), limit=LONGEST_STATED_LINE
            )
        )
    if has_unprintable(text) or "\n" in text:
        raise UsageError(_("{label}: a line contains control characters").format(label=label))


def draft_portrait(name: str) -> EventDraft:
    """Return the draft of a portrait by its file name; an empty name removes it."""
    return draft_event(SetEvent, portrait=name)


@dataclass
class Reanswers:
    """A source for the decisions that an edit asks again: explicit answers, then random ones.

    ``used`` are the explicit answers that were asked for. Without random
    answers (``chance``) the rest stays open; with ``leave``, a new list that
    may be empty stays empty.
    """

    opened: LoadedCharacter
    answers: Mapping[str, Answer] = field(default_factory=dict)
    chance: RandomAnswers | None = None
    leave: bool = False
    used: set[str] = field(default_factory=set)

    def __call__(self, decision: Decision) -> Answer:
        """Answer one decision, or leave it open."""
        if decision.id in self.answers:
            self.used.add(decision.id)
            return self.answers[decision.id]
        if self.chance is None:
            return [] if self.leave and self._may_be_left(decision) else MISSING
        return self.chance(decision)

    def _may_be_left(self, decision: Decision) -> bool:
        asked = self.opened.character.decision(decision.id) is not None
        return decision.question.is_list and not asked and not decision.rule_violations([])

    def waiting(self) -> dict[str, Answer]:
        """Return the explicit answers to decisions that were open or broken before the edit."""
        open_before = {decision.id for decision in self.opened.character.open}
        waiting = {name: a for name, a in self.answers.items() if name in open_before}
        self.used |= waiting.keys()
        return waiting

    def complete(self) -> None:
        """Raise UnusedAnswers for explicit answers that were not asked for again."""
        unused = [name for name in self.answers if name not in self.used]
        if unused:
            label = self.opened.character.label
            reasons = (
                (name, _("this edit does not ask for {label}").format(label=label(name)))
                for name in unused
            )
            raise UnusedAnswers(reasons)


def try_edit(
    opened: LoadedCharacter,
    drafts: list[EventDraft],
    source: AnswerSource = leave_open,
    answers: Mapping[str, Answer] = NO_ANSWERS,
    every: bool = False,
) -> TrialChange:
    """Return the change that an edit makes; ``source`` answers broken and new decisions.

    ``answers`` count whether or not they are asked for again. With ``every``,
    decisions that were broken or open before are answered too. Raises
    AnswerError for an answer that its decision does not allow.
    """
    known_answers = dict(answers)
    unanswered: set[str] = set()
    edited = (draft.fields for draft in drafts if draft.kind is AnswerEvent)
    edited_answers = {fields["decision"]: fields["answer"] for fields in edited}
    while True:
        trial = try_change(opened, drafts, known_answers, source)
        problems = (
            p for p in trial.problems if p.decision in edited_answers.keys() | known_answers.keys()
        )
        refused = [(p.decision, p.message) for p in problems]
        refused += [(p.decision, p.message) for p in trial.problems if p.code == "illegal"]
        if refused:
            shown_answers = {**trial.character.recorded_answers, **edited_answers}
            examples = with_examples(trial.character, dict.fromkeys(refused), shown_answers)
            raise trial.character.refusal(examples)
        broken = {problem.decision for problem in trial.problems}
        to_answer = trial.character.open if every else [d for d in trial.open if d.id in broken]
        decision = next((d for d in to_answer if d.id not in unanswered), None)
        if decision is None:
            return trial
        answer = source(decision)
        if answer is MISSING:
            unanswered.add(decision.id)
        else:
            known_answers[decision.id] = answer


@dataclass(frozen=True)
class EditPreview:
    """The consequences of an edit.

    ``dormant`` and ``revived`` are ids of decisions and ``event.N``;
    ``broken`` are reasons by decision or event, ``open`` new decisions
    without an answer.
    """

    differences: tuple[Difference, ...]
    dormant: tuple[str, ...]
    revived: tuple[str, ...]
    broken: Mapping[str, tuple[str, ...]]
    open: tuple[Decision, ...]

    @property
    def sound(self) -> bool:
        """Return whether nothing is left broken or open."""
        return not self.broken and not self.open


def preview_edit(trial: TrialChange) -> EditPreview:
    """Return the consequences of an edit that is not saved yet."""
    before, after = trial.opened.character, trial.character
    broken: dict[str, tuple[str, ...]] = {}
    for problem in trial.problems:
        broken[problem.decision] = (*broken.get(problem.decision, ()), problem.message)
    return EditPreview(
        tuple(d for d in differences(before, after, choices=False) if d.topic not in SET_BY_EDIT),
        trial.dormant,
        tuple(name for name in before.dormant if name not in after.dormant),
        broken,
        tuple(decision for decision in trial.open if decision.id not in broken),
    )


def changes_nothing(trial: TrialChange) -> bool:
    """Return whether an edit changes nothing: every answer, name and value stays the same.

    An answer that counted from some event on and now counts from the
    beginning is a change of the earlier levels.
    """
    before, after = trial.opened.character, trial.character
    return (
        not any(_is_new_in_log(trial.opened.document, event) for event in trial.events)
        and _other_state(before.state) == _other_state(after.state)
        and (before.problems, before.dormant) == (after.problems, after.dormant)
        and before.overridden == after.overridden
        and [decision.id for decision in before.open] == [decision.id for decision in after.open]
        and not differences(before, after)
    )


def _other_state(state: State) -> tuple[object, ...]:
    """Return the parts of a state that ``differences`` leaves out."""
    return (
        state.answers,
        state.resource_changes,
        state.conditions,
        state.cooldowns,
        state.uses,
        state.in_hand,
        state.worn,
    )


def _is_new_in_log(document: Document, event: AnyEvent) -> bool:
    """Return whether an event sets a name, answer or override that the log does not have."""
    if isinstance(event, SetEvent) and event.line is not None:
        return event.value != logged_lines(document.log).get(event.line, "")
    if isinstance(event, SetEvent):
        return event.unit is None and event.name not in (None, document.name)
    if not isinstance(event, AnswerEvent):
        return False
    earlier = [
        e for e in document.log if isinstance(e, AnswerEvent) and e.decision == event.decision
    ]
    if event.now:
        return bool(earlier) and earlier[-1].override != event.override
    at_its_place = [(e.answer, e.override) for e in earlier if not e.now]
    return at_its_place[-1:] != [(event.answer, event.override)]
