"""The parser: from the YAML of a ruleset and its packs to models, or to errors with their lines.

The steps: apply patches, validate each file and entity, check references,
resolve aliases. Every error of every file is collected before any is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial, reduce
from itertools import chain
from operator import getitem
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from charforge.errors import PackError, PackProblem, nearest, shorten
from charforge.language import _, format_number
from charforge.limits import MAX_ERRORS
from charforge.rules import models
from charforge.rules.checks.references import Linter
from charforge.rules.checks.symbols import PartProblem
from charforge.rules.errors import KeyPath, contains, schema_errors, wrong_type
from charforge.rules.loading import yaml_reader
from charforge.rules.loading.patches import Patches, Salvage, item_names, names_with_slugs
from charforge.rules.models import (
    Chart,
    Entity,
    Kind,
    PackFile,
    PackHead,
    Procedure,
    RulesetHead,
    Ruling,
    sample,
)
from charforge.rules.models.base import annotated_fields, models_at
from charforge.rules.models.sample import Sample
from charforge.rules.ruleset import PackFiles, Ruleset

SCALAR_TYPES: dict[str, tuple[type, str]] = {
    "text": (str, "string_type"),
    "number": (int, "int_type"),
    "flag": (bool, "bool_type"),
    "list": (list, "list_type"),
}
# The key of ruleset.yaml that declares things of a sort, by the noun of messages.
FEW_KEYS = 12  # of a map, which a message can list
DECLARED = {
    "timing": "timings",
    "moment": "moments",
    "table rule": "table_rules",
    "unit type": "units",
    "vocabulary": "terms",
    "symbol": "symbols",
}
# Far more than any game has, and few enough to be checked quickly.
MAX_ENTITIES = 10_000
Part = TypeVar("Part", Entity, Ruling, Procedure, Chart)
HEAD_MODELS = (RulesetHead.__name__, PackHead.__name__)
File = TypeVar("File", RulesetHead, PackFile, PackHead, Sample)


def read_pack_head(path: Path) -> PackHead:
    """Read a ``pack.yaml``. Raises PackError."""
    return PackReader(()).read_file(PackHead, path)


def read_sample(path: Path) -> tuple[Sample, PackReader]:
    """Read a sample; return its reader too, which finds the lines of further errors.

    Raises PackError.
    """
    reader = PackReader(())
    reader.data[path] = yaml_reader.read_yaml(path, plain=True)  # as in answers, words are text
    return reader.read_file(Sample, path), reader


class PartPlace(NamedTuple):
    """The place of a part in the files of a pack."""

    file: Path
    key_path: KeyPath


class PlacedPart(NamedTuple):
    """A part with its file; ``place`` gives the path in the file of a path in the part."""

    path: Path
    place: Callable[[KeyPath], KeyPath]
    part: RulesetHead | Entity | Ruling | Procedure | Chart
    complete: bool = True  # whether nothing with errors of shape was taken out


class _TooManyErrors(Exception):
    """Stops reading after MAX_ERRORS errors: nobody reads more."""


class PackReader:
    """Reads a ruleset and the packs that amend it, and collects every error.

    It keeps the place of each part, so that the line of a later error can
    be found. Parts with errors of shape are taken out, and ``lost`` are the
    names in them: what uses those is no error. ``complete`` turns False when
    a file could not be read at all: then names cannot be checked.
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
        self.lost: set[str] = set()
        self.rules_complete = True
        self.head_path: Path | None = None
        self.head: RulesetHead | None = None
        self._undeclared: set[tuple[str, str]] = set()  # kinds and fields that are reported
        self._salvages: dict[Path, Salvage] = {}
        self.problems: list[PackProblem] = []
        self.parts: list[PlacedPart] = []
        self.kinds: dict[str, Kind] = {}
        self.entities: dict[str, Entity] = {}
        self.rulings: dict[str, Ruling] = {}
        self.procedures: dict[str, Procedure] = {}
        self.charts: dict[str, Chart] = {}

    def read(self, head: Path, pages: Iterable[Path], digest: str) -> Ruleset:
        """Read all files, then check references. Raises PackError with every error."""
        ruleset = self.read_partly(head, pages, digest)
        if self.problems:
            raise PackError(sorted_problems(self.problems))
        return ruleset

    def read_partly(self, head: Path, pages: Iterable[Path], digest: str) -> Ruleset:
        """Read all files; return what has no errors of shape, and keep the errors.

        Raises PackError if ``ruleset.yaml`` cannot be read.
        """
        ruleset = None
        with suppress(_TooManyErrors):
            ruleset = self._read_all(head, pages, digest)
        if ruleset is None:
            raise PackError(sorted_problems(self.problems))
        return ruleset

    def read_file(self, model: type[File], path: Path) -> File:
        """Read a single file. Raises PackError with every error."""
        content = None
        with suppress(_TooManyErrors):
            content, _data = self._model(model, path)
        if content is None or self.problems:
            raise PackError(sorted_problems(self.problems))
        return content

    def places(self) -> dict[str, PartPlace]:
        """Return the file and the path of each entity by id."""
        return {
            placed.part.id: PartPlace(placed.path, placed.place(()))
            for placed in self.parts
            if isinstance(placed.part, Entity)
        }

    def all_parts(self) -> Iterator[tuple[tuple[str, ...], Any]]:
        """Yield each part as its file has it, before and after all patches, by how patches name it.

        That is an entity by its id, ``ruleset``, or a list and an id.
        """
        for placed in self.parts:
            at, key_path = _address(placed.part), placed.place(())
            if self.patches.touched(placed.path, key_path):
                yield at, Salvage(self.data[placed.path]).at(key_path)
            yield at, self._salvages[placed.path].at(key_path)

    def written(self, entity: str) -> Any:
        """Return an entity as its page has it, with all patches applied."""
        path, key_path = self.places()[entity]
        return self._salvages[path].at(key_path)

    def path_in_words(self, placed: PlacedPart, key_path: KeyPath) -> tuple[str, ...]:
        """Return a path in a part as a patch has it: items of lists by their id or name."""
        data, words = self._salvages[placed.path].at(placed.place(())), list[str]()
        for key in _as_written(placed, key_path):
            is_item = isinstance(data, list) and isinstance(key, int)
            words.append(item_names(data)[int(key)] if is_item else _word_of(key))
            data = data[key] if contains(data, key) else None
        return tuple(words)

    def writer(
        self, placed: PlacedPart, key_path: KeyPath, words: tuple[str, ...], text: str
    ) -> int:
        """Return the number of the pack that wrote a text: 0 for the ruleset, 1 for the first pack.

        ``words`` is the path of the text in its part.
        """
        place = (*placed.place(()), *_as_written(placed, key_path))
        file = self.patches.writer(placed.path, place, words, text) or placed.path
        pages = enumerate((files.pages for files in self.packs), 1)
        return next((number for number, listed in pages if file in listed), 0)

    def _read_all(self, path: Path, pages: Iterable[Path], digest: str) -> Ruleset | None:
        for amending in self.packs:
            for page in amending.pages:
                self.complete &= self.patches.collect(page, self._raw(page))
        self.head_path = path
        head = self._head(path)
        if head is None:
            self.complete = False
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
            self._lint(ruleset, path)
        return replace(ruleset, entities=resolve_aliases(self.entities))

    def _check_patch_targets(self) -> None:
        """Report patches of parts that do not exist."""
        known: dict[str, Iterable[str]] = {
            "entities": self.entities,
            "procedures": self.procedures,
            "rulings": self.rulings,
            "charts": self.charts,
        }
        for patch, reason, near in self.patches.without_target(known) if self.complete else ():
            if not self.lost & {*patch.patch.at}:
                self.add(patch.path, (*patch.key_path, "at"), reason, near)

    def add(
        self, path: Path, key_path: KeyPath, message: str, near: str = "", culprit: str = ""
    ) -> None:
        """Add an error at a path in a file."""
        self._add_all(self.problem(path, key_path, message, near, culprit))

    def problem(
        self, path: Path, key_path: KeyPath, message: str, near: str = "", culprit: str = ""
    ) -> PackProblem:
        """Return an error with its line; in a patched part the line of the patch."""
        path, key_path = self.patches.origin(path, key_path)
        line, column = yaml_reader.locate(path, key_path, culprit)
        field = ".".join(str(part) for part in key_path if not isinstance(part, int))
        return PackProblem(path, line, column, field.removeprefix("entities."), message, near)

    def _add_all(self, *problems: PackProblem) -> None:
        self.problems += problems
        if len(self.problems) >= MAX_ERRORS:
            raise _TooManyErrors

    def _add_schema_errors(
        self,
        path: Path,
        start: KeyPath,
        error: ValidationError,
        data: Any,
        kind: Kind | None = None,
    ) -> None:
        """Add the errors of a validation with their lines and the nearest names."""
        for problem in schema_errors(error, data):
            near, advice = problem.near, ""
            if problem.code == "extra_forbidden":
                own = kind.fields if kind else ()
                near, advice = _near_key(error.title, problem.key_path, data, own)
                if not (near or advice) and kind is not None and len(problem.key_path) == 1:
                    self._add_unknown_field(path, start, kind, str(problem.key_path[0]))
                    continue
            self.add(path, (*start, *problem.key_path), problem.sentence + advice, near)

    def _raw(self, path: Path) -> Any:
        """Return the data of a file, read once; None if it cannot be read."""
        if path not in self.data:
            self.data[path] = None
            try:
                self.data[path] = yaml_reader.read_page(path)
            except PackError as error:
                self.unreadable.add(path)
                self._add_all(*error.problems)
        return self.data[path]

    def _head(self, path: Path) -> RulesetHead | None:
        """Read ``ruleset.yaml``; keep its kinds for the pages even if the rest has errors."""
        head, data = self._model(RulesetHead, path)
        self.head = head
        if head is not None:
            salvage = self._salvages[path]
            self.parts.append(PlacedPart(path, salvage.original, head, salvage.complete))
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
            self.add(
                path,
                ("entities",),
                _("more than {max_entities} entities in total").format(
                    max_entities=format_number(MAX_ENTITIES, ",")
                ),
            )
            raise _TooManyErrors
        salvage = self._salvages[path]
        for number, entry in enumerate(page.entities if self.kinds else ()):
            key_path = salvage.original(("entities", number))
            if salvage.is_whole(key_path):
                self._entity(path, key_path, entry)
            else:
                self.lost |= names_with_slugs(entry)

    def _model(self, model: type[File], path: Path, empty: Any = None) -> tuple[File | None, Any]:
        """Return the model of a file (None if it has errors) and its data."""
        data = self._raw(path)
        data = (
            self.patches.head(path, data) if model is RulesetHead else self.patches.page(path, data)
        )
        if path in self.unreadable:
            self.complete = False
            return None, data
        content = empty if data is None else data
        salvage = self._salvages[path] = Salvage(content)
        found = salvage.model(model, lambda e: self._add_schema_errors(path, (), e, content))
        self.lost |= salvage.names()
        self.complete &= found is not None and salvage.has_all_names
        self.rules_complete &= salvage.complete
        return found, data

    def _keep_all(
        self, path: Path, key: str, parts: Iterable[Part], known: dict[str, Part]
    ) -> None:
        salvage = self._salvages[path]
        for number, part in enumerate(parts):
            place = partial(_below, salvage, (key, number))
            self._keep(part, PlacedPart(path, place, part, salvage.complete), known)

    def _keep(self, part: Part, placed: PlacedPart, known: dict[str, Part]) -> None:
        """Keep a part with its place; report an id that exists already."""
        path = placed.path
        if part.id in known:
            message = self._existing(known[part.id], path)
            self.add(path, placed.place(("id",)), f"{part.id} {message}")
        known.setdefault(part.id, part)
        self.parts.append(placed)

    def _existing(self, part: object, path: Path) -> str:
        """Return that a part which ``path`` has again exists already: where, or in another pack."""
        first = next(placed for placed in self.parts if placed.part is part)
        pack = next((files.pages for files in self.packs if path in files.pages), ())
        if pack and first.path not in pack:
            return _("already exists; to change it, write a patch")
        line = yaml_reader.locate(first.path, first.place(("id",)))[0]
        return _("already exists: {name}, line {line}").format(name=first.path.name, line=line)

    def _entity(self, path: Path, key_path: KeyPath, entry: dict[str, Any]) -> None:
        """Validate an entity; the fields of its kind are checked separately."""
        name = str(entry.get("id", ""))
        kind = self.kinds.get(name.partition("/")[0])
        if kind is None:
            self._add_unknown_kind(path, key_path, entry.get("id"), name.partition("/")[0])
            self.lost |= names_with_slugs(entry)
            return
        common = {key: value for key, value in entry.items() if key not in kind.fields}
        own = {key: value for key, value in entry.items() if key in kind.fields}
        for key, value in own.items():
            expected, code = SCALAR_TYPES[kind.fields[key].type]
            if not isinstance(value, expected) or (expected is int and isinstance(value, bool)):
                self.add(path, (*key_path, key), wrong_type(code, value))
            elif isinstance(value, list):
                for number, item in enumerate(value):
                    if isinstance(item, bool) or not isinstance(item, str | int):
                        message = wrong_type("string_type", item)
                        self.add(path, (*key_path, key, number), message)
            elif isinstance(value, int) and value < kind.fields[key].minimum:
                message = _("it must be at least {ge}").format(ge=kind.fields[key].minimum)
                self.add(path, (*key_path, key), message)
        data = {**common, "own": own} if own else common
        salvage = Salvage(data)
        entity = salvage.model(
            Entity, lambda e: self._add_schema_errors(path, key_path, e, data, kind)
        )
        self.lost |= salvage.names()
        if entity is None:
            self.lost |= names_with_slugs(entry)
        else:
            place = partial(_inside, salvage, key_path)
            placed = PlacedPart(path, place, entity, salvage.complete)
            self._keep(entity, placed, self.entities)

    def _add_unknown_kind(self, path: Path, key_path: KeyPath, name: object, kind: str) -> None:
        """Report an entity without a kind; in ``ruleset.yaml`` if it lacks the whole kind."""
        if name is None or name == "":
            message = _("it has no id; write its kind and a name, such as {example}").format(
                example=f"{next(iter(self.kinds), 'kind')}/name"
            )
            self.add(path, key_path, message)
            return
        near, declared = nearest(kind, self.kinds), self._declared_in(path)
        if near or declared is None or not kind or not isinstance(name, str) or "/" not in name:
            message = _("there is no kind for the id {name}").format(name=shorten(name))
            self.add(path, (*key_path, "id"), message, near)
        elif kind not in self.lost:
            line = yaml_reader.locate(path, key_path)[0]
            message = _("there is no kind {kind}, but {name}:{line} uses it").format(
                kind=shorten(kind), name=path.name, line=line
            )
            self.add(declared, ("kinds",), message)
            self.lost.add(kind)

    def _add_unknown_field(self, path: Path, key_path: KeyPath, kind: Kind, key: str) -> None:
        """Report an unknown key of an entity; in ``ruleset.yaml`` if its kind may lack it."""
        declared = self._declared_in(path)
        message = _("the kind {id} has no field {key}").format(
            id=shorten(kind.id), key=shorten(key)
        )
        if declared is None:
            self.add(path, (*key_path, key), _("unknown key"))
        elif (kind.id, key) not in self._undeclared and key in _known_keys():
            self._undeclared.add((kind.id, key))
            self.add(path, (*key_path, key), message)
        elif (kind.id, key) not in self._undeclared:
            self._undeclared.add((kind.id, key))
            line = yaml_reader.locate(path, (*key_path, key))[0]
            number = list(self.kinds).index(kind.id)
            self.add(
                declared,
                ("kinds", number),
                _("{message}, which {name}:{line} uses").format(
                    message=message, name=path.name, line=line
                ),
            )

    def _declared_in(self, path: Path) -> Path | None:
        """Return the ``ruleset.yaml`` that declares what a page uses; None for other packs."""
        return None if path in self.amending else self.head_path

    def _lint(self, ruleset: Ruleset, head: Path) -> None:
        """Check the references of every part, and what follows if those of the head are right."""
        linter = Linter(ruleset)
        found = [
            (placed, problem)
            for placed in self.parts
            for problem in linter.check(placed.part)
            if self._is_certain(placed, problem)
        ]
        if any(
            problem.first[:1] == ("values",) and placed.path == head for placed, problem in found
        ):
            # The repeated id may be meant for one that does not exist now.
            found = [one for one in found if one[1].noun != "value" or one[1].nearest]
        sound_head = all(problem.follows or placed.path != head for placed, problem in found)
        for placed, problem in found:
            if sound_head or not problem.follows:
                self._add_reference_error(placed, problem)

    def _is_certain(self, placed: PlacedPart, problem: PartProblem) -> bool:
        """Return whether a problem cannot come from what was taken out because of its shape."""
        if problem.missing:
            slug = problem.missing.rpartition("/")[2].rpartition(".")[2]  # owner.VALUE
            parts = slug.split("_")  # an input makes variables such as INPUT_given
            starts = {"_".join(parts[:number]) for number in range(1, len(parts) + 1)}
            return not self.lost & {problem.missing, *starts}
        return self.rules_complete and placed.complete

    def _add_reference_error(self, placed: PlacedPart, problem: PartProblem) -> None:
        """Add an error of a part; what a patch removed is reported there."""
        path, key_path = placed.path, placed.place(problem.key_path)
        key, declared = DECLARED.get(problem.noun, ""), self._declared_in(path)
        removal = self.patches.removal_of(path, key_path, problem.missing)
        if removal is not None:
            self.add(
                *removal,
                _("{name} still uses it, so it cannot be removed: {message}").format(
                    name=path.name, message=problem.message
                ),
            )
        elif declared is not None and key and declared != path and not getattr(self.head, key):
            self._add_undeclared(declared, key, problem, path, key_path)
        else:
            message = problem.message
            if problem.first:
                first, at = self.patches.origin(path, placed.place(problem.first))
                message = _("{message}: {name}, line {line}").format(
                    message=message, name=first.name, line=yaml_reader.locate(first, at)[0]
                )
            self.add(path, key_path, message, problem.nearest, problem.culprit)

    def _add_undeclared(
        self, declared: Path, key: str, problem: PartProblem, path: Path, key_path: KeyPath
    ) -> None:
        """Report once, in ``ruleset.yaml``, a name that it declares nothing similar to."""
        if problem.missing not in self.lost:
            line = yaml_reader.locate(path, key_path, problem.culprit)[0]
            self.add(
                declared,
                (key,),
                _("{message}, which {name}:{line} uses").format(
                    message=problem.message, name=path.name, line=line
                ),
            )
            self.lost.add(problem.missing)


