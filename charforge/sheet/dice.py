"""Drawings of dice and their symbols, which need no font.

Dice differ by shape and tone, and tones by more than a colour:
light is an outline, mid has a smaller one inside, dark is filled. Lengths
are millimetres, paths lie in a square of ten by ten.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from charforge.sheet.print_options import Look
from charforge.sheet.view import SheetDie, SheetPoolDie, SheetSymbol

SIZE, LARGE_SIZE, GAP = 4.4, 6.2, 0.7
INSIDE = 0.52  # of a die, that the smaller drawing in it takes
CORNERS = {"triangle": 3, "square": 4, "diamond": 4, "pentagon": 5, "hexagon": 6, "octagon": 8}
TURNS = {"square": 45.0, "hexagon": 30.0, "octagon": 22.5}


class DrawnDie(NamedTuple):
    """One die of a drawing: where it stands, its outlines in the square, its tone."""

    x: float
    outline: str
    inner: str
    tone: str


def die_size(look: Look) -> float:
    """Return how wide a die is."""
    return LARGE_SIZE if look.large else SIZE


def dice_row(dice: Sequence[SheetPoolDie]) -> tuple[DrawnDie, ...]:
    """Return the dice of a pool side by side, each as often as there are of it."""
    each = [die for die in dice for _ in range(die.number)]
    step = 10 * (1 + GAP / SIZE)
    return tuple(
        DrawnDie(round(place * step, 1), outline(die.shape), outline(die.shape, INSIDE), die.tone)
        for place, die in enumerate(each)
    )


def single_die(die: SheetDie) -> tuple[DrawnDie, ...]:
    """Return a single die, for a legend."""
    return (DrawnDie(0.0, outline(die.shape), outline(die.shape, INSIDE), die.tone),)


def dice_text(dice: Iterable[SheetPoolDie]) -> str:
    """Return a pool in words: ``1 Ability, 2 Proficiency``."""
    return ", ".join(f"{die.number} {die.label}" for die in dice if die.number) or "no dice"


def outline(shape: str, scale: float = 1.0) -> str:
    """Return the path of a shape around the middle of the square."""
    radius = 4.5 * scale
    if shape not in CORNERS:
        arc = f"a{_n(radius)} {_n(radius)} 0 1 0 "
        return f"M{_n(5 - radius)} 5{arc}{_n(2 * radius)} 0{arc}{_n(-2 * radius)} 0z"
    corners, turn = CORNERS[shape], TURNS.get(shape, 0.0)
    places = []
    for corner in range(corners):
        angle = math.radians(360 / corners * corner + turn)
        reach = radius * (1.24 if shape == "square" else 1.12 if shape == "triangle" else 1.04)
        places.append((5 + reach * math.sin(angle), 5 - reach * math.cos(angle)))
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in places) + "z"


def symbol_letters(symbol: SheetSymbol) -> str:
    """Return what stands for a symbol without a drawing: the first letters of its label."""
    return symbol.label[:2]


def die_symbols(dice: Iterable[SheetDie]) -> tuple[SheetSymbol, ...]:
    """Return each symbol that any of the dice shows, once."""
    found = {symbol.id: symbol for die in dice for face in die.faces for symbol in face}
    return tuple(found.values())


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
