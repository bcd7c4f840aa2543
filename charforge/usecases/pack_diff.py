"""Comparing two versions of a pack: field by field, and what changes for characters.

Models are compared, not the spelling of files; defaults are left out. Items
of lists are matched by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from charforge.character import reader
from charforge.character.events import Pin
from charforge.character.values import ExplainedValue, ValueStep
from charforge.decisions.index import may_be_asked
from charforge.decisions.option import MISSING
from charforge.errors import UnknownId, UsageError
from charforge.replay.loaded_character import LoadedCharacter, load_document, load_rules, pins
from charforge.replay.replay import Character, Problem
from charforge.rules import install, loader, yaml_source
from charforge.rules.models import Entity, PackHead
from charforge.rules.parser import read_pack_head
from charforge.rules.ruleset import Ruleset
from charforge.sheet.audit import source_text as named_source
from charforge.usecases.compare import Difference, differences
from charforge.usecases.packs import pending_update

# An alias has everything else of what it stands for.
OF_ALIAS = {"id", "name", "source", "rulings", "alias_of"}
HASHABLE = (str, int, float, bool, type(None))

Way = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldDiff:
    """A field that differs; ``old`` or ``new`` is None where one side has nothing there.

    ``way`` leads to it: keys, ids of items, and numbers (from 1) of items without ids.
    """

    way: Way
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class PackDiff:
    """A part of a pack that differs.

    ``part`` is one of pack, ruleset, entity, procedure, ruling, chart and
    patch; ``how`` one of added, removed, renamed and changed. ``was`` is
    the old id of what was renamed, ``why`` what a patch says of itself.
    """

    part: str
    how: str
    id: str
    name: str
    fields: tuple[FieldDiff, ...] = ()
    was: str = ""
    why: str = ""


def ruleset_diffs(old: Ruleset, new: Ruleset) -> Iterator[PackDiff]:
    """Yield what differs between two rulesets, or one with two versions of a pack."""
    yield from model_diff("ruleset", new.id, new.head.name, old.head, new.head)
    yield from _entity_diffs(old, new)
    for part, was, now in (
        ("procedure", old.procedures, new.procedures),
        ("chart", old.charts, new.charts),
        ("ruling", old.rulings, new.rulings),
    ):
        yield from _part_diffs(part, was, now)


def model_diff(
    part: str, name: str, label: str, old: BaseModel, new: BaseModel
) -> Iterator[PackDiff]:
    """Yield what differs in something that both sides have."""
    found = tuple(field_diffs(_data(old), _data(new)))
    if found:
        yield PackDiff(part, "changed", name, label, found)


def patch_diffs(
    old: Iterable[Mapping[str, Any]], new: Iterable[Mapping[str, Any]]
) -> Iterator[PackDiff]:
    """Yield the patches that were added, removed or changed, as they are in the files."""
    was, now = _by_target(old), _by_target(new)
    for name in dict.fromkeys([*now, *was]):
        before, after = was.get(name), now.get(name)
        if before is None or after is None:
            patch = after or before or {}
            how = "added" if before is None else "removed"
            yield PackDiff("patch", how, name, "", why=str(patch.get("why", "")))
        elif found := tuple(field_diffs(before, after)):
            yield PackDiff("patch", "changed", name, "", found, why=str(after.get("why", "")))


def _by_target(patches: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return patches by their targets, numbered if a target has several."""
    found: dict[str, Mapping[str, Any]] = {}
    for patch in patches:
        at = patch["at"]
        name = at if isinstance(at, str) else ".".join(at)
        again = sum(key.partition("#")[0] == name for key in found)
        found[f"{name}#{again + 1}" if again else name] = patch
    return found


def _entity_diffs(old: Ruleset, new: Ruleset) -> Iterator[PackDiff]:
    """Yield what differs among entities; one with a former id is the same entity, renamed."""
    renamed = {
        former: one.id
        for one in new.entities.values()
        if one.id not in old.entities
        for former in one.renamed_from
        if former in old.entities and former not in new.entities
    }
    back = {now: former for former, now in renamed.items()}
    for entity in new.entities.values():
        former = back.get(entity.id, entity.id)
        if former not in old.entities:
            yield PackDiff("entity", "added", entity.id, entity.name)
            continue
        was, now = _data(old.entities[former]), _data(entity)
        if former != entity.id:
            was = {**was, "id": entity.id, "renamed_from": now.get("renamed_from")}
        found = tuple(field_diffs(was, now))
        if former != entity.id:
            yield PackDiff("entity", "renamed", entity.id, entity.name, found, former)
        elif found:
            yield PackDiff("entity", "changed", entity.id, entity.name, found)
    for entity in old.entities.values():
        if entity.id not in new.entities and entity.id not in renamed:
            yield PackDiff("entity", "removed", entity.id, entity.name)


