"""Clients that mean harm, and a server that is killed: nothing gets in, nothing is lost."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
import trustme

from charforge.replay.loaded_character import load_character
from tests.serve.clients import Browser

pytestmark = pytest.mark.slow

PATHS = (
    "", "/live", "/others", "/odds", "/form/use", "/form/damage", "/form/none", "/do/use",
    "/do/note", "/do/undo", "/do/condition", "/do/hold", "/do/roll", "/do/none",
)  # fmt: skip
WORDS = (
    "", "0", "-1", "99999999999", "nix", "../nix.json", "<script>alert(1)</script>", "\0", "é" * 50,
    "{{ 7 * 7 }}", "'; drop", "x" * 3_000, "str", "unarmed", "amount", "1,2,3", "on", "\u202e",
)  # fmt: skip
FIELDS = (
    "unit",
    "source",
    "key",
    "amount",
    "text",
    "what",
    "item",
    "in.vs",
    "dice.roll",
    "answers",
)


@pytest.fixture
def table(files: list[Path]) -> Iterator[dict[str, Any]]:
    """The command, running: its port, its links by name, and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = serve(files[0].parent, port)
    try:
        yield {"port": port, "links": links(process), "process": process, "files": files}
    finally:
        process.kill()
        process.communicate()


def serve(folder: Path, port: int, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "charforge", "serve", str(folder), "--port", str(port), *more],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip


def links(process: subprocess.Popen[str]) -> dict[str, str]:
    assert process.stdout is not None
    lines = [process.stdout.readline() for _seat in range(3)]
    found = dict(re.findall(r"(\w+)[^:]*: https?://[^/]+/s/(\w+)", "".join(lines)))
    assert len(found) == 3, lines
    return found


def wait_for(port: int) -> None:
    for _attempt in range(200):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise AssertionError("nobody answers")


def noted(file: Path) -> list[str]:
    return [e["text"] for e in json.loads(file.read_text())["log"] if e["do"] == "note"]


def test_random_requests_change_nobody_elses_character(
    table: dict[str, Any], pytestconfig: pytest.Config
) -> None:
    """400 of them, and 10,000 with ``--long``."""
    requests = 10_000 if pytestconfig.getoption("--long") else 400
    wait_for(table["port"])
    dice = random.Random(33)
    own = {name: table["links"][name] for name in ("Nix", "Kas")}
    player = Browser(table["port"])
    page = player.take_seat(own["Nix"])
    seat = re.search(r'data-seat="(\w+)"', page.text)
    assert seat
    stranger = Browser(table["port"], "127.0.0.3")
    other = Browser(table["port"], "127.0.0.2")
    kas = re.search(r'data-seat="(\w+)"', other.take_seat(own["Kas"]).text)
    assert kas
    before = table["files"][1].read_bytes()
    statuses: set[int] = set()
    for number in range(requests):
        browser = dice.choice([player, stranger])
        whose = dice.choice([seat[1], kas[1], "gm", dice.choice(WORDS)])
        path = f"/c/{whose}{dice.choice(PATHS)}" if dice.random() < 0.9 else dice.choice(WORDS)
        path = re.sub(r"[^!-~]", "%00", path) or "/"
        fields = {dice.choice(FIELDS): dice.choice(WORDS) for _field in range(dice.randrange(5))}
        if browser is player and whose == kas[1] and dice.random() < 0.5:
            browser.headers["X-Page"] = dice.choice(WORDS[:5])
        try:
            if dice.random() < 0.5:
                status = browser.post(path if path[0] == "/" else f"/{path}", **fields).status
            else:
                status = browser.get(path if path[0] == "/" else f"/{path}").status
        except (HTTPException, OSError, ValueError):  # it hung up, or no client can send this
            browser.connection.close()
            continue
        statuses.add(status)
        if number % 15 == 0:
            time.sleep(0.2)  # as much as one seat may ask
    assert max(statuses) < 500, statuses
    assert {200, 403} <= statuses
    assert table["files"][1].read_bytes() == before
    load_character(table["files"][0])
    for browser in (player, other, stranger):
        browser.close()


