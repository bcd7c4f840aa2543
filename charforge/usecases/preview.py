"""Previews: what an answer would change, and the values that a player watches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, groupby
from statistics import fmean
from typing import Literal, NamedTuple

from charforge.character import gear
from charforge.character.files.document import Difference
from charforge.character.files.events import AnswerEvent, ConditionEvent, Override
from charforge.character.state import Holding, State, Unit
from charforge.character.values import Values
from charforge.decisions.base import MISSING, Answer, Decision
from charforge.describe.differences import change_text, state_differences
from charforge.describe.held_entities import HeldEntity
from charforge.errors import RuleRefusal, UsageError
from charforge.expressions.dice import parse_dice
from charforge.expressions.template import NO_BREAK
from charforge.language import _
from charforge.procedures.inputs import dice_of_unit
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import NO_ANSWERS, Character
from charforge.rules.models import Entity
from charforge.rules.ruleset import Ruleset
from charforge.sheet import attacks
from charforge.sheet.values import combat
from charforge.sheet.view import AttackMode
from charforge.verbs.change import EventDraft, draft_event, try_change
from charforge.verbs.inventory import Purchase, list_prices, sell_item, trial_price
from charforge.verbs.manual_changes import draft_award, holder_types

ValuePart = Literal["score", "vital", "figure", "list", "money", "attack"]


class KeyValue(NamedTuple):
    """One value in words; ``unit`` and ``id`` stay the same when it changes.

    ``owner`` is the name of the unit, empty for the character. ``short`` is
    the label where there is little room. ``extra`` is what an attack deals,
    ``measure`` the unit of measure of a number.
    Of the part ``list`` are those in lists of the sheet, such as skills.
    """

    unit: str
    id: str
    part: ValuePart
    label: str
    text: str
    short: str
    owner: str = ""
    extra: str = ""
    measure: str = ""

    @property
    def words(self) -> str:
        """Its text; of an attack with the damage."""
        if not self.extra:
            return self.text
        return _("{text}, {extra} damage").format(text=self.text, extra=self.extra)


def key_values(state: State) -> tuple[KeyValue, ...]:
    """Return the values of the character, then those of its units.

    There are none before the character has scores: what else there is would
    be calculated without them.
    """
    if not has_scores(state):
        return ()
    return tuple(value for unit in state.units for value in _of_unit(state, unit))


def other_figures(state: State) -> tuple[KeyValue, ...]:
    """Return the other figures of a sheet: further values, its line for combat, pools, attacks.

    As with ``key_values`` there are none before the character has scores.
    """
    if not has_scores(state):
        return ()
    return tuple(value for unit in state.units for value in _others_of_unit(state, unit))


def _others_of_unit(state: State, unit: Unit) -> Iterator[KeyValue]:
    values, owner = state.values(unit.id), unit.name
    watched = {name for _part, *names in _watched(state.ruleset) for name in names}
    printed = dict[str, tuple[str, str]]()
    for name in values.shown_ids():
        if name not in watched:
            value = state.ruleset.values[name]
            printed[value.label] = values.figure_text(name, values.total(name)), value.unit
    facts = (fact for fact in combat(values) if fact.value not in watched)
    printed |= {fact.label: (fact.text, "") for fact in facts}
    for label, (text, measure) in printed.items():
        key = f"figure.{label}"
        yield KeyValue(unit.id, key, "figure", label, text, label, owner, measure=measure)
    for pool in unit.type.pools:
        text, key = dice_of_unit(values, pool), f"pool.{pool.id}"
        yield KeyValue(unit.id, key, "figure", pool.label, text, pool.label, owner)
    for holding, mode in _attack_modes(state, unit):
        name = ": ".join(filter(None, (holding.name, mode.name)))
        text, extra = _attack_figures(mode)
        key = f"attack.{holding.id}.{mode.name}.{mode.range}"
        yield KeyValue(unit.id, key, "attack", name, text, name, owner, extra)


def has_scores(state: State) -> bool:
    """Return whether the character has its scores: assigned, or from the beginning."""
    group = state.ruleset.head.sheet.attributes
    if not group:
        return True
    scores, target_values = set(state.ruleset.group(group)), state.ruleset.target_values
    handed_out = (
        question.id in state.answers
        for question in state.ruleset.head.creation_questions
        if not scores.isdisjoint(chain.from_iterable(map(target_values, question.assigned)))
    )
    if not all(handed_out):
        return False
    return any(state.values().base(name) for name in scores)


def _of_unit(state: State, unit: Unit) -> Iterator[KeyValue]:
    """Yield the values of one unit; those that it does not have yet are left out."""
    ruleset, values = state.ruleset, state.values(unit.id)
    for part, name, short in _watched(ruleset):
        if values.is_shown(name) and not _is_unset(values, part, name):
            value, text = ruleset.values[name], values.figure_text(name, values.base(name))
            yield KeyValue(
                unit.id, name, part, value.label, text, ruleset.values[short].label, unit.name,
                measure=value.unit,
            )  # fmt: skip
    money = gear.money(state) if unit is state.units[0] else None
    if money:
        value = ruleset.values[ruleset.head.gear.money or ""]
        yield KeyValue(
            unit.id, "money", "money", value.label, str(money), value.label, measure=value.unit
        )
    best = best_attack(state, unit)
    if best is not None:
        name, mode = best
        text, extra = _attack_figures(mode)
        yield KeyValue(unit.id, "attack", "attack", name, text, name, unit.name, extra)


def _watched(ruleset: Ruleset) -> Iterator[tuple[ValuePart, str, str]]:
    """Yield the ids of the values at the head of a sheet: maxima where there are any.

    The second id is that of the value with the short label: ``HP`` for ``Max HP``.
    """
    sheet = ruleset.head.sheet
    scores = ruleset.group(sheet.attributes) if sheet.attributes else ()
    yield from (("score", name, name) for name in scores)
    for vital in sheet.vitals:
        name = vital.max or vital.current
        if name not in scores:
            yield "vital", name, vital.current
    yield from (("figure", name, name) for name in sheet.figures)
    seen = {*scores, *sheet.figures}
    for listed in sheet.lists:
        names = ruleset.group(listed.of) if listed.of in ruleset.head.groups else ()
        yield from (("list", name, name) for name in names if name not in seen)


def _is_unset(values: Values, part: ValuePart, name: str) -> bool:
    """Return whether a value is not there yet: a maximum of 0, a score that nothing has set."""
    if part == "score":
        return not values.base(name) and len(values.explain(name).steps) < 2
    return part == "vital" and values.base(name) <= 0


def best_attack(state: State, unit: Unit) -> tuple[str, AttackMode] | None:
    """Return the attack with the highest average damage, with its weapon's name.

    Of equal ones it is that with the better roll. The two are not added: what a bonus, a
    percentage or a die of a pool is worth in damage, differs from game to game.
    """
    ranked = [
        ((_average(mode.damage_dice), mode.roll_bonus), holding.name, mode)
        for holding, mode in _attack_modes(state, unit)
        if not mode.unmet
    ]
    if not ranked:
        return None
    _worth, name, mode = max(ranked, key=lambda entry: entry[0])
    return name, mode


def _attack_modes(state: State, unit: Unit) -> Iterator[tuple[Holding, AttackMode]]:
    """Yield the attacks of a unit as its sheet prints them, with what has them."""
    for holding in state.holdings:  # a companion is a holding of its owner, with attacks itself
        if state.bearer(holding) != unit.id or not holding.entity.attacks:
            continue
        if _is_unfinished(state, holding):
            continue
        weapon = attacks.weapon(HeldEntity.of(state, holding), (), ())
        for mode in weapon.attacks if weapon is not None else ():
            yield holding, mode


def _attack_figures(mode: AttackMode) -> tuple[str, str]:
    """Return the roll of an attack and its damage; of one without a roll only the damage."""
    damage = mode.damage.replace(NO_BREAK, " ")
    return (mode.roll, damage) if mode.roll else (damage, "")


def _is_unfinished(state: State, holding: Holding) -> bool:
    """Return whether figures of a thing are answers to its own choices that are still open."""
    return any(
        f"{holding.id}.{question.id}" not in state.answers
        for question in holding.entity.numbers
        if question.when is None
    )


def _average(damage: str) -> float:
    """Return roughly the average of a sum of dice and numbers: ``2d6+3``."""
    total = 0.0
    for part in filter(None, damage.replace("-", "+-").split("+")):
        if part.lstrip("-").isdigit():
            total += int(part)
        else:
            with suppress(ValueError):  # dice of symbols have no average
                dice = parse_dice(part)
                total += (dice.keep or dice.number) * fmean(dice.faces)
    return total


MOST_CHANGES = 8  # values of a unit that a preview lists
TRIAL = Override(by="preview", reason="on a trial copy")  # shows what is not allowed, too


@dataclass(frozen=True, slots=True)
class Preview:
    """The difference between two states of a character.

    ``changes`` are values in words. ``gained`` and ``removed`` are the names of
    what the character has only afterwards, or only before; ``replaced`` are
    pairs of an upgrade and of what it replaces, which is not removed.
    ``opened`` are the decisions that are asked in addition, ``rolls`` those of
    them that are rolled; ``lost`` are the answers that have no effect any more,
    as pairs of title and answer.
    """

    changes: tuple[Difference, ...] = ()
    gained: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    rolls: tuple[str, ...] = ()
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
        if self.rolls:
            yield _("Without what you will roll: {names}").format(names=" · ".join(self.rolls))
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
        tuple(_opened(before, after, rolled=False)),
        tuple(_opened(before, after, rolled=True)),
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


def _opened(before: Character, after: Character, rolled: bool) -> Iterator[str]:
    """Yield what there is to choose or to roll only afterwards, or once more: ``2 × HP``."""
    still_open = {decision.id for decision in before.open}
    asked = Counter(
        decision.in_short()
        for decision in after.open
        if decision.id not in still_open and decision.rolls_dice is rolled
    )
    yield from (name if times == 1 else f"{times} × {name}" for name, times in asked.items())


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
        return compare_characters(loaded.character, sell_item(loaded, holding).after.character)
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
    """Return whether an entity is one of the options of a decision of a unit."""
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
