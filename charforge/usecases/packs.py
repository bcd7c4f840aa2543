"""Installed packs: list and install them, and update characters to their versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charforge.character.events import Pin, SetEvent
from charforge.errors import CharforgeError, PackError
from charforge.replay.loaded_character import LoadedCharacter, pins, replay_document, summary
from charforge.replay.replay import Problem
from charforge.rules import install as packing, loader, yaml_source
from charforge.rules.install import remove
from charforge.rules.parser import read_pack_head
from charforge.rules.ruleset import Ruleset
from charforge.sheet.offline import entity_name, saved_values
from charforge.usecases.compare import Difference
from charforge.usecases.pack_check import check_pack

__all__ = ["InstalledPack", "install_pack", "installed_packs", "packs_that_need", "remove"]


@dataclass(frozen=True)
class InstalledPack:
    """An installed ruleset, or a pack that amends one.

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
    """Yield the built-in rulesets, then the installed packs."""
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

    Raises PackError with every error that checking finds, so that installed
    packs can be loaded and printed; UsageError and WriteError as ``packing``.
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
    """Return the pin of an installed pack; None if it cannot be used."""
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


# ------------------------------------------------------------------ updating characters


SUMMARY = "summary"  # the code of the problem that an update solves


@dataclass(frozen=True)
class PackUpdate:
    """The update of a character to the installed packs.

    ``packs`` are pairs of old and new pins; ``changed`` the differences
    from the saved summary; ``problems`` those with the installed packs;
    ``dormant`` the answers and events without effect.
    """

    opened: LoadedCharacter
    packs: tuple[tuple[Pin, Pin], ...]
    changed: tuple[Difference, ...]
    problems: tuple[Problem, ...]
    dormant: tuple[str, ...]

    @property
    def needed(self) -> bool:
        """Return whether the file would change."""
        return bool(self.packs) or self.opened.document.character != summary(self.opened.character)


def pending_update(opened: LoadedCharacter) -> PackUpdate:
    """Return the update of a character that was loaded with the installed packs."""
    document, ruleset = opened.document, opened.ruleset
    former = {pin.id: pin for pin in document.packs}
    return PackUpdate(
        opened,
        tuple(
            (former[pin.id], pin)
            for pin in pins(ruleset)
            if pin.id in former and pin != former[pin.id]
        ),
        tuple(summary_differences(document.character, summary(opened.character), ruleset)),
        tuple(problem for problem in opened.problems if problem.code != SUMMARY),
        opened.character.dormant,
    )


def apply_update(found: PackUpdate) -> LoadedCharacter:
    """Return the character with the installed packs pinned and its summary made by them."""
    document, ruleset = found.opened.document, found.opened.ruleset
    if not found.packs:
        return replay_document(document, ruleset)
    held = pins(ruleset)
    event = SetEvent(
        n=len(document.log) + 1, group=document.group + 1, packs=held, former=document.packs
    )
    changes = {"log": (*document.log, event), "undone": (), "undos": (), "packs": held}
    return replay_document(document.model_copy(update=changes), ruleset)


def summary_differences(
    old: Mapping[str, Any], new: Mapping[str, Any], ruleset: Ruleset
) -> Iterator[Difference]:
    """Yield the differences between two summaries; the old one may be any JSON."""
    yield from _one(old, new, ruleset, "")
    was, now = _units(old), _units(new)
    for key in dict.fromkeys([*now, *was]):
        name = entity_name(key.partition("#")[0], ruleset)
        if key in was and key in now:
            yield from _one(was[key], now[key], ruleset, name)
        else:
            left = name if key in was else None
            kind = _kind(key.partition("#")[0], ruleset)
            yield Difference("unit", key, name, left, name if left is None else None, kind=kind)
    yield from _counted("condition", old.get("conditions"), new.get("conditions"), ruleset, "")


def _one(
    old: Mapping[str, Any], new: Mapping[str, Any], ruleset: Ruleset, unit: str
) -> Iterator[Difference]:
    """Yield the differences of a unit: its level, values and holdings."""
    if old.get("level") != new.get("level") and isinstance(old.get("level"), int):
        label = ruleset.head.advancement.label
        yield Difference("level", "level", label, old["level"], new["level"], unit)
    was, now = saved_values(old.get("values")), saved_values(new.get("values"))
    for name in dict.fromkeys([*now, *was]):
        if was.get(name) != now.get(name):
            known = ruleset.values.get(name)
            label = name if known is None else known.label
            yield Difference("value", name, label, was.get(name), now.get(name), unit)
    yield from _counted("holding", old.get("holdings"), new.get("holdings"), ruleset, unit)


def _counted(topic: str, old: Any, new: Any, ruleset: Ruleset, unit: str) -> Iterator[Difference]:
    """Yield the entities whose numbers differ in two lists of ids, some with ``× 3``."""
    was, now = _numbers(old, ruleset), _numbers(new, ruleset)
    for name in dict.fromkeys([*now, *was]):
        if was.get(name) != now.get(name):
            entity, _, about = name.partition(" ")
            label = f"{entity_name(entity, ruleset)} {about}".strip()
            kind = _kind(entity, ruleset)
            yield Difference(topic, name, label, was.get(name), now.get(name), unit, kind)


def _numbers(listed: Any, ruleset: Ruleset) -> Counter[str]:
    """Return the numbers in a summary's list; renamed entities get their present ids."""
    found: Counter[str] = Counter()
    for text in listed if isinstance(listed, list) else ():
        name, _, number = str(text).partition(" × ")
        entity, space, about = name.partition(" ")
        if entity not in ruleset.entities:
            name = ruleset.canonical(entity) + space + about
        found[name] += int(number) if number.isdecimal() else 1
    return found


def _units(found: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the summaries of further units by entity, numbered where there are several."""
    listed = found.get("units")
    units: dict[str, Mapping[str, Any]] = {}
    for unit in listed if isinstance(listed, list) else ():
        if isinstance(unit, Mapping):
            name = str(unit.get("id", ""))
            again = sum(key.partition("#")[0] == name for key in units)
            units[f"{name}#{again + 1}" if again else name] = unit
    return units


def _kind(entity: str, ruleset: Ruleset) -> str:
    known = ruleset.kinds.get(entity.partition("/")[0])
    return "" if known is None else known.label
