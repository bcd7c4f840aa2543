"""A secret, a server and a home folder, with checks that none was touched."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.safety.hostile import payloads

ROOT = Path(__file__).resolve().parents[2]
SECRET = "CANARY-9f27c1d0-read-by-nobody"
SECONDS = 400
OURS = (".local/share/charforge", ".local/state/charforge")


class Listener:
    """A server that takes down whoever comes, and answers nothing.

    With ``lenient``, one who comes and says nothing is let be: a browser
    connects ahead of what its policy then forbids.
    """

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.lenient = False
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self) -> None:
        while True:
            try:
                caller, _address = self.socket.accept()
            except OSError:
                return
            with caller:
                caller.settimeout(1)
                try:
                    said = caller.recv(200).decode("latin-1")
                except OSError:
                    said = ""
                if said or not self.lenient:
                    self.heard.append(said)

    def close(self) -> None:
        self.socket.shutdown(socket.SHUT_RDWR)  # or nobody would wake who waits there
        self.socket.close()
        self.thread.join(timeout=5)


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it said."""

    words: list[str]
    code: int
    out: str
    err: str


@dataclass
class Sandbox:
    """A folder to work in, a home, and beside them what nobody should touch."""

    top: Path
    listener: Listener
    cache: Path
    ran: list[Ran] = field(default_factory=list)

    @property
    def work(self) -> Path:
        return self.top / "work"

    @property
    def home(self) -> Path:
        return self.top / "home"

    @property
    def temporary(self) -> Path:
        return self.top / "temporary"

    @property
    def canary(self) -> Path:
        return self.top / "private" / "canary.txt"

    @property
    def payloads(self) -> dict[str, str]:
        return payloads(self.canary.as_uri(), self.listener.address)

    @property
    def environment(self) -> dict[str, str]:
        """What a user has, and nothing of whoever runs the tests."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_CACHE_HOME": str(self.cache),
            "TMPDIR": str(self.temporary),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "CANARY": SECRET,
        }

    def run(self, *commands: Sequence[str | Path]) -> list[Ran]:
        """Run commands in one process; state that none broke down and none reached out."""
        words = [[str(word) for word in command] for command in commands]
        done = subprocess.run(
            [sys.executable, "-m", "tests.safety.monitor", str(self.work)],
            input=json.dumps(words),
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        told = json.loads(done.stdout)
        ran = [Ran(**one) for one in told["ran"]]
        self.ran += ran
        broken = [one for one in ran if one.code not in (0, 1, 2) or "Traceback" in one.err]
        assert broken == []
        self._quiet(told["seen"])
        return ran

    def _quiet(self, seen: dict[str, Any]) -> None:
        """State that a process kept to its own: no secret, no address, no program, no file."""
        assert seen["read"], "whoever watches has seen nothing"
        assert str(self.canary) not in seen["read"]
        assert seen["reached"] == []
        assert [
            one for one in seen["started"] if "charforge.character.files.pdf_attachments" not in one
        ] == []
        homes = [self.home / name for name in OURS]
        allowed = [self.work, self.temporary, self.cache, *homes, Path("/dev/null")]
        above = {str(parent) for home in homes for parent in home.parents}
        outside = [
            name
            for name in seen["written"]
            if name not in above
            and not any(Path(name).is_relative_to(place) for place in allowed)
            and "__pycache__" not in name
        ]
        assert outside == []

    def files(self) -> set[str]:
        """Name every file in and around the sandbox but those of the work folder."""
        return {
            str(path.relative_to(self.top))
            for path in self.top.rglob("*")
            if not path.is_relative_to(self.work)
        }

    def safe(self) -> None:
        """State that nobody was asked, nothing was told, and nothing lies about."""
        assert self.listener.heard == []
        told = [one.words for one in self.ran if SECRET in one.out + one.err]
        assert told == []
        kept = tuple(f"home/{name}" for name in OURS)
        above = {"private", "private/canary.txt", "home", "work", "temporary"}
        above |= {str(p) for name in kept for p in Path(name).parents} - {"."}
        assert {name for name in self.files() - above if not name.startswith(kept)} == set()
        assert self.canary.read_text("utf-8") == SECRET


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for all sandboxes: compiling the catalog and the templates takes seconds."""
    return tmp_path_factory.mktemp("sandboxes").resolve()


@pytest.fixture
def sandbox(shared_cache: Path) -> Iterator[Sandbox]:
    """A sandbox; that all went well in it is stated at the end of each test.

    Its path is short, whatever TMPDIR is: it stands in names, which may not be long.
    """
    listener = Listener()
    place = "/tmp" if Path("/tmp").is_dir() else None
    made = Sandbox(
        Path(tempfile.mkdtemp(prefix="cf-", dir=place)).resolve(), listener, shared_cache
    )
    for folder in (made.work, made.home, made.temporary, made.canary.parent):
        folder.mkdir(parents=True)
    made.canary.write_text(SECRET, "utf-8")
    yield made
    listener.close()
    try:
        made.safe()
    finally:
        shutil.rmtree(made.top)
