"""Differences between two versions of a pack, and their effect on a game and its characters.

Loaded models are compared, not the text of files; defaults are left out.
Items of lists are matched by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel

from charforge.character.files import reader
from charforge.character.files.document import Difference
from charforge.character.files.events import Pin
from charforge.decisions.base import MISSING
from charforge.decisions.kinds import may_be_asked
from charforge.describe.differences import differences
from charforge.errors import UnknownId, UsageError
from charforge.language import _
from charforge.packs import install
from charforge.packs.update import pending_update
from charforge.replay.loaded_character import LoadedCharacter, load_document, load_rules, pins
from charforge.replay.replay import Character, Problem
from charforge.rules.loading import loader, yaml_reader
from charforge.rules.loading.parser import read_pack_head
from charforge.rules.loading.patches import PATCHES, patches_by_target, target
from charforge.rules.loading.translation import WHY, read_translation
from charforge.rules.models import Entity, PackHead, Patch
from charforge.rules.models.ruleset import RULESET
from charforge.rules.ruleset import Ruleset
from charforge.sheet.rulebook import PackMark
from charforge.sheet.values import source_text

# The fields of an entity from which its values and those of its bearer are calculated.
FIGURES = ("modifies", "tables", "values", "choices", "each_level")
# An alias takes all other fields from the entity that it names.
ALIAS_FIELDS = {"id", "name", "source", "rulings", "alias_of"}
SCALARS = (str, int, float, bool, type(None))
PATCHED_PARTS = {  # the part of a difference, by the list that a patch changes
    RULESET: "ruleset", "entities": "entity", "procedures": "procedure", "charts": "chart",
    "rulings": "ruling",
}  # fmt: skip
FILE_PROBLEMS = {"summary", "id", "name", "plan", "pin"}  # codes: not of rules, but of the file

FieldPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldDiff:
    """A field that differs; ``old`` or ``new`` is None where one side does not have it.

    ``path`` has keys, ids of items, and numbers (from 1) of items without ids. ``reason`` is the
    ``why`` of the patch that changed it, ``packs`` its pack.
    """

    path: FieldPath
    old: Any
    new: Any
    reason: str = ""
    packs: tuple[str, ...] = ()

    @property
    def how(self) -> str:
        """Whether it was added, removed or changed."""
        if self.old is None:
            return "added"
        return "removed" if self.new is None else "changed"


@dataclass(frozen=True, slots=True)
class PackDiff:
    """A part of a pack that differs.

    ``part`` is one of pack, ruleset, entity, procedure, ruling, chart and
    patch; ``how`` one of added, removed, renamed and changed. ``old_id`` is
    the former id of a renamed part, ``reason`` the ``why`` of a patch. ``packs`` are the ids of
    the packs that change a part of a game.
    """

    part: str
    how: str
    id: str
    name: str
    fields: tuple[FieldDiff, ...] = ()
    old_id: str = ""
    reason: str = ""
    packs: tuple[str, ...] = ()


def ruleset_diffs(old: Ruleset, new: Ruleset) -> Iterator[PackDiff]:
    """Yield what differs between two rulesets, or one with two versions of a pack."""
    yield from model_diff("ruleset", new.id, new.head.name, old.head, new.head)
    yield from _entity_diffs(old, new)
    yield from _part_diffs("procedure", old.procedures, new.procedures)
    yield from _part_diffs("chart", old.charts, new.charts)
    yield from _part_diffs("ruling", old.rulings, new.rulings)


def model_diff(
    part: str, name: str, label: str, old: BaseModel, new: BaseModel
) -> Iterator[PackDiff]:
    """Yield the difference of a part that both sides have, if there is any."""
    fields = tuple(field_diffs(_model_data(old), _model_data(new)))
    if fields:
        yield PackDiff(part, "changed", name, label, fields)


def patch_diffs(
    old: Iterable[Mapping[str, Any]], new: Iterable[Mapping[str, Any]]
) -> Iterator[PackDiff]:
    """Yield the patches that were added, removed or changed, given as data of the files."""
    old_patches, new_patches = patches_by_target(old), patches_by_target(new)
    for name in dict.fromkeys([*new_patches, *old_patches]):
        before, after = old_patches.get(name), new_patches.get(name)
        reason = str((after or before or {}).get("why", ""))
        if before is None or after is None:
            how = "added" if before is None else "removed"
            yield PackDiff("patch", how, name, "", reason=reason)
        elif fields := tuple(field_diffs(before, after)):
            yield PackDiff("patch", "changed", name, "", fields, reason=reason)


def _entity_diffs(old: Ruleset, new: Ruleset) -> Iterator[PackDiff]:
    """Yield what differs among entities; one with a former id is the same entity, renamed."""
    former_ids = {
        entity.id: former
        for entity in new.entities.values()
        if entity.id not in old.entities
        for former in entity.renamed_from
        if former in old.entities and former not in new.entities
    }
    for entity in new.entities.values():
        former = former_ids.get(entity.id, entity.id)
        if former not in old.entities:
            yield PackDiff("entity", "added", entity.id, entity.name)
            continue
        before, after = _model_data(old.entities[former]), _model_data(entity)
        if former != entity.id:
            before = {**before, "id": entity.id, "renamed_from": after.get("renamed_from")}
        fields = tuple(field_diffs(before, after))
        if former != entity.id:
            yield PackDiff("entity", "renamed", entity.id, entity.name, fields, former)
        elif fields:
            yield PackDiff("entity", "changed", entity.id, entity.name, fields)
    for entity in old.entities.values():
        if entity.id not in new.entities and entity.id not in former_ids.values():
            yield PackDiff("entity", "removed", entity.id, entity.name)


def _part_diffs(part: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[PackDiff]:
    """Yield what differs among parts of one sort, by id."""
    for name in dict.fromkeys([*new, *old]):
        before, after = old.get(name), new.get(name)
        model = after or before
        label = str(getattr(model, "label", "") or getattr(model, "title", ""))
        if before is None or after is None:
            yield PackDiff(part, "added" if before is None else "removed", name, label)
        else:
            yield from model_diff(part, name, label, before, after)


def _model_data(model: BaseModel) -> dict[str, Any]:
    """Return the data of a model without defaults, with the keys of its files."""
    data = model.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    if isinstance(model, Entity):
        data |= data.pop("own", {})
        if model.alias_of is not None:
            data = {key: value for key, value in data.items() if key in ALIAS_FIELDS}
    return data


def field_diffs(old: Any, new: Any, path: FieldPath = ()) -> Iterator[FieldDiff]:
    """Yield the fields in which two parts differ, as deep inside as possible."""
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            yield from field_diffs(old.get(key), new.get(key), (*path, str(key)))
    elif isinstance(old, list) and isinstance(new, list) and old and new:
        yield from _item_diffs(old, new, path)
    else:
        yield FieldDiff(path, old, new)


def _item_diffs(old: list[Any], new: list[Any], path: FieldPath) -> Iterator[FieldDiff]:
    """Yield the items that were added, removed or changed, then a changed order."""
    old_items, new_items = _items_by_id(old), _items_by_id(new)
    if old_items is not None and new_items is not None:
        for name in dict.fromkeys([*old_items, *new_items]):
            yield from field_diffs(old_items.get(name), new_items.get(name), (*path, name))
        common = [name for name in old_items if name in new_items]
        if common != [name for name in new_items if name in old_items]:
            yield FieldDiff((*path, "order"), [*old_items], [*new_items])
        return
    removed = _items_missing(old, new)
    added = _items_missing(new, old)
    if not removed and not added:
        yield FieldDiff((*path, "order"), old, new)
    elif all(isinstance(item, SCALARS) for _number, item in (*removed, *added)):
        yield from (FieldDiff(path, item, None) for _number, item in removed)
        yield from (FieldDiff(path, None, item) for _number, item in added)
    else:
        for (_number, before), (number, after) in zip(removed, added, strict=False):
            yield from field_diffs(before, after, (*path, str(number)))
        for number, item in removed[len(added) :]:
            yield FieldDiff((*path, str(number)), item, None)
        for number, item in added[len(removed) :]:
            yield FieldDiff((*path, str(number)), None, item)


def _items_by_id(items: list[Any]) -> dict[str, Any] | None:
    """Return the items of a list by their ids; None if they have no ids of their own."""
    names = [item.get("id") if isinstance(item, Mapping) else None for item in items]
    if None in names or len({*names}) < len(names):
        return None
    return dict(zip(map(str, names), items, strict=True))


def _items_missing(items: list[Any], others: list[Any]) -> list[tuple[int, Any]]:
    """Return the items of a list that are missing in another, with their numbers from 1."""
    left = list(others)
    missing = []
    for number, item in enumerate(items, 1):
        if item in left:
            left.remove(item)
        else:
            missing.append((number, item))
    return missing


# ------------------------------------------------------------------ versions of a pack


@dataclass(frozen=True)
class PackVersion:
    """A version of a pack in a folder, and the rules with it.

    For a pack that amends a ruleset, ``head`` is its ``pack.yaml`` and
    ``patches`` are the data of its patches as in the files.
    """

    folder: Path
    id: str
    name: str
    version: str
    ruleset: Ruleset
    head: PackHead | None = None
    patches: tuple[Mapping[str, Any], ...] = ()


@contextmanager
def open_version(named: str, here: bool = False) -> Iterator[PackVersion]:
    """Load a pack by its id (installed or built in), or from a folder or a zip.

    A name that is both is an id, unless ``here`` prefers the folder or zip.
    A zip is unpacked while the context lasts. Raises UnknownId, UsageError
    for a path that does not exist, PackError with every error.
    """
    known = {**loader.installed(), **loader.built_in()}
    path = Path(named)
    if named in known and not (here and path.exists()):
        path = known[named]
    if path.is_dir():
        yield _load_version(path)
    elif path.exists():
        with install.unpacked(path) as folder:
            yield _load_version(folder)
    elif path.name != named:
        raise UsageError(_("there is no folder or zip file {named}").format(named=named))
    else:
        raise UnknownId(_("pack"), named, known)


def _load_version(folder: Path) -> PackVersion:
    if not loader.amends(folder):
        ruleset = loader.load_folder(folder)
        return PackVersion(folder, ruleset.id, ruleset.head.name, ruleset.head.version, ruleset)
    base, needed = loader.requirements(folder)
    ruleset = loader.load_folder(base, [*needed, folder])
    head = read_pack_head(folder / loader.PACK)
    patches = tuple(_patches(folder))
    return PackVersion(folder, head.id, head.name, head.version, ruleset, head, patches)


def _patches(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the patches of a pack, as data of its files."""
    for path in sorted(folder.glob("*.yaml")):
        page = None if path.name == loader.PACK else yaml_reader.read_yaml(path)
        yield from (page or {}).get(PATCHES) or ()


