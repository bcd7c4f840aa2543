"""Previews: what an answer would change, found on a trial copy of the character."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from types import MappingProxyType

from charforge.character.files.differences import Difference
from charforge.character.files.events import AnswerEvent, ConditionEvent, Override
from charforge.character.state import Unit
from charforge.decisions.base import MISSING, Answer, Decision
from charforge.describe.differences import change_text, state_differences
from charforge.errors import RuleRefusal, UsageError
from charforge.language import _
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character
from charforge.rules.models import Entity
from charforge.usecases.key_values import KeyValue, key_values, other_figures
from charforge.verbs.awards import draft_award, holder_types
from charforge.verbs.change import EventDraft, draft_event, try_change
from charforge.verbs.inventory import Purchase, list_prices, sell_item, trial_price

NO_ANSWERS: Mapping[str, Answer] = MappingProxyType({})
MOST_CHANGES = 8  # values of a unit that a preview lists
TRIAL = Override(by="preview", reason="on a trial copy")  # shows what is not allowed, too


@dataclass(frozen=True, slots=True)
class Preview:
    """The difference between two states of a character.

    ``changes`` are values in words. ``gained`` and ``removed`` are the names of
    what the character has only afterwards, or only before; ``replaced`` are
    pairs of an upgrade and of what it replaces, which is not removed.
    ``opened`` are the decisions that are asked in addition, ``lost`` the
    answers that have no effect any more, as pairs of title and answer.
    """

    changes: tuple[Difference, ...] = ()
    gained: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    lost: tuple[tuple[str, str], ...] = ()
    replaced: tuple[tuple[str, str], ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield the preview in words: the values, one line for each unit, then what follows."""
        for owner, group in groupby(self.changes, key=lambda change: change.unit):
            changes = list(group)
            shown = " · ".join(map(change_text, changes[:MOST_CHANGES]))
            more = " · …" if len(changes) > MOST_CHANGES else ""
            yield f"{owner}: {shown}{more}" if owner else shown + more
        for new, old in self.replaced:
            yield _("{new} replaces {old}").format(new=new, old=old)
        if self.removed:
            yield _("You lose: {names}").format(names=", ".join(self.removed))
        if self.opened:
            yield _("You will also choose: {names}").format(names=" · ".join(self.opened))
        if self.lost:
            lost = (f"{title} {answer}".strip() for title, answer in self.lost)
            yield _("Will be dropped: {names}").format(names=" · ".join(lost))


def compare_characters(before: Character, after: Character) -> Preview:
    """Return what is different in the second of two states of a character."""
    watched = tuple(value_changes(key_values(before.state), key_values(after.state)))
    replaced = tuple(_replaced(before, after))
    old_names = {old for _new, old in replaced}
    return Preview(
        (*watched, *_other_changes(before, after, watched)),
        tuple(_only_in(after, before)),
        tuple(name for name in _only_in(before, after) if name not in old_names),
        tuple(_opened(before, after)),
        tuple(_lost(before, after)),
        replaced,
    )


def _replaced(before: Character, after: Character) -> Iterator[tuple[str, str]]:
    """Yield each upgrade that only the second character has, with what it replaces."""
    old = {holding.entity.id: holding.name for holding in before.state.holdings}
    held = {holding.entity.id for holding in after.state.holdings}
    for holding in after.state.holdings:
        name = old.get(holding.entity.replaces or "")
        if name and holding.entity.id not in old and holding.entity.replaces not in held:
            yield holding.name, name


def _other_changes(
    before: Character, after: Character, watched: tuple[Difference, ...]
) -> Iterator[Difference]:
    """Yield the changes of other figures that both have; what is only in one is listed by name."""
    old = {(value.unit, value.id): value for value in other_figures(before.state)}
    said = {(change.unit, change_text(change)) for change in watched}
    for value in other_figures(after.state):
        for change in _changes(old.get((value.unit, value.id), value), value):
            if (change.unit, change_text(change)) not in said:
                yield change


