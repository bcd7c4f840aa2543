"""Environments of a new user: an empty home folder and freshly installed tools."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def environment(home: Path) -> dict[str, str]:
    """Return the variables of a command: PATH, HOME, and pip's settings for package sources.

    Python compiles what it imports; that pip compiles everything takes half the time of an install.
    """
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    fixed = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
    return {**kept, **fixed, "PIP_NO_COMPILE": "1"}


def run(command: list[str], folder: Path, home: Path, **more: str) -> str:
    """Run a command that must succeed; return its output."""
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


def create_environment(folder: Path, home: Path, *packages: str) -> Path:
    """Create a virtual environment and install packages; return the folder of its programs.

    The pip of this environment installs them: unpacking another one takes as long as a package.
    """
    run([sys.executable, "-m", "venv", "--without-pip", str(folder)], folder.parent, home)
    programs = folder / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python")]
    run([*pip, "install", "-q", *packages], folder.parent, home)
    return programs
