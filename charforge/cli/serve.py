"""``serve``: the live table, on the phones of the players."""

from __future__ import annotations

import socket
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Optional

import segno
import typer

from charforge.cli import console
from charforge.cli.console import FrontEnd
from charforge.cli.files import character_files
from charforge.cli.messages import error_message
from charforge.cli.options import CharacterFiles, Command
from charforge.cli.signature import current_time
from charforge.errors import SheetError, UsageError, WriteError, os_reason
from charforge.language import N_, _

app = typer.Typer(add_completion=False)

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104  # only with --lan
PORT = 8250
SOMEWHERE = ("192.0.2.1", 9)  # an address for examples: nothing is sent there


@app.command("serve", cls=Command)
def serve(
    files: CharacterFiles,
    lan: Annotated[
        bool, typer.Option("--lan", help=N_("Let the phones in your network reach the table."))
    ] = False,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=1, max=65535, help=N_("The port to use."))
    ] = PORT,
    new_links: Annotated[
        bool, typer.Option("--new-links", help=N_("Make new links; the former ones end."))
    ] = False,
    cert: Annotated[
        Optional[Path],
        typer.Option("--cert", metavar="FILE", help=N_("A certificate, for https.")),
    ] = None,
    key: Annotated[
        Optional[Path],
        typer.Option("--key", metavar="FILE", help=N_("The private key of the certificate.")),
    ] = None,
) -> None:
    """Play with phones: a live sheet for each player.

    It prints a link for each character and one for the game master, with --lan also as QR codes
    to scan. What is tapped is saved in the character's file at once, as by the commands, and undo
    works. Press Ctrl-C to stop; the links stay the same until --new-links.

    \b
    Examples:
      charforge serve campaign/ --lan
      charforge serve nix.json kas.json
    """
    _refuse_without_libraries()
    if (cert is None) != (key is None):
        raise UsageError(_("https needs a certificate and its key"), _("Use --cert with --key."))
    # Here, because they need libraries that only this command uses.
    from charforge.serve.app import Server
    from charforge.serve.evening import Evening
    from charforge.serve.run import run
    from charforge.serve.seats import GAME_MASTER, Seats, table_folder
    from charforge.serve.table import Table

    table = Table(character_files(files))
    for seat in table.seats:
        table.load(seat)  # what cannot be read is said now
    folder = table_folder(table.file(table.seats[0]).parent)
    try:
        seats, evening = Seats.open(folder, table.seats, new_links), Evening.open(folder)
    except OSError as error:
        raise WriteError(folder, os_reason(error).lower()) from error

    def words(error: Exception, seat: str) -> str:
        file = table.file(seat) if seat in table.seats else None
        return error_message(error, FrontEnd(file=file))

    if evening.broken is not None:
        text = _("The evening could not be read. It is kept as {file}, and a new one begins.")
        console.say(text.format(file=evening.broken))
    server = Server(table, seats, evening, words, current_time, secure=cert is not None)
    with _listening(EVERYWHERE if lan else HERE, port) as listening:
        host = _own_address() if lan else HERE
        address = f"{'https' if cert else 'http'}://{host}:{port}"
        links = {_("Game master"): GAME_MASTER}
        links |= {f"{name} ({table.file(seat).name})": seat for seat, name in table.names().items()}
        for name, seat in links.items():
            _print_link(name, f"{address}/s/{seats.token(seat)}", lan)
        if not lan:
            console.say(_("Only this computer can open these links. For phones: --lan."))
        console.say(_("Press Ctrl-C to stop."))
        run(server, listening, [f"{name}:{port}" for name in _own_names(host)], cert, key)


def _refuse_without_libraries() -> None:
    """Raise SheetError if a library is missing."""
    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise SheetError(
            _("serve needs {names}").format(names=", ".join(missing)),
            _('Install them: pip install "charforge[serve]"'),
        )


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises UsageError for a port that is taken."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise UsageError(
            _("port {port} cannot be used: {reason}").format(port=port, reason=os_reason(error)),
            _("Stop the other program, or use another --port."),
        ) from error
    return listening


def _own_address() -> str:
    """Return the address of this computer in its network. Raises UsageError without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE)
        except OSError as error:
            raise UsageError(
                _("this computer is in no network"), _("Connect it, or leave out --lan.")
            ) from error
        host: str = probe.getsockname()[0]
        return host


def _own_names(host: str) -> list[str]:
    """Return the names that a browser may call this computer by."""
    name = socket.gethostname().lower()
    return list(dict.fromkeys([HERE, "localhost", host, name, f"{name.partition('.')[0]}.local"]))


def _print_link(name: str, link: str, with_code: bool) -> None:
    """Print a link, and on a terminal its QR code."""
    console.print_result(f"{name}: {link}")
    if with_code and sys.stdout.isatty():
        segno.make(link, error="l").terminal(compact=True, border=2)
