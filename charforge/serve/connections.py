"""Connections: at most so many in all and from one address, and none that only waits."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 192  # a page has its stream of events and one or two more
MOST_OF_ADDRESS = 32
PATIENCE = 10.0  # seconds without a complete request

Client = tuple[str, int]


@dataclass
class _Open:
    transport: asyncio.Transport
    idle_since: float
    requests: int = 0
    unread_since: float | None = None


class Connections:
    """The open connections of a server.

    A client that opens many of them, sends its request letter by letter or does not read the
    answer keeps nobody else out. ``protocol`` makes the protocol of a connection for uvicorn.
    """

    def __init__(self, most: int = MOST, of_address: int = MOST_OF_ADDRESS) -> None:
        self.most, self.of_address = most, of_address
        self._open: dict[Client, _Open] = {}

    def protocol(self, **settings: Any) -> asyncio.Protocol:
        """Return the protocol of a new connection, with uvicorn's settings for it."""
        return _Counted(self, H11Protocol(**settings))

    def admit(self, client: Client, transport: asyncio.Transport) -> bool:
        """Return whether a connection may stay, and note it."""
        addresses = Counter(host for host, _port in self._open)
        if len(self._open) >= self.most or addresses[client[0]] >= self.of_address:
            return False
        self._open[client] = _Open(transport, asyncio.get_running_loop().time())
        return True

    def forget(self, client: Client) -> None:
        """Note that a connection is closed."""
        self._open.pop(client, None)

    def note_reading(self, client: Client, reads: bool) -> None:
        """Note that a client has stopped reading what it is sent, or goes on."""
        if client in self._open:
            now = asyncio.get_running_loop().time()
            self._open[client].unread_since = None if reads else now

    def begin_request(self, client: Client) -> None:
        """Note that a complete request has arrived."""
        if client in self._open:
            self._open[client].requests += 1

    def end_request(self, client: Client) -> None:
        """Note that a request is answered."""
        if client in self._open:
            connection = self._open[client]
            connection.requests -= 1
            connection.idle_since = asyncio.get_running_loop().time()

    def close_idle(self) -> None:
        """Close the connections that have had no request, or have read nothing, for too long."""
        before = asyncio.get_running_loop().time() - PATIENCE
        for connection in list(self._open.values()):
            unread = connection.unread_since
            is_idle = not connection.requests and connection.idle_since < before
            if is_idle or (unread is not None and unread < before):
                connection.transport.abort()


class _Counted(asyncio.Protocol):
    """A protocol that hands everything on, unless its connection is one too many."""

    def __init__(self, connections: Connections, inner: asyncio.Protocol) -> None:
        self._connections, self._inner = connections, inner
        self._client: Client = ("", 0)
        self._admitted = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._client = tuple(transport.get_extra_info("peername") or ("", 0))[:2]
        assert isinstance(transport, asyncio.Transport)  # a stream of bytes
        self._admitted = self._connections.admit(self._client, transport)
        if self._admitted:
            self._inner.connection_made(transport)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._admitted:
            self._connections.forget(self._client)
            self._inner.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._admitted:
            self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received() if self._admitted else None

    def pause_writing(self) -> None:
        self._connections.note_reading(self._client, False)
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._connections.note_reading(self._client, True)
        self._inner.resume_writing()
