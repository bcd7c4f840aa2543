"""Connections: many from one address, or silent ones, keep nobody else out."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from charforge.serve.guard import Connections, Guard

REQUEST = b"GET / HTTP/1.1\r\nHost: table\r\n\r\n"


async def hello(_scope: Any, _receive: Any, send: Any) -> None:
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]}
    )
    await send({"type": "http.response.body", "body": b"hello"})


def connect(port: int, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 5, source_address=(source, 0))


def answer(connection: socket.socket) -> bytes:
    """Return the answer to a request; nothing if the server closes the connection."""
    try:
        connection.sendall(REQUEST)
        received = b""
        while not received.endswith(b"hello"):
            part = connection.recv(4096)
            if not part:
                break
            received += part
    except ConnectionError:
        return b""
    return received


def is_closed(connection: socket.socket) -> bool:
    connection.settimeout(2)
    try:
        return connection.recv(10) == b""
    except ConnectionError:
        return True


def test_one_address_has_so_many_and_leaves_room_for_others(serving: Callable[..., int]) -> None:
    connections = Connections(most=5, of_address=3)
    port = serving(Guard(hello, ["table"], connections), connections)
    greedy = [connect(port) for _number in range(4)]
    assert [answer(one).endswith(b"hello") for one in greedy] == [True] * 3 + [False]
    others = [connect(port, "127.0.0.2") for _number in range(3)]
    assert [answer(one).endswith(b"hello") for one in others] == [True, True, False]
    greedy[0].close()
    time.sleep(0.1)
    late = connect(port, "127.0.0.2")
    assert answer(late).endswith(b"hello")
    for one in (*greedy, *others, late):
        one.close()


def test_a_connection_that_reads_nothing_is_closed(
    serving: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("charforge.serve.guard.PATIENCE", 0.2)
    connections, ended = Connections(), Event()

    async def endless(_scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        closing = asyncio.create_task(close_idle())
        await receive()  # the request
        closed = asyncio.create_task(receive())
        try:
            for _part in range(1_000):
                body = {"type": "http.response.body", "body": b"x" * 100_000, "more_body": True}
                await send(body)
                await asyncio.sleep(0)
                if closed.done():
                    ended.set()
                    break
        finally:
            closing.cancel()

    async def close_idle() -> None:
        while True:
            await asyncio.sleep(0.05)
            connections.close_idle()

    port = serving(Guard(endless, ["table"], connections), connections)
    greedy = connect(port)
    greedy.sendall(REQUEST)
    assert ended.wait(5)
    greedy.close()


def test_a_connection_that_only_waits_is_closed(
    serving: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("charforge.serve.guard.PATIENCE", 0.2)
    connections = Connections()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        connections.close_idle()  # as the server does all the time
        await hello(scope, receive, send)

    port = serving(Guard(app, ["table"], connections), connections)
    silent, half = connect(port), connect(port)
    half.sendall(REQUEST[:20])
    time.sleep(0.4)
    busy = connect(port)
    assert answer(busy).endswith(b"hello")
    assert is_closed(silent)
    assert is_closed(half)
    for one in (silent, half, busy):
        one.close()
