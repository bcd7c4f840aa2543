"""A pack to begin with: small, commented, and at work at once.

What it holds is modelled on the ruleset that it is for: an entity of each
kind looks like the simplest that the ruleset has of that kind, so that it
is offered where that one is.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from charforge.answers.random import RandomAnswers
from charforge.decisions.unreachable import Obtainable, offered_queries
from charforge.errors import CharforgeError, UsageError, WriteError
from charforge.paths import data_folder
from charforge.replay.loaded import LoadedCharacter, replay_document
from charforge.replay.spec import CharacterSpec
from charforge.rules import loader, schema, yaml_source
from charforge.rules.models import RULESET, Ask, Entity, Kind
from charforge.rules.ruleset import Ruleset, matches
from charforge.usecases.create import create_character

WHOLE = "ruleset"  # the folder of templates that holds a whole small ruleset
SEED = "1"
NAME = "Sample"
OWN = ("my-game", "My Game")  # the id and the name in that folder
SAMPLE = "tests/first.yaml"
# What an example keeps to itself: who it is, what it stands for, what it takes to have it.
LEFT_OUT = ("id", "name", "source", "rulings", "aliases", "renamed_from", "requires")
UNFIT = ("alias_of", "replaces", "active_when", "requires", "condition")
EMPTY: dict[str, Any] = {"text": "…", "number": 0, "flag": False, "list": []}
VERSION = "0.1.0"
OTHERWISE = "otherwise"
UNOFFERED = (
    "  # Nothing offers this one yet: let something grant it, patch the question that should\n"
    "  # offer it, or have the GM give it (charforge gain FILE ID).\n"
)


def start(folder: Path, ruleset: str | None = None, name: str | None = None) -> list[Path]:
    """Write a small pack that amends a ruleset; return its files.

    Raises UsageError where something stands in its place, UnknownId for a
    ruleset that is not here, WriteError.
    """
    rules = loader.load(loader.default_ruleset() if ruleset is None else ruleset)
    called, slug = _named(folder, name)
    if slug == rules.id:
        raise UsageError(f"{slug} is the ruleset's own id", "Give the pack another: --name NAME.")
    starter = _Starter(rules, called, slug)
    return _write(folder, starter.files(), rules, starter)


def start_ruleset(folder: Path, name: str | None = None) -> list[Path]:
    """Write a whole small ruleset; return its files. Raises UsageError or WriteError."""
    called, slug = _named(folder, name)
    if slug in loader.built_in():
        raise UsageError(f"{slug} is a built-in ruleset", "Give it another: --name NAME.")
    origin = data_folder("templates") / WHOLE
    files = {}
    for path in sorted(origin.rglob("*")):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            for old, new in zip(OWN, (slug, called), strict=True):
                text = text.replace(old, new)
            files[path.relative_to(origin).as_posix()] = text
    return _write(folder, files, None, None)


def _named(folder: Path, name: str | None) -> tuple[str, str]:
    """Return the name and the id of a pack: those of its folder where none is given."""
    called = (name or folder.resolve().name.replace("-", " ").replace("_", " ").title()).strip()
    slug = re.sub(r"[^a-z0-9]+", "-", called.casefold()).strip("-")
    if not slug or not called.isprintable() or len(called) > 60:
        raise UsageError(f"{called!r} is no name for a pack", "Give one: --name NAME.")
    return called, slug


def _write(
    folder: Path, files: Mapping[str, str], rules: Ruleset | None, starter: _Starter | None
) -> list[Path]:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            f"the folder {folder} exists and is not empty", "Give a folder that is new."
        )
    there = folder.exists()
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        amended = loader.load_folder(folder) if rules is None else _amended(rules, folder)
        if starter is not None:
            (folder / SAMPLE).parent.mkdir(exist_ok=True)
            (folder / SAMPLE).write_text(starter.sample(amended), encoding="utf-8")
        schema.write(folder, amended)
    except OSError as error:
        raise WriteError(folder, error.strerror or str(error)) from error
    except CharforgeError:
        if not there:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def _amended(rules: Ruleset, folder: Path) -> Ruleset:
    known = {**loader.installed(), **loader.built_in()}
    return loader.load_folder(known[rules.id], [folder])


class _Starter:
    """Writes the files of a pack for one ruleset."""

    def __init__(self, rules: Ruleset, name: str, slug: str) -> None:
        self.rules = rules
        self.name = name
        self.slug = slug
        self.obtainable = Obtainable(rules)
        self.queries = offered_queries(rules)
        self.rule = "rule_" + slug.replace("-", "_")
        read, _rules = loader.read_folder({**loader.installed(), **loader.built_in()}[rules.id])
        self.raw = {
            name: read.data[path][way[0]][way[1]] for name, (path, way) in read.places().items()
        }

    def files(self) -> dict[str, str]:
        """Return the texts of the pack's files by name."""
        return {
            "pack.yaml": self._head(),
            "entities.yaml": self._entities(),
            "changes.yaml": self._changes(),
            "README.md": self._readme(),
        }

    def _head(self) -> str:
        head = {
            "id": self.slug, "name": self.name, "version": VERSION, "ruleset": self.rules.id,
            "author": "", "text": f"What {self.name} adds to {self.rules.head.name}.",
        }  # fmt: skip
        return (
            f"{_points('pack.json')}"
            f"# What this pack is. Use it: charforge catalog add THIS-FOLDER, then\n"
            f"# charforge new --ruleset {self.rules.id} --pack {self.slug}. Keep the id for ever;\n"
            f"# raise the version with every change that players should notice.\n"
            f"{yaml_source.dump(head)}"
        )

    def _entities(self) -> str:
        lines = [
            _points("page.json"),
            "# An entity of each kind that the ruleset has; delete those that you do not need.\n"
            "# Each looks like the one that its comment names: charforge catalog show ID.\n"
            "entities:\n",
        ]
        ruled = False
        for kind in self.rules.head.kinds:
            like, data = self._entity(kind)
            if not ruled and "text" in data:
                text = f"What this says where the table rules {self.rule} otherwise."
                data["ruled"] = [{"rule": self.rule, "option": OTHERWISE, "text": text}]
                ruled = True
            lines.append(f"  # {kind.label}{f', like {like.id}' if like is not None else ''}\n")
            if like is not None and like.id in self.obtainable.units and not self._asked(like):
                lines.append(UNOFFERED)
            lines.append(f"{_listed(data)}\n")
        return "".join(lines).rstrip() + "\n"

    def _asked(self, entity: Entity) -> bool:
        """Whether some question offers everything that is like an entity."""
        return any(matches(query, entity) for query in self.queries if not query.ids)

    def _entity(self, kind: Kind) -> tuple[Entity | None, dict[str, Any]]:
        """Return an entity of a kind, and the one that it is modelled on."""
        model = self._model(kind)
        own = {name: EMPTY[field.type] for name, field in kind.fields.items()}
        data = {
            "id": f"{kind.id}/{self.slug}-{_slug(kind.id)}",
            "name": f"{self.name} {kind.label}",
            "source": self.name,
        }
        if model is None:
            return None, {**data, "text": f"What a {kind.label} of this pack is.", **own}
        raw = {key: value for key, value in self.raw[model.id].items() if key not in LEFT_OUT}
        return model, {**data, **raw}

    def _model(self, kind: Kind) -> Entity | None:
        """Return the simplest entity of a kind that a new one may look like."""
        fit = [e for e in self.rules.of_kind(kind.id) if not any(getattr(e, k) for k in UNFIT)]
        size = {entity.id: len(yaml_source.dump(self.raw[entity.id])) for entity in fit}
        return min(fit, key=lambda e: (not self._asked(e), size[e.id]), default=None)

    def _changes(self) -> str:
        rule = {
            "id": self.rule,
            "label": "How does this table rule it?",
            "default": "as_written",
            "options": [
                {"id": "as_written", "label": "As written"},
                {"id": OTHERWISE, "label": "Otherwise"},
            ],
        }
        at, change = self._change()
        patches = [
            {"at": at, "set": change, "why": "An example of a change: this pack has its own."},
            {"at": RULESET, "add": {"table_rules": [rule]}, "why": "A rule that a table switches."},
        ]
        return (
            f"{_points('page.json')}"
            "# Changes to what the ruleset has already. at: an id, or a way such as\n"
            "# [procedures, ID] or [ruleset, creation, ID]; then set, drop, add or remove.\n"
            f"# A table switches the rule with charforge new --rule {self.rule}={OTHERWISE};\n"
            "# texts and steps of procedures depend on it by their key ruled.\n"
            "patches:\n" + "\n".join(map(_listed, patches))
        )

    def _change(self) -> tuple[str, dict[str, Any]]:
        """Return a change to an entity of the ruleset: its price if it has one, else its text."""
        entities = [e for e in self.rules.entities.values() if e.alias_of is None]
        for entity in entities:
            if entity.price:
                return entity.id, {"price": entity.price * 2}
        spoken = next((entity for entity in entities if entity.text), entities[0])
        return spoken.id, {"text": f"{spoken.text}\n\nSo it is in {self.name}.".strip()}

    def _readme(self) -> str:
        return (
            f"# {self.name}\n\nA pack for {self.rules.head.name}.\n\n"
            "    charforge catalog check .     # everything wrong with it, at its line\n"
            "    charforge catalog test .      # the characters in tests/\n"
            "    charforge catalog add .       # install it\n"
            f"    charforge new --ruleset {self.rules.id} --pack {self.slug}\n"
        )

    def sample(self, amended: Ruleset) -> str:
        """Return a character of chance who has taken something of this pack, with its figures."""
        answers, made = self._character(amended)
        values = made.character.state.values()
        sheet = amended.head.sheet
        shown = [vital.max or vital.current for vital in sheet.vitals] or [*sheet.figures][:2]
        expect: dict[str, Any] = {
            "legal": not made.problems,
            "values": {name: values.total(name) for name in shown if name in values},
        }
        held = {h.entity.id for h in made.character.state.held(made.character.state.units[0].id)}
        expect["holdings"] = sorted(name for name in held if name in amended.origins)[:3]
        sample = {"name": NAME, "level": 1, "seed": SEED, "random": True, "answers": answers}
        expect = {key: value for key, value in expect.items() if value not in ({}, [])}
        return (
            f"{_points('../.schema/test.json', '')}"
            "# A character and what must come of it; chance answers what is left out, the same\n"
            "# for the same seed: charforge catalog test PACK.\n"
            f"{yaml_source.dump({**sample, 'expect': expect})}"
        )

    def _character(self, amended: Ruleset) -> tuple[dict[str, Any], LoadedCharacter]:
        """Return the answer that takes something of this pack, if one can, and the character."""
        for answers in (*self._answers(amended), {}):
            plan = CharacterSpec(amended, SEED, NAME, answers=answers)
            try:
                return answers, replay_document(
                    create_character(plan, RandomAnswers(SEED)), amended
                )
            except CharforgeError:
                if not answers:
                    raise
        raise AssertionError("the last answers are none")

    def _answers(self, amended: Ruleset) -> Iterator[dict[str, Any]]:
        for step in amended.head.creation:
            if isinstance(step, Ask) and step.query is not None:
                for entity in amended.select(step.query):
                    if entity.id in amended.origins:
                        yield {step.id: [entity.id] if step.is_list else entity.id}


def _points(name: str, folder: str = f"{schema.FOLDER}/") -> str:
    """Return the line by which an editor finds the schema of a file."""
    return f"# yaml-language-server: $schema={folder}{name}\n"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text).strip("-")


def _listed(data: dict[str, Any]) -> str:
    """Return an item of a list that is two signs further in."""
    lines = yaml_source.dump(data).splitlines()
    return "".join(
        f"  {'- ' if n == 0 else '  '}{line}".rstrip() + "\n" for n, line in enumerate(lines)
    )
