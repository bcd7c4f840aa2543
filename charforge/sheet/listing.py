"""Compact lists: how wide their figures are, how high they stand. Lengths are millimetres."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.sheet import dice
from charforge.sheet.estimate import lines, scale_of
from charforge.sheet.print_options import Look
from charforge.sheet.scales import line
from charforge.sheet.view import ListRow, ViewList

GUTTER = 6.0
FIGURE, LARGE_FIGURE = 14.0, 24.0  # the width of a figure of a list
FEW = 3  # values that stand in one column, more in two


def width(look: Look) -> float:
    """Return the width of a column of panels."""
    return (look.page.width + GUTTER) / look.columns - GUTTER


def in_pairs(listing: ViewList, look: Look) -> bool:
    """Whether a list of single figures stands in two columns of its own."""
    plain = not any(listing.columns) and not any(row.note for row in listing.rows)
    short = all(len(row.name) <= 20 for row in listing.rows)
    return plain and short and len(listing.rows) > FEW and not listing.lines and not look.large


def list_height(listing: ViewList, look: Look) -> float:
    """Return the height of a list with its heading."""
    scale = scale_of(look)
    total = scale.heading + (4.0 if listing.columns else 0.0) + listing.lines * scale.ruled
    if in_pairs(listing, look):
        return total + -(-len(listing.rows) // 2) * row_height(look)
    room = width(look) - len(listing.columns or ("",)) * figure_width(listing, look)
    for row in listing.rows:
        told = lines(f"{row.name}   {row.note}", room - 2, scale.body, scale.wider)
        has_dice = any(cell.dice for cell in row.cells)
        total += row_height(look, has_dice) + (told - 1) * line(scale.note)
    return total


def figure_width(listing: ViewList, look: Look) -> float:
    """Return the width of the columns of figures: as much as the widest has need of."""
    least = LARGE_FIGURE if look.large else FIGURE
    longest = max((len(cell.text) for row in listing.rows for cell in row.cells), default=0)
    each = dice.die_size(look) + dice.GAP
    most = max((sum(die.number for die in cell.dice) for row in listing.rows for cell in row.cells),
               default=0)  # fmt: skip
    letter = 2.6 if look.large else 1.75
    room = 0.7 * width(look) / max(len(listing.columns), 1)
    return min(max(least, longest * letter + 2, most * each + 2), room)


def row_height(look: Look, drawn: bool = False) -> float:
    """Return the height of a line of a list; a ``drawn`` one has dice."""
    scale = scale_of(look)
    plain = line(scale.body)
    return 1.2 + (max(plain, 6.4 if look.large else 4.6) if drawn else plain)


def pairs(listing: ViewList) -> Iterator[tuple[ListRow, ListRow | None]]:
    """Return the rows of a list two and two, to be read down."""
    half = -(-len(listing.rows) // 2)
    rest = (*listing.rows[half:], None)
    yield from zip(listing.rows[:half], rest, strict=False)
