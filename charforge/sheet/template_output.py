"""What a template makes of characters: a text, a page or a PDF, here or in the sandbox.

A template of somebody else runs in ``sandbox``, one of the user in ``template_rendering``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from charforge.errors import (
    PackProblem,
)
from charforge.replay.replay import Character, Problem
from charforge.sheet import phrases, sandbox
from charforge.sheet.build import build
from charforge.sheet.fit import fit_template
from charforge.sheet.party import PartyPart, merge_pdf
from charforge.sheet.pdf import ignored_css
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.template_rendering import join_pages, render_here
from charforge.sheet.templates import STYLE, OwnTemplate, built_in_folder, built_in_templates
from charforge.sheet.view import SheetView


def render_template(template: OwnTemplate, view: SheetView, options: PrintOptions) -> str:
    """Return what a template makes of a view.

    Raises FaultyTemplate with the file, the line and the nearest name for what Jinja or the
    template's own code finds wrong.
    """
    if template.sandboxed:
        return sandbox.render_texts(template, [(view, options)])[0]
    return render_here(template, view, options)


def party_pdf(
    template: OwnTemplate, sheets: Sequence[tuple[SheetView, PrintOptions]], title: str
) -> bytes:
    """Return the PDFs of several views as one. Raises as ``render_template``."""
    if template.sandboxed:
        return sandbox.render_pdf(template, sheets, {}, title)
    parts = []
    for view, options in sheets:
        fit = partial(
            fit_template, partial(render_here, template, view), options, template.about.pages
        )
        parts.append(PartyPart("", view.name, fit).laid_out())
    return merge_pdf(parts, title)


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


def write(format: str, character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return a character in a format, by a template of ``templates/exports``."""
    folder = built_in_folder()
    return write_by(OwnTemplate(folder, built_in_templates()[format].name), character, problems)


def write_by(template: OwnTemplate, character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return what a template makes of a character; ``problems`` are those of its file."""
    view = build(character)
    view = view._replace(problems=phrases.problem_texts(view, problems))
    return render_template(template, view, PrintOptions())


def write_markdown(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the whole sheet as notes in Markdown; ``problems`` are below the name."""
    return write("markdown", character, problems)


def write_text(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return a message for a chat; ``problems`` are at the end."""
    return write("text", character, problems)
