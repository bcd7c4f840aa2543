"""Scenes of a sample: played step by step with the dice in the file, and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from charforge.character import gear, holdings, state_changes
from charforge.character.holdings import add_holding, newly_exceeded
from charforge.character.state import CHARACTER, FixedModifier, Holding, State
from charforge.errors import CharforgeError, RuleRefusal, UsageError, nearest, not_between, shorten
from charforge.expressions.dice import Dice
from charforge.odds import Case, Chances, Odds
from charforge.packs.sample_characters import (
    NOTHING_FOUND,
    BuiltCharacter,
    Mismatch,
    figure_mismatches,
    find_unit,
)
from charforge.procedures import abilities, run as procedures
from charforge.procedures.context import AGAIN, StepMessage
from charforge.procedures.run import ProcedureResult
from charforge.rules.models import ChooseStep, Entity, ExpectedOfStep, Scene, SceneStep

SET_UP = "sample"  # the origin of what a scene sets up beyond the rules


def scene_mismatches(scene: Scene, character: BuiltCharacter) -> Iterator[Mismatch]:
    """Play a scene; yield everything that is not as expected, up to the first step that fails."""
    problems = character.problem_texts()
    if problems:
        yield Mismatch("its character", "legal", "; ".join(problems))
        return
    player = _ScenePlayer(character)
    for number, step in enumerate(scene.steps, 1):
        label = f"step {number}" + (f" ({step.text})" if step.text else "")
        mismatches, can_go_on = player.play(step)
        for mismatch in mismatches:
            yield replace(mismatch, what=f"{label}: {mismatch.what}")
        if not can_go_on:
            return


class _StepDice:
    """The faces in a step by roll; ``left`` are those not rolled yet."""

    def __init__(self, faces: Mapping[str, Sequence[Sequence[int]]]) -> None:
        self.left = {name: [list(roll) for roll in rolls] for name, rolls in faces.items()}

    def roll(self, name: str, dice: Dice, _label: str) -> list[int]:
        """Return the next faces of a roll. Raises UsageError for none or wrong ones."""
        rolls = self.left.get(name)
        if not rolls:
            left = ", ".join(other for other, faces in self.left.items() if faces) or NOTHING_FOUND
            raise UsageError(f"{shorten(name)} rolls {dice.notation}; the dice left are: {left}")
        faces = rolls.pop(0)
        if len(faces) != dice.number or not set(faces) <= set(dice.faces):
            raise UsageError(f"{faces} is not a roll of {dice.notation} ({name})")
        return faces


class _StepChoices:
    """The numbers that a step chooses on the way; others are as suggested."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self.left = dict(numbers)
        self._times: Counter[str] = Counter()

    def choose(
        self,
        step: ChooseStep,
        low: int,
        high: int,
        suggested: int,
        _messages: Sequence[StepMessage],
    ) -> int:
        """Return the number for a choice. Raises UsageError for one out of its bounds."""
        self._times[step.id] += 1
        times = self._times[step.id]
        number = self.left.pop(step.id + (f"{AGAIN}{times}" if times > 1 else ""), suggested)
        if not low <= number <= high:
            raise UsageError(f"{step.id}: {not_between(number, low, high)}")
        return number


