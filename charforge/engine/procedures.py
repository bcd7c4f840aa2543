"""Running a procedure: its steps taken one by one, on a state, with dice from outside.

Dice come from a callable by the roll's id, so the same procedure serves a
roll on the screen, dice typed from the table, a replay of recorded faces
and the counting of odds. A run tells its steps and never touches the
state it began with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from charforge import dice as dice_module
from charforge.content.models import (
    AnyProcedureStep,
    Call,
    Change,
    Decide,
    Entity,
    Input,
    Let,
    Lift,
    LookUp,
    Pass,
    Procedure,
    Put,
    Recover,
    Refill,
    Require,
    Reroll,
    RollDice,
    Step,
    Tell,
)
from charforge.dice import Dice
from charforge.engine import play
from charforge.engine.inputs import choices, input_faults
from charforge.engine.state import CHARACTER, Holding, State
from charforge.errors import ProcedureError, RuleRefusal
from charforge.formula import Formula
from charforge.text import MINUS, Figure, figure, signed, substitute

Variable = int | str | tuple[int, ...]
AGAIN = "#"  # a number chosen once more in the same run: ``id#2``
# Gives the faces of a roll: its id, the dice, what it is for.
Roller = Callable[[str, Dice, str], list[int]]


class UnknownFigure(ProcedureError):
    """A figure that a procedure reads where there is no character to read it from."""

    def __init__(self, procedure: str, figure: str) -> None:
        super().__init__(procedure, [(figure, "its figure is not known: give a FILE, or --set it")])
        self.figure = figure


@dataclass(frozen=True, slots=True)
class Told:
    """One step that was taken, in words; ``source`` is the rule that it comes from."""

    step: str
    text: str
    source: str
    id: str = ""
    value: int | None = None
    faces: tuple[int, ...] = ()


@dataclass(frozen=True)
class Run:
    """What a run came to: the state after it, its outputs, its steps, the faces it used.

    ``inputs`` are those it was given and the numbers chosen on the way:
    with them and the faces the same run can be had again.
    """

    state: State
    outputs: Mapping[str, int]
    labels: Mapping[str, str]
    steps: tuple[Told, ...]
    faces: Mapping[str, list[list[int]]]
    inputs: Mapping[str, Any]


class _Stopped(Exception):
    pass


# Gives a number in the middle: the step, its bounds, what it would be if nobody were asked,
# and what was told so far.
Chooser = Callable[[Decide, int, int, int, Sequence[Told]], int]


def nobody(_step: Decide, _low: int, _high: int, suggested: int, _told: Sequence[Told] = ()) -> int:
    """Choose what stands when nobody is asked."""
    return suggested


def run(
    state: State,
    procedure: Procedure,
    inputs: Mapping[str, Any],
    roll: Roller,
    unit: str = CHARACTER,
    choose: Chooser = nobody,
    given: Mapping[str, int] | None = None,
    bare: bool = False,
) -> Run:
    """Run a procedure for a unit.

    ``given`` are figures that stand in place of the unit's own; ``bare``
    says that there is no character, so that every other figure is unknown.
    Raises ProcedureError for inputs that are missing or wrong (all at
    once) and for a rule that refuses.
    """
    figures = given or {}
    problems = list(_faults(state, procedure, inputs, unit, figures if bare else None))
    if problems:
        raise ProcedureError(procedure.id, problems)
    if procedure.units and state.unit(unit).type.id not in procedure.units:
        label = state.unit(unit).type.label
        raise ProcedureError(procedure.id, [("unit", f"it is not for a {label}")])
    running = _Running(state, unit, roll, choose, procedure.source, dict(figures), bare)
    running.begin(procedure.inputs, inputs)
    return running.finish(procedure, inputs)


def take(
    state: State,
    unit: str,
    bearer: Entity,
    holding: Holding | None,
    inputs: tuple[Input, ...],
    steps: Iterable[AnyProcedureStep],
    given: Mapping[str, Any],
    roll: Roller,
    choose: Chooser = nobody,
) -> Run:
    """Take the steps of an action of ``bearer`` that a unit uses; ``holding`` is the item used."""
    running = _Running(state, unit, roll, choose, bearer.id, {}, False, holding)
    problems = list(input_faults(state, inputs, given, unit))
    if problems:
        raise ProcedureError(bearer.id, problems)
    running.begin(inputs, given)
    running.steps(steps)
    return running.result((), given)


def _faults(
    state: State,
    procedure: Procedure,
    inputs: Mapping[str, Any],
    unit: str,
    figures: Mapping[str, int] | None,
) -> Iterator[tuple[str, str]]:
    known = {one.id for one in procedure.inputs}
    chosen = {step.id for step in choices(state.ruleset, procedure.steps)}
    for name in inputs:
        if name not in known and name.partition(AGAIN)[0] not in chosen:
            yield name, "the procedure has no such input"
    yield from input_faults(state, procedure.inputs, inputs, unit, figures)


@dataclass
class _Running:
    """A run on its way: the state and the variables as they are now."""

    state: State
    unit: str
    roll: Roller
    choose: Chooser
    source: str
    given: dict[str, int]
    bare: bool
    holding: Holding | None = None
    variables: dict[str, Variable] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)
    faces: dict[str, list[list[int]]] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    sides: dict[str, tuple[int, ...]] = field(default_factory=dict)

    # ------------------------------------------------------------ begin and end

    def begin(self, inputs: tuple[Input, ...], given: Mapping[str, Any]) -> None:
        """Make the inputs variables, those left out by their defaults."""
        self.answers = dict(given)
        for one in inputs:
            value = given.get(one.id)
            if one.optional:
                self.variables[f"{one.id}_given"] = int(value is not None)
            if value is None:
                value = one.default_word if one.default is None else self.whole(one.default)
            if one.type in ("number", "flag"):
                value = int(value or 0)
            self.variables[one.id] = value
            for name, option in zip(one.told, one.options, strict=True):
                self.variables[name] = int(value == option)

    def finish(self, procedure: Procedure, inputs: Mapping[str, Any]) -> Run:
        """Take every step of a procedure and sum up."""
        self.steps(procedure.steps)
        return self.result(tuple((o.id, o.label) for o in procedure.outputs), inputs)

    def result(self, outputs: Iterable[tuple[str, str]], inputs: Mapping[str, Any]) -> Run:
        """Sum up: what came out, and everything needed to run it again."""
        found = {name: self.variables[name] for name, _label in outputs if name in self.variables}
        return Run(
            self.state,
            {name: value for name, value in found.items() if isinstance(value, int)},
            dict(outputs),
            tuple(self.told),
            self.faces,
            {**inputs, **self.answers},
        )

    # ------------------------------------------------------------ reading

    def name(self, name: str) -> Any:
        """Return a variable, a given figure, or the unit's figure now."""
        if name in self.variables:
            return self.variables[name]
        if name in self.given:
            return self.given[name]
        if self.bare:
            raise UnknownFigure(self.source, name)
        return self.state.values(self.unit).now(name)

    def whole(self, formula: Formula) -> int:
        """Evaluate a formula over variables and figures."""
        values = self.state.values(self.unit)
        return formula.whole(self.name, values.has, values.number)

    def target(self, name: str) -> str:
        """Return what a name or ``$input`` means."""
        return str(self.variables.get(name[1:], "")) if name.startswith("$") else name

    def words(self, text: str) -> str:
        """Fill the figures of a text."""

        def say(found: Figure) -> str:
            if found.choice:
                word = str(self.variables.get(found.choice, found.choice))
                value = self.state.ruleset.values.get(word)
                return value.label if value is not None else word
            return signed(found.dice, self.whole(found.formula))

        return substitute(text, say)

    # ------------------------------------------------------------ steps

    def steps(self, steps: Iterable[AnyProcedureStep]) -> None:
        """Take steps until they end or one of them stops."""
        try:
            self._each(steps)
        except _Stopped:
            return

    def _each(self, steps: Iterable[AnyProcedureStep]) -> None:
        for step in steps:
            if step.repeat is None:
                self._one(step)
                continue
            times = 0
            while times < step.repeat.at_most and self.whole(step.repeat.while_):
                self._one(step)
                times += 1

    def _one(self, step: AnyProcedureStep) -> None:
        rules = self.state.ruleset.ruled(self.state.rules)
        if any(rules.get(rule) != option for rule, option in step.ruled.items()):
            return
        if step.units and (self.bare or self.state.unit(self.unit).type.id not in step.units):
            return
        if step.when is None or self.whole(step.when):
            STEPS[type(step)](self, step)

    def tell(
        self,
        step: Step,
        plain: str,
        name: str = "",
        value: int | None = None,
        faces: Iterable[int] = (),
    ) -> None:
        """Tell a step: in the pack's words, or plainly."""
        if step.quiet:
            return
        text = self.words(step.say) if step.say else plain
        kind = getattr(step, "do", "")
        source = step.source or self.source
        self.told.append(Told(kind, text, source, name, value, tuple(faces)))

    def let(self, step: Let) -> None:
        """Compute a variable."""
        value = self.variables[step.id] = self.whole(step.to)
        self.tell(step, f"{step.id} = {value}", step.id, value)

    def roll_dice(self, step: RollDice) -> None:
        """Roll dice, and add what an amount adds."""
        plus, notations = 0, tuple(filter(None, [step.dice]))
        if step.figure:
            amount = figure(str(self.variables[step.figure]) or "0")
            plus, notations = self.whole(amount.formula), amount.dice
        times = 1 if step.figure else self.whole(step.times)
        faces: list[int] = []
        for notation in notations:
            rolled = dice_module.parse(notation, self.state.ruleset.dice)
            if times > 0:
                number = rolled.number * times
                many = Dice(number, rolled.faces, f"{number}d{rolled.notation.partition('d')[2]}")
                faces += self._roll(step.id, many, step.label)
        total = sum(faces) + plus
        self.variables[step.id] = total
        self.variables[f"{step.id}_dice"] = tuple(faces)
        shown = f"{_shown(faces, plus)} = {total}" if faces else signed((), total)
        self.tell(step, f"{step.label or step.id}: {shown}", step.id, total, faces)

    def _roll(self, name: str, dice: Dice, label: str) -> list[int]:
        faces = self.roll(name, dice, label)
        fault = dice.fault(faces)
        if fault:
            raise ProcedureError(self.source, [(name, fault)])
        self.faces.setdefault(name, []).append(list(faces))
        self.sides[name] = dice.faces
        return faces

    def reroll(self, step: Reroll) -> None:
        """Roll some dice of an earlier roll again, as often as it says."""
        for _time in range(self.whole(step.times)):
            self._reroll_once(step)

    def _reroll_once(self, step: Reroll) -> None:
        former = self.variables.get(f"{step.id}_dice", ())
        assert isinstance(former, tuple)
        number = len(former) if step.which == "all" else min(self.whole(step.count), len(former))
        if number <= 0:
            return
        order = sorted(range(len(former)), key=lambda at: (former[at], at))
        chosen = order[-number:] if step.which == "highest" else order[:number]
        sides = self.sides[step.id]
        fresh = self._roll(step.id, Dice(number, sides, f"{number}d{len(sides)}"), "")
        after = list(former)
        for at, face in zip(chosen, fresh, strict=True):
            after[at] = face
        total = self.variables[step.id]
        assert isinstance(total, int)
        total += sum(after) - sum(former)
        self.variables[step.id] = total
        self.variables[f"{step.id}_dice"] = tuple(after)
        was, now = " ".join(map(str, former)), " ".join(map(str, after))
        self.tell(step, f"rerolled: {was} → {now}", step.id, total, after)

    def look_up(self, step: LookUp) -> None:
        """Read a figure of the unit."""
        name = self.target(step.value)
        if step.lasting and not self.bare and name not in self.given:
            value = self.state.values(self.unit).read(name)
        else:
            value = int(self.name(name))
        self.variables[step.id] = value
        label = self.state.ruleset.values[name].label
        self.tell(step, f"{label} {value}", step.id, value)

    def decide(self, step: Decide) -> None:
        """Have a number chosen, within its bounds."""
        low, high = self.whole(step.minimum), self.whole(step.maximum)
        name = self._asked(step.id)
        high = max(low, high)
        if name in self.answers:
            value = int(self.answers[name])
            if not low <= value <= high:
                raise ProcedureError(self.source, [(name, f"{value} is not from {low} to {high}")])
        else:
            suggested = min(max(self.whole(step.default), low), high)
            value = suggested if low == high else self.choose(step, low, high, suggested, self.told)
            if value != suggested:
                self.answers[name] = value
        self.variables[step.id] = value
        self.tell(step, f"{step.label}: {value}", step.id, value)

    def _asked(self, name: str) -> str:
        """Return what a choice is called in what was chosen: numbered where it comes again."""
        self.asked[name] = self.asked.get(name, 0) + 1
        return name if self.asked[name] == 1 else f"{name}{AGAIN}{self.asked[name]}"

    def require(self, step: Require) -> None:
        """Refuse the whole run unless a formula holds."""
        if not self.whole(step.that):
            raise RuleRefusal(self.words(step.say) or f"{step.that} does not hold")

    def change(self, step: Change) -> None:
        """Change a resource."""
        name, by = self.target(step.value), self.whole(step.by)
        if self.bare:
            real = by
            if name in self.given:
                self.given[name] = max(self.given[name] + by, 0)
        else:
            self.state, real = play.change(self.state, self.unit, name, by)
        if step.id is not None:
            self.variables[step.id] = real
        if real or step.say:
            label = self.state.ruleset.values[name].label
            now = self.given.get(name) if self.bare else self.state.values(self.unit).base(name)
            left = "" if now is None else f" → {now}"
            sign = "+" if real >= 0 else MINUS
            self.tell(step, f"{label} {sign}{abs(real)}{left}", name, real)

    def put(self, step: Put) -> None:
        """Put a condition on the unit."""
        entity = self.state.ruleset.entity(self.target(step.condition))
        amount = self.whole(step.amount)
        before = self.state.under(self.unit, entity.id)
        turns = None if step.turns is None else self.whole(step.turns)
        about = "" if step.about is None else str(self.variables[step.about[1:]])
        self.state = play.put(self.state, self.unit, entity, amount, about, turns)
        after = self.state.under(self.unit, entity.id)
        counts = entity.condition is not None and entity.condition.counts
        named = f"{entity.name} ({about})" if about else entity.name
        shown = f"{named} {before} → {after}" if counts else f"now {named}"
        if after != before or not counts:
            self.tell(step, shown, entity.id, after)

    def lift(self, step: Lift) -> None:
        """Take a condition off the unit."""
        entity = self.state.ruleset.entity(self.target(step.condition))
        amount = None if step.amount is None else self.whole(step.amount)
        about = None if step.about is None else str(self.variables[step.about[1:]]) or None
        self.state, gone = play.lift(self.state, self.unit, entity, amount, about)
        if gone:
            now = self.state.under(self.unit, entity.id)
            shown = f"{entity.name} → {now}" if now else f"no longer {entity.name}"
            self.tell(step, shown, entity.id, now)

    def refill(self, step: Refill) -> None:
        """Restore what the item that is used carries."""
        if self.holding is None:
            raise RuleRefusal("there is no item to refill")
        kept = self.holding.entity.capacities
        capacity = next(one for one in kept if one.id == step.capacity)
        by = capacity.max * self.holding.quantity if step.by is None else self.whole(step.by)
        self.state, real = play.change_capacity(self.state, self.holding, capacity, by)
        now = play.left(self.state, self.holding, capacity)
        self.tell(step, f"{capacity.label} +{real} → {now}", capacity.id, real)

    def passing(self, step: Pass) -> None:
        """Let a moment pass."""
        self.state, ended = play.passed(self.state, self.unit, step.moment)
        for condition in ended:
            about = f" ({condition.about})" if condition.about else ""
            self.tell(step, f"{condition.entity.name}{about} ends", condition.entity.id, 0)

    def recover(self, step: Recover) -> None:
        """Roll for the effects on cooldown, or bring all of them off it."""
        recovered = 0
        for holding, action in list(play.cooling(self.state, self.state.unit(self.unit))):
            number = _printed(action.cooldown)
            if (step.of == "number") != (number is not None):
                continue
            if step.of != "number" and action.cooldown != step.of:
                continue
            pair = (holding.id, play.action_key(holding.entity, action))
            name = holding.entity.name
            told, off = f"{name} comes off cooldown", True
            if step.dice:
                rolled = dice_module.parse(step.dice, self.state.ruleset.dice)
                faces = self._roll(f"{step.id}.{pair[0]}.{pair[1]}", rolled, name)
                self.variables |= {"roll": sum(faces), "number": number or 0}
                off = bool(self.whole(step.judged))
                shown = " ".join(map(str, faces))
                told = f"{name}: rolled {shown}, " + (
                    "off cooldown" if off else "still on cooldown"
                )
            if off:
                self.state = play.ready(self.state, pair)
                recovered += 1
            self.tell(step, told, holding.entity.id, int(off))
        self.variables[step.id] = recovered

    def call(self, step: Call) -> None:
        """Run another procedure within this one; its steps are told among ours."""
        procedure = self.state.ruleset.procedure(step.procedure)
        inner = _Running(
            self.state, self.unit, self.roll, self.choose, procedure.source, self.given, self.bare
        )
        inner.faces, inner.sides, inner.told = self.faces, self.sides, self.told
        passed = {name: self._passed(value) for name, value in step.with_.items()}
        inner.begin(procedure.inputs, {n: v for n, v in passed.items() if v is not None})
        inner.answers, inner.asked = self.answers, self.asked
        inner.steps(procedure.steps)
        self.state = inner.state
        for ours, theirs in step.take.items():
            self.variables[ours] = inner.variables.get(theirs, 0)

    def _passed(self, value: str | Formula) -> Variable | None:
        """Return what an input is given: None hands on that ours was not."""
        if isinstance(value, Formula):
            return self.whole(value)
        name = value[1:]
        return self.variables[name] if self.variables.get(f"{name}_given", 1) else None

    def say(self, step: Tell) -> None:
        """Say something, and perhaps stop."""
        self.tell(step, "")
        if step.stop:
            raise _Stopped


STEPS: dict[type, Callable[[_Running, Any], None]] = {
    Let: _Running.let,
    RollDice: _Running.roll_dice,
    Reroll: _Running.reroll,
    LookUp: _Running.look_up,
    Decide: _Running.decide,
    Require: _Running.require,
    Change: _Running.change,
    Put: _Running.put,
    Lift: _Running.lift,
    Refill: _Running.refill,
    Pass: _Running.passing,
    Recover: _Running.recover,
    Call: _Running.call,
    Tell: _Running.say,
}


def _printed(cooldown: str) -> int | None:
    """Return the number of a cooldown such as ``5+``; None for a word."""
    digits = cooldown.rstrip("+")
    return int(digits) if digits.isdigit() else None


def _shown(faces: Iterable[int], plus: int) -> str:
    rolled = " + ".join(map(str, faces))
    if not plus:
        return rolled
    return f"{rolled} {'+' if plus > 0 else MINUS} {abs(plus)}"
