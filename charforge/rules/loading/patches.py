"""Patches: changes of one pack to the files of another, applied before validation.

A patched part is validated like any other. Its errors are reported in the
patch, since the part was correct before. What is left of data once the parts
with errors are taken out can still be checked (``salvage``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from charforge.errors import nearest, shorten
from charforge.language import N_, _, format_number
from charforge.rules.errors import KeyPath, contains, schema_errors
from charforge.rules.models import RULESET, Patch

NAMED_BY = ("id", "name")  # keys by which a path names an item of a list
PARTS = ("entities", "procedures", "rulings", "charts")
NO_PART = {  # by what a patch would change
    "entities": N_("there is no entity with the id {name}"),
    "procedures": N_("there is no procedure with the id {name}"),
    "rulings": N_("there is no ruling with the id {name}"),
    "charts": N_("there is no chart with the id {name}"),
}
MAX_PATCHES = 1_000
PATCHES = "patches"  # the key of patches in the files of a pack
MOST_NAMED = 10  # items of a list, in an error
OnProblem = Callable[[Path, KeyPath, str, str], None]  # file, place, message, nearest name


@dataclass(frozen=True)
class LocatedPatch:
    """A patch with its file and its number there."""

    path: Path
    number: int
    patch: Patch

    @property
    def key_path(self) -> KeyPath:
        """The path of the patch in its file."""
        return ("patches", self.number)


class PatchError(Exception):
    """A patch that cannot be applied; ``key_path`` is the wrong part of the patch."""

    def __init__(self, key_path: KeyPath, message: str, near: str = "") -> None:
        super().__init__(message)
        self.key_path = key_path
        self.message = message
        self.nearest = near


def patches_by_target(patches: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return patches by their targets, numbered if a target has several."""
    by_target: dict[str, Mapping[str, Any]] = {}
    for patch in patches:
        at = patch["at"]
        name = at if isinstance(at, str) else ".".join(map(str, at))
        earlier = sum(key.partition("#")[0] == name for key in by_target)
        by_target[f"{name}#{earlier + 1}" if earlier else name] = patch
    return by_target


def target(patch: Patch) -> tuple[str, str]:
    """Return the list and the id of the part that a patch changes; the head has no id."""
    first, *more = patch.at
    if first == RULESET:
        return RULESET, ""
    if not more or "/" in first:
        return "entities", first
    return first, more[0]


def path_to_target(data: Any, patch: Patch) -> KeyPath:
    """Return the path, from the top of a part, to what a patch changes. Raises PatchError.

    It is empty for the part as a whole. Otherwise each word of ``at`` is the
    key of a map, or names an item of a list by its id, its name or its number.
    """
    path: list[str | int] = []
    for name in patch.at[2 if target(patch)[0] in PARTS[1:] else 1 :]:
        key = _key(data, name)
        path.append(key)
        data = data[key]
    if isinstance(data, list):
        message = _("{at} is a list: add one of its ids to the path, or use add").format(
            at=shorten(patch.at[-1])
        )
        raise PatchError(("at", len(patch.at) - 1), message)
    if not isinstance(data, dict):
        raise PatchError(("at",), _("{target} has no keys").format(target=patch.target_name))
    return tuple(path)


def _key(node: Any, name: str) -> str | int:
    """Return the key in a map, or the number in a list, of what a name stands for.

    Raises PatchError.
    """
    if isinstance(node, dict):
        if name not in node:
            raise PatchError(
                ("at",),
                _("there is no {name} here").format(name=shorten(name)),
                nearest(name, map(str, node)),
            )
        return name
    listed = node if isinstance(node, list) else []
    for key in NAMED_BY:
        found = [at for at, item in enumerate(listed) if _word(item, key) == name.casefold()]
        if len(found) > 1:
            numbers = _(" or ").join(str(at + 1) for at in found)
            message = _("{name} means several: name one by its number ({numbers})").format(
                name=shorten(name), numbers=numbers
            )
            raise PatchError(("at",), message)
        if found:
            return found[0]
    if name.isdecimal() and 1 <= int(name) <= len(listed):
        return int(name) - 1
    names = item_names(listed)
    near = nearest(name, names)
    message = _("nothing here has the id {name}").format(name=shorten(name))
    if names and not near:
        message = _("{problem}; there is {names}").format(
            problem=message, names=", ".join(names[:MOST_NAMED])
        )
    raise PatchError(("at",), message, near)


