"""Measures of a character against a foe: exact chances and means, as a ruleset's advice lists them.

A calculation is kept by everything that it may depend on, so that options
which change nothing about it cost no time.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pydantic import BaseModel

from charforge.character.state import CHARACTER, State
from charforge.errors import CharforgeError, UnknownId
from charforge.expressions.formula import TAG, Formula
from charforge.language import _
from charforge.odds import Chances
from charforge.odds.branches import comparable
from charforge.odds.liveness import computing_names, is_flag
from charforge.procedures import abilities
from charforge.rules.models import AdviceSpec, Entity, Measure, Modifier, Procedure
from charforge.rules.models.advice import REFERENCE
from charforge.rules.ruleset import Ruleset
from charforge.usecases.odds import OddsSubject, ability_subject, calculate_odds, rule_subject
from charforge.usecases.resolve import unknown_unit
from charforge.usecases.typed_inputs import TypedInputs

NOTHING = Chances({}, Fraction(1))  # of an output that is never set
NEVER = Fraction(10**6)  # rounds, where the expected number has no limit
READ_KEYS = ("kind", "all", "any", "none", "value", "default_word")  # of steps, with what they read
STATE_OF_PLAY = (
    "rules",
    "conditions",
    "resource_changes",
    "cooldowns",
    "uses",
    "in_hand",
    "worn",
    "assumed",
)
Amount = Fraction | None  # of a measure; None where it cannot be calculated


@dataclass(frozen=True)
class Foe:
    """The foe: its figures in words, typed or by default, and its state if it is a character."""

    figures: Mapping[str, str]
    state: State | None = None
    name: str = ""


def typical_foe(spec: AdviceSpec, typed: Mapping[str, str] | None = None) -> Foe:
    """Return a foe with typed figures, and the default ones. Raises UnknownId."""
    typed = typed or {}
    figures = {figure.id: figure.default for figure in spec.foe}
    for name in typed:
        if name not in figures:
            raise UnknownId(_("figure of the foe"), name, figures)
    return Foe({**figures, **typed})


def typical_measures(ruleset: Ruleset) -> Measures | None:
    """Return the measures of a ruleset against a typical foe; None if it has none."""
    spec = ruleset.head.advice
    return None if spec is None else Measures(ruleset, spec, typical_foe(spec))


def character_foe(spec: AdviceSpec, state: State, name: str) -> Foe:
    """Return a character as the foe; figures without a formula keep their default."""
    values = state.values()
    figures = {
        figure.id: figure.default
        if figure.formula is None
        else str(values.evaluate_now(figure.formula))
        for figure in spec.foe
    }
    return Foe(figures, state, name)


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
class Measures:
    """Calculates the measures of one ruleset's advice against a foe."""

    ruleset: Ruleset
    spec: AdviceSpec
    foe: Foe
    _known: dict[Hashable, Mapping[str, Chances]] = field(default_factory=dict)
    _readable: dict[str, frozenset[str]] = field(default_factory=dict)

    def amount(self, measure: Measure, state: State, unit: str = CHARACTER) -> Amount:
        """Return a measure of a unit, None where it has no number.

        That is so without an attack, or where a rule refuses to run.
        """
        subjects = self._own_subjects(measure, state, unit)
        if measure.attacker == "foe":
            subjects = self._subjects_of_foe(measure)
        amounts = []
        for subject in subjects:
            try:
                amounts.append(self._amount(measure, subject, state, unit))
            except CharforgeError:
                continue
        if not amounts:
            return None
        if measure.attacker == "foe":  # it uses what is worst for the character
            return min(amounts) if measure.better == "higher" else max(amounts)
        return max(amounts) if measure.better == "higher" else min(amounts)

    def is_chance(self, measure: Measure) -> bool:
        """Whether a measure is the chance of an output that is yes or no."""
        return measure.until is None and is_flag(
            self.ruleset, self._procedure(measure), measure.output
        )

    def foe_text(self) -> str:
        """Return the foe in words; empty if nothing is measured against one."""
        if self.foe.name:
            return _("Against {name}.").format(name=self.foe.name)
        figures = [f"{figure.label} {self.foe.figures[figure.id]}" for figure in self.spec.foe]
        if not figures:
            return ""
        return _("Against a foe with {figures}.").format(figures=", ".join(figures))

    def _procedure(self, measure: Measure) -> Procedure:
        return self.ruleset.procedure(measure.procedure or self.ruleset.head.play.attack or "")

    def _own_subjects(self, measure: Measure, state: State, unit: str) -> Iterator[OddsSubject]:
        if measure.procedure is not None:
            yield rule_subject(state, self._procedure(measure), unit)
            return
        for ability in abilities.all_abilities(state, unit):
            subject = None if ability.attack is None else ability_subject(state, ability)
            if subject is not None:
                yield subject

    def _subjects_of_foe(self, measure: Measure) -> Iterator[OddsSubject]:
        procedure = self._procedure(measure)
        if self.foe.state is not None:
            yield from self._own_subjects(measure, self.foe.state, CHARACTER)
        else:
            yield rule_subject(unknown_unit(self.ruleset, procedure), procedure, CHARACTER)

    def _amount(self, measure: Measure, subject: OddsSubject, state: State, unit: str) -> Fraction:
        chances = self._outcomes(subject, self._words(measure, subject, state, unit)).get(
            measure.output, NOTHING
        )
        if measure.until is None:
            return chances.mean
        return rounds_until(chances, state.values(unit).evaluate_now(measure.until))

    def _outcomes(self, subject: OddsSubject, words: Mapping[str, str]) -> Mapping[str, Chances]:
        """Return the chances of each output of a procedure with these inputs."""
        inputs = {**{name: str(value) for name, value in subject.known_inputs.items()}, **words}
        key = (
            subject.procedure.id, subject.unit, subject.bearer, frozenset(inputs.items()),
            self._relevant(subject.state, subject.procedure, inputs.values()),
        )  # fmt: skip
        if key not in self._known:
            result = calculate_odds(subject, TypedInputs(words), chosen=False)
            self._known[key] = {outcome.id: outcome.chances for outcome in result.cases[0]}
        return self._known[key]

    def _words(
        self, measure: Measure, subject: OddsSubject, state: State, unit: str
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
        values = state.values(unit)
        words |= {n: str(values.evaluate_now(formula)) for n, formula in measure.figures.items()}
        other = values if by_foe else None
        if not by_foe and self.foe.state is not None:
            other = self.foe.state.values()
        for name, naming in measure.look_up.items():
            value = subject.known_inputs.get(naming)
            if other is not None and isinstance(value, str) and value in other:
                words[name] = str(other.now(value))
        return words

    def _relevant(self, state: State, procedure: Procedure, inputs: Iterable[str]) -> Hashable:
        """Return everything of a state that a procedure can read with these inputs."""
        if procedure.id not in self._readable:
            self._readable[procedure.id] = _readable(procedure, self.ruleset)
        readable = self._readable[procedure.id] | computing_names(state) | set(inputs)
        held = tuple(
            (
                holding.entity.id, holding.quantity, state.bearer(holding),
                tuple(comparable(state.answers.get(f"{holding.id}.{choice.id}"))
                      for choice in holding.entity.choices),
            )
            for holding in state.holdings
            if _matters(holding.entity, readable)
        )  # fmt: skip
        chosen = tuple(
            (one.unit, one.source, one.holding, one.option.id)
            for one in state.chosen_options
            if _changes(one.option.modifies, readable)
        )
        fixed = tuple(
            comparable(modifier)
            for modifier in state.fixed_modifiers
            if modifier.op != "add" and modifier.value in readable
        )
        values = tuple(
            (unit.id, name, state.values(unit.id).base(name), state.values(unit.id).now(name))
            for unit in state.units
            for name in state.values(unit.id).ids()
            if name in readable
        )
        answers = tuple(
            (name, comparable(answer))
            for name, answer in state.answers.items()
            if name.rpartition(".")[2] in readable or name in readable
        )
        of_play = tuple(comparable(getattr(state, name)) for name in STATE_OF_PLAY)
        return state.level, held, chosen, fixed, values, answers, of_play


def _readable(procedure: Procedure, ruleset: Ruleset) -> frozenset[str]:
    """Return the values, entities, kinds and tags that a procedure can ask for, or one it calls."""
    words: set[str] = set()
    seen: set[str] = set()
    left = [procedure.id]
    while left:
        name = left.pop()
        if name in seen or name not in ruleset.procedures:
            continue
        seen.add(name)
        for part, key in _parts(ruleset.procedures[name]):
            if isinstance(part, Formula):
                words |= {name.rpartition(".")[2] for name in part.names}
                words |= {*(name.removeprefix(TAG) for name in part.referred), *part.limited}
                words |= {choice for choice, _answer in part.chosen}
            elif key == "procedure":
                left.append(part)
            elif key in READ_KEYS or part in ruleset.entities:
                words.add(part)
    return frozenset(words)


def _matters(entity: Entity, readable: frozenset[str]) -> bool:
    """Whether a procedure can ask for an entity, or its changes can depend on what happens."""
    if not readable.isdisjoint((entity.id, entity.kind, *entity.tags)):
        return True
    columns = (name for table in entity.tables for _column, name in table.value_columns)
    return not readable.isdisjoint(columns) or _changes(entity.modifies, readable)


def _changes(modifiers: Iterable[Modifier], readable: frozenset[str]) -> bool:
    """Whether one of some changes can become another one while a procedure runs.

    What is simply added is in the values already, and stays the same.
    """
    return any(
        modifier.when is not None
        or (
            modifier.value in readable
            and (modifier.op != "add" or modifier.amount.constant is None)
        )
        or not modifier.value.isidentifier()  # a group, or what a choice took
        for modifier in modifiers
    )


def _parts(part: Any, key: str = "") -> Iterator[tuple[Any, str]]:
    """Yield the texts and formulas of a model, however nested, each with the key it stands at."""
    if isinstance(part, str | Formula):
        yield part, key
    elif isinstance(part, BaseModel):
        for name in type(part).model_fields:
            yield from _parts(getattr(part, name), name)
    elif isinstance(part, Mapping):
        for item in (*part.keys(), *part.values()):
            yield from _parts(item, key)
    elif isinstance(part, tuple | list | frozenset):
        for item in part:
            yield from _parts(item, key)
