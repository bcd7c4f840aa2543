"""Inputs of procedures and abilities as a player types them: parsed, checked, asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from charforge.character.state import State
from charforge.describe.formulas import formula_text
from charforge.errors import MissingInput, ProcedureError, UsageError, did_you_mean, not_one_of
from charforge.language import _
from charforge.procedures import abilities
from charforge.procedures.abilities import Ability
from charforge.procedures.context import CHOSEN_AGAIN, Chooser, choose_suggested
from charforge.procedures.inputs import (
    DiceSource,
    KnownInputs,
    NeededInput,
    input_options,
    input_problems,
    items_of,
    read_input,
    read_whole,
    read_yes_or_no,
)
from charforge.procedures.run import higher_scores
from charforge.procedures.steps import dice_inputs, find_missing_inputs, number_choices
from charforge.procedures.steps.base import DiceInput
from charforge.rules.models import ChooseStep, Input, Procedure, Steps
from charforge.rules.models.entities import LEVEL
from charforge.rules.names import exact_matches
from charforge.rules.ruleset import Ruleset

NO_VALUES: Mapping[str, Any] = MappingProxyType({})
# Reads the text of an input. Raises ValueError with what is wrong.
InputReader = Callable[[str], int | str]
# Asks the player for an input, given the names of its options and its reader.
InputAsker = Callable[[Input, tuple[str, ...], InputReader], int | str]


class CommandInputs(NamedTuple):
    """Inputs that commands give the rule that they run; None is left out.

    ``vs`` is the number that a check or an attack is rolled against, ``untrained`` a use without
    Training.
    """

    vs: int | str | None = None
    amount: int | None = None
    type: str | None = None
    hours: int | None = None
    untrained: int | None = None


@dataclass(frozen=True)
class TypedInputs:
    """The inputs that a player typed: ``words`` by input, ``dice`` (faces) by roll.

    ``ask`` asks for the inputs that are still needed, ``choose`` for the
    numbers that are chosen on the way; without them nobody is asked. ``new_dice``
    makes the dice of each rule that runs, from the seed, the place and the faces; a front end
    that stops at a question keeps them to go on with the same dice.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    dice: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    ask: InputAsker | None = None
    choose: Chooser = choose_suggested
    new_dice: Callable[[str, str, Mapping[str, Sequence[int]]], DiceSource] = DiceSource

    def of_command(self, inputs: CommandInputs) -> TypedInputs:
        """Return this with what a command gives its rule. Raises as ``also`` does."""
        return self.also(**inputs._asdict())

    def also(self, **words: object) -> TypedInputs:
        """Return this with inputs from the command's own options; None: the option is not used.

        Raises UsageError if one of them has another value already.
        """
        more = {name: str(word) for name, word in words.items() if word is not None}
        for name in more.keys() & self.words.keys():
            if more[name] != self.words[name]:
                raise UsageError(
                    _("{name} is given twice: {words} and {more}").format(
                        name=name, words=self.words[name], more=more[name]
                    )
                )
        return replace(self, words={**self.words, **more})


@dataclass(frozen=True)
class PossibleInputs:
    """The inputs, chosen numbers and rolls that an ability or a procedure takes.

    ``usual`` are the values of inputs that are left out, as far as they are
    known before it runs; ``supplied`` are those that an attack gives itself.
    """

    label: str
    inputs: tuple[Input, ...]
    choices: tuple[ChooseStep, ...]
    rolls: tuple[DiceInput, ...]
    usual: Mapping[str, int | str] = field(default_factory=dict)
    supplied: frozenset[str] = frozenset()


def possible_inputs(
    ruleset: Ruleset,
    label: str,
    inputs: Iterable[Input],
    steps: Steps,
    usual: Mapping[str, int | str] = NO_VALUES,
) -> PossibleInputs:
    """Return the inputs that steps take, each chosen number and each roll once."""
    choices: dict[str, ChooseStep] = {}
    for step in number_choices(ruleset, steps):
        choices.setdefault(step.id, step)
    rolls = dice_inputs(ruleset, steps)
    inputs = tuple(inputs)
    formulas = {
        input_.id: formula_text(str(input_.default), ruleset)
        for input_ in inputs
        if input_.default is not None and input_.default.constant is None
    }
    return PossibleInputs(
        label, inputs, tuple(choices.values()), tuple(rolls.values()), {**formulas, **usual}
    )


