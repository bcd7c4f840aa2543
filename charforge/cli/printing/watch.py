"""Watching files: a sheet is printed again after each change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from charforge.cli import console
from charforge.cli.messages import error_message
from charforge.errors import CharforgeError
from charforge.language import _

INTERVAL = 0.2  # seconds between two looks at the files


def watch_files(files: Iterable[Path], print_again: Callable[[bool], object]) -> None:
    """Write a sheet, and again after each change of a file, until Ctrl-C.

    ``files`` are files and folders with everything in them. ``print_again`` is told whether the
    page is watched; at the end it prints once more without that. Its errors are printed, and the
    next change is waited for.
    """
    watched, before = list(files), None
    console.say(_("Printed again after every change, until you press Ctrl-C."))
    try:
        while True:
            now = _changes(watched)
            if now != before:
                before = now
                _tried(print_again, watched=True)
            time.sleep(INTERVAL)
    except KeyboardInterrupt:
        _tried(print_again, watched=False)


def _tried(print_again: Callable[[bool], object], watched: bool) -> None:
    try:
        print_again(watched)
    except CharforgeError as error:
        console.say(error_message(error))


def _changes(paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Return when each file was changed, and its size; files that are gone are left out."""
    found = {}
    for path in paths:
        for file in path.rglob("*") if path.is_dir() else (path,):
            try:
                status = file.stat()
            except OSError:  # an editor is replacing it
                continue
            found[file] = status.st_mtime_ns, status.st_size
    return found
