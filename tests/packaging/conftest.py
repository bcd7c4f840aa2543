"""The sdist, the wheel and what installers need, each made once for all workers of a run."""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packaging.environments import create_environment, run

ROOT = Path(__file__).resolve().parents[2]
BACKEND = ("hatchling", "hatch-fancy-pypi-readme")  # which pyproject.toml names
TOOLS = ("build", *BACKEND, "twine", "readme_renderer[md]", "pipx", "uv")
LEFT = (".git", ".venv", ".nox", "mutants", "wheelhouse", "dist", "__pycache__", ".*_cache")
Once = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Return a function that fills a new folder; if another worker has filled it, it is that one.

    Building and installing takes minutes, and the tests that need it are spread over workers.
    """
    own = tmp_path_factory.getbasetemp()
    # Workers have folders in the one of their run.
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def fill(name: str, make: Callable[[Path], object]) -> Path:
        folder, filled = shared / name, shared / f"{name}.filled"
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # until the file is closed
            if not filled.exists():
                shutil.rmtree(folder, ignore_errors=True)  # what a failed attempt left
                folder.mkdir()
                make(folder)
                filled.touch()
        return folder

    return fill


@pytest.fixture(scope="session")
def tree(once: Once) -> Path:
    """A copy of the sources: building leaves nothing behind in the real ones."""
    ignored = shutil.ignore_patterns(*LEFT)
    return (
        once("tree", lambda folder: shutil.copytree(ROOT, folder / "tree", ignore=ignored)) / "tree"
    )


@pytest.fixture(scope="session")
def wheel(tree: Path, once: Once) -> Path:
    """The wheel of this tree, built as pip does it: in an environment of its own."""
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", str(tree), "-w"]
    folder = once("wheel", lambda folder: run([*command, str(folder)], folder, folder))
    return _only(folder, "charforge-*.whl")


@pytest.fixture(scope="session")
def wheels(wheel: Path, once: Once) -> Path:
    """A folder of the wheel and all that it needs, as pip finds it; and of pip, for pipx."""
    command = [sys.executable, "-m", "pip", "download", "-q", str(wheel), "pip", "-d"]
    return once("wheels", lambda folder: run([*command, str(folder)], folder, folder))


@pytest.fixture(scope="session")
def pip(wheel: Path, wheels: Path, once: Once) -> Path:
    """The program, installed by pip in an environment of its own."""

    def install(folder: Path) -> None:
        offline = ["--no-index", "--find-links", str(wheels)]
        create_environment(folder / "env", folder, *offline, str(wheel))

    return once("pip", install) / "env" / "bin" / "charforge"


@pytest.fixture(scope="session")
def tools(once: Once) -> Path:
    """The programs of packagers, in an environment of their own."""

    def install(folder: Path) -> None:
        try:
            create_environment(folder / "env", folder, *TOOLS)
        except AssertionError:
            pytest.skip(f"needs {', '.join(TOOLS)} from a package index")

    return once("tools", install) / "env" / "bin"


@pytest.fixture(scope="session")
def built(tree: Path, tools: Path, once: Once) -> Path:
    """A folder of the source distribution of this tree, and of the wheel that is made of it."""
    command = [str(tools / "python"), "-m", "build", "--no-isolation", str(tree), "-o"]
    return once("built", lambda folder: run([*command, str(folder)], folder, folder))


@pytest.fixture(scope="session")
def sdist(built: Path) -> Path:
    """The source distribution of this tree."""
    return _only(built, "charforge-*.tar.gz")


@pytest.fixture(scope="session")
def rebuilt(built: Path) -> Path:
    """The wheel that the source distribution makes."""
    return _only(built, "charforge-*.whl")


def _only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found
