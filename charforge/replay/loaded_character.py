"""Loaded characters: a file with its rules, the replayed character and all problems.

The log is replayed and not trusted; the summary, the header and the pack pins
of the file are compared with the result. What a group owns (a crew or a ship) is a character
of another game, whose file is named by the campaign file beside the members: they read its figures.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import BaseModel

from charforge.character.files import reader
from charforge.character.files.document import (
    LABELS,
    RULES,
    Document,
    character_id,
    logged_name,
    planned_answers,
    updated_pins,
)
from charforge.character.files.events import (
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    DropEvent,
    Pin,
    PlanEvent,
    SharedChange,
)
from charforge.character.state import CHARACTER, Condition, Holding, State, Unit
from charforge.character.state_data import SharedUnit
from charforge.decisions.base import Decision
from charforge.decisions.kinds import may_be_asked
from charforge.errors import (
    CharforgeError,
    DocumentError,
    MissingPack,
    PackError,
    UnknownId,
    UsageError,
    did_you_mean,
    nearest,
    shorten,
)
from charforge.language import N_, _, speak
from charforge.limits import LARGEST_AMOUNT
from charforge.replay.character_spec import check_name, check_rules
from charforge.replay.replay import (
    Character,
    Problem,
    Start,
    replay,
    with_logged_shared,
    with_shared_now,
)
from charforge.rules import loading
from charforge.rules.loading import loader
from charforge.rules.models import (
    Action,
    Attack,
    Capacity,
    Computed,
    Entity,
    Input,
    Question,
    SharedSpec,
)
from charforge.rules.models.entities import LEVEL
from charforge.rules.names import name_from_id, original
from charforge.rules.ruleset import Ruleset

HASH_LENGTH = 8  # hexadecimal digits of the hash of an entity's rules
# The fields that a hash leaves out: names, places in books, advice, words for players, figures.
LEFT_OUT: dict[type, tuple[str, ...]] = {
    Entity: (
        "id", "name", "source", "rulings", "aliases", "renamed_from", "key", "priority", "suits",
        "recommended",
    ),
    Question: ("short",), Input: ("words",), Capacity: ("max",), Attack: ("damage", "cost"),
    Action: ("cost",),
}  # fmt: skip
PIN_HASH_LENGTH = 16  # hexadecimal digits of a hash that a pin keeps
MAX_HINTS = 20  # unknown answers for which the nearest id is searched, which takes long


@dataclass(frozen=True)
class LoadedCharacter:
    """A document with its rules and the character replayed from its log."""

    document: Document
    ruleset: Ruleset
    character: Character
    shared_fault: str = ""  # why what its group owns cannot be read now
    lost: tuple[SharedChange, ...] = ()  # its changes that what its group owns does not have

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything wrong with the file: broken, open and unknown answers, an old summary."""
        return tuple(_problems(self))

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes that are no problems: overrides, dormant answers, other pack versions."""
        others = pack_notes(self)
        fault = (self.shared_fault,) if self.shared_fault else ()
        own = (*_overridden(self.character), *_dormant(self))
        return (*own, *others, *fault)


def pins(ruleset: Ruleset) -> tuple[Pin, ...]:
    """Return the pins of a ruleset and its packs, as a document keeps them; the ruleset first."""
    own = Pin(id=ruleset.id, version=ruleset.head.version, hash=ruleset.hash[:PIN_HASH_LENGTH])
    more = (Pin(id=p.id, version=p.version, hash=p.hash[:PIN_HASH_LENGTH]) for p in ruleset.packs)
    return (own, *more)


def saved_summary(character: Character) -> dict[str, Any]:
    """Return the summary of a character with labels and rules, as its document keeps it.

    The labels are for whoever opens the file without the game. They are in the language that the
    game is written in, so that a file is the same whoever saves it, and only where an id does not
    say it as well. One that is empty is of a condition that players never read of.
    """
    saved = summary(character)
    labels = {
        name: original(label)
        for name, label in _labels(character.state, saved)
        if name and original(label) != name_from_id(name)
    }
    if labels:
        saved[LABELS] = labels
    return {**saved, RULES: held_rules(character.state)}


def _labels(state: State, saved: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the ids in a summary with their labels."""
    ruleset, units = state.ruleset, saved["units"]
    yield ruleset.id, ruleset.head.name
    yield "level", ruleset.head.advancement.label
    for name in dict.fromkeys((*saved["values"], *(n for unit in units for n in unit["values"]))):
        yield name, ruleset.values[name].label
    for unit in state.units:
        for holding in state.held(unit.id):
            yield holding.entity.id, holding.entity.name
        if unit.entity is not None:
            yield unit.entity.id, unit.entity.name
        if unit.name:
            yield unit.id, unit.name
        for condition in state.active_conditions(unit.id):
            yield condition.entity.id, "" if condition.hidden else condition.entity.name
            yield condition.about, condition.subject
    for holding in state.holdings:
        if holding.entity.kind in ruleset.head.sheet.headline:
            yield holding.entity.id, holding.entity.name


