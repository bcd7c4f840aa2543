"""Exact distributions: of the outputs of a procedure, and of the rolls of dice."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, combinations_with_replacement
from math import comb, factorial, lcm, prod
from typing import Any, NamedTuple

from charforge.expressions.dice import Dice
from charforge.expressions.formula import FaceSets

NO_VALUE = None  # of an output that a run did not set
OutputValue = int | str  # an output is a number, or a text from a chart
Faces = tuple[int, ...]  # of dice rolled together, in order of size
WORD_BITS = 1_000  # bits of a number of ways: longer ones take more memory and time
Weights = dict[OutputValue | None, int]  # by value of an output: the number of ways to it


@dataclass(frozen=True)
class Chances:
    """The distribution of an output: each number or text with its chance.

    ``nothing`` is the chance that there is no value, such as the damage of
    an attack that misses. It and ``by_value`` sum to 1.
    """

    by_value: Mapping[OutputValue, Fraction]
    nothing: Fraction = Fraction(0)

    @cached_property
    def numbers(self) -> Mapping[int, Fraction]:
        """The chances of the values that are numbers."""
        return {n: chance for n, chance in self.by_value.items() if isinstance(n, int)}

    @cached_property
    def mean(self) -> Fraction:
        """The expected number; no value and texts count as 0."""
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
    """The chances of one output; ``given`` are those in the runs that meet its ``when``."""

    id: str
    label: str
    chances: Chances
    given: Chances | None = None


class Tally(NamedTuple):
    """Distributions of outputs as whole-number weights out of ``total``.

    Each output is counted by itself; how two of them go together is not
    kept.
    """

    total: int
    weights: Mapping[str, Weights]

    @property
    def size(self) -> int:
        """How much work and memory the tally takes: its results, the more the larger their ways."""
        results = sum(map(len, self.weights.values()))
        return results * (1 + self.total.bit_length() // WORD_BITS)

    def expected(self, output: str) -> Fraction:
        """Return the expected number of an output."""
        weights = self.weights.get(output, {})
        numbers = ((n, weight) for n, weight in weights.items() if isinstance(n, int))
        return Fraction(sum(n * weight for n, weight in numbers), self.total)

    def with_certain(self, values: Mapping[str, OutputValue | None]) -> Tally:
        """Return this tally with further outputs, whose values are certain."""
        if not values:
            return self
        more: dict[str, Weights] = {name: {value: self.total} for name, value in values.items()}
        return Tally(self.total, {**self.weights, **more})

    def chances(self, output: str) -> Chances:
        """Return the chances of an output."""
        weights = dict(self.weights.get(output, {NO_VALUE: self.total}))
        nothing = weights.pop(NO_VALUE, 0)
        values = sorted(weights, key=lambda value: value if isinstance(value, int) else 0)
        by_value = {v: Fraction(weights[v], self.total) for v in values if v is not NO_VALUE}
        return Chances(by_value, Fraction(nothing, self.total))


def mix_tallies(parts: Iterable[tuple[int, int, Tally]]) -> Tally:
    """Return the mixture of tallies: ``(weight, total of all weights, tally)``.

    Whole numbers are far faster to add than fractions.
    """
    parts = list(parts)
    whole = lcm(*(total * tally.total for _weight, total, tally in parts))
    weights_by_output: dict[str, Weights] = {}
    for weight, total, tally in parts:
        times = weight * (whole // (total * tally.total))
        for output, weights in tally.weights.items():
            mixed = weights_by_output.setdefault(output, {})
            for value, ways in weights.items():
                mixed[value] = mixed.get(value, 0) + ways * times
    return Tally(whole, weights_by_output)


def number_of_rolls(dice: Dice) -> int:
    """Return the number of different rolls of some dice; their order does not count."""
    return comb(dice.number + len(set(dice.faces)) - 1, dice.number)


def weighted_rolls(dice: Dice) -> Iterator[tuple[Faces, int]]:
    """Yield each different roll of some dice with its number of ways; order does not count."""
    sides = Counter(dice.faces)  # a die may have a face several times
    for faces in combinations_with_replacement(sorted(sides), dice.number):
        counts = Counter(faces)
        orders = factorial(dice.number) // prod(map(factorial, counts.values()))
        yield faces, orders * prod(sides[face] ** times for face, times in counts.items())


def counted_alike(dice: Dice, counted: FaceSets) -> Dice:
    """Return dice with one face in place of all those that the same sets of faces count."""
    first: dict[tuple[bool, ...], int] = {}
    faces = (
        first.setdefault(tuple(face in faces for faces in counted), face) for face in dice.faces
    )
    return dice._replace(faces=tuple(faces))


def total_ways(dice: Dice, rerolled: Callable[[Faces], bool] | None = None) -> Mapping[int, int]:
    """Return the number of ways to each total of some dice.

    Rolls for which ``rerolled`` is true do not count: all dice are rolled
    again until it is false.
    """
    if rerolled is None and not dice.keep:
        return sums_of_rolls(Counter(dice.faces), dice.number)
    rolls = rolls_by_sum(dice) if rerolled is None else weighted_rolls(dice)
    ways: Counter[int] = Counter()
    for faces, number in rolls:
        if rerolled is None or not rerolled(faces):
            ways[dice.total(faces)] += number
    return ways


def sums_of_rolls(ways: Mapping[int, int], times: int) -> dict[int, int]:
    """Return the number of ways to each sum of several equal rolls.

    ``ways`` are those to each total of one roll. They are the coefficients of
    a polynomial whose exponents are the totals, packed into one large integer
    with enough bytes for each, so that Python's own power does the work.
    """
    low = min(ways)
    width = (sum(ways.values()) ** times).bit_length() // 8 + 1
    polynomial = sum(number << 8 * width * (total - low) for total, number in ways.items())
    power: int = polynomial**times
    packed = power.to_bytes((power.bit_length() + 7) // 8, "little")
    sums = {}
    for at in range(0, len(packed), width):
        if number := int.from_bytes(packed[at : at + width], "little"):
            sums[at // width + low * times] = number
    return sums


def work_of_kept(dice: Dice) -> int:
    """Return about how many steps ``rolls_by_sum`` takes for dice of which some are dropped."""
    sums = dice.keep * (max(dice.faces) - min(dice.faces)) + 1
    return len(set(dice.faces)) * dice.keep * sums * dice.number


def rolls_by_sum(dice: Dice) -> Iterator[tuple[Faces, int]]:
    """Yield one roll for each sum of some dice, with the number of ways to that sum."""
    if dice.keep:
        yield from _rolls_by_kept_sum(dice)
        return
    faces_of = _roll_finder(dice)
    for total, ways in sums_of_rolls(Counter(dice.faces), dice.number).items():
        yield faces_of(total), ways


def _rolls_by_kept_sum(dice: Dice) -> Iterator[tuple[Faces, int]]:
    """Yield one roll for each sum of the dice that count, with the number of ways to it.

    The faces are visited from the one kept first. ``open`` has, by the number
    of dice that show a face visited and by their sum, one such roll and its
    ways. Once as many dice as count have a face, those left show any face not
    better than the present one: their ways are a power.
    """
    sides = Counter(dice.faces)
    done: dict[int, tuple[Faces, int]] = {}
    open_: dict[tuple[int, int], tuple[Faces, int]] = {(0, 0): ((), 1)}
    worse = len(dice.faces)  # sides of a die that show a face not visited yet
    for face in sorted(sides, reverse=not dice.keeps_lowest):
        worse -= sides[face]
        after: dict[tuple[int, int], tuple[Faces, int]] = {}
        for (used, total), (faces, ways) in open_.items():
            left = dice.number - used
            needed = dice.keep - used
            for times in range(needed):
                more = ways * comb(left, times) * sides[face] ** times
                _add_ways(
                    after, (used + times, total + times * face), (*faces, *(face,) * times), more
                )
            filled = sum(
                comb(left, times) * sides[face] ** times * worse ** (left - times)
                for times in range(needed, left + 1)
            )
            _add_ways(done, total + needed * face, (*faces, *(face,) * left), ways * filled)
        open_ = after
    yield from ((tuple(sorted(faces)), ways) for faces, ways in done.values() if ways)


def _add_ways(known: dict[Any, tuple[Faces, int]], key: Hashable, faces: Faces, ways: int) -> None:
    """Add ways to a roll of a sum; the first one found stands for all of them."""
    first, before = known.get(key, (faces, 0))
    known[key] = first, before + ways


def _roll_finder(dice: Dice) -> Callable[[int], Faces]:
    """Return a function that returns a roll of some dice with a given sum."""
    values = sorted(set(dice.faces))
    low, high, number = values[0], values[-1], dice.number
    if values == list(range(low, high + 1)):

        def from_range(total: int) -> Faces:
            highest, rest = divmod(total - low * number, max(high - low, 1))
            between = (low + rest,) if highest < number else ()
            return (low,) * (number - highest - len(between)) + between + (high,) * highest

        return from_range
    sums = [{0}]  # that can be reached with the first dice
    for _die in range(number):
        sums.append({total + face for total in sums[-1] for face in values})

    def searched(total: int) -> Faces:
        faces = []
        for sums_before in reversed(sums[:-1]):
            face = next(face for face in values if total - face in sums_before)
            faces.append(face)
            total -= face
        return tuple(sorted(faces))

    return searched