def _word(item: Any, key: str) -> str:
    """Return the id or the name of an item, in small letters; empty if it has none."""
    word = item.get(key) if isinstance(item, dict) else None
    return word.casefold() if isinstance(word, str) else ""


def item_names(listed: Sequence[Any]) -> list[str]:
    """Return how a path names each item of a list: by its id or its name, else by its number."""
    named = [[item[key] for key in NAMED_BY if _word(item, key)] for item in listed]
    times = Counter(word for names in named for word in {name.casefold() for name in names})
    return [
        names[0] if names and times[names[0].casefold()] == 1 else str(at)
        for at, names in enumerate(named, 1)
    ]


def patch_paths(data: Any, at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Yield the path of each map in a part of a pack, with what a patch can change there."""
    if isinstance(data, dict):
        yield at, {str(key): part for key, part in data.items() if key != "id"}
        for key, part in data.items():
            yield from patch_paths(part, (*at, str(key)))
    elif isinstance(data, list):
        for name, item in zip(item_names(data), data, strict=True):
            yield from patch_paths(item, (*at, name))


def apply_patch(data: Any, path: KeyPath, patch: Patch) -> Any:
    """Return a part with a patch applied at a path. Raises PatchError."""
    if path:
        copy: Any = dict(data) if isinstance(data, dict) else list(data)
        copy[path[0]] = apply_patch(data[path[0]], path[1:], patch)
        return copy
    patched = dict(data)
    for key, value in patch.set.items():
        patched[key] = value
    for number, key in enumerate(patch.drop):
        if key not in patched:
            near = nearest(key, map(str, patched))
            raise PatchError(
                ("drop", number), _("there is no {key} to drop").format(key=shorten(key)), near
            )
        del patched[key]
    for key, more in patch.add.items():
        patched[key] = _added(patched.get(key), more, ("add", key))
    for key, names in patch.remove.items():
        patched[key] = _removed(patched.get(key), names, ("remove", key))
    if "text" in {*patch.set, *patch.drop} and "digest" not in patch.set:
        patched.pop("digest", None)  # it sums up the text that was replaced
    return patched


def _added(present: Any, more: Any, key_path: KeyPath) -> Any:
    """Return a list or map with more items. Raises PatchError."""
    if isinstance(present, dict) and isinstance(more, dict):
        return {
            key: _added(present[key], more[key], (*key_path, key))
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
    raise PatchError(key_path, _("you can only add to lists and maps; use set"))


def _removed(present: Any, names: Iterable[Any], key_path: KeyPath) -> Any:
    """Return a list or map without some items, named by id or in full. Raises PatchError."""
    if isinstance(present, str):
        present = [present]
    if not isinstance(present, dict | list):
        raise PatchError(key_path, _("you can only remove from lists and maps"))
    left: Any = dict(present) if isinstance(present, dict) else list(present)
    for number, name in enumerate(names):
        matching = [item for item in left if item == name or _id(item) == name]
        if not matching:
            known = [str(_id(item) or item) for item in left]
            message = _("{name} is not in the list").format(name=shorten(name))
            raise PatchError((*key_path, number), message, nearest(str(name), known))
        if isinstance(left, dict):
            del left[matching[0]]
        else:
            left.remove(matching[0])
    return left


def _id(item: Any) -> Any:
    return item.get("id") if isinstance(item, dict) else None


def _text_at(data: Any, words: Iterable[str]) -> Any:
    """Return the data at a path in words; None if it leads nowhere."""
    try:
        for word in words:
            data = data[_key(data, word)]
    except PatchError:
        return None
    return data


class _Applied(NamedTuple):
    """A patch that was applied, with the path in its target file and the data before it.

    ``patched`` is the patched part, which is at ``start``: an entry of a
    page, or all of ``ruleset.yaml``.
    """

    located: LocatedPatch
    path: KeyPath
    before: Any
    start: KeyPath
    patched: Any

    def written_path(self, key_path: KeyPath) -> KeyPath:
        """Return a path in the patched part as it is written, without keys that models add."""
        path, data, rest = list(self.start), self.patched, key_path[len(self.start) :]
        for number, key in enumerate(rest, 1):
            if contains(data, key):
                data = data[key]
                path.append(key)
            elif number == len(rest) and isinstance(data, dict):
                path.append(key)  # a key that is missing
        return tuple(path)

    def touches(self, key_path: KeyPath) -> bool:
        """Return whether the patch changed the data at a path."""
        if key_path[: len(self.path)] != self.path:
            return False
        keys = key_path[len(self.path) : len(self.path) + 1]
        patch = self.located.patch
        return bool(keys) and keys[0] in {*patch.set, *patch.add, *patch.drop, *patch.remove}

    def blame(self, key_path: KeyPath) -> KeyPath:
        """Return where in the patch the data at a path comes from."""
        patch, start = self.located.patch, self.located.key_path
        rest = key_path[len(self.path) :] if key_path[: len(self.path)] == self.path else ()
        key = str(rest[0]) if rest else ""
        if key in patch.set:
            return (*start, "set", *rest)
        if key in patch.add:
            return (*start, "add", key, *self._path_in_added(rest))
        if key in patch.drop:
            return (*start, "drop", patch.drop.index(key))
        return (*start, "remove", key) if key in patch.remove else start

    def removal(self, name: str) -> KeyPath | None:
        """Return the key of the patch that removes a name; None if it does not."""
        patch, start, before = self.located.patch, self.located.key_path, self.before
        for number, key in enumerate(patch.drop):
            if name == key or name in names_in(before[key]):
                return (*start, "drop", number)
        for key, removed in patch.remove.items():
            for number, item in enumerate(removed):
                if name == item or name in names_in(item):
                    return (*start, "remove", key, number)
        for key, value in patch.set.items():
            if name in {*names_in(before.get(key))} - {*names_in(value)}:
                return (*start, "set", key)
        return None

    def _path_in_added(self, rest: KeyPath) -> KeyPath:
        """Return the path inside the added value: added items follow those that were there."""
        present = self.before.get(rest[0]) if isinstance(self.before, dict) else None
        number = rest[1] if len(rest) > 1 else 0
        if not isinstance(number, int):
            return rest[1:]
        number -= len(present) if isinstance(present, list) else int(present is not None)
        return (number, *rest[2:]) if number >= 0 else ()


def _changes_text(applied: _Applied, words: Sequence[str], text: str) -> bool:
    """Return whether a patch wrote a text or, if there is none, the smallest part around it."""
    while words and _text_at(applied.patched, words) is None:
        words = words[:-1]
    before = _text_at(applied.before, words[len(applied.path) - len(applied.start) :])
    is_written = isinstance(_text_at(applied.patched, words), str)
    return before != text if is_written else before is None


class Patches:
    """The patches of all pages, in order.

    ``on_problem`` is called for patches that cannot be applied. ``origin``
    finds the patch that made an error in a patched part.
    """

    def __init__(self, on_problem: OnProblem) -> None:
        self._on_problem = on_problem
        self._all: list[LocatedPatch] = []
        self._applied: dict[Path, list[_Applied]] = {}
        self._pages: set[Path] = set()

    def collect(self, path: Path, data: Any) -> bool:
        """Collect the patches of a page; return whether all of them can be read."""
        self._pages.add(path)
        listed = data.get("patches") if isinstance(data, dict) else None
        complete = True
        for number, entry in enumerate(listed if isinstance(listed, list) else ()):
            if len(self._all) == MAX_PATCHES:
                self._on_problem(
                    path,
                    ("patches", number),
                    _("more than {max_patches} patches in total").format(
                        max_patches=format_number(MAX_PATCHES, ",")
                    ),
                    "",
                )
                return False
            try:
                self._all.append(LocatedPatch(path, number, Patch.model_validate(entry)))
            except ValidationError:
                complete = False  # reported with its page
        return complete

    def head(self, path: Path, data: Any) -> Any:
        """Return the data of ``ruleset.yaml`` with its patches applied."""
        own = [located for located in self._all if target(located.patch)[0] == RULESET]
        for located in own if isinstance(data, dict) else ():
            data = self._apply(path, (), data, located)
        return data

    def page(self, path: Path, data: Any) -> Any:
        """Return the data of a page with the patches of its parts applied."""
        if not self._all or not isinstance(data, dict):
            return data
        entries = {part: data[part] for part in PARTS if isinstance(data.get(part), list)}
        patched = {
            part: [self._part(path, (part, n), entry) for n, entry in enumerate(listed)]
            for part, listed in entries.items()
        }
        return {**data, **patched}

    def _part(self, path: Path, key_path: KeyPath, entry: Any) -> Any:
        name = entry.get("id") if isinstance(entry, dict) else None
        for located in self._all:
            if target(located.patch) == (key_path[0], name):
                entry = self._apply(path, key_path, entry, located)
        return entry

    def _apply(self, path: Path, key_path: KeyPath, data: Any, located: LocatedPatch) -> Any:
        """Return a part with a patch applied, or unchanged if that is impossible."""
        try:
            inside = path_to_target(data, located.patch)
            patched = apply_patch(data, inside, located.patch)
        except PatchError as error:
            self._on_problem(
                located.path, (*located.key_path, *error.key_path), error.message, error.nearest
            )
            return data
        before = data
        for key in inside:
            before = before[key]
        applied = _Applied(located, (*key_path, *inside), before, key_path, patched)
        self._applied.setdefault(path, []).append(applied)
        return patched

    def origin(self, path: Path, key_path: KeyPath) -> tuple[Path, KeyPath]:
        """Return where an error comes from: the last patch that made it, else the place itself."""
        applied = self._applied.get(path, ())
        in_part = [patch for patch in applied if key_path[: len(patch.start)] == patch.start]
        if in_part:
            key_path = in_part[-1].written_path(key_path)
        touching = [patch for patch in applied if patch.touches(key_path)]
        related = [p for p in applied if p.path[: len(key_path)] == key_path[: len(p.path)] != ()]
        if touching or related:
            patch = (touching or related)[-1]
            return patch.located.path, patch.blame(key_path)
        return path, key_path

    def removal_of(self, path: Path, key_path: KeyPath, name: str) -> tuple[Path, KeyPath] | None:
        """Return the patch that removed a name which an unpatched part still uses."""
        own = self._applied.get(path, ())
        if not name or path in self._pages or any(patch.touches(key_path) for patch in own):
            return None
        applied = [patch for patches in self._applied.values() for patch in patches]
        for patch in reversed(applied):
            removal = patch.removal(name)
            if removal is not None:
                return patch.located.path, removal
        return None

    def touched(self, path: Path, key_path: KeyPath) -> bool:
        """Return whether a part was patched."""
        return any(patch.path[: len(key_path)] == key_path for patch in self._applied.get(path, ()))

    def writer(self, path: Path, key_path: KeyPath, words: Sequence[str], text: str) -> Path | None:
        """Return the page whose patch wrote a text; None for the page of the part itself.

        ``words`` is the path of the text in its part.
        """
        page: Path
        for applied in reversed(self._applied.get(path, ())):
            is_below = key_path[: len(applied.path)] == applied.path
            if is_below and _changes_text(applied, words, text):
                page = applied.located.path
                return page
        return None

    def without_target(
        self, known: dict[str, Iterable[str]]
    ) -> Iterator[tuple[LocatedPatch, str, str]]:
        """Yield the patches of parts that do not exist, with the message and the nearest id."""
        for located in self._all:
            part, name = target(located.patch)
            if part == RULESET:
                continue
            if part not in known:
                forms = ", ".join(f"[{part}, ID]" for part in PARTS[1:])
                message = _(
                    "'at' must be an entity's id, [ID, …], {forms} or [{ruleset}, …]"
                ).format(forms=forms, ruleset=RULESET)
                yield located, message, nearest(part, known)
            elif name not in known[part]:
                yield (
                    located,
                    _(NO_PART[part]).format(name=shorten(name)),
                    nearest(name, known[part]),
                )


MAX_ROUNDS = 30  # each takes out something more
ENTRY = 2  # the length of the path of an entry: its list and its number
FILLING = "0"  # in place of a missing text
Model = TypeVar("Model", bound=BaseModel)
OnErrors = Callable[[ValidationError], None]


class Salvage:
    """Data, and the paths of the parts that were taken out of it."""

    def __init__(self, data: Any) -> None:
        self._data = data
        self._removed: set[KeyPath] = set()
        self._filled: dict[str, str] = {}  # texts that are missing at the top

    @property
    def complete(self) -> bool:
        """Whether nothing was taken out."""
        return not self._removed and not self._filled

    def model(self, model: type[Model], on_errors: OnErrors) -> Model | None:
        """Return the model of what is left; None if too little is.

        ``on_errors`` gets the errors of the whole data, once.
        """
        for number in range(MAX_ROUNDS):
            rest = self._rest(self._data, ())
            try:
                return model.model_validate(rest)
            except ValidationError as error:
                if not number:
                    on_errors(error)
                places = [self.original(problem.key_path) for problem in schema_errors(error, rest)]
                removed = [self._remove(place) or self._fill(place) for place in places]
                if not all(removed):
                    return None
        return None

    @property
    def has_all_names(self) -> bool:
        """Whether ``names`` has the ids of all entries that were taken out."""
        whole = [self.at(path) for path in self._removed if len(path) <= ENTRY]
        return all(isinstance(part, dict) and "id" in part for part in whole)

    def is_whole(self, path: KeyPath) -> bool:
        """Return whether nothing was taken out of the part at a path."""
        return not any(removed[: len(path)] == path for removed in self._removed)

    def names(self) -> set[str]:
        """Return the names in what was taken out."""
        return {name for path in self._removed for name in names_with_slugs(self.at(path))}

    def original(self, key_path: KeyPath) -> KeyPath:
        """Return the path in the data of a path in what is left."""
        path: KeyPath = ()
        for part in key_path:
            if isinstance(part, int):
                for number in sorted(r[-1] for r in self._removed if r[:-1] == path):
                    part += isinstance(number, int) and number <= part
            path = (*path, part)
        return path

    def _remove(self, path: KeyPath) -> bool:
        """Take out the smallest part at a path; return whether there was any."""
        while path and (path in self._removed or not self._exists(path)):
            path = path[:-1]
        if path:
            self._removed.add(path)
        return bool(path)

    def _fill(self, path: KeyPath) -> bool:
        """Fill in a missing text at the top; return whether that is possible."""
        key = str(path[0]) if len(path) == 1 else ""
        if not key or key in self._filled:
            return False
        self._filled[key] = FILLING
        return True

    def _exists(self, path: KeyPath) -> bool:
        data = self._data
        for part in path:
            if not contains(data, part):
                return False
            data = data[part]
        return True

    def at(self, path: KeyPath) -> Any:
        """Return the data at a path, before anything was taken out."""
        data = self._data
        for part in path:
            data = data[part]
        return data

    def _rest(self, data: Any, path: KeyPath) -> Any:
        """Return data without what was taken out."""
        if path and self.is_whole(path):
            return data
        if isinstance(data, dict):
            rest = {
                key: self._rest(part, (*path, key))
                for key, part in data.items()
                if (*path, key) not in self._removed
            }
            return rest if path else {**rest, **self._filled}
        if isinstance(data, list):
            return [
                self._rest(part, (*path, number))
                for number, part in enumerate(data)
                if (*path, number) not in self._removed
            ]
        return data


def names_in(data: Any) -> Iterable[str]:
    """Yield every key and every text in data."""
    if isinstance(data, dict):
        for key, part in data.items():
            yield str(key)
            yield from names_in(part)
    elif isinstance(data, list | tuple):
        for part in data:
            yield from names_in(part)
    elif isinstance(data, str):
        yield data


def names_with_slugs(data: Any) -> set[str]:
    """Return every key and text in data, and of ids also the part after the slash."""
    names = {*names_in(data)}
    return names | {name.rpartition("/")[2] for name in names}
