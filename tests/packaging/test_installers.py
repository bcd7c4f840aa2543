"""The wheel installed by each installer in an empty environment and used elsewhere."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from charforge.packs.sources import examples
from charforge.rules.loading.loader import built_in
from tests.packaging.environments import run

pytestmark = pytest.mark.slow


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home folder."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def away(tmp_path: Path) -> Path:
    """An empty folder far from the sources."""
    (tmp_path / "away").mkdir()
    return tmp_path / "away"


@pytest.fixture
def pipx(wheel: Path, wheels: Path, tools: Path, home: Path) -> Path:
    """The program, installed for this user from wheels that pip brought."""
    command = [str(tools / "pipx"), "install", "--python", sys.executable, str(wheel)]
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels)}
    # Its backend is not uv, which is beside it.
    run(command, home.parent, home, PIPX_DEFAULT_BACKEND="pip", **offline)
    return home / ".local" / "bin" / "charforge"


@pytest.fixture
def uv(wheel: Path, wheels: Path, tools: Path, home: Path) -> Path:
    """The program, installed from wheels that pip brought: uv has other settings for that."""
    offline = ["--offline", "--no-index", "--find-links", str(wheels), "--python", sys.executable]
    command = [str(tools / "uv"), "tool", "install", "--no-config", *offline, str(wheel)]
    run(command, home.parent, home)
    return home / ".local" / "bin" / "charforge"


def version(program: Path, away: Path, home: Path) -> tuple[str, list[str]]:
    """Return what the program says of itself, and the packs that it lists."""
    found, *catalog = run([str(program), "--version"], away, home).splitlines()
    return found, [line.split()[0] for line in catalog]


@pytest.mark.parametrize("installer", ["pip", "pipx", "uv"])
def test_each_installer_brings_the_program_and_its_catalog(
    request: pytest.FixtureRequest, installer: str, wheel: Path, home: Path, away: Path
) -> None:
    """All three unpack the same wheel: what the program does is stated after pip alone."""
    program = request.getfixturevalue(installer)
    expected = f"charforge {wheel.name.split('-')[1]}", list(built_in())
    assert version(program, away, home) == expected


@pytest.mark.needs("pango")
def test_a_fresh_machine_makes_a_character_and_a_pdf(pip: Path, home: Path, away: Path) -> None:
    """The first command of the README makes a full sheet: see test_readme."""
    program = str(pip)
    made_of = ["--random", "--seed", "3", "--level", "5", "-o", "nix.json"]
    assert run([program, "new", *made_of], away, home).split() == ["nix.json"]
    assert json.loads((away / "nix.json").read_text())["character"]["level"] == 5
    cards = ["sheet", "nix.json", "--layout", "cards", "--cards", "attacks"]
    assert run([program, *cards], away, home).split() == ["nix.pdf"]
    assert (away / "nix.pdf").read_bytes().startswith(b"%PDF-")
    assert run([program, "check", "nix.json"], away, home).splitlines()[0].endswith(": legal")
    ours = {path.name for path in home.iterdir()}
    assert ours <= {".cache"}  # compiled packs and templates, nothing else of ours


def test_the_examples_are_installed_by_their_names(pip: Path, home: Path, away: Path) -> None:
    """The first and one that a character is made of; test_built finds the files of all."""
    program = str(pip)
    names = [min(examples()), "under-the-ice"]
    for name in names:
        assert run([program, "catalog", "add", f"example:{name}"], away, home).startswith(name)
    listed = run([program, "catalog", "installed"], away, home)
    assert {line.split()[0] for line in listed.splitlines()} == {*names, *built_in()}
    used = ["--pack", "under-the-ice", "--random", "--seed", "1", "--name", "Nix", "-o", "nix.json"]
    run([program, "new", *used], away, home)
    run([program, "export", "nix.json", "--bundle", "nix.charforge"], away, home)
    run([program, "catalog", "remove", "under-the-ice"], away, home)
    run([program, "import", "nix.charforge", "--yes", "-o", "again.json"], away, home)
    assert (away / "again.json").read_bytes() == (away / "nix.json").read_bytes()
