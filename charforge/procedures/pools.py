"""Pools of dice with symbols: their counts, reading faces, cancelling symbols, all outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from charforge.character.values import Values
from charforge.errors import did_you_mean, shorten
from charforge.expressions.formula import Formula
from charforge.language import _
from charforge.procedures.inputs import read_faces
from charforge.rules.models import DiceCounts, Die, Pool, Symbol
from charforge.rules.models.vocabulary import BLANK
from charforge.rules.ruleset import Ruleset

EMPTY_POOL, AGAINST = "nothing", "against"


def dice_counts(dice: DiceCounts, whole: Callable[[Formula], int]) -> dict[str, int]:
    """Return the number of each die in a pool by id, without those of which it has none."""
    numbers = {name: whole(formula) for name, formula in dice.items()}
    return {name: number for name, number in numbers.items() if number > 0}


def count_symbols(die: Die, faces: Iterable[int]) -> Counter[str]:
    """Count the symbols on these faces of a die, which are numbered from 1."""
    return Counter(symbol for face in faces for symbol in die.symbols[face - 1])


def read_symbol_faces(ruleset: Ruleset, die: Die, text: str) -> tuple[int, ...]:
    """Read the faces of symbol dice: by number, or as ``success+advantage, blank``.

    Raises ValueError.
    """
    parts = (part.strip() for part in text.split(","))
    return tuple(face for part in parts for face in _read_face(ruleset, die, part))


def _read_face(ruleset: Ruleset, die: Die, text: str) -> tuple[int, ...]:
    """Read one face by its symbols, or some by their numbers."""
    if any(sign.isdecimal() for sign in text):
        return read_faces(text)
    words = [word.strip().casefold() for word in text.split("+")]
    if words == [BLANK]:
        words = []
    by_name = {name.casefold(): symbol.id for symbol in ruleset.head.symbols
              for name in (symbol.id, symbol.label)}  # fmt: skip
    unknown = [word for word in words if word not in by_name]
    if unknown:
        raise ValueError(
            _("there is no symbol {unknown}{did_you_mean}").format(
                unknown=shorten(unknown[0]), did_you_mean=did_you_mean(unknown[0], by_name)
            )
        )
    symbols_shown = sorted(by_name[word] for word in words)
    for number, symbols in enumerate(die.symbols, 1):
        if sorted(symbols) == symbols_shown:
            return (number,)
    raise ValueError(
        _("{label} has no face with {text}").format(label=die.label or die.id, text=text)
    )


def net_symbols(ruleset: Ruleset, counts: Mapping[str, int]) -> dict[str, int]:
    """Return the net count of every symbol of a ruleset, from the counts that dice show.

    A symbol that counts as another is added to it; then the symbols that
    cancel one are subtracted, so that a count may be negative. The net of
    two pools is the sum of their nets.
    """
    symbols = ruleset.symbols
    gross = dict.fromkeys(symbols, 0)
    for name, number in counts.items():
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


def is_opposing(ruleset: Ruleset, die: Die) -> bool:
    """Return whether a die shows only symbols that cancel an earlier symbol of the ruleset."""
    order = list(ruleset.symbols)
    sides = {
        order.index(cancels) < order.index(name)
        for symbol in {symbol for face in die.symbols for symbol in face}
        for name in _counted(ruleset.symbols, symbol)
        if (cancels := ruleset.symbols[name].cancels) is not None
    }
    return sides == {True}


def sorted_dice(ruleset: Ruleset, dice: Iterable[str]) -> list[str]:
    """Return dice with those that oppose the others last."""
    return sorted(dice, key=lambda name: is_opposing(ruleset, ruleset.symbol_dice[name]))


def pool_text(ruleset: Ruleset, pool: Mapping[str, int]) -> str:
    """Return a pool in words: ``Ability 1, Proficiency 2 against Difficulty 2``."""
    sides: dict[bool, dict[str, int]] = {False: {}, True: {}}
    for name, number in pool.items():
        sides[is_opposing(ruleset, ruleset.symbol_dice[name])][name] = number
    own, others = (dice_text(ruleset, sides[side]) for side in (False, True))
    return f"{own or EMPTY_POOL} {AGAINST} {others}" if others else own or EMPTY_POOL


def dice_of_unit(values: Values, pool: Pool) -> str:
    """Return the dice that a unit has in a pool, in words."""
    counted = dice_counts(pool.dice, values.evaluate_now)
    return dice_text(values.ruleset, counted) or EMPTY_POOL


def dice_text(ruleset: Ruleset, dice: Mapping[str, int]) -> str:
    """Return dice with their numbers in words: ``Difficulty 1, Challenge 2``."""
    named = ((ruleset.symbol_dice[name], number) for name, number in dice.items())
    return ", ".join(f"{die.label or die.id} {number}" for die, number in named)


def symbols_text(ruleset: Ruleset, left: Mapping[str, int]) -> str:
    """Return the symbols left in words: ``2 Successes, 1 Threat``."""
    symbols = ruleset.symbols
    parts = [symbols[name].counted(number) for name, number in left.items() if number > 0]
    return ", ".join(parts) or EMPTY_POOL


def pool_outcomes(
    ruleset: Ruleset, pool: Mapping[str, int], symbols: Sequence[str]
) -> Iterator[tuple[dict[str, int], int]]:
    """Yield every possible net count of these symbols in a pool, with its number of ways.

    ``pool`` has the number of each die by id. The fewer symbols, the faster.
    """
    import icepool  # slow to import, and only odds of pools need it

    total = icepool.Die([icepool.Vector([0] * len(symbols))])
    for name, number in pool.items():
        faces = [icepool.Vector(face) for face in _net_faces(ruleset, name, symbols)]
        for _die in range(number):
            total += icepool.Die(faces)
    for left, ways in total.items():
        yield dict(zip(symbols, map(int, left), strict=True)), int(ways)


def _net_faces(ruleset: Ruleset, name: str, symbols: Sequence[str]) -> Iterator[list[int]]:
    """Yield the net of each face of a symbol die."""
    die = ruleset.symbol_dice[name]
    for face in range(1, len(die.symbols) + 1):
        left = net_symbols(ruleset, count_symbols(die, [face]))
        yield [left[symbol] for symbol in symbols]
