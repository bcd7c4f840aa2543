"""The installed package: built, put into a fresh environment, used from another folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow


def environment(home: Path) -> dict[str, str]:
    """What a new user has: a path, a home, and where packages come from."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    return {**kept, "PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}


def run(command: list[str], folder: Path, home: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment(home), capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    tree = folder / "tree"
    shutil.copytree(
        ROOT,
        tree,
        ignore=shutil.ignore_patterns(".git", ".venv", "wheelhouse", "__pycache__", ".*_cache"),
    )
    run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", "out", "."], tree, folder)
    (wheel,) = (tree / "out").glob("charforge-*.whl")
    return wheel


def test_the_wheel_holds_catalogs_templates_and_licence(built: Path) -> None:
    names = zipfile.ZipFile(built).namelist()
    assert "charforge/catalog/capital/ruleset.yaml" in names
    assert "charforge/catalog/index.yaml" in names
    assert any(name.startswith("charforge/templates/") for name in names)
    assert "charforge/templates/ruleset/ruleset.yaml" in names
    assert any(name.endswith("LICENSE") for name in names)
    assert not any(name.startswith("tests/") for name in names)


def test_a_fresh_environment_makes_a_character_and_a_pdf(built: Path, tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    away.mkdir()
    run([sys.executable, "-m", "venv", str(tmp_path / "env")], away, home)
    program = tmp_path / "env" / "bin"
    run([str(program / "pip"), "install", "-q", str(built)], away, home)
    before = {path.name for path in home.iterdir()}
    command = [str(program / "charforge"), "new", "--random", "--seed", "3", "--level", "5"]
    out = run([*command, "-o", "nix.json", "--sheet"], away, home)
    assert out.split() == ["nix.json", "nix.pdf"]
    assert json.loads((away / "nix.json").read_text())["character"]["level"] == 5
    assert (away / "nix.pdf").read_bytes().startswith(b"%PDF-")
    assert run([str(program / "charforge"), "check", "nix.json"], away, home).endswith("legal\n")
    made = {path.name for path in home.iterdir()} - before
    assert made <= {".cache"}  # compiled packs and templates, nothing else of ours
