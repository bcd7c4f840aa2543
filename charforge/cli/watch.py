"""Watching files: ``--watch`` prints a sheet or checks a pack again after each change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

INTERVAL = 0.2  # seconds between two looks at the files


def changes(listed: Callable[[], Iterable[Path]]) -> Iterator[None]:
    """Yield at first, and whenever one of the files that are listed has changed, without end."""
    before = None
    while True:
        now = _stamps(listed())
        if now != before:
            before = now
            yield
        time.sleep(INTERVAL)


def _stamps(files: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Return when each file was changed, and its size; files that are gone are left out."""
    found = {}
    for file in files:
        try:
            status = file.stat()
        except OSError:  # an editor is replacing it
            continue
        found[file] = status.st_mtime_ns, status.st_size
    return found
