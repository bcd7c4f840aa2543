"""Installed packs: list and install them, and update characters to their versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from charforge.character.files.document import Difference
from charforge.character.files.events import AnyEvent, Pin, SetEvent
from charforge.describe.differences import (
    differences,
    pack_differences,
    recorded_pack_changes,
    summary_differences,
)
from charforge.errors import CharforgeError, PackError
from charforge.packs import install
from charforge.replay.loaded_character import LoadedCharacter, pins, replay_document, summary
from charforge.replay.replay import Problem
from charforge.rules.loading import loader, yaml_reader
from charforge.rules.loading.parser import read_pack_head
from charforge.rules.models import PackHead, RulesetHead
from charforge.rules.ruleset import Ruleset


@dataclass(frozen=True)
class InstalledPack:
    """An installed ruleset, or a pack that changes one (``amends``).

    ``entities`` is the number of entities it adds, ``patches`` that of its
    patches; ``head`` has its authors and licence, and is None for one whose
    header cannot be read; ``fault`` says why it cannot be used.
    """

    id: str
    name: str
    version: str
    folder: Path
    amends: str = ""
    requires: tuple[str, ...] = ()
    entities: int = 0
    patches: int = 0
    head: RulesetHead | PackHead | None = None
    built_in: bool = False
    fault: str = ""


def pack_entries() -> Iterator[InstalledPack]:
    """Yield the built-in rulesets, then the installed packs."""
    for name, folder in loader.built_in().items():
        yield _ruleset_entry(name, folder, built_in=True)
    for name, folder in loader.installed().items():
        if loader.amends(folder):
            yield _pack_entry(name, folder)
        else:
            yield _ruleset_entry(name, folder, built_in=False)


@dataclass(frozen=True)
class InstallResult:
    """A pack that was installed, with its rules.

    ``again`` says that it replaced a pack of the same version with other
    content.
    """

    id: str
    ruleset: Ruleset
    again: bool = False


def install_pack(
    origin: Path, replace: bool = False, notes: Mapping[str, bytes] = MappingProxyType({})
) -> InstallResult:
    """Install a pack from a folder or a zip; ``replace`` a version that is installed.

    ``notes`` are hidden files to keep in its folder, by name.

    Raises PackError with every error that checking finds, so that installed
    packs can be loaded and printed; UsageError and WriteError as
    ``packs.install`` does.
    """
    # Here, because a check prints sheets, and an import that brings no pack does without.
    from charforge.packs.check import check_pack

    checked = check_pack(origin)
    if checked.errors:
        raise PackError(checked.errors)
    former = _installed_pin(checked.id)
    name, ruleset = install.install(origin, replace, notes)
    pin = _installed_pin(name)
    same_version = former is not None and pin is not None and former.version == pin.version
    return InstallResult(name, ruleset, same_version and former != pin)


def read_head(folder: Path) -> RulesetHead | PackHead:
    """Return the header of a pack or ruleset in a folder. Raises PackError."""
    if loader.amends(folder):
        return read_pack_head(folder / loader.PACK)
    return loader.load_folder(folder).head


def _installed_pin(name: str) -> Pin | None:
    """Return the pin of an installed pack; None if it cannot be used."""
    folder = loader.installed().get(name)
    try:
        if folder is None:
            return None
        ruleset = install.load_checked(folder).ruleset
    except CharforgeError:
        return None
    return next((pin for pin in pins(ruleset) if pin.id == name), None)


def packs_that_need(name: str) -> list[str]:
    """Return the ids of the installed packs that amend or require the pack with an id."""
    return [pack.id for pack in pack_entries() if name in (pack.amends, *pack.requires)]


def _ruleset_entry(name: str, folder: Path, built_in: bool) -> InstalledPack:
    try:
        loaded = loader.load_folder(folder)
    except CharforgeError as error:
        return InstalledPack(name, name, "", folder, built_in=built_in, fault=str(error))
    head, entities = loaded.head, len(loaded.entities)
    return InstalledPack(name, head.name, head.version, folder, "", (), entities, 0, head, built_in)


def _pack_entry(name: str, folder: Path) -> InstalledPack:
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
        added, _count_patches(folder), head, False, fault,
    )  # fmt: skip


def _count_patches(folder: Path) -> int:
    """Return the number of patches of a pack; a file that cannot be read has none."""
    number = 0
    for path in sorted(folder.glob("*.yaml")):
        try:
            data = yaml_reader.read_yaml(path)
        except PackError:
            continue
        number += len(data.get("patches") or ()) if isinstance(data, dict) else 0
    return number


# ------------------------------------------------------------------ updating characters


SUMMARY = "summary"  # the code of the problem that an update solves


@dataclass(frozen=True)
class PackUpdate:
    """The update of a character to the installed packs, to other packs or table rules.

    ``packs`` are pairs of old and new pins; one of them is None for a pack that is added or
    removed. ``changed`` are the differences, from the saved summary too, ``problems`` those
    that the character then has, ``dormant`` the ids of answers and events without effect.
    """

    opened: LoadedCharacter
    after: LoadedCharacter
    packs: tuple[tuple[Pin | None, Pin | None], ...]
    changed: tuple[Difference, ...]
    problems: tuple[Problem, ...]
    dormant: tuple[str, ...]

    @property
    def needed(self) -> bool:
        """Return whether the file would change."""
        document = self.opened.document
        changes_summary = document.summary != summary(self.opened.character)
        return len(self.after.document.log) > len(document.log) or changes_summary


def pending_update(
    opened: LoadedCharacter,
    packs: Sequence[str] | None = None,
    rules: Mapping[str, str] = MappingProxyType({}),
) -> PackUpdate:
    """Return the update of a character that was loaded with the installed packs.

    ``packs`` are the ids of those to use from now on (None: the same), ``rules`` the options
    of table rules. Raises UnknownId and UsageError for packs that cannot be used.
    """
    document, ruleset = opened.document, opened.ruleset
    if packs is not None and tuple(packs) != tuple(pack.id for pack in ruleset.packs):
        ruleset = loader.load(document.ruleset, packs)
    chosen = ruleset.table_rule_options(opened.character.state.rules)
    new_rules = {name: option for name, option in rules.items() if chosen.get(name) != option}
    after = _updated(opened, ruleset, new_rules)
    same_rules = ruleset is opened.ruleset and not new_rules
    changed = pack_differences(opened) or tuple(
        summary_differences(document.summary, summary(opened.character), opened.ruleset)
    )
    if not same_rules:
        changed += differences(opened.character, after.character, choices=False)
    return PackUpdate(
        opened,
        after,
        tuple(_changed_pins(document.packs, pins(ruleset))),
        changed,
        tuple(p for p in (opened if same_rules else after).problems if p.code != SUMMARY),
        after.character.dormant,
    )


def _changed_pins(
    former: Iterable[Pin], installed: Iterable[Pin]
) -> Iterator[tuple[Pin | None, Pin | None]]:
    """Yield the old and the new pin of each pack that differs, is added or is removed."""
    old, new = ({pin.id: pin for pin in pinned} for pinned in (former, installed))
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            yield old.get(name), new.get(name)


def _updated(
    opened: LoadedCharacter, ruleset: Ruleset, rules: Mapping[str, str]
) -> LoadedCharacter:
    """Return the character with the packs of a ruleset pinned, and with some table rules."""
    document, installed = opened.document, pins(ruleset)
    number, group = len(document.log) + 1, document.group + 1
    events: list[AnyEvent] = []
    if document.packs != installed:
        events.append(SetEvent(n=number, group=group, packs=installed, former=document.packs))
    for name, option in rules.items():
        events.append(SetEvent(n=number + len(events), group=group, rule=name, value=option))
    pack_changes = recorded_pack_changes(opened, len(document.log))
    changes: dict[str, object] = {"pack_changes": pack_changes}
    if events:
        log = (*document.log, *events)
        changes |= {"log": log, "undone": (), "undos": (), "packs": installed}
    return replay_document(document.model_copy(update=changes), ruleset)