def summary(character: Character) -> dict[str, Any]:
    """Return the summary of a character for other tools, in ids and numbers.

    Level, headline entities by kind, ``values``, ``holdings``, ``units`` and
    ``conditions``; totals are those of the present moment.
    """
    state = character.state
    data: dict[str, Any] = {"level": state.level}
    for kind in state.ruleset.head.sheet.headline:
        held = [h.entity.id for h in state.holdings if h.entity.kind == kind]
        data[kind] = held[0] if len(held) == 1 else held
    values = state.values()
    data["values"] = {name: values.total(name) for name in values.shown_ids()}
    data["holdings"] = [
        _brief(holding) for holding in state.holdings if holding.unit == state.units[0].id
    ]
    data["units"] = [_brief_unit(character, unit) for unit in state.units[1:]]
    conditions = [
        _brief_condition(c) for unit in state.units for c in state.active_conditions(unit.id)
    ]
    if conditions:
        data["conditions"] = conditions
    return data


def _brief_condition(condition: Condition) -> str:
    amount = f" {condition.amount}" if condition.amount != 1 else ""
    about = f" ({condition.about})" if condition.about else ""
    whose = f" on {condition.unit}" if condition.unit != CHARACTER else ""
    return f"{condition.entity.id}{amount}{about}{whose}"


def _brief(holding: Holding) -> str:
    times = f" × {holding.quantity}" if holding.quantity != 1 else ""
    return holding.entity.id + times


def _brief_unit(character: Character, unit: Unit) -> dict[str, Any]:
    state = character.state
    values = state.values(unit.id)
    return {
        "id": unit.entity.id if unit.entity else unit.id,
        "level": state.level_of(unit),
        "values": {name: values.total(name) for name in values.shown_ids()},
        "holdings": [_brief(holding) for holding in state.held(unit.id)],
    }


def load_character(
    path: Path, ruleset: Ruleset | None = None, at_level: int | None = None
) -> LoadedCharacter:
    """Load a character file and replay it, as it is or as of ``at_level`` as players read it.

    As it is, it sees what its group owns as that is now.
    """
    if (path.parent / reader.JOURNAL).exists():
        # Here, because an interrupted change is rare, and filelock takes 15 ms to import.
        from charforge.character.files.storage import finish_change

        finish_change(path.parent)
    loaded = load_document(reader.load(path), path, ruleset)
    level = level_read(loaded, at_level)
    return with_shared(loaded, path) if level is None else as_of_level(loaded, level)


def with_shared(loaded: LoadedCharacter, path: Path) -> LoadedCharacter:
    """Return a character that sees what its group owns, as the campaign file beside it says.

    The page that shows both has one language: that of the reader if both games have it, else that
    of the character's game.
    """
    spec = loaded.ruleset.head.shared
    if spec is None:
        return loaded
    try:
        owned = load_shared(path.parent, loaded.ruleset)
        if owned is not None and loader.settle_on_common([loaded.ruleset, owned.loaded.ruleset]):
            owned = load_shared(path.parent, loaded.ruleset)
            loaded = load_document(loaded.document, path)
    except CharforgeError as error:
        speak(loaded.ruleset.page_language)
        fault = _("{label} cannot be read: {reason}").format(label=spec.label, reason=error)
        return replace(loaded, shared_fault=fault)
    if owned is None:
        return loaded
    known = {change.id for change in owned.loaded.document.changes_of_shared}
    lost = tuple(
        change
        for change in loaded.document.changes_of_shared
        if change.is_members and change.other == owned.reading.id and change.id not in known
    )
    return replace(loaded, character=with_shared_now(loaded.character, owned.reading), lost=lost)


@dataclass(frozen=True)
class LoadedShared:
    """The crew or ship of a group: its file, the character in it, and what members read of that."""

    path: Path
    loaded: LoadedCharacter
    reading: SharedUnit


