"""Two versions of a pack: what differs between them, and what that does to characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charforge.character import storage
from charforge.character.document import Pin
from charforge.character.values import Explained, Step
from charforge.decisions.option import MISSING
from charforge.decisions.possible import may_be_asked
from charforge.errors import UnknownId, UsageError
from charforge.replay.loaded import LoadedCharacter, open_document, pins, rules_of
from charforge.replay.replay import Character, Problem
from charforge.rules import folders, install, loader, pack_diff, yaml_source
from charforge.rules.models import PackHead
from charforge.rules.pack_diff import Change
from charforge.rules.parser import read_pack_head
from charforge.rules.ruleset import Ruleset
from charforge.sheet.audit import source as named_source
from charforge.usecases.compare import Difference, differences
from charforge.usecases.update import pending

PATCHES = "patches"
# Of the file itself, whatever the rules are: its summary, its header.
OF_THE_FILE = {"summary", "id", "name", "plan", "pin"}


@dataclass(frozen=True)
class Version:
    """A pack as it stands in a folder, and the rules with it.

    ``head`` is its ``pack.yaml``, where it amends a ruleset; ``patches`` are
    as its files have them.
    """

    folder: Path
    id: str
    name: str
    version: str
    ruleset: Ruleset
    head: PackHead | None = None
    patches: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Affected:
    """What the other version makes of a character; ``sources`` says why each value changes.

    ``used`` is False for a character that has nothing to do with the pack.
    ``problems`` are those that come, ``solved`` those that go; ``dormant``
    the answers and events that lose their effect, ``revived`` that get it back.
    ``pinned`` is what it was made with, where that is neither version: what
    differs is then from its summary, as an update would say it.
    """

    file: Path
    name: str
    level: int
    used: bool
    changed: tuple[Difference, ...] = ()
    sources: Mapping[tuple[str, str], tuple[str, ...]] | None = None
    legal: tuple[bool, bool] = (True, True)
    problems: tuple[Problem, ...] = ()
    solved: tuple[Problem, ...] = ()
    dormant: tuple[str, ...] = ()
    revived: tuple[str, ...] = ()
    pinned: Pin | None = None

    @property
    def same(self) -> bool:
        """Whether nothing of it changes."""
        return not (self.changed or self.problems or self.solved or self.dormant or self.revived)


@contextmanager
def opened(named: str, here: bool = False) -> Iterator[Version]:
    """Open a pack by its id (installed or built in), or in a folder or a zip, and judge it.

    Where a name is both, it is the id; with ``here`` the folder or the zip.
    Raises UnknownId for what is nothing of these, and PackError with every fault.
    """
    known = {**folders.installed(), **folders.built_in()}
    path = Path(named)
    if named in known and not (here and path.exists()):
        path = known[named]
    if path.is_dir():
        yield _version(path)
    elif path.exists():
        with install.unpacked(path) as folder:
            yield _version(folder)
    elif path.name != named:
        raise UsageError(f"there is no folder and no zip file {named}")
    else:
        raise UnknownId("pack", named, known)


def _version(folder: Path) -> Version:
    if not folders.amends(folder):
        ruleset = loader.load_folder(folder)
        return Version(folder, ruleset.id, ruleset.head.name, ruleset.head.version, ruleset)
    base, needed = loader.needs(folder)
    ruleset = loader.load_folder(base, [*needed, folder])
    head = read_pack_head(folder / folders.PACK)
    pages = [
        yaml_source.read(path)
        for path in sorted(folder.glob("*.yaml"))
        if path.name != folders.PACK
    ]
    patches = tuple(patch for page in pages if page for patch in page.get(PATCHES) or ())
    return Version(folder, head.id, head.name, head.version, ruleset, head, patches)


def compare(old: Version, new: Version) -> tuple[Change, ...]:
    """Return everything that differs between two versions of a pack.

    Raises UsageError for what cannot be compared: packs that amend two
    rulesets, or one that amends and one that is a ruleset.
    """
    if (old.head and old.head.ruleset) != (new.head and new.head.ruleset):
        raise UsageError(
            f"{old.id} and {new.id} cannot be compared: {_sort(old)}, {_sort(new)}",
            "Give two versions of one pack.",
        )
    found: list[Change] = []
    if old.head is not None and new.head is not None:
        found += pack_diff.whole("pack", new.id, new.name, old.head, new.head)
        found += pack_diff.patched(old.patches, new.patches)
    return (*found, *pack_diff.changes(old.ruleset, new.ruleset))


def _sort(pack: Version) -> str:
    return "one is a ruleset" if pack.head is None else f"one amends {pack.head.ruleset}"


def affected(file: Path, old: Version, new: Version) -> Affected:
    """Return what a character becomes with the other version of a pack.

    It is replayed twice, each time with its other packs as they are
    installed. Raises UsageError where the two are different packs.
    """
    if old.id != new.id:
        raise UsageError(
            f"{old.id} and {new.id} are two packs: a character uses one of them or both",
            "Give two versions of one pack, or no characters.",
        )
    document = storage.load(file)
    if old.id not in {document.ruleset, *(pin.id for pin in document.packs)}:
        return Affected(file, document.name, document.level, False)
    was, now = (
        open_document(document, file, rules_of(document, file, {one.id: one.folder}))
        for one in (old, new)
    )
    pinned = next((pin for pin in document.packs if pin.id == old.id), None)
    if pinned is not None and not {pinned} & {*pins(was.ruleset), *pins(now.ruleset)}:
        return _remembered(file, now, pinned)
    changed = tuple(_unlike(was.character, now.character))
    before, after = _problems(was), _problems(now)
    asleep, awake = was.character.dormant, now.character.dormant
    return Affected(
        file,
        document.name,
        document.level,
        True,
        changed,
        dict(_sources(was.character, now.character, changed)),
        (not before, not after),
        tuple(one for one in after if one not in before),
        tuple(one for one in before if one not in after),
        tuple(name for name in awake if name not in asleep),
        tuple(name for name in asleep if name not in awake),
    )


def _remembered(file: Path, now: LoadedCharacter, pinned: Pin) -> Affected:
    """Return what an update would say of a character that neither version was pinned by."""
    found = pending(now)
    return Affected(
        file,
        now.document.name,
        now.document.level,
        True,
        found.changed,
        legal=(True, not found.problems),
        problems=found.problems,
        dormant=tuple(name for name in found.dormant if may_be_asked(now.ruleset, name)),
        pinned=pinned,
    )


def _unlike(was: Character, now: Character) -> Iterator[Difference]:
    """Yield what differs, but not that the same has another id now, or is called otherwise."""
    found, ruleset = differences(was, now), now.state.ruleset
    old, new = was.answers(), now.answers()
    held = [one for one in found if one.topic == "holding"]
    come = {(one.unit, one.id, one.new) for one in held if one.old is None}
    moved = {
        (one.unit, ruleset.canonical(one.id), one.old)
        for one in held
        if one.new is None and one.id not in ruleset.entities
    }
    for one in found:
        renamed = {(one.unit, ruleset.canonical(one.id), one.old or one.new)} & come & moved
        called = one.topic == "choice" and MISSING != old.get(one.id, MISSING) == new.get(one.id)
        if not called and not (one.topic == "holding" and renamed):
            yield one


def _problems(found: LoadedCharacter) -> tuple[Problem, ...]:
    """Return what the rules have against a character."""
    return tuple(one for one in found.problems if one.code not in OF_THE_FILE)


Sources = tuple[tuple[str, str], tuple[str, ...]]


def _sources(was: Character, now: Character, changed: tuple[Difference, ...]) -> Iterator[Sources]:
    """Yield for each value that changes, by unit and id, the sources of the steps that differ."""
    for one in changed:
        if one.topic == "value":
            old, new = _explained(was, one), _explained(now, one)
            gone = [step for step in _steps(old) if step not in _steps(new)]
            come = [step for step in _steps(new) if step not in _steps(old)]
            told = [named_source(now, step[0]) for step in come]
            told += [named_source(was, step[0]) for step in gone]
            yield (one.unit, one.id), tuple(dict.fromkeys(told))


def _explained(found: Character, one: Difference) -> Explained | None:
    """Return the value of a unit that a difference is about; None where it has none."""
    for unit in found.state.units:
        if (unit.name if unit is not found.state.units[0] else "") == one.unit:
            values = found.state.values(unit.id)
            return values.explain(one.id) if one.id in values else None
    return None


def _steps(value: Explained | None) -> list[tuple[str, str, int | float]]:
    steps: tuple[Step, ...] = () if value is None else tuple(value.steps)
    return [(step.source, step.op, step.amount) for step in steps]
