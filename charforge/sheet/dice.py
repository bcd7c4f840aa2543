"""Drawings of dice and their symbols.

Dice differ by shape and tone. Tones can be told apart without colours: light is an outline, mid
has a smaller one inside, dark is filled. Lengths are millimetres; paths fit a square of 10 by 10.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from charforge.language import _
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.view import SheetDie, SheetPoolDie, SheetSymbol

SIZE, LARGE_SIZE, GAP = 4.4, 6.2, 0.7
INSIDE = 0.52  # the size of the smaller outline inside a die
CORNERS = {"triangle": 3, "square": 4, "diamond": 4, "pentagon": 5, "hexagon": 6, "octagon": 8}
TURNS = {"square": 45.0, "hexagon": 30.0, "octagon": 22.5}


class DrawnDie(NamedTuple):
    """One die of a drawing: its position, its outline and the smaller one, and its tone."""

    x: float
    outline: str
    inner: str
    tone: str


def die_size(options: PrintOptions) -> float:
    """Return the width of a die."""
    return LARGE_SIZE if options.large else SIZE


def dice_row(dice: Sequence[SheetPoolDie]) -> tuple[DrawnDie, ...]:
    """Return the dice of a pool side by side."""
    repeated = [die for die in dice for _ in range(die.number)]
    step = 10 * (1 + GAP / SIZE)
    return tuple(
        DrawnDie(round(index * step, 1), outline(die.shape), outline(die.shape, INSIDE), die.tone)
        for index, die in enumerate(repeated)
    )


def single_die(die: SheetDie) -> tuple[DrawnDie, ...]:
    """Return a drawing of one die, for a legend."""
    return (DrawnDie(0.0, outline(die.shape), outline(die.shape, INSIDE), die.tone),)


def dice_text(dice: Iterable[SheetPoolDie]) -> str:
    """Return a pool in words: ``1 Ability, 2 Proficiency``."""
    return ", ".join(f"{die.number} {die.label}" for die in dice if die.number) or _("no dice")


def outline(shape: str, scale: float = 1.0) -> str:
    """Return the path of a shape, centred in the square and scaled."""
    radius = 4.5 * scale
    if shape not in CORNERS:
        arc = f"a{_n(radius)} {_n(radius)} 0 1 0 "
        return f"M{_n(5 - radius)} 5{arc}{_n(2 * radius)} 0{arc}{_n(-2 * radius)} 0z"
    corners, turn = CORNERS[shape], TURNS.get(shape, 0.0)
    # Shapes with fewer corners are drawn larger, so that all dice look the same size.
    reach = radius * (1.24 if shape == "square" else 1.12 if shape == "triangle" else 1.04)
    points = []
    for corner in range(corners):
        angle = math.radians(360 / corners * corner + turn)
        points.append((5 + reach * math.sin(angle), 5 - reach * math.cos(angle)))
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points) + "z"


def symbol_letters(symbol: SheetSymbol) -> str:
    """Return the letters printed for a symbol that has no drawing."""
    return symbol.label[:2]


def die_symbols(dice: Iterable[SheetDie]) -> tuple[SheetSymbol, ...]:
    """Return the symbols on the faces of dice, each once."""
    symbols = {symbol.id: symbol for die in dice for face in die.faces for symbol in face}
    return tuple(symbols.values())


def faces_json(dice: Iterable[SheetDie]) -> str:
    """Return the label and faces of each die by its id, as JSON for a page that rolls them."""
    faces = {
        die.id: {
            "label": die.label,
            "faces": [[symbol.label for symbol in face] for face in die.faces],
        }
        for die in dice
    }
    return json.dumps(faces, ensure_ascii=False)


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
