"""Patches: changes of one pack to the files of another, made before anything is validated.

A patched part is validated like any other. Its errors are reported in the
patch, since the part was right before.
"""

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
    """A patch with its file and its number there."""

    path: Path
    number: int
    patch: Patch

    @property
    def where(self) -> Way:
        """Its place in its file."""
        return ("patches", self.number)


class PatchError(Exception):
    """A patch that cannot be applied; ``where`` is the part of the patch at fault."""

    def __init__(self, where: Way, message: str, near: str = "") -> None:
        super().__init__(message)
        self.where = where
        self.message = message
        self.nearest = near


def target(patch: Patch) -> tuple[str, str]:
    """Return the list and the id of the part that a patch changes; the head has no id."""
    if len(patch.at) == 1 and patch.at[0] != RULESET:
        return "entities", patch.at[0]
    return patch.at[0], "" if patch.at[0] == RULESET else patch.at[-1]


def path_to_target(data: Any, patch: Patch) -> Way:
    """Return the path, from the top of a part, to what a patch changes. Raises PatchError.

    The path is empty for a part of a page. In ``ruleset.yaml`` it follows
    ``at``: each word is the key of a map or the id of a list's item.
    """
    way: list[str | int] = []
    node = data
    named = patch.at[1:] if patch.at[0] == RULESET else ()
    for name in named:
        step = _step(node, name)
        way.append(step)
        node = node[step]
    if isinstance(node, list):
        message = f"{patch.at[-1]!r} is a list: name one of its ids after it, or add"
        raise PatchError(("at", len(patch.at) - 1), message)
    if not isinstance(node, dict):
        raise PatchError(("at",), f"{patch.named} is no part with keys")
    return tuple(way)


def _step(node: Any, name: str) -> str | int:
    """Return the key or the index of a name in a map or list. Raises PatchError."""
    if isinstance(node, dict):
        if name not in node:
            raise PatchError(("at",), f"there is no {name!r} here", nearest(name, map(str, node)))
        return name
    listed = node if isinstance(node, list) else ()
    ids = {part["id"]: at for at, part in enumerate(listed) if isinstance(_id(part), str)}
    if name not in ids:
        raise PatchError(("at",), f"nothing here has the id {name!r}", nearest(name, ids))
    return int(ids[name])


def apply_patch(data: Any, way: Way, patch: Patch) -> Any:
    """Return a part with a patch applied at a path. Raises PatchError."""
    if way:
        copy: Any = dict(data) if isinstance(data, dict) else list(data)
        copy[way[0]] = apply_patch(data[way[0]], way[1:], patch)
        return copy
    patched = dict(data)
    for key, value in patch.set.items():
        patched[key] = value
    for number, key in enumerate(patch.drop):
        if key not in patched:
            near = nearest(key, map(str, patched))
            raise PatchError(("drop", number), f"there is no {key!r} to drop", near)
        del patched[key]
    for key, more in patch.add.items():
        patched[key] = _added(patched.get(key), more, ("add", key))
    for key, gone in patch.remove.items():
        patched[key] = _removed(patched.get(key), gone, ("remove", key))
    return patched


def _added(present: Any, more: Any, where: Way) -> Any:
    """Return a list or map with more items."""
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
    raise PatchError(where, "only lists and maps can be added to; use set")


def _removed(present: Any, gone: Iterable[Any], where: Way) -> Any:
    """Return a list or map without some items."""
    if isinstance(present, str):
        present = [present]
    if not isinstance(present, dict | list):
        raise PatchError(where, "there is nothing to remove from")
    left: Any = dict(present) if isinstance(present, dict) else list(present)
    for number, one in enumerate(gone):
        found = [item for item in left if item == one or _id(item) == one]
        if not found:
            known = [str(_id(item) or item) for item in left]
            message = f"{one!r} is not there to remove"
            raise PatchError((*where, number), message, nearest(str(one), known))
        if isinstance(left, dict):
            del left[found[0]]
        else:
            left.remove(found[0])
    return left


def _id(item: Any) -> Any:
    return item.get("id") if isinstance(item, dict) else None


MAX_PATCHES = 1_000
Report = Callable[[Path, Way, str, str], None]


