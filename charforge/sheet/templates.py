"""Templates of users and packs: a sheet, or any other text, that a Jinja template makes.

A template is a file, or a folder with a file ``sheet.html`` and what belongs to it. It may extend,
include and replace those built in. The ending of its name says what it makes: HTML is printed as a
sheet, any other kind is written as it is. A user's template is the user's own code, with all of
Jinja; one of a pack runs in ``charforge.sheet.sandbox``.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EACCES
from functools import lru_cache, partial
from mimetypes import guess_type
from pathlib import Path
from traceback import walk_tb
from typing import Any

from jinja2 import Environment, StrictUndefined, TemplateNotFound, TemplateSyntaxError, nodes
from jinja2.exceptions import UndefinedError
from jinja2.utils import missing
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from charforge.errors import (
    FaultyTemplate,
    PackError,
    PackProblem,
    UnknownId,
    UsageError,
    nearest,
    os_reason,
    shorten,
)
from charforge.language import _
from charforge.paths import data_folder, is_inside, read_plain_file, user_data_folder
from charforge.replay.replay import Character, Problem
from charforge.rules.errors import schema_errors
from charforge.rules.loading import loader, yaml_source
from charforge.sheet import phrases
from charforge.sheet.build import build
from charforge.sheet.cards import print_cards, variants
from charforge.sheet.html import template_environment
from charforge.sheet.print_options import Paper, PrintOptions
from charforge.sheet.view import SheetView
from charforge.sheet.view.sheet import REMOVED, VERSION

DEFAULT = "default"  # the name of a user's template for all sheets
MAIN, STYLE, ABOUT = "sheet", "style.css", "template.yaml"
PAGE_ENDING = ".html"  # of what can be printed
WRITTEN_AROUND = {".j2", ".jinja"}  # endings that only say that a file is a template
STYLE_ELEMENT = re.compile(r"<style\b.*?</style>", re.DOTALL | re.IGNORECASE)
HEAD_END = re.compile(r"</head>|<body", re.IGNORECASE)
BODY = re.compile(
    r"\A(?:.*<body\b[^>]*>|(?:.*</head>)?)(.*?)(?:</body>.*)?\Z", re.DOTALL | re.IGNORECASE
)
SHEET_BREAK = '<div style="break-before: page">{body}</div>\n'
LARGEST_FILE = 600_000  # bytes of a picture or font: a data URI has a third more


class AboutTemplate(BaseModel):
    """A ``template.yaml``: what a template is called, whose it is, and for which games."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    name: str = Field("", description="Its name in the list of templates.")
    author: str = Field("", description="Who made it.")
    licence: str = Field("", description="What others may do with it.")
    games: tuple[str, ...] = Field((), description="The games that it is for, by id; empty: all.")
    papers: tuple[Paper, ...] = Field((), description="The paper that it is for; empty: any.")
    pages: int | None = Field(
        None, ge=1, description="The most pages; digests and smaller type are printed to fit them."
    )
    view: int = Field(VERSION, ge=1, description="The version of the view that it is made for.")


NOTHING_SAID = AboutTemplate()


@dataclass(frozen=True)
class OwnTemplate:
    """A template: its folder, its main file there, and what ``template.yaml`` says.

    The folder is an absolute path, by which its lines are found in a traceback. A ``sandboxed``
    template is from somebody else.
    """

    folder: Path
    file: str
    about: AboutTemplate = NOTHING_SAID
    sandboxed: bool = False
    games: tuple[str, ...] = ()  # that it is for; empty for all

    @property
    def name(self) -> str:
        """Its name: of the folder, or of a template that is one file."""
        return self.about.name or (Path(self.file).stem if self.alone else self.folder.name)

    @property
    def ending(self) -> str:
        """The ending of what it makes, such as ``.html`` or ``.md``."""
        path = Path(self.file)
        return Path(path.stem).suffix if path.suffix in WRITTEN_AROUND else path.suffix

    @property
    def is_page(self) -> bool:
        """Whether it makes a page that can be printed."""
        return self.ending == PAGE_ENDING

    @property
    def changing(self) -> Path:
        """Its folder, or a template that is one file: where changes are looked for."""
        return self.folder / self.file if self.alone else self.folder

    @property
    def alone(self) -> str:
        """The name of a template that is one file; empty for a folder."""
        return "" if self.file.startswith(f"{MAIN}.") else self.file


