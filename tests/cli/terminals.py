"""A terminal for tests: the program or a part of it, its screen and its keys."""

from __future__ import annotations

import os
import pty
import sys
import termios
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pyte

import charforge

ROOT = Path(charforge.__file__).parent.parent
PATIENCE = 60
ENTER, UP, DOWN, ESCAPE, CTRL_C, TAB = "\r", "\x1b[A", "\x1b[B", "\x1b", "\x03", "\t"
RIGHT = "\x1b[C"


class Terminal:
    """A process in a terminal, with the screen as a player sees it.

    ``seen`` is everything the process ever wrote, with its colours.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | None = None,
        rows: int = 40,
        columns: int = 100,
        **env: str,
    ):
        self.seen = ""
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.child = pexpect.spawn(
            command[0],
            list(command[1:]),
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **env},
            dimensions=(rows, columns),
            # pexpect sets the size only after the start: a quick program could read another one.
            preexec_fn=lambda: termios.tcsetwinsize(pty.STDIN_FILENO, (rows, columns)),
            timeout=PATIENCE,
        )

    @property
    def lines(self) -> list[str]:
        """Return the lines of the screen."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def pointed(self) -> str:
        """Return the menu entry at the pointer."""
        return next((line[3:] for line in self.lines if line.startswith(" ▸ ")), "")

    @property
    def whole(self) -> bool:
        """Return whether a page is drawn completely: its last line, the keys, is there."""
        return self.lines[-2] != ""

    def _read(self) -> None:
        """Read the next output. Raises TIMEOUT and EOF of pexpect."""
        data = self.child.read_nonblocking(65536, timeout=PATIENCE)
        self.seen += data.decode(errors="replace")
        self.stream.feed(data)

    def until(self, wanted: Callable[[], bool], what: str) -> None:
        """Read output until ``wanted`` returns true."""
        while not wanted():
            try:
                self._read()
            except (pexpect.TIMEOUT, pexpect.EOF) as error:
                shown = "\n".join(self.lines)
                raise AssertionError(f"never saw {what!r}, but:\n{shown}") from error

    def sees(self, text: str) -> None:
        """Wait for a text."""
        self.until(lambda: any(text in line for line in self.lines), text)

    def asked(self, question: str) -> None:
        """Wait for a question: a line of its own on a whole page, not an earlier answer."""
        self.until(lambda: self.whole and f" {question}" in self.lines, question)

    def asked_anywhere(self, question: str) -> None:
        """Wait for a question on a whole page, perhaps beside a panel."""
        self.until(
            lambda: self.whole and any(line.startswith(f" {question}") for line in self.lines),
            question,
        )

    def type(self, *keys: str) -> None:
        """Press keys, or type a text."""
        for key in keys:
            self.child.send(key)

    def point(self, label: str) -> None:
        """Move the pointer down to an entry."""
        self.until(lambda: self.pointed != "", "a menu")
        tried: list[str] = []
        while not self.pointed.startswith(label):
            tried.append(before := self.pointed)
            assert tried.count(before) < 3, f"{label!r} is not among {tried}"
            self.type(DOWN)
            self.until(lambda: self.pointed not in ("", before), "the pointer moved")

    def take(self, label: str) -> None:
        """Move the pointer down to an entry and select it."""
        self.point(label)
        self.type(ENTER)

    def submit(self) -> None:
        """Go to Continue, below the rows of a form, and press Enter."""
        self.take("Continue")

    def ends(self) -> int:
        """Wait for the end without a traceback, and return the exit code."""
        while True:
            try:
                self._read()
            except pexpect.EOF:
                break
        self.child.close()
        assert "Traceback" not in self.seen
        assert self.child.exitstatus is not None
        return int(self.child.exitstatus)


class TerminalRun(Terminal):
    """A run of the program on a terminal."""

    def __init__(
        self, folder: Path, *arguments: object, rows: int = 40, columns: int = 100, **env: str
    ):
        command = [sys.executable, "-m", "charforge", *map(str, arguments)]
        super().__init__(command, folder, rows, columns, **env)
