"""Characters at a table."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import uvicorn

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import Document
from charforge.character.files.storage import save
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load
from charforge.serve.app import Server
from charforge.serve.guard import Connections, Guard
from charforge.serve.table import Seats, Table
from charforge.serve.table_state import TableStore
from charforge.usecases.create import create_character
from tests.serve.clients import Browser, Running

pytest.register_assert_rewrite("tests.serve.browsing")
from tests.serve.browsing import playing  # noqa: E402, F401  # a fixture


@pytest.fixture(scope="session")
def seated() -> tuple[Document, ...]:
    """Two characters of a small game that is built in."""
    rules = load("phase-2d10")
    return tuple(
        create_character(CharacterSpec(rules, seed=name, name=name), RandomAnswers(name))
        for name in ("Nix", "Kas")
    )


@pytest.fixture
def files(seated: tuple[Document, ...], tmp_path: Path) -> list[Path]:
    """The files of the characters."""
    paths = [tmp_path / f"{one.name.lower()}.json" for one in seated]
    for one, path in zip(seated, paths, strict=True):
        save(one, path)
    return paths


@pytest.fixture
def serving() -> Iterator[Callable[..., int]]:
    """Start a server in a thread for an ASGI application, and return its port."""
    with ExitStack() as ending:

        def start(app: Any, connections: Connections) -> int:
            listening = socket.socket()
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            protocol: Any = connections.protocol
            config = uvicorn.Config(
                app, http=protocol, ws="none", log_level="error", timeout_graceful_shutdown=1
            )
            server = uvicorn.Server(config)
            thread = Thread(target=server.run, args=([listening],))
            thread.start()
            ending.callback(listening.close)
            ending.callback(thread.join)
            ending.callback(setattr, server, "should_exit", True)
            port: int = listening.getsockname()[1]
            return port

        yield start


@pytest.fixture
def running(files: list[Path], tmp_path: Path, serving: Callable[..., int]) -> Running:
    table = Table(files)
    folder = tmp_path / "table"
    seats, store = Seats.open(folder, table.seats), TableStore.open(folder)
    server = Server(
        table, seats, store, lambda error, _seat: str(error), lambda: "2026-01-01 20:15"
    )
    hosts: set[str] = set()

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        await Guard(app, hosts, server.connections)(scope, receive, send)

    app = server.application()
    port = serving(guarded, server.connections)
    hosts.add(f"127.0.0.1:{port}")
    return Running(server, port)


@pytest.fixture
def opened(running: Running) -> Iterator[Callable[..., Browser]]:
    """Open a browser; with names, it has taken their seats."""
    with ExitStack() as ending:

        def browser(*names: str, source: str = "127.0.0.1") -> Browser:
            made = ending.enter_context(closing(Browser(running.port, source)))
            for name in names:
                assert made.take_seat(running.token(name)).status == 200
            return made

        yield browser
