"""Print options: layout, paper and styles of a sheet, and the space that these leave.

Every page has margins of 10 mm, 15 mm at its foot, where the page number
stands. They are equal on both sides of a leaf, so that the front and the
back of one printed on both sides cover each other; the page number
changes sides and is always at the outer edge. Lengths are millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from charforge.sheet.portraits import Portrait

Layout = Literal["full", "short", "cards", "reference", "party"]
Paper = Literal["a4", "letter"]
Orientation = Literal["portrait", "landscape"]
Style = Literal["ink-saver", "large-print", "grey"]

SIDE, FOOT = 10.0, 15.0


class PageSize(NamedTuple):
    """A page, or the room inside its margins."""

    width: float
    height: float


SHEETS: dict[Paper, PageSize] = {"a4": PageSize(210.0, 297.0), "letter": PageSize(215.9, 279.4)}


@dataclass(frozen=True, slots=True)
class Look:
    """The options of a print. Styles can be combined freely; ``blank`` leaves numbers out.

    ``fillable`` puts fields of a form where there is room to write.
    """

    layout: Layout = "full"
    paper: Paper = "a4"
    orientation: Orientation = "portrait"
    styles: frozenset[Style] = frozenset()
    blank: bool = False
    fillable: bool = False
    portrait: Portrait | None = None

    @property
    def sheet(self) -> PageSize:
        """The paper as it is held."""
        paper = SHEETS[self.paper]
        return PageSize(paper.height, paper.width) if self.orientation == "landscape" else paper

    @property
    def page(self) -> PageSize:
        """The room inside the margins."""
        sheet = self.sheet
        return PageSize(round(sheet.width - 2 * SIDE, 1), round(sheet.height - SIDE - FOOT, 1))

    @property
    def large(self) -> bool:
        """Whether the letters are large, and everything with them."""
        return "large-print" in self.styles

    @property
    def columns(self) -> int:
        """How many columns of running text stand side by side."""
        return (1 if self.large else 2) + (self.orientation == "landscape")

    @property
    def item_columns(self) -> int:
        """How many columns the equipment has."""
        return 2 if self.orientation == "landscape" and not self.large else 1

    @property
    def goes_on(self) -> bool:
        """Whether a section begins where the one before ends: a wide page is soon full."""
        return self.orientation == "landscape"

    @property
    def scores(self) -> int:
        """How many attributes stand in a row."""
        return 4 if self.large and self.orientation == "portrait" else 8

    @property
    def told(self) -> int | None:
        """How many lines say what breaks the rules; None for all of them."""
        return 1 if self.layout == "short" else None

    @property
    def abreast(self) -> bool:
        """Whether a short sheet has the attacks beside what else can be done."""
        return self.layout == "short" and self.orientation == "landscape"

    @property
    def notes_beside(self) -> bool:
        """Whether notes are one more part of the foot: there is no room below it."""
        return self.orientation == "landscape"

    @property
    def half(self) -> float:
        """The width of attacks, and of what else can be done."""
        return round((self.page.width - 6) / 2, 1) if self.abreast else self.page.width

    @property
    def corners(self) -> int:
        """How many parts stand side by side at the foot of a short sheet at most."""
        if self.large:
            return 3 if self.orientation == "landscape" else 1
        return 4

    @property
    def names(self) -> float:
        """The width of a badge and a name before a line of a short sheet."""
        return 52.0 if self.abreast else 60.0

    @property
    def chips(self) -> float:
        """The width of what a line of a short sheet costs, after it."""
        return 26.0 if self.abreast else 30.0

    @property
    def card(self) -> PageSize:
        """The size of a card: that of a poker card; in large print four take the room of nine."""
        if not self.large:
            return PageSize(63.0, 88.0)
        return PageSize(126.0, 88.0) if self.orientation == "landscape" else PageSize(94.5, 132.0)

    @property
    def grid(self) -> PageSize:
        """How many cards lie side by side, and one below the other."""
        sheet, card = self.sheet, self.card
        return PageSize(sheet.width // card.width, sheet.height // card.height)
