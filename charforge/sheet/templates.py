"""Templates of users and packs: a sheet, or any other text, that a Jinja template makes.

A template is a file, or a folder with a file ``sheet.html`` and what belongs to it. It may extend,
include and replace those built in. The ending of its name says what it makes: HTML is printed as a
sheet, any other kind is written as it is. A user's template is the user's own code, with all of
Jinja; one of a pack runs in ``charforge.sheet.sandbox``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from charforge.errors import FaultyTemplate, PackError, UnknownId, UsageError, shorten
from charforge.language import _
from charforge.paths import data_folder, is_inside, user_data_folder
from charforge.rules import loading
from charforge.rules.errors import schema_errors
from charforge.rules.loading import loader
from charforge.sheet.print_options import Paper

VIEW_VERSION = 1  # of the view that templates are rendered with
DEFAULT_TEMPLATE = "default"  # the name of a user's template for all sheets
MAIN, STYLE, ABOUT = "sheet", "style.css", "template.yaml"
PAGE_ENDING = ".html"  # of what can be printed
WRITTEN_AROUND = {".j2", ".jinja"}  # endings that only say that a file is a template


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
    view: int = Field(
        VIEW_VERSION, ge=1, description="The version of the view that it is made for."
    )


@dataclass(frozen=True)
class OwnTemplate:
    """A template: its folder, its main file there, and what ``template.yaml`` says.

    The folder is an absolute path, by which its lines are found in a traceback. A ``sandboxed``
    template is from somebody else.
    """

    folder: Path
    file: str
    about: AboutTemplate = field(default_factory=AboutTemplate)
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


def built_in_template(name: str) -> OwnTemplate:
    """Return a built-in template for text."""
    return OwnTemplate(built_in_folder(), built_in_templates()[name].name)


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
        main, about, folder = path.name, AboutTemplate(), path.parent
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
        data = loading.yaml_reader.read_yaml(pack / head, plain=True)
    except PackError:
        return ()
    game = data.get(key) if isinstance(data, dict) else None
    return (game,) if isinstance(game, str) else ()


def refuse_other_game(template: OwnTemplate | None, ruleset: str) -> None:
    """Raise UsageError for a character of a game that a template is not for."""
    if template is not None and template.games and ruleset not in template.games:
        raise UsageError(
            _("the template {name} is for {games}, not for {ruleset}").format(
                name=template.name, games=", ".join(template.games), ruleset=ruleset
            ),
            _("Use another template: see charforge templates."),
        )


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
        return AboutTemplate()
    if foreign and not is_inside(path, path.parent):
        raise FaultyTemplate.at(path, _("this is outside the folder of the template"))
    try:
        data = loading.yaml_reader.read_yaml(path, plain=True)
        about = AboutTemplate.model_validate({} if data is None else data)
    except PackError as error:
        raise FaultyTemplate(error.problems) from error
    except ValidationError as error:
        raise FaultyTemplate(
            loading.yaml_reader.problem_at(path, found.key_path, found.sentence, found.near)
            for found in schema_errors(error, data, AboutTemplate.model_fields)
        ) from error
    if about.view > VIEW_VERSION:
        message = _(
            "this template needs version {version} of the view, charforge has {here}: update it"
        )
        sentence = message.format(version=about.view, here=VIEW_VERSION)
        raise FaultyTemplate([loading.yaml_reader.problem_at(path, ("view",), sentence, "")])
    return about


def about_schema() -> dict[str, Any]:
    """Return the JSON Schema of ``template.yaml``, with the games that are installed."""
    schema = AboutTemplate.model_json_schema()
    schema["properties"]["games"]["items"]["enum"] = loader.available()
    return schema
