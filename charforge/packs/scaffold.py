"""First files for authors: new packs and templates, and files for translators.

``templates/ruleset`` is a complete small ruleset. ``templates/pack`` is a
pack that amends a ruleset; it gets one entity of each kind, modelled on one
of that ruleset, so that the same questions offer it.

A file for translators has every text of a pack, with what is translated already.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from textwrap import wrap
from typing import Any, Literal

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.atomic_write import write
from charforge.decisions.unreachable import Obtainable, offered_queries
from charforge.errors import CharforgeError, UsageError, WriteError, os_reason, shorten
from charforge.language import _
from charforge.packs.install import load_checked
from charforge.paths import data_folder
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.editor import schema
from charforge.rules.loading import loader, yaml_reader
from charforge.rules.loading.loader import LANGUAGES, amends
from charforge.rules.loading.translation import (
    PathNames,
    own_number,
    read_translation,
    texts_to_translate,
)
from charforge.rules.models import Entity, Kind
from charforge.rules.ruleset import Ruleset, matches
from charforge.sheet.templates import VIEW_VERSION, about_schema
from charforge.usecases.create import create_character

# What a new template for sheets begins with: a layout that it changes, or another kind of text.
TemplateStart = Literal["full", "short", "cards", "markdown", "plain"]
SAMPLE = "tests/first.yaml"
SAMPLE_NAME, SAMPLE_SEED = "Sample", "1"  # as in templates/pack/tests/first.yaml
RULESET_ID, RULESET_NAME = "my-game", "My Game"  # as in templates/ruleset
PLACEHOLDER = re.compile(r"@([a-z]+)@")
# Keys that a new entity does not copy from its model.
NOT_COPIED = ("id", "name", "source", "rulings", "aliases", "renamed_from", "requires")
# Entities with one of these keys are no models.
SPECIAL_KEYS = ("alias_of", "replaces", "active_when", "requires", "condition")
# By field type, for a kind without a model.
EMPTY_VALUES: dict[str, Any] = {"text": "…", "number": 0, "flag": False, "list": []}
NOT_OFFERED = (
    "  # No question offers this one yet: let something grant it, patch the question that\n"
    "  # should offer it, or have the GM award it (charforge award FILE ID).\n"
)


def new_pack(folder: Path, ruleset: str | None = None, name: str | None = None) -> list[Path]:
    """Write a small pack that amends a ruleset (default: the main game); return its files.

    ``name`` is made from the folder's name by default, the pack's id from
    ``name``. Raises UsageError for a folder that is not empty and a name
    without letters, UnknownId for an unknown ruleset, WriteError.
    """
    base = loader.load(loader.default_ruleset() if ruleset is None else ruleset)
    pack_name, pack_id = _name_and_id(folder, name)
    if pack_id == base.id:
        raise UsageError(
            _("{pack_id} is the id of the game itself").format(pack_id=pack_id),
            _("Choose a different name: --name NAME."),
        )
    content = _PackContent(base, pack_name, pack_id)
    files = {path: content.fill(path, text) for path, text in _templates("pack").items()}
    sample = files.pop(SAMPLE)
    base_folder = {**loader.installed(), **loader.built_in()}[base.id]
    with _NewFolder(folder) as created:
        created.write(files)
        reader, amended = loader.read_folder(base_folder, [folder])
        created.write({SAMPLE: sample.replace("@sample@\n", content.sample(amended))})
        schema.write_schemas(folder, reader, amended)
    return created.files()


def new_ruleset(folder: Path, name: str | None = None) -> list[Path]:
    """Write a small ruleset; return its files. Raises as ``new_pack`` does."""
    ruleset_name, ruleset_id = _name_and_id(folder, name)
    if ruleset_id in loader.built_in():
        raise UsageError(
            _("{ruleset_id} is a built-in game").format(ruleset_id=ruleset_id),
            _("Choose a different name: --name NAME."),
        )
    files = {
        path: text.replace(RULESET_ID, ruleset_id).replace(RULESET_NAME, ruleset_name)
        for path, text in _templates("ruleset").items()
    }
    with _NewFolder(folder) as created:
        created.write(files)
        schema.write_schemas(folder, *loader.read_folder(folder))
    return created.files()


def new_template(folder: Path, start: TemplateStart) -> list[Path]:
    """Write a template for sheets that works at once; return its files. Raises as ``new_pack``."""
    name, _id = _name_and_id(folder, None)
    own = _templates(f"new-{start}")
    shared = _templates("new-template")
    main = next(path for path in own if path.startswith("sheet."))
    values = {"name": name, "folder": str(folder), "file": main, "view": str(VIEW_VERSION)}
    files = {
        path: PLACEHOLDER.sub(lambda found: values[found[1]], text)
        for path, text in {**shared, **own}.items()
    }
    described = json.dumps(about_schema(), ensure_ascii=False, indent=1) + "\n"
    with _NewFolder(folder) as created:
        created.write({**files, f"{schema.SCHEMA_FOLDER}/template.json": described})
    return created.files()


def _templates(name: str) -> dict[str, str]:
    """Return the texts of a folder of templates by path."""
    origin = data_folder("templates") / name
    return {
        path.relative_to(origin).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(origin.rglob("*"))
        if path.is_file()
    }


def _name_and_id(folder: Path, name: str | None) -> tuple[str, str]:
    """Return a pack's name (by default made from that of its folder) and the id made from it."""
    title = (name or folder.resolve().name.replace("-", " ").replace("_", " ").title()).strip()
    pack_id = re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")
    if not pack_id or not title.isprintable() or len(title) > 60:
        raise UsageError(
            _("{title} cannot be the name of a pack").format(title=shorten(title)),
            _("Choose one: --name NAME."),
        )
    return title, pack_id


