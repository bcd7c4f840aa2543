"""Compiled packs, kept between runs in the user's cache folder.

Reading YAML takes most of a short command's time. What was read and
checked once is therefore kept, keyed by the pack's content and by the
code that shaped it. A cache that is missing, broken or read-only is
harmless: the pack is read from its YAML again.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import pydantic

from charforge.paths import PACKAGE, cache_folder, read_cache_file, write_cache_file
from charforge.rules.ruleset import Ruleset

KEPT_DAYS = 30
# What unpickling raises for what is no pack of ours.
UNUSABLE = (
    pickle.UnpicklingError,
    ImportError,
    LookupError,
    AttributeError,
    TypeError,
    ValueError,
    EOFError,
)


def folder() -> Path:
    """Return this user's folder of compiled packs."""
    return cache_folder() / "packs"


@cache
def _shape() -> str:
    """Return a key of the code and libraries that compile packs; any change recompiles all."""
    folders = (PACKAGE / "rules", PACKAGE / "expressions")
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    stamps = [(path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in sources]
    return repr((sorted(stamps), pydantic.VERSION, sys.version_info))


def _path(digest: str) -> Path:
    key = hashlib.sha256(f"{digest} {_shape()}".encode()).hexdigest()[:32]
    return folder() / f"{key}.pack"


def fetch(digest: str) -> Ruleset | None:
    """Return the compiled pack of this content, if it is kept and whole."""
    try:
        data = read_cache_file(_path(digest))
    except OSError:
        return None
    try:
        # Only what this user's own charforge wrote, whole, should get here.
        parts = pickle.loads(data)  # noqa: S301  # nosec B301
        return Ruleset(*parts)
    except UNUSABLE:
        return None


def keep(loaded: Ruleset) -> None:
    """Keep what was read and found good; do nothing where that is impossible."""
    parts = (
        loaded.head,
        loaded.entities,
        loaded.rulings,
        loaded.hash,
        loaded.procedures,
        loaded.charts,
        loaded.packs,
        loaded.origins,
    )
    data = pickle.dumps(parts, pickle.HIGHEST_PROTOCOL)
    with suppress(OSError):
        write_cache_file(_path(loaded.digest), data)
        _forget_old()


def _forget_old() -> None:
    """Remove packs that were compiled long ago; one still in use is compiled anew."""
    limit = time.time() - KEPT_DAYS * 24 * 60 * 60
    for path in folder().glob("*.pack"):
        if path.stat().st_mtime < limit:
            path.unlink(missing_ok=True)
