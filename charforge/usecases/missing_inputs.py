"""What steps must still be told, by their own words: found before anything is rolled.

A step may refuse to go on until some input is given. What the procedures
are handed that steps call is followed, so that theirs is found as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charforge.expressions.formula import Formula
from charforge.rules.models import AnyProcedureStep, Call, Input, Require, Tell
from charforge.rules.models.procedures import GIVEN
from charforge.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Lack:
    """A step that does not hold, and the inputs of which any one would make it hold.

    ``open`` says that no input hinders it: of two inputs of which only one
    may be given, one may still come from elsewhere.
    """

    step: Require
    ways: tuple[Input, ...]
    open: bool

    @property
    def words(self) -> str:
        """What the step says."""
        return self.step.say or str(self.step.that)


@dataclass(frozen=True, slots=True)
class _Told:
    """What inputs tell: variables by name, and by ``x_given`` what could be given still."""

    variables: Mapping[str, int]
    left: Mapping[str, Input]


def lacks(
    ruleset: Ruleset,
    inputs: Iterable[Input],
    steps: Iterable[AnyProcedureStep],
    given: Mapping[str, Any],
) -> Iterator[Lack]:
    """Yield what steps lack that go by nothing else than what was told, in their order."""
    yield from _lacks(ruleset, steps, _begun(inputs, given))


def _lacks(ruleset: Ruleset, steps: Iterable[AnyProcedureStep], told: _Told) -> Iterator[Lack]:
    """Yield what steps lack; only of those that are come to for certain."""
    for step in steps:
        if isinstance(step, Tell) and step.stop:
            return
        if step.repeat or step.units or step.ruled or not _holds(step.when, told.variables):
            continue
        if isinstance(step, Call):
            called = ruleset.procedure(step.procedure)
            yield from _lacks(ruleset, called.steps, _handed(step, called.inputs, told))
        elif isinstance(step, Require) and _by_input(step, told):
            yield _lack(step, told)


def _by_input(step: Require, told: _Told) -> bool:
    """Whether a step does not hold for what was given or not."""
    by_input = any(name.endswith(GIVEN) for name in step.that.names)
    return by_input and _holds(step.that, told.variables) is False


def _lack(step: Require, told: _Told) -> Lack:
    found = {name: one for name, one in told.left.items() if name in step.that.names}
    ways = (one for name, one in found.items() if _holds(step.that, {**told.variables, name: 1}))
    every = _holds(step.that, {**told.variables, **dict.fromkeys(found, 1)})
    return Lack(step, tuple(ways), bool(every))


def _holds(formula: Formula | None, variables: Mapping[str, int]) -> bool | None:
    """Whether a formula holds; None where that cannot be told of these variables alone."""
    if formula is None:
        return True
    if formula.referred or not formula.names <= variables.keys():
        return None
    return bool(formula.evaluate(variables.__getitem__))


def _begun(inputs: Iterable[Input], given: Mapping[str, Any]) -> _Told:
    """Return what inputs tell before the first step: which are given, which word each is."""
    variables: dict[str, int] = {}
    left: dict[str, Input] = {}
    for one in inputs:
        said = given.get(one.id)
        if one.optional:
            variables[one.id + GIVEN] = int(said is not None)
            left |= {} if said is not None else {one.id + GIVEN: one}
        variables |= _usual(one) if said is None else _value(one, said)
    return _Told(variables, left)


def _handed(step: Call, inputs: Iterable[Input], told: _Told) -> _Told:
    """Return what the inputs of a called procedure tell."""
    variables: dict[str, int] = {}
    left: dict[str, Input] = {}
    for one in inputs:
        passed = step.with_.get(one.id)
        if not isinstance(passed, str):
            variables[one.id + GIVEN] = int(passed is not None)
            variables |= _usual(one) if passed is None else _value(one, passed.constant)
            continue
        ours = passed.removeprefix("$")
        names = (one.id, *one.told, one.id + GIVEN)
        for name, same in ((name, ours + name.removeprefix(one.id)) for name in names):
            variables |= {name: told.variables[same]} if same in told.variables else {}
            left |= {name: told.left[same]} if same in told.left else {}
        variables.setdefault(one.id + GIVEN, 1)
    return _Told(variables, left)


def _usual(one: Input) -> dict[str, int]:
    """Return what an input tells that is left out."""
    return _value(one, one.default_word if one.default is None else one.default.constant)


def _value(one: Input, said: object) -> dict[str, int]:
    """Return what an input tells that is known: of a flag itself, of a word which one it is."""
    if one.type == "flag":
        return {one.id: said} if isinstance(said, int) else {}
    words = zip(one.told, one.options, strict=True)
    return {name: int(said == option) for name, option in words}
