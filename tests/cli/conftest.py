"""Fixtures: commands run in this process or in another, and a character file for them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import to_text
from charforge.paths import user_data_folder
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading import loader
from charforge.rules.loading.loader import packs_folder
from charforge.rules.ruleset import Ruleset
from charforge.sheet import pdf
from charforge.usecases.create import create_character
from tests.command_runner import CommandResult, run_command
from tests.conftest import HARBOUR
from tests.source import ROOT, TESTDATA

Done = subprocess.CompletedProcess[bytes]
PROGRAM = [sys.executable, "-m", "charforge"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., CommandResult]:
    """Return a function that runs a command in an empty folder, without a terminal."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments, stdin="": run_command(*arguments, folder=Path.cwd(), stdin=stdin)


@pytest.fixture
def own_workers() -> Iterator[None]:
    """End the worker processes of a test: the next commands would use them in its environment."""
    from joblib.externals.loky import get_reusable_executor

    yield
    get_reusable_executor().shutdown(wait=True)


@pytest.fixture(scope="module")
def captain(capital: Ruleset) -> str:
    """The file of a captain with a mechsuit."""
    answers = {"role": "role/the-captain", "asset": "vehicle/mechsuit"}
    plan = CharacterSpec(capital, "played", "Nix", 3, {}, answers)
    return to_text(create_character(plan, RandomAnswers("played")))


@pytest.fixture
def output_of(run: Callable[..., CommandResult]) -> Callable[..., str]:
    """Return a function that runs a command, which must succeed, and returns its results."""

    def output_of(*arguments: object) -> str:
        ended = run(*arguments)
        assert ended.code == 0, ended.err
        return ended.out

    return output_of


@pytest.fixture
def environment() -> dict[str, str]:
    """Return the environment of a process that imports this checkout."""
    removed = ("PYTHON", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TERM")
    inherited = {n: value for n, value in os.environ.items() if not n.startswith(removed)}
    return {**inherited, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def process(tmp_path: Path, environment: dict[str, str]) -> Callable[..., Done]:
    """Return a function that runs a command as a process without a terminal."""

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
def capital_text(capital: Ruleset) -> str:
    """Return the text of the file of a Scout of level 3."""
    answers = RandomAnswers("7")
    spec = CharacterSpec(capital, "7", answers.name(capital.head.names), 3)
    return to_text(create_character(spec, answers))


@pytest.fixture(scope="session")
def dockhand_text(harbour: Ruleset) -> str:
    """Return the text of the file of a dockhand of level 3."""
    answers = {
        "trade": "trade/stevedore",
        "scores": {"arm": 4, "wit": 2},
        "knacks": ["knack/second-wind"],
        "motto": "",
        "level.2.vigour": [2],
        "level.2.knacks": ["knack/kennel"],
        "level.2.knacks.kennel.dog": "dog/hound",
        "level.3.vigour": [3],
        "level.3.knacks": [],
    }
    return to_text(create_character(CharacterSpec(harbour, "7", "Ada", 3, answers=answers)))


@pytest.fixture(scope="session")
def _harbour_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("harbour")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(home))
        user_data_folder.cache_clear()
        shutil.copytree(HARBOUR, packs_folder() / "harbour")
    user_data_folder.cache_clear()
    return home


@pytest.fixture
def text(request: pytest.FixtureRequest) -> str:
    """Return the text of a dockhand's file, or where the mark is set of a Scout of Capital.

    Capital's rules take four times as long to load for each command.
    """
    is_capital = request.node.get_closest_marker("capital") is not None
    text: str = request.getfixturevalue("capital_text" if is_capital else "harbour_text")
    return text


@pytest.fixture
def harbour_text(
    dockhand_text: str,
    _harbour_home: Path,
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:
    """Return the text of a dockhand's file, and install the Harbour, for processes too."""
    environment["XDG_DATA_HOME"] = str(_harbour_home)
    monkeypatch.setenv("XDG_DATA_HOME", str(_harbour_home))
    user_data_folder.cache_clear()
    yield dockhand_text
    user_data_folder.cache_clear()


@pytest.fixture
def games_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rulesets of the tests stand for those of the catalog."""
    monkeypatch.setattr(loader, "catalog_folder", lambda: TESTDATA)


@pytest.fixture
def data(text: str) -> dict[str, Any]:
    """Return the same file as data that a test may change."""
    document: dict[str, Any] = json.loads(text)
    return document


@pytest.fixture
def nix(text: str, tmp_path: Path) -> Path:
    """Return the same file on disk: nix.json in the folder of the commands."""
    path = tmp_path / "nix.json"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def without_pango(monkeypatch):
    """Simulate a machine without the libraries that a PDF needs, and without a browser."""
    monkeypatch.setattr("charforge.cli.printing.printed_sheet.find_browser", lambda: None)
    monkeypatch.setattr("charforge.cli.doctor.find_browser", lambda: None)

    def missing(_name):
        raise OSError("cannot load library 'libgobject-2.0-0': no such file")

    pdf.load.cache_clear()
    pdf.fonts.cache_clear()
    monkeypatch.setattr("charforge.sheet.pdf.import_module", missing)
