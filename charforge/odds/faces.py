"""How dice can fall: every different fall with the number of ways it comes about.

The order in which equal dice fall means nothing to any step, so faces are
taken without it; where only the sum is read, one fall stands for all with
its sum. Pools of symbol dice are added up by icepool.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from charforge.expressions.dice import Dice
from charforge.procedures import pools
from charforge.rules.ruleset import Ruleset

Fall = tuple[int, ...]


def number_of_falls(dice: Dice) -> int:
    """Return how many falls there are without regard to order."""
    return comb(dice.number + len(set(dice.faces)) - 1, dice.number)


def falls(dice: Dice) -> Iterator[tuple[Fall, int]]:
    """Yield each fall of some dice, its faces in order of size, with its number of ways."""
    often = Counter(dice.faces)
    for fall in combinations_with_replacement(sorted(often), dice.number):
        alike = Counter(fall)
        orders = factorial(dice.number) // prod(map(factorial, alike.values()))
        yield fall, orders * prod(often[face] ** times for face, times in alike.items())


def sums(dice: Dice) -> Iterator[tuple[Fall, int]]:
    """Yield one fall for each sum of some dice, with the number of ways to that sum.

    The ways to the sums of many dice are the coefficients of a power: of
    the polynomial whose exponents are the faces. Written into one whole
    number, each with room enough, they are multiplied all at once.
    """
    low = min(dice.faces)
    room = (len(dice.faces) ** dice.number).bit_length() // 8 + 1
    one = sum(1 << 8 * room * (face - low) for face in dice.faces)
    power: int = one**dice.number
    written = power.to_bytes((power.bit_length() + 7) // 8, "little")
    showing = _showing(dice)
    for at in range(0, len(written), room):
        ways = int.from_bytes(written[at : at + room], "little")
        if ways:
            yield showing(at // room + low * dice.number), ways


def _showing(dice: Dice) -> Callable[[int], Fall]:
    """Return what finds a fall with a sum, its faces in order of size."""
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


def pool(
    ruleset: Ruleset, counts: Mapping[str, int], symbols: Sequence[str]
) -> Iterator[tuple[dict[str, int], int]]:
    """Yield what can be left of these symbols in a pool, each with its number of ways.

    What is left of two pools together is the sum of what is left of each,
    so dice are added one by one; the fewer symbols, the faster.
    """
    import icepool

    total = icepool.Die([icepool.Vector([0] * len(symbols))])
    for name, number in counts.items():
        faces = [icepool.Vector(face) for face in _faces(ruleset, name, symbols)]
        for _die in range(number):
            total += icepool.Die(faces)
    for left, ways in total.items():
        yield dict(zip(symbols, map(int, left), strict=True)), int(ways)


def _faces(ruleset: Ruleset, name: str, symbols: Sequence[str]) -> Iterator[list[int]]:
    """Yield what each face of a symbol die leaves by itself."""
    die = ruleset.symbol_dice[name]
    for face in range(1, len(die.symbols) + 1):
        left = pools.net(ruleset, pools.shown(die, [face]))
        yield [left[symbol] for symbol in symbols]
