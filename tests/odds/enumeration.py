"""Odds by plain enumeration: run a procedure once for each sequence of faces.

This shares no code with ``charforge.odds``; it only runs procedures.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from charforge.character.state import State
from charforge.expressions.dice import Dice
from charforge.procedures import run
from charforge.procedures.context import RunSettings
from charforge.rules.models import Procedure

# The chance of each combination of outputs.
Found = dict[tuple[int | None, ...], Fraction]


class TooMany(Exception):
    """The enumeration would take too many runs for a test."""


class _Rolled(Exception):
    def __init__(self, dice: Dice) -> None:
        self.dice = dice


class _Asked(Exception):
    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers


class Enumerated:
    """The runs of a procedure. Choices are made to maximise the output ``best``."""

    def __init__(
        self, state: State, procedure: Procedure, inputs: Mapping[str, Any],
        best: str | None = None, most: int = 3000,
    ) -> None:  # fmt: skip
        self.state, self.procedure, self.inputs, self.best = state, procedure, inputs, best
        self.left = most

    def all(self, script: tuple[Any, ...] = ()) -> Found:
        self.left -= 1
        if self.left < 0:
            raise TooMany
        try:
            outputs = self._run(list(script))
        except _Rolled as rolled:
            dice = rolled.dice
            sequences = list(product(dice.faces, repeat=dice.number))
            found: Found = {}
            for sequence in sequences:
                for outputs, chance in self.all((*script, list(sequence))).items():
                    share = chance / len(sequences)
                    found[outputs] = found.get(outputs, Fraction(0)) + share
            return found
        except _Asked as asked:
            ways = [self.all((*script, number)) for number in asked.numbers]
            return max(ways, key=lambda way: self.mean(way, self.best or ""))
        return {tuple(outputs.get(one.id) for one in self.procedure.outputs): Fraction(1)}

    def mean(self, found: Found, output: str) -> Fraction:
        at = [one.id for one in self.procedure.outputs].index(output)
        return sum(((numbers[at] or 0) * chance for numbers, chance in found.items()), Fraction(0))

    def marginal(self, found: Found, at: int) -> dict[int | None, Fraction]:
        """The chances of one output by itself."""
        alone: dict[int | None, Fraction] = {}
        for numbers, chance in found.items():
            alone[numbers[at]] = alone.get(numbers[at], Fraction(0)) + chance
        return alone

    def _run(self, script: list[Any]) -> Mapping[str, int]:
        def roll(_name: str, dice: Dice, _label: str) -> list[int]:
            if not script:
                raise _Rolled(dice)
            return list(script.pop(0))

        def choose(_step: Any, low: int, high: int, usual: int, _told: Any = ()) -> int:
            if self.best is None:
                return usual
            if not script:
                raise _Asked([usual, *(n for n in range(low, high + 1) if n != usual)])
            return int(script.pop(0))

        return run.run_procedure(
            self.state, self.procedure, self.inputs, RunSettings(roll, choose=choose)
        ).outputs
