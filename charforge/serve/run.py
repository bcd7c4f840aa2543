"""Run the server of a table until it is interrupted."""

from __future__ import annotations

import logging
import socket
import ssl
from collections.abc import Collection
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from charforge.errors import DocumentError, os_reason
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
    """Answer requests on a socket until Ctrl-C."""
    app = Guard(server.application(), hosts, server.connections)
    protocol: Any = server.connections.protocol
    config = uvicorn.Config(
        app, http=protocol, ws="none", log_level="error", access_log=False, proxy_headers=False,
        server_header=False, timeout_graceful_shutdown=WAIT,
        ssl_certfile=cert, ssl_keyfile=key,
    )  # fmt: skip
    _Server(config, server).run([listening])


def check_certificate(cert: Path, key: Path) -> None:
    """Raise DocumentError, about the right file, unless a certificate and its key are of use."""
    for file in (cert, key):
        try:
            file.read_bytes()
        except OSError as error:
            raise DocumentError(file, os_reason(error).lower()) from error
    try:
        ssl.create_default_context().load_verify_locations(cert)
    except ssl.SSLError as error:
        raise DocumentError(cert, _("it cannot be used for https")) from error
    asked = []

    def passphrase() -> str:
        asked.append(key)
        return ""  # nobody is asked

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, passphrase)
    except OSError as error:  # SSLError is one, too
        reason = _("it has a passphrase") if asked else _("it is not the key of the certificate")
        raise DocumentError(key, reason) from error


class _Server(uvicorn.Server):
    """A server that ends the streams of the pages first: it waits for every answer."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self._pages = server

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End, and say nothing of the requests that end with it."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL + 1)
        self._pages.end_streams()
        super().handle_exit(sig, frame)
