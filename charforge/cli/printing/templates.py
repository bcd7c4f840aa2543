"""``templates``: the templates of the user and of packs, and new ones to begin with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Optional, get_args

import typer

from charforge.cli import console
from charforge.cli.messages import error_message
from charforge.cli.options import Command
from charforge.cli.printing.options import SheetLayout
from charforge.errors import CharforgeError, UsageError
from charforge.language import N_, _
from charforge.packs.scaffold import TemplateStart, new_template
from charforge.sheet.templates import (
    about_schema,
    built_in_templates,
    find_template,
    named_templates,
    own_templates,
    pack_templates,
)

app = typer.Typer(add_completion=False)


@app.command("templates", cls=Command)
def templates(
    new: Annotated[
        Optional[str],
        typer.Argument(metavar="[new]", help=N_("The word new, to start a template.")),
    ] = None,
    folder: Annotated[
        Optional[Path], typer.Argument(metavar="[FOLDER]", help=N_("The folder of the new one."))
    ] = None,
    start: Annotated[
        TemplateStart, typer.Option("--from", help=N_("What the new one begins with."))
    ] = "full",
    schema: Annotated[
        bool, typer.Option("--schema", help=N_("Print the JSON Schema of template.yaml instead."))
    ] = False,
) -> None:
    """List templates for sheets, your own and those of packs, or start one.

    A template is a Jinja file that lays out a character in its own way:
    sheet.html becomes a PDF or HTML, sheet.md or any other kind is written as
    it is. It can be used by its path, or by its name once it is in the folder
    that this command shows.

    \b
    Examples:
      charforge templates
      charforge templates new my-sheet
      charforge templates new npc --from markdown
      charforge sheet nix.json --template my-sheet
    """
    if schema:
        console.print_result(json.dumps(about_schema(), ensure_ascii=False, indent=1))
        return
    if new is None:
        _list()
        return
    if new != "new" or folder is None:
        raise UsageError(
            _("templates lists them, and templates new FOLDER starts one"),
            _("For example: charforge templates new my-sheet."),
        )
    for path in new_template(folder, start):
        console.print_result(str(path))
    console.say(_("Try it: charforge sheet FILE --template {folder}").format(folder=folder))


def _list() -> None:
    """Print a line for each template, and where they are."""
    for layout in get_args(SheetLayout):
        option = f"--layout {layout}"
        console.print_result(f"{layout} · " + _("built in: {option}").format(option=option))
    for name in built_in_templates():
        console.print_result(
            f"{name} · " + _("built in: {option}").format(option=f"export --format {name}")
        )
    for name, path in {**pack_templates(), **named_templates()}.items():
        try:
            about = find_template(str(path)).about
        except CharforgeError as error:
            console.say(f"{name}: {error_message(error)}")
            continue
        lists = (about.papers, about.games)
        notes = (about.name, about.author, about.licence, *map(", ".join, lists))
        console.print_result(" · ".join((name, *filter(None, notes))))
    own = _("Templates in {folder} are known by their names.").format(folder=own_templates())
    console.say(f"{own} " + _("To start one: charforge templates new my-sheet"))
