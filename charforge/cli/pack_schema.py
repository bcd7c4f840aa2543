"""``catalog schema``: what an editor needs to complete and explain a pack as one types."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.cli import console
from charforge.cli.arguments import Command
from charforge.cli.options import RulesetOption
from charforge.errors import WriteError
from charforge.rules import schema as schemas
from charforge.rules.loader import default_ruleset, load

app = typer.Typer(add_completion=False)


@app.command("schema", cls=Command)
def schema(
    ruleset: RulesetOption = None,
    pack: Annotated[
        Optional[list[str]],
        typer.Option(
            "--pack", metavar="ID", help="An installed pack to include; repeat for several."
        ),
    ] = None,
    output: Annotated[
        Optional[Path],
        typer.Option("-o", "--output", metavar="DIR", help="The folder to save them in."),
    ] = None,
) -> None:
    """Write JSON Schemas, so that your editor can complete pack files.

    Without -o they are saved in the folder .schema. Start a page with the line

    \b
      # yaml-language-server: $schema=.schema/page.json

    and editors complete and explain it while you type.

    \b
    Examples:
      charforge catalog schema
      charforge catalog schema --ruleset capital -o my-pack/.schema
    """
    loaded = load(default_ruleset() if ruleset is None else ruleset, pack or ())
    folder = output or Path(schemas.FOLDER)
    try:
        made = schemas.write_into(folder, loaded)
    except OSError as error:
        raise WriteError(folder, error.strerror or str(error)) from error
    for path in made:
        console.result(str(path))