def test_https_and_a_second_server_of_a_folder(files: list[Path], tmp_path: Path) -> None:
    authority, cert, key = trustme.CA(), tmp_path / "cert.pem", tmp_path / "key.pem"
    made = authority.issue_cert("127.0.0.1")
    made.private_key_pem.write_to_path(key)
    made.cert_chain_pems[0].write_to_path(cert)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    ports = []
    for _server in range(2):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            ports.append(free.getsockname()[1])
    folder = tmp_path / "campaign"
    folder.mkdir()
    for file in files:
        file.rename(folder / file.name)
    process = serve(folder, ports[0], "--cert", str(cert), "--key", str(key))
    try:
        token = links(process)["Nix"]
        wait_for(ports[0])
        with closing(HTTPSConnection("127.0.0.1", ports[0], timeout=10, context=trusting)) as page:
            page.request("GET", f"/s/{token}")
            answer = page.getresponse()
            assert answer.status == 200
            assert "Secure" in (answer.headers["set-cookie"] or "")
        second = serve(folder, ports[1])
        _said, errors = second.communicate(timeout=30)
        assert second.returncode == 2
        assert "served already" in errors
    finally:
        process.kill()
        process.communicate()


def test_silent_and_half_open_connections_stop_nobody(table: dict[str, Any]) -> None:
    wait_for(table["port"])
    silent = []
    for number in range(80):
        with suppress(OSError):
            one = socket.create_connection(("127.0.0.1", table["port"]), 5)
            one.sendall(b"GET / HTTP/1.1\r\nHo" if number % 2 else b"")
            silent.append(one)
    player = Browser(table["port"], "127.0.0.2")
    assert player.take_seat(table["links"]["Nix"]).status == 200
    for one in silent:
        one.close()
    player.close()


def test_what_is_answered_is_saved_when_the_server_is_killed(table: dict[str, Any]) -> None:
    """Killed in the middle of 50 taps: each is in the file whole, or not at all."""
    wait_for(table["port"])
    player, answered = Browser(table["port"]), []
    player.take_seat(table["links"]["Nix"])
    address = re.search(r"/c/\w+", player.get("/").headers["location"])
    assert address
    for number in range(50):
        if number == 30:
            os.kill(table["process"].pid, signal.SIGKILL)
        try:
            answer = player.post(f"{address[0]}/do/note", text=f"tap {number}")
        except (HTTPException, OSError):
            break
        if answer.status == 200:
            answered.append(f"tap {number}")
        time.sleep(0.05)
    player.close()
    file = table["files"][0]
    assert noted(file)[: len(answered)] == answered
    assert len(noted(file)) <= len(answered) + 1
    assert len(answered) >= 25
    assert not load_character(file).problems
    again = serve(file.parent, table["port"])
    try:
        assert links(again) == table["links"]
        wait_for(table["port"])
        page = Browser(table["port"])
        assert page.take_seat(table["links"]["Nix"]).status == 200
        assert answered[-1] in page.get(f"{address[0]}/form/history").text
        page.close()
    finally:
        again.kill()
        again.communicate()


def test_ctrl_c_ends_it_although_pages_listen(table: dict[str, Any]) -> None:
    """The server does not wait for its pages, which never end."""
    process, port = table["process"], table["port"]
    wait_for(port)
    browser = Browser(port)
    seats = []
    for token in table["links"].values():
        browser.take_seat(token)
        seats = [name.rpartition("_")[2] for name in browser.cookies]
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    with closing(browser), ExitStack() as pages:
        for seat in seats:
            page = pages.enter_context(socket.create_connection(("127.0.0.1", port), 5))
            head = (
                f"GET /events/{seat} HTTP/1.1\r\nHost: {browser.host}\r\nCookie: {cookies}\r\n\r\n"
            )
            page.sendall(head.encode())
            received = b""
            while b"event: beat" not in received:
                received += page.recv(4096)
        process.send_signal(signal.SIGINT)
        _said, errors = process.communicate(timeout=10)
    assert process.returncode == 130  # as of any program that Ctrl-C ends
    assert errors.strip().endswith("Press Ctrl-C to stop.")