@dataclass
class _ScenePlayer:
    """Plays the steps of a scene one after another; ``state`` is the character's after each."""

    character: BuiltCharacter
    state: State = field(init=False)

    def __post_init__(self) -> None:
        self.state = self.character.character.state

    def play(self, step: SceneStep) -> tuple[list[Mismatch], bool]:
        """Play a step; return what is not as expected, and whether the scene can go on."""
        expected = step.expect
        refusal = None if expected is None else expected.refused
        mismatches: list[Mismatch] = []
        unit, result = CHARACTER, None
        dice, choices = _StepDice(step.dice), _StepChoices(step.choose)
        try:
            unit = self._unit(step.unit)
            self._set_up(step, unit)
            result = self._act(step, unit, dice, choices)
        except CharforgeError as error:
            reason = str(error)
            if refusal is None:
                return [Mismatch("it", "allowed", reason)], False
            parts = (part for part in refusal if part not in reason)
            mismatches += (Mismatch("refused", repr(part), reason) for part in parts)
        else:
            if refusal is not None:
                mismatches.append(Mismatch("it", f"refused: {'; '.join(refusal)}", "allowed"))
            unused = [name for name, rolls in dice.left.items() if rolls]
            mismatches += (Mismatch(f"dice {n}", "rolled", "never rolled") for n in unused)
            mismatches += (
                Mismatch(f"choice {n}", "asked for", "never asked") for n in choices.left
            )
        if expected is not None:
            mismatches += self._mismatches(step, expected, unit, result)
        return mismatches, True

    # ------------------------------------------------------------- playing

    def _unit(self, name: str) -> str:
        unit = find_unit(self.state, name)
        if unit is None:
            known = (other.entity.id if other.entity else other.id for other in self.state.units)
            raise UsageError(f"there is no unit {name}; there are {', '.join(known)}")
        return unit

    def _set_up(self, step: SceneStep, unit: str) -> None:
        """Change the state as a step says, before it runs anything."""
        state, entity = self.state, self.state.ruleset.entity
        if step.rule:
            state = state.with_changes(rules={**state.rules, **step.rule})
        for name in step.gain:
            state = _gain(state, entity(name), unit, overridden=step.override)
        for value, figure in step.score.items():
            difference = figure - state.values(unit).base(value)
            modifier = FixedModifier(unit, value, "add", difference, SET_UP)
            state = state.with_changes(fixed_modifiers=(*state.fixed_modifiers, modifier))
        for value, by in step.change.items():
            state, _difference = state_changes.change_resource(state, unit, value, by)
        for name in step.lift:
            state, _removed = state_changes.remove_condition(state, unit, entity(name))
        for name, amount in step.put.items():
            state = state_changes.add_condition(
                state, unit, entity(name), amount, step.about, step.turns
            )
        state = _carry(state, step)
        for name, spent in step.spend.items():
            holding = _find_item(state, name)
            for capacity in holding.entity.capacities:
                by = -spent.get(capacity.id, 0)
                state, _difference = state_changes.change_capacity(state, holding, capacity, by)
        for name, key in step.cool.items():
            state = _start_cooldown(state, _find_item(state, name), key)
        for moment in step.passes:
            state, _ended = state_changes.pass_moment(state, unit, moment)
        self.state = state

    def _act(
        self, step: SceneStep, unit: str, dice: _StepDice, choices: _StepChoices
    ) -> ProcedureResult | None:
        """Run a procedure or use an ability; return its result, None if the step does neither."""
        if step.run is not None:
            procedure = self.state.ruleset.procedure(step.run)
            inputs = {**procedures.unit_inputs(self.state, unit, procedure), **step.set}
            result = procedures.run_procedure(
                self.state, procedure, inputs, dice.roll, unit,
                choices.choose, step.figures, no_character=step.figures is not None,
                overridden=step.override,
            )  # fmt: skip
        elif step.use:
            ability = self._find_ability(step, unit)
            permit = abilities.Permit(step.granted, step.override)
            result = abilities.use_ability(
                self.state, ability, step.set, dice.roll, choices.choose, permit=permit
            )
        else:
            return None
        self.state = result.state
        return result

    def _find_ability(self, step: SceneStep, unit: str) -> abilities.Ability:
        """Return the ability that a step uses: of several items that have it, the last gained."""
        everything = list(abilities.all_abilities(self.state, unit))
        named = [a for a in everything if step.use in (a.entity.id, a.source)]
        matches = [ability for ability in named if step.ability in ("", ability.key)]
        if not matches or (not step.ability and len({ability.key for ability in named}) > 1):
            known = dict.fromkeys(f"{a.entity.id} ({a.key})" for a in named or everything)
            raise UsageError(f"no ability {step.use} {step.ability}; there are {', '.join(known)}")
        return matches[-1]

    # ------------------------------------------------------------- comparing

    def _mismatches(
        self, step: SceneStep, expected: ExpectedOfStep, unit: str, result: ProcedureResult | None
    ) -> Iterator[Mismatch]:
        """Yield everything that is not as expected after a step."""
        character = replace(self.character.character, state=self.state)
        yield from figure_mismatches(expected, character)
        if result is not None:
            yield from _result_mismatches(expected, result)
        conditions = list(self.state.active_conditions(unit))
        for name, about in expected.about.items():
            concerned = [c.about for c in conditions if c.entity.id == name]
            if concerned != list(about):
                yield Mismatch(
                    f"{name} is about", ", ".join(about), ", ".join(concerned) or NOTHING_FOUND
                )
        for name, left in expected.left.items():
            holding = _find_item(self.state, name)
            for capacity in holding.entity.capacities:
                number = state_changes.capacity_left(self.state, holding, capacity)
                if left.get(capacity.id, number) != number:
                    yield Mismatch(f"{name} {capacity.id}", str(left[capacity.id]), str(number))
        if expected.cooling is not None:
            cooling = {
                f"{_entity_id(self.state, name)} ({key})" for name, key in self.state.cooldowns
            }
            if cooling != set(expected.cooling):
                expected_text = ", ".join(expected.cooling) or NOTHING_FOUND
                yield Mismatch(
                    "on cooldown", expected_text, ", ".join(sorted(cooling)) or NOTHING_FOUND
                )
        if step.odds is not None:
            yield from self._chances(step, step.odds, expected)

    def _chances(
        self, step: SceneStep, procedure: str, expected: ExpectedOfStep
    ) -> Iterator[Mismatch]:
        """Compare exact odds, written as fractions or as percentages."""
        case = Case(dict(step.set))
        odds = Odds(self.state, self.state.ruleset.procedure(procedure), [case])
        outcomes = {outcome.id: outcome for outcome in odds.of(case)}
        for expected_chances, given in ((expected.chances, False), (expected.chances_given, True)):
            for name, texts in expected_chances.items():
                chances = outcomes[name].given if given else outcomes[name].chances
                for value, text in texts.items():
                    chance = _chance(chances, value)
                    if not _is_chance(text, chance):
                        yield Mismatch(f"chance of {name} {value}", text, str(chance))


