"""Descriptions of events: a sentence for each event of a log, and its effects.

The log is replayed with a watcher, so that removed holdings and decisions
that are no longer asked keep their names.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import singledispatchmethod

from charforge.character.events import (
    AbilityEvent,
    AcquireEvent,
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    ConditionEvent,
    CooldownEvent,
    Event,
    HoldEvent,
    NoteEvent,
    PartEvent,
    Pin,
    PlanEvent,
    ProcedureEvent,
    ResourceEvent,
    SetEvent,
    StowEvent,
)
from charforge.character.state import CHARACTER, State
from charforge.decisions.base import LEFT_EMPTY, NOTHING_CHOSEN, Decision
from charforge.decisions.option import Answer
from charforge.errors import CharforgeError
from charforge.expressions.dice import Dice, faces_text
from charforge.expressions.template import as_written, signed_number, true_minus
from charforge.procedures import abilities, run
from charforge.procedures.steps import number_choices
from charforge.replay import replay as engine
from charforge.replay.decision_walk import EVENT
from charforge.replay.event_effects import RecordedDice
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Decide, Input, Procedure, Steps

NOTHING = object()


@dataclass
class LogDescriber:
    """Describes the events of a log in order, with the states around each one."""

    opened: LoadedCharacter
    around: dict[int, tuple[State, State]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # of holdings and units, by instance id

    def __post_init__(self) -> None:
        document, ruleset = self.opened.document, self.opened.ruleset
        engine.replay(ruleset, document.answers, log=document.log, watch=self._watch)
        self.decisions, former = _decisions(self.opened)
        self.names = {**former, **self.names}
        self.former: dict[str, Answer] = {}
        self.planned: dict[str, Answer] = {}
        self.rules = ruleset.table_rule_options({})
        self.name: dict[str, str] = {}
        self.last = {
            event.decision: event.n
            for event in document.log
            if isinstance(event, AnswerEvent) and not event.now
        }

    def _watch(self, event: AnyEvent, before: State, after: State) -> None:
        self.around[event.n] = (before, after)
        if before is not after:
            self.names |= {holding.id: holding.name for holding in after.holdings}
            self.names |= {unit.id: unit.name for unit in after.units if unit.name}

    def sentence(self, event: AnyEvent) -> str:
        """Return an event in words, with a mark if it has no effect or is broken."""
        own = f"event.{event.n}"
        name = event.decision if isinstance(event, AnswerEvent) else own
        told = self._say(event)
        if isinstance(event, AnswerEvent) and not event.now and self.last[name] != event.n:
            return told  # answered again later: that is told there
        if {own, name} & set(self.opened.character.dormant):
            return f"{told} [no effect now]"
        broken = [p.message for p in self.opened.character.problems if p.decision == name]
        return f"{told} [broken: {'; '.join(broken)}]" if broken else told

    # ------------------------------------------------------------ one event

    @singledispatchmethod
    def _say(self, event: Event) -> str:
        raise AssertionError(event)

    @_say.register
    def _(self, event: AnswerEvent) -> str:
        answer = self._answer_text(event.decision, event.answer)
        told = f"{self._decision_name(event.decision)}: {answer}"
        former = self.former.get(event.decision, NOTHING)
        if event.now:
            told += " from here on"
        if former is not NOTHING:
            told += f", was {self._answer_text(event.decision, former)}"
        self.former[event.decision] = event.answer
        self.planned.pop(event.decision, None)
        if event.override is not None:
            told += f" (allowed by {event.override.by}: {event.override.reason})"
        return told

    @_say.register
    def _(self, event: AdvanceEvent) -> str:
        label = self.opened.ruleset.head.advancement.label
        if event.unit is None:
            return f"{label} {event.level} is reached"
        return f"{self._name_of(event.unit)}: {label} {event.level} is reached"

    @_say.register
    def _(self, event: SetEvent) -> str:
        if event.name is not None:
            unit = event.unit or CHARACTER
            whose = f"{self._name_of(unit, event)}: " if event.unit else ""
            former = self.name.get(unit)
            self.name[unit] = event.name
            return f"{whose}named {event.name}" + (f", was {former}" if former else "")
        if event.portrait is not None:
            return f"portrait: {event.portrait}" if event.portrait else "no portrait any more"
        if event.packs is not None:
            return f"updated: {', '.join(_pack_changes(event.packs, event.former or ()))}"
        rule = self.opened.ruleset.table_rules.get(event.rule or "")
        former = self.rules.get(event.rule or "", "")
        self.rules[event.rule or ""] = event.value or ""
        ways = {option.id: option.label for option in rule.options} if rule else {}
        asked = f"{rule.label} ({event.rule})" if rule else f"table rule {event.rule}"
        told = f"{asked}: {ways.get(event.value or '', event.value)}"
        return told if former == event.value else f"{told}, was {ways.get(former, former)}"

    @_say.register
    def _(self, event: PlanEvent) -> str:
        former = self.planned.pop(event.decision, NOTHING)
        if event.drop:
            gone = "" if former is NOTHING else f": {self._answer_text(event.decision, former)}"
            return f"no longer planned: {event.decision}{gone}"
        self.planned[event.decision] = event.answer
        told = f"planned {event.decision}: {self._answer_text(event.decision, event.answer)}"
        changed = former is not NOTHING
        return f"{told}, was {self._answer_text(event.decision, former)}" if changed else told

    @_say.register
    def _(self, event: AcquireEvent) -> str:
        ruleset = self.opened.ruleset
        known = ruleset.entities.get(ruleset.canonical(event.entity))
        what = _counted_name(known.name if known else event.entity, event.quantity)
        if event.price is not None:
            told = f"bought {what} for {self._price_text(event.price, event.quantity)}"
        else:
            told = f"given {what} by the GM" if event.granted else f"gained {what}"
        return self._unit_prefix(event.unit) + told + _note_suffix(event.note)

    @_say.register
    def _(self, event: PartEvent) -> str:
        what = _counted_name(self._name_of(event.holding, event), event.quantity)
        if event.price is not None:
            told = f"sold {what} for {self._price_text(event.price, event.quantity)}"
        else:
            told = f"parted with {what}"
        return told + _note_suffix(event.note)

    @_say.register
    def _(self, event: HoldEvent) -> str:
        return f"took {self._name_of(event.holding, event)} in hand" + _note_suffix(event.note)

    @_say.register
    def _(self, event: StowEvent) -> str:
        return f"put {self._name_of(event.holding, event)} away"

    @_say.register
    def _(self, event: ResourceEvent) -> str:
        if event.holding is not None:
            label = f"{self._name_of(event.holding, event)}: {self._capacity(event)}"
        else:
            label = self._unit_prefix(event.unit) + self._label(event.value)
        return f"{label} {signed_number(event.by)}" + _note_suffix(event.note)

    @_say.register
    def _(self, event: ConditionEvent) -> str:
        changes = ", ".join(condition_texts(*self.around[event.n], event.unit))
        if not changes:  # it was so already, or is not possible any more
            known = self.opened.ruleset.entities.get(event.condition)
            about = f" ({event.about})" if event.about else ""
            name = (known.name if known else event.condition) + about
            changes = f"still no {name}" if event.off else f"still {name}"
        return self._unit_prefix(event.unit) + changes

    @_say.register
    def _(self, event: CooldownEvent) -> str:
        name = self._name_of(event.holding, event)
        own = f": {event.ability}" if self._has_own_name(event) and event.ability != name else ""
        told = "comes off cooldown" if event.off else "goes on cooldown"
        return f"{self._unit_prefix(event.unit)}{name}{own} {told}"

    @_say.register
    def _(self, event: ProcedureEvent) -> str:
        try:
            procedure: Procedure | None = self.opened.ruleset.procedure(event.procedure)
        except CharforgeError:
            procedure = None
        if procedure is None:
            return self._unit_prefix(event.unit) + self._run_text(event, event.procedure)
        told = self._run_text(event, procedure.label, procedure.inputs, procedure.steps)
        return self._unit_prefix(event.unit) + told

    @_say.register
    def _(self, event: AbilityEvent) -> str:
        known = self.opened.ruleset.entities.get(event.holding)
        name = known.name if known else self._name_of(event.holding, event)
        before = self.around[event.n][0]
        held = before.holding(event.holding)
        ability = abilities.ability_of(before, event.unit, event.holding, event.ability)
        called = self._action_name(ability) if ability is not None else event.ability
        plain = {"", name, held.entity.slug if held else ""}  # what tells no more than its name
        own = f": {called}" if called not in plain else ""
        without = ", without Training" if event.untrained else ""
        asked = abilities.ability_inputs(before, ability) if ability is not None else ((), ())
        run_text = self._run_text(event, name + own + without, *asked)
        return f"{self._unit_prefix(event.unit)}used {run_text}"

    @_say.register
    def _(self, event: NoteEvent) -> str:
        return f"note{f' of {event.at}' if event.at else ''}: {event.text}"

    # ------------------------------------------------------------ its parts

    def _decision_name(self, name: str) -> str:
        """Return a decision's id, with its title if it belongs to an acquired thing."""
        decision = self.decisions.get(name)
        if decision is None or EVENT.match(name) is None:
            return name
        return f"{decision.title()} ({name})"

    def _answer_text(self, name: str, given: Answer) -> str:
        decision = self.decisions.get(name)
        if decision is None:
            label = self.opened.ruleset.answer_label_by_id
            listed = given if isinstance(given, list) else [given]
            plain = [label(name, x) if isinstance(x, str) else json.dumps(x) for x in listed]
            return ", ".join(plain) or NOTHING_CHOSEN
        return decision.answer_text(given) if given != "" else LEFT_EMPTY

    def _run_text(
        self,
        event: ProcedureEvent | AbilityEvent,
        label: str,
        inputs: tuple[Input, ...] = (),
        steps: Steps = (),
    ) -> str:
        """Return a run in words: its inputs, its dice and its effects."""
        asked: dict[str, Input | Decide] = {one.id: one for one in inputs}
        asked |= {one.id: one for one in number_choices(self.opened.ruleset, steps)}
        parts = []
        for name, given in event.inputs.items():
            one = asked.get(name)
            question = as_written(one.label) if one is not None else name
            said = self._input_text(one, given, event) if isinstance(one, Input) else str(given)
            parts.append(said if question == label else f"{question} {said}")
        before, after = self.around[event.n]
        rolled = roll_texts(before, event) if event.faces else []
        if rolled:
            parts.append(f"dice: {', '.join(rolled)}")
        told = true_minus(f"{label} ({'; '.join(parts)})" if parts else label)
        changes = ", ".join(change_texts(before, after, event.unit))
        return f"{told} → {changes}" if changes else told

    def _input_text(self, one: Input, given: int | str, event: Event) -> str:
        """Return the value of an input in words: the name of a value, a thing or a term."""
        ruleset = self.opened.ruleset
        if one.type == "flag":
            return "yes" if given else "no"
        if one.type == "item":
            return self._name_of(str(given), event)
        if one.type == "value" and given in ruleset.values:
            return ruleset.values[str(given)].label
        term = ruleset.term(str(given)) if one.type in ("word", "text") else None
        if term is not None:
            return term.label
        return str(given).replace("-", " ") if one.type == "word" else str(given)

    def _name_of(self, name: str, event: Event | None = None) -> str:
        """Return the name of a holding or unit: as it was then, else as it ever was."""
        if event is not None:
            before = self.around[event.n][0]
            called = {holding.id: holding.name for holding in before.holdings}
            called |= {unit.id: unit.name for unit in before.units if unit.name}
            if name in called:
                return called[name]
        return self.names.get(name, name)

    def _has_own_name(self, event: CooldownEvent) -> bool:
        """Return whether an action has a name of its own."""
        holding = self.around[event.n][0].holding(event.holding)
        actions = holding.entity.actions if holding else ()
        return any(action.name and action.name == event.ability for action in actions)

    def _action_name(self, ability: abilities.Ability) -> str:
        """Return the name of an ability among those of its entity; its timing if it has none."""
        action, entity = ability.action, ability.entity
        if action is None or action.name:
            return ability.key
        if len(entity.actions) + len(entity.attacks) == 1:
            return ""
        timings = self.opened.ruleset.head.timings
        return next((one.label for one in timings if one.id == action.timing), ability.key)

    def _unit_prefix(self, unit: str) -> str:
        return "" if unit == CHARACTER else f"{self._name_of(unit)}: "

    def _label(self, value: str) -> str:
        known = self.opened.ruleset.values.get(value)
        return known.label if known else value

    def _capacity(self, event: ResourceEvent) -> str:
        holding = self.around[event.n][0].holding(event.holding or "")
        known = holding.entity.capacities if holding else ()
        return next((c.label for c in known if c.id == event.value), event.value)

    def _price_text(self, price: int, quantity: int) -> str:
        value = self.opened.ruleset.values.get(self.opened.ruleset.head.gear.money or "")
        unit = f" {value.unit}" if value and value.unit else ""
        each = f" ({price} each)" if quantity > 1 else ""
        return f"{price * quantity}{unit}{each}"


