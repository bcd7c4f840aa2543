"""Lines typed into a session of ``play``, as a player at a terminal does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from charforge.cli import console
from charforge.cli.console import FrontEnd
from charforge.cli.session.session import Session


class Typed(NamedTuple):
    """The exit codes of lines, what stood on stderr, and what was printed."""

    codes: list[int]
    errors: str
    printed: str


def type_lines(file: Path, lines: Iterable[str], ask: Callable[[str], str], at: str) -> Typed:
    """Type lines into a session with a character, at a time of day; ``ask`` answers questions."""
    errors, printed = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed):
        patch.setattr(console, "is_interactive", lambda: True)
        patch.setattr("charforge.cli.play_verbs.current_time", lambda: at)
        with redirect_stderr(errors):
            session = Session(FrontEnd(file=file, ask=ask))
            codes = [session.do(line) for line in lines]
    return Typed(codes, errors.getvalue(), printed.getvalue())
