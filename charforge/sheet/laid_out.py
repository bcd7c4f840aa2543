"""Sheets that are laid out: their pages, and where their parts are.

Positions are those that WeasyPrint gives for elements with an id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Self

from charforge.sheet.cards import FittedCard
from charforge.sheet.html import render_html
from charforge.sheet.pdf import lay_out
from charforge.sheet.print_options import SIDE, PrintOptions
from charforge.sheet.values import UnitAudit
from charforge.sheet.view import SheetView

if TYPE_CHECKING:
    from weasyprint.document import Document  # needs system libraries when it is imported

TYPE_PART = 0.75  # of the height of a page at most depends on the type, but all of a reference
MM = 96 / 25.4  # CSS pixels


class LaidOutSheet(NamedTuple):
    """A sheet that is laid out: its HTML and its printed pages."""

    html: str
    document: Document


def lay_out_sheet(html: str, options: PrintOptions) -> LaidOutSheet:
    """Return the HTML of a sheet with its printed pages."""
    return LaidOutSheet(html, lay_out(html, options.fillable))


def lay_out_view(
    view: SheetView,
    options: PrintOptions,
    audit: Sequence[UnitAudit] = (),
    cards: Sequence[FittedCard] | None = None,
) -> LaidOutSheet:
    """Return a view with its printed pages, on which the places of its parts are marked."""
    html = render_html(view, replace(options, measured=True), audit, cards=cards)
    return lay_out_sheet(html, options)


@dataclass(frozen=True)
class MeasuredSheet:
    """A sheet that is laid out, and what was measured of it.

    ``places`` are where elements with an id begin.
    """

    sheet: LaidOutSheet
    options: PrintOptions
    places: Mapping[str, Place]

    @classmethod
    def of(cls, sheet: LaidOutSheet, options: PrintOptions) -> Self:
        """Measure a sheet."""
        return cls(sheet, options, places_of(sheet, options))

    @property
    def end(self) -> Place:
        """Where the sheet ends, without lines to write on."""
        return self.places.get("end", Place(1, 1.0))


class Place(NamedTuple):
    """Where something is: its page and how much of the height of that page is above it."""

    page: int
    above: float

    @property
    def pages_above(self) -> float:
        """How much of a sheet is above it, in pages."""
        return self.page - 1 + self.above


def places_of(sheet: LaidOutSheet, options: PrintOptions) -> dict[str, Place]:
    """Return where the elements with an id begin."""
    places: dict[str, Place] = {}
    for number, page in enumerate(sheet.document.pages, 1):
        for name, position in page.anchors.items():
            above = (float(position[1]) / MM - SIDE) / options.page.height
            places.setdefault(name, Place(number, above))
    return places


def number_of_pages(sheet: LaidOutSheet) -> int:
    """Return the number of pages to the end of a sheet, without those of lines to write on."""
    pages = enumerate(sheet.document.pages, 1)
    return next(number for number, page in pages if "end" in page.anchors)


def has_blank_pages(sheet: LaidOutSheet) -> bool:
    """Return whether there are pages after the end of a sheet: of lines to write on alone."""
    return len(sheet.document.pages) > number_of_pages(sheet)