def names_not_taken(
    ruleset: Ruleset, inputs: Iterable[Input], steps: Steps, typed: Iterable[str]
) -> tuple[str, ...]:
    """Return the typed names that are neither an input, a number chosen on the way nor a roll."""
    known = {input_.id for input_ in inputs}
    known |= {step.id for step in number_choices(ruleset, steps)} | {*dice_inputs(ruleset, steps)}
    return tuple(name for name in typed if _input_id(name).partition(CHOSEN_AGAIN)[0] not in known)


def _input_id(typed: str) -> str:
    return typed.strip().casefold().replace("-", "_")


@dataclass(frozen=True)
class ParsedInputs:
    """The values of inputs by id, the faces of dice by roll, the figures of values by id."""

    inputs: Mapping[str, Any]
    dice: Mapping[str, tuple[int, ...]]
    figures: Mapping[str, int]


@dataclass(frozen=True)
class PlannedRun:
    """A procedure or an ability that a unit is about to run: its inputs and its steps.

    ``label`` names it in errors; ``supplied`` are inputs that it supplies itself, as an attack
    does.
    """

    label: str
    inputs: tuple[Input, ...]
    steps: Steps
    unit_id: str
    supplied: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_procedure(
        cls, procedure: Procedure, unit_id: str, supplied: Mapping[str, Any] = NO_VALUES
    ) -> PlannedRun:
        """Return the run of a procedure."""
        return cls(procedure.label, procedure.inputs, procedure.steps, unit_id, supplied)

    @classmethod
    def of_ability(cls, state: State, ability: Ability, untrained: bool) -> PlannedRun:
        """Return the use of an ability; ``untrained`` also asks for the price of that."""
        inputs, steps = abilities.ability_inputs(state, ability, untrained)
        acting, supplied = abilities.acting_unit, abilities.supplied_inputs(state, ability)
        return cls(ability.name, inputs, steps, acting(state, ability), supplied)


def parse_inputs(
    state: State,
    run: PlannedRun,
    typed: TypedInputs,
    no_character: bool = False,
    figures: bool = False,
) -> ParsedInputs:
    """Parse what a player typed for a procedure or an ability; ask for what is needed.

    A word can be for an input, a number chosen on the way, a roll, or (with
    ``figures``) a value, which then replaces the unit's own. Whatever order
    they were typed in, the inputs have that of the rule. Raises ProcedureError
    with everything that is wrong or missing, MissingInput where a rule needs
    an input that is optional by itself.
    """
    parser = _InputParser(state, run, figures)
    problems = []
    for name, text in typed.words.items():
        try:
            parser.parse(name, text)
        except ValueError as error:
            problems.append((name, str(error)))
    wrong = {name.casefold() for name, _reason in problems}
    rule_needs = None
    if not problems:
        try:
            parser.ask_for_missing(typed.ask, run.supplied, no_character)
        except MissingInput as error:
            rule_needs = error
    known_figures = parser.figures if no_character else None
    invalid = input_problems(state, run.inputs, parser.inputs, run.unit_id, known_figures)
    problems += [(name, reason) for name, reason in invalid if name not in wrong]
    if rule_needs is not None and not problems:
        raise rule_needs
    if rule_needs is not None:
        problems.append(("", rule_needs.reason))
    if problems:
        typed_names = parser.inputs.keys() | wrong
        missing = [i.id for i in run.inputs if i.needed and i.id not in typed_names]
        missing += rule_needs.ways if rule_needs is not None and len(rule_needs.ways) == 1 else ()
        raise ProcedureError(run.label, problems, missing)
    dice = {**parser.dice, **typed.dice}
    in_order = {
        input_.id: parser.inputs[input_.id] for input_ in run.inputs if input_.id in parser.inputs
    }
    return ParsedInputs(in_order | parser.inputs, dice, parser.figures)


class ChosenScores(NamedTuple):
    """The parsed inputs with the scores that were chosen, and a sentence on each chosen unasked."""

    parsed: ParsedInputs
    notes: tuple[str, ...]


def choose_scores(
    state: State, run: PlannedRun, parsed: ParsedInputs, ask: InputAsker | None
) -> ChosenScores:
    """Choose between the scores that an attack may use, where another is higher than its own.

    The player is asked; without ``ask`` the highest is chosen.
    """
    chosen: dict[str, Any] = {}
    notes = []
    found = higher_scores(
        state, run.unit_id, run.inputs, run.supplied, parsed.inputs, parsed.figures
    )
    for input_, scores in found:
        words = {name: f"{state.ruleset.value_label(name)} {scores[name]}" for name in scores}
        if ask is not None:
            reader = partial(_read_score, state.ruleset, input_, words)
            chosen[input_.id] = ask(input_, tuple(words.values()), reader)
            continue
        best, *others = scores
        chosen[input_.id] = best
        note = _("{label}: {best}, the highest of those you may use (otherwise: {others})")
        typed = _(" or ").join(f"{input_.id}={name}" for name in others)
        notes.append(note.format(label=input_.label, best=words[best], others=typed))
    inputs = {**parsed.inputs, **chosen}
    in_order = {one.id: inputs[one.id] for one in run.inputs if one.id in inputs}
    return ChosenScores(replace(parsed, inputs=in_order | inputs), tuple(notes))