def built_in_folder() -> Path:
    """Return the folder of the built-in templates for text."""
    return data_folder("templates") / "exports"


def built_in_templates() -> dict[str, Path]:
    """Return the built-in templates for text by name."""
    return {path.stem: path for path in sorted(built_in_folder().iterdir())}


def own_templates() -> Path:
    """Return the folder of the templates that are known by their names."""
    return user_data_folder() / "templates"


def named_templates() -> dict[str, Path]:
    """Return the templates in that folder by name, of a folder or a file; before them, our own.

    A user's template is used instead of one of ours with the same name.
    """
    ours, folder = data_folder("examples") / "templates", own_templates()
    found = [path for path in sorted(ours.iterdir()) if path.is_dir()]
    found += sorted(folder.iterdir()) if folder.is_dir() else []
    return {path.name if path.is_dir() else path.stem: path for path in found}


def pack_templates() -> dict[str, Path]:
    """Return the templates of the games and installed packs by name: ``pack/template``."""
    folders = {**loader.installed(), **loader.built_in()}
    return {
        f"{pack}/{path.name if path.is_dir() else path.stem}": path
        for pack, folder in sorted(folders.items())
        for path in templates_in(folder)
    }


def templates_in(pack: Path) -> list[Path]:
    """Return the files and folders of the templates of a pack."""
    folder = pack / loader.TEMPLATES
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in found if not path.name.startswith(".")]


class TemplateName(str):
    """The name of a template that nobody typed: no file in the working folder has it."""


class CampaignPath(str):
    """The path of a template that a campaign file names: the folder may come from anybody."""


def find_template(name: str) -> OwnTemplate:
    """Return the template with a path or a name; that of a pack also by the end of its name.

    It is sandboxed if it is in a pack, or was named by a campaign file with its path.

    Raises UnknownId, UsageError for a folder without a template, and FaultyTemplate for a
    ``template.yaml`` that says something wrong.
    """
    path = Path(name).absolute()
    if isinstance(name, TemplateName) or not path.exists():
        path = _named(name)
    pack = _pack_of(path)
    foreign = pack is not None or isinstance(name, CampaignPath)
    if path.is_file():
        main, about, folder = path.name, NOTHING_SAID, path.parent
    else:
        main, about, folder = _main_file(path, name), _about(path / ABOUT, foreign), path
    games = about.games or (() if pack is None else _game_of(pack))
    return OwnTemplate(folder, main, about, foreign, games)


def _named(name: str) -> Path:
    """Return the path of a template with a name. Raises UnknownId and UsageError."""
    known = {**built_in_templates(), **pack_templates(), **named_templates()}
    if name in known:
        return known[name]
    matching = [full for full in known if full.rpartition("/")[2] == name]
    if len(matching) > 1:
        raise UsageError(
            _("several packs have a template {name}").format(name=shorten(name)),
            _("Which one? {names}").format(names=", ".join(matching)),
        )
    if not matching:
        raise UnknownId(
            _("template"), name, known, advice=_("Start one: {command}."),
            command=("templates", "new", "my-sheet"),
        )  # fmt: skip
    return known[matching[0]]


def _pack_of(path: Path) -> Path | None:
    """Return the folder of the pack or game that a template is in; None for one of a user."""
    for folder in path.resolve().parents:
        heads = (folder.parent / loader.HEAD, folder.parent / loader.PACK)
        if folder.name == loader.TEMPLATES and any(head.is_file() for head in heads):
            return folder.parent
    return None


