"""What differs between two versions of a pack, field by field, as data.

What the files mean is compared, not how they are spelt: models are, with
what a default says left out. Items of lists are matched by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from charforge.rules.models import Entity
from charforge.rules.ruleset import Ruleset

# An alias has everything else of what it stands for.
OF_ALIAS = {"id", "name", "source", "rulings", "alias_of"}
HASHABLE = (str, int, float, bool, type(None))

Way = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A field that differs; ``old`` or ``new`` is None where one side has nothing there.

    ``way`` leads to it: keys, ids of items, and numbers (from 1) of items without ids.
    """

    way: Way
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class Change:
    """A part of a pack that differs.

    ``part`` is one of pack, ruleset, entity, procedure, ruling, chart and
    patch; ``how`` one of added, removed, renamed and changed. ``was`` is
    the old id of what was renamed, ``why`` what a patch says of itself.
    """

    part: str
    how: str
    id: str
    name: str
    fields: tuple[Field, ...] = ()
    was: str = ""
    why: str = ""


def changes(old: Ruleset, new: Ruleset) -> Iterator[Change]:
    """Yield what differs between two rulesets, or one with two versions of a pack."""
    yield from whole("ruleset", new.id, new.head.name, old.head, new.head)
    yield from _entities(old, new)
    for part, was, now in (
        ("procedure", old.procedures, new.procedures),
        ("chart", old.charts, new.charts),
        ("ruling", old.rulings, new.rulings),
    ):
        yield from _parts(part, was, now)


def whole(part: str, name: str, label: str, old: BaseModel, new: BaseModel) -> Iterator[Change]:
    """Yield what differs in something that both sides have."""
    found = tuple(differing(_data(old), _data(new)))
    if found:
        yield Change(part, "changed", name, label, found)


def patched(old: Iterable[Mapping[str, Any]], new: Iterable[Mapping[str, Any]]) -> Iterator[Change]:
    """Yield the patches that came, went or changed, as they stand in the files."""
    was, now = _by_target(old), _by_target(new)
    for name in dict.fromkeys([*now, *was]):
        before, after = was.get(name), now.get(name)
        if before is None or after is None:
            patch = after or before or {}
            how = "added" if before is None else "removed"
            yield Change("patch", how, name, "", why=str(patch.get("why", "")))
        elif found := tuple(differing(before, after)):
            yield Change("patch", "changed", name, "", found, why=str(after.get("why", "")))


def _by_target(patches: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return patches by what they change, numbered where one thing has several."""
    found: dict[str, Mapping[str, Any]] = {}
    for patch in patches:
        at = patch["at"]
        name = at if isinstance(at, str) else ".".join(at)
        again = sum(key.partition("#")[0] == name for key in found)
        found[f"{name}#{again + 1}" if again else name] = patch
    return found


def _entities(old: Ruleset, new: Ruleset) -> Iterator[Change]:
    """Yield what differs among entities; one under an old id is the same one, renamed."""
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
            yield Change("entity", "added", entity.id, entity.name)
            continue
        was, now = _data(old.entities[former]), _data(entity)
        if former != entity.id:
            was = {**was, "id": entity.id, "renamed_from": now.get("renamed_from")}
        found = tuple(differing(was, now))
        if former != entity.id:
            yield Change("entity", "renamed", entity.id, entity.name, found, former)
        elif found:
            yield Change("entity", "changed", entity.id, entity.name, found)
    for entity in old.entities.values():
        if entity.id not in new.entities and entity.id not in renamed:
            yield Change("entity", "removed", entity.id, entity.name)


def _parts(part: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for name in dict.fromkeys([*new, *old]):
        before, after = old.get(name), new.get(name)
        model = after or before
        label = str(getattr(model, "label", "") or getattr(model, "title", ""))
        if before is None or after is None:
            yield Change(part, "added" if before is None else "removed", name, label)
        else:
            yield from whole(part, name, label, before, after)


def _data(model: BaseModel) -> dict[str, Any]:
    """Return what a model says beyond its defaults, with the keys of its files."""
    data = model.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    if isinstance(model, Entity):
        own = data.pop("own", {})
        data |= own
        if model.alias_of is not None:
            data = {key: value for key, value in data.items() if key in OF_ALIAS}
    return data


def differing(old: Any, new: Any, way: Way = ()) -> Iterator[Field]:
    """Yield where two parts differ, as deep inside as can be told."""
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            yield from differing(old.get(key), new.get(key), (*way, str(key)))
    elif isinstance(old, list) and isinstance(new, list) and old and new:
        yield from _items(old, new, way)
    else:
        yield Field(way, old, new)


def _items(old: list[Any], new: list[Any], way: Way) -> Iterator[Field]:
    """Yield which items came, went or changed; that only their order did, last of all."""
    was, now = _by_id(old), _by_id(new)
    if was is not None and now is not None:
        common = [name for name in was if name in now]
        for name in dict.fromkeys([*was, *now]):
            yield from differing(was.get(name), now.get(name), (*way, name))
        if common != [name for name in now if name in was]:
            yield Field((*way, "order"), [*was], [*now])
        return
    gone = _without(old, new)
    come = _without(new, old)
    if not gone and not come:
        yield Field((*way, "order"), old, new)
    elif all(isinstance(item, HASHABLE) for _number, item in (*gone, *come)):
        yield from (Field(way, item, None) for _number, item in gone)
        yield from (Field(way, None, item) for _number, item in come)
    else:
        for (_number, before), (number, after) in zip(gone, come, strict=False):
            yield from differing(before, after, (*way, str(number)))
        yield from (Field((*way, str(n)), one, None) for n, one in gone[len(come) :])
        yield from (Field((*way, str(n)), None, one) for n, one in come[len(gone) :])


def _by_id(items: list[Any]) -> dict[str, Any] | None:
    """Return the items of a list by their ids; None where they have none of their own."""
    names = [item.get("id") if isinstance(item, Mapping) else None for item in items]
    if None in names or len({*names}) < len(names):
        return None
    return dict(zip(map(str, names), items, strict=True))


def _without(items: list[Any], others: list[Any]) -> list[tuple[int, Any]]:
    """Return the items that others have not, each as often, with their numbers from 1."""
    left = list(others)
    found = []
    for number, item in enumerate(items, 1):
        if item in left:
            left.remove(item)
        else:
            found.append((number, item))
    return found