def _only_in(character: Character, other: Character) -> Iterator[str]:
    """Yield the names of what one character has and another has not, counted."""
    more = Counter(holding.entity.id for holding in character.state.holdings)
    more.subtract(holding.entity.id for holding in other.state.holdings)
    named: dict[str, int] = {}
    for holding in character.state.holdings:
        number = more[holding.entity.id]
        if number > 0:
            named[holding.name] = number  # of a Role and its Training, which are called alike, one
    for name, number in named.items():
        yield name if number == 1 else f"{name} × {number}"


def value_changes(
    before: tuple[KeyValue, ...], after: tuple[KeyValue, ...]
) -> Iterator[Difference]:
    """Yield the values that differ, in the order of the sheet."""
    old = {(value.unit, value.id): value for value in before}
    new = {(value.unit, value.id): value for value in after}
    for key in [*new, *(key for key in old if key not in new)]:
        yield from _changes(old.get(key), new.get(key))


def _changes(old: KeyValue | None, new: KeyValue | None) -> Iterator[Difference]:
    """Yield the changes of one value; another best attack is one change."""
    known = new or old
    if known is None or old == new:
        return
    name, label, owner = known.id, known.label, known.owner
    if old is None or new is None or (old.label == new.label and not known.extra):
        before = old.words if old is not None else None
        after = f"{new.words} {new.measure}".strip() if new is not None else None
        yield Difference("value", name, label, before, after, owner)
    elif old.label != new.label:
        before, after = (f"{value.label} {value.words}" for value in (old, new))
        yield Difference("value", name, _("Best attack"), before, after, owner)
    else:
        if old.text != new.text:
            yield Difference("value", name, label, old.text, new.text, owner)
        if old.extra != new.extra:
            damage = _("{label} damage").format(label=label)
            yield Difference("value", name, damage, old.extra, new.extra, owner)


def _opened(before: Character, after: Character) -> Iterator[str]:
    """Yield what there is to choose only afterwards, or once more; dice are no choice."""
    still_open = {decision.id for decision in before.open}
    for decision in after.open:
        if decision.id not in still_open and not decision.rolls_dice:
            yield decision.in_short()


def _lost(before: Character, after: Character) -> Iterator[tuple[str, str]]:
    """Yield the answers that count before and not afterwards."""
    answers = before.state.answers
    for decision in before.asked:
        counted = decision.id in answers
        if counted and decision.id not in after.state.answers:
            yield decision.title(), decision.answer_text(answers[decision.id])


@dataclass
class AnswerTrial:
    """A character on which the answers to one decision are tried.

    ``spec`` has the answers so far. Each answer is tried only once. An answer
    may be incomplete, such as the first items of a list.
    """

    spec: CharacterSpec
    decision: Decision
    _tried: dict[str, Character] = field(default_factory=dict)
    _lines: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def present(self) -> Character:
        """The character with the answers so far."""
        return self.spec.replay()

    def character(self, answer: Answer = MISSING) -> Character:
        """Return the character with an answer; without one, as it is before the decision."""
        key = "" if answer is MISSING else repr(answer)
        if key not in self._tried:
            answers = answers_with(self.spec.answers, self.present, self.decision, answer)
            spec = replace(self.spec, answers=answers)
            self._tried[key] = spec.replay(unfinished=self.decision.id)
        return self._tried[key]

    def preview(self, answer: Answer, instead_of: Answer = MISSING) -> Preview:
        """Return what an answer would change, instead of another one or of none."""
        return compare_characters(self.character(instead_of), self.character(answer))

    def lines(self, answer: Answer, instead_of: Answer = MISSING) -> tuple[str, ...]:
        """Return the preview in words."""
        key = (repr(answer), "" if instead_of is MISSING else repr(instead_of))
        if key not in self._lines:
            self._lines[key] = tuple(self.preview(answer, instead_of).lines())
        return self._lines[key]

    def values(self, answer: Answer = MISSING) -> tuple[KeyValue, ...]:
        """Return the values of the character with an answer."""
        return key_values(self.character(answer).state)


def loaded_trial(loaded: LoadedCharacter, decision: Decision) -> AnswerTrial:
    """Return a saved character on which new answers to a decision are tried."""
    document = loaded.document
    spec = CharacterSpec(
        loaded.ruleset, document.seed, document.name, 1, {}, document.answers, document.log
    )
    return AnswerTrial(spec, decision)