def _game_of(pack: Path) -> tuple[str, ...]:
    """Return the game of a pack by its id; nothing if the pack does not say it."""
    head, key = (loader.PACK, "ruleset") if loader.amends(pack) else (loader.HEAD, "id")
    try:
        data = yaml_source.read(pack / head, plain=True)
    except PackError:
        return ()
    game = data.get(key) if isinstance(data, dict) else None
    return (game,) if isinstance(game, str) else ()


def _main_file(path: Path, name: str) -> str:
    """Return the name of the main file in the folder of a template. Raises UsageError."""
    mains = sorted(file.name for file in path.glob(f"{MAIN}.*") if file.is_file())
    if len(mains) != 1:
        raise UsageError(
            _("the folder {path} has {files}").format(
                path=name, files=_(" and ").join(mains) or _("no file sheet.html")
            ),
            _("A template has one file whose name begins with “sheet.”, such as sheet.html."),
        )
    return mains[0]


def _about(path: Path, foreign: bool) -> AboutTemplate:
    """Return what a ``template.yaml`` says; one of somebody else is no link to another folder."""
    if not path.is_file():
        return NOTHING_SAID
    if foreign and not is_inside(path, path.parent):
        raise FaultyTemplate.at(path, _("this is outside the folder of the template"))
    try:
        data = yaml_source.read(path, plain=True)
        about = AboutTemplate.model_validate({} if data is None else data)
    except PackError as error:
        raise FaultyTemplate(error.problems) from error
    except ValidationError as error:
        raise FaultyTemplate(
            yaml_source.problem_at(path, found.key_path, found.sentence, found.near)
            for found in schema_errors(error, data, AboutTemplate.model_fields)
        ) from error
    if about.view > VERSION:
        message = _(
            "this template needs version {version} of the view, charforge has {here}: update it"
        )
        sentence = message.format(version=about.view, here=VERSION)
        raise FaultyTemplate([yaml_source.problem_at(path, ("view",), sentence, "")])
    return about


def about_schema() -> dict[str, Any]:
    """Return the JSON Schema of ``template.yaml``, with the games that are installed."""
    schema = AboutTemplate.model_json_schema()
    schema["properties"]["games"]["items"]["enum"] = loader.available()
    return schema


# ------------------------------------------------------------------ rendering


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


def render_template(template: OwnTemplate, view: SheetView, options: PrintOptions) -> str:
    """Return what a template makes of a view.

    Raises FaultyTemplate with the file, the line and the nearest name for what Jinja or the
    template's own code finds wrong.
    """
    if template.sandboxed:
        # Here, because only the templates of others need another process.
        from charforge.sheet import sandbox

        return sandbox.render_texts(template, [(view, options)])[0]
    return render_here(template, view, options)


def party_pdf(
    template: OwnTemplate, sheets: Sequence[tuple[SheetView, PrintOptions]], title: str
) -> bytes:
    """Return the PDFs of several views as one. Raises as ``render_template``."""
    if template.sandboxed:
        from charforge.sheet import sandbox

        return sandbox.render_pdf(template, sheets, {}, title)
    # Here, because they need system libraries.
    from charforge.sheet.fit import fit_template
    from charforge.sheet.party import PartyPart, merge_pdf

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
        from charforge.sheet import sandbox

        return sandbox.render_page(template, sheets)
    return join_pages([render_here(template, view, options) for view, options in sheets])


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

    Raises as ``render_template``, which is the one to call.
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


def ignored_styles(
    template: OwnTemplate, view: SheetView, options: PrintOptions
) -> tuple[PackProblem, ...]:
    """Return what of a template's ``style.css`` a PDF ignores, such as a misspelled property.

    Raises MissingLibraryError without the libraries for PDFs.
    """
    path = template.folder / STYLE
    if template.sandboxed or not path.is_file() or template.file == STYLE:
        return ()
    from charforge.sheet.pdf import ignored_css  # needs system libraries when it is called

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
