"""Dice by name: with numbers of their own, or with symbols that are counted against each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from charforge.expressions.dice import Dice
from charforge.expressions.formula import Formula
from charforge.rules.annotations import Names
from charforge.rules.models.base import PackModel, RuleRef, Slug, ValueId

BLANK = "blank"  # a face without any symbol
SymbolRef = Annotated[ValueId, Names("symbol")]
SymbolDieRef = Annotated[ValueId, Names("symbol die")]
# How many of each symbol die are rolled; fewer than none is none.
DiceCounts = dict[SymbolDieRef, Formula]


class Symbol(PackModel):
    """A symbol that dice show.

    ``cancels`` is its opposite, one for one (each names the other);
    ``counts`` the symbol that it is one of besides. ``icon`` draws it.
    """

    id: ValueId
    label: str
    plural: str
    cancels: SymbolRef | None = None
    counts: SymbolRef | None = None
    icon: str = ""

    def counted(self, number: int) -> str:
        """Say so many of it."""
        return f"{number} {self.label if number == 1 else self.plural}"


class Die(PackModel):
    """A die of the ruleset's own: the numbers it shows, or the ``symbols`` of each face.

    The faces of a symbol die are numbered from 1 in their order: that is
    what is rolled, typed and kept. ``shape`` and ``tone`` draw it.
    """

    id: ValueId
    label: str = ""
    faces: tuple[int, ...] = ()
    symbols: tuple[tuple[SymbolRef, ...], ...] = ()
    shape: Literal["circle", "square", "triangle", "diamond", "pentagon", "hexagon", "octagon"] = (
        "square"
    )
    tone: Literal["light", "mid", "dark"] = "light"

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse a die without faces, or with faces of two sorts."""
        if bool(self.faces) == bool(self.symbols):
            raise ValueError("a die has either 'faces' (numbers) or 'symbols' (a list for each)")
        return self

    def many(self, number: int, symbols: Mapping[str, Symbol]) -> Dice:
        """Return so many of this symbol die, to be rolled."""
        faces = tuple(range(1, len(self.symbols) + 1))
        shows = (" + ".join(symbols[name].label for name in face) for face in self.symbols)
        return Dice(number, faces, f"{number}d{self.id}", tuple(text or BLANK for text in shows))


class Pool(PackModel):
    """Symbol dice that a unit has for something, such as against attacks on it."""

    id: Slug
    label: str
    source: RuleRef = ""
    dice: DiceCounts = Field(min_length=1)