def compare_versions(old: PackVersion, new: PackVersion) -> tuple[PackDiff, ...]:
    """Return everything that differs between two versions of a pack.

    Raises UsageError for packs that amend different rulesets, and for a
    ruleset and a pack that amends one.
    """
    if (old.head and old.head.ruleset) != (new.head and new.head.ruleset):
        raise UsageError(
            _("{id} and {new_id} cannot be compared: {role}, {new_role}").format(
                id=old.id, new_id=new.id, role=_role(old), new_role=_role(new)
            ),
            _("Compare two versions of one pack."),
        )
    diffs: list[PackDiff] = []
    if old.head is not None and new.head is not None:
        diffs += model_diff("pack", new.id, new.name, old.head, new.head)
        diffs += patch_diffs(old.patches, new.patches)
    return (*diffs, *ruleset_diffs(old.ruleset, new.ruleset))


def _role(pack: PackVersion) -> str:
    return (
        _("one is a ruleset")
        if pack.head is None
        else _("one is a pack for {ruleset}").format(ruleset=pack.head.ruleset)
    )


# ------------------------------------------------------------------ a game with packs


class _Why(NamedTuple):
    """The reason for a patch: its pack, the path below the part that it changes, its ``why``."""

    pack: str
    path: FieldPath
    reason: str