def load_shared(folder: Path, ruleset: Ruleset) -> LoadedShared | None:
    """Return what the group in a folder owns; None if its campaign file names nothing.

    ``ruleset`` is the game of its members. Raises CharforgeError if it cannot be read.
    """
    spec, path = ruleset.head.shared, shared_file(folder)
    if spec is None or path is None:
        return None
    loaded = load_document(reader.load(path), path)
    if loaded.ruleset.id != spec.ruleset:
        games = loaded.ruleset.head.name, spec.ruleset
        raise DocumentError(path, _("it is of {game}, not of {wanted}").format(
            game=games[0], wanted=games[1],
        ))  # fmt: skip
    document, state = loaded.document, loaded.character.state
    return LoadedShared(path, loaded, shared_unit(state, document.id, document.name, spec))


def level_read(loaded: LoadedCharacter, number: int | None) -> int | None:
    """Return the level that players read with a number; None for none."""
    return None if number is None else loaded.ruleset.head.advancement.level(number)


def as_of_level(loaded: LoadedCharacter, level: int) -> LoadedCharacter:
    """Return the character as of the end of ``level``.

    Later edits of earlier decisions count. Raises UsageError for a level that
    it has not reached.
    """
    document, advancement = loaded.document, loaded.ruleset.head.advancement
    if not 1 <= level <= document.level:
        first = (
            _("levels start at {first}").format(first=advancement.first)
            if level < 1
            else _("{name} is only {level}").format(
                name=document.name, level=advancement.text_inside(document.level)
            )
        )
        raise UsageError(first)
    end = next((n for n, event in enumerate(document.log) if _beyond(event, level)), None)
    log = document.log[:end]
    answered = {event.decision for event in log if isinstance(event, AnswerEvent)}
    later = tuple(
        event
        for event in document.log[len(log) :]
        if isinstance(event, AnswerEvent) and not event.now and event.decision in answered
    )
    known = tuple(record for record in document.pack_changes if record.n <= len(log))
    past = document.model_copy(update={"log": (*log, *later), "pack_changes": known})
    return replay_document(past, loaded.ruleset)


def _beyond(event: AnyEvent, level: int) -> bool:
    return isinstance(event, AdvanceEvent) and event.unit is None and event.level > level


def replay_document(document: Document, ruleset: Ruleset) -> LoadedCharacter:
    """Replay a document, and set its header and summary from the result."""
    character = replay(ruleset, document.answers, Start(document.name), log=document.log)
    return with_summary(document, ruleset, character)


def with_summary(document: Document, ruleset: Ruleset, character: Character) -> LoadedCharacter:
    """Return a loaded character whose header and summary are set from its log."""
    name = logged_name(document.log) or document.name
    character = replace(character, name=name)
    updated = document.model_copy(
        update={
            "name": name,
            "plan": planned_answers(document.log),
            "character": saved_summary(character),
        }
    )
    return LoadedCharacter(updated, ruleset, character)


def load_document(
    document: Document, path: Path, ruleset: Ruleset | None = None
) -> LoadedCharacter:
    """Load the rules of a document, unless given, and replay it; its header stays as it is.

    The page that shows it speaks the language of the game from now on.
    ``path`` is its file, for errors. Raises MissingPack if a pack is not
    installed, DocumentError for a level that the ruleset does not have.
    """
    ruleset = fitting_rules(document, path, ruleset)
    speak(ruleset.page_language)
    highest = ruleset.head.advancement.maximum
    if document.level > highest:
        raise DocumentError(
            path,
            _("it is level {level}, and {name} ends at level {highest}").format(
                level=document.level, name=ruleset.head.name, highest=highest
            ),
        )
    character = replay(ruleset, document.answers, Start(document.name), log=document.log)
    return LoadedCharacter(document, ruleset, character)


def fitting_rules(document: Document, path: Path, ruleset: Ruleset | None = None) -> Ruleset:
    """Return a ruleset if its packs are those of a document, or else load the rules of that."""
    pack_ids = (document.ruleset, _pack_ids(document))
    if ruleset is None or (ruleset.id, tuple(p.id for p in ruleset.packs)) != pack_ids:
        return load_rules(document, path)
    return ruleset


def _pack_ids(document: Document) -> tuple[str, ...]:
    """Return the ids of the packs of a document besides its ruleset."""
    return tuple(pin.id for pin in document.packs if pin.id != document.ruleset)


