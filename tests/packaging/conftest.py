"""The sdist, the wheel and what installers need, each made once for all workers of a run."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packaging.environments import create_environment, environment, run

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("build", "twine", "readme_renderer[md]", "pipx", "uv")
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
    """The wheel of this tree."""
    return _wheel(tree, once, "wheel")


@pytest.fixture(scope="session")
def wheels(wheel: Path, once: Once) -> Path:
    """A folder of the wheel and all that it needs, as pip finds it; pipx looks for itself."""
    command = [sys.executable, "-m", "pip", "download", "-q", str(wheel), "-d"]
    return once("wheels", lambda folder: run([*command, str(folder)], folder, folder))


@pytest.fixture(scope="session")
def pip(wheel: Path, wheels: Path, once: Once) -> Path:
    """The program, installed by pip in an environment of its own."""

    def install(folder: Path) -> None:
        programs = create_environment(folder / "env", folder)
        offline = ["--no-index", "--find-links", str(wheels)]
        run([str(programs / "pip"), "install", "-q", *offline, str(wheel)], folder, folder)

    return once("pip", install) / "env" / "bin" / "charforge"


@pytest.fixture(scope="session")
def tools(once: Once) -> Path:
    """The programs of packagers, in an environment of their own."""

    def install(folder: Path) -> None:
        programs = create_environment(folder / "env", folder)
        command = [str(programs / "pip"), "install", "-q", *TOOLS]
        done = subprocess.run(command, env=environment(folder), capture_output=True, timeout=900)
        if done.returncode != 0:
            pytest.skip(f"needs {', '.join(TOOLS)} from a package index")

    return once("tools", install) / "env" / "bin"


@pytest.fixture(scope="session")
def sdist(tree: Path, tools: Path, once: Once) -> Path:
    """The source distribution of this tree."""
    command = [str(tools / "python"), "-m", "build", "--sdist", str(tree), "-o"]
    folder = once("sdist", lambda folder: run([*command, str(folder)], folder, folder))
    (found,) = folder.glob("charforge-*.tar.gz")
    return found


@pytest.fixture(scope="session")
def rebuilt(sdist: Path, once: Once) -> Path:
    """The wheel that the source distribution makes."""
    return _wheel(sdist, once, "rebuilt")


def _wheel(source: Path, once: Once, name: str) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", str(source), "-w"]
    folder = once(name, lambda folder: run([*command, str(folder)], folder, folder))
    (found,) = folder.glob("charforge-*.whl")
    return found
