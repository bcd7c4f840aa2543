"""Somebody at a terminal with the program on it, for the commands that ask."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte

import charforge

ROOT = Path(charforge.__file__).parent.parent
PATIENCE = 30
ENTER, DOWN, ESCAPE, STOP = "\r", "\x1b[B", "\x1b", "\x03"


class Sitting:
    """A run of the program on a terminal; the screen is read as a player sees it."""

    def __init__(self, folder: Path, *arguments: object, rows: int = 40, columns: int = 100):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "charforge", *map(str, arguments)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"},
            dimensions=(rows, columns),
            timeout=PATIENCE,
        )

    @property
    def lines(self) -> list[str]:
        """What stands on the screen."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def pointed(self) -> str:
        """The entry of a menu that is pointed at."""
        return next((line[3:] for line in self.lines if line.startswith(" ▸ ")), "")

    def until(self, wanted: Callable[[], bool], what: str) -> None:
        """Watch the screen until it shows something."""
        while not wanted():
            try:
                self.stream.feed(self.child.read_nonblocking(65536, timeout=PATIENCE))
            except (pexpect.TIMEOUT, pexpect.EOF) as error:
                shown = "\n".join(self.lines)
                raise AssertionError(f"never saw {what!r}, but:\n{shown}") from error

    def sees(self, text: str) -> None:
        """Wait for a text."""
        self.until(lambda: any(text in line for line in self.lines), text)

    def type(self, *keys: str) -> None:
        """Press keys, or type a text."""
        for key in keys:
            self.child.send(key)

    def take(self, label: str) -> None:
        """Move the pointer down to an entry and take it."""
        self.until(lambda: self.pointed != "", "a menu")
        tried: list[str] = []
        while not self.pointed.startswith(label):
            tried.append(before := self.pointed)
            assert tried.count(before) < 3, f"{label!r} is not among {tried}"
            self.type(DOWN)
            self.until(lambda: self.pointed not in ("", before), "the pointer moved")
        self.type(ENTER)

    def ends(self) -> int:
        """Wait for the end; return the exit code."""
        while True:
            try:
                self.stream.feed(self.child.read_nonblocking(65536, timeout=PATIENCE))
            except pexpect.EOF:
                break
        self.child.close()
        assert self.child.exitstatus is not None
        return int(self.child.exitstatus)
