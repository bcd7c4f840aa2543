"""Measures of a character against a foe: exact chances and means, as a ruleset's advice lists them.

A calculation is kept by everything that it may depend on, so that options
which change nothing about it cost no time.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from charforge.character.state import CHARACTER, State
from charforge.errors import CharforgeError, FormulaError, UnknownId, UsageError, shorten
from charforge.expressions.template import keyboard_minus, parse_figure, true_minus
from charforge.language import _, dice_notation, read_dice_notation
from charforge.odds import Chances
from charforge.odds.liveness import is_flag
from charforge.odds.solver import state_key
from charforge.procedures import abilities
from charforge.procedures.inputs import read_yes_or_no
from charforge.rules.models import AdviceSpec, FoeFigure, Measure, Procedure
from charforge.rules.models.sheet import REFERENCE
from charforge.rules.ruleset import Ruleset
from charforge.verbs.odds import OddsSubject, ability_subject, calculate_odds, rule_subject
from charforge.verbs.resolve import unknown_unit
from charforge.verbs.typed_inputs import TypedInputs

NEVER_SET = Chances({}, Fraction(1))  # of an output that is never set
NEVER = Fraction(10**6)  # rounds, where the expected number has no limit
MeasuredAmount = Fraction | None  # of a measure; None where it cannot be calculated


class Measured(NamedTuple):
    """A measure of a unit: the best of its attacks, and that of each attack by name.

    There are no attacks for what the foe does, and for the measure of another procedure.
    """

    amount: MeasuredAmount
    attacks: Mapping[str, Fraction] = MappingProxyType({})


@dataclass(frozen=True)
class MeasuredFoe:
    """The foe: its figures in words, typed or by default, and its state if it is a character."""

    figures: Mapping[str, str]
    state: State | None = None
    name: str = ""


def typical_foe(spec: AdviceSpec, typed: Mapping[str, str] | None = None) -> MeasuredFoe:
    """Return a foe with typed figures, and the default ones.

    Raises UnknownId for an unknown figure, UsageError for a text that is no number or dice.
    """
    figures = {figure.id: figure.default for figure in spec.foe}
    flags = {figure.id for figure in spec.foe if figure.flag}
    for name, words in (typed or {}).items():
        if name not in figures:
            raise UnknownId(_("figure of the foe"), name, figures)
        if name in flags:
            figures[name] = _read_flag(name, words)
        else:
            _check_figure(name, words, figures[name])
            figures[name] = words
    return MeasuredFoe(figures)


def _read_flag(name: str, words: str) -> str:
    """Return a typed yes or no as 1 or 0. Raises UsageError."""
    try:
        return str(read_yes_or_no(words))
    except ValueError as error:
        advice = _("For example: {example}").format(example=f"--foe {name}")
        raise UsageError(f"{name}: {error}", advice) from error


def _check_figure(name: str, words: str, default: str) -> None:
    """Check that a typed figure is a whole number, or also dice if the default one is."""
    if _is_whole_number(words):
        return
    if _is_whole_number(default):
        raise UsageError(
            _("{name}: {words} is not a whole number").format(name=name, words=shorten(words)),
            _("For example: {example}").format(example=f"--foe {name}={default}"),
        )
    try:
        parse_figure(read_dice_notation(words))
    except FormulaError as error:
        raise UsageError(
            _("{name}: {words} is not a number or dice").format(name=name, words=shorten(words)),
            _("For example: {example}").format(example=f"--foe {name}={dice_notation(default)}"),
        ) from error


def _is_whole_number(words: str) -> bool:
    return keyboard_minus(words).removeprefix("-").isdecimal()


def typical_measures(ruleset: Ruleset) -> Measures | None:
    """Return the measures of a ruleset against a typical foe; None if it has none."""
    spec = ruleset.head.advice
    return None if spec is None else Measures(ruleset, spec, typical_foe(spec))


def character_foe(spec: AdviceSpec, state: State, name: str) -> MeasuredFoe:
    """Return a character as the foe; figures without a formula keep their default."""
    values = state.values()
    figures = {
        figure.id: figure.default
        if figure.formula is None
        else str(values.evaluate_now(figure.formula))
        for figure in spec.foe
    }
    return MeasuredFoe(figures, state, name)


def rounds_until(chances: Chances, total: int) -> Fraction:
    """Return the expected number of rounds until the results of each add up to ``total``.

    Results below 0 count as 0. NEVER if no result is above 0.
    """
    gains: dict[int, Fraction] = {}
    for number, chance in chances.numbers.items():
        if number > 0:
            gains[number] = gains.get(number, Fraction(0)) + chance
    some = sum(gains.values(), Fraction(0))
    if not some:
        return NEVER
    expected = [Fraction(0)]  # by what is still to come
    for left in range(1, max(total, 0) + 1):
        later = sum((c * expected[max(left - n, 0)] for n, c in gains.items()), Fraction(0))
        expected.append((1 + later) / some)
    return expected[-1]


@dataclass
class _Solved:
    """The chances of each output of a procedure, and the expected rounds."""

    chances: Mapping[str, Chances]
    rounds: dict[tuple[str, int], Fraction] = field(default_factory=dict)

    def of(self, output: str) -> Chances:
        """Return the chances of an output."""
        return self.chances.get(output, NEVER_SET)

    def rounds_until(self, output: str, total: int) -> Fraction:
        """Return the expected number of rounds until an output adds up to ``total``."""
        if (output, total) not in self.rounds:
            self.rounds[output, total] = rounds_until(self.of(output), total)
        return self.rounds[output, total]


@dataclass
class Measures:
    """Calculates the measures of one ruleset's advice against a foe."""

    ruleset: Ruleset
    spec: AdviceSpec
    foe: MeasuredFoe
    _known: dict[Hashable, _Solved] = field(default_factory=dict)

    def amounts(self, state: State, unit_id: str = CHARACTER) -> dict[str, Measured]:
        """Return each measure of a unit by id, as ``odds`` calculates it.

        It has no number without an attack, or where a rule refuses to run.
        """
        attacks = tuple(_attacks(state, unit_id))
        solved: dict[Hashable, _Solved] = {}  # what several measures of an attack share
        measured: dict[str, Measured] = {}
        for measure in self.spec.measures:
            found: dict[str, Fraction] = {}
            for number, subject in enumerate(self._subjects(measure, state, unit_id, attacks)):
                try:
                    words = self._words(measure, subject, state, unit_id)
                    key = (measure.attacker, measure.procedure, number, frozenset(words.items()))
                    if key not in solved:
                        solved[key] = self._solved(subject, words)
                    found[subject.label] = _amount(measure, solved[key], state, unit_id)
                except CharforgeError:
                    continue
            by_foe = measure.attacker == "foe"  # it uses what is worst for the character
            best = max if (measure.better == "higher") is not by_foe else min
            own = measure.procedure is None and not by_foe
            measured[measure.id] = Measured(
                best(found.values(), default=None), found if own else {}
            )
        return measured

    def is_chance(self, measure: Measure) -> bool:
        """Return whether a measure is the chance of an output that is yes or no."""
        return measure.until is None and is_flag(
            self.ruleset, self._procedure(measure), measure.output
        )

    def foe_text(self) -> str:
        """Return the foe in words; empty if nothing is measured against one.

        What is 0 for this foe and for a typical one is left out, such as Prone; so is a flag of 0.
        """
        if self.foe.name:
            return _("Against {name}.").format(name=self.foe.name)
        figures = [
            _figure_text(figure, self.foe.figures[figure.id])
            for figure in self.spec.foe
            if self.foe.figures[figure.id] != "0" or not (figure.flag or figure.default == "0")
        ]
        if not figures:
            return ""
        text = _("Against a foe with {figures}.").format(figures=", ".join(figures))
        return true_minus(dice_notation(text))

    def _procedure(self, measure: Measure) -> Procedure:
        return self.ruleset.procedure(measure.procedure or self.ruleset.head.play.attack or "")

    def _subjects(
        self, measure: Measure, state: State, unit_id: str, attacks: Sequence[OddsSubject]
    ) -> Iterable[OddsSubject]:
        """Return what a measure calculates: the attacks of who attacks, or its procedure."""
        procedure = self._procedure(measure)
        if measure.attacker != "foe":
            return (
                attacks if measure.procedure is None else [rule_subject(state, procedure, unit_id)]
            )
        if self.foe.state is None:
            return [rule_subject(unknown_unit(self.ruleset, procedure), procedure, CHARACTER)]
        if measure.procedure is None:
            return _attacks(self.foe.state, CHARACTER)
        return [rule_subject(self.foe.state, procedure, CHARACTER)]

    def _solved(self, subject: OddsSubject, words: Mapping[str, str]) -> _Solved:
        """Return the chances of each output of a procedure with these inputs."""
        inputs = {**{name: str(value) for name, value in subject.known_inputs.items()}, **words}
        key = (
            subject.procedure.id, subject.unit, subject.bearer, frozenset(inputs.items()),
            state_key(subject.state, subject.procedure, inputs.values()),
        )  # fmt: skip
        if key not in self._known:
            result = calculate_odds(subject, TypedInputs(words))
            self._known[key] = _Solved({each.id: each.chances for each in result.cases[0]})
        return self._known[key]

    def _words(
        self, measure: Measure, subject: OddsSubject, state: State, unit_id: str
    ) -> dict[str, str]:
        """Return the inputs of a measure in words."""
        by_foe = measure.attacker == "foe"
        own_attack = by_foe and self.foe.state is not None
        words = {}
        for name, word in measure.set.items():
            if not word.startswith(REFERENCE):
                words[name] = word
            elif not own_attack:  # of a foe that is a character they come from its attack
                words[name] = self.foe.figures[word.removeprefix(REFERENCE)]
        values = state.values(unit_id)
        words |= {n: str(values.evaluate_now(formula)) for n, formula in measure.figures.items()}
        other = values if by_foe else None
        if not by_foe and self.foe.state is not None:
            other = self.foe.state.values()
        for name, naming in measure.look_up.items():
            value = subject.known_inputs.get(naming)
            if other is not None and isinstance(value, str) and value in other:
                words[name] = str(other.now(value))
        return words


def _figure_text(figure: FoeFigure, words: str) -> str:
    """Return a figure of a foe with its label: ``Defense 5``; of a flag the label alone."""
    named = figure.label if figure.flag else dice_notation(f"{figure.label} {words}")
    return f"{named} ({figure.text})" if figure.text else named


def _attacks(state: State, unit_id: str) -> Iterator[OddsSubject]:
    """Yield the attacks of a unit."""
    for ability in abilities.all_abilities(state, unit_id):
        subject = None if ability.attack is None else ability_subject(state, ability)
        if subject is not None:
            yield subject


def _amount(measure: Measure, solved: _Solved, state: State, unit_id: str) -> Fraction:
    """Return a measure with the chances that were calculated for it."""
    if measure.until is None:
        return solved.of(measure.output).mean
    total = state.values(unit_id).evaluate_now(measure.until)
    return solved.rounds_until(measure.output, total)
