"""The patches of the packs in use: applied to what was read, and blamed for what is wrong then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from charforge.errors import nearest
from charforge.rules.models import RULESET, Patch
from charforge.rules.symbols import Way

PARTS = ("entities", "procedures", "rulings", "charts")


@dataclass(frozen=True)
class LocatedPatch:
    """A patch with its place: its file, and its number in it."""

    path: Path
    number: int
    patch: Patch

    @property
    def where(self) -> Way:
        """Its way in its file."""
        return ("patches", self.number)


class PatchFault(Exception):
    """Something that a patch cannot do, at a part of it."""

    def __init__(self, where: Way, message: str, near: str = "") -> None:
        super().__init__(message)
        self.where = where
        self.message = message
        self.nearest = near


def target(patch: Patch) -> tuple[str, str]:
    """Return the part of a page that a patch is about: its list and id; of the head ``ruleset``."""
    if len(patch.at) == 1 and patch.at[0] != RULESET:
        return "entities", patch.at[0]
    return patch.at[0], "" if patch.at[0] == RULESET else patch.at[-1]


def patched_node(data: Any, patch: Patch) -> Way:
    """Return the way, in a part, to what a patch changes there. Raises PatchFault.

    A part of a page is changed itself; in ``ruleset.yaml`` the ids of
    ``at`` lead on, each the key of a map or the id of a list's item.
    """
    way: list[str | int] = []
    node = data
    named = patch.at[1:] if patch.at[0] == RULESET else ()
    for name in named:
        step = _step(node, name)
        way.append(step)
        node = node[step]
    if isinstance(node, list):
        told = f"{patch.at[-1]!r} is a list: name one of its ids after it, or add"
        raise PatchFault(("at", len(patch.at) - 1), told)
    if not isinstance(node, dict):
        raise PatchFault(("at",), f"{patch.named} is no part with keys")
    return tuple(way)


def _step(node: Any, name: str) -> str | int:
    """Return the key or index that a name means in a node. Raises PatchFault."""
    if isinstance(node, dict):
        if name not in node:
            raise PatchFault(("at",), f"there is no {name!r} here", nearest(name, map(str, node)))
        return name
    listed = node if isinstance(node, list) else ()
    ids = {part["id"]: at for at, part in enumerate(listed) if isinstance(_id(part), str)}
    if name not in ids:
        raise PatchFault(("at",), f"nothing here has the id {name!r}", nearest(name, ids))
    return int(ids[name])


def apply_patch(data: Any, way: Way, patch: Patch) -> Any:
    """Return a part with a patch applied along a way. Raises PatchFault."""
    if way:
        made: Any = dict(data) if isinstance(data, dict) else list(data)
        made[way[0]] = apply_patch(data[way[0]], way[1:], patch)
        return made
    made = dict(data)
    for key, value in patch.set.items():
        made[key] = value
    for number, key in enumerate(patch.drop):
        if key not in made:
            near = nearest(key, map(str, made))
            raise PatchFault(("drop", number), f"there is no {key!r} to drop", near)
        del made[key]
    for key, more in patch.add.items():
        made[key] = _added(made.get(key), more, ("add", key))
    for key, gone in patch.remove.items():
        made[key] = _removed(made.get(key), gone, ("remove", key))
    return made


def _added(present: Any, more: Any, where: Way) -> Any:
    """Return a list or map with more in it."""
    if isinstance(present, dict) and isinstance(more, dict):
        return {
            key: _added(present[key], more[key], (*where, key))
            if key in present and key in more and isinstance(present[key], dict | list)
            else more.get(key, present.get(key))
            for key in {**present, **more}
        }
    listed = more if isinstance(more, list) else [more]
    if present is None:
        return more
    if isinstance(present, list):
        return [*present, *listed]
    if isinstance(present, str) and isinstance(more, str | list):
        return [present, *listed]  # one id where several may stand
    raise PatchFault(where, "only lists and maps can be added to; use set")


def _removed(present: Any, gone: Iterable[Any], where: Way) -> Any:
    """Return a list or map without some of it."""
    if isinstance(present, str):
        present = [present]
    if not isinstance(present, dict | list):
        raise PatchFault(where, "there is nothing to remove from")
    left: Any = dict(present) if isinstance(present, dict) else list(present)
    for number, one in enumerate(gone):
        found = [item for item in left if item == one or _id(item) == one]
        if not found:
            known = [str(_id(item) or item) for item in left]
            message = f"{one!r} is not there to remove"
            raise PatchFault((*where, number), message, nearest(str(one), known))
        if isinstance(left, dict):
            del left[found[0]]
        else:
            left.remove(found[0])
    return left


def _id(item: Any) -> Any:
    return item.get("id") if isinstance(item, dict) else None


MOST_PATCHES = 1_000
Report = Callable[[Path, Way, str, str], None]


class _Applied(NamedTuple):
    """A patch that was applied at a way in a file, to what stood there before.

    ``part`` is what stands at ``start`` since: an entry of a page, or all of a head.
    """

    placed: LocatedPatch
    way: Way
    before: Any
    start: Way
    part: Any

    def plain(self, where: Way) -> Way:
        """Return a way without the words for sorts of question or step, which are no keys."""
        if where[: len(self.start)] != self.start:
            return where
        found, node, rest = list(self.start), self.part, where[len(self.start) :]
        for number, name in enumerate(rest, 1):
            keyed = isinstance(node, dict) and (name in node or number == len(rest))
            if keyed or (isinstance(node, list) and isinstance(name, int)):
                found.append(name)
                node = _inside(node, name)
        return tuple(found)

    def touches(self, where: Way) -> bool:
        """Whether it changed what stands at ``where``."""
        if where[: len(self.way)] != self.way:
            return False
        keys = where[len(self.way) : len(self.way) + 1]
        patch = self.placed.patch
        return bool(keys) and keys[0] in {*patch.set, *patch.add, *patch.drop, *patch.remove}

    def blame(self, where: Way) -> Way:
        """Return where in its file the patch says what is wrong at ``where``."""
        patch, start = self.placed.patch, self.placed.where
        rest = where[len(self.way) :] if where[: len(self.way)] == self.way else ()
        key = str(rest[0]) if rest else ""
        if key in patch.set:
            return (*start, "set", *rest)
        if key in patch.add:
            return (*start, "add", key, *self._among_added(rest))
        if key in patch.drop:
            return (*start, "drop", patch.drop.index(key))
        return (*start, "remove", key) if key in patch.remove else start

    def taking(self, name: str) -> Way | None:
        """Return where in its file the patch takes a name away; None where it does not."""
        patch, start, before = self.placed.patch, self.placed.where, self.before
        for number, key in enumerate(patch.drop):
            if name == key or name in _names(before[key]):
                return (*start, "drop", number)
        for key, gone in patch.remove.items():
            for number, one in enumerate(gone):
                if name == one or name in _names(one):
                    return (*start, "remove", key, number)
        for key, fresh in patch.set.items():
            if name in _names(before.get(key)) - _names(fresh):
                return (*start, "set", key)
        return None

    def _among_added(self, rest: Way) -> Way:
        """Return the way inside of what was added: items stand after those that were there."""
        present = self.before.get(rest[0]) if isinstance(self.before, dict) else None
        number = rest[1] if len(rest) > 1 else 0
        if not isinstance(number, int):
            return rest[1:]
        number -= len(present) if isinstance(present, list) else int(present is not None)
        return (number, *rest[2:]) if number >= 0 else ()


class Patches:
    """The patches of all pages, in order.

    ``report`` is told what cannot be applied; ``blamed`` answers where a
    fault of a patched part is to be mended.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._placed: list[LocatedPatch] = []
        self._applied: dict[Path, list[_Applied]] = {}
        self._pages: set[Path] = set()

    def take(self, path: Path, data: Any) -> bool:
        """Collect the patches of a page; say whether all of them can be read."""
        self._pages.add(path)
        listed = data.get("patches") if isinstance(data, dict) else None
        whole = True
        for number, entry in enumerate(listed if isinstance(listed, list) else ()):
            if len(self._placed) == MOST_PATCHES:
                told = f"more than {MOST_PATCHES:,} patches in all"
                self._report(path, ("patches", number), told, "")
                return False
            try:
                self._placed.append(LocatedPatch(path, number, Patch.model_validate(entry)))
            except ValidationError:
                whole = False  # reported with its page
        return whole

    def head(self, path: Path, data: Any) -> Any:
        """Return the data of ``ruleset.yaml`` with its patches applied."""
        mine = [placed for placed in self._placed if target(placed.patch)[0] == RULESET]
        for placed in mine if isinstance(data, dict) else ():
            data = self._apply(path, (), data, placed)
        return data

    def page(self, path: Path, data: Any) -> Any:
        """Return the data of a page with the patches of its parts applied."""
        if not self._placed or not isinstance(data, dict):
            return data
        made = dict(data)
        for part in PARTS:
            if isinstance(made.get(part), list):
                made[part] = [
                    self._part(path, (part, number), entry)
                    for number, entry in enumerate(made[part])
                ]
        return made

    def _part(self, path: Path, where: Way, entry: Any) -> Any:
        name = entry.get("id") if isinstance(entry, dict) else None
        for placed in self._placed:
            if target(placed.patch) == (where[0], name):
                entry = self._apply(path, where, entry, placed)
        return entry

    def _apply(self, path: Path, where: Way, data: Any, placed: LocatedPatch) -> Any:
        """Return a part patched, or as it was where that cannot be done."""
        try:
            way = patched_node(data, placed.patch)
            made = apply_patch(data, way, placed.patch)
        except PatchFault as fault:
            self._report(placed.path, (*placed.where, *fault.where), fault.message, fault.nearest)
            return data
        before = data
        for part in way:
            before = before[part]
        applied = _Applied(placed, (*where, *way), before, where, made)
        self._applied.setdefault(path, []).append(applied)
        return made

    def blamed(self, path: Path, where: Way) -> tuple[Path, Way]:
        """Return where a fault is to be mended: in the last patch that made it, if one did."""
        applied = self._applied.get(path, ())
        for one in applied:
            where = one.plain(where)
        touching = [one for one in applied if one.touches(where)]
        related = [one for one in applied if one.way[: len(where)] == where[: len(one.way)] != ()]
        for one in (touching or related)[-1:]:
            return one.placed.path, one.blame(where)
        return path, where

    def taking(self, path: Path, where: Way, name: str) -> tuple[Path, Way] | None:
        """Return where a name was taken away that a part which no patch touched still uses."""
        mine = self._applied.get(path, ())
        if not name or path in self._pages or any(one.touches(where) for one in mine):
            return None
        applied = [one for found in self._applied.values() for one in found]
        for one in reversed(applied):
            way = one.taking(name)
            if way is not None:
                return one.placed.path, way
        return None

    def touched(self, path: Path, where: Way) -> bool:
        """Whether a part was patched."""
        return any(one.way[: len(where)] == where for one in self._applied.get(path, ()))

    def unmet(self, known: dict[str, Iterable[str]]) -> Iterator[tuple[LocatedPatch, str, str]]:
        """Yield the patches of what is not there: with the reason and the nearest right name."""
        for one in self._placed:
            part, name = target(one.patch)
            if part == RULESET:
                continue
            if part not in known or (part != "entities" and len(one.patch.at) != 2):
                ways = ", ".join(f"[{way}, ID]" for way in PARTS[1:])
                told = f"'at' is an entity's id, {ways} or [{RULESET}, …]"
                yield one, told, nearest(part, known)
            elif name not in known[part]:
                what = part[:-3] + "y" if part.endswith("ies") else part[:-1]
                yield one, f"no {what} has the id {name!r}", nearest(name, known[part])


def _inside(node: Any, name: str | int) -> Any:
    """Return what stands under a key or number; nothing where none is."""
    if isinstance(node, dict):
        return node.get(name)
    return node[name] if isinstance(name, int) and name < len(node) else None


def _names(data: Any) -> set[str]:
    """Return every key and every word of a part of a pack."""
    if isinstance(data, dict):
        return {*map(str, data), *(name for part in data.values() for name in _names(part))}
    if isinstance(data, list | tuple):
        return {name for part in data for name in _names(part)}
    return {data} if isinstance(data, str) else set()
