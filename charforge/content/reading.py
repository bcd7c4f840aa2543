"""From the YAML of a pack to its models, and from their mistakes to lines of its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from charforge.content import models, source
from charforge.content.lint import Linter
from charforge.content.marks import places
from charforge.content.models import Entity, Head, Kind, Page, Procedure, Ruling
from charforge.content.names import Way
from charforge.content.ruleset import Ruleset
from charforge.errors import Fault, PackError, nearest

PLAIN = {
    "extra_forbidden": "unknown key",
    "missing": "this key is missing",
}
NAMED_BY_OTHERS = {"id", "tags", "choices", "alias_of", "renamed_from"}
TYPES: dict[str, type] = {"text": str, "number": int, "flag": bool, "list": list}
Part = TypeVar("Part", Entity, Ruling, Procedure)
File = TypeVar("File", Head, Page)


def read(head: Path, pages: Iterable[Path], digest: str) -> Ruleset:
    """Return the ruleset of a pack's files. Raises PackError with every fault."""
    return _Reading().ruleset(head, pages, digest)


class _Reading:
    """What was read of one pack, where each part stands, and every fault on the way.

    ``whole`` turns False when something was lost that a name might mean:
    then names cannot be judged.
    """

    def __init__(self) -> None:
        self.whole = True
        self.faults: list[Fault] = []
        self.parts: list[tuple[Path, Way, Head | Entity | Ruling | Procedure]] = []
        self.kinds: dict[str, Kind] = {}
        self.entities: dict[str, Entity] = {}
        self.rulings: dict[str, Ruling] = {}
        self.procedures: dict[str, Procedure] = {}

    def ruleset(self, path: Path, pages: Iterable[Path], digest: str) -> Ruleset:
        """Read everything, then check everything that came of it."""
        head = self._head(path)
        for page in pages:
            self._page(page)
        if head is not None and self.whole:
            self._lint(Ruleset(head, self.entities, self.rulings, digest, self.procedures))
        if head is None or self.faults:
            raise PackError(_in_order(self.faults))
        entities = {name: _with_alias(one, self.entities) for name, one in self.entities.items()}
        return Ruleset(head, entities, self.rulings, digest, self.procedures)

    def _head(self, path: Path) -> Head | None:
        """Read ``ruleset.yaml``; its kinds serve the pages even where the rest is faulty."""
        head, data = self._model(Head, path)
        if head is not None:
            self.parts.append((path, (), head))
            self.kinds = {kind.id: kind for kind in head.kinds}
        elif isinstance(data, dict):
            self.kinds = _kinds(data.get("kinds"))
        return head

    def _page(self, path: Path) -> None:
        """Read another file: its rulings and procedures, and its entities one by one."""
        page, _data = self._model(Page, path, empty={})
        if page is None:
            return
        for number, ruling in enumerate(page.rulings):
            self._keep(path, ("rulings", number), ruling, self.rulings)
        for number, procedure in enumerate(page.procedures):
            self._keep(path, ("procedures", number), procedure, self.procedures)
        for number, entry in enumerate(page.entities if self.kinds else ()):
            self._entity(path, ("entities", number), entry)

    def _model(self, model: type[File], path: Path, empty: Any = None) -> tuple[File | None, Any]:
        """Return a file's model, if it is one, and its data."""
        data = None
        try:
            data = source.read(path)
            return model.model_validate(empty if data is None else data), data
        except PackError as error:
            self.faults += error.faults
        except ValidationError as error:
            self.faults += _located(path, (), error)
        self.whole = False
        return None, data

    def _keep(self, path: Path, where: Way, part: Part, known: dict[str, Part]) -> None:
        """Keep a part with its place; its id must be new."""
        if part.id in known:
            self.faults.append(_fault(path, (*where, "id"), f"{part.id} exists already"))
        known.setdefault(part.id, part)
        self.parts.append((path, where, part))

    def _entity(self, path: Path, where: Way, entry: dict[str, Any]) -> None:
        """Validate one entry, its kind's own fields split off."""
        name = str(entry.get("id", ""))
        kind = self.kinds.get(name.partition("/")[0])
        if kind is None:
            near = nearest(name.partition("/")[0], self.kinds)
            message = f"no kind of entity is named in the id {entry.get('id')!r}"
            self.faults.append(_fault(path, (*where, "id"), message, near))
            self.whole = False
            return
        common = {key: value for key, value in entry.items() if key not in kind.fields}
        own = {key: value for key, value in entry.items() if key in kind.fields}
        for key, value in own.items():
            if not _fits(value, kind.fields[key].type):
                message = f"must be a {kind.fields[key].type}"
                self.faults.append(_fault(path, (*where, key), message))
        data = {**common, "own": own} if own else common
        try:
            entity = Entity.model_validate(data)
        except ValidationError as error:
            self.faults += _located(path, where, error, kind.fields)
            self._salvage(data, error)
        else:
            self._keep(path, where, entity, self.entities)

    def _salvage(self, data: dict[str, Any], error: ValidationError) -> None:
        """Keep what others may name of a faulty entity, so that names can still be judged."""
        faulty = {item["loc"][0] for item in error.errors(include_url=False)}
        if faulty & NAMED_BY_OTHERS:
            self.whole = False
            return
        named = {key: data[key] for key in NAMED_BY_OTHERS & data.keys()}
        entity = Entity.model_validate({"name": "", "source": "", **named})
        self.entities.setdefault(entity.id, entity)

    def _lint(self, ruleset: Ruleset) -> None:
        """Check every part against the whole."""
        linter = Linter(ruleset)
        for path, start, part in self.parts:
            for found in linter.check(part):
                way = (*start, *found.where)
                self.faults.append(_fault(path, way, found.message, found.nearest, found.culprit))


