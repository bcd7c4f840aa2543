"""Rendering a character by a template as a text or a page, here or in the sandbox.

A template of somebody else runs in ``sandbox``, one of the user in ``template_rendering``.
"""

from __future__ import annotations

from collections.abc import Sequence

from charforge.replay.replay import Character, Problem
from charforge.sheet import phrases
from charforge.sheet.build import build
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.template_rendering import render_here
from charforge.sheet.templates import OwnTemplate, built_in_folder, built_in_templates
from charforge.sheet.view import SheetView


def render_template(template: OwnTemplate, view: SheetView, options: PrintOptions) -> str:
    """Return what a template makes of a view.

    Raises FaultyTemplate with the file, the line and the nearest name for what Jinja or the
    template's own code finds wrong.
    """
    if template.sandboxed:
        # Here, because few templates are of somebody else: what checks them takes 30 ms to import.
        from charforge.sheet import sandbox

        return sandbox.render_texts(template, [(view, options)])[0]
    return render_here(template, view, options)


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