def _address(part: RulesetHead | Entity | Ruling | Procedure | Chart) -> tuple[str, ...]:
    """Return the start of the path by which patches name a part."""
    if isinstance(part, RulesetHead):
        return (models.RULESET,)
    lists = {Ruling: "rulings", Procedure: "procedures", Chart: "charts"}
    return (lists[type(part)], part.id) if type(part) in lists else (part.id,)


def _below(salvage: Salvage, start: KeyPath, key_path: KeyPath) -> KeyPath:
    """Return the path in a file of a path in a part of the page."""
    return salvage.original((*start, *key_path))


def _inside(salvage: Salvage, start: KeyPath, key_path: KeyPath) -> KeyPath:
    """Return the path in a file of a path in an entity, which is salvaged by itself."""
    return (*start, *salvage.original(key_path))


def _as_written(placed: PlacedPart, key_path: KeyPath) -> KeyPath:
    """Return a path in a part as its file has it: the fields of a kind are not apart there."""
    own = key_path[1:] if key_path[0] == "own" and isinstance(placed.part, Entity) else key_path
    return placed.place(own)[len(placed.place(())) :]


def _word_of(key: str | int) -> str:
    return str(key + 1) if isinstance(key, int) else key


def _kinds(data: Any) -> dict[str, Kind]:
    """Return the kinds of a ``ruleset.yaml`` with errors; none if the errors are in them."""
    try:
        kinds = TypeAdapter(tuple[Kind, ...]).validate_python(data)
    except ValidationError:
        return {}  # reported with the whole file
    return {kind.id: kind for kind in kinds}


