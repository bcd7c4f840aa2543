"""Exact distributions: the outputs of a procedure, and the falls of its dice."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, combinations_with_replacement
from math import comb, factorial, lcm, prod

from charforge.expressions.dice import Dice

NO_VALUE = None  # of an output that the procedure did not make
Value = int | str  # an output is a number, or a text from a chart
Fall = tuple[int, ...]  # the faces of dice in order of size
Weights = dict[Value | None, int]


@dataclass(frozen=True)
class Chances:
    """The distribution of an output: each number or text with its chance.

    ``by_value`` sums to 1 with ``nothing``, the chance that there is no
    value, such as the damage of an attack that misses.
    """

    by_value: Mapping[Value, Fraction]
    nothing: Fraction = Fraction(0)

    @cached_property
    def numbers(self) -> Mapping[int, Fraction]:
        """The chances of the values that are numbers."""
        return {n: chance for n, chance in self.by_value.items() if isinstance(n, int)}

    @cached_property
    def mean(self) -> Fraction:
        """The expected number; anything else counts as 0."""
        return sum((number * chance for number, chance in self.numbers.items()), Fraction(0))

    @property
    def given(self) -> Chances | None:
        """The chances given that there is a value; None if there never is."""
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
        """The chances of each number or more, then 0 for more than the last."""
        sums = accumulate((self.numbers[n] for n in self._ascending[::-1]), initial=Fraction(0))
        return list(sums)[::-1]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The chances of one output; ``given`` are those in the runs where it has a meaning."""

    id: str
    label: str
    chances: Chances
    given: Chances | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """Distributions of outputs as whole-number weights out of ``whole``.

    They are marginal: how two outputs go together is not kept.
    """

    whole: int
    weights: Mapping[str, Weights]

    def expected(self, output: str) -> Fraction:
        """Return the expected number of an output."""
        weights = self.weights.get(output, {})
        numbers = ((n, weight) for n, weight in weights.items() if isinstance(n, int))
        return Fraction(sum(n * weight for n, weight in numbers), self.whole)

    def with_certain(self, values: Mapping[str, Value | None]) -> Tally:
        """Return this with outputs whose value is certain."""
        if not values:
            return self
        more: dict[str, Weights] = {name: {value: self.whole} for name, value in values.items()}
        return Tally(self.whole, {**self.weights, **more})

    def chances(self, output: str) -> Chances:
        """Return the chances of an output."""
        weights = dict(self.weights.get(output, {NO_VALUE: self.whole}))
        nothing = weights.pop(NO_VALUE, 0)
        values = sorted(weights, key=lambda value: value if isinstance(value, int) else 0)
        found = {v: Fraction(weights[v], self.whole) for v in values if v is not NO_VALUE}
        return Chances(found, Fraction(nothing, self.whole))


def mix_tallies(parts: Iterable[tuple[int, int, Tally]]) -> Tally:
    """Return the mixture of tallies, each with its weight and the total of all weights.

    Whole numbers are far faster to add than fractions.
    """
    parts = list(parts)
    whole = lcm(*(total * tally.whole for _weight, total, tally in parts))
    weights_by_output: dict[str, Weights] = {}
    for weight, total, tally in parts:
        times = weight * (whole // (total * tally.whole))
        for output, weights in tally.weights.items():
            into = weights_by_output.setdefault(output, {})
            for value, share in weights.items():
                into[value] = into.get(value, 0) + share * times
    return Tally(whole, weights_by_output)


def number_of_falls(dice: Dice) -> int:
    """Return how many different falls some dice have; order does not count."""
    return comb(dice.number + len(set(dice.faces)) - 1, dice.number)


def falls(dice: Dice) -> Iterator[tuple[Fall, int]]:
    """Yield each fall of some dice with its number of ways; order does not count."""
    often = Counter(dice.faces)
    for fall in combinations_with_replacement(sorted(often), dice.number):
        alike = Counter(fall)
        orders = factorial(dice.number) // prod(map(factorial, alike.values()))
        yield fall, orders * prod(often[face] ** times for face, times in alike.items())


def sums(dice: Dice) -> Iterator[tuple[Fall, int]]:
    """Yield one fall for each sum of some dice, with the number of ways to that sum.

    The numbers of ways are the coefficients of a power of the polynomial
    whose exponents are the faces. The polynomial is packed into one large
    integer, with enough bytes for each coefficient, so that Python's own
    power does the work.
    """
    low = min(dice.faces)
    width = (len(dice.faces) ** dice.number).bit_length() // 8 + 1
    polynomial = sum(1 << 8 * width * (face - low) for face in dice.faces)
    power: int = polynomial**dice.number
    packed = power.to_bytes((power.bit_length() + 7) // 8, "little")
    fall_of = _fall_finder(dice)
    for at in range(0, len(packed), width):
        ways = int.from_bytes(packed[at : at + width], "little")
        if ways:
            yield fall_of(at // width + low * dice.number), ways


def _fall_finder(dice: Dice) -> Callable[[int], Fall]:
    """Return a function that finds a fall with a given sum."""
    kinds = sorted(set(dice.faces))
    low, high, number = kinds[0], kinds[-1], dice.number
    if kinds == list(range(low, high + 1)):

        def plain(total: int) -> Fall:
            many, more = divmod(total - low * number, max(high - low, 1))
            between = (low + more,) if many < number else ()
            return (low,) * (number - many - len(between)) + between + (high,) * many

        return plain
    reached = [{0}]
    for _die in range(number):
        reached.append({total + face for total in reached[-1] for face in kinds})

    def searched(total: int) -> Fall:
        fall = []
        for before in reversed(reached[:-1]):
            face = next(face for face in kinds if total - face in before)
            fall.append(face)
            total -= face
        return tuple(sorted(fall))

    return searched