class _Applied(NamedTuple):
    """A patch that was applied, with the path in its target file and the data before it.

    ``part`` is the patched part at ``start``: an entry of a page, or the
    whole of ``ruleset.yaml``.
    """

    placed: LocatedPatch
    way: Way
    before: Any
    start: Way
    part: Any

    def plain(self, where: Way) -> Way:
        """Return a path without the model names that pydantic puts between the keys."""
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
        """Whether the patch changed the data at a path."""
        if where[: len(self.way)] != self.way:
            return False
        keys = where[len(self.way) : len(self.way) + 1]
        patch = self.placed.patch
        return bool(keys) and keys[0] in {*patch.set, *patch.add, *patch.drop, *patch.remove}

    def blame(self, where: Way) -> Way:
        """Return where in the patch the data at a path comes from."""
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

    def removal(self, name: str) -> Way | None:
        """Return where the patch takes a name away; None if it does not."""
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
        """Return the path inside of what was added: added items follow those that were there."""
        present = self.before.get(rest[0]) if isinstance(self.before, dict) else None
        number = rest[1] if len(rest) > 1 else 0
        if not isinstance(number, int):
            return rest[1:]
        number -= len(present) if isinstance(present, list) else int(present is not None)
        return (number, *rest[2:]) if number >= 0 else ()


class Patches:
    """The patches of all pages, in order.

    ``report`` is called for patches that cannot be applied. ``origin``
    finds the patch that made an error in a patched part.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._placed: list[LocatedPatch] = []
        self._applied: dict[Path, list[_Applied]] = {}
        self._pages: set[Path] = set()

    def collect(self, path: Path, data: Any) -> bool:
        """Collect the patches of a page; return whether all of them can be read."""
        self._pages.add(path)
        listed = data.get("patches") if isinstance(data, dict) else None
        complete = True
        for number, entry in enumerate(listed if isinstance(listed, list) else ()):
            if len(self._placed) == MAX_PATCHES:
                self._report(
                    path, ("patches", number), f"more than {MAX_PATCHES:,} patches in all", ""
                )
                return False
            try:
                self._placed.append(LocatedPatch(path, number, Patch.model_validate(entry)))
            except ValidationError:
                complete = False  # reported with its page
        return complete

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
        """Return a part with a patch applied, or unchanged if that is impossible."""
        try:
            way = path_to_target(data, placed.patch)
            made = apply_patch(data, way, placed.patch)
        except PatchError as fault:
            self._report(placed.path, (*placed.where, *fault.where), fault.message, fault.nearest)
            return data
        before = data
        for part in way:
            before = before[part]
        applied = _Applied(placed, (*where, *way), before, where, made)
        self._applied.setdefault(path, []).append(applied)
        return made

    def origin(self, path: Path, where: Way) -> tuple[Path, Way]:
        """Return where an error comes from: the last patch that made it, else the place itself."""
        applied = self._applied.get(path, ())
        for one in applied:
            where = one.plain(where)
        touching = [one for one in applied if one.touches(where)]
        related = [one for one in applied if one.way[: len(where)] == where[: len(one.way)] != ()]
        for one in (touching or related)[-1:]:
            return one.placed.path, one.blame(where)
        return path, where

    def removal_of(self, path: Path, where: Way, name: str) -> tuple[Path, Way] | None:
        """Return the patch that removed a name which an unpatched part still uses."""
        mine = self._applied.get(path, ())
        if not name or path in self._pages or any(one.touches(where) for one in mine):
            return None
        applied = [one for found in self._applied.values() for one in found]
        for one in reversed(applied):
            way = one.removal(name)
            if way is not None:
                return one.placed.path, way
        return None

    def touched(self, path: Path, where: Way) -> bool:
        """Whether a part was patched."""
        return any(one.way[: len(where)] == where for one in self._applied.get(path, ()))

    def without_target(
        self, known: dict[str, Iterable[str]]
    ) -> Iterator[tuple[LocatedPatch, str, str]]:
        """Yield the patches of parts that do not exist, with the message and the nearest id."""
        for one in self._placed:
            part, name = target(one.patch)
            if part == RULESET:
                continue
            if part not in known or (part != "entities" and len(one.patch.at) != 2):
                ways = ", ".join(f"[{way}, ID]" for way in PARTS[1:])
                message = f"'at' is an entity's id, {ways} or [{RULESET}, …]"
                yield one, message, nearest(part, known)
            elif name not in known[part]:
                what = part[:-3] + "y" if part.endswith("ies") else part[:-1]
                yield one, f"no {what} has the id {name!r}", nearest(name, known[part])


def _inside(node: Any, name: str | int) -> Any:
    """Return the value of a key or list number, or None."""
    if isinstance(node, dict):
        return node.get(name)
    return node[name] if isinstance(name, int) and name < len(node) else None


def _names(data: Any) -> set[str]:
    """Return every key and every text in data."""
    if isinstance(data, dict):
        return {*map(str, data), *(name for part in data.values() for name in _names(part))}
    if isinstance(data, list | tuple):
        return {name for part in data for name in _names(part)}
    return {data} if isinstance(data, str) else set()