def _decisions(opened: LoadedCharacter) -> tuple[dict[str, Decision], dict[str, str]]:
    """Return every decision that the log ever answered, and the names of former holdings.

    Decisions that an edit removed come from a replay up to that edit.
    """
    log = opened.document.log
    known = {decision.id: decision for decision in opened.character.asked}
    names: dict[str, str] = {}
    told = {event.decision for event in log if isinstance(event, AnswerEvent | PlanEvent)}
    for end in _edit_positions(log):
        if told <= known.keys():
            break
        answers = opened.document.model_copy(update={"log": log[:end]}).answers
        then = engine.replay(opened.ruleset, answers, log=log[:end])
        known = {**{decision.id: decision for decision in then.asked}, **known}
        names = {**{h.id: h.name for h in then.state.holdings}, **names}
    return known, names


def _edit_positions(log: tuple[AnyEvent, ...]) -> list[int]:
    """Return the indexes of repeated answers and removed items in the log, latest first."""
    met: set[str] = set()
    ends = []
    for index, event in enumerate(log):
        if isinstance(event, AnswerEvent):
            if event.decision in met:
                ends.append(index)
            met.add(event.decision)
        elif isinstance(event, PartEvent):
            ends.append(index)
    return ends[::-1]


def _pack_changes(packs: tuple[Pin, ...], former: tuple[Pin, ...]) -> list[str]:
    """Return the packs with another version in words; hashes if the version is the same."""
    was = {pin.id: pin for pin in former}
    told = []
    for pin in packs:
        old = was.get(pin.id)
        if old is None:
            told.append(f"{pin.id} {pin.version}")
        elif old.version != pin.version:
            told.append(f"{pin.id} {old.version} → {pin.version}")
        elif old.hash != pin.hash:
            told.append(f"{pin.id} {pin.version} ({old.hash} → {pin.hash})")
    return told