def pack_effects(game: Ruleset) -> tuple[PackDiff, ...]:
    """Return what the packs of a game add, change and remove, with their reasons."""
    folders = loader.installed_packs()
    reasons: dict[tuple[str, str], list[_Why]] = {}
    for pack in game.packs:
        folder = folders.get(pack.id)
        if folder is None:  # the game was read from folders: its reasons are not known
            continue
        path = loader.language_file(folder, game.language)
        translated = read_translation(path).texts if path is not None else {}
        for name, data in patches_by_target(_patches(folder)).items():
            patch = Patch.model_validate(data)
            listed, id = target(patch)
            start = 1 if listed in (RULESET, "entities") else 2
            text = translated.get((PATCHES, name, WHY))
            reason = " ".join((patch.why if text is None else text.text).split())
            why = _Why(pack.id, patch.at[start:], reason)
            reasons.setdefault((PATCHED_PARTS[listed], id or game.id), []).append(why)
    return tuple(
        _with_reasons(diff, reasons.get((diff.part, diff.id), ()), game.origins)
        for diff in ruleset_diffs(loader.load(game.id), game)
    )


def _with_reasons(diff: PackDiff, reasons: Sequence[_Why], origins: Mapping[str, str]) -> PackDiff:
    """Return a difference with the packs that made it, and why; a ruleset has reasons by field."""
    packs = [why.pack for why in reasons]
    if not packs and diff.id in origins:
        packs = [origins[diff.id]]
    diff = replace(diff, packs=tuple(dict.fromkeys(packs)))
    if diff.part != RULESET:
        return replace(diff, reason=" ".join(dict.fromkeys(why.reason for why in reasons)).strip())
    fields = []
    for field in diff.fields:
        fitting = [why for why in reasons if field.path[: len(why.path)] == why.path]
        nearest = max(fitting, key=lambda why: len(why.path), default=None)
        if nearest is not None:
            field = replace(field, reason=nearest.reason, packs=(nearest.pack,))
        fields.append(field)
    return replace(diff, fields=tuple(fields))