def _result_mismatches(expected: ExpectedOfStep, result: ProcedureResult) -> Iterator[Mismatch]:
    """Compare the outputs and the messages of a run."""
    for name, output in expected.outputs.items():
        if result.outputs.get(name) != output:
            yield Mismatch(
                f"output {name}", str(output), str(result.outputs.get(name, NOTHING_FOUND))
            )
    messages = [step.text for step in result.steps]
    for part in expected.messages:
        if not any(part in text for text in messages):
            yield Mismatch("message", repr(part), " | ".join(messages) or NOTHING_FOUND)
    for part in expected.no_messages:
        if any(part in text for text in messages):
            yield Mismatch("message", f"not {shorten(part)}", " | ".join(messages))
    if expected.all_messages is not None and messages != list(expected.all_messages):
        yield Mismatch("messages", " | ".join(expected.all_messages), " | ".join(messages))


def _carry(state: State, step: SceneStep) -> State:
    """Return the state with items in hand and worn, as a step says."""
    if step.hold is not None:
        state = state.with_changes(in_hand={})
        for name in step.hold:
            state = gear.hold(state, _find_item(state, name))
    for name in step.wear:
        state = holdings.wear(state, _find_item(state, name))
    return state


def _find_item(state: State, name: str) -> Holding:
    """Return an item by its id or its entity's: of several the one gained last."""
    matches = [holding for holding in state.holdings if name in (holding.id, holding.entity.id)]
    if not matches:
        near = nearest(name, [holding.entity.id for holding in state.holdings])
        raise UsageError(f"nothing held is {name}" + (f"; {near} is" if near else ""))
    return matches[-1]


def _entity_id(state: State, holding_id: str) -> str:
    holding = state.holding(holding_id)
    return holding.entity.id if holding is not None else holding_id


def _gain(state: State, entity: Entity, unit: str, *, overridden: bool) -> State:
    """Return the state with an entity, if the limits of the ruleset or the GM allow it."""
    after = add_holding(state, entity, entity.id.partition("/")[2], SET_UP, unit)
    exceeded = () if overridden else tuple(newly_exceeded(state, after))
    if exceeded:
        raise RuleRefusal("; ".join(limit.text for limit in exceeded))
    return after


def _start_cooldown(state: State, holding: Holding, key: str) -> State:
    """Put an ability of an item on cooldown."""
    for action in holding.entity.actions:
        if state_changes.action_key(holding.entity, action) == key:
            return state_changes.start_cooldown(state, holding, action)
    raise UsageError(f"{holding.entity.name} has no action {key}")


def _chance(chances: Chances | None, value: str) -> Fraction:
    """Return the chance of a value: a number, a word, or ``5 or more``."""
    if chances is None:
        return Fraction(0)
    start, or_more, _rest = value.partition(" or more")
    if or_more:
        return chances.at_least(int(start))
    by_text = {str(known): chance for known, chance in chances.by_value.items()}
    return by_text.get(value, Fraction(0))


def _is_chance(text: str, chance: Fraction) -> bool:
    """Return whether a text means a chance; a percentage is compared to its last digit."""
    try:
        if not text.endswith("%"):
            return Fraction(text) == chance
        percent = Decimal(text[:-1])
    except (ValueError, ZeroDivisionError, InvalidOperation):
        return False
    exact = Decimal(chance.numerator * 100) / Decimal(chance.denominator)
    return exact.quantize(percent) == percent
