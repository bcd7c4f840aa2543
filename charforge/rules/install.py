"""Packs from elsewhere, installed whole or not at all.

What was looked at (``unpacking.py``) is written aside and must load
without a fault; only so it replaces what stood there.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from charforge.errors import Fault, PackError, UnknownId, UsageError, WriteError
from charforge.paths import DEVICES
from charforge.rules import folders, loader
from charforge.rules.archive import files as files
from charforge.rules.parser import Reading, read_pack_head
from charforge.rules.ruleset import Ruleset


@contextmanager
def unpacked(origin: Path, home: Path | None = None) -> Iterator[Path]:
    """Give the files of a pack as a folder of their own; faults are told of the origin.

    ``home`` is where that folder stands meanwhile. Raises PackError.
    """
    found = files(origin)
    if home is not None:
        home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=home) as temporary:
        fresh = Path(temporary) / "pack"
        _write(fresh, found)
        try:
            yield fresh
        except PackError as error:
            raise PackError(elsewhere(error.faults, fresh, origin)) from error


def elsewhere(faults: Iterable[Fault], fresh: Path, origin: Path) -> Iterator[Fault]:
    """Yield faults as they stand in what the user gave."""
    for fault in faults:
        inside = fault.file.is_relative_to(fresh)
        file = origin / fault.file.relative_to(fresh) if inside else fault.file
        yield Fault(file, fault.line, fault.column, fault.field, fault.message, fault.nearest)


def judged(folder: Path) -> tuple[str, Reading, Ruleset]:
    """Return the id of the pack in a folder, what was read, and the rules as they are with it.

    Raises PackError with every fault, those of a ruleset or a pack that it
    needs and that is not here included.
    """
    if not folders.amends(folder):
        read, ruleset = loader.read_folder(folder)
        return ruleset.id, read, ruleset
    head = read_pack_head(folder / folders.PACK)
    base, needed = loader.needs(folder)
    read, ruleset = loader.read_folder(base, [*needed, folder])
    return head.id, read, ruleset


def install(origin: Path, replace: bool = False) -> tuple[str, Ruleset]:
    """Install a pack from a folder or a zip; return its id and its rules.

    Raises PackError with every fault, UsageError where one of this id is
    there and not to be replaced. What stood there stays until the new one
    is whole.
    """
    home = folders.packs_folder()
    try:
        with unpacked(origin, home) as fresh:
            name, _read, ruleset = judged(fresh)
            _refuse_taken(name, home, replace)
            _swap(fresh, home / name, fresh.with_name("old"))
            return name, ruleset
    except OSError as error:
        raise WriteError(home, error.strerror or str(error)) from error


def remove(name: str) -> None:
    """Remove an installed pack. Raises UnknownId."""
    mine = folders.installed()
    if name not in mine:
        raise UnknownId("installed pack", name, mine)
    try:
        if mine[name].is_symlink():
            mine[name].unlink()
        else:
            shutil.rmtree(mine[name])
    except OSError as error:
        raise WriteError(mine[name], error.strerror or str(error)) from error


def _write(folder: Path, found: Mapping[str, bytes]) -> None:
    for name, data in found.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _refuse_taken(name: str, home: Path, replace: bool) -> None:
    if name in folders.built_in():
        raise UsageError(f"{name} is the id of a built-in ruleset", "Give the pack another id.")
    if name.partition(".")[0] in DEVICES:
        raise UsageError(f"{name} is the name of a device", "Give the pack another id.")
    if (home / name).exists() and not replace:
        raise UsageError(
            f"a pack {name} is installed",
            f"See what differs: charforge catalog diff {name} NEW. Take it with --replace.",
        )


def _swap(fresh: Path, target: Path, aside: Path) -> None:
    """Put a pack where it belongs; what stood there comes back if that fails."""
    if target.exists():
        target.rename(aside)
    try:
        fresh.rename(target)
    except OSError:
        if aside.exists():
            aside.rename(target)
        raise