class _NewFolder:
    """A new folder; a failure to write its contents removes it again."""

    def __init__(self, path: Path) -> None:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise UsageError(
                _("the folder {path} exists and is not empty").format(path=path),
                _("Choose a new folder."),
            )
        self.path = path
        self.existed = path.exists()

    def __enter__(self) -> _NewFolder:
        return self

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, CharforgeError) and not self.existed:
            shutil.rmtree(self.path, ignore_errors=True)
        if isinstance(error, OSError):
            raise WriteError(self.path, os_reason(error)) from error

    def write(self, files: Mapping[str, str]) -> None:
        """Write texts by path."""
        for name, text in files.items():
            path = self.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def files(self) -> list[Path]:
        """Return all files in the folder."""
        return [path for path in sorted(self.path.rglob("*")) if path.is_file()]


class _PackContent:
    """The values of the placeholders in ``templates/pack``, for a pack of one ruleset."""

    def __init__(self, base: Ruleset, name: str, pack_id: str) -> None:
        self.base = base
        self.name = name
        self.pack_id = pack_id
        self.rule = "rule_" + pack_id.replace("-", "_")
        self.obtainable = Obtainable(base)
        self.queries = offered_queries(base)
        folder = {**loader.installed(), **loader.built_in()}[base.id]
        reader, _ruleset = loader.read_folder(folder)
        self.yaml = {  # the entities of the ruleset by id, as they are in its files
            name: reader.data[path][where[0]][where[1]]
            for name, (path, where) in reader.places().items()
        }

    def fill(self, path: str, text: str) -> str:
        """Return a template with its placeholders filled in; unknown ones stay."""
        values = {
            "pack": self.pack_id,
            "name": self.name,
            "ruleset": self.base.id,
            "game": self.base.head.name,
            "rule": self.rule,
        }
        if path.endswith(".yaml"):  # there a name stands between double quotes
            values |= {
                key: json.dumps(values[key], ensure_ascii=False)[1:-1] for key in ("name", "game")
            }
            values |= {"entities": self.entities, "change": _list_item(self._change()).rstrip("\n")}
        return PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), text)

    @cached_property
    def entities(self) -> str:
        """The YAML of one entity of each kind; the first with a text shows a table rule."""
        parts, has_ruled_text = [], False
        for kind in self.base.head.kinds:
            model, data = self._entity(kind)
            if not has_ruled_text and "text" in data:
                text = f"The text where the table rules {self.rule} otherwise."
                data["ruled"] = [{"rule": self.rule, "option": "otherwise", "text": text}]
                has_ruled_text = True
            comment = f"  # {kind.label}{f', like {model.id}' if model is not None else ''}\n"
            if (
                model is not None
                and model.id in self.obtainable.units
                and not self._is_offered_by_query(model)
            ):
                comment += NOT_OFFERED
            parts.append(comment + _list_item(data))
        return "\n".join(parts).rstrip("\n")

    def _is_offered_by_query(self, entity: Entity) -> bool:
        """Return whether a question offers everything like an entity, not this one by its id."""
        return any(matches(query, entity) for query in self.queries if not query.ids)

    def _entity(self, kind: Kind) -> tuple[Entity | None, dict[str, Any]]:
        """Return the model of a new entity of a kind, None without, and the entity's data."""
        model = self._model(kind)
        data = {
            "id": f"{kind.id}/{self.pack_id}-{re.sub(r'[^a-z0-9]+', '-', kind.id).strip('-')}",
            "name": f"{self.name} {kind.label}",
            "source": self.name,
        }
        if model is None:
            own = {name: EMPTY_VALUES[field.type] for name, field in kind.fields.items()}
            return None, {**data, "text": f"What this {kind.label} of the pack is.", **own}
        copied = {k: value for k, value in self.yaml[model.id].items() if k not in NOT_COPIED}
        return model, {**data, **copied}

    def _model(self, kind: Kind) -> Entity | None:
        """Return the entity of a kind with the shortest YAML, if possible one that is offered."""
        models = [
            e for e in self.base.of_kind(kind.id) if not any(getattr(e, k) for k in SPECIAL_KEYS)
        ]
        length = {entity.id: len(yaml_reader.dump(self.yaml[entity.id])) for entity in models}
        return min(
            models, key=lambda e: (not self._is_offered_by_query(e), length[e.id]), default=None
        )

    def _change(self) -> dict[str, Any]:
        """Return a patch of the first entity with a price: of that; else of a text."""
        entities = [e for e in self.base.entities.values() if e.alias_of is None]
        change: dict[str, Any]
        priced = next((entity for entity in entities if entity.price), None)
        if priced is not None and priced.price is not None:
            at, change = priced.id, {"price": priced.price * 2}
        else:
            entity = next((entity for entity in entities if entity.text), entities[0])
            at, change = entity.id, {"text": f"{entity.text}\n\nSo it is in {self.name}.".strip()}
        return {"at": at, "set": change, "why": "An example of a change: this pack has its own."}

    def sample(self, amended: Ruleset) -> str:
        """Return the YAML of a sample: answers, and what to expect of their random character."""
        answers, character = self._character(amended)
        state = character.character.state
        values, sheet = state.values(), amended.head.sheet
        figures = [vital.max or vital.current for vital in sheet.vitals] or [*sheet.figures][:2]
        held = {holding.entity.id for holding in state.held(state.units[0].id)}
        expect: dict[str, Any] = {
            "legal": not character.problems,
            "values": {name: values.total(name) for name in figures if name in values},
            "holdings": sorted(name for name in held if name in amended.origins)[:3],
        }
        expect = {key: value for key, value in expect.items() if value not in ({}, [])}
        return yaml_reader.dump({"answers": answers, "expect": expect})

    def _character(self, amended: Ruleset) -> tuple[dict[str, Any], LoadedCharacter]:
        """Return answers and a random character with them, if possible with one of the pack."""
        for answers in self._answers(amended):
            try:
                return answers, _random_character(amended, answers)
            except CharforgeError:
                continue
        return {}, _random_character(amended, {})

    def _answers(self, amended: Ruleset) -> Iterator[dict[str, Any]]:
        """Yield answers that choose an entity of this pack during creation."""
        for question in amended.head.creation_questions:
            if question.query is not None:
                for entity in amended.select(question.query):
                    if entity.id in amended.origins:
                        yield {question.id: [entity.id] if question.is_list else entity.id}


