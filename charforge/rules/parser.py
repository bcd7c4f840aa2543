"""From the YAML of a pack to its models, and from their mistakes to lines of its files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from charforge.errors import PackError, PackProblem, nearest
from charforge.rules import models, yaml_source
from charforge.rules.errors import schema_errors, wrong_type
from charforge.rules.models import (
    Chart,
    Entity,
    Head,
    Kind,
    PackFile,
    PackHead,
    Procedure,
    Ruling,
    Sample,
)
from charforge.rules.models.base import model_fields
from charforge.rules.patches import Patches
from charforge.rules.references import Linter
from charforge.rules.ruleset import Pack, Ruleset
from charforge.rules.symbols import Way

NAMED_BY_OTHERS = {"id", "tags", "choices", "alias_of", "renamed_from"}
TYPES: dict[str, tuple[type, str]] = {
    "text": (str, "string_type"),
    "number": (int, "int_type"),
    "flag": (bool, "bool_type"),
    "list": (list, "list_type"),
}
# Far more than any game has, and few enough to be read and judged in a moment.
MOST_ENTITIES = 10_000
MOST_FAULTS = 200
AMEND = "exists already; to change it, write a patch"
Part = TypeVar("Part", Entity, Ruling, Procedure, Chart)
File = TypeVar("File", Head, PackFile, PackHead, Sample)


class PackFiles(NamedTuple):
    """A pack that amends a ruleset, with its pages."""

    pack: Pack
    pages: tuple[Path, ...]


def read_pack_head(path: Path) -> PackHead:
    """Read a ``pack.yaml``. Raises PackError."""
    reading = PackReader(())
    head, _data = reading._model(PackHead, path)
    if head is None:
        raise PackError(sorted_faults(reading.faults))
    return head


def read_sample(path: Path) -> tuple[Sample, PackReader]:
    """Read a sample, and what more faults of it can be added to. Raises PackError."""
    reading = PackReader(())
    reading.data[path] = yaml_source.read(path, plain=True)  # as in answers, words are text
    sample, _data = reading._model(Sample, path)
    if sample is None:
        raise PackError(sorted_faults(reading.faults))
    return sample, reading


class _Enough(Exception):
    """More faults than anybody reads: what was found must be mended first."""


class PackReader:
    """What was read of one pack and of those that amend it, and every fault on the way.

    It keeps where each part stands, so that more can be said of it later.
    ``whole`` turns False when something was lost that a name might mean:
    then names cannot be judged.
    """

    def __init__(self, packs: tuple[PackFiles, ...]) -> None:
        self.packs = packs
        self.amending = {page for one in packs for page in one.pages}
        self.patches = Patches(self.add)
        self.origins: dict[str, str] = {}
        self.data: dict[Path, Any] = {}
        self.unreadable: set[Path] = set()
        self.listed = 0
        self.whole = True
        self.faults: list[PackProblem] = []
        self.parts: list[tuple[Path, Way, Head | Entity | Ruling | Procedure | Chart]] = []
        self.kinds: dict[str, Kind] = {}
        self.entities: dict[str, Entity] = {}
        self.rulings: dict[str, Ruling] = {}
        self.procedures: dict[str, Procedure] = {}
        self.charts: dict[str, Chart] = {}

    def read(self, head: Path, pages: Iterable[Path], digest: str) -> Ruleset:
        """Read everything, then check everything. Raises PackError with every fault."""
        try:
            ruleset = self._ruleset(head, pages, digest)
        except _Enough:
            ruleset = None
        if ruleset is None or self.faults:
            raise PackError(sorted_faults(self.faults))
        return ruleset

    def places(self) -> dict[str, tuple[Path, Way]]:
        """Return where each entity stands, by id."""
        return {part.id: (path, way) for path, way, part in self.parts if isinstance(part, Entity)}

    def _ruleset(self, path: Path, pages: Iterable[Path], digest: str) -> Ruleset | None:
        for amending in self.packs:
            for page in amending.pages:
                self.whole &= self.patches.take(page, self._raw(page))
        head = self._head(path)
        for page in pages:
            self._page(page)
        own = set(self.entities)
        for amending in self.packs:
            for page in amending.pages:
                self._page(page)
            fresh = self.entities.keys() - own - self.origins.keys()
            self.origins |= dict.fromkeys(fresh, amending.pack.id)
        self._unmet()
        if head is None:
            return None
        more = self.procedures, self.charts, tuple(one.pack for one in self.packs), self.origins
        if self.whole:
            self._lint(Ruleset(head, self.entities, self.rulings, digest, *more))
        entities = {name: _with_alias(one, self.entities) for name, one in self.entities.items()}
        return Ruleset(head, entities, self.rulings, digest, *more)

    def _unmet(self) -> None:
        """Find the patches of what is not there."""
        known: dict[str, Iterable[str]] = {
            "entities": self.entities,
            "procedures": self.procedures,
            "rulings": self.rulings,
            "charts": self.charts,
        }
        for placed, reason, near in self.patches.unmet(known) if self.whole else ():
            self.add(placed.path, (*placed.where, "at"), reason, near)

    def add(self, path: Path, where: Way, message: str, near: str = "", culprit: str = "") -> None:
        """Keep a fault."""
        self._found(self.fault(path, where, message, near, culprit))

    def fault(
        self, path: Path, where: Way, message: str, near: str = "", culprit: str = ""
    ) -> PackProblem:
        """Return a fault with its line; that of a patched part is looked for in the patch."""
        return _fault(*self.patches.blamed(path, where), message, near, culprit)

    def _found(self, *faults: PackProblem) -> None:
        self.faults += faults
        if len(self.faults) >= MOST_FAULTS:
            raise _Enough

    def _located(
        self, path: Path, start: Way, error: ValidationError, data: Any, own: Iterable[str] = ()
    ) -> None:
        """Keep what does not fit a model as faults with lines and the nearest name."""
        for found in schema_errors(error, data):
            near = found.near
            if found.code == "extra_forbidden":
                near = _near_key(error.title, found.where, own)
            self.add(path, (*start, *found.where), found.sentence, near)

    def _raw(self, path: Path) -> Any:
        """Return a file's data, read once; None where it cannot be read."""
        if path not in self.data:
            self.data[path] = None
            try:
                self.data[path] = yaml_source.read(path)
            except PackError as error:
                self.unreadable.add(path)
                self._found(*error.faults)
        return self.data[path]

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
        """Read another file: its rulings, procedures and charts, and its entities one by one."""
        page, _data = self._model(PackFile, path, empty={})
        if page is None:
            return
        for number, ruling in enumerate(page.rulings):
            self._keep(path, ("rulings", number), ruling, self.rulings)
        for number, procedure in enumerate(page.procedures):
            self._keep(path, ("procedures", number), procedure, self.procedures)
        for number, chart in enumerate(page.charts):
            self._keep(path, ("charts", number), chart, self.charts)
        self.listed += len(page.entities)
        if self.listed > MOST_ENTITIES:
            self.add(path, ("entities",), f"more than {MOST_ENTITIES:,} entities in all")
            raise _Enough
        for number, entry in enumerate(page.entities if self.kinds else ()):
            self._entity(path, ("entities", number), entry)

    def _model(self, model: type[File], path: Path, empty: Any = None) -> tuple[File | None, Any]:
        """Return a file's model, if it is one, and its data."""
        data = self._raw(path)
        data = self.patches.head(path, data) if model is Head else self.patches.page(path, data)
        if path not in self.unreadable:
            given = empty if data is None else data
            try:
                return model.model_validate(given), data
            except ValidationError as error:
                self._located(path, (), error, given)
        self.whole = False
        return None, data

    def _keep(self, path: Path, where: Way, part: Part, known: dict[str, Part]) -> None:
        """Keep a part with its place; its id must be new."""
        if part.id in known:
            told = "exists already" if path not in self.amending else AMEND
            self.add(path, (*where, "id"), f"{part.id} {told}")
        known.setdefault(part.id, part)
        self.parts.append((path, where, part))

    def _entity(self, path: Path, where: Way, entry: dict[str, Any]) -> None:
        """Validate one entry, its kind's own fields split off."""
        name = str(entry.get("id", ""))
        kind = self.kinds.get(name.partition("/")[0])
        if kind is None:
            near = nearest(name.partition("/")[0], self.kinds)
            message = f"no kind of entity is named in the id {entry.get('id')!r}"
            self.add(path, (*where, "id"), message, near)
            self.whole = False
            return
        common = {key: value for key, value in entry.items() if key not in kind.fields}
        own = {key: value for key, value in entry.items() if key in kind.fields}
        for key, value in own.items():
            wanted, code = TYPES[kind.fields[key].type]
            if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
                self.add(path, (*where, key), wrong_type(code, value))
        data = {**common, "own": own} if own else common
        try:
            entity = Entity.model_validate(data)
        except ValidationError as error:
            self._located(path, where, error, data, kind.fields)
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
                taken = self.patches.taking(path, way, found.missing)
                if taken is None:
                    self.add(path, way, found.message, found.nearest, found.culprit)
                else:
                    self.add(*taken, f"{found.message} then, and {path.name} names it")


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


