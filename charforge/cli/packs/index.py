"""``catalog index`` and ``catalog find``: publish packs, and search published ones."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.cli import console
from charforge.cli.json_output import print_json
from charforge.cli.options import AsJson, Command
from charforge.errors import UsageError
from charforge.language import N_, _
from charforge.packs import index as pack_index
from charforge.packs.index import INDEX_FILE, IndexEntry

app = typer.Typer(add_completion=False)


@app.command("index", cls=Command)
def index(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help=N_("A folder with packs, or zips of packs."))
    ],
    base: Annotated[
        str,
        typer.Option(
            "--url",
            metavar="URL",
            help=N_("Where the folder will be (default: beside the index)."),
        ),
    ] = "",
) -> None:
    """Write an index of packs, to publish the folder on a web server.

    Each pack in FOLDER is checked and zipped as ID-VERSION.zip, and
    index.json lists all zips. Put the folder on any server with https;
    others then use find and add with the URL of index.json. A picture named
    ID.png, ID.jpg or ID.webp is listed with its pack.

    \b
    Examples:
      charforge catalog index my-packs
      charforge catalog index my-packs --url https://example.org/packs/
    """
    if base and not base.startswith("https://"):
        raise UsageError(
            _("--url must be an https:// address"),
            _("For example: {example}").format(example="--url https://example.org/packs/"),
        )
    written = pack_index.write_index(folder, base and base.rstrip("/") + "/")
    for entry in written.packs:
        console.print_result(f"{entry.id} {entry.version}  {entry.url}  {entry.sha256}")
    console.say(_("{path} lists them.").format(path=folder / INDEX_FILE))


@app.command("find", cls=Command)
def find(
    words: Annotated[
        Optional[list[str]],
        typer.Argument(metavar="WORDS", help=N_("Words of the name, game, author or text.")),
    ] = None,
    index: Annotated[
        str, typer.Option("--index", metavar="URL", help=N_("The URL or path of an index."))
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Search an index of packs; without words, list all of them.

    \b
    Examples:
      charforge catalog find ice --index https://example.org/packs/index.json
      charforge catalog find --index my-packs --json
    """
    if not index:
        raise UsageError(
            _("name the index to search"),
            _("For example: {example}").format(example="--index https://example.org/index.json"),
        )
    found = pack_index.find(pack_index.read_index(index), words or ())
    if as_json:
        print_json(found)
        return
    for entry in found:
        _print_entry(entry, index)
    if not found:
        console.say(_("Nothing in this index matches. Without words, all packs are listed."))


def _print_entry(entry: IndexEntry, index: str) -> None:
    """Print a pack of an index, and how to install it."""
    kind = _("a game") if entry.is_game else _("for {game}").format(game=entry.game)
    by = _("by {authors}").format(authors=", ".join(entry.authors)) if entry.authors else ""
    facts = filter(None, (entry.name, kind, by, entry.licence))
    console.print_result(f"{entry.id} {entry.version}  {', '.join(facts)}")
    console.print_lines(console.wrapped(entry.text, "  "))
    command = shlex.join(["charforge", "catalog", "add", entry.id, "--index", index])
    console.print_result(f"  {command}")
