"""From a folder of YAML to a Ruleset, or to every fault in it at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from charforge.content import cache, lint, source
from charforge.content.models import Entity, Head, Kind, Page, Ruling
from charforge.content.ruleset import Ruleset
from charforge.errors import Fault, PackError, UnknownId, nearest
from charforge.paths import data_folder

HEAD = "ruleset.yaml"
PLAIN = {
    "extra_forbidden": "unknown key",
    "missing": "this key is missing",
}
Where = tuple[str | int, ...]


def catalog_folder() -> Path:
    """Return the folder of the built-in packs."""
    return data_folder("catalog")


def available() -> list[str]:
    """Return the ids of the built-in rulesets."""
    return sorted(path.parent.name for path in catalog_folder().glob(f"*/{HEAD}"))


def default_ruleset() -> str:
    """Return the id of the ruleset that is meant when none is named."""
    return str(source.read(catalog_folder() / "index.yaml")["default"])


def load(ruleset: str) -> Ruleset:
    """Load a built-in ruleset by id; UnknownId names the nearest one."""
    known = available()
    if ruleset not in known:
        raise UnknownId("ruleset", ruleset, known)
    return load_folder(catalog_folder() / ruleset)


def load_folder(folder: Path) -> Ruleset:
    """Load the pack in ``folder``. Raises PackError with every fault."""
    if not (folder / HEAD).is_file():
        raise PackError([Fault(folder, 1, 1, "", f"no {HEAD} in this folder")])
    files = sorted(folder.glob("*.yaml"))
    digest = _hash(files)
    loaded = cache.fetch(digest)
    if loaded is None:
        loaded = _read(folder, files, digest)
        cache.keep(loaded)
    return loaded


def _read(folder: Path, files: list[Path], digest: str) -> Ruleset:
    """Read a pack from its YAML. Raises PackError with every fault."""
    faults: list[Fault] = []
    raw: dict[Path, Any] = {}
    for path in files:
        try:
            raw[path] = source.read(path)
        except PackError as error:
            faults.extend(error.faults)
    if faults:
        raise PackError(faults)
    head = _head(folder / HEAD, raw.pop(folder / HEAD), faults)
    if head is None:
        raise PackError(faults)
    places: dict[str, tuple[Path, Where]] = {}
    entities: dict[str, Entity] = {}
    rulings: dict[str, Ruling] = {}
    kinds = {kind.id: kind for kind in head.kinds}
    for path, data in raw.items():
        page = _page(path, data, faults)
        for number, entry in enumerate(page.entities):
            entity = _entity(path, number, entry, kinds, faults)
            if entity is None:
                continue
            if entity.id in entities:
                faults.append(
                    _fault(path, ("entities", number, "id"), f"{entity.id} exists already")
                )
            entities[entity.id] = entity
            places[entity.id] = (path, ("entities", number))
        rulings.update((ruling.id, ruling) for ruling in page.rulings)
    entities = {name: _with_alias(entity, entities) for name, entity in entities.items()}
    loaded = Ruleset(head, entities, rulings, digest)
    if not faults:
        for name, where, message, near, culprit in lint.check(loaded):
            path, start = places.get(name, (folder / HEAD, ()))
            faults.append(_fault(path, (*start, *where), message, near, culprit))
    if faults:
        raise PackError(faults)
    return loaded


def _hash(files: Iterable[Path]) -> str:
    """Return the SHA-256 of a pack's files, names included."""
    digest = hashlib.sha256()
    for path in files:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise PackError([Fault(path, 1, 1, "", error.strerror or str(error))]) from error
        digest.update(f"{path.name}\x1f{len(data)}\x1f".encode() + data)
    return digest.hexdigest()


def _head(path: Path, data: Any, faults: list[Fault]) -> Head | None:
    try:
        return Head.model_validate(data)
    except ValidationError as error:
        faults.extend(_located(path, (), error))
        return None


def _page(path: Path, data: Any, faults: list[Fault]) -> Page:
    try:
        return Page.model_validate({} if data is None else data)
    except ValidationError as error:
        faults.extend(_located(path, (), error))
        return Page()


def _entity(
    path: Path, number: int, entry: dict[str, Any], kinds: Mapping[str, Kind], faults: list[Fault]
) -> Entity | None:
    """Validate one entry, its kind's own fields split off."""
    where: Where = ("entities", number)
    kind = kinds.get(str(entry.get("id", "")).split("/", 1)[0])
    if kind is None:
        near = nearest(str(entry.get("id", "")), kinds)
        message = f"no kind of entity is named in the id {entry.get('id')!r}"
        faults.append(_fault(path, (*where, "id"), message, near))
        return None
    common = {key: value for key, value in entry.items() if key not in kind.fields}
    own = {key: value for key, value in entry.items() if key in kind.fields}
    for key, value in own.items():
        if not lint.fits(value, kind.fields[key].type):
            message = f"must be a {kind.fields[key].type}"
            faults.append(_fault(path, (*where, key), message))
    try:
        return Entity.model_validate({**common, "own": own} if own else common)
    except ValidationError as error:
        faults.extend(_located(path, where, error, kind.fields))
        return None


def _with_alias(entity: Entity, entities: Mapping[str, Entity]) -> Entity:
    """Give an alias everything of what it stands for, under its own name."""
    target = entities.get(entity.alias_of or "")
    if target is None:
        return entity
    kept = ("id", "name", "source", "rulings", "alias_of")
    return target.model_copy(update={name: getattr(entity, name) for name in kept})


def _fault(path: Path, where: Where, message: str, near: str = "", culprit: str = "") -> Fault:
    line, column = source.locate(path, where, culprit)
    field = ".".join(str(part) for part in where if not isinstance(part, int))
    return Fault(path, line, column, field.removeprefix("entities."), message, near)


def _located(
    path: Path, start: Where, error: ValidationError, own: Iterable[str] = ()
) -> Iterator[Fault]:
    """Turn pydantic's errors into faults with lines and the nearest key."""
    for item in error.errors(include_url=False):
        where = (*start, *item["loc"])
        message = PLAIN.get(item["type"], item["msg"].removeprefix("Value error, "))
        near = ""
        if item["type"] == "extra_forbidden":
            known = [*lint.known_keys(), *own]
            near = nearest(str(item["loc"][-1]), known)
        yield _fault(path, where, message, near)
