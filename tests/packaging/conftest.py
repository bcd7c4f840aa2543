"""The sdist and the wheel of this tree, each built once."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.environments import create_environment, environment, run

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("build", "twine", "readme_renderer[md]", "pipx", "uv")
LEFT = (".git", ".venv", ".nox", "mutants", "wheelhouse", "dist", "__pycache__", ".*_cache")


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources: building leaves nothing behind in the real ones."""
    folder = tmp_path_factory.mktemp("tree") / "tree"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT))
    return folder


@pytest.fixture(scope="session")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    return _wheel(str(tree), tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of packagers, in an environment of their own."""
    folder = tmp_path_factory.mktemp("tools")
    programs = create_environment(folder / "env", folder)
    command = [str(programs / "pip"), "install", "-q", *TOOLS]
    done = subprocess.run(command, env=environment(folder), capture_output=True, timeout=900)
    if done.returncode != 0:
        pytest.skip(f"needs {', '.join(TOOLS)} from a package index")
    return programs


@pytest.fixture(scope="session")
def sdist(tree: Path, tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of this tree."""
    folder = tmp_path_factory.mktemp("sdist")
    python = str(tools / "python")
    run([python, "-m", "build", "--sdist", "-o", str(folder), str(tree)], folder, folder)
    (found,) = folder.glob("charforge-*.tar.gz")
    return found


@pytest.fixture(scope="session")
def rebuilt(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that the source distribution makes."""
    return _wheel(str(sdist), tmp_path_factory.mktemp("rebuilt"))


def _wheel(source: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), source]
    run(command, folder, folder)
    (found,) = folder.glob("charforge-*.whl")
    return found
