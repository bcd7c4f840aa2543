"""``serve``: the live table, on the phones of the players."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Optional

import segno
import typer

from charforge.cli import console
from charforge.cli.changes import current_time
from charforge.cli.console import FrontEnd
from charforge.cli.files import character_files, settle_language
from charforge.cli.messages import error_message
from charforge.cli.options import CharacterFiles, Command
from charforge.errors import SheetError, UsageError, WriteError, os_reason
from charforge.language import N_, _
from charforge.replay.loaded_character import shared_files
from charforge.serve.table import GAME_MASTER_SEAT, Seats, Table, only_server, table_folder
from charforge.serve.table_state import TableStore

app = typer.Typer(add_completion=False)

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104  # nosec B104  # only with --lan
PORT = 8250
# An address for examples and three in private networks, which need no way to the internet. Nothing
# is sent there.
SOMEWHERE = ("192.0.2.1", "192.168.0.1", "10.0.0.1", "172.16.0.1")
NOWHERE = ("127.", "0.")  # how addresses begin that no other computer reaches


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
        Optional[Path], typer.Option("--cert", metavar="FILE", help=N_("A certificate, for https."))
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
    # Here, because they need libraries that may not be installed.
    from charforge.serve import app as pages

    if cert is not None and key is not None:
        pages.check_certificate(cert, key)
    characters = character_files(files)
    # Every page of the table is in it.
    settle_language([*characters, *shared_files(characters)])
    table = Table(characters)
    for seat in table.seats:
        table.load(seat)  # what cannot be read is said now
    folder = table_folder(table.file(table.seats[0]).parent)

    def words(error: Exception, seat: str) -> str:
        file = table.file(seat) if seat in table.seats else None
        return error_message(error, FrontEnd(file=file))

    with ExitStack() as ending:
        try:
            ending.enter_context(only_server(folder))
            seats, store = Seats.open(folder, table.seats, new_links), TableStore.open(folder)
        except OSError as error:
            raise WriteError(folder, os_reason(error).lower()) from error
        if store.broken is not None:
            text = _("The evening could not be read. It is kept as {file}, and a new one begins.")
            console.say(text.format(file=store.broken))
        secure = cert is not None
        requests = pages.Server(table, seats, store, words, current_time, secure=secure)
        listening = ending.enter_context(_listening(EVERYWHERE if lan else HERE, port))
        addresses = own_addresses() if lan else [HERE]
        address = f"{'https' if cert else 'http'}://{addresses[0]}:{port}"
        links = {_("Game master"): GAME_MASTER_SEAT}
        links |= {f"{name} ({table.file(seat).name})": seat for seat, name in table.names().items()}
        for name, seat in links.items():
            _print_link(name, f"{address}/s/{seats.token(seat)}", lan)
        if not lan:
            console.say(_("Only this computer can open these links. For phones: --lan."))
        console.say(_("Press Ctrl-C to stop."))
        hosts = own_hosts(addresses, port, secure)
        pages.run(requests, listening, hosts, cert, key)


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


def own_addresses() -> list[str]:
    """Return the addresses of this computer in its networks, the usual one first.

    Raises UsageError without a network.
    """
    addresses = [address_towards(somewhere) for somewhere in SOMEWHERE]
    with suppress(OSError):
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        addresses += [str(address[0]) for *_kind, address in found]
    own = [address for address in dict.fromkeys(addresses) if not address.startswith(NOWHERE)]
    if not own:
        raise UsageError(_("this computer is in no network"), _("Connect it, or leave out --lan."))
    return own


def address_towards(somewhere: str) -> str:
    """Return the address of this computer in the network that leads somewhere; HERE for none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((somewhere, 9))
        except OSError:
            return HERE
        host: str = probe.getsockname()[0]
        return host


def own_hosts(addresses: Iterable[str], port: int, secure: bool) -> list[str]:
    """Return what a browser may call this computer: names and addresses, with the port.

    A browser leaves out the usual port.
    """
    name = socket.gethostname().lower()
    names = [HERE, "localhost", *addresses, name, f"{name.partition('.')[0]}.local"]
    hosts = [f"{one}:{port}" for one in dict.fromkeys(names)]
    return hosts + (names if port == (443 if secure else 80) else [])


def _print_link(name: str, link: str, with_code: bool) -> None:
    """Print a link, and on a terminal its QR code."""
    console.print_result(f"{name}: {link}")
    if with_code and sys.stdout.isatty():
        segno.make(link, error="l").terminal(compact=True, border=2)
