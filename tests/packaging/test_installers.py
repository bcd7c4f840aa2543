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
def pipx(wheel: Path, tools: Path, home: Path) -> Path:
    """The program, installed for this user."""
    command = [str(tools / "pipx"), "install", "--python", sys.executable, str(wheel)]
    run(command, home.parent, home, PIPX_DEFAULT_BACKEND="pip")  # not uv, which is beside it
    return home / ".local" / "bin" / "charforge"


@pytest.fixture
def uv(wheel: Path, wheels: Path, tools: Path, home: Path) -> Path:
    """The program, installed from wheels that pip brought: uv has other settings for that."""
    offline = ["--offline", "--no-index", "--find-links", str(wheels), "--python", sys.executable]
    command = [str(tools / "uv"), "tool", "install", "--no-config", *offline, str(wheel)]
    run(command, home.parent, home)
    return home / ".local" / "bin" / "charforge"


@pytest.mark.needs("pango")
@pytest.mark.parametrize("installer", ["pip", "pipx", "uv"])
def test_a_fresh_machine_makes_a_character_and_a_pdf(
    request: pytest.FixtureRequest, installer: str, wheel: Path, home: Path, away: Path
) -> None:
    program = str(request.getfixturevalue(installer))
    found, *catalog = run([program, "--version"], away, home).splitlines()
    assert found == f"charforge {wheel.name.split('-')[1]}"
    assert [line.split()[0] for line in catalog] == list(built_in())
    before = set(home.iterdir())
    made_of = ["--random", "--seed", "3", "--level", "5", "-o", "nix.json"]
    assert run([program, "new", *made_of], away, home).split() == ["nix.json"]
    assert json.loads((away / "nix.json").read_text())["character"]["level"] == 5
    cards = ["sheet", "nix.json", "--layout", "cards", "--cards", "attacks"]
    assert run([program, *cards], away, home).split() == ["nix.pdf"]
    assert (away / "nix.pdf").read_bytes().startswith(b"%PDF-")
    assert run([program, "check", "nix.json"], away, home).splitlines()[0].endswith(": legal")
    ours = {path.name for path in {*home.iterdir()} - before}
    assert ours <= {".cache"}  # compiled packs and templates, nothing else of ours


@pytest.mark.needs("pango")
def test_the_examples_are_installed_by_their_names(pip: Path, home: Path, away: Path) -> None:
    """And a full sheet of a character of one of them is made."""
    program = str(pip)
    names = sorted(examples())
    assert len(names) >= 2
    for name in names:
        assert run([program, "catalog", "add", f"example:{name}"], away, home).startswith(name)
    listed = run([program, "catalog", "installed"], away, home)
    assert {line.split()[0] for line in listed.splitlines()} == {*names, *built_in()}
    used = ["--pack", "under-the-ice", "--random", "--seed", "1", "--name", "Nix", "-o", "nix.json"]
    assert run([program, "new", *used, "--sheet"], away, home).split() == ["nix.json", "nix.pdf"]
    assert (away / "nix.pdf").read_bytes().startswith(b"%PDF-")
    run([program, "export", "nix.json", "--bundle", "nix.charforge"], away, home)
    run([program, "catalog", "remove", "under-the-ice"], away, home)
    run([program, "import", "nix.charforge", "--yes", "-o", "again.json"], away, home)
    assert (away / "again.json").read_bytes() == (away / "nix.json").read_bytes()
