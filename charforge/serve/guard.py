"""A guard before the pages: it refuses requests that no client may send.

The name of the host must be ours, or a page of another site could reach the table through a name
that it controls. A change must come from one of our own pages. Bodies are small and arrive soon,
requests and wrong tokens are counted. There are only so many connections, in all and from one
address, and none may wait for ever without a request.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from charforge.language import _

MOST_CONNECTIONS = 192  # a page has its stream of events and one or two more
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

    def __init__(self, most: int = MOST_CONNECTIONS, of_address: int = MOST_OF_ADDRESS) -> None:
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


MOST_BODY = 16_000  # bytes
BODY_TIME = 10.0  # seconds
WRONG_TOKENS = 10  # a minute from an address
REQUESTS = 20  # a second of a seat
MOST_COUNTED = 10_000  # addresses and seats that are counted at the same time
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
READING = ("GET", "HEAD")


class Rate:
    """So many times in so many seconds, for each key by itself."""

    def __init__(
        self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.most, self.seconds, self._clock = most, seconds, clock
        self._times: defaultdict[Hashable, deque[float]] = defaultdict(deque)

    def is_full(self, key: Hashable) -> bool:
        """Return whether the key has had its number."""
        times, now = self._times.get(key), self._clock()
        while times and times[0] <= now - self.seconds:
            times.popleft()
        return times is not None and len(times) >= self.most

    def count(self, key: Hashable) -> None:
        """Count one more of a key."""
        if len(self._times) >= MOST_COUNTED and key not in self._times:
            self._times.clear()  # somebody invents keys; the counting begins again
        self._times[key].append(self._clock())


class Guard:
    """An ASGI application that lets only proper requests through to another one."""

    def __init__(self, app: ASGIApp, hosts: Collection[str], connections: Connections) -> None:
        self.app, self.hosts, self.connections = app, frozenset(hosts), connections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request: with a refusal, or as the application does."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        client = tuple(scope["client"] or ("", 0))
        self.connections.begin_request(client)
        try:
            await self._answer(scope, receive, _with_headers(send))
        finally:
            self.connections.end_request(client)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refusal(scope)
        body = b""
        if refused is None and scope["method"] not in READING:
            try:
                body = await asyncio.wait_for(_read_body(receive), BODY_TIME)
            except TimeoutError:
                refused = 408, _("The request took too long.")
            except ValueError:
                refused = 413, _("The request is too large.")
        if refused is not None:
            status, text = refused
            close = {"Connection": "close"}  # what is left of its body is not read
            await PlainTextResponse(text, status, close)(scope, receive, send)
            return
        await self.app(scope, _received(body, receive), send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return status and reason why a request is not answered; None if it is."""
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self.hosts:
            return 421, _("This is not the address of the table.")
        if scope["method"] in READING:
            return None
        if scope["method"] != "POST":
            return 405, _("This cannot be done.")
        if headers.get("origin", "").lower() != f"{scope['scheme']}://{headers['host'].lower()}":
            return 403, _("A change must come from a page of the table.")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal()) or int(length[:9]) > MOST_BODY:
            return 413, _("The request is too large.")
        return None


async def _read_body(receive: Receive) -> bytes:
    """Return the body of a request. Raises ValueError for a large one."""
    parts, more = b"", True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        parts += message.get("body", b"")
        more = message.get("more_body", False)
        if len(parts) > MOST_BODY:
            raise ValueError
    return parts


def _received(body: bytes, receive: Receive) -> Receive:
    """Return a function that gives a body that was read, then what comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def give() -> Message:
        return messages.pop() if messages else await receive()

    return give


def _with_headers(send: Send) -> Send:
    """Return a function that sends messages with the headers of every answer."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message.setdefault("headers", [])
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sent
