"""Run the server of a table until it is interrupted."""

from __future__ import annotations

import socket
from collections.abc import Collection
from pathlib import Path
from typing import Any

import uvicorn

from charforge.errors import DocumentError
from charforge.language import _
from charforge.serve.app import Server
from charforge.serve.guard import Guard

WAIT = 2  # seconds for the pages that are open when it ends


def run(
    server: Server,
    listening: socket.socket,
    hosts: Collection[str],
    cert: Path | None = None,
    key: Path | None = None,
) -> None:
    """Answer requests on a socket until Ctrl-C. Raises DocumentError for a useless certificate."""
    app = Guard(server.application(), hosts, server.connections)
    protocol: Any = server.connections.protocol
    config = uvicorn.Config(
        app, http=protocol, ws="none", log_level="error", access_log=False, proxy_headers=False,
        server_header=False, timeout_graceful_shutdown=WAIT,
        ssl_certfile=cert, ssl_keyfile=key,
    )  # fmt: skip
    try:
        config.load()
    except OSError as error:  # SSLError is one, too
        raise DocumentError(cert or Path(), _("it cannot be used for https")) from error
    uvicorn.Server(config).run([listening])
