"""The parser: from the YAML of a ruleset and its packs to models, or to errors with their lines.

The steps: apply patches, validate each file and entity, check references,
resolve aliases. Every error of every file is collected before any is raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import TypeAdapter, ValidationError

from charforge.errors import PackError, PackProblem, nearest, shorten
from charforge.rules import models, yaml_source
from charforge.rules.errors import MAX_ERRORS, KeyPath, schema_errors, wrong_type
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
from charforge.rules.models.base import annotated_fields
from charforge.rules.patches import Patches
from charforge.rules.references import Linter
from charforge.rules.ruleset import Pack, Ruleset

NAMED_BY_OTHERS = {"id", "tags", "choices", "alias_of", "renamed_from"}
TYPES: dict[str, tuple[type, str]] = {
    "text": (str, "string_type"),
    "number": (int, "int_type"),
    "flag": (bool, "bool_type"),
    "list": (list, "list_type"),
}
# Far more than any game has, and few enough to be checked quickly.
MAX_ENTITIES = 10_000
EXISTS = "already exists; to change it, write a patch"
Part = TypeVar("Part", Entity, Ruling, Procedure, Chart)
File = TypeVar("File", Head, PackFile, PackHead, Sample)


class PackFiles(NamedTuple):
    """A pack that amends a ruleset, with its pages."""

    pack: Pack
    pages: tuple[Path, ...]


def read_pack_head(path: Path) -> PackHead:
    """Read a ``pack.yaml``. Raises PackError."""
    return PackReader(()).read_file(PackHead, path)


def read_sample(path: Path) -> tuple[Sample, PackReader]:
    """Read a sample; return its reader too, which finds the lines of further errors.

    Raises PackError.
    """
    reader = PackReader(())
    reader.data[path] = yaml_source.read(path, plain=True)  # as in answers, words are text
    return reader.read_file(Sample, path), reader


class _TooManyErrors(Exception):
    """Stops reading after MAX_ERRORS errors: nobody reads more."""


class PackReader:
    """Reads a ruleset and the packs that amend it, and collects every error.

    It keeps the place of each part, so that the line of a later error can
    be found. ``complete`` turns False when a part could not be read: then
    names cannot be checked, since they might mean that part.
    """

    def __init__(self, packs: tuple[PackFiles, ...]) -> None:
        self.packs = packs
        self.amending = {page for files in packs for page in files.pages}
        self.patches = Patches(self.add)
        self.origins: dict[str, str] = {}
        self.data: dict[Path, Any] = {}
        self.unreadable: set[Path] = set()
        self.listed = 0
        self.complete = True
        self.problems: list[PackProblem] = []
        self.parts: list[tuple[Path, KeyPath, Head | Entity | Ruling | Procedure | Chart]] = []
        self.kinds: dict[str, Kind] = {}
        self.entities: dict[str, Entity] = {}
        self.rulings: dict[str, Ruling] = {}
        self.procedures: dict[str, Procedure] = {}
        self.charts: dict[str, Chart] = {}

    def read(self, head: Path, pages: Iterable[Path], digest: str) -> Ruleset:
        """Read all files, then check references. Raises PackError with every error."""
        try:
            ruleset = self._read_all(head, pages, digest)
        except _TooManyErrors:
            ruleset = None
        if ruleset is None or self.problems:
            raise PackError(sorted_problems(self.problems))
        return ruleset

    def read_file(self, model: type[File], path: Path) -> File:
        """Read a single file. Raises PackError with every error."""
        content = None
        with suppress(_TooManyErrors):
            content, _data = self._model(model, path)
        if content is None:
            raise PackError(sorted_problems(self.problems))
        return content

    def places(self) -> dict[str, tuple[Path, KeyPath]]:
        """Return the file and the path of each entity by id."""
        return {
            part.id: (path, where) for path, where, part in self.parts if isinstance(part, Entity)
        }

    def _read_all(self, path: Path, pages: Iterable[Path], digest: str) -> Ruleset | None:
        for amending in self.packs:
            for page in amending.pages:
                self.complete &= self.patches.collect(page, self._raw(page))
        head = self._head(path)
        for page in pages:
            self._page(page)
        for amending in self.packs:
            before = set(self.entities)
            for page in amending.pages:
                self._page(page)
            added = self.entities.keys() - before
            self.origins |= dict.fromkeys(added, amending.pack.id)
        self._check_patch_targets()
        if head is None:
            return None
        packs = tuple(files.pack for files in self.packs)
        ruleset = Ruleset(
            head, self.entities, self.rulings, digest,
            self.procedures, self.charts, packs, self.origins,
        )  # fmt: skip
        if self.complete:
            self._lint(ruleset)
        entities = {e.id: _with_target(e, self.entities) for e in self.entities.values()}
        return replace(ruleset, entities=entities)

    def _check_patch_targets(self) -> None:
        """Report patches of parts that do not exist."""
        known: dict[str, Iterable[str]] = {
            "entities": self.entities,
            "procedures": self.procedures,
            "rulings": self.rulings,
            "charts": self.charts,
        }
        for patch, reason, near in self.patches.without_target(known) if self.complete else ():
            self.add(patch.path, (*patch.where, "at"), reason, near)

    def add(
        self, path: Path, where: KeyPath, message: str, near: str = "", culprit: str = ""
    ) -> None:
        """Add an error at a path in a file."""
        self._add_all(self.problem(path, where, message, near, culprit))

    def problem(
        self, path: Path, where: KeyPath, message: str, near: str = "", culprit: str = ""
    ) -> PackProblem:
        """Return an error with its line; in a patched part the line of the patch."""
        path, where = self.patches.origin(path, where)
        line, column = yaml_source.locate(path, where, culprit)
        field = ".".join(str(part) for part in where if not isinstance(part, int))
        return PackProblem(path, line, column, field.removeprefix("entities."), message, near)

    def _add_all(self, *problems: PackProblem) -> None:
        self.problems += problems
        if len(self.problems) >= MAX_ERRORS:
            raise _TooManyErrors

    def _add_schema_errors(
        self, path: Path, start: KeyPath, error: ValidationError, data: Any, own: Iterable[str] = ()
    ) -> None:
        """Add the errors of a validation with their lines and the nearest names."""
        for problem in schema_errors(error, data):
            near = problem.near
            if problem.code == "extra_forbidden":
                near = _near_key(error.title, problem.where, own)
            self.add(path, (*start, *problem.where), problem.sentence, near)

    def _raw(self, path: Path) -> Any:
        """Return the data of a file, read once; None if it cannot be read."""
        if path not in self.data:
            self.data[path] = None
            try:
                self.data[path] = yaml_source.read(path)
            except PackError as error:
                self.unreadable.add(path)
                self._add_all(*error.problems)
        return self.data[path]

    def _head(self, path: Path) -> Head | None:
        """Read ``ruleset.yaml``; keep its kinds for the pages even if the rest has errors."""
        head, data = self._model(Head, path)
        if head is not None:
            self.parts.append((path, (), head))
            self.kinds = {kind.id: kind for kind in head.kinds}
        elif isinstance(data, dict):
            self.kinds = _kinds(data.get("kinds"))
        return head

    def _page(self, path: Path) -> None:
        """Read another file: rulings, procedures, charts, then entities one by one."""
        page, _data = self._model(PackFile, path, empty={})
        if page is None:
            return
        self._keep_all(path, "rulings", page.rulings, self.rulings)
        self._keep_all(path, "procedures", page.procedures, self.procedures)
        self._keep_all(path, "charts", page.charts, self.charts)
        self.listed += len(page.entities)
        if self.listed > MAX_ENTITIES:
            self.add(path, ("entities",), f"more than {MAX_ENTITIES:,} entities in total")
            raise _TooManyErrors
        for number, entry in enumerate(page.entities if self.kinds else ()):
            self._entity(path, ("entities", number), entry)

    def _model(self, model: type[File], path: Path, empty: Any = None) -> tuple[File | None, Any]:
        """Return the model of a file (None if it has errors) and its data."""
        data = self._raw(path)
        data = self.patches.head(path, data) if model is Head else self.patches.page(path, data)
        if path not in self.unreadable:
            content = empty if data is None else data
            try:
                return model.model_validate(content), data
            except ValidationError as error:
                self._add_schema_errors(path, (), error, content)
        self.complete = False
        return None, data

    def _keep_all(
        self, path: Path, key: str, parts: Iterable[Part], known: dict[str, Part]
    ) -> None:
        for number, part in enumerate(parts):
            self._keep(path, (key, number), part, known)

    def _keep(self, path: Path, where: KeyPath, part: Part, known: dict[str, Part]) -> None:
        """Keep a part with its place; report an id that exists already."""
        if part.id in known:
            message = "already exists" if path not in self.amending else EXISTS
            self.add(path, (*where, "id"), f"{part.id} {message}")
        known.setdefault(part.id, part)
        self.parts.append((path, where, part))

    def _entity(self, path: Path, where: KeyPath, entry: dict[str, Any]) -> None:
        """Validate an entity; the fields of its kind are checked separately."""
        name = str(entry.get("id", ""))
        kind = self.kinds.get(name.partition("/")[0])
        if kind is None:
            near = nearest(name.partition("/")[0], self.kinds)
            message = f"there is no kind for the id {shorten(entry.get('id'))}"
            self.add(path, (*where, "id"), message, near)
            self.complete = False
            return
        common = {key: value for key, value in entry.items() if key not in kind.fields}
        own = {key: value for key, value in entry.items() if key in kind.fields}
        for key, value in own.items():
            expected, code = TYPES[kind.fields[key].type]
            if not isinstance(value, expected) or (expected is int and isinstance(value, bool)):
                self.add(path, (*where, key), wrong_type(code, value))
        data = {**common, "own": own} if own else common
        try:
            entity = Entity.model_validate(data)
        except ValidationError as error:
            self._add_schema_errors(path, where, error, data, kind.fields)
            self._salvage(data, error)
        else:
            self._keep(path, where, entity, self.entities)

    def _salvage(self, data: dict[str, Any], error: ValidationError) -> None:
        """Keep the ids of an entity with errors, so that names elsewhere can still be checked."""
        faulty = {item["loc"][0] for item in error.errors(include_url=False)}
        if faulty & NAMED_BY_OTHERS:
            self.complete = False
            return
        named = {key: data[key] for key in NAMED_BY_OTHERS & data.keys()}
        entity = Entity.model_validate({"name": "", "source": "", **named})
        self.entities.setdefault(entity.id, entity)

    def _lint(self, ruleset: Ruleset) -> None:
        """Check the references of every part."""
        linter = Linter(ruleset)
        for path, start, part in self.parts:
            for problem in linter.check(part):
                where = (*start, *problem.where)
                removal = self.patches.removal_of(path, where, problem.missing)
                if removal is None:
                    self.add(path, where, problem.message, problem.nearest, problem.culprit)
                else:
                    self.add(
                        *removal,
                        f"{path.name} still uses it, so it cannot be removed: {problem.message}",
                    )


def _kinds(data: Any) -> dict[str, Kind]:
    """Return the kinds of a ``ruleset.yaml`` with errors; none if the errors are in them."""
    try:
        kinds = TypeAdapter(tuple[Kind, ...]).validate_python(data)
    except ValidationError:
        return {}  # reported with the whole file
    return {kind.id: kind for kind in kinds}


def _with_target(entity: Entity, entities: Mapping[str, Entity]) -> Entity:
    """Return an alias with everything of its target but its own name and source."""
    target = entities.get(entity.alias_of or "")
    if target is None:
        return entity
    own = ("id", "name", "source", "rulings", "alias_of")
    return target.model_copy(update={name: getattr(entity, name) for name in own})


@cache
def _known_keys() -> frozenset[str]:
    """Return the keys of all models, for 'did you mean'."""
    fields = (annotated_fields(model) for model in models.pack_models().values())
    return frozenset(field.key for model_fields in fields for field in model_fields)


def _near_key(model: str, where: KeyPath, own: Iterable[str]) -> str:
    """Return the key nearest to an unknown one, of its own model or of any below it.

    Empty for a key of another model, which is no typing mistake.
    """
    key = str(where[-1])
    owner = models.pack_models().get(model) if len(where) == 1 else None
    known = _known_keys() if owner is None else {field.key for field in annotated_fields(owner)}
    return "" if key in known else nearest(key, sorted({*known, *own}))


def sorted_problems(problems: Iterable[PackProblem]) -> list[PackProblem]:
    """Return errors in the order of the files and lines; those that anchors repeat once."""
    unique = {
        (problem.file, problem.line, problem.column, problem.message): problem
        for problem in problems
    }
    return [unique[place] for place in sorted(unique)]
