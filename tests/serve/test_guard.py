"""The guard: a proper request reaches the pages, and no other one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.serve.guard import (
    BODY_TIME,
    HEADERS,
    MOST_BODY,
    MOST_COUNTED,
    Connections,
    Guard,
    Rate,
)

HOST = "127.0.0.1:8250"
OURS = {"host": HOST, "origin": f"http://{HOST}"}


async def echo(scope: Any, receive: Any, send: Any) -> None:
    message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": message["body"]})


def ask(
    method: str = "GET", headers: Any = (), parts: Iterable[bytes] = (b"",)
) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of the answer to a request."""
    sent: list[Any] = []
    left = list(parts)

    async def receive() -> Any:
        if not left:
            await asyncio.sleep(2 * BODY_TIME)
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: Any) -> None:
        sent.append(message)

    names = [(name.encode(), value.encode()) for name, value in dict(headers).items()]
    scope = {
        "type": "http", "method": method, "headers": names, "scheme": "http", "path": "/",
        "client": ("192.0.2.7", 999),
    }  # fmt: skip
    asyncio.run(Guard(echo, [HOST], Connections())(scope, receive, send))
    start, body = sent
    answered = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], answered, body["body"]


def test_a_proper_request_is_answered() -> None:
    assert ask(headers={"host": HOST})[0] == 200
    assert ask("POST", OURS, [b"by=", b"5"])[::2] == (200, b"by=5")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8250", "127.0.0.1", "", HOST + "."])
def test_a_host_that_is_not_ours_is_refused(host: str) -> None:
    """A page of another site may reach this address by a name of its own (rebinding)."""
    assert ask(headers={"host": host})[0] == 421
    assert ask(headers={})[0] == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", f"https://{HOST}"])
def test_a_change_comes_from_our_own_pages(origin: str) -> None:
    assert ask("POST", {"host": HOST, "origin": origin}, [b"by=5"])[0] == 403
    assert ask("POST", {"host": HOST}, [b"by=5"])[0] == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "NONSENSE"])
def test_other_methods_are_refused(method: str) -> None:
    assert ask(method, OURS)[0] == 405


def test_a_large_body_is_refused_whatever_its_length_says() -> None:
    large = [b"x" * 1000] * (MOST_BODY // 1000 + 1)
    assert ask("POST", OURS, large)[0] == 413
    assert ask("POST", OURS | {"content-length": "20000"}, [b"x"])[0] == 413
    assert ask("POST", OURS | {"content-length": "-1"}, [b"x"])[0] == 413
    assert ask("POST", OURS | {"content-length": "9" * 5000}, [b"x"])[0] == 413
    assert ask("POST", OURS, [b"x" * MOST_BODY])[0] == 200


def test_a_slow_body_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("charforge.serve.guard.BODY_TIME", 0.05)
    status, headers, _body = ask("POST", OURS, [])
    assert (status, headers["connection"]) == (408, "close")


def test_every_answer_has_a_strict_policy() -> None:
    for status, headers, _body in (ask(headers={"host": HOST}), ask(headers={"host": "evil"})):
        assert {name: headers[name.lower()] for name in HEADERS} == HEADERS, status
        assert headers["cache-control"] == "no-store"
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


@given(st.lists(st.sampled_from(["a", "b", 1.0, 0.2]), max_size=60))
def test_a_rate_lets_so_many_through_in_its_time(events: list[str | float]) -> None:
    """Compared with a list of all times."""
    now, times = 0.0, dict[str, list[float]](a=[], b=[])
    rate = Rate(3, 1.0, lambda: now)
    for event in events:
        if isinstance(event, float):
            now += event
            continue
        recent = [time for time in times[event] if time > now - 1.0]
        assert rate.is_full(event) == (len(recent) >= 3)
        if not rate.is_full(event):
            rate.count(event)
            times[event].append(now)


def test_invented_keys_are_not_all_kept() -> None:
    """So many keys are somebody's inventions: the counting begins again."""
    assert MOST_COUNTED <= 10_000
    rate = Rate(1, 1_000.0)
    for number in range(MOST_COUNTED):
        rate.count(number)
    assert rate.is_full(0)
    rate.count(MOST_COUNTED)
    assert [rate.is_full(number) for number in (0, MOST_COUNTED)] == [False, True]
