"""The program run in process, as real processes, and characters for it to read."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from charforge.answers.random import Chance
from charforge.character.document import to_text
from charforge.cli.app import main
from charforge.replay.spec import CharacterSpec
from charforge.rules.ruleset import Ruleset
from charforge.sheet import loading
from charforge.usecases.create import create_character

ROOT = Path(__file__).resolve().parents[2]
Done = subprocess.CompletedProcess[bytes]
PROGRAM = [sys.executable, "-m", "charforge"]


@dataclass(frozen=True)
class Ran:
    """How a run ended and what it said."""

    code: int
    out: str
    err: str

    def refused(self, code: int, *said: str) -> None:
        """State that a run ended with ``code`` and a sentence, and printed no result."""
        assert "Traceback" not in self.err
        assert self.code == code, self.err
        assert self.out == ""
        assert self.err.strip()
        for words in said:
            assert words in self.err

    @property
    def json(self) -> Any:
        """The result, for a run that went well."""
        assert (self.code, self.err) == (0, ""), self.err
        return json.loads(self.out)


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., Ran]:
    """Run the program here, in an empty folder, where nobody can be asked."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    def run(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["charforge", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Ran(ended.value.code, printed.out, printed.err)

    return run


@pytest.fixture
def told(run: Callable[..., Ran]) -> Callable[..., str]:
    """Run the program where it goes well; return what it printed."""

    def told(*arguments: object) -> str:
        done = run(*arguments)
        assert done.code == 0, done.err
        return done.out

    return told


@pytest.fixture
def environment() -> dict[str, str]:
    """The variables of a process that finds the package where this one did."""
    ours = ("PYTHON", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TERM")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def process(tmp_path: Path, environment: dict[str, str]) -> Callable[..., Done]:
    """Run the program as a process of its own, in an empty folder, without a terminal."""

    def process(
        *arguments: str | bytes, variables: Mapping[str, str] | None = None, **more: Any
    ) -> Done:
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **more}
        return subprocess.run(
            [*PROGRAM, *arguments],
            cwd=tmp_path,
            env={**environment, **(variables or {})},
            stderr=subprocess.PIPE,
            timeout=120,
            check=False,
            **options,
        )

    return process


@pytest.fixture(scope="session")
def text(capital: Ruleset) -> str:
    """The file of a character of Level 3."""
    chance = Chance("7")
    plan = CharacterSpec(capital, "7", chance.name(capital.head.names), 3)
    return to_text(create_character(plan, chance))


@pytest.fixture
def data(text: str) -> dict[str, Any]:
    """The same file as data, to be changed."""
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.fixture
def nix(text: str, tmp_path: Path) -> Path:
    """The same file on disk, as nix.json where the program runs."""
    path = tmp_path / "nix.json"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def without_pango(monkeypatch):
    """A machine without the libraries that a PDF needs."""

    def missing(name, *_arguments, **_options):
        raise OSError(f"{name}: cannot open shared object file")

    loading.load.cache_clear()
    monkeypatch.setattr("ctypes.CDLL", missing)
