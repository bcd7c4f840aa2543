"""What some tests need and a machine may lack: `@pytest.mark.needs("pango")` skips them there.

A run ends with a line for each reason, such as "skipped 12: needs Pango".
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from charforge.errors import MissingLibraryError
from charforge.sheet import pdf

AXE = Path(os.environ.get("CHARFORGE_AXE", "")) / "axe.min.js"
EDITOR = Path(os.environ.get("CHARFORGE_EDITOR", "")) / "node_modules" / "yaml-language-server"


def programs(*names: str) -> bool:
    """Whether the machine has all these programs."""
    return all(map(shutil.which, names))


def pango() -> bool:
    """Whether WeasyPrint finds its libraries."""
    try:
        pdf.load()
    except MissingLibraryError:
        return False
    return True


def root() -> bool:
    """Whether this process may become another user; root of a container may have no others."""
    users = Path("/proc/self/uid_map")
    alone = users.exists() and users.read_text("ascii").split()[2:] == ["1"]
    return os.name != "nt" and os.getuid() == 0 and not alone


# What a reason says, and whether this machine has it.
REQUIREMENTS: dict[str, tuple[str, Callable[[], bool]]] = {
    "axe": ("axe-core (CHARFORGE_AXE)", AXE.is_file),
    "chromium": ("a browser (chromium)", partial(programs, "chromium")),
    "dask": ("Dask (charforge[cluster])", lambda: find_spec("distributed") is not None),
    "editor": (
        "yaml-language-server (CHARFORGE_EDITOR) and node",
        lambda: EDITOR.is_dir() and programs("node"),
    ),
    "fish": ("fish", partial(programs, "fish")),
    "libyaml": ("PyYAML with libyaml", lambda: find_spec("yaml._yaml") is not None),
    "pango": ("Pango", pango),
    "poppler": ("poppler (pdftotext, pdftoppm)", partial(programs, "pdftotext", "pdftoppm")),
    "proc": ("/proc of Linux", Path("/proc/self/status").exists),
    "qpdf": ("qpdf", partial(programs, "qpdf")),
    "root": ("root with other users", root),
    "strace": ("strace", partial(programs, "strace")),
    "user": ("a user other than root", lambda: os.name == "nt" or os.geteuid() != 0),
    "zsh": ("zsh", partial(programs, "zsh")),
}


@cache
def available(name: str) -> bool:
    """Whether this machine has a requirement."""
    return REQUIREMENTS[name][1]()


def require(*names: str) -> None:
    """Skip the running test if this machine lacks a requirement."""
    for name in names:
        if not available(name):
            pytest.skip(f"needs {REQUIREMENTS[name][0]}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        require(*mark.args)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, times in sorted(reasons.items()):
        terminalreporter.write_line(f"skipped {times}: {reason}")
