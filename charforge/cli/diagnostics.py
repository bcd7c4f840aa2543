"""Versions of the program and its rules, and the report of a bug."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version

from charforge.cli.console import quoted
from charforge.language import _
from charforge.rules.loading import loader


def program_version() -> str:
    """Return the installed version, or say that the program runs from a checkout."""
    try:
        return version("charforge")
    except PackageNotFoundError:
        return _("from a checkout, not installed")


def versions() -> Iterator[str]:
    """Yield the versions of the program, the rulesets and the installed packs, one per line.

    Only the header of each is read. A built-in ruleset hides an installed one of its name.
    """
    yield f"charforge {program_version()}"
    built_in = loader.built_in()
    for name, folder in {**built_in, **loader.installed(), **built_in}.items():
        check = f"charforge catalog check {quoted(folder)}"
        missing = _("has no version; to see what is wrong: {check}").format(check=check)
        origin = "" if name in built_in else " (installed)"
        yield f"{name} {loader.stated_version(folder) or missing}{origin}"


def save_bug_report(words: Sequence[str]) -> str:
    """Save a report of the current exception and return what to tell the user.

    The report has versions, the typed words and the traceback, never the content
    of a character.
    """
    lines = [
        f"charforge {program_version()}",
        f"Python {sys.version}",
        f"arguments: {list(words)}",
        "",
        traceback.format_exc(),
    ]
    try:
        handle, path = tempfile.mkstemp(prefix="charforge-bug-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write("\n".join(lines))
    except OSError:
        path = ""
    report = (
        _("A report was saved in {path}.").format(path=path)
        if path
        else _("The report could not be saved.")
    )
    return _("charforge has a bug here. {report}").format(report=report)
