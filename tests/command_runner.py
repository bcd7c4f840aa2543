"""Run charforge commands inside the test process, without starting a new one."""

from __future__ import annotations

import io
import json
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from charforge.cli.app import main
from charforge.cli.console import FrontEnd
from charforge.cli.session.session import Session


@dataclass(frozen=True)
class CommandResult:
    """The exit code of a run and what it printed."""

    code: int
    out: str
    err: str

    def refused(self, code: int, *messages: str) -> None:
        """State that a run ended with ``code`` and an error message, and printed no result."""
        assert "Traceback" not in self.err
        assert self.code == code, self.err
        assert self.out == ""
        assert self.err.strip()
        for message in messages:
            assert message in self.err

    @property
    def json(self) -> Any:
        """The result of a successful run, parsed."""
        assert (self.code, self.err) == (0, ""), self.err
        return json.loads(self.out)


def run_command(*arguments: object, folder: Path, stdin: str = "") -> CommandResult:
    """Run charforge in ``folder`` without a terminal; return its exit code and output.

    The streams are text over bytes, like those of a process, so they accept PDFs and text.
    """
    out, err = _stream(), _stream()
    with (
        pytest.MonkeyPatch.context() as patch,
        chdir(folder),
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        patch.setattr(sys, "argv", ["charforge", *map(str, arguments)])
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        main()
    assert isinstance(ended.value.code, int)
    return CommandResult(ended.value.code, _text(out), _text(err))


def run_line(line: str, file: Path) -> CommandResult:
    """Run a line in a new session of a character, without a terminal; return as ``run_command``."""
    out, err = _stream(), _stream()
    with chdir(file.parent), redirect_stdout(out), redirect_stderr(err):
        code = Session(FrontEnd(file=Path(file.name))).do(line)
    return CommandResult(code, _text(out), _text(err))


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8", errors="replace")
