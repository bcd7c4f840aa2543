"""Exports that people read: a character as a text, by a template built in or of a user."""

from __future__ import annotations

from collections.abc import Sequence

from charforge.replay.replay import Character, Problem
from charforge.sheet import phrases
from charforge.sheet.build import build
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.sandbox import render_template
from charforge.sheet.templates import OwnTemplate, built_in_template


def write(format: str, character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return a character in a format, by a template of ``templates/exports``."""
    return write_by(built_in_template(format), character, problems)


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