def _random_character(ruleset: Ruleset, answers: dict[str, Any]) -> LoadedCharacter:
    spec = CharacterSpec(ruleset, SAMPLE_SEED, SAMPLE_NAME, answers=answers)
    return replay_document(create_character(spec, RandomAnswers(SAMPLE_SEED)), ruleset)


def _list_item(data: dict[str, Any]) -> str:
    """Return the YAML of an item of a list that is indented by two spaces."""
    lines = yaml_reader.dump(data).splitlines()
    return "".join(
        f"  {'- ' if n == 0 else '  '}{line}".rstrip() + "\n" for n, line in enumerate(lines)
    )


LANGUAGE = re.compile(r"[a-z]{2,3}")
ORIGINAL = "#:"  # begins a line with the original of the text below it
INDENT = "  "
LONGEST_LINE = 96


@dataclass
class _Node:
    """A key of a language file: its text or its keys, and the lines above it."""

    text: str = ""
    original: str = ""
    comments: list[str] = field(default_factory=list)
    keys: dict[str, _Node] = field(default_factory=dict)

    def at(self, names: PathNames) -> _Node:
        """Return the node at a path, added if it is not there."""
        node = self
        for name in names:
            node = node.keys.setdefault(name, _Node())
        return node


@dataclass(frozen=True)
class TranslationFile:
    """A language file that was written: how many texts it has, and how many of them are empty."""

    path: Path
    texts: int
    missing: int


