"""Scenes of a sample: played step by step with the dice that they give, and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from charforge.character import gear, play_state
from charforge.character.holdings import gain
from charforge.character.state import FixedModifier, Holding, State
from charforge.errors import CharforgeError, UsageError, nearest
from charforge.expressions.dice import Dice
from charforge.odds import Case, Chances, Odds
from charforge.procedures import abilities, run as procedures
from charforge.procedures.context import AGAIN, StepMessage
from charforge.procedures.run import ProcedureResult
from charforge.rules.models import Decide, ExpectedOfStep, Scene, SceneStep
from charforge.usecases.sample_characters import (
    NOTHING,
    BuiltCharacter,
    Mismatch,
    figure_differences,
    find_unit,
)

SET_UP = "sample"  # the origin of what a scene gives beyond the rules


def scene_differences(scene: Scene, built: BuiltCharacter) -> Iterator[Mismatch]:
    """Play a scene; yield everything that is not as expected, to the first step that fails."""
    amiss = [f"{name}: {'; '.join(texts)}" for name, texts in built.wrong.items()]
    amiss += [f"{name} is open" for name in built.open]
    if amiss:
        yield Mismatch("its character", "legal", "; ".join(amiss))
        return
    table = _Table(built)
    for number, step in enumerate(scene.steps, 1):
        label = f"step {number}" + (f" ({step.text})" if step.text else "")
        found, done = table.take(step)
        yield from (replace(one, what=f"{label}: {one.what}") for one in found)
        if not done:
            return


class _Dice:
    """The faces that a step gives, roll by roll; it keeps what was rolled without any."""

    def __init__(self, given: Mapping[str, Sequence[Sequence[int]]]) -> None:
        self.left = {name: [list(faces) for faces in rolls] for name, rolls in given.items()}

    def __call__(self, name: str, dice: Dice, _label: str) -> list[int]:
        """Return the next faces of a roll."""
        rolls = self.left.get(name)
        if not rolls:
            left = ", ".join(one for one, faces in self.left.items() if faces) or NOTHING
            raise UsageError(f"{dice.notation} are rolled for {name!r}; the dice left: {left}")
        faces = rolls.pop(0)
        if len(faces) != dice.number or not set(faces) <= set(dice.faces):
            raise UsageError(f"{faces} is no roll of {dice.notation} ({name})")
        return faces


class _Choices:
    """The numbers that a step chooses on the way; what it leaves out is as suggested."""

    def __init__(self, given: Mapping[str, int]) -> None:
        self.left = dict(given)
        self._times: Counter[str] = Counter()

    def __call__(
        self, step: Decide, low: int, high: int, suggested: int, _told: Sequence[StepMessage]
    ) -> int:
        """Return the number for a choice. Raises UsageError for one out of its bounds."""
        self._times[step.id] += 1
        times = self._times[step.id]
        number = self.left.pop(step.id + (f"{AGAIN}{times}" if times > 1 else ""), suggested)
        if not low <= number <= high:
            raise UsageError(f"{step.id}: {number} is not from {low} to {high}")
        return number


@dataclass
class _Table:
    """A character at the table; what a step changes stays changed."""

    built: BuiltCharacter
    state: State = field(init=False)

    def __post_init__(self) -> None:
        self.state = self.built.character.state

    def take(self, step: SceneStep) -> tuple[list[Mismatch], bool]:
        """Take a step; return what is not as expected, and whether the scene can go on."""
        expected = step.expect
        refusal = None if expected is None else expected.refused
        found: list[Mismatch] = []
        try:
            unit = self._unit(step.unit)
            self._set_up(step, unit)
        except CharforgeError as error:
            return [Mismatch("what it sets up", "possible", str(error))], False
        dice, choices, done = _Dice(step.dice), _Choices(step.choose), None
        try:
            done = self._act(step, unit, dice, choices)
        except CharforgeError as error:
            reason = str(error)
            if refusal is None:
                return [Mismatch("it", "allowed", reason)], False
            parts = (part for part in refusal if part not in reason)
            found += (Mismatch("refused", repr(part), reason) for part in parts)
        else:
            if refusal is not None:
                found.append(Mismatch("it", f"refused: {'; '.join(refusal)}", "allowed"))
            rest = [name for name, rolls in dice.left.items() if rolls]
            found += (Mismatch(f"dice {name}", "rolled", "never rolled") for name in rest)
            found += (Mismatch(f"choice {n}", "asked for", "never asked") for n in choices.left)
        if expected is not None:
            found += self._differences(step, expected, unit, done)
        return found, True

    # ------------------------------------------------------------- what a step does

    def _unit(self, name: str) -> str:
        unit = find_unit(self.state, name)
        if unit is None:
            units = ", ".join(one.entity.id if one.entity else one.id for one in self.state.units)
            raise UsageError(f"there is no unit {name}; there are {units}")
        return unit

    def _set_up(self, step: SceneStep, unit: str) -> None:
        """Change the state as a step says before anything is done."""
        state, entity = self.state, self.state.ruleset.entity
        if step.rule:
            state = state.with_changes(rules={**state.rules, **step.rule})
        for name in step.gain:
            state = gain(state, entity(name), name.partition("/")[2], SET_UP, unit)
        for value, figure in step.score.items():
            more = FixedModifier(
                unit, value, "add", figure - state.values(unit).base(value), SET_UP
            )
            state = state.with_changes(fixed_modifiers=(*state.fixed_modifiers, more))
        for value, by in step.change.items():
            state, _real = play_state.change_resource(state, unit, value, by)
        for name in step.lift:
            state, _gone = play_state.remove_condition(state, unit, entity(name))
        for name, amount in step.put.items():
            state = play_state.add_condition(
                state, unit, entity(name), amount, step.about, step.turns
            )
        for name in step.hold:
            state = gear.hold(state, _holding(state, name))
        for name, spent in step.spend.items():
            holding = _holding(state, name)
            for capacity in holding.entity.capacities:
                by = -spent.get(capacity.id, 0)
                state, _real = play_state.change_capacity(state, holding, capacity, by)
        for name, key in step.cool.items():
            state = _cooled(state, _holding(state, name), key)
        for moment in step.passes:
            state, _ended = play_state.pass_moment(state, unit, moment)
        self.state = state

    def _act(
        self, step: SceneStep, unit: str, dice: _Dice, choices: _Choices
    ) -> ProcedureResult | None:
        """Run a procedure or use an ability; return what came of it."""
        if step.run is not None:
            procedure = self.state.ruleset.procedure(step.run)
            figures, bare = step.figures, step.figures is not None
            done = procedures.run_procedure(
                self.state, procedure, step.set, dice, unit, choices, figures, bare
            )
        elif step.use:
            ability = self._ability(step, unit)
            done = abilities.use_ability(self.state, ability, step.set, dice, choices)
        else:
            return None
        self.state = done.state
        return done

    def _ability(self, step: SceneStep, unit: str) -> abilities.Ability:
        """Return what a step uses: of several items that have it, the one gained last."""
        every = list(abilities.all_abilities(self.state, unit))
        own = [one for one in every if step.use in (one.entity.id, one.source)]
        found = [one for one in own if step.ability in ("", one.key)]
        if not found or (not step.ability and len({one.key for one in own}) > 1):
            known = dict.fromkeys(f"{one.entity.id} ({one.key})" for one in own or every)
            raise UsageError(f"no ability {step.use} {step.ability}; there are {', '.join(known)}")
        return found[-1]

    # ------------------------------------------------------------- what must come of it

    def _differences(
        self, step: SceneStep, expected: ExpectedOfStep, unit: str, done: ProcedureResult | None
    ) -> Iterator[Mismatch]:
        yield from figure_differences(expected, replace(self.built.character, state=self.state))
        if done is not None:
            yield from _results(expected, done)
        conditions = list(self.state.active_conditions(unit))
        for name, whom in expected.about.items():
            there = [one.about for one in conditions if one.entity.id == name]
            if there != list(whom):
                yield Mismatch(f"{name} is about", ", ".join(whom), ", ".join(there) or NOTHING)
        for name, left in expected.left.items():
            holding = _holding(self.state, name)
            for capacity in holding.entity.capacities:
                number = play_state.capacity_left(self.state, holding, capacity)
                if left.get(capacity.id, number) != number:
                    yield Mismatch(f"{name} {capacity.id}", str(left[capacity.id]), str(number))
        if expected.cooling is not None:
            cooling = {f"{_named(self.state, name)} ({key})" for name, key in self.state.cooldowns}
            if cooling != set(expected.cooling):
                wanted = ", ".join(expected.cooling) or NOTHING
                yield Mismatch("on cooldown", wanted, ", ".join(sorted(cooling)) or NOTHING)
        if step.odds is not None:
            yield from self._chances(step, step.odds, expected)

    def _chances(
        self, step: SceneStep, procedure: str, expected: ExpectedOfStep
    ) -> Iterator[Mismatch]:
        """Compare exact odds, written as fractions or as percentages."""
        case = Case(dict(step.set))
        outcomes = {
            one.id: one
            for one in Odds(self.state, self.state.ruleset.procedure(procedure), [case]).of(case)
        }
        for wanted, given in ((expected.chances, False), (expected.chances_given, True)):
            for name, chances in wanted.items():
                outcome = outcomes[name]
                there = outcome.given if given else outcome.chances
                for value, chance in chances.items():
                    found = _chance(there, value)
                    if not _as_likely(chance, found):
                        yield Mismatch(f"chance of {name} {value}", chance, str(found))


def _results(expected: ExpectedOfStep, done: ProcedureResult) -> Iterator[Mismatch]:
    """Compare outputs, and messages of a run."""
    for name, output in expected.outputs.items():
        if done.outputs.get(name) != output:
            yield Mismatch(f"output {name}", str(output), str(done.outputs.get(name, NOTHING)))
    messages = [step.text for step in done.steps]
    for part in expected.messages:
        if not any(part in text for text in messages):
            yield Mismatch("message", repr(part), " | ".join(messages) or NOTHING)
    for part in expected.no_messages:
        if any(part in text for text in messages):
            yield Mismatch("message", f"not {part!r}", " | ".join(messages))
    if expected.all_messages is not None and messages != list(expected.all_messages):
        yield Mismatch("messages", " | ".join(expected.all_messages), " | ".join(messages))


def _holding(state: State, name: str) -> Holding:
    """Return an item by its id or its entity: of several the one gained last."""
    found = [one for one in state.holdings if name in (one.id, one.entity.id)]
    if not found:
        near = nearest(name, [one.entity.id for one in state.holdings])
        raise UsageError(f"nothing held is {name}" + (f"; {near} is" if near else ""))
    return found[-1]


def _named(state: State, holding: str) -> str:
    held = state.holding(holding)
    return held.entity.id if held is not None else holding


def _cooled(state: State, holding: Holding, key: str) -> State:
    """Put an ability of an item on cooldown."""
    for action in holding.entity.actions:
        if play_state.action_key(holding.entity, action) == key:
            return play_state.start_cooldown(state, holding, action)
    raise UsageError(f"{holding.entity.name} has no action {key}")


def _chance(there: Chances | None, value: str) -> Fraction:
    """Return the chance of a value: a number, a word, or ``5 or more``."""
    if there is None:
        return Fraction(0)
    start, more, _rest = value.partition(" or more")
    if more:
        return there.at_least(int(start))
    known: Mapping[Any, Fraction] = {str(one): chance for one, chance in there.by_value.items()}
    return known.get(value, Fraction(0))


def _as_likely(expected: str, found: Fraction) -> bool:
    """Whether a chance is as expected; a percentage has as many digits as it is written with."""
    try:
        if not expected.endswith("%"):
            return Fraction(expected) == found
        percent = Decimal(expected[:-1])
    except (ValueError, ZeroDivisionError, InvalidOperation):
        return False
    exact = Decimal(found.numerator * 100) / Decimal(found.denominator)
    return exact.quantize(percent) == percent
