"""Dice with symbols, and pools of them."""

from __future__ import annotations

from typing import NamedTuple


class SheetSymbol(NamedTuple):
    """A symbol on the faces of dice."""

    id: str
    label: str
    icon: str


class SheetDie(NamedTuple):
    """A die with the symbols of each of its faces; an empty face shows none."""

    id: str
    label: str
    # How it is drawn.
    shape: str
    tone: str
    faces: tuple[tuple[SheetSymbol, ...], ...]


class SheetPoolDie(NamedTuple):
    """A number of equal dice."""

    id: str
    label: str
    # How it is drawn.
    shape: str
    tone: str
    number: int


class SheetPool(NamedTuple):
    """The dice of a pool; there may be none now."""

    id: str
    label: str
    dice: tuple[SheetPoolDie, ...]
