"""Samples of a pack: reading and checking their files, and running them.

A sample describes characters and scenes and says what to expect of them. ``sample_characters``
compares the characters; a scene is played here, step by step with the dice in the file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from charforge.character import gear, state_changes
from charforge.character.gear import newly_exceeded
from charforge.character.holdings import add_holding
from charforge.character.state import CHARACTER, FixedModifier, Holding, State
from charforge.errors import (
    CharforgeError,
    PackError,
    PackProblem,
    RuleRefusal,
    UnknownId,
    UnusedAnswers,
    UsageError,
    nearest,
    not_between,
    shorten,
)
from charforge.export.show_json import entity_json
from charforge.expressions.dice import Dice, as_one_roll
from charforge.language import ENGLISH, _, in_language
from charforge.limits import MAX_ERRORS
from charforge.odds import Case, Chances, Odds
from charforge.packs.sample_characters import (
    NOTHING_FOUND,
    TEXT_WORDS,
    BuiltCharacter,
    Mismatch,
    entity_mismatches,
    figure_mismatches,
    kind_mismatches,
    sample_unit,
)
from charforge.procedures import abilities, run as procedures, use
from charforge.procedures.context import CHOSEN_AGAIN, RunSettings, StepMessage
from charforge.procedures.inputs import items_of, read_input
from charforge.procedures.run import ProcedureResult
from charforge.replay.character_spec import CharacterSpec, check_level, check_name, check_rules
from charforge.rules.checks.references import Linter
from charforge.rules.checks.symbols import PartProblem, unknown_name
from charforge.rules.errors import KeyPath
from charforge.rules.loading.parser import read_sample, sorted_problems
from charforge.rules.loading.yaml_reader import REMOVAL, Correction, corrected
from charforge.rules.models import ChooseStep, Entity, Input
from charforge.rules.models.sample import (
    Expected,
    ExpectedFigures,
    ExpectedOfStep,
    Sample,
    SampleBuild,
    Scene,
    SceneStep,
)
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import refuse_unknown_answers

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
            yield mismatch.within(f"{label}: ", "steps", number - 1, "expect")
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
        faces = as_one_roll(dice, faces)
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
        number = self.left.pop(step.id + (f"{CHOSEN_AGAIN}{times}" if times > 1 else ""), suggested)
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
                sentence = f"this is not possible: {reason}"
                return [Mismatch("refusal", NOTHING_FOUND, reason, sentence=sentence)], False
            unsaid = (part for part in refusal if part not in reason)
            mismatches += (Mismatch("refused", repr(part), reason) for part in unsaid)
        else:
            if refusal is not None:
                parts = "; ".join(refusal)
                sentence = f"this is possible, but should be refused: {parts}"
                mismatches.append(Mismatch("refusal", parts, NOTHING_FOUND, sentence=sentence))
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
        unit = sample_unit(self.state, name)
        if unit is None:
            known = (other.entity.id if other.entity else other.id for other in self.state.units)
            raise UsageError(f"there is no unit {name}; there are {', '.join(known)}")
        return unit

    def _set_up(self, step: SceneStep, unit_id: str) -> None:
        """Change the state as a step says, before it runs anything."""
        state, entity = self.state, self.state.ruleset.entity
        if step.rule:
            state = state.with_changes(rules={**state.rules, **step.rule})
        for name in step.gain:
            state = _gain(state, entity(name), unit_id, overridden=step.override)
        for value, figure in step.score.items():
            difference = figure - state.values(unit_id).base(value)
            modifier = FixedModifier(unit_id, value, "add", difference, SET_UP)
            state = state.with_changes(fixed_modifiers=(*state.fixed_modifiers, modifier))
        for value, by in step.change.items():
            state, _difference = state_changes.change_resource(state, unit_id, value, by)
        for name in step.lift:
            state, _removed = state_changes.remove_condition(state, unit_id, entity(name))
        for name, amount in step.put.items():
            state = state_changes.add_condition(
                state, unit_id, entity(name), amount, step.about, step.turns
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
            state, _ended = state_changes.pass_moment(state, unit_id, moment)
        self.state = state

    def _act(
        self, step: SceneStep, unit_id: str, dice: _StepDice, choices: _StepChoices
    ) -> ProcedureResult | None:
        """Run a procedure or use an ability; return its result, None if the step does neither."""
        if step.run is not None:
            procedure = self.state.ruleset.procedure(step.run)
            typed = (
                step.set
                if step.figures is not None
                else self._inputs(procedure.inputs, step.set, unit_id)
            )
            inputs = {**procedures.unit_inputs(self.state, unit_id, procedure), **typed}
            settings = RunSettings(
                dice.roll, choices.choose, overridden=step.override,
                figures=step.figures or {}, no_character=step.figures is not None,
            )  # fmt: skip
            result = procedures.run_procedure(self.state, procedure, inputs, settings, unit_id)
        elif step.use:
            ability = self._find_ability(step, unit_id)
            permit = use.Permit(step.granted, step.override)
            asked, _steps = abilities.ability_inputs(self.state, ability)
            inputs = self._inputs(asked, step.set, abilities.acting_unit(self.state, ability))
            result = use.use_ability(
                self.state, ability, inputs, RunSettings(dice.roll, choices.choose), permit=permit
            )
        else:
            return None
        self.state = result.state
        return result

    def _inputs(
        self, inputs: Iterable[Input], words: Mapping[str, Any], unit_id: str
    ) -> dict[str, Any]:
        """Return the inputs of a step; items are named by id, by name or by what they are.

        Raises UsageError for a name that several items have, or none.
        """
        read = dict(words)
        for input_ in inputs:
            word = words.get(input_.id)
            items = list(items_of(self.state, input_, unit_id)) if input_.type == "item" else []
            if items and isinstance(word, str):
                try:
                    read[input_.id] = read_input(self.state.ruleset, input_, word, items)
                except ValueError as error:
                    raise UsageError(f"{input_.id}: {error}") from error
        return read

    def _find_ability(self, step: SceneStep, unit_id: str) -> abilities.Ability:
        """Return the ability that a step uses: of several items that have it, the last gained."""
        everything = list(abilities.all_abilities(self.state, unit_id))
        named = [a for a in everything if step.use in (a.entity.id, a.source)]
        matches = [ability for ability in named if step.ability in ("", ability.key)]
        if not matches or (not step.ability and len({ability.key for ability in named}) > 1):
            known = dict.fromkeys(f"{a.entity.id} ({a.key})" for a in named or everything)
            raise UsageError(f"no ability {step.use} {step.ability}; there are {', '.join(known)}")
        return matches[-1]

    # ------------------------------------------------------------- comparing

    def _mismatches(
        self,
        step: SceneStep,
        expected: ExpectedOfStep,
        unit_id: str,
        result: ProcedureResult | None,
    ) -> Iterator[Mismatch]:
        """Yield everything that is not as expected after a step."""
        character = replace(self.character.character, state=self.state)
        yield from figure_mismatches(expected, character)
        if result is not None:
            yield from _result_mismatches(expected, result)
        conditions = list(self.state.active_conditions(unit_id))
        for name, about in expected.about.items():
            concerned = [c.about for c in conditions if c.entity.id == name]
            if concerned != list(about):
                yield Mismatch(
                    f"{name} is about", ", ".join(about), ", ".join(concerned) or NOTHING_FOUND,
                    correction=Correction(("about", name), concerned),
                )  # fmt: skip
        for name, left in expected.left.items():
            holding = _find_item(self.state, name)
            for capacity in holding.entity.capacities:
                number = state_changes.capacity_left(self.state, holding, capacity)
                if left.get(capacity.id, number) != number:
                    yield Mismatch(
                        f"{name} {capacity.id}", str(left[capacity.id]), str(number),
                        correction=Correction(("left", name, capacity.id), number),
                    )  # fmt: skip
        if expected.cooling is not None:
            cooling = {
                f"{_entity_id(self.state, name)} ({key})" for name, key in self.state.cooldowns
            }
            if cooling != set(expected.cooling):
                expected_text = ", ".join(expected.cooling) or NOTHING_FOUND
                yield Mismatch(
                    "on cooldown", expected_text, ", ".join(sorted(cooling)) or NOTHING_FOUND,
                    correction=Correction(("cooling",), sorted(cooling)),
                )  # fmt: skip
        if step.odds is not None:
            yield from self._chances(step, step.odds, expected)

    def _chances(
        self, step: SceneStep, procedure: str, expected: ExpectedOfStep
    ) -> Iterator[Mismatch]:
        """Compare exact odds, written as fractions or as percentages."""
        rule = self.state.ruleset.procedure(procedure)
        case = Case(self._inputs(rule.inputs, step.set, CHARACTER))
        odds = Odds(self.state, rule, [case])
        outcomes = {outcome.id: outcome for outcome in odds.of(case)}
        for key, given in (("chances", False), ("chances_given", True)):
            for name, texts in getattr(expected, key).items():
                chances = outcomes[name].given if given else outcomes[name].chances
                for value, text in texts.items():
                    chance = _chance(chances, value)
                    if not _is_chance(text, chance):
                        correction = Correction((key, name, value), _chance_text(chance, text))
                        yield Mismatch(
                            f"chance of {name} {value}", text, str(chance), correction=correction
                        )


def _result_mismatches(expected: ExpectedOfStep, result: ProcedureResult) -> Iterator[Mismatch]:
    """Compare the outputs and the messages of a run."""
    for name, output in expected.outputs.items():
        if result.outputs.get(name) != output:
            found = result.outputs.get(name)
            correction = Correction(("outputs", name), REMOVAL if found is None else found)
            found_text = NOTHING_FOUND if found is None else str(found)
            yield Mismatch(f"output {name}", str(output), found_text, correction=correction)
    messages = [step.text for step in result.steps]
    for part in expected.messages:
        if not any(part in text for text in messages):
            yield Mismatch("message", repr(part), " | ".join(messages) or NOTHING_FOUND)
    for part in expected.no_messages:
        if any(part in text for text in messages):
            yield Mismatch("message", f"not {shorten(part)}", " | ".join(messages))
    if expected.all_messages is not None and messages != list(expected.all_messages):
        yield Mismatch(
            "messages", " | ".join(expected.all_messages), " | ".join(messages),
            correction=Correction(("all_messages",), messages),
        )  # fmt: skip


def _carry(state: State, step: SceneStep) -> State:
    """Return the state with items in hand and worn, as a step says."""
    if step.hold is not None:
        state = state.with_changes(in_hand={})
        for name in step.hold:
            state = gear.hold(state, _find_item(state, name))
    for name in step.wear:
        state = gear.wear(state, _find_item(state, name))
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


def _gain(state: State, entity: Entity, unit_id: str, *, overridden: bool) -> State:
    """Return the state with an entity, if the limits of the ruleset or the GM allow it."""
    after = add_holding(state, entity, entity.id.partition("/")[2], SET_UP, unit_id)
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
    return _percent(chance).quantize(percent) == percent


def _chance_text(chance: Fraction, like: str) -> str:
    """Return a chance as a percentage with as many digits as another text, or as a fraction."""
    try:
        digits = Decimal(like.removesuffix("%"))
    except InvalidOperation:
        return str(chance)
    return f"{_percent(chance).quantize(digits)}%" if like.endswith("%") else str(chance)


def _percent(chance: Fraction) -> Decimal:
    return Decimal(chance.numerator * 100) / Decimal(chance.denominator)


SAMPLES_FOLDER = "tests"  # of a pack: one file a sample
# The fields that define a character, which a case can take from its sample or from another.
BUILD_FIELDS = tuple(name for name in SampleBuild.model_fields if name != "like")
MERGED_FIELDS = ("answers", "table_rules", "shared")  # their keys are merged, not replaced
Build = TypeVar("Build", bound=SampleBuild)


# ------------------------------------------------------------------ reading


def sample_files(folder: Path) -> list[Path]:
    """Return the files of samples of the pack in a folder."""
    return sorted((folder / SAMPLES_FOLDER).glob("*.yaml"))


def read_samples(folder: Path, ruleset: Ruleset) -> dict[Path, Sample]:
    """Return the samples of the pack in a folder. Raises PackError with all their problems."""
    samples: dict[Path, Sample] = {}
    problems: list[PackProblem] = []
    for path in sample_files(folder):
        try:
            samples[path] = read_checked_sample(path, ruleset)
        except PackError as error:
            problems += error.problems
            if len(problems) >= MAX_ERRORS:
                break
    if problems:
        raise PackError(problems)
    return samples


def read_checked_sample(path: Path, ruleset: Ruleset) -> Sample:
    """Return a sample, complete with what it takes from others of its folder.

    Raises PackError with every problem: in the format, and names and
    answers that the ruleset does not have.
    """
    sample, reader = read_sample(path)
    completion = _SampleCompletion(path, ruleset)
    complete = completion.complete(sample)
    found = islice(chain(completion.problems, _unknown_names(sample, ruleset)), MAX_ERRORS)
    problems = [reader.problem(path, one.key_path, one.message, one.nearest) for one in found]
    if problems:
        raise PackError(sorted_problems(problems))
    return complete


class _SampleCompletion:
    """Completes the characters of a sample file.

    A case without a field takes it from the sample that ``like`` names, or
    from its own file. ``problems`` collects what no character can be.
    """

    def __init__(self, path: Path, ruleset: Ruleset) -> None:
        self.path = path
        self.ruleset = ruleset
        self.problems: list[PartProblem] = []
        self._others: dict[str, dict[str, Any]] = {}

    def complete(self, sample: Sample) -> Sample:
        """Return the sample with everything that its cases take from it and from other files."""
        complete = self._complete_case(sample, {}, ())
        own = {
            name: getattr(complete, name)
            for name in ("like", *BUILD_FIELDS)
            if name in complete.model_fields_set
        }
        cases = {
            key: tuple(self._complete_case(case, own, (key, n)) for n, case in enumerate(listed))
            for key, listed in (("characters", sample.characters), ("scenes", sample.scenes))
        }
        return complete.model_copy(update=cases)

    def _complete_case(self, case: Build, base: Mapping[str, Any], key_path: KeyPath) -> Build:
        """Return a case with the fields that it lacks, from ``base`` or from ``like``."""
        if "like" in case.model_fields_set:
            base = {**base, **self._fields_of(case.like, key_path)}
        build = _merged(base, _build_fields(case))
        for key in MERGED_FIELDS:  # an entry without a value removes one
            entries = build.get(key, {})
            build[key] = {name: value for name, value in entries.items() if value is not None}
        self._check(case, build, key_path)
        return case.model_copy(update=build)

    def _fields_of(
        self, name: str, key_path: KeyPath, above: tuple[str, ...] = ()
    ) -> Mapping[str, Any]:
        """Return the fields that another sample of the folder gives its character."""
        path = self.path.with_name(f"{name}.yaml")
        if name in self._others:
            return self._others[name]
        if path == self.path or name in above:
            self.problems.append(PartProblem((*key_path, "like"), _("it is based on itself")))
            return {}
        if not path.is_file():
            known = {other.stem for other in self.path.parent.glob("*.yaml")}
            message = _("there is no sample {name}").format(name=shorten(name))
            self.problems.append(PartProblem((*key_path, "like"), message, nearest(name, known)))
            return {}
        other, _reader = read_sample(path)
        fields = _build_fields(other)
        if other.like:
            fields = _merged(self._fields_of(other.like, key_path, (*above, name)), fields)
        self._others[name] = fields
        return fields

    def _check(self, case: SampleBuild, build: Mapping[str, Any], key_path: KeyPath) -> None:
        """Collect what a case itself says that no character of these rules can be."""
        ruleset, problems = self.ruleset, self.problems
        if len(problems) >= MAX_ERRORS:
            return
        for rule, option in case.table_rules.items():
            try:
                check_rules(ruleset, {rule: option})
            except UnknownId as error:
                problems.append(
                    PartProblem((*key_path, "table_rules", rule), str(error), error.nearest)
                )
        for key, check in (("name", check_name), ("level", lambda n: check_level(ruleset, n))):
            try:
                check(getattr(case, key))
            except UsageError as error:
                problems.append(PartProblem((*key_path, key), error.reason))
        if not case.answers:
            return
        level = min(build.get("level", 1), ruleset.head.advancement.maximum)
        try:
            refuse_unknown_answers(
                CharacterSpec(ruleset, "", level=level, answers=build["answers"])
            )
        except UnusedAnswers as error:
            for name, reason in error.unused:
                if name in case.answers:
                    problems.append(PartProblem((*key_path, "answers", name), reason))


def _build_fields(case: SampleBuild) -> dict[str, Any]:
    """Return the fields that a case itself gives its character."""
    return {name: getattr(case, name) for name in BUILD_FIELDS if name in case.model_fields_set}


def _merged(base: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a character, those of ``base`` where ``fields`` has none."""
    entries = {key: {**base.get(key, {}), **fields.get(key, {})} for key in MERGED_FIELDS}
    return {**base, **fields, **entries}