def _counted_name(name: str, quantity: int) -> str:
    return name if quantity == 1 else f"{quantity} × {name}"


def _note_suffix(text: str) -> str:
    return f" ({text})" if text else ""


# ------------------------------------------------------------------ what an event changed


class _LabelledDice(RecordedDice):
    """The recorded dice of a run, and each roll with its label as text."""

    def __init__(self, event: ProcedureEvent | AbilityEvent) -> None:
        super().__init__(event.faces)
        self.rolls: list[str] = []

    def __call__(self, name: str, dice: Dice, label: str) -> list[int]:
        faces = super().__call__(name, dice, label)
        self.rolls.append(f"{label or name} {dice.describe(faces)}")
        return faces


def roll_texts(state: State, event: ProcedureEvent | AbilityEvent) -> list[str]:
    """Return the rolls of an event, each with its label and faces.

    If it cannot be run again, ids replace labels.
    """
    labelled = _LabelledDice(event)
    try:
        if isinstance(event, ProcedureEvent):
            procedure = state.ruleset.procedure(event.procedure)
            run.run_procedure(state, procedure, event.inputs, labelled, event.unit)
        else:
            ability = abilities.ability_of(state, event.unit, event.holding, event.ability)
            if ability is None:
                raise LookupError
            abilities.use_ability(state, ability, event.inputs, labelled, untrained=event.untrained)
    except (CharforgeError, LookupError, StopIteration):
        return [f"{name} {faces_text(one)}" for name, each in event.faces.items() for one in each]
    return labelled.rolls


