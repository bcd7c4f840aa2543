"""Print options: layout, paper and styles of a sheet, and the room on its pages.

Margins are 10 mm, and 15 mm at the foot, where the page number is. Left and right margins are
equal, so that the front and back of a page printed on both sides line up; the page number is
always at the outer edge. Lengths are millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from charforge.sheet.portraits import Portrait

Layout = Literal["full", "short", "cards", "reference", "party"]
Paper = Literal["a4", "letter"]
Orientation = Literal["portrait", "landscape"]
Style = Literal["ink-saver", "large-print", "grey"]

Section = Literal[
    "fight", "abilities", "gear", "units", "story", "tables", "reference", "notes", "odds"
]
SECTIONS: tuple[Section, ...] = get_args(Section)

SIDE, FOOT = 10.0, 15.0


class PageSize(NamedTuple):
    """The width and height of a page, of the room inside its margins, or of a card."""

    width: float
    height: float


SHEETS: dict[Paper, PageSize] = {"a4": PageSize(210.0, 297.0), "letter": PageSize(215.9, 279.4)}


@dataclass(frozen=True, slots=True)
class Look:
    """The print options of a sheet. Any styles can be combined.

    ``blank`` leaves numbers out; ``fillable`` adds form fields where there is room to write.
    ``sections`` are the parts that are printed.
    """

    layout: Layout = "full"
    paper: Paper = "a4"
    orientation: Orientation = "portrait"
    styles: frozenset[Style] = frozenset()
    blank: bool = False
    fillable: bool = False
    portrait: Portrait | None = None
    sections: frozenset[Section] = frozenset(SECTIONS)

    def prints(self, section: Section) -> bool:
        """Whether a section is printed; a template that names no section is an error."""
        if section not in SECTIONS:
            raise ValueError(f"no section of a sheet is named {section!r}")
        return section in self.sections

    @property
    def paper_size(self) -> PageSize:
        """The size of the paper in this orientation."""
        paper = SHEETS[self.paper]
        return PageSize(paper.height, paper.width) if self.orientation == "landscape" else paper

    @property
    def page(self) -> PageSize:
        """The size of the room inside the margins."""
        size = self.paper_size
        return PageSize(round(size.width - 2 * SIDE, 1), round(size.height - SIDE - FOOT, 1))

    @property
    def large(self) -> bool:
        """Whether it is a large print."""
        return "large-print" in self.styles

    @property
    def columns(self) -> int:
        """The number of columns of running text."""
        return (1 if self.large else 2) + (self.orientation == "landscape")

    @property
    def item_columns(self) -> int:
        """The number of columns of equipment."""
        return 2 if self.orientation == "landscape" and not self.large else 1

    @property
    def sections_continue(self) -> bool:
        """Whether a section starts below the one before, instead of on a new page."""
        return self.orientation == "landscape"

    @property
    def scores_per_row(self) -> int:
        """The number of attributes in a row."""
        return 4 if self.large and self.orientation == "portrait" else 8

    @property
    def most_problems(self) -> int | None:
        """How many violations of the rules are listed; None for all of them."""
        return 1 if self.layout == "short" else None

    @property
    def side_by_side(self) -> bool:
        """Whether attacks and other actions of a short sheet are side by side."""
        return self.layout == "short" and self.orientation == "landscape"

    @property
    def notes_in_foot(self) -> bool:
        """Whether the notes of a short sheet are part of its foot, instead of below it."""
        return self.orientation == "landscape"

    @property
    def attack_width(self) -> float:
        """The width of the attacks, and of the other actions, of a short sheet."""
        return round((self.page.width - 6) / 2, 1) if self.side_by_side else self.page.width

    @property
    def foot_columns(self) -> int:
        """The largest number of columns at the foot of a short sheet."""
        if self.large:
            return 3 if self.orientation == "landscape" else 1
        return 4

    @property
    def name_width(self) -> float:
        """The width of the badge and name of an action on a short sheet."""
        return 52.0 if self.side_by_side else 60.0

    @property
    def chip_width(self) -> float:
        """The width of the costs and limits of an action on a short sheet."""
        return 26.0 if self.side_by_side else 30.0

    @property
    def card_size(self) -> PageSize:
        """The size of a card: a poker card, or in large print four cards on a page."""
        if not self.large:
            return PageSize(63.0, 88.0)
        return PageSize(126.0, 88.0) if self.orientation == "landscape" else PageSize(94.5, 132.0)

    @property
    def card_grid(self) -> PageSize:
        """The number of cards across and down a page."""
        paper, card = self.paper_size, self.card_size
        return PageSize(paper.width // card.width, paper.height // card.height)