def _unknown_names(sample: Sample, ruleset: Ruleset) -> Iterator[PartProblem]:
    """Yield the names in a sample that the rules do not have."""
    yield from Linter(ruleset).check(sample)
    for name, facts in sample.entities.items():
        entity = ruleset.entities.get(name)
        if entity is not None:
            known = {*entity_json(entity, ruleset).model_dump(), TEXT_WORDS}
            for key in facts:
                yield from unknown_name("fact of the catalog", key, known, ("entities", name, key))
    figures = {"level", *ruleset.values}
    for key_path, expected in _expectations(sample):
        for unit, values in expected.units.items():
            unit_path = (*key_path, "units", unit)
            if "/" in unit:
                yield from unknown_name("entity", unit, ruleset.entities, unit_path)
            for name in values:
                what = "condition" if "/" in name else "value"
                names = ruleset.entities if "/" in name else figures
                yield from unknown_name(what, name, names, (*unit_path, name))
    for number, scene in enumerate(sample.scenes):
        yield from _unknown_names_in_scene(scene, ruleset, ("scenes", number))


def _unknown_names_in_scene(
    scene: Scene, ruleset: Ruleset, key_path: KeyPath
) -> Iterator[PartProblem]:
    """Yield the outputs and options of rules in a scene that the rules do not have."""
    for number, step in enumerate(scene.steps):
        step_path = (*key_path, "steps", number)
        procedure = ruleset.procedures.get(step.run or step.odds or "")
        for rule, option in step.rule.items():
            known = ruleset.table_rules.get(rule)
            options = [other.id for other in known.options] if known else [option]
            yield from unknown_name(
                "option of this rule", option, options, (*step_path, "rule", rule)
            )
        if procedure is None:
            continue
        outputs = {output.id for output in procedure.outputs}
        expected = step.expect
        for key in ("outputs", "chances", "chances_given") if expected is not None else ():
            for name in getattr(expected, key):
                path = (*step_path, "expect", key, name)
                yield from unknown_name("output of this procedure", name, outputs, path)


