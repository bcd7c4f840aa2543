"""Print options: layout, paper and styles of a sheet, and the room on its pages.

Margins are 10 mm, and 15 mm at the foot, where the page number is. Left and right margins are
equal, so that the front and back of a page printed on both sides line up; the page number is
always at the outer edge. Lengths are millimetres.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal, NamedTuple, get_args

from charforge.errors import shorten
from charforge.language import _

Layout = Literal["full", "short", "cards", "reference", "party"]
Paper = Literal["a4", "a5", "letter"]
Orientation = Literal["portrait", "landscape"]
Style = Literal["ink-saver", "large-print", "grey"]
CardKind = Literal["abilities", "attacks", "gear", "conditions"]
CARD_KINDS: tuple[CardKind, ...] = get_args(CardKind)
DEFAULT_CARDS: frozenset[str] = frozenset({"abilities", "attacks"})
CardSize = Literal["poker", "tarot", "a7"]

SheetSection = Literal[
    "fight", "abilities", "gear", "units", "story", "tables", "reference", "notes", "odds", "luck"
]
SECTIONS: tuple[SheetSection, ...] = get_args(SheetSection)

# How brief a short sheet is: each also leaves out what those before it do.
FULL, DIGESTS, NAMES, LINES, PROSE = range(5)
SIDE, FOOT = 10.0, 15.0
NARROW_PAPER = 160.0  # millimetres
LOW_PAGE = 260  # millimetres; Letter is lower than A4


class PageSize(NamedTuple):
    """The width and height of a page, of the room inside its margins, or of a card."""

    width: float
    height: float


class Grid(NamedTuple):
    """A number of columns and rows."""

    columns: int
    rows: int


CARD_SIZES: dict[CardSize, PageSize] = {
    "poker": PageSize(63.0, 88.0),
    "tarot": PageSize(70.0, 120.0),
    "a7": PageSize(74.0, 105.0),
}
SHEETS: dict[Paper, PageSize] = {
    "a4": PageSize(210.0, 297.0),
    "a5": PageSize(148.0, 210.0),
    "letter": PageSize(215.9, 279.4),
}


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """The print options of a sheet. Any styles can be combined.

    ``blank`` leaves numbers out; ``fillable`` adds form fields where there is room to write;
    ``portrait`` is the ``data:`` URI of a picture, empty for none; ``sections`` are the parts
    that are printed; ``long_reference`` prints full texts of rules instead of digests;
    ``card_kinds`` are the cards that are printed, each a ``CardKind`` or what the game calls its
    abilities; ``backs`` adds pages with their backs. The pages of a ``booklet`` are half as large
    as its paper. ``duplex`` is for printing on both sides: each part of a party's file begins on
    the front of a sheet of paper.

    ``charforge.sheet.fit`` and its modules choose the others. Of a short sheet, ``brevity`` says
    how brief it is, ``type_scale`` makes its type smaller and ``left_out`` names what is only on
    the full sheet.
    Of a full sheet, ``primer`` are the first steps of the game on page 1, and ``room`` are lines to
    write on below its end; if there is a ``free_back``, that of a single page may have them, too.
    What is ``measured`` has ids, by which its places on the pages are found.
    """

    layout: Layout = "full"
    paper: Paper = "a4"
    orientation: Orientation = "portrait"
    styles: frozenset[Style] = frozenset()
    _: KW_ONLY
    blank: bool = False
    fillable: bool = False
    card_kinds: frozenset[str] = DEFAULT_CARDS
    card_format: CardSize = "poker"
    backs: bool = False
    brevity: int = FULL
    left_out: tuple[str, ...] = ()
    type_scale: float = 1.0
    primer: bool = True
    room: bool = True
    free_back: bool = True
    measured: bool = False
    portrait: str = ""
    sections: frozenset[SheetSection] = frozenset(SECTIONS)
    long_reference: bool = False
    booklet: bool = False
    duplex: bool = False

    def prints(self, section: SheetSection) -> bool:
        """Whether a section is printed; a template that names no section is an error."""
        if section not in SECTIONS:
            raise ValueError(
                _("there is no section of a sheet {section}").format(section=shorten(section))
            )
        return section in self.sections

    @property
    def on_both_sides(self) -> bool:
        """Whether paper is printed on both sides, which cards with backs need."""
        return self.duplex or self.backs

    @property
    def digest(self) -> bool:
        """Whether rules are printed as digests."""
        return self.brevity >= DIGESTS

    @property
    def names(self) -> bool:
        """Whether only the names of equipment are printed."""
        return self.brevity >= NAMES

    @property
    def lines(self) -> bool:
        """Whether there is little room, and an attack is one row of a table."""
        return self.brevity >= LINES

    @property
    def prose(self) -> bool:
        """Whether attacks are paragraphs, which need less room than a table on some pages."""
        return self.brevity >= PROSE and (self.is_narrow or self.is_wide)

    @property
    def run_in(self) -> bool:
        """Whether equipment is a paragraph; on a fillable sheet it has boxes, for its fields."""
        return self.prose and not self.fillable

    @property
    def paper_size(self) -> PageSize:
        """The size of the paper in this orientation; for cards, in that with room for more."""
        paper = SHEETS[self.paper]
        if self.booklet:
            paper = PageSize(round(paper.height / 2, 2), paper.width)
        turned = PageSize(paper.height, paper.width)
        if self.layout == "cards":
            grids = (_grid(size, self.card_size) for size in (paper, turned))
            upright, across = (grid.columns * grid.rows for grid in grids)
            return turned if across > upright else paper
        return turned if self.orientation == "landscape" else paper

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
        if self.is_narrow:
            return 1
        return (1 if self.large else 2) + (self.orientation == "landscape")

    @property
    def is_narrow(self) -> bool:
        """Whether a page is about half as wide as others: A5 and booklets."""
        return self.paper_size.width < NARROW_PAPER

    @property
    def has_room(self) -> bool:
        """Whether lines to write on fill the last page of a full or short sheet."""
        return self.room and "notes" in self.sections and not self.fillable

    @property
    def fills_last_page(self) -> bool:
        """Whether lines to write on, or fields for notes, fill the last page of a full sheet."""
        return self.has_room or (self.fillable and self.prints("notes"))

    @property
    def room_lines(self) -> int:
        """The most lines to write on at the end of a sheet: as many as an empty page has."""
        return 21 if self.large else 33

    @property
    def blank_items(self) -> int:
        """The number of lines for equipment in a column of a blank sheet."""
        if self.columns == 2:
            rows = 17 if self.is_low else 20
            return rows - 2 if self.fillable else rows  # fields above take room
        return 24 // self.columns

    @property
    def panel_columns(self) -> int:
        """The number of columns of trackers and lists."""
        if self.is_narrow:
            return 1 if self.large else 2
        return 1 if self.columns == 1 else self.columns + 1

    @property
    def list_columns(self) -> int:
        """The number of columns of lists, which need less room than trackers in large print."""
        return 3 if self.large and not self.is_narrow else self.panel_columns

    @property
    def scores_per_row(self) -> int:
        """The number of attributes in a row."""
        return 4 if self.large and self.orientation == "portrait" else 8

    @property
    def is_low(self) -> bool:
        """Whether a page is lower than A4, as Letter is."""
        return self.page.height <= LOW_PAGE

    @property
    def is_wide(self) -> bool:
        """Whether the paper is wider than high."""
        return self.orientation == "landscape"

    @property
    def card_size(self) -> PageSize:
        """The size of a card; in large print half as high again, with room for the type."""
        size = CARD_SIZES[self.card_format]
        return PageSize(1.5 * size.width, 1.5 * size.height) if self.large else size

    @property
    def card_grid(self) -> Grid:
        """The number of cards across and down a page."""
        return _grid(self.paper_size, self.card_size)

    @property
    def card_margins(self) -> PageSize:
        """The room left and right of all cards on a page, and above and below them."""
        paper, card, grid = self.paper_size, self.card_size, self.card_grid
        across, down = grid.columns * card.width, grid.rows * card.height
        return PageSize(round((paper.width - across) / 2, 2), round((paper.height - down) / 2, 2))

    @property
    def card_inset(self) -> float:
        """The room between the edge of a card and its frame: more where printers do not reach."""
        return 3.2 if min(self.card_margins) >= 3 else 5.0

    @property
    def has_card_foot(self) -> bool:
        """Whether the page has room for credits below the cards, 5 mm from its edge."""
        return self.card_margins.height >= (30 if self.large else 12)

    @property
    def backs_turned(self) -> bool:
        """Whether the paper is turned over its upper edge, which is the long one, to print backs.

        Backs are then mirrored from top to bottom and stand on their heads.
        """
        return self.paper_size.width > self.paper_size.height


def _grid(paper: PageSize, card: PageSize) -> Grid:
    return Grid(int(paper.width // card.width), int(paper.height // card.height))