# ------------------------------------------------------------------ effect on the rules


class PackMarks:
    """The changes by the packs of a game, by what they are about."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.effects = pack_effects(ruleset) if ruleset.packs else ()
        self._changed = {(effect.part, effect.id): effect for effect in self.effects}
        self._names = {pack.id: pack.name for pack in ruleset.packs}
        self._ruleset = ruleset

    def of_entity(self, entity: str) -> Iterator[PackMark]:
        """Yield the change of an entity, if there is one."""
        effect = self._changed.get(("entity", entity))
        if effect is not None:
            yield PackMark(self._packs(effect.packs), effect.how == "added", effect.reason)

    def of_fields(self, *starts: Sequence[str]) -> Iterator[PackMark]:
        """Yield the changes of ``ruleset.yaml`` below some paths, each reason once."""
        effect = self._changed.get((RULESET, self._ruleset.id))
        fields = effect.fields if effect is not None else ()
        reasons = {
            (field.packs, field.reason): starts == (field.path,) and field.how == "added"
            for field in fields
            if any(field.path[: len(start)] == tuple(start) for start in starts)
        }
        for (packs, why), new in reasons.items():
            yield PackMark(self._packs(packs), new, why)

    def of_value(self, unit_type: str, value: str) -> Iterator[PackMark]:
        """Yield the changes of the formula and the bounds of a value of a kind of unit."""
        yield from self.of_fields(("units", unit_type, "values", value))

    def of_source(self, entity: str) -> Iterator[PackMark]:
        """Yield the change of an entity, if it is one of its figures, or the entity is new."""
        effect = self._changed.get(("entity", entity))
        if effect is not None and (effect.how == "added" or _changes_figures(effect)):
            yield from self.of_entity(entity)

    def _packs(self, packs: Sequence[str]) -> str:
        return ", ".join(self._names.get(pack, pack) for pack in packs)


def pack_marks(ruleset: Ruleset) -> PackMarks:
    """Return the changes by the packs of a game; they are compared once."""
    return ruleset.cached("changes by packs", lambda: PackMarks(ruleset))


def _changes_figures(effect: PackDiff) -> bool:
    return any(field.path[:1] == (name,) for field in effect.fields for name in FIGURES)


# ------------------------------------------------------------------ effect on characters


@dataclass(frozen=True)
class AffectedCharacter:
    """The effect of the other version of a pack on a character.

    ``used`` is False for a character that does not use the pack. ``level_text`` is its level in
    words, empty without the pack and in a game without levels. ``sources``
    are, by unit and value id, the names of what changes a value. ``legal``
    is its legality before and after; ``problems`` are new ones, ``solved``
    those that are gone; ``dormant`` answers and events lose their effect,
    ``revived`` ones regain it. ``pinned`` is the version that the character
    was saved with if it is neither of the two: then the saved summary is
    compared, as ``update`` does.
    """

    file: Path
    name: str
    level: int
    used: bool
    level_text: str = ""
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


def affected_character(file: Path, old: PackVersion, new: PackVersion) -> AffectedCharacter:
    """Return the effect of the new version of a pack on the character in a file.

    It is replayed with each version, and its other packs as installed.
    Raises UsageError for two different packs.
    """
    if old.id != new.id:
        raise UsageError(
            _(
                "{id} and {new_id} are two different packs, so their effect on a "
                "character cannot be compared"
            ).format(id=old.id, new_id=new.id),
            _("Compare two versions of one pack, or leave out the characters."),
        )
    document = reader.load(file)
    if old.id not in {document.ruleset, *(pin.id for pin in document.packs)}:
        return AffectedCharacter(file, document.name, document.level, used=False)
    before, after = (
        load_document(document, file, load_rules(document, file, {version.id: version.folder}))
        for version in (old, new)
    )
    pinned = next((pin for pin in document.packs if pin.id == old.id), None)
    if pinned is not None and not {pinned} & {*pins(before.ruleset), *pins(after.ruleset)}:
        return _affected_since_saved(file, after, pinned)
    changed = tuple(_real_differences(before.character, after.character))
    old_problems, new_problems = _rule_problems(before), _rule_problems(after)
    old_dormant, new_dormant = before.character.dormant, after.character.dormant
    return AffectedCharacter(
        file,
        document.name,
        document.level,
        used=True,
        level_text=_level_text(after),
        changed=changed,
        sources=_changed_sources(before.character, after.character, changed),
        legal=(not old_problems, not new_problems),
        problems=tuple(problem for problem in new_problems if problem not in old_problems),
        solved=tuple(problem for problem in old_problems if problem not in new_problems),
        dormant=tuple(name for name in new_dormant if name not in old_dormant),
        revived=tuple(name for name in old_dormant if name not in new_dormant),
    )


def _affected_since_saved(file: Path, after: LoadedCharacter, pinned: Pin) -> AffectedCharacter:
    """Return the effect on a character saved with neither version: against its summary."""
    update = pending_update(after)
    return AffectedCharacter(
        file,
        after.document.name,
        after.document.level,
        used=True,
        level_text=_level_text(after),
        changed=update.changed,
        legal=(True, not update.problems),
        problems=update.problems,
        dormant=tuple(name for name in update.dormant if may_be_asked(after.ruleset, name)),
        pinned=pinned,
    )


def _level_text(loaded: LoadedCharacter) -> str:
    advancement = loaded.ruleset.head.advancement
    return advancement.text_inside(loaded.document.level) if advancement.maximum > 1 else ""


def _real_differences(old: Character, new: Character) -> Iterator[Difference]:
    """Yield what differs, without entities that only have another id, or options another label."""
    all_differences, ruleset = differences(old, new), new.state.ruleset
    old_answers, new_answers = old.answers(), new.answers()
    holdings = [difference for difference in all_differences if difference.topic == "holding"]
    gained = {
        (difference.unit, difference.id, difference.new)
        for difference in holdings
        if difference.old is None
    }
    lost = {
        (difference.unit, ruleset.canonical(difference.id), difference.old)
        for difference in holdings
        if difference.new is None and difference.id not in ruleset.entities
    }
    for difference in all_differences:
        if difference.topic == "holding":
            key = (
                difference.unit,
                ruleset.canonical(difference.id),
                difference.old or difference.new,
            )
            real = key not in gained & lost
        elif difference.topic == "choice":
            answer = old_answers.get(difference.id, MISSING)
            real = answer is MISSING or answer != new_answers.get(difference.id)
        else:
            real = True
        if real:
            yield difference


def _rule_problems(opened: LoadedCharacter) -> tuple[Problem, ...]:
    """Return the problems of a character that come from the rules."""
    return tuple(problem for problem in opened.problems if problem.code not in FILE_PROBLEMS)


def _changed_sources(
    old: Character, new: Character, changed: Iterable[Difference]
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the names of the sources whose steps differ, by unit and id of each changed value."""
    sources = {}
    for difference in changed:
        if difference.topic == "value":
            old_steps, new_steps = _value_steps(old, difference), _value_steps(new, difference)
            names = [source_text(new, step[0]) for step in new_steps if step not in old_steps]
            names += [source_text(old, step[0]) for step in old_steps if step not in new_steps]
            sources[difference.unit, difference.id] = tuple(dict.fromkeys(names))
    return sources


def _value_steps(
    character: Character, difference: Difference
) -> list[tuple[str, str, int | float]]:
    """Return source, operation and amount of the steps of the value that a difference is about."""
    state = character.state
    for unit in state.units:
        if (unit.name if unit is not state.units[0] else "") == difference.unit:
            values = state.values(unit.id)
            if difference.id not in values:
                return []
            steps = values.explain(difference.id).steps
            return [(step.source, step.op, step.amount) for step in steps]
    return []
