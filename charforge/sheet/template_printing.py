"""Printing by a template: pages and PDFs of several characters, and what a PDF ignores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from charforge.errors import PackProblem
from charforge.sheet import sandbox
from charforge.sheet.fit import fit_template
from charforge.sheet.party import PartyPart, merge_pdf
from charforge.sheet.pdf import ignored_css
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.template_rendering import join_pages, render_here, render_template
from charforge.sheet.templates import STYLE, OwnTemplate
from charforge.sheet.view import SheetView


def template_party_pdf(
    template: OwnTemplate, sheets: Sequence[tuple[SheetView, PrintOptions]], title: str
) -> bytes:
    """Return the PDFs of several views as one. Raises as ``render_template``."""
    if template.sandboxed:
        return sandbox.sandboxed_pdf(template, sheets, {}, title)
    parts = []
    for view, options in sheets:
        fit = partial(
            fit_template, partial(render_here, template, view), options, template.about.pages
        )
        parts.append(PartyPart("", view.name, fit).laid_out())
    return merge_pdf(parts, title, sheets[0][1].on_both_sides)


def template_page(template: OwnTemplate, sheets: Sequence[tuple[SheetView, PrintOptions]]) -> str:
    """Return what a template makes of several views: one page, or their texts one after another.

    Raises as ``render_template``.
    """
    if not template.is_page:
        return "\n".join(render_template(template, view, options) for view, options in sheets)
    if template.sandboxed:
        return sandbox.render_page(template, sheets)
    return join_pages([render_here(template, view, options) for view, options in sheets])


def ignored_styles(
    template: OwnTemplate, view: SheetView, options: PrintOptions
) -> tuple[PackProblem, ...]:
    """Return what of a template's ``style.css`` a PDF ignores, such as a misspelled property.

    Raises MissingLibraryError without the libraries for PDFs.
    """
    path = template.folder / STYLE
    if template.sandboxed or not path.is_file() or template.file == STYLE:
        return ()
    styles = render_template(OwnTemplate(template.folder, STYLE), view, options)
    return tuple(
        PackProblem(path, line, column, "", message)
        for line, column, message in ignored_css(styles)
    )
