"""A terminal for tests: the program or a part of it, its screen and its keys."""

from __future__ import annotations

import os
import pty
import sys
import termios
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pexpect
import pyte
import pytest
from pexpect.fdpexpect import fdspawn
from prompt_toolkit.application import create_app_session

import charforge
from charforge.cli.app import main
from charforge.cli.terminal.screen import rich_console

ROOT = Path(charforge.__file__).parent.parent
PATIENCE = 60
ENTER, UP, DOWN, ESCAPE, CTRL_C, TAB = "\r", "\x1b[A", "\x1b[B", "\x1b", "\x03", "\t"
RIGHT = "\x1b[C"
# How prompt_toolkit begins and ends a frame: without wrapped lines, and with them again.
FRAME = "\x1b[?7l", "\x1b[?7h"


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
        self._clear(rows, columns)
        self.child: Any = pexpect.spawn(
            command[0],
            list(command[1:]),
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **env},
            dimensions=(rows, columns),
            # pexpect sets the size only after the start: a quick program could read another one.
            preexec_fn=lambda: termios.tcsetwinsize(pty.STDIN_FILENO, (rows, columns)),
            timeout=PATIENCE,
        )

    def _clear(self, rows: int, columns: int) -> None:
        self.seen = ""
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)

    @property
    def lines(self) -> list[str]:
        """Return the lines of the screen."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def pointed(self) -> str:
        """Return the menu entry at the pointer."""
        return next((line[3:] for line in self.lines if line.startswith(" ▸ ")), "")

    @property
    def pointer(self) -> tuple[int, str]:
        """Return the row of the pointer, and the label there without what stands beside it."""
        rows = (y for y, line in enumerate(self.lines) if line.startswith(" ▸ "))
        return next(rows, -1), self.pointed.split("  ")[0]

    @property
    def drawn(self) -> bool:
        """Return whether the last frame is complete: a read can end in the middle of one."""
        return self.seen.rfind(FRAME[0]) <= self.seen.rfind(FRAME[1])

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
        """Read output until ``wanted`` returns true of a complete frame."""
        while not (self.drawn and wanted()):
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
            tried.append(self.pointed)
            assert tried.count(self.pointed) < 3, f"{label!r} is not among {tried}"
            self._move_down()

    def _move_down(self) -> None:
        """Move the pointer down. What stands beside a label can come later: that is no move."""
        before = self.pointer
        self.type(DOWN)
        self.until(lambda: self.pointed != "" and self.pointer != before, "the pointer moved")

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
        code = self._exit_code()
        assert "Traceback" not in self.seen
        assert code is not None
        return code

    def _exit_code(self) -> int | None:
        """Let go of the terminal of a program that has ended, and return its exit code."""
        self.child.close()
        return self.child.exitstatus  # type: ignore[no-any-return]


class TerminalRun(Terminal):
    """A run of the program on a terminal."""

    def __init__(
        self, folder: Path, *arguments: object, rows: int = 40, columns: int = 100, **env: str
    ):
        command = [sys.executable, "-m", "charforge", *map(str, arguments)]
        super().__init__(command, folder, rows, columns, **env)


class ThreadTerminal(Terminal):
    """A part of the program on a terminal of its own, in a thread of this process.

    It starts quickly, and its lines count as covered. There can be only one at a time, because
    the streams, the folder and the environment are those of this process. It must be started in
    the test and not in a fixture, because pytest replaces the streams between the two. For the same
    reason a test waits for all that the program prints, before it ends: what comes later is among
    the output of pytest. A key that the terminal itself turns into a signal does nothing.
    """

    def __init__(
        self,
        program: Callable[[], object],
        folder: Path,
        rows: int = 40,
        columns: int = 100,
        **env: str,
    ):
        self._clear(rows, columns)
        self.program = program
        self.code: int | None = None
        master, self._slave = os.openpty()
        termios.tcsetwinsize(self._slave, (rows, columns))
        self.child = fdspawn(master, timeout=PATIENCE)
        self._patch = pytest.MonkeyPatch()
        self._patch.chdir(folder)
        for name in ("NO_COLOR", "FORCE_COLOR"):
            self._patch.delenv(name, raising=False)
        size = {"COLUMNS": str(columns), "LINES": str(rows)}
        for name, value in {"TERM": "xterm-256color", **size, **env}.items():
            self._patch.setenv(name, value)
        self._streams = [os.fdopen(os.dup(self._slave), mode) for mode in ("r", "w", "w")]
        for name, stream in zip(("stdin", "stdout", "stderr"), self._streams, strict=True):
            self._patch.setattr(sys, name, stream)
        rich_console.cache_clear()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            with create_app_session():  # with this terminal; the default one keeps the first
                self.program()
            self.code = 0
        except SystemExit as ended:
            self.code = ended.code if isinstance(ended.code, int) else 1
        finally:
            for stream in self._streams:
                with suppress(OSError):  # the test has hung up
                    stream.close()
            os.close(self._slave)

    def _exit_code(self) -> int | None:
        """Close the terminal, and return how the program in the thread ended."""
        self.close()
        return self.code

    def close(self) -> None:
        """Hang up, which ends the program, and restore what it changed in this process."""
        if self.child.closed:
            return
        self.child.close()
        try:
            self._thread.join(PATIENCE)
            assert not self._thread.is_alive()
        finally:
            self._patch.undo()
            rich_console.cache_clear()


class ThreadRun(ThreadTerminal):
    """A run of the program in a thread of this process."""

    def __init__(self, folder: Path, *arguments: object, **options: Any):
        def program() -> None:
            self._patch.setattr(sys, "argv", ["charforge", *map(str, arguments)])
            main()

        super().__init__(program, folder, **options)