def _read_score(ruleset: Ruleset, input_: Input, words: Mapping[str, str], text: str) -> str:
    """Return the score that a text names, with or without its figure. Raises ValueError."""
    named = exact_matches(words, text, lambda name: (words[name],))
    name = named[0] if named else str(read_input(ruleset, input_, text))
    if name not in words:
        raise ValueError(not_one_of(text, [*words.values()]))
    return name


class _InputParser:
    """Parses typed words by their names, into ``inputs``, ``dice`` and ``figures``."""

    def __init__(self, state: State, run: PlannedRun, figures: bool) -> None:
        ruleset = state.ruleset
        self._state, self._unit, self._steps = state, run.unit_id, run.steps
        self._asked = {input_.id: input_ for input_ in run.inputs}
        self._numbers = {step.id: step for step in number_choices(ruleset, run.steps)}
        self._rolls = dice_inputs(ruleset, run.steps)
        self._values = {LEVEL, *ruleset.values} if figures else set()
        for input_ in run.inputs if figures else ():
            self._values |= {f"{input_.id}_{name}" for name in ruleset.own_numbers(input_.kind)}
        self.inputs: dict[str, Any] = {}
        self.dice: dict[str, tuple[int, ...]] = {}
        self.figures: dict[str, int] = {}

    def parse(self, name: str, text: str) -> None:
        """Parse one word. Raises ValueError with what is wrong."""
        name = _input_id(name)
        if name in self._asked:
            self.inputs[name] = self._reader(self._asked[name])(text)
        elif chosen := self._numbers.get(name.partition(CHOSEN_AGAIN)[0]):
            self.inputs[name] = read_yes_or_no(text) if chosen.yes_no else read_whole(text)
        elif name in self._rolls:
            self.dice[name] = self._rolls[name].read(text)
        elif name in self._values:
            self.figures[name] = read_whole(text)
        else:
            known = [*self._asked, *sorted(self._numbers), *self._rolls]
            listed = _("; there are: {names}").format(names=", ".join(known)) if known else ""
            near = did_you_mean(name, [*known, *self._values])
            raise ValueError(_("there is no such input{near}").format(near=near or listed))

    def ask_for_missing(
        self, ask: InputAsker | None, supplied: Mapping[str, Any], no_character: bool
    ) -> None:
        """Ask for the inputs that are needed, and for optional ones that a rule needs.

        Raises MissingInput if a rule needs one and nobody can be asked, or
        if it needs one of several that cannot be used together. Without a
        character the latter are left out: running the procedure shows which
        one is needed.
        """
        for input_ in self._asked.values():
            if ask is not None and input_.needed and input_.id not in self.inputs:
                self.inputs[input_.id] = ask(input_, self._options(input_), self._reader(input_))
        while missing := self._missing(supplied, no_character):
            if ask is None or not missing.open:
                first = missing.options[0]
                raise MissingInput(
                    missing.message,
                    (option.id for option in missing.options),
                    f"{first.id}=5" if first.type == "number" else "",
                )
            input_ = missing.options[0]
            self.inputs[input_.id] = ask(input_, self._options(input_), self._reader(input_))

    def _missing(self, supplied: Mapping[str, Any], no_character: bool) -> NeededInput | None:
        """Return what the steps need first that can still be given; None for nothing."""
        answers = {**supplied, **self.inputs}
        inputs = KnownInputs.of(self._state.ruleset, self._asked.values(), answers)
        for missing in find_missing_inputs(self._steps, inputs):
            if missing.options and (missing.open or not no_character):
                return missing
        return None

    def _options(self, input_: Input) -> tuple[str, ...]:
        """Return the names that the player can choose from."""
        return tuple(input_options(self._state, input_, self._unit))

    def _reader(self, input_: Input) -> InputReader:
        items = tuple(items_of(self._state, input_, self._unit))
        return lambda text: read_input(self._state.ruleset, input_, text, items)
