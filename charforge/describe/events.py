"""Descriptions of events: a sentence for each event of a log, and its effects.

The log is replayed and every state is recorded, so that removed holdings and decisions that are no
longer asked keep their names.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import singledispatchmethod

from charforge.character.files.document import PackChange
from charforge.character.files.events import (
    AbilityEvent,
    AcquireEvent,
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    CarryEvent,
    ConditionEvent,
    CooldownEvent,
    DropEvent,
    Event,
    NoteEvent,
    Pin,
    PlanEvent,
    ProcedureEvent,
    ResourceEvent,
    SetEvent,
)
from charforge.character.state import CHARACTER, State
from charforge.character.state_data import about_subject
from charforge.decisions.base import LEFT_EMPTY, NOTHING_CHOSEN, Answer
from charforge.describe.differences import difference_lines
from charforge.errors import CharforgeError
from charforge.expressions.dice import faces_text
from charforge.expressions.formula import SHARED
from charforge.expressions.template import as_written, signed_number, true_minus
from charforge.language import N_, _, with_colon
from charforge.procedures import abilities
from charforge.procedures.context import CHOSEN_AGAIN
from charforge.procedures.steps import number_choices
from charforge.replay import replay as engine
from charforge.replay.decision_walk import RecordedDice, RunEvent, TargetMissing, repeat_run
from charforge.replay.loaded_character import LoadedCharacter, answered_decisions
from charforge.rules.models import ChooseStep, Input, Procedure, Steps
from charforge.rules.ruleset import Ruleset

NO_ANSWER = object()
CARRIED = {
    "hold": N_("took {name} in hand"),
    "stow": N_("put {name} away"),
    "wear": N_("put on {name}"),
    "take-off": N_("took off {name}"),
}


class LogDescriber:
    """Describes the events of a log in order.

    ``states`` are the states before and after each event, by its number; ``names`` those of all
    holdings and units that there ever were, by id.
    """

    def __init__(self, loaded: LoadedCharacter) -> None:
        document, ruleset = loaded.document, loaded.ruleset
        self.loaded = loaded
        self.states: dict[int, tuple[State, State]] = {}
        self.decisions, self.names = answered_decisions(loaded)
        engine.replay(ruleset, document.answers, log=document.log, watch=self._watch)
        self.former_answers: dict[str, Answer] = {}
        self.planned_answers: dict[str, Answer] = {}
        self.table_rules = ruleset.table_rule_options({})
        self.unit_names: dict[str, str] = {}
        self.last_answers = {
            event.decision: event.n
            for event in document.log
            if isinstance(event, AnswerEvent) and not event.now
        }

    def _watch(self, event: AnyEvent, before: State, after: State) -> None:
        self.states[event.n] = (before, after)
        if before is not after:
            self.names |= {holding.id: holding.name for holding in after.holdings}
            self.names |= {unit.id: unit.name for unit in after.units if unit.name}

    def sentence(self, event: AnyEvent) -> str:
        """Return an event in words, with a mark if it has no effect or is broken."""
        own = f"event.{event.n}"
        name = event.decision if isinstance(event, AnswerEvent) else own
        text = self._say(event) + _stamp(event)
        if isinstance(event, AnswerEvent) and not event.now and self.last_answers[name] != event.n:
            return text  # answered again later: the last answer has the mark
        if {own, name} & set(self.loaded.character.dormant):
            return _("{text} [no effect now]").format(text=text)
        broken = [p.message for p in self.loaded.character.problems if p.decision == name]
        return (
            _("{text} [not allowed: {names}]").format(text=text, names="; ".join(broken))
            if broken
            else text
        )

    # ------------------------------------------------------------ one event

    @singledispatchmethod
    def _say(self, event: Event) -> str:
        raise AssertionError(event)

    @_say.register
    def _answer(self, event: AnswerEvent) -> str:
        answer = self._answer_text(event.decision, event.answer)
        text = f"{self._decision_name(event.decision)}: {answer}"
        former = self.former_answers.get(event.decision, NO_ANSWER)
        if event.now:
            text += _(" from here on")
        if former is not NO_ANSWER:
            text += _(", was {answer}").format(answer=self._answer_text(event.decision, former))
        self.former_answers[event.decision] = event.answer
        self.planned_answers.pop(event.decision, None)
        if event.override is not None:
            text += _(" (allowed by {by}: {reason})").format(
                by=event.override.by, reason=event.override.reason
            )
        return text

    @_say.register
    def _advance(self, event: AdvanceEvent) -> str:
        ruleset = self.loaded.ruleset
        label = ruleset.head.advancement.label
        level = ruleset.head.advancement.number(event.level)
        if event.unit is None:
            values = ruleset.values
            spent = ", ".join(
                f"{number} {values[name].noun(number) if name in values else name}"
                for name, number in event.spent.items()
            )
            reached = _("reached {label} {level}").format(label=label, level=level)
            if spent:
                reached += _(" for {spent}").format(spent=spent)
            return reached + _allowed_text(event)
        return _("{name}: reached {label} {level}").format(
            name=self._name_of(event.unit), label=label, level=level
        )

    @_say.register
    def _set(self, event: SetEvent) -> str:
        if event.name is not None:
            return self._new_name(event, event.name)
        if event.portrait is not None:
            return (
                _("portrait: {portrait}").format(portrait=event.portrait)
                if event.portrait
                else _("portrait removed")
            )
        if event.line is not None:
            return self._line(event.line, event.value or "")
        if event.packs is not None:
            return _("updated: {pack_changes}").format(
                pack_changes=", ".join(_pack_changes(event.packs, event.former or ()))
            )
        return self._table_rule(event.rule or "", event.value or "")

    def _new_name(self, event: SetEvent, name: str) -> str:
        """Describe the name that the character or a unit gets."""
        unit = event.unit or CHARACTER
        owner = f"{self._name_of(unit, event)}: " if event.unit else ""
        former = self.unit_names.get(unit)
        self.unit_names[unit] = name
        text = _("{owner}named {name}").format(owner=owner, name=name)
        return text + _(", was {former}").format(former=former) if former else text

    def _table_rule(self, rule_id: str, option: str) -> str:
        """Describe a table rule that is set to an option, both by id."""
        rule = self.loaded.ruleset.table_rules.get(rule_id)
        former = self.table_rules.get(rule_id, "")
        self.table_rules[rule_id] = option
        labels = {one.id: one.label for one in rule.options} if rule else {}
        title = rule.label if rule else rule_id
        text = _("table rule: {title} {option}").format(
            title=with_colon(title), option=labels.get(option, option)
        )
        if former == option:
            return text
        return text + _(", was {former}").format(former=labels.get(former, former))

    def _line(self, number: int, text: str) -> str:
        """Describe a line at the head of the sheet."""
        labels = self.loaded.ruleset.head.sheet.plate
        label = _(labels[number - 1]) if number <= len(labels) else str(number)
        return (
            _("{label}: {text}").format(label=label, text=text)
            if text
            else _("{label} removed").format(label=label)
        )

    @_say.register
    def _plan(self, event: PlanEvent) -> str:
        former = self.planned_answers.pop(event.decision, NO_ANSWER)
        if event.drop:
            answer = "" if former is NO_ANSWER else f": {self._answer_text(event.decision, former)}"
            return _("no longer planned: {decision}{answer}").format(
                decision=self._decision_name(event.decision), answer=answer
            )
        self.planned_answers[event.decision] = event.answer
        answer = self._answer_text(event.decision, event.answer)
        text = _("planned {decision}: {answer}").format(
            decision=self._decision_name(event.decision), answer=answer
        )
        changed = former is not NO_ANSWER
        return (
            _("{text}, was {answer}").format(
                text=text, answer=self._answer_text(event.decision, former)
            )
            if changed
            else text
        )

    @_say.register
    def _acquire(self, event: AcquireEvent) -> str:
        ruleset = self.loaded.ruleset
        entity = ruleset.entities.get(ruleset.canonical(event.entity))
        name = _counted_name(entity.name if entity else event.entity, event.quantity)
        if event.price is not None:
            text = _("bought {name} for {price}").format(
                name=name, price=self._price_text(event.price, event.quantity)
            )
        else:
            text = (
                _("got {name} from the GM").format(name=name)
                if event.granted
                else _("gained {name}").format(name=name)
            )
        text += _note_suffix(event.note) + _allowed_text(event)
        return self._unit_prefix(event.unit) + text

    @_say.register
    def _drop(self, event: DropEvent) -> str:
        name = _counted_name(self._name_of(event.holding, event), event.quantity)
        if event.price is not None:
            text = _("sold {name} for {price}").format(
                name=name, price=self._price_text(event.price, event.quantity)
            )
        else:
            text = _("dropped {name}").format(name=name)
        return text + _note_suffix(event.note or self._came_with(event))

    def _came_with(self, event: DropEvent) -> str:
        """Return what an item came with, if the same command removed that; else nothing."""
        dropped = (other for other in self.loaded.document.log if isinstance(other, DropEvent))
        for other in dropped:
            if other.group == event.group and event.holding.startswith(f"{other.holding}."):
                return _("with {name}").format(name=self._name_of(other.holding, other))
        return ""

    @_say.register
    def _carry(self, event: CarryEvent) -> str:
        return _(CARRIED[event.how]).format(name=self._name_of(event.holding, event))

    @_say.register
    def _resource(self, event: ResourceEvent) -> str:
        if event.holding is not None:
            label = f"{self._name_of(event.holding, event)}: {self._capacity(event)}"
        else:
            label = self._unit_prefix(event.unit) + self._label(event.value)
        return f"{label} {signed_number(event.by)}" + _note_suffix(event.note)

    @_say.register
    def _condition(self, event: ConditionEvent) -> str:
        changes = ", ".join(condition_texts(*self.states[event.n], event.unit, internal=True))
        if not changes:  # nothing changed, or it is no longer possible
            entity = self.loaded.ruleset.entities.get(event.condition)
            name = about_subject(
                entity.name if entity else event.condition, self.loaded.ruleset.subject(event.about)
            )
            changes = (
                _("still no {name}").format(name=name)
                if event.off
                else _("still {name}").format(name=name)
            )
        return self._unit_prefix(event.unit) + changes

    @_say.register
    def _cooldown(self, event: CooldownEvent) -> str:
        name = self._name_of(event.holding, event)
        own = f": {event.ability}" if self._has_own_name(event) and event.ability != name else ""
        change = _("is ready again") if event.off else _("is on cooldown")
        return f"{self._unit_prefix(event.unit)}{name}{own} {change}"

    @_say.register
    def _procedure(self, event: ProcedureEvent) -> str:
        try:
            procedure: Procedure | None = self.loaded.ruleset.procedure(event.procedure)
        except CharforgeError:
            procedure = None
        if procedure is None:
            return self._unit_prefix(event.unit) + self._run_text(event, event.procedure)
        label = procedure.label + _allowed_text(event)
        text = self._run_text(event, label, procedure.inputs, procedure.steps)
        return self._unit_prefix(event.unit) + text

    @_say.register
    def _ability(self, event: AbilityEvent) -> str:
        entity = self.loaded.ruleset.entities.get(event.holding)
        name = entity.name if entity else self._name_of(event.holding, event)
        before = self.states[event.n][0]
        holding = before.holding(event.holding)
        ability = abilities.ability_of(before, event.unit, event.holding, event.ability)
        action = self._action_name(ability) if ability is not None else event.ability
        if action not in ("", name, holding.entity.slug if holding else ""):
            name += f": {action}"
        if event.untrained:
            name += _(", without Training")
        if event.granted:
            name += _(", granted by another ability")
        name += _allowed_text(event)
        inputs = abilities.ability_inputs(before, ability) if ability is not None else ((), ())
        run_text = self._run_text(event, name, *inputs)
        return _("{unit_prefix}used {run}").format(
            unit_prefix=self._unit_prefix(event.unit), run=run_text
        )

    @_say.register
    def _note(self, event: NoteEvent) -> str:
        return _("note{at}: {text}").format(
            at=_(" of {at}").format(at=event.at) if event.at else "", text=event.text
        )

    # ------------------------------------------------------------ its parts

    def _decision_name(self, name: str) -> str:
        """Return the short name of a decision."""
        decision = self.decisions.get(name)
        label = self.loaded.ruleset.decision_label
        return label(name) if decision is None else decision.heading()

    def _answer_text(self, name: str, answer: Answer) -> str:
        decision = self.decisions.get(name)
        if decision is None:
            label = self.loaded.ruleset.answer_label_by_id
            listed = answer if isinstance(answer, list) else [answer]
            plain = [label(name, x) if isinstance(x, str) else json.dumps(x) for x in listed]
            return ", ".join(plain) or _(NOTHING_CHOSEN)
        return decision.answer_text(answer) if answer != "" else _(LEFT_EMPTY)

    def _run_text(
        self, event: RunEvent, label: str, inputs: tuple[Input, ...] = (), steps: Steps = ()
    ) -> str:
        """Return a run in words: its inputs, its dice and its effects."""
        specs: dict[str, Input | ChooseStep] = {spec.id: spec for spec in inputs}
        specs |= {choice.id: choice for choice in number_choices(self.loaded.ruleset, steps)}
        parts = []
        for name, value in event.inputs.items():
            spec = specs.get(name.partition(CHOSEN_AGAIN)[0])
            question = as_written(spec.short or spec.label) if spec is not None else name
            text = str(value) if spec is None else self._input_text(spec, value, event)
            parts.append(text if question == label else f"{question} {text}")
        before, after = self.states[event.n]
        rolled = roll_texts(before, event) if event.faces else []
        if rolled:
            parts.append(_("dice: {names}").format(names=", ".join(rolled)))
        text = true_minus(f"{label} ({'; '.join(parts)})" if parts else label)
        shared = shared_change_texts(event, self.loaded.ruleset)
        changes = ", ".join((*change_texts(before, after, event.unit), *shared))
        return f"{text} → {changes}" if changes else text

    def _input_text(self, spec: Input | ChooseStep, value: int | str, event: Event) -> str:
        """Return an answer in words: yes or no, the name of a value, an item or a term."""
        ruleset = self.loaded.ruleset
        if isinstance(spec, ChooseStep):
            return spec.answer_text(int(value))
        if spec.type == "flag":
            return _("yes") if value else _("no")
        if spec.type == "item":
            return self._name_of(str(value), event)
        if spec.type == "value" and value in ruleset.values:
            return ruleset.values[str(value)].label
        term = ruleset.term(str(value)) if spec.type in ("word", "text") else None
        if term is not None:
            return term.label
        return spec.word(str(value)) if spec.type == "word" else str(value)

    def _name_of(self, name: str, event: Event | None = None) -> str:
        """Return the name of a holding or unit before an event, or else its last name."""
        if event is not None:
            before = self.states[event.n][0]
            names = {holding.id: holding.name for holding in before.holdings}
            names |= {unit.id: unit.name for unit in before.units if unit.name}
            if name in names:
                return names[name]
        return self.names.get(name, name)

    def _has_own_name(self, event: CooldownEvent) -> bool:
        """Return whether an action has a name of its own."""
        holding = self.states[event.n][0].holding(event.holding)
        actions = holding.entity.actions if holding else ()
        return any(action.name and action.name == event.ability for action in actions)

    def _action_name(self, ability: abilities.Ability) -> str:
        """Return the name of an ability among those of its entity; its timing if it has none."""
        action, entity = ability.action, ability.entity
        if action is None or action.name:
            return ability.mode
        if len(entity.actions) + len(entity.attacks) == 1:
            return ""
        timings = self.loaded.ruleset.head.timings
        return next((t.label for t in timings if t.id == action.timing), ability.key)

    def _unit_prefix(self, unit_id: str) -> str:
        return "" if unit_id == CHARACTER else f"{self._name_of(unit_id)}: "

    def _label(self, name: str) -> str:
        return self.loaded.ruleset.label_of(name)

    def _capacity(self, event: ResourceEvent) -> str:
        holding = self.states[event.n][0].holding(event.holding or "")
        capacities = holding.entity.capacities if holding else ()
        return next((c.label for c in capacities if c.id == event.value), event.value)

    def _price_text(self, price: int, quantity: int) -> str:
        value = self.loaded.ruleset.values.get(self.loaded.ruleset.head.gear.money or "")
        unit = f" {value.unit}" if value and value.unit else ""
        each = _(" ({price} each)").format(price=price) if quantity > 1 else ""
        return f"{price * quantity}{unit}{each}"


def pack_change_sentence(record: PackChange, ruleset: Ruleset) -> str:
    """Return in words what replaced packs changed about a character."""
    packs = ", ".join(_pack_changes(record.packs, record.former))
    return _("{packs} changed: {difference_lines}").format(
        packs=packs, difference_lines=", ".join(difference_lines(record.changes, ruleset))
    )


def _pack_changes(packs: tuple[Pin, ...], former: tuple[Pin, ...]) -> list[str]:
    """Return the packs with another version in words; hashes if the version is the same."""
    old_pins = {pin.id: pin for pin in former}
    changes = []
    for pin in packs:
        old = old_pins.get(pin.id)
        if old is None:
            changes.append(f"{pin.id} {pin.version}")
        elif old.version != pin.version:
            changes.append(f"{pin.id} {old.version} → {pin.version}")
        elif old.hash != pin.hash:
            changes.append(f"{pin.id} {pin.version} ({old.hash} → {pin.hash})")
    return changes


def _stamp(event: AnyEvent) -> str:
    """Return who made an event and when, if that was recorded; a note has its own date."""
    at = "" if isinstance(event, NoteEvent) else event.at
    stamp = ", ".join(
        filter(None, (_("by {author}").format(author=event.author) if event.author else "", at))
    )
    return f" ({stamp})" if stamp else ""


def _counted_name(name: str, quantity: int) -> str:
    return name if quantity == 1 else f"{quantity} × {name}"


def _note_suffix(text: str) -> str:
    return f" ({_(text)})" if text else ""  # the program writes some notes itself


# ------------------------------------------------------------------ changes by an event


def roll_texts(state: State, event: RunEvent) -> list[str]:
    """Return the rolls of an event, each with its label and faces.

    If it cannot be run again, ids replace labels.
    """
    dice = RecordedDice(event.faces)
    try:
        repeat_run(state, event, dice)
    except (CharforgeError, TargetMissing):
        rolls = event.faces.items()
        return [f"{name} {faces_text(faces)}" for name, each in rolls for faces in each]
    return [f"{roll.label} {roll.dice.describe(roll.faces)}" for roll in dice.rolls]


def shared_change_texts(event: AnyEvent, ruleset: Ruleset) -> Iterator[str]:
    """Yield by how much an event changed the values of what the group owns."""
    for name, by in event.change.by.items() if event.change is not None else ():
        label = f"{SHARED}{name}"
        known = ruleset.value_label(label) if label in ruleset.shared_labels else name
        yield f"{known} {signed_number(by)}"


def change_texts(before: State, after: State, unit_id: str) -> Iterator[str]:
    """Yield changes of resources and conditions; those of other units with their name."""
    for owner, name in dict.fromkeys([*after.resource_changes, *before.resource_changes]):
        change = after.resource_changes.get((owner, name), 0) - before.resource_changes.get(
            (owner, name), 0
        )
        if change:
            label = _owner_prefix(after, owner, unit_id) + _resource_label(after, owner, name)
            yield f"{label} {signed_number(change)}"
    yield from condition_texts(before, after, unit_id)


def condition_texts(
    before: State, after: State, unit_id: str, internal: bool = False
) -> Iterator[str]:
    """Yield changes of conditions: ``now Prone``, ``no longer Prone``, ``Focus 2 → 1``.

    Those that only help the rules to count are left out unless ``internal`` is true.
    """
    amounts_before, amounts_after = (
        _condition_amounts(state, internal) for state in (before, after)
    )
    for key in dict.fromkeys([*amounts_after, *amounts_before]):
        old, new = amounts_before.get(key), amounts_after.get(key)
        bearer, name, counts = key
        if old == new or not (counts or None in (old, new)):
            continue
        text = (
            f"{name} {old or 0} → {new or 0}"
            if counts and new
            else condition_text(new is None, name)
        )
        yield _owner_prefix(after, bearer, unit_id) + text


def condition_text(off: bool, name: str) -> str:
    """Return the text for a condition that begins, or ends (``off``)."""
    return (_("no longer {name}") if off else _("now {name}")).format(name=name)


def _condition_amounts(state: State, internal: bool) -> Counter[tuple[str, str, bool]]:
    """Return the amounts of conditions by unit, name and whether they are counted."""
    amounts: Counter[tuple[str, str, bool]] = Counter()
    for condition in state.conditions:
        if condition.hidden or (condition.internal and not internal):
            continue
        key = (condition.unit, condition.name, condition.entity.counts)
        amounts[key] += condition.amount
    return amounts


def _owner_prefix(state: State, name: str, unit_id: str) -> str:
    if name in (unit_id, CHARACTER):
        return ""
    unit_names = (unit.name for unit in state.units if unit.id == name)
    holding = state.holding(name)
    return f"{next(unit_names, holding.name if holding else name)}: "


def _resource_label(state: State, owner: str, name: str) -> str:
    holding = state.holding(owner)
    for capacity in holding.entity.capacities if holding else ():
        if capacity.id == name:
            return capacity.label
    value = state.ruleset.values.get(name)
    return value.label if value else name


def _allowed_text(event: RunEvent | AcquireEvent | AdvanceEvent) -> str:
    """Return who allowed something in spite of a rule, and why; nothing if nobody had to."""
    override = event.override
    return (
        ""
        if override is None
        else _(", allowed by {by}: {reason}").format(by=override.by, reason=override.reason)
    )
