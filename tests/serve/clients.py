"""A live table that runs, and a client of it: one browser with its cookies and a page."""

from __future__ import annotations

import json
import re
import socket
import time
from html import unescape
from http.client import HTTPConnection
from typing import NamedTuple
from urllib.parse import urlencode

from charforge.serve.app import Server
from charforge.serve.table import GAME_MASTER_SEAT

LAST_PART = "0\r\n\r\n"  # of a stream: an empty one
KEPT = 3  # seconds that a connection is kept without a request; the server closes it after 5


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    headers: dict[str, str]
    text: str


class Browser:
    """A browser at a table on this machine; ``source`` is the address that it comes from."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self.host = f"127.0.0.1:{port}"
        self.connection = HTTPConnection("127.0.0.1", port, 10, source_address=(source, 0))
        self.used = time.monotonic()
        self.cookies: dict[str, str] = {}
        self.headers: dict[str, str] = {}  # of a change, from the page that was opened last

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Return the answer to a request."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"Host": self.host, **({"Cookie": cookie} if cookie else {}), **(headers or {})}
        if time.monotonic() > self.used + KEPT:
            self.connection.close()  # and opened again
        self.used = time.monotonic()
        self.connection.request(method, path, body, sent)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        for value in answer.headers.get_all("set-cookie") or ():
            name, _equals, rest = value.partition("=")
            self.cookies[name] = rest.partition(";")[0].strip('"')
        names = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, names, text)

    def get(self, path: str) -> Answer:
        """Return a page or a part of one."""
        return self.ask("GET", path)

    def open(self, path: str) -> Answer:
        """Open a page, whose changes carry its token from now on."""
        answer = self.get(path)
        found = re.search(r'hx-headers="([^"]*)"', answer.text)
        assert found, answer.text
        self.headers = {**json.loads(unescape(found[1])), "HX-Request": "true"}
        return answer

    def post(self, path: str, **fields: str) -> Answer:
        """Send a change from the page that was opened last."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        origin = {"Origin": f"http://{self.host}"}
        return self.ask("POST", path, urlencode(fields).encode(), kind | origin | self.headers)

    def take_seat(self, token: str) -> Answer:
        """Open the link of a seat, then the page that it leads to."""
        welcome = self.get(f"/s/{token}")
        assert welcome.status == 200, welcome
        address = re.search(r"url=(/[^\"]*)", welcome.text)
        assert address, welcome.text
        return self.open(address[1])

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


class Running:
    """A table whose server runs: its seats by the names of the characters' files."""

    def __init__(self, server: Server, port: int) -> None:
        self.server, self.port = server, port
        table = server.table
        self.seats = {table.file(seat).stem: seat for seat in table.seats}
        self.files = {table.file(seat).stem: table.file(seat) for seat in table.seats}

    def token(self, name: str) -> str:
        return self.server.seats.token(self.seats.get(name, GAME_MASTER_SEAT))

    def path(self, name: str, rest: str = "") -> str:
        return f"/c/{self.seats[name]}{rest}"


class Listener:
    """A page that listens to the events of its seat."""

    def __init__(self, browser: Browser, seat: str, page: str = "") -> None:
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        self._socket = socket.create_connection(browser.host.split(":"), 5)
        self._socket.sendall(
            f"GET /events/{seat}?page={page} HTTP/1.1\r\nHost: {browser.host}\r\n"
            f"Cookie: {cookie}\r\n\r\n".encode()
        )
        self._text = ""
        self.until("event: beat")

    def until(self, wanted: str) -> str:
        """Return what was sent up to a text, and forget it."""
        while wanted not in self._text:
            part = self._socket.recv(4096)
            assert part, self._text
            self._text += part.decode()
        before, _wanted, self._text = self._text.partition(wanted)
        return before

    def ends(self) -> bool:
        """Return whether the server ends the stream, soon."""
        while not self._text.endswith(LAST_PART):
            part = self._socket.recv(4096)
            if not part:
                return True
            self._text += part.decode()
        return True

    def close(self) -> None:
        self._socket.close()
