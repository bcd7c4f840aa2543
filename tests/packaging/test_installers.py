"""The wheel installed by each installer in an empty environment and used elsewhere."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.rules.loader import built_in
from charforge.usecases.pack_sources import examples
from tests.packaging.environments import create_environment, install_tools, run

pytestmark = pytest.mark.slow


def by_pip(wheel: Path, folder: Path, home: Path) -> Path:
    """Install into an environment; return the program."""
    programs = create_environment(folder / "env", home)
    run([str(programs / "pip"), "install", "-q", str(wheel)], folder, home)
    return programs / "charforge"


def by_pipx(wheel: Path, folder: Path, home: Path) -> Path:
    """Install for this user; return the program."""
    pipx = install_tools(folder, "pipx") / "pipx"
    run([str(pipx), "install", "--python", sys.executable, str(wheel)], folder, home)
    return home / ".local" / "bin" / "charforge"


def by_uv(wheel: Path, folder: Path, home: Path) -> Path:
    """Install for this user, from wheels that pip brought: uv has settings of its own for that."""
    uv = install_tools(folder, "uv") / "uv"
    wheels = str(folder / "wheels")
    run([sys.executable, "-m", "pip", "download", "-q", "-d", wheels, str(wheel)], folder, home)
    offline = ["--offline", "--no-index", "--find-links", wheels, "--python", sys.executable]
    run([str(uv), "tool", "install", "--no-config", *offline, str(wheel)], folder, home)
    return home / ".local" / "bin" / "charforge"


@pytest.mark.parametrize("install", [by_pip, by_pipx, by_uv], ids=["pip", "pipx", "uv"])
def test_a_fresh_machine_makes_a_character_and_a_pdf(
    install: Callable[[Path, Path, Path], Path], wheel: Path, tmp_path: Path
) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    away.mkdir()
    program = str(install(wheel, tmp_path, home))
    found, *catalog = run([program, "--version"], away, home).splitlines()
    assert found == f"charforge {wheel.name.split('-')[1]}"
    assert [line.split()[0] for line in catalog] == list(built_in())
    before = set(home.iterdir())
    made_of = ["--random", "--seed", "3", "--level", "5", "-o", "nix.json", "--sheet"]
    assert run([program, "new", *made_of], away, home).split() == ["nix.json", "nix.pdf"]
    assert json.loads((away / "nix.json").read_text())["character"]["level"] == 5
    assert (away / "nix.pdf").read_bytes().startswith(b"%PDF-")
    assert run([program, "check", "nix.json"], away, home).splitlines()[0].endswith(": legal")
    ours = {path.name for path in {*home.iterdir()} - before}
    assert ours <= {".cache"}  # compiled packs and templates, nothing else of ours


def test_the_examples_are_installed_by_their_names(wheel: Path, tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    away.mkdir()
    program = str(by_pip(wheel, tmp_path, home))
    names = sorted(examples())
    assert len(names) >= 2
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