def resolve_aliases(entities: Mapping[str, Entity]) -> dict[str, Entity]:
    """Return entities by id, each alias with everything of its target."""
    return {entity.id: _with_target(entity, entities) for entity in entities.values()}


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
    fields = (annotated_fields(model) for model in pack_models().values())
    return frozenset(field.key for model_fields in fields for field in model_fields)


def _near_key(model: str, key_path: KeyPath, data: Any, own: Iterable[str]) -> tuple[str, str]:
    """Return the key nearest to an unknown one, or else how to go on.

    The nearest is of the model at that place, or else of any; none is given
    for a key of another model, which is no typing mistake.
    """
    key = str(key_path[-1])
    root = pack_models().get(model)
    owners = models_at(root, key_path[:-1], data) if root else set()
    known = {field.key for owner in owners for field in annotated_fields(owner)}
    at_top = len(key_path) == 1
    known |= {*own} if at_top else set()
    if at_top and model in HEAD_MODELS and key in _keys_of(PackFile):
        return "", _(
            "; write {key} in another file of this folder, such as things.yaml: "
            "every .yaml file there is read"
        ).format(key=key)
    if at_top and model == PackFile.__name__ and key in _keys_of(RulesetHead):
        return "", _("; write {key} in the ruleset.yaml of a game").format(key=key)
    if near := nearest(key, sorted(known)):
        return near, ""
    if reduce(getitem, key_path, data) is None:  # help: Points, role and talent.
        return "", _("; in braces, text with a comma needs quotes")
    if known and len(known) <= FEW_KEYS:
        return "", _("; the keys here are {keys}").format(keys=", ".join(sorted(known)))
    return "", ""


def _keys_of(model: type[BaseModel]) -> set[str]:
    return {field.key for field in annotated_fields(model)}


def sorted_problems(problems: Iterable[PackProblem]) -> list[PackProblem]:
    """Return errors in the order of the files and lines; those that anchors repeat once."""
    unique = {
        (problem.file, problem.line, problem.column, problem.message): problem
        for problem in problems
    }
    return [unique[place] for place in sorted(unique)]


# ------------------------------------------------------------------ the models by name


@cache
def pack_models() -> dict[str, type[BaseModel]]:
    """Return every model of a pack's files by its class name."""
    exported = chain(vars(models).values(), vars(sample).values())
    classes = (value for value in exported if isinstance(value, type))
    return {c.__name__: c for c in classes if issubclass(c, BaseModel) and c is not BaseModel}


def pack_model(name: str) -> type[BaseModel]:
    """Return a model by its class name. Raises LookupError for one that is not exported."""
    if name not in pack_models():
        raise LookupError(
            f"{name} is missing from the exports of charforge/rules/models/__init__.py"
        )
    return pack_models()[name]
