"""The report of a bug: saved to a file whose path the user is told."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback

from charforge.cli.version import program_version


def save_report() -> str:
    """Save a report of the current exception and return what to tell the user.

    The report has versions, arguments and the traceback, never the content
    of a character.
    """
    lines = [
        f"charforge {program_version()}",
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
