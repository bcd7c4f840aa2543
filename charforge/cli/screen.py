"""The terminal: whether anybody is there, and the two consoles."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def somebody_there() -> bool:
    """Whether questions can be asked: a terminal for input and for prompts."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


@cache
def results() -> Console:
    """Return the console for results; NO_COLOR is honoured."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


def say(text: str) -> None:
    """Print a line beside the results."""
    print(text, file=sys.stderr)


def result(text: str) -> None:
    """Print a result as it is."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def agreed(question: str) -> bool:
    """Ask on stderr whether to go on; anything but a yes is a no."""
    sys.stderr.write(f"{question} [y/N]: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def asked(question: str) -> str:
    """Ask on stderr for a line. The end of the input is an interrupt: nothing is changed."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise KeyboardInterrupt
    return line.strip()