def _kinds(data: Any) -> dict[str, Kind]:
    """Return the kinds of a faulty ``ruleset.yaml``; none where they are faulty themselves."""
    try:
        kinds = TypeAdapter(tuple[Kind, ...]).validate_python(data)
    except ValidationError:
        return {}  # reported with the whole file
    return {kind.id: kind for kind in kinds}


def _with_alias(entity: Entity, entities: Mapping[str, Entity]) -> Entity:
    """Give an alias everything of what it stands for, under its own name."""
    target = entities.get(entity.alias_of or "")
    if target is None:
        return entity
    kept = ("id", "name", "source", "rulings", "alias_of")
    return target.model_copy(update={name: getattr(entity, name) for name in kept})


def _fits(value: object, wanted: str) -> bool:
    """Whether a YAML value is of a field's declared type."""
    if wanted == "number" and isinstance(value, bool):
        return False
    return isinstance(value, TYPES[wanted])


def _known_keys() -> set[str]:
    """Return every key any model knows: the pool for 'did you mean'."""
    kinds = [found for found in vars(models).values() if isinstance(found, type)]
    shapes = [found for found in kinds if issubclass(found, BaseModel)]
    return {place.key for shape in shapes for place in places(shape)}


def _fault(path: Path, where: Way, message: str, near: str = "", culprit: str = "") -> Fault:
    line, column = source.locate(path, where, culprit)
    field = ".".join(str(part) for part in where if not isinstance(part, int))
    return Fault(path, line, column, field.removeprefix("entities."), message, near)


def _located(
    path: Path, start: Way, error: ValidationError, own: Iterable[str] = ()
) -> Iterator[Fault]:
    """Turn pydantic's errors into faults with lines and the nearest key."""
    for item in error.errors(include_url=False):
        message = PLAIN.get(item["type"], item["msg"].removeprefix("Value error, "))
        near = ""
        if item["type"] == "extra_forbidden":
            near = nearest(str(item["loc"][-1]), sorted({*_known_keys(), *own}))
        yield _fault(path, (*start, *item["loc"]), message, near)


def _in_order(faults: Iterable[Fault]) -> list[Fault]:
    """Return faults as they stand in the files; what anchors repeat is said once."""
    once = {(fault.file, fault.line, fault.column, fault.message): fault for fault in faults}
    return [once[place] for place in sorted(once)]
