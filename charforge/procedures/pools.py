"""Dice with symbols: how many of a pool, what they show, what is left when symbols cancel.

What a pool shows is a sum over its dice, and so is what is left of it:
``net`` of two pools together is the sum of the ``net`` of each. Odds may
therefore add up dice one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from charforge.expressions.formula import Formula
from charforge.rules.models import DiceCounts, Die, Symbol
from charforge.rules.ruleset import Ruleset

NOTHING, AGAINST = "nothing", "against"


def counts(dice: DiceCounts, whole: Callable[[Formula], int]) -> dict[str, int]:
    """Return how many of each die a pool has; dice of which it has none are left out."""
    found = {name: whole(formula) for name, formula in dice.items()}
    return {name: number for name, number in found.items() if number > 0}


def shown(die: Die, faces: Iterable[int]) -> Counter[str]:
    """Count the symbols on these faces of a die, which are numbered from 1."""
    return Counter(symbol for face in faces for symbol in die.symbols[face - 1])


def net(ruleset: Ruleset, found: Mapping[str, int]) -> dict[str, int]:
    """Return the count of every symbol of a ruleset, of those that dice show.

    A symbol that counts as another one is added to it; then what cancels a
    symbol is taken off, so that it may be less than 0.
    """
    symbols = ruleset.symbols
    gross = dict.fromkeys(symbols, 0)
    for name, number in found.items():
        for symbol in _counted(symbols, name):
            gross[symbol] += number
    return {
        name: gross[name] - (gross[symbol.cancels] if symbol.cancels else 0)
        for name, symbol in symbols.items()
    }


def _counted(symbols: Mapping[str, Symbol], name: str | None) -> Iterator[str]:
    """Yield a symbol, and those that it counts as."""
    while name is not None:
        yield name
        name = symbols[name].counts


def opposing(ruleset: Ruleset, die: Die) -> bool:
    """Whether a die shows only what cancels an earlier symbol of the ruleset."""
    order = list(ruleset.symbols)
    sides = {
        order.index(cancels) < order.index(name)
        for symbol in {symbol for face in die.symbols for symbol in face}
        for name in _counted(ruleset.symbols, symbol)
        if (cancels := ruleset.symbols[name].cancels) is not None
    }
    return sides == {True}


def in_order(ruleset: Ruleset, dice: Iterable[str]) -> list[str]:
    """Return dice with those that oppose the others last."""
    return sorted(dice, key=lambda name: opposing(ruleset, ruleset.symbol_dice[name]))


def words(ruleset: Ruleset, pool: Mapping[str, int]) -> str:
    """Say a pool: ``Ability 1, Proficiency 2 against Difficulty 2``."""
    sides: dict[bool, list[str]] = {False: [], True: []}
    for name, number in pool.items():
        die = ruleset.symbol_dice[name]
        sides[opposing(ruleset, die)].append(f"{die.label or die.id} {number}")
    own, others = (", ".join(sides[side]) for side in (False, True))
    return f"{own or NOTHING} {AGAINST} {others}" if others else own or NOTHING


def result(ruleset: Ruleset, left: Mapping[str, int]) -> str:
    """Say what is left of the symbols: ``2 Successes, 1 Threat``."""
    symbols = ruleset.symbols
    told = [symbols[name].counted(number) for name, number in left.items() if number > 0]
    return ", ".join(told) or NOTHING
