"""Where commands are typed: a shell, or a session at the table that has its character."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charforge.cli import console
from charforge.errors import FILE
from charforge.language import _

PROGRAM = "charforge"
KNOWN = (PROGRAM, FILE, f"[{FILE}]", "[OPTIONS]")  # parts of a usage that a session leaves out


def _no_command(_line: str) -> bool:
    return False


@dataclass(frozen=True)
class FrontEnd:
    """The place where a command was typed, as far as the command knows it.

    ``words`` are those that were typed. A session has a ``file`` and, if it is
    about another than the character, the id of a ``unit``; ``live`` is one on a
    terminal, which shows the status line itself. ``ask`` takes a question and
    returns the typed line, ``is_command`` says whether such a line is a command
    instead of an answer.
    """

    words: tuple[str, ...] = ()
    file: Path | None = None
    unit: str = ""
    live: bool = False
    ask: Callable[[str], str] = console.ask_line
    is_command: Callable[[str], bool] = _no_command

    def command_line(self, words: Iterable[str]) -> str:
        """Return a command as it is typed here: in a session without program and file."""
        if self.file is None:
            return shlex.join([PROGRAM, *words])
        return shlex.join(word for word in words if word not in (FILE, str(self.file)))

    def usage(self, pieces: Iterable[str]) -> str:
        """Return a line with a command and what it takes."""
        known = () if self.file is None else KNOWN
        return " ".join([_("Usage:"), *(piece for piece in pieces if piece not in known)])

    def about(self, file: Path, text: str) -> str:
        """Return a text about a character file; in the session of that file, without its name."""
        return text if self.file == file else f"{file}: {text}"


SHELL = FrontEnd()


def front_end_of(ctx: Any) -> FrontEnd:
    """Return the front end of a command that runs; a shell for one that runs by itself."""
    found = None if ctx is None else ctx.obj
    return found if isinstance(found, FrontEnd) else SHELL