def load_rules(
    document: Document, path: Path, instead: Mapping[str, Path] = MappingProxyType({})
) -> Ruleset:
    """Load the rules of a document; ``instead`` are folders to use for packs, by id.

    Raises MissingPack with every pack that is not installed.
    """
    pack_ids = _pack_ids(document)
    known = {*loader.available(), *instead}
    if document.ruleset not in known or not {*pack_ids} <= {*loader.installed(), *instead}:
        installed = {*known, *loader.installed()}
        versions = {pin.id: pin.version for pin in document.packs}
        needed = (document.ruleset, *pack_ids)
        missing = [(name, versions.get(name, "")) for name in needed if name not in installed]
        raise MissingPack(path, missing, nearest(missing[0][0], installed) if missing else "")
    return loader.load(document.ruleset, pack_ids, instead)


def _problems(loaded: LoadedCharacter) -> Iterator[Problem]:
    character, document = loaded.character, loaded.document
    yield from character.problems
    broken = {problem.decision for problem in character.problems}
    for decision in character.open:
        if decision.id not in broken:
            yield Problem("open", decision.id, _("not answered yet"), decision.heading())
    known = [decision.id for decision in character.asked]
    hints = MAX_HINTS
    for name in character.dormant:
        if not may_be_asked(loaded.ruleset, name):
            near = did_you_mean(name, known) if hints > 0 else ""
            hints -= 1
            yield Problem("unknown", name, _("there is no such choice{near}").format(near=near))
    for name, value in document.rules.items():
        try:
            check_rules(loaded.ruleset, {name: value})
        except UnknownId as error:
            yield Problem("rule", name, str(error))
    levels = [e.level for e in document.log if isinstance(e, AdvanceEvent) and e.unit is None]
    if levels != list(range(2, 2 + len(levels))):
        yield Problem(
            "levels",
            "",
            _("the levels in the file are out of order: {levels}").format(levels=levels),
        )
    yield from _header_problems(document)
    for change in loaded.lost:
        number = next(event.group for event in document.log if event.change == change)
        shared = character.state.shared
        yield Problem(
            "shared",
            "",
            _("{name} does not have the change no. {number} in history").format(
                name="" if shared is None else shared.name, number=number
            ),
        )
    stale = ", ".join(_stale(loaded))
    if stale and saved_with_installed_packs(loaded):
        yield Problem(
            "summary", "", _("the summary does not match the history: {stale}").format(stale=stale)
        )


def _stale(loaded: LoadedCharacter) -> Iterator[str]:
    """Yield the keys of the summary that differ from the replay, if that is complete."""
    character, document = loaded.character, loaded.document
    if not character.open and not character.problems:
        yield from _differing(document.summary, summary(with_logged_shared(character)))


def _overridden(character: Character) -> Iterator[str]:
    for overridden in character.overridden:
        by, why = overridden.override.by, overridden.override.reason
        reasons = "; ".join(overridden.reasons)
        yield _("{label}: {reasons} (allowed by {by}: {why})").format(
            label=character.label(overridden.decision), reasons=reasons, by=by, why=why
        )


def answered_decisions(loaded: LoadedCharacter) -> tuple[dict[str, Decision], dict[str, str]]:
    """Return every decision that the log answered, and the names of former holdings.

    Decisions that an edit removed come from a replay up to that edit.
    """
    log = loaded.document.log
    known = {decision.id: decision for decision in loaded.character.asked}
    names: dict[str, str] = {}
    answered = {event.decision for event in log if isinstance(event, AnswerEvent | PlanEvent)}
    for end in _edit_positions(log):
        if answered <= known.keys():
            break
        answers = loaded.document.model_copy(update={"log": log[:end]}).answers
        then = replay(loaded.ruleset, answers, log=log[:end])
        known = {**{decision.id: decision for decision in then.asked}, **known}
        names = {**{h.id: h.name for h in then.state.holdings}, **names}
    return known, names


def _edit_positions(log: tuple[AnyEvent, ...]) -> list[int]:
    """Return the indexes of repeated answers and removed items in the log, latest first."""
    seen: set[str] = set()
    ends = []
    for index, event in enumerate(log):
        if isinstance(event, AnswerEvent):
            if event.decision in seen:
                ends.append(index)
            seen.add(event.decision)
        elif isinstance(event, DropEvent):
            ends.append(index)
    return ends[::-1]


