"""The live table: from a tap to another phone, many pages at once, and the first page."""

from __future__ import annotations

import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from socket import create_connection, socket
from typing import Any

from character import played_character
from timing import Row, Sizes, Skipped, environment

from charforge.character.files.storage import save
from tests.serve.clients import Browser

SEATS, PAGES, TAPS = 8, 40, 10  # TAPS a second
MEDIAN, MOST, MEMORY, FIRST = 0.150, 0.400, 400_000, 150  # s, s, kB, kB


def live_table(folder: Path, sizes: Sizes) -> Iterator[Row | Skipped]:
    """Yield what a tap, many pages and the first page take, compared with their limits."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        yield Skipped("the live table", "starlette, uvicorn")
        return
    characters = folder / "table"
    characters.mkdir()
    document = played_character()
    for number in range(SEATS):
        save(document, characters / f"seat{number}.json")
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "charforge", "serve", str(characters), "--port", str(port)],
        stdout=subprocess.PIPE, text=True,
        env={**environment(), "PYTHONUNBUFFERED": "1", "XDG_STATE_HOME": str(folder / "state")},
    )  # fmt: skip
    try:
        yield from _measured(process, port, sizes)
    finally:
        process.kill()
        process.communicate()


def _measured(process: subprocess.Popen[str], port: int, sizes: Sizes) -> Iterator[Row]:
    assert process.stdout is not None
    lines = [process.stdout.readline() for _seat in range(SEATS + 1)]
    tokens = [re.search(r"/s/(\w+)", line)[1] for line in lines][1:]  # type: ignore[index]
    _wait_for(port)
    phones = [Phone(port, token, number) for number, token in enumerate(tokens)]
    seconds = [phones[number % SEATS].tap_until_seen() for number in range(8 * sizes.runs)]
    yield Row(
        "a tap, seen on another phone", "150 ms", statistics.median(seconds), MEDIAN, 1, "wall"
    )
    slowest = sorted(seconds)[int(len(seconds) * 0.95)]
    yield Row("the same, 95 of 100 taps", "400 ms", slowest, MOST, 1, "wall")
    _many_pages(port, tokens, seconds=60 if sizes.runs > 1 else 3)
    status = Path(f"/proc/{process.pid}/status").read_text()
    used = float(re.search(r"VmHWM:\s+(\d+)", status)[1])  # type: ignore[index]
    yield Row(f"{PAGES} pages, {TAPS} taps a second", "400 MB", used, MEMORY, 1, "kB")
    yield Row(
        "first page with scripts and styles", "150 kB", phones[0].first_page(), FIRST, 1, "kB"
    )


class Phone:
    """A player's phone with its page, and a second page of the same seat that listens."""

    def __init__(self, port: int, token: str, number: int) -> None:
        self.browser = Browser(port, f"127.0.0.{number + 2}")
        page = self.browser.take_seat(token)
        self.seat = re.search(r'data-seat="(\w+)"', page.text)[1]  # type: ignore[index]
        self.page = page.text
        self.other = Listening(port, token, number)

    def tap_until_seen(self) -> float:
        """Tap once; return the seconds until the other page has the new figures."""
        self.other.changed.clear()
        start = time.perf_counter()
        thread = threading.Thread(target=self._tap)
        thread.start()
        if not self.other.changed.wait(10):
            sys.exit("a tap was not seen within 10 s")
        self.other.browser.get(f"/c/{self.seat}/live")
        passed = time.perf_counter() - start
        thread.join()
        time.sleep(0.1)
        return passed

    def _tap(self) -> None:
        answer = self.browser.post(f"/c/{self.seat}/do/note", text="a tap")
        if answer.status != 200:
            sys.exit(f"a tap failed: {answer}")

    def first_page(self) -> float:
        """Return the size of the page with what it loads, in kB."""
        files = re.findall(r'(?:src|href)="(/static/[^"]+)"', self.page)
        texts = [self.page, *(self.browser.get(file).text for file in files)]
        return sum(len(text.encode()) for text in texts) / 1000


class Listening:
    """A page that reads its events, and after each asks for its figures again."""

    def __init__(self, port: int, token: str, number: int, refresh: bool = False) -> None:
        self.browser = Browser(port, f"127.0.0.{number + 2}")
        page = self.browser.take_seat(token)
        self.seat = re.search(r'data-seat="(\w+)"', page.text)[1]  # type: ignore[index]
        self.changed = threading.Event()
        self.refresh, self.errors = refresh, 0
        cookie = "; ".join(f"{name}={value}" for name, value in self.browser.cookies.items())
        self._socket = create_connection(
            ("127.0.0.1", port), 30, source_address=(f"127.0.0.{number + 2}", 0)
        )
        self._socket.sendall(
            f"GET /events/{self.seat}?page=p{random.random()} HTTP/1.1\r\n"
            f"Host: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode()
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(OSError):
            while text := self._socket.recv(4096).decode():
                if f"data: {self.seat}" in text:
                    self.changed.set()
                    if self.refresh:
                        self._ask()

    def _ask(self) -> None:
        try:
            answer = self.browser.get(f"/c/{self.seat}/live")
            self.errors += answer.status != 200
        except (HTTPException, OSError):
            self.errors += 1

    def close(self) -> None:
        """Close the page."""
        self._socket.close()
        self.browser.close()


def _many_pages(port: int, tokens: list[str], seconds: int) -> None:
    """Open many pages and tap; ends the benchmark with an error if any request fails."""
    pages = [
        Listening(port, tokens[number % SEATS], number % SEATS, refresh=True)
        for number in range(PAGES - SEATS)
    ]
    taps = [Browser(port, f"127.0.0.{number + 2}") for number in range(SEATS)]
    seats = [re.search(r'data-seat="(\w+)"', b.take_seat(t).text)[1] for b, t in zip(taps, tokens)]  # type: ignore[index]  # noqa: B905
    failed: list[Any] = []
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end:
        began = time.monotonic()
        who = number % SEATS
        answer = taps[who].post(f"/c/{seats[who]}/do/note", text=f"tap {number}")
        failed += [answer] if answer.status != 200 else []
        number += 1
        time.sleep(max(0, 1 / TAPS - (time.monotonic() - began)))
    failed += [page for page in pages if page.errors]
    for page in pages:
        page.close()
    for browser in taps:
        browser.close()
    too_few = seconds >= 60 and number < 0.8 * TAPS * seconds  # a short run proves no speed
    if failed or too_few:
        sys.exit(f"{len(failed)} of {number} taps failed: {failed[:1]}")


def _wait_for(port: int) -> None:
    for _attempt in range(200):
        with suppress(OSError), create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
