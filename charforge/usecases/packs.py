"""What is installed: the built-in rulesets, and what a user added to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from charforge.character.document import Pin
from charforge.errors import CharforgeError, PackError
from charforge.replay.loaded import pins
from charforge.rules import install as packing, loader, yaml_source
from charforge.rules.install import remove
from charforge.rules.parser import read_pack_head
from charforge.rules.ruleset import Ruleset
from charforge.usecases.pack_check import check_pack

__all__ = ["InstalledPack", "install_pack", "installed_packs", "packs_that_need", "remove"]


@dataclass(frozen=True)
class InstalledPack:
    """A ruleset, or a pack that amends one, as it lies here.

    ``entities`` counts what it adds, ``patches`` what it changes; ``fault``
    says why it cannot be used.
    """

    id: str
    name: str
    version: str
    folder: Path
    amends: str = ""
    requires: tuple[str, ...] = ()
    entities: int = 0
    patches: int = 0
    author: str = ""
    text: str = ""
    built_in: bool = False
    fault: str = ""


def installed_packs() -> Iterator[InstalledPack]:
    """Yield what is here: the built-in rulesets first, then what was installed."""
    for name, folder in loader.built_in().items():
        yield _ruleset(name, folder, True)
    for name, folder in loader.installed().items():
        yield _pack(name, folder) if loader.amends(folder) else _ruleset(name, folder, False)


@dataclass(frozen=True)
class InstallResult:
    """A pack that was installed, with its rules.

    ``again``: it replaced other content of the very version that it has.
    """

    id: str
    ruleset: Ruleset
    again: bool = False


def install_pack(origin: Path, replace: bool = False) -> InstallResult:
    """Install a pack from a folder or a zip.

    Raises PackError with every fault that checking finds: what is here can
    be loaded, reckoned and printed. UsageError and WriteError as ``packing``.
    """
    found = check_pack(origin)
    if found.faults:
        raise PackError(found.faults)
    former = _pin(found.id)
    name, ruleset = packing.install(origin, replace)
    pin = _pin(name)
    same = former is not None and pin is not None and former.version == pin.version
    return InstallResult(name, ruleset, same and former != pin)


def _pin(name: str) -> Pin | None:
    """Return how characters would name what is installed under an id, if it can be used."""
    folder = loader.installed().get(name)
    try:
        rules = None if folder is None else packing.load_checked(folder)[2]
    except CharforgeError:
        return None
    return None if rules is None else next((pin for pin in pins(rules) if pin.id == name), None)


def packs_that_need(name: str) -> list[str]:
    """Return the installed packs that amend a ruleset, or need a pack."""
    return [one.id for one in installed_packs() if name in (one.amends, *one.requires)]


def _ruleset(name: str, folder: Path, built_in: bool) -> InstalledPack:
    try:
        loaded = loader.load_folder(folder)
    except CharforgeError as error:
        return InstalledPack(name, name, "", folder, built_in=built_in, fault=str(error))
    head, entities = loaded.head, len(loaded.entities)
    return InstalledPack(
        name, head.name, head.version, folder, "", (), entities, 0, "", head.text, built_in
    )


def _pack(name: str, folder: Path) -> InstalledPack:
    try:
        head = read_pack_head(folder / loader.PACK)
    except PackError as error:
        return InstalledPack(name, name, "", folder, fault=str(error))
    try:
        base, needed = loader.requirements(folder)
        loaded = loader.load_folder(base, [*needed, folder])
        added, fault = sum(origin == head.id for origin in loaded.origins.values()), ""
    except CharforgeError as error:
        added, fault = 0, str(error)
    return InstalledPack(
        name, head.name, head.version, folder, head.ruleset, head.requires,
        added, _patches(folder), head.author, head.text, False, fault,
    )  # fmt: skip


def _patches(folder: Path) -> int:
    """Count the patches of a pack; a page that cannot be read has none."""
    number = 0
    for path in sorted(folder.glob("*.yaml")):
        try:
            data = yaml_source.read(path)
        except PackError:
            continue
        number += len(data.get("patches") or ()) if isinstance(data, dict) else 0
    return number
