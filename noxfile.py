"""Tasks of development: `nox -l` lists them, `nox -s NAME` runs one.

Arguments after `--` are passed to the tool: `nox -s tests -- tests/replay -k walk`. Tasks that
need the program run in `.venv`, which is created once; `nox -s develop` updates its dependencies.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2024.4.15"
nox.options.sessions = ["lint", "tests"]
nox.options.reuse_venv = "yes"

LAWS = [
    "tests/fuzz",
    "tests/replay",
    "tests/odds",
    "tests/test_life.py",
    "tests/usecases/test_advice_laws.py",
]
ROOT = Path(__file__).resolve().parent
HERE = ROOT / ".venv" / "bin"  # created by the README's test command


def run(session: nox.Session, tool: str, *arguments: str) -> None:
    """Run a tool in `.venv`, which is created if it does not exist."""
    if not (HERE / "pip").exists():
        install(session)
    path = os.pathsep.join([str(HERE), os.environ.get("PATH", "")])  # tools start other tools
    session.run(str(HERE / tool), *arguments, external=True, env={"PATH": path})


def install(session: nox.Session, *more: str) -> None:
    """Create or update `.venv` with the program (editable) and the dependencies of its tests."""
    session.run("python3", "-m", "venv", str(HERE.parent), external=True)
    session.run(str(HERE / "pip"), "install", "-q", "-e", ".[test]", *more, external=True)


@nox.session(venv_backend="none")
def develop(session: nox.Session) -> None:
    """Create or update .venv with the program (editable) and the dependencies of its tests."""
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
    """Run the fast tests and fail unless they cover 94 % of charforge/."""
    run(session, "pytest", "-q", "--cov", "--cov-report=term:skip-covered", *session.posargs)


@nox.session(venv_backend="none")
def lint(session: nox.Session) -> None:
    """Format the code, then check style and types."""
    run(session, "ruff", "format", ".")
    run(session, "ruff", "check", ".", *session.posargs)
    run(session, "mypy")


@nox.session(venv_backend="none")
def translations(session: nox.Session) -> None:
    """Collect the texts of the program, update each language's catalogue and compile it."""
    run(session, "python", "docs/translations.py")


@nox.session(venv_backend="none")
def fuzz(session: nox.Session) -> None:
    """Run the property tests and hostile files with many more examples: an hour or more."""
    chosen = session.posargs or LAWS
    run(session, "pytest", "-q", "-m", "", "--long", *chosen)


@nox.session(venv_backend="none")
def mutate(session: nox.Session) -> None:
    """Test a sample of mutants of the code: about 15 minutes; continues where it stopped."""
    install(session, "mutmut")
    run(session, "python", "tests/mutation/sample.py", *(session.posargs or ["400"]))


@nox.session(venv_backend="none")
def bench(session: nox.Session) -> None:
    """Compare the cost of commands, PDFs and batches with the aims: 10 minutes."""
    run(session, "python", "bench/run.py", *session.posargs)


@nox.session(venv_backend="none")
def docs(session: nox.Session) -> None:
    """Generate the reference pages and pictures of the documentation."""
    run(session, "python", "docs/reference.py")
    run(session, "python", "docs/commands.py")
    run(session, "python", "docs/json_output.py")
    run(session, "python", "docs/view.py")
    run(session, "python", "docs/macros.py")
    run(session, "python", "docs/gallery.py")
    run(session, "python", "docs/pictures.py")
    run(session, "python", "docs/terminal.py")


@nox.session
def site(session: nox.Session) -> None:
    """Build the documentation site in site/; fail on broken links."""
    session.install("-q", "mkdocs-material")
    session.run("mkdocs", "build", "--strict")


@nox.session(venv_backend="none")
def oldest(session: nox.Session) -> None:
    """Test with the oldest dependencies that pyproject.toml allows."""
    run(
        session,
        "pytest",
        "-q",
        "-m",
        "slow",
        "tests/safety/test_oldest_versions.py",
        *session.posargs,
    )


@nox.session
def audit(session: nox.Session) -> None:
    """Look for known vulnerabilities in the dependencies and for unsafe code here."""
    session.install("-q", "pip-audit", "bandit[toml]")
    session.run("bandit", "-q", "-c", "pyproject.toml", "-r", "charforge")
    session.run("pip-audit", *session.posargs, ".")


@nox.session
def build(session: nox.Session) -> None:
    """Build the sdist and the wheel into dist/ and check their description page."""
    session.install("-q", "build", "twine")
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    session.run("python", "-m", "build")
    session.run("twine", "check", "--strict", *map(str, sorted((ROOT / "dist").iterdir())))
