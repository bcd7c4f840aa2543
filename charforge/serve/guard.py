"""A guard before the pages: it refuses requests that no client may send.

The name of the host must be ours, or a page of another site could reach the table through a name
that it controls. A change must come from one of our own pages. Bodies are small and arrive soon,
requests and wrong tokens are counted.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from charforge.language import _
from charforge.serve.connections import Connections

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
