"""Run commands and record the files, addresses and programs that they access.

    python -m tests.safety.monitor FOLDER < COMMANDS

The commands are lists of words, as JSON, run one after another in
``FOLDER``; so is what is printed: how each ended and what it said, and
what the interpreter saw being opened to write, connected to, started, or
run as code that stands in no file.
"""

from __future__ import annotations

import io
import json
import os
import resource
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

MEMORY = 1_500_000_000  # bytes; a PDF takes a tenth of it
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
STARTING = {
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
}
# Programs with which Python's ctypes looks for libraries when WeasyPrint is loaded.
LIBRARY_SEARCH = {"ldconfig", "gcc", "cc", "ld", "objdump"}
CHANGING = {
    "os.remove": 1, "os.rename": 2, "os.link": 2, "os.symlink": 2, "os.mkdir": 1, "os.rmdir": 1,
    "os.chmod": 1, "os.chown": 1, "os.truncate": 1,
}  # fmt: skip
NOWHERE = ("<template>", "<unknown>")  # what a text that is run as a template is called


class Watch:
    """Takes down what the interpreter is about to do."""

    def __init__(self) -> None:
        self.read: set[str] = set()
        self.written: set[str] = set()
        self.reached: list[str] = []
        self.started: list[str] = []
        self.on = False

    def __call__(self, event: str, told: tuple[Any, ...]) -> None:
        """Be told of an event by the interpreter (PEP 578)."""
        if not self.on:
            return
        if event == "open":
            path, mode, flags = told
            if isinstance(path, str | bytes):
                writes = bool((flags or 0) & WRITING) or any(
                    sign in (mode or "") for sign in "wax+"
                )
                (self.written if writes else self.read).add(os.path.realpath(os.fsdecode(path)))
        elif event in CHANGING:
            names = (name for name in told[: CHANGING[event]] if isinstance(name, str | bytes))
            self.written |= {os.path.realpath(os.fsdecode(name)) for name in names}
        elif event in ("socket.connect", "socket.getaddrinfo", "urllib.Request"):
            if not str(told[0]).startswith("data:"):
                self.reached.append(f"{event} {told!r}"[:2000])
        elif event == "subprocess.Popen" and Path(os.fsdecode(told[0])).name in LIBRARY_SEARCH:
            pass
        elif event in STARTING or (event == "exec" and told[0].co_filename in NOWHERE):
            self.started.append(f"{event} {told!r}"[:2000])

    @property
    def seen(self) -> dict[str, list[str]]:
        """All of it, in order."""
        return {
            "read": sorted(self.read),
            "written": sorted(self.written),
            "reached": self.reached,
            "started": self.started,
        }


def ran(words: Sequence[str]) -> dict[str, Any]:
    """Run a command; return its exit code and what it said."""
    from charforge.cli import app

    printed, said = io.BytesIO(), io.BytesIO()
    out = io.TextIOWrapper(printed, encoding="utf-8", errors="backslashreplace", write_through=True)
    err = io.TextIOWrapper(said, encoding="utf-8", errors="backslashreplace", write_through=True)
    sys.argv = ["charforge", *words]
    with redirect_stdout(out), redirect_stderr(err):
        code = app.run(list(words))
    return {
        "words": list(words),
        "code": code,
        "out": printed.getvalue().decode(),
        "err": said.getvalue().decode(),
    }


def main(folder: Path, commands: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Run the commands; everything is imported and watched from the first of them on."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.chdir(folder)
    sys.stdin = io.StringIO()
    watch = Watch()
    sys.addaudithook(watch)
    watch.on = True
    done = [ran(words) for words in commands]
    watch.on = False
    return {"ran": done, "seen": watch.seen}


if __name__ == "__main__":
    given = json.load(sys.stdin)
    sys.stdout.write(json.dumps(main(Path(sys.argv[1]), given)))