def _part_diffs(part: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[PackDiff]:
    for name in dict.fromkeys([*new, *old]):
        before, after = old.get(name), new.get(name)
        model = after or before
        label = str(getattr(model, "label", "") or getattr(model, "title", ""))
        if before is None or after is None:
            yield PackDiff(part, "added" if before is None else "removed", name, label)
        else:
            yield from model_diff(part, name, label, before, after)


def _data(model: BaseModel) -> dict[str, Any]:
    """Return the data of a model without defaults, with the keys of its files."""
    data = model.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    if isinstance(model, Entity):
        own = data.pop("own", {})
        data |= own
        if model.alias_of is not None:
            data = {key: value for key, value in data.items() if key in OF_ALIAS}
    return data


def field_diffs(old: Any, new: Any, way: Way = ()) -> Iterator[FieldDiff]:
    """Yield the fields in which two parts differ, as deep inside as possible."""
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            yield from field_diffs(old.get(key), new.get(key), (*way, str(key)))
    elif isinstance(old, list) and isinstance(new, list) and old and new:
        yield from _item_diffs(old, new, way)
    else:
        yield FieldDiff(way, old, new)


def _item_diffs(old: list[Any], new: list[Any], way: Way) -> Iterator[FieldDiff]:
    """Yield the items that were added, removed or changed, then a changed order."""
    was, now = _by_id(old), _by_id(new)
    if was is not None and now is not None:
        common = [name for name in was if name in now]
        for name in dict.fromkeys([*was, *now]):
            yield from field_diffs(was.get(name), now.get(name), (*way, name))
        if common != [name for name in now if name in was]:
            yield FieldDiff((*way, "order"), [*was], [*now])
        return
    gone = _without(old, new)
    come = _without(new, old)
    if not gone and not come:
        yield FieldDiff((*way, "order"), old, new)
    elif all(isinstance(item, HASHABLE) for _number, item in (*gone, *come)):
        yield from (FieldDiff(way, item, None) for _number, item in gone)
        yield from (FieldDiff(way, None, item) for _number, item in come)
    else:
        for (_number, before), (number, after) in zip(gone, come, strict=False):
            yield from field_diffs(before, after, (*way, str(number)))
        yield from (FieldDiff((*way, str(n)), one, None) for n, one in gone[len(come) :])
        yield from (FieldDiff((*way, str(n)), None, one) for n, one in come[len(gone) :])


def _by_id(items: list[Any]) -> dict[str, Any] | None:
    """Return the items of a list by their ids; None if they have no ids of their own."""
    names = [item.get("id") if isinstance(item, Mapping) else None for item in items]
    if None in names or len({*names}) < len(names):
        return None
    return dict(zip(map(str, names), items, strict=True))


def _without(items: list[Any], others: list[Any]) -> list[tuple[int, Any]]:
    """Return the items of a list that another lacks, with their numbers from 1."""
    left = list(others)
    found = []
    for number, item in enumerate(items, 1):
        if item in left:
            left.remove(item)
        else:
            found.append((number, item))
    return found


PATCHES = "patches"
# Codes of problems of the file itself, not of the rules.
FILE_PROBLEMS = {"summary", "id", "name", "plan", "pin"}


@dataclass(frozen=True)
class PackVersion:
    """A version of a pack in a folder, and the rules with it.

    ``head`` is its ``pack.yaml``, if it amends a ruleset; ``patches`` are the
    raw data of its files.
    """

    folder: Path
    id: str
    name: str
    version: str
    ruleset: Ruleset
    head: PackHead | None = None
    patches: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class AffectedCharacter:
    """How a character changes with the other version of a pack.

    ``used`` is False for a character that does not use the pack. ``sources``
    names, by unit and value, what changes it. ``problems`` are new and
    ``solved`` are gone; ``dormant`` answers and events lose their effect,
    ``revived`` ones regain it. ``pinned`` is the version that the character
    was saved with if it is neither of the two: the comparison is then with
    its saved summary, as ``update`` does it.
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
        """Whether nothing changes."""
        return not (self.changed or self.problems or self.solved or self.dormant or self.revived)


@contextmanager
def open_version(named: str, here: bool = False) -> Iterator[PackVersion]:
    """Open a pack by its id (installed or built in), or in a folder or a zip, and judge it.

    Where a name is both, it is the id; with ``here`` the folder or the zip.
    Raises UnknownId for what is nothing of these, and PackError with every fault.
    """
    known = {**loader.installed(), **loader.built_in()}
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


def _version(folder: Path) -> PackVersion:
    if not loader.amends(folder):
        ruleset = loader.load_folder(folder)
        return PackVersion(folder, ruleset.id, ruleset.head.name, ruleset.head.version, ruleset)
    base, needed = loader.requirements(folder)
    ruleset = loader.load_folder(base, [*needed, folder])
    head = read_pack_head(folder / loader.PACK)
    pages = [
        yaml_source.read(path) for path in sorted(folder.glob("*.yaml")) if path.name != loader.PACK
    ]
    patches = tuple(patch for page in pages if page for patch in page.get(PATCHES) or ())
    return PackVersion(folder, head.id, head.name, head.version, ruleset, head, patches)


def compare_versions(old: PackVersion, new: PackVersion) -> tuple[PackDiff, ...]:
    """Return everything that differs between two versions of a pack.

    Raises UsageError for what cannot be compared: packs that amend two
    rulesets, or one that amends and one that is a ruleset.
    """
    if (old.head and old.head.ruleset) != (new.head and new.head.ruleset):
        raise UsageError(
            f"{old.id} and {new.id} cannot be compared: {_sort(old)}, {_sort(new)}",
            "Give two versions of one pack.",
        )
    found: list[PackDiff] = []
    if old.head is not None and new.head is not None:
        found += model_diff("pack", new.id, new.name, old.head, new.head)
        found += patch_diffs(old.patches, new.patches)
    return (*found, *ruleset_diffs(old.ruleset, new.ruleset))


def _sort(pack: PackVersion) -> str:
    return "one is a ruleset" if pack.head is None else f"one amends {pack.head.ruleset}"


def affected_character(file: Path, old: PackVersion, new: PackVersion) -> AffectedCharacter:
    """Return what a character becomes with the other version of a pack.

    It is replayed twice, each time with its other packs as they are
    installed. Raises UsageError where the two are different packs.
    """
    if old.id != new.id:
        raise UsageError(
            f"{old.id} and {new.id} are two packs: a character uses one of them or both",
            "Give two versions of one pack, or no characters.",
        )
    document = reader.load(file)
    if old.id not in {document.ruleset, *(pin.id for pin in document.packs)}:
        return AffectedCharacter(file, document.name, document.level, False)
    was, now = (
        load_document(document, file, load_rules(document, file, {one.id: one.folder}))
        for one in (old, new)
    )
    pinned = next((pin for pin in document.packs if pin.id == old.id), None)
    if pinned is not None and not {pinned} & {*pins(was.ruleset), *pins(now.ruleset)}:
        return _remembered(file, now, pinned)
    changed = tuple(_unlike(was.character, now.character))
    before, after = _problems(was), _problems(now)
    asleep, awake = was.character.dormant, now.character.dormant
    return AffectedCharacter(
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


def _remembered(file: Path, now: LoadedCharacter, pinned: Pin) -> AffectedCharacter:
    """Return what an update would say of a character that neither version was pinned by."""
    found = pending_update(now)
    return AffectedCharacter(
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
    return tuple(one for one in found.problems if one.code not in FILE_PROBLEMS)


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


def _explained(found: Character, one: Difference) -> ExplainedValue | None:
    """Return the value of a unit that a difference is about; None where it has none."""
    for unit in found.state.units:
        if (unit.name if unit is not found.state.units[0] else "") == one.unit:
            values = found.state.values(unit.id)
            return values.explain(one.id) if one.id in values else None
    return None


def _steps(value: ExplainedValue | None) -> list[tuple[str, str, int | float]]:
    steps: tuple[ValueStep, ...] = () if value is None else tuple(value.steps)
    return [(step.source, step.op, step.amount) for step in steps]
