"""The program run in process, as real processes, and characters for it to read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from charforge.answers.random import RandomAnswers
from charforge.character.document import to_text
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset
from charforge.sheet import pdf
from charforge.usecases.create import create_character
from tests.running import Ran, run_command

ROOT = Path(__file__).resolve().parents[2]
Done = subprocess.CompletedProcess[bytes]
PROGRAM = [sys.executable, "-m", "charforge"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run the program here, in an empty folder, where nobody can be asked."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments, stdin="": run_command(*arguments, folder=Path.cwd(), stdin=stdin)


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
    chance = RandomAnswers("7")
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

    def missing(_name):
        raise OSError("cannot load library 'libgobject-2.0-0': no such file")

    pdf.load.cache_clear()
    pdf.fonts.cache_clear()
    monkeypatch.setattr("charforge.sheet.pdf.import_module", missing)
