"""Everything that is run beside the program, by name: `nox -l` lists it, `nox -s NAME` runs it.

What follows `--` goes to the tool: `nox -s tests -- tests/replay -k walk`. What needs the program
runs in `.venv`, which is made once: after a change of the dependencies, `nox -s develop`.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2024.4.15"
nox.options.sessions = ["lint", "tests"]
nox.options.reuse_venv = "yes"

ROOT = Path(__file__).resolve().parent
HERE = ROOT / ".venv" / "bin"  # the environment that the README's second command makes


def run(session: nox.Session, tool: str, *arguments: str) -> None:
    """Run a tool in the environment of this folder, which is made where there is none."""
    if not (HERE / "pip").exists():
        install(session)
    path = os.pathsep.join([str(HERE), os.environ.get("PATH", "")])  # tools run tools
    session.run(str(HERE / tool), *arguments, external=True, env={"PATH": path})


def install(session: nox.Session, *more: str) -> None:
    """Make that environment, or renew it: the program as it stands, and what its tests need."""
    session.run("python3", "-m", "venv", str(HERE.parent), external=True)
    session.run(str(HERE / "pip"), "install", "-q", "-e", ".[test]", *more, external=True)


@nox.session(venv_backend="none")
def develop(session: nox.Session) -> None:
    """Make or renew .venv: the program as it stands here, with what its tests need."""
    install(session)


@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """Run the fast tests on every core: about three minutes on two."""
    run(session, "pytest", "-q", *session.posargs)


@nox.session(venv_backend="none")
def slow(session: nox.Session) -> None:
    """Run the slow tests: terminals, browsers, installations and many PDFs."""
    run(session, "pytest", "-q", "-m", "slow", *session.posargs)


@nox.session(name="all", venv_backend="none")
def everything(session: nox.Session) -> None:
    """Run every test, the fast ones first."""
    run(session, "pytest", "-q", *session.posargs)
    run(session, "pytest", "-q", "-m", "slow", *session.posargs)


@nox.session(venv_backend="none")
def coverage(session: nox.Session) -> None:
    """Run the fast tests and fail unless they cover 85 % of charforge/."""
    run(session, "pytest", "-q", "--cov", "--cov-report=term:skip-covered", *session.posargs)


@nox.session(venv_backend="none")
def lint(session: nox.Session) -> None:
    """Put the code in its format, then check lint and types."""
    run(session, "ruff", "format", ".")
    run(session, "ruff", "check", ".", *session.posargs)
    run(session, "mypy")


@nox.session(venv_backend="none")
def fuzz(session: nox.Session) -> None:
    """Try foreign files and the laws of the engine on far more examples: an hour or more."""
    chosen = session.posargs or ["tests/fuzz", "tests/replay", "tests/odds", "tests/test_life.py"]
    run(session, "pytest", "-q", "-m", "", "--long", *chosen)


@nox.session(venv_backend="none")
def mutate(session: nox.Session) -> None:
    """Change the code in small ways and see that a test fails: an hour; goes on where it was."""
    install(session, "mutmut")
    run(session, "python", "tests/mutation/sample.py", *(session.posargs or ["400"]))


@nox.session(venv_backend="none")
def bench(session: nox.Session) -> None:
    """Measure the cost of commands, PDFs and batches against the aims: 6 minutes."""
    run(session, "python", "bench/run.py", *session.posargs)


@nox.session(venv_backend="none")
def docs(session: nox.Session) -> None:
    """Write the generated pages and the pictures of the documentation."""
    run(session, "python", "docs/reference.py")
    run(session, "python", "docs/commands.py")
    run(session, "python", "docs/pictures.py")
    run(session, "python", "docs/terminal.py")


@nox.session
def site(session: nox.Session) -> None:
    """Build the documentation as a site in site/; a broken link or page fails."""
    session.install("-q", "mkdocs-material")
    session.run("mkdocs", "build", "--strict")


@nox.session(venv_backend="none")
def floors(session: nox.Session) -> None:
    """Run tests with the oldest and the newest dependencies that pyproject.toml allows."""
    run(session, "pytest", "-q", "-m", "slow", "tests/safety/test_floors.py", *session.posargs)


@nox.session
def audit(session: nox.Session) -> None:
    """Look for known holes in the dependencies, and for risky code here."""
    session.install("-q", "pip-audit", "bandit[toml]")
    session.run("bandit", "-q", "-c", "pyproject.toml", "-r", "charforge")
    session.run("pip-audit", *session.posargs, ".")


@nox.session
def build(session: nox.Session) -> None:
    """Build the sdist and, from it, the wheel, into dist/; check the page of a package index."""
    session.install("-q", "build", "twine")
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    session.run("python", "-m", "build")
    session.run("twine", "check", "--strict", *map(str, sorted((ROOT / "dist").iterdir())))