def change_texts(before: State, after: State, unit: str) -> Iterator[str]:
    """Yield changes of resources and conditions; those of other units with their name."""
    for owner, name in dict.fromkeys([*after.resource_changes, *before.resource_changes]):
        change = after.resource_changes.get((owner, name), 0) - before.resource_changes.get(
            (owner, name), 0
        )
        if change:
            whose = _owner_prefix(after, owner, unit)
            yield f"{whose}{_resource_label(after, owner, name)} {signed_number(change)}"
    yield from condition_texts(before, after, unit)


def condition_texts(before: State, after: State, unit: str) -> Iterator[str]:
    """Yield changes of conditions: ``now Prone``, ``no longer Prone``, ``Focus 2 → 1``."""
    was, is_now = _condition_amounts(before), _condition_amounts(after)
    for key in dict.fromkeys([*is_now, *was]):
        old, new = was.get(key), is_now.get(key)
        bearer, name, counts = key
        if old == new or not (counts or None in (old, new)):
            continue
        told = (
            f"{name} {old or 0} → {new or 0}"
            if counts and new
            else condition_text(new is None, name)
        )
        yield _owner_prefix(after, bearer, unit) + told


def condition_text(off: bool, name: str) -> str:
    """Return the text for a condition that begins, or ends (``off``)."""
    return f"{'no longer' if off else 'now'} {name}"


def _condition_amounts(state: State) -> Counter[tuple[str, str, bool]]:
    """Return the amounts of conditions by unit, name and whether they are counted."""
    found: Counter[tuple[str, str, bool]] = Counter()
    for one in state.conditions:
        about = f" ({one.about})" if one.about else ""
        spec = one.entity.condition
        found[one.unit, one.entity.name + about, spec is not None and spec.counts] += one.amount
    return found


def _owner_prefix(state: State, name: str, unit: str) -> str:
    if name in (unit, CHARACTER):
        return ""
    found = next((one for one in state.units if one.id == name), None)
    holding = state.holding(name)
    return f"{found.name if found else holding.name if holding else name}: "


def _resource_label(state: State, owner: str, name: str) -> str:
    holding = state.holding(owner)
    for capacity in holding.entity.capacities if holding else ():
        if capacity.id == name:
            return capacity.label
    known = state.ruleset.values.get(name)
    return known.label if known else name