def preview_purchase(
    loaded: LoadedCharacter, entity: Entity, answers: Mapping[str, Answer] = NO_ANSWERS
) -> Preview:
    """Return what buying one piece would change, with the answers to its choices so far.

    Its price is that of the choices, or else the lowest list price; without a
    list price none.
    """
    chosen = trial_price(try_change(loaded, [Purchase(entity).draft(None)], answers), entity)
    price = min(list_prices(entity), default=0) if chosen is None else chosen
    draft = Purchase(entity).draft(price)
    return compare_characters(loaded.character, try_change(loaded, [draft], answers).character)


def preview_sale(loaded: LoadedCharacter, holding: str) -> Preview:
    """Return what selling one piece would change."""
    try:
        return compare_characters(loaded.character, sell_item(loaded, holding).character)
    except (RuleRefusal, UsageError):
        return Preview()  # it has no price, or cannot be sold now


def preview_entity(
    loaded: LoadedCharacter, entity: Entity, units: Iterable[Unit]
) -> tuple[Preview, str] | None:
    """Return what an entity would change if the first unit that can hold it had it now.

    It need not be allowed. The text is the answer that it would replace,
    empty if it would be an addition. None for what none of the units can have.
    """
    found = (_preview_for(loaded, entity, unit) for unit in units)
    return next((preview for preview in found if preview is not None), None)


def _preview_for(loaded: LoadedCharacter, entity: Entity, unit: Unit) -> tuple[Preview, str] | None:
    if entity.kind in loaded.ruleset.head.gear.kinds:
        return preview_purchase(loaded, entity), ""
    decision = next((d for d in reversed(loaded.character.asked) if _offers(d, entity, unit)), None)
    answer = loaded.character.state.answers.get(decision.id) if decision is not None else None
    if (
        decision is None
        or answer is None
        or (isinstance(answer, list) and decision.question.list_budget is None)
    ):
        if unit.type.id not in holder_types(loaded.ruleset).get(entity.kind, ()):
            return None
        award = draft_award(loaded.character.state, entity, 1, unit)
        return _preview_events(loaded, award), ""
    if not isinstance(answer, list):
        trial = loaded_trial(loaded, decision)
        return trial.preview(entity.id, answer), decision.answer_text(answer)
    longer = draft_event(
        AnswerEvent, decision=decision.id, answer=[*answer, entity.id], now=True, override=TRIAL
    )
    return _preview_events(loaded, longer), ""


def condition_differences(
    loaded: LoadedCharacter, entity: Entity, unit: Unit
) -> Iterator[Difference]:
    """Yield what a condition put on a unit changes, whether or not the unit has it now."""
    state = loaded.character.state
    has = state.condition_amount(unit.id, entity.id) > 0
    draft = draft_event(ConditionEvent, condition=entity.id, unit=unit.id, off=has)
    other = try_change(loaded, [draft]).character.state
    without, with_it = (other, state) if has else (state, other)
    for difference in state_differences(without, with_it):
        if difference.topic != "condition" or not difference.id.startswith(entity.id):
            yield difference


def _offers(decision: Decision, entity: Entity, unit: Unit) -> bool:
    """Whether an entity is one of the options of a decision of a unit."""
    return decision.unit == unit.id and any(o.entity is entity for o in decision.options())


def _preview_events(loaded: LoadedCharacter, draft: EventDraft) -> Preview:
    return compare_characters(loaded.character, try_change(loaded, [draft]).character)


def answers_with(
    answers: Mapping[str, Answer], character: Character, decision: Decision, answer: Answer
) -> dict[str, Answer]:
    """Return answers with a new one, without those that depend on its dice.

    Such answers are asked again, even if they are still allowed.
    """
    changed = {name: a for name, a in answers.items() if name != decision.id}
    if answer is MISSING:
        return changed
    changed = {**answers, decision.id: answer}
    if answer != answers.get(decision.id, MISSING):
        for other in character.asked:
            if decision.id in other.reads():
                changed.pop(other.id, None)
    return changed
