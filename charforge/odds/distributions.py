"""What a procedure can come to: each output's numbers with their exact chances."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import lcm

# What an output is where it was never made; it counts as nothing that it could be.
NOTHING = None
Value = int | str  # an output is a number, or a text that was read of a chart
Weights = dict[Value | None, int]


@dataclass(frozen=True)
class Chances:
    """What something may be, each number or text with its chance.

    ``by_value`` sums to 1 with ``nothing``, the chance that it is none of
    them: the damage of an attack that misses.
    """

    by_value: Mapping[Value, Fraction]
    nothing: Fraction = Fraction(0)

    @cached_property
    def numbers(self) -> Mapping[int, Fraction]:
        """Those of the values that are numbers."""
        return {n: chance for n, chance in self.by_value.items() if isinstance(n, int)}

    @cached_property
    def mean(self) -> Fraction:
        """The number to expect; what is no number counts as 0."""
        return sum((number * chance for number, chance in self.numbers.items()), Fraction(0))

    @property
    def given(self) -> Chances | None:
        """The chances where it is something; None where it never is."""
        some = 1 - self.nothing
        if not some:
            return None
        return Chances({value: chance / some for value, chance in self.by_value.items()})

    def at_least(self, number: int) -> Fraction:
        """Return the chance of this number or more."""
        at = bisect_left(self._ascending, number)
        return self._or_more[at]

    def at_most(self, number: int) -> Fraction:
        """Return the chance of this number or less."""
        at = bisect_right(self._ascending, number)
        return self._or_more[0] - self._or_more[at]

    @cached_property
    def _ascending(self) -> list[int]:
        return sorted(self.numbers)

    @cached_property
    def _or_more(self) -> list[Fraction]:
        """The chances of each number or more, and of more than the last."""
        sums = accumulate((self.numbers[n] for n in self._ascending[::-1]), initial=Fraction(0))
        return list(sums)[::-1]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One output: its chances, and (where the rules say when it means anything) those then."""

    id: str
    label: str
    chances: Chances
    given: Chances | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """Chances by output while they are being added up: weights out of ``whole``.

    Outputs stand by themselves: how two of them go together is not kept.
    """

    whole: int
    weights: Mapping[str, Weights]

    def expected(self, output: str) -> Fraction:
        """Return the number to expect of an output."""
        weights = self.weights.get(output, {})
        numbers = ((n, weight) for n, weight in weights.items() if isinstance(n, int))
        return Fraction(sum(n * weight for n, weight in numbers), self.whole)

    def also(self, settled: Mapping[str, Value | None]) -> Tally:
        """Return this with outputs whose number is certain."""
        if not settled:
            return self
        more: dict[str, Weights] = {name: {value: self.whole} for name, value in settled.items()}
        return Tally(self.whole, {**self.weights, **more})

    def chances(self, output: str) -> Chances:
        """Return the chances of an output."""
        weights = dict(self.weights.get(output, {NOTHING: self.whole}))
        nothing = weights.pop(NOTHING, 0)
        values = sorted(weights, key=lambda value: value if isinstance(value, int) else 0)
        found = {v: Fraction(weights[v], self.whole) for v in values if v is not NOTHING}
        return Chances(found, Fraction(nothing, self.whole))


def mixed(parts: Iterable[tuple[int, int, Tally]]) -> Tally:
    """Mix tallies, each taken ``weight`` times out of ``total``; together they are all there is.

    Whole numbers are far faster to add than fractions.
    """
    parts = list(parts)
    whole = lcm(*(total * tally.whole for _weight, total, tally in parts))
    found: dict[str, Weights] = {}
    for weight, total, tally in parts:
        times = weight * (whole // (total * tally.whole))
        for output, weights in tally.weights.items():
            into = found.setdefault(output, {})
            for value, share in weights.items():
                into[value] = into.get(value, 0) + share * times
    return Tally(whole, found)
