"""Rendering a template in this process: its text, and its errors with their file and line.

Other modules call ``sandbox.render_template``, which renders templates of other people in another
process. That process uses this module, too.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from errno import EACCES
from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path
from traceback import walk_tb
from typing import Any

from jinja2 import Environment, StrictUndefined, TemplateNotFound, TemplateSyntaxError, nodes
from jinja2.exceptions import UndefinedError
from jinja2.utils import missing

from charforge.errors import FaultyTemplate, PackProblem, UsageError, nearest, os_reason, shorten
from charforge.language import _
from charforge.paths import data_folder, is_inside, read_plain_file
from charforge.sheet.cards import print_cards, variants
from charforge.sheet.html import template_environment
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.templates import OwnTemplate, built_in_folder
from charforge.sheet.view import SheetView
from charforge.sheet.view.sheet import REMOVED

STYLE_ELEMENT = re.compile(r"<style\b.*?</style>", re.DOTALL | re.IGNORECASE)
HEAD_END = re.compile(r"</head>|<body", re.IGNORECASE)
BODY = re.compile(
    r"\A(?:.*<body\b[^>]*>|(?:.*</head>)?)(.*?)(?:</body>.*)?\Z", re.DOTALL | re.IGNORECASE
)
SHEET_BREAK = '<div style="break-before: page">{body}</div>\n'
LARGEST_FILE = 600_000  # bytes of a picture or font: a data URI has a third more


class MissingField(UndefinedError):
    """A name that a template uses and that is not there, with the object that lacks it."""

    def __init__(self, message: str | None, bearer: Any, name: str) -> None:
        super().__init__(message)
        self.bearer = bearer
        self.name = name


class _Missing(StrictUndefined):
    """A missing name, whose error says what lacks it."""

    __slots__ = ()

    def __init__(
        self,
        hint: str | None = None,
        obj: Any = missing,
        name: str | None = None,
        **_more: object,  # of the sandbox, which calls a closed attribute missing
    ) -> None:
        def error(message: str | None = None) -> MissingField:
            return MissingField(message, obj, name or "")

        super().__init__(hint, obj, name, error)  # type: ignore[arg-type]  # called like a class


def join_pages(pages: Sequence[str]) -> str:
    """Return pages of HTML as one: the first, with the styles and bodies of the others."""
    styles = dict.fromkeys(style for page in pages[1:] for style in STYLE_ELEMENT.findall(page))
    more = "".join(style for style in styles if style not in pages[0])
    bodies = [SHEET_BREAK.format(body=BODY.sub(r"\1", page)) for page in pages[1:]]
    first = HEAD_END.sub(lambda end: more + end[0], pages[0], count=1) if more else pages[0]
    before, end, after = first.rpartition("</body>")
    return "".join((before or after, *bodies, end, after if before else ""))


def render_here(template: OwnTemplate, view: SheetView, options: PrintOptions) -> str:
    """Return what a template makes of a view in this process, without a limit of time or memory.

    Raises FaultyTemplate with the file, the line and the nearest name for what Jinja or the
    template's own code finds wrong.
    """
    context = {"view": view, "options": options, "audit": (), "play": None}
    if template.folder == built_in_folder():
        return _built_in_environment().get_template(template.file).render(context)
    jinja = template_environment(template.folder, _Missing, template.sandboxed, template.alone)
    jinja.globals["data_uri"] = lambda name: _data_uri(template, name)
    cards = [variants(card, options)[0] for card in print_cards(view, options)]
    context |= {"cards": cards, "fitted": False}
    _check_names(template, jinja)
    with _located(template, jinja, context):
        text = jinja.get_template(template.file).render(context)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        path = template.folder / template.file
        reason = _("it makes a text with a part of a character, which cannot be saved")
        raise FaultyTemplate.at(path, reason) from error
    return text


@lru_cache(maxsize=1)
def _built_in_environment() -> Environment:
    return template_environment(built_in_folder())


def _check_names(template: OwnTemplate, jinja: Environment) -> None:
    """Raise FaultyTemplate for all filters, tests and blocks of the main file that do not exist."""
    path = template.folder / template.file
    problems = []
    with _located(template, jinja, {}):
        try:
            source = template_source(jinja, template.file)[0]
        except (OSError, UnicodeDecodeError) as error:
            reason = os_reason(error) if isinstance(error, OSError) else _("this is not UTF-8")
            raise FaultyTemplate.at(path, reason) from error
        tree = jinja.parse(source, filename=str(path))
        extended = _blocks_of(tree, jinja)
    for kind, known, reason in (
        (nodes.Filter, jinja.filters, _("there is no filter {name}")),
        (nodes.Test, jinja.tests, _("there is no test {name}")),
    ):
        for node in tree.find_all(kind):
            if node.name not in known:
                message, near = reason.format(name=shorten(node.name)), nearest(node.name, known)
                problems.append(PackProblem(path, node.lineno, 1, "", message, near))
    for block in tree.body:
        # Other blocks of a page that extends another are in one of these, which prints them.
        if isinstance(block, nodes.Block) and extended and block.name not in extended:
            message = _("the page that it extends has no block {name}")
            message, near = message.format(name=shorten(block.name)), nearest(block.name, extended)
            problems.append(PackProblem(path, block.lineno, 1, "", message, near))
    if problems:
        raise FaultyTemplate(problems)


def template_source(jinja: Environment, name: str) -> tuple[str, str]:
    """Return the text of a template and its path. Raises TemplateNotFound and OSError."""
    if jinja.loader is None:
        raise TemplateNotFound(name)
    source, path, _changed = jinja.loader.get_source(jinja, name)
    return source, path or name


def _blocks_of(tree: nodes.Template, jinja: Environment) -> set[str]:
    """Return the names of the blocks of all pages that a page extends; empty if there is none."""
    found: set[str] = set()
    for extends in tree.find_all(nodes.Extends):
        if isinstance(extends.template, nodes.Const):
            try:
                source, file = template_source(jinja, extends.template.value)
            except TemplateNotFound:
                return set()  # printing says so, with the line
            parent = jinja.parse(source, filename=file)
            found |= {block.name for block in parent.find_all(nodes.Block)}
            found |= _blocks_of(parent, jinja)
    return found


@contextmanager
def _located(template: OwnTemplate, jinja: Environment, context: dict[str, Any]) -> Iterator[None]:
    """Turn an error of a template into one that says where it is, and what is near."""
    try:
        yield
    except FaultyTemplate:
        raise
    except TemplateSyntaxError as error:
        path = Path(error.filename) if error.filename else template.folder / template.file
        raise FaultyTemplate.at(path, error.message or "", error.lineno) from error
    except RecursionError as error:
        message = _("a template extends or includes itself")
        raise FaultyTemplate.at(template.folder / template.file, message) from error
    except Exception as error:  # whatever the user's code does
        path, line = _place(error, template)
        near = ""
        if isinstance(error, UnreadFile):
            message, near = f"{shorten(error.name)}: {error.reason}", error.near
        elif isinstance(error, MissingField):
            is_free = error.bearer is missing
            names = {*context, *jinja.globals} if is_free else _public_names(error.bearer)
            near = nearest(str(error.name), [one for one in names if one != error.name])
            removed = REMOVED.get((type(error.bearer).__name__, error.name))
            owner = type(error.bearer).__name__
            message = (
                _("there is no {name}").format(name=shorten(error.name))
                if is_free
                else _("{owner} has no field {name}").format(owner=owner, name=shorten(error.name))
            )
            if removed is not None:
                gone = _("It is not in the view since version {version}: {instead}")
                message += ". " + gone.format(version=removed.version, instead=removed.instead)
        elif isinstance(error, TemplateNotFound):
            name = str(error.name or "")
            near = nearest(name, jinja.list_templates())
            message = _("there is no template {name}").format(name=shorten(name))
        elif isinstance(error, MemoryError):
            message = _("this needs too much memory")
        elif isinstance(error, UsageError):
            message = str(error)
        else:
            message = f"{type(error).__name__}: {shorten(str(error))}"
        raise FaultyTemplate([PackProblem(path, line, 1, "", message, near)]) from error


def _place(error: Exception, template: OwnTemplate) -> tuple[Path, int]:
    """Return the file and line of the template in which an error was raised.

    That is the innermost line of the user's files, else of a built-in template.
    """
    built_in = data_folder("templates")
    lines = [
        (Path(frame.f_code.co_filename), line)
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_code.co_filename.startswith((str(template.folder), str(built_in)))
    ]
    own = [place for place in lines if place[0].is_relative_to(template.folder)]
    return (own or lines or [(template.folder / template.file, 1)])[-1]


def _public_names(bearer: Any) -> list[str]:
    return [name for name in dir(bearer) if not name.startswith("_")]


class UnreadFile(Exception):
    """A picture or font that a template cannot print: its name, the reason, a name that is near."""

    def __init__(self, name: str, reason: str, near: str = "") -> None:
        super().__init__(name, reason, near)
        self.name, self.reason, self.near = name, reason, near


def _data_uri(template: OwnTemplate, name: str) -> str:
    """Return a file of the template's folder as a ``data:`` URI, for pictures and fonts."""
    folder = template.folder
    path = folder / name
    try:
        if template.sandboxed and not is_inside(path, folder):
            raise PermissionError(EACCES, _("this is outside the folder of the template"))
        data = read_plain_file(path, LARGEST_FILE)
    except OSError as error:
        files = [file.name for file in folder.iterdir() if file.is_file()]
        near = nearest(name, files)
        raise UnreadFile(name, os_reason(error), near) from error
    if len(data) > LARGEST_FILE:
        most = LARGEST_FILE // 1000
        reason = _("a picture or font may have at most {most} kB").format(most=most)
        raise UnreadFile(name, reason)
    kind = guess_type(name)[0] or "application/octet-stream"
    return f"data:{kind};base64,{b64encode(data).decode()}"