def _expectations(sample: Sample) -> Iterator[tuple[KeyPath, ExpectedFigures]]:
    """Yield the figures that a sample expects, each with its path in the file."""
    cases: list[tuple[KeyPath, Expected]] = (
        [((), sample.expect)] if sample.expect is not None else []
    )
    cases += [(("characters", n), case.expect) for n, case in enumerate(sample.characters)]
    for key_path, expected in cases:
        yield (*key_path, "expect"), expected
        for level, figures in expected.levels.items():
            yield (*key_path, "expect", "levels", level), figures
    for number, scene in enumerate(sample.scenes):
        for index, step in enumerate(scene.steps):
            if step.expect is not None:
                yield ("scenes", number, "steps", index, "expect"), step.expect


# ------------------------------------------------------------------ running


@in_language(ENGLISH)
def run_sample(sample: Sample, ruleset: Ruleset) -> tuple[Mismatch, ...]:
    """Return everything that is not as a sample expects.

    Samples contain messages in English, so they are the same in every language.
    """
    mismatches = [*kind_mismatches(sample, ruleset), *entity_mismatches(sample, ruleset)]
    if sample.expect is not None:
        of_file = BuiltCharacter(sample, ruleset).mismatches(sample.expect)
        mismatches += (mismatch.within("", "expect") for mismatch in of_file)
    characters: dict[str, BuiltCharacter] = {}

    def character_of(case: SampleBuild) -> BuiltCharacter:
        """Return the character of a case; equal cases share it."""
        key = json.dumps(case.model_dump(mode="json", include={*BUILD_FIELDS}), sort_keys=True)
        if key not in characters:
            characters[key] = BuiltCharacter(case, ruleset)
        return characters[key]

    for number, case in enumerate(sample.characters, 1):
        label = f"characters {number}" + (f" ({case.text})" if case.text else "")
        mismatches += (
            mismatch.within(f"{label}: ", "characters", number - 1, "expect")
            for mismatch in character_of(case).mismatches(case.expect)
        )
    for number, scene in enumerate(sample.scenes, 1):
        mismatches += (
            mismatch.within(f"scenes {number} ({scene.text}): ", "scenes", number - 1)
            for mismatch in scene_mismatches(scene, character_of(scene))
        )
    return tuple(mismatches)


def accepted(path: Path, mismatches: Iterable[Mismatch]) -> bytes:
    """Return the text of a sample's file that expects what was found, where that can be written."""
    corrections = (m.correction for m in mismatches if m.correction is not None)
    return corrected(path.read_bytes().decode(), corrections).encode()
