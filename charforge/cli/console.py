"""The terminal: printing results, JSON and messages, and asking; where commands are typed."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from charforge.errors import FILE, UsageError
from charforge.language import _

if TYPE_CHECKING:
    from pydantic import BaseModel

# The control characters of terminals, and those that turn the direction of the text after them.
# Names of files and texts in files can contain them.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
CLEAR = "\r\x1b[K"  # returns to the start of the line and empties it
WIDEST_SCREEN = 110  # columns of a screen
ANSI_STYLES = {"bold": "1", "dim": "2", "cyan": "36"}


class Styled(NamedTuple):
    """A part of a printed line with a style: ``bold``, ``dim`` or ``cyan``."""

    text: str
    style: str


Line = tuple[str | Styled, ...]


def is_interactive() -> bool:
    """Return whether questions can be asked: input and prompts are on a terminal."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def wants_styles() -> bool:
    """Return whether texts may have styles; NO_COLOR and simple terminals turn them off."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def say(*parts: str | Styled) -> None:
    """Print a message on stderr."""
    print(_line(parts, sys.stderr), file=sys.stderr)


def has_status_line() -> bool:
    """Return whether stderr is a terminal on which a line can be replaced."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def show_status(text: str) -> None:
    """Replace the status line of the terminal; an empty text removes it."""
    if not has_status_line():
        return
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        columns = 80
    sys.stderr.write(f"{CLEAR}{text[: columns - 1]}")
    sys.stderr.flush()


def print_result(*parts: str | Styled) -> bool:
    """Print a result, or drop it and return False if nobody reads the results any more.

    The command goes on all the same: it may have something to save, or to
    refuse, and its exit code says which. Only an endless command has to ask.
    """
    shown = _line(parts, sys.stdout)
    try:
        sys.stdout.write(shown if shown.endswith("\n") else shown + "\n")
    except BrokenPipeError:
        discard_output()
        return False
    return True


def print_lines(lines: Iterable[Line]) -> None:
    """Print lines of a result."""
    for parts in lines:
        print_result(*parts)


def _line(parts: Iterable[str | Styled], stream: TextIO) -> str:
    """Return parts as one text; their styles are the only control characters in it."""
    coloured = stream.isatty() and wants_styles()
    texts = []
    for part in parts:
        text, style = part if isinstance(part, Styled) else (part, "")
        text = without_controls(text)
        texts.append(
            f"\x1b[{ANSI_STYLES[style]}m{text}\x1b[0m" if coloured and style and text else text
        )
    return "".join(texts)


def screen_width() -> int:
    """Return the number of columns for a screen."""
    return min(shutil.get_terminal_size().columns, WIDEST_SCREEN)


def screen_height() -> int:
    """Return the number of lines of a screen."""
    return shutil.get_terminal_size().lines


def indented_lines(text: str, indent: str = "", first: str | None = None) -> Iterator[Line]:
    """Yield a text as indented lines that fit; ``first`` is the indent of the first line."""
    first = indent if first is None else first
    for line in textwrap.wrap(
        text, screen_width() - 1, initial_indent=first, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    ):  # fmt: skip
        yield (line.replace("\N{NO-BREAK SPACE}", " "),)


def print_wrapped(text: str, indent: str, first: str = "") -> None:
    """Print a text that begins with ``first``; on a terminal its further lines have ``indent``."""
    lines = indented_lines(text, indent, first) if sys.stdout.isatty() else [(f"{first}{text}",)]
    print_lines(lines)


def flush_results() -> bool:
    """Write buffered results; return False if nobody reads the results any more."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
        return False
    return True


def discard_output() -> None:
    """Drop results that cannot be written, so that Python does not try again at its end."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def without_controls(text: str) -> str:
    """Return a text with control characters written as in JSON, so that no terminal obeys them."""
    return CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def confirm(question: str) -> bool:
    """Ask a question on stderr and return whether the answer is yes."""
    sys.stderr.write(f"{without_controls(question)} {_('[y/N]')}: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes", *_("y yes").split())


def require_yes(question: str, reason: str, advice: str, refusal: str) -> None:
    """Ask a question. Raises UsageError with the ``refusal`` for a no.

    Without a terminal to ask in it has the ``reason`` and the ``advice``.
    """
    if not is_interactive():
        raise UsageError(reason, advice)
    if not confirm(question):
        raise UsageError(refusal)


def ask_line(question: str) -> str:
    """Ask a question on stderr and return the typed line. Raises KeyboardInterrupt at its end."""
    sys.stderr.write(without_controls(question))
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise KeyboardInterrupt
    return line.strip()


def quoted(path: Path) -> str:
    """Return a path quoted for a shell."""
    return shlex.quote(str(path))


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
    ask: Callable[[str], str] = ask_line
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


def print_json(data: BaseModel | Iterable[BaseModel]) -> None:
    """Print a model, or a list of models, as JSON."""
    print_result(json_text(data))


def json_text(data: BaseModel | Iterable[BaseModel]) -> str:
    """Return a model, or a list of models, as JSON."""
    # A model is iterable, too; its class is not imported here, because the help needs no models.
    plain = (
        data.model_dump(mode="json")
        if hasattr(data, "model_dump")
        else [part.model_dump(mode="json") for part in data]
    )
    return json.dumps(plain, ensure_ascii=False, indent=1)