def write_translation(folder: Path, language: str) -> TranslationFile:
    """Write or complete the file with all texts of a pack in a language; keep what is there.

    A text that is translated elsewhere in the file, always alike, is filled
    in. Texts that the pack no longer has stay at the end of their part. Raises
    PackError for a pack with errors, UsageError for what is no language.
    """
    if not LANGUAGE.fullmatch(language):
        raise UsageError(
            _("{language} is not the code of a language").format(language=language),
            _("Use two letters, such as de."),
        )
    require_folder(folder)
    _name, reader, ruleset = load_checked(folder)
    path = folder / LANGUAGES / f"{language}.yaml"
    own = own_number(reader, folder)
    top = _Node()
    texts = [text for text in texts_to_translate(reader, ruleset) if text.owner == own]
    for text in texts:
        top.at(text.names).original = text.text
    kept = read_translation(path).texts if path.is_file() else {}
    for names, found in kept.items():
        top.at(names).text = found.text
    memory: dict[str, set[str]] = {}
    for text in texts:
        memory.setdefault(text.text, set()).add(top.at(text.names).text)
    for text in texts:
        known = memory[text.text] - {""}
        if len(known) == 1:
            top.at(text.names).text = next(iter(known))
    if path.is_file():
        for where, lines in yaml_reader.comments(path):
            node = top.at(tuple(str(k + 1) if isinstance(k, int) else k for k in where))
            node.comments = [line for line in lines if not line.startswith(ORIGINAL)]
    else:
        heading = _("The texts of this game: {language}.")
        if amends(folder):
            heading = _("The texts of this pack: {language}.")
        top.comments = [f"# {heading.format(language=language)}"]
    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise WriteError(path.parent, os_reason(error)) from error
    write(path, "\n".join([*top.comments, *_lines(top, ""), ""]).encode())
    missing = sum(not top.at(text.names).text for text in texts)
    return TranslationFile(path, len(texts), missing)


def _lines(node: _Node, indent: str) -> Iterator[str]:
    """Yield the lines of the keys below a node."""
    for key, below in node.keys.items():
        name = key if key.isdecimal() else yaml_reader.yaml_line(key)
        yield from (f"{indent}{line}" for line in below.comments)
        if below.original:
            yield from (f"{indent}{ORIGINAL} {line}".rstrip() for line in _wrapped(below.original))
        yield f"{indent}{name}:{_scalar(below.text, indent + INDENT)}"
        yield from _lines(below, indent + INDENT)


def _wrapped(text: str) -> Iterator[str]:
    """Yield the lines of a text, none of them too long to read."""
    for line in text.splitlines():
        yield from wrap(line, LONGEST_LINE, break_long_words=False, break_on_hyphens=False) or [""]


def _scalar(text: str, indent: str) -> str:
    """Return a text as YAML, after its key."""
    lines = text.splitlines()
    if len(lines) > 1:
        return "".join([" |-", *(f"\n{indent}{line}".rstrip(" ") for line in lines)])
    if len(text) > LONGEST_LINE - len(indent) and text.split() == text.split(" "):
        return "".join([" >-", *(f"\n{indent}{line}" for line in _wrapped(text))])
    return f" {yaml_reader.yaml_line(text)}" if text else ""


def require_folder(folder: Path) -> None:
    """Raise UsageError if the folder of a pack does not exist."""
    if not folder.is_dir():
        raise UsageError(
            _("there is no folder {folder}").format(folder=folder), _("Name the folder of a pack.")
        )