def _dormant(loaded: LoadedCharacter) -> Iterator[str]:
    character = loaded.character
    names = [name for name in character.dormant if may_be_asked(loaded.ruleset, name)]
    if names:
        decisions, _holding_names = answered_decisions(loaded)
        for name in names:
            label = decisions[name].heading() if name in decisions else character.label(name)
            yield _(
                "{label} has no effect now; it will count again when its choice comes back"
            ).format(label=label)


def _header_problems(document: Document) -> Iterator[Problem]:
    """Yield the problems of the header: what does not agree with the seed or the log."""
    if document.id != character_id(document.seed):
        yield Problem("id", "", _("the id does not match the seed: the file was edited"))
    name = logged_name(document.log)
    if not name:
        yield Problem(
            "name",
            "",
            _("the name is {name}, but the history has none").format(name=shorten(document.name)),
        )
    elif name != document.name:
        yield Problem(
            "name",
            "",
            _("the name is {name}, but the history says {logged_name}").format(
                name=shorten(document.name), logged_name=shorten(name)
            ),
        )
    if document.plan != planned_answers(document.log):
        yield Problem("plan", "", _("the plan does not match the history"))
    try:
        check_name(document.name)
    except UsageError as error:
        yield Problem("name", "", error.reason)
    if document.ruleset not in (pin.id for pin in document.packs):
        yield Problem(
            "pin", "", _("the version of {ruleset} is missing").format(ruleset=document.ruleset)
        )
    if updated_pins(document.log) not in ((), document.packs):
        yield Problem("pin", "", _("the pack versions do not match the history"))


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for key in dict.fromkeys([*new, *old]):
        if old.get(key) == new.get(key):
            continue
        if isinstance(old.get(key), dict) and isinstance(new.get(key), dict):
            inner = _differing(old[key], new[key])
            yield from (f"{key} {name}" for name in inner)
        else:
            yield key


def saved_with_installed_packs(loaded: LoadedCharacter) -> bool:
    """Return whether the summary of a character was made with the installed packs."""
    installed = {pin.id: pin for pin in pins(loaded.ruleset)}
    return all(installed.get(pin.id, pin) == pin for pin in loaded.document.summary_packs)


def pack_notes(loaded: LoadedCharacter) -> tuple[str, ...]:
    """Return a note for each installed pack that differs from the document's pin."""
    installed = {pin.id: pin for pin in pins(loaded.ruleset)}
    return tuple(
        _(
            "made with {id} {version} ({hash}), read with {installed_version} "
            "({installed_hash}); charforge update shows the differences and applies "
            "them"
        ).format(
            id=pin.id,
            version=pin.version,
            hash=pin.hash,
            installed_version=installed[pin.id].version,
            installed_hash=installed[pin.id].hash,
        )
        for pin in loaded.document.packs
        if pin.id in installed and pin != installed[pin.id]
    )


# ------------------------------------------------------------------ what a group owns


CAMPAIGN_FILE = "charforge.yaml"
SHARED_KEY = "shared"  # of a campaign file
MAX_CAMPAIGN_BYTES = 1_000_000  # of a campaign file that is looked at
NAME_SHARED_FILE = N_(
    "Name its file in charforge.yaml, in the folder of this character: shared: FILE."
)


def shared_file(folder: Path) -> Path | None:
    """Return the file of what a group owns, as the campaign file of a folder names it, or None.

    Other keys are not checked. Raises UsageError for a campaign file that cannot be read.
    """
    path = folder / CAMPAIGN_FILE
    try:
        if SHARED_KEY.encode() not in path.read_bytes()[:MAX_CAMPAIGN_BYTES]:
            return None  # without reading YAML, which takes long to import
        data = loading.yaml_reader.read_yaml(path, plain=True)
    except OSError:
        return None
    except PackError as error:
        message = _("{path} cannot be read").format(path=path)
        raise UsageError(message, error.problems[0].message) from error
    name = data.get(SHARED_KEY) if isinstance(data, Mapping) else None
    return folder / name if isinstance(name, str) and is_plain_name(name) else None


def shared_files(files: Iterable[Path]) -> list[Path]:
    """Return the files of what groups own, as the campaign files beside their members name them."""
    owned = [shared_file(folder) for folder in dict.fromkeys(file.parent for file in files)]
    return [file for file in owned if file is not None and file.exists()]


