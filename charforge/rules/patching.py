"""Patches: what one pack changes in the files of another, before anything is validated.

A patched part is judged like any other; what is wrong with it then is
looked for in the patch, since the part was right before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charforge.errors import nearest
from charforge.rules.models import RULESET, Patch
from charforge.rules.symbols import Way

PARTS = ("entities", "procedures", "rulings", "charts")


@dataclass(frozen=True)
class Placed:
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


def way_to(data: Any, patch: Patch) -> Way:
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


def amend(data: Any, way: Way, patch: Patch) -> Any:
    """Return a part with a patch applied along a way. Raises PatchFault."""
    if way:
        made: Any = dict(data) if isinstance(data, dict) else list(data)
        made[way[0]] = amend(data[way[0]], way[1:], patch)
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
