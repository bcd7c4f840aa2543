"""What a new user's machine has: an empty home, and tools that are fetched as pip is told to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def environment(home: Path) -> dict[str, str]:
    """Return a path, a home, and where packages come from."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    return {**kept, "PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}


def run(command: list[str], folder: Path, home: Path, **more: str) -> str:
    """Run a command that must go well; return what it printed."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**environment(home), **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def made(folder: Path, home: Path) -> Path:
    """Make a fresh environment; return where its programs are."""
    run([sys.executable, "-m", "venv", str(folder)], folder.parent, home)
    return folder / "bin"


def fetched(folder: Path, *names: str) -> Path:
    """Install tools into an environment of their own, or skip by name what cannot be had here."""
    programs = made(folder / "tools", folder)
    command = [str(programs / "python"), "-m", "pip", "install", "-q", *names]
    done = subprocess.run(command, env=environment(folder), capture_output=True, timeout=900)
    if done.returncode != 0:
        pytest.skip(f"{' and '.join(names)} cannot be fetched")
    return programs