def is_plain_name(name: str) -> bool:
    """Return whether a text names a file in the folder of the campaign file."""
    return Path(name).name == name and "\\" not in name


def is_shared_file(file: Path) -> bool:
    """Return whether a character file is what the group in its folder owns."""
    try:
        shared = shared_file(file.parent)
        return shared is not None and shared.exists() and shared.samefile(file)
    except (OSError, UsageError):
        return False


def shared_unit(state: State, id: str, name: str, spec: SharedSpec) -> SharedUnit:
    """Return what members read of what their group owns, which has this state."""
    values, computed = state.values(), state.unit().type.values
    known = [one.id for one in spec.values if one.id in computed]
    figures = {
        name: values.base(name) if computed[name].resource else values.total(name) for name in known
    }
    if any(one.id == LEVEL for one in spec.values):
        figures[LEVEL] = state.ruleset.head.advancement.number(state.level)
    bounds = {name: _bounds(state, computed[name]) for name in known if computed[name].resource}
    return SharedUnit(id, name, figures, bounds)


def _bounds(state: State, computed: Computed) -> tuple[int, int]:
    """Return the least and most of a resource."""
    values = state.values()
    low, high = computed.minimum, computed.maximum
    return (
        -LARGEST_AMOUNT if low is None else values.evaluate(low),
        LARGEST_AMOUNT if high is None else values.evaluate(high),
    )


# ------------------------------------------------------------------ rules of what is held


class RuleFigure(NamedTuple):
    """A number of an entity's rules: its key among them, a label, and a formula as in the pack."""

    key: str
    label: str
    formula: str


def held_rules(state: State) -> dict[str, str]:
    """Return the rules of every entity that a character and its units have.

    By the id of an entity the hash of its rules, which is the same in every language; by its id
    and the key of a figure the formula of that. A pack that is replaced takes its former rules
    with it: with these, ``update`` can still say what differs.
    """
    entities = {holding.entity.id: holding.entity for holding in state.holdings}
    rules: dict[str, str] = {}
    for entity in entities.values():
        figures = rule_figures(entity, state.ruleset)
        key = "rules hash", entity.id
        rules[entity.id] = state.ruleset.cached(key, partial(_hash, entity, state.ruleset))
        rules |= {f"{entity.id} {figure.key}": figure.formula for figure in figures}
    return rules


def rule_figures(entity: Entity, ruleset: Ruleset) -> Iterator[RuleFigure]:
    """Yield what its capacities hold, what its attacks deal and what it costs to use it."""
    labels = {capacity.id: capacity.label for capacity in entity.capacities}
    for capacity in entity.capacities:
        label = f"{entity.name}: {capacity.label}"
        yield RuleFigure(f"capacity {capacity.id}", label, capacity.max.text)
    parts: dict[str, Attack | Action] = {f"attack {n}": a for n, a in enumerate(entity.attacks, 1)}
    parts |= {f"action {n}": a for n, a in enumerate(entity.actions, 1)}
    for key, part in parts.items():
        own_name = part.name not in ("", entity.name)
        name = f"{entity.name} ({part.name})" if own_name else entity.name
        if isinstance(part, Attack):
            label = _("{name}: damage").format(name=name)
            yield RuleFigure(f"{key} damage", label, str(part.damage))
        for resource, amount in part.cost.items():
            of = labels.get(resource) or ruleset.label_of(resource)
            label = _("{name}: {resource} cost").format(name=name, resource=of)
            yield RuleFigure(f"{key} cost {resource}", label, str(amount))


def _hash(entity: Entity, ruleset: Ruleset) -> str:
    """Return a short hash of the rules of an entity, with the keys of its figures alone."""
    keys = [figure.key for figure in rule_figures(entity, ruleset)]
    text = json.dumps([keys, _as_written(entity)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_LENGTH]


def _as_written(value: Any) -> Any:
    """Return a part of a pack as data without defaults, with its own texts, not translations.

    Without the serializer of pydantic, which takes a tenth of a second to be built.
    """
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        left_out = {name for kind in type(value).mro() for name in LEFT_OUT.get(kind, ())}
        return {
            name: _as_written(part)
            for name, part in value
            if name not in left_out and part != fields[name].default
        }
    if isinstance(value, dict):
        return {str(key): _as_written(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_as_written(part) for part in value]
    if isinstance(value, str):
        return original(value)
    return value if isinstance(value, int | float | None) else str(value)
