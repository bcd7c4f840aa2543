"""The program: its commands, and the one place where errors become exit codes.

Exit codes: 0 done; 1 findings; 2 usage, input or writing; 70 a bug;
130 interrupted. Results go to stdout, everything else to stderr. Modules
that a command does not need are not imported for it.
"""

from __future__ import annotations

import sys
from typing import Annotated, Optional

import typer

from charforge.cli import catalog, create, doctor, read, sheet

app = typer.Typer(
    name="charforge",
    help="Build tabletop characters, level them up, and print sheets worth holding.",
    epilog="Start with: charforge new",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
create.register(app)
read.register(app)
sheet.register(app)
app.add_typer(catalog.app, name="catalog")
doctor.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"charforge {version('charforge')}")
        raise typer.Exit


@app.callback()
def start(
    version: Annotated[
        Optional[bool],
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = None,
) -> None:
    """Build tabletop characters, level them up, and print sheets worth holding."""


def main() -> None:
    """Run the program and leave with its exit code."""
    from charforge.errors import CharforgeError

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except CharforgeError as error:
        from charforge.cli.messages import sentence

        typer.echo(sentence(error), err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        typer.echo(f"{error.filename or 'The system'}: {error.strerror or error}.", err=True)
        sys.exit(2)
    except Exception:
        from charforge.cli.bug import report

        typer.echo(report(), err=True)
        sys.exit(70)
