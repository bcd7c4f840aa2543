"""A bug: keep its report in a file and say so in a sentence."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from importlib.metadata import PackageNotFoundError, version


def installed() -> str:
    """Return the version that is installed, or say that a checkout runs as it is."""
    try:
        return version("charforge")
    except PackageNotFoundError:
        return "from a checkout, not installed"


def report() -> str:
    """Save the present exception's report; return what to tell the user.

    The report names versions, arguments and the traceback, never the
    content of a character.
    """
    lines = [
        f"charforge {installed()}",
        f"Python {sys.version}",
        f"arguments: {sys.argv[1:]}",
        "",
        traceback.format_exc(),
    ]
    try:
        handle, path = tempfile.mkstemp(prefix="charforge-bug-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write("\n".join(lines))
    except OSError:
        path = ""
    kept = f"A report is in {path}." if path else "The report could not be saved."
    return f"charforge has a bug here. {kept}"