@cache
def _known_keys() -> frozenset[str]:
    """Return every key any model knows: the pool for 'did you mean'."""
    kinds = [found for found in vars(models).values() if isinstance(found, type)]
    shapes = [found for found in kinds if issubclass(found, BaseModel)]
    return frozenset(place.key for shape in shapes for place in model_fields(shape))


def _near_key(model: str, where: Way, own: Iterable[str]) -> str:
    """Return the key most like an unknown one: of the very model, or of any below it.

    One that some model knows, but not the one here, is like no other.
    """
    key = str(where[-1])
    shape = getattr(models, model, None) if len(where) == 1 else None
    known = _known_keys() if shape is None else {place.key for place in model_fields(shape)}
    return "" if key in known else nearest(key, sorted({*known, *own}))


def _fault(path: Path, where: Way, message: str, near: str = "", culprit: str = "") -> PackProblem:
    line, column = yaml_source.locate(path, where, culprit)
    field = ".".join(str(part) for part in where if not isinstance(part, int))
    return PackProblem(path, line, column, field.removeprefix("entities."), message, near)


def sorted_faults(faults: Iterable[PackProblem]) -> list[PackProblem]:
    """Return faults as they stand in the files; what anchors repeat is said once."""
    once = {(fault.file, fault.line, fault.column, fault.message): fault for fault in faults}
    return [once[place] for place in sorted(once)]
