"""Content that has to fit: a short sheet on one page, texts on their cards, few pages in all.

It is laid out and measured (``laid_out``), and what does not fit is laid out again in another way,
which each kind of sheet has in a module of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from charforge.sheet.cards import PrintCard, print_cards
from charforge.sheet.fit_cards import fit_cards
from charforge.sheet.fit_full import with_full_pages
from charforge.sheet.fit_short import fit_short
from charforge.sheet.form_fields import draw_fields
from charforge.sheet.laid_out import LaidOutSheet, has_blank_pages, lay_out_sheet, lay_out_view
from charforge.sheet.pdf import write
from charforge.sheet.print_options import DIGESTS, PROSE, PrintOptions
from charforge.sheet.values import UnitAudit
from charforge.sheet.view import SheetView

TEMPLATE_SCALES = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7)  # of the type of a template, the largest first


def sheet_pdf(
    view: SheetView,
    options: PrintOptions,
    audit: Sequence[UnitAudit] = (),
    attached: Mapping[str, bytes] | None = None,
) -> bytes:
    """Return a sheet as a PDF/UA document.

    ``audit`` adds pages that list the steps of each value, ``attached`` are files by name, to be
    attached. Raises SheetError if a system library or a font is missing.
    """
    html, document = fit_sheet(view, options, audit)
    return write(document, [html], attached, draw_fields if options.fillable else None)


def fit_sheet(
    view: SheetView,
    options: PrintOptions,
    audit: Sequence[UnitAudit] = (),
    cards: Sequence[PrintCard] | None = None,
) -> LaidOutSheet:
    """Return the pages of a sheet; the content of a short sheet and of cards fits.

    ``cards`` are those of a layout of cards, if not all of the view. Raises UsageError if there
    is no card to print, and SheetError like ``render_pdf``.
    """
    if options.layout == "short":
        sheet = fit_short(view, options, audit)
        if has_blank_pages(sheet):
            sheet = fit_short(view, replace(options, room=False), audit)
        return sheet
    if options.layout == "cards":
        deck = print_cards(view, options) if cards is None else cards
        return fit_cards(view, options, deck)
    lay_out_with = partial(lay_out_view, view, audit=audit)
    has_primer = view.primer and options.layout == "full" and options.prints("fight")
    if not has_primer or options.large or options.blank:
        options = replace(options, primer=False)
    full = with_full_pages(lay_out_with, options)
    # Lines to write on are not worth a page of their own, unless it is the back of the only page.
    on_back = full.end.page == 1 and options.free_back
    if options.has_room and not on_back and has_blank_pages(full.sheet):
        return lay_out_with(replace(full.options, room=False))
    return full.sheet


def fit_template(
    render: Callable[[PrintOptions], str], options: PrintOptions, pages: int | None
) -> LaidOutSheet:
    """Return the pages of a template; with a number of pages, brief and small enough for that.

    With digests in the smallest type that needs more pages, it is printed as brief as it can be;
    if that does not fit either, with digests.
    """

    def printed(scale: float, brevity: int = DIGESTS) -> LaidOutSheet:
        html = render(replace(options, brevity=brevity, type_scale=scale))
        return lay_out_sheet(html, options)

    sheet = lay_out_sheet(render(options), options)
    if pages is None or len(sheet.document.pages) <= pages:
        return sheet
    sheet = printed(1.0)
    if len(sheet.document.pages) <= pages:
        return sheet
    scales = [*TEMPLATE_SCALES]
    sheet = smallest = printed(scales.pop())
    if len(sheet.document.pages) > pages:
        briefest = printed(TEMPLATE_SCALES[-1], PROSE)
        if len(briefest.document.pages) <= pages:
            return briefest
    while scales:  # larger ones than that of the sheet, from which the largest that fits is chosen
        middle = len(scales) // 2
        trial = printed(scales[middle])
        if len(trial.document.pages) <= max(pages, len(smallest.document.pages)):
            sheet, scales = trial, scales[:middle]
        else:
            scales = scales[middle + 1 :]
    return sheet
