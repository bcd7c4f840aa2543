"""Loaded characters: a file with its rules, its summary and its problems.

The log is replayed and never trusted; the summary, the header and the pack
pins are compared with the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from charforge.character import reader
from charforge.character.document import (
    Document,
    character_id,
    logged_name,
    planned_answers,
    updated_pins,
)
from charforge.character.events import AdvanceEvent, AnswerEvent, AnyEvent, Pin
from charforge.character.state import CHARACTER, Condition, Holding, Unit
from charforge.decisions.index import may_be_asked
from charforge.errors import (
    DocumentError,
    MissingPack,
    UnknownId,
    UsageError,
    did_you_mean,
    nearest,
)
from charforge.replay import replay as engine
from charforge.replay.character_spec import check_name, check_rules
from charforge.replay.replay import Character, Problem
from charforge.rules import loader, loader as packs
from charforge.rules.ruleset import Ruleset

SHORT = 16  # signs of a hash that a pin keeps
HINTS = 20  # unknown answers whose nearest name is looked for: that takes a while each


@dataclass(frozen=True)
class LoadedCharacter:
    """A document with its rules and the replayed character."""

    document: Document
    ruleset: Ruleset
    character: Character

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything wrong with it: broken, open and unknown answers, a stale summary."""
        return tuple(_problems(self))

    @property
    def notes(self) -> tuple[str, ...]:
        """Return notes that are no problems: overrides, dormant answers, other pack versions."""
        others = pack_notes(self)
        stale = ", ".join(_stale(self)) if others else ""
        changed = (f"with the installed packs it has others of: {stale}",) if stale else ()
        return (*_overridden(self.character), *_dormant(self.character), *others, *changed)


def pins(ruleset: Ruleset) -> tuple[Pin, ...]:
    """Return what a document keeps of the packs it is made with: the ruleset's is first."""
    own = Pin(id=ruleset.id, version=ruleset.head.version, hash=ruleset.hash[:SHORT])
    more = (Pin(id=p.id, version=p.version, hash=p.hash[:SHORT]) for p in ruleset.packs)
    return (own, *more)


def summary(character: Character) -> dict[str, Any]:
    """Return the result for other tools, as the document keeps it."""
    state = character.state
    found: dict[str, Any] = {"level": state.level}
    for kind in state.ruleset.head.sheet.headline:
        held = [h.entity.id for h in state.holdings if h.entity.kind == kind]
        found[kind] = held[0] if len(held) == 1 else held
    values = state.values()
    found["values"] = {name: values.total(name) for name in values.ids()}
    found["holdings"] = [
        _brief(holding) for holding in state.holdings if holding.unit == state.units[0].id
    ]
    found["units"] = [_brief_unit(character, unit) for unit in state.units[1:]]
    under = [_brief_condition(c) for unit in state.units for c in state.active_conditions(unit.id)]
    if under:
        found["conditions"] = under
    return found


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
        "values": {name: values.total(name) for name in values.ids()},
        "holdings": [_brief(holding) for holding in state.held(unit.id)],
    }


def load_character(
    path: Path, ruleset: Ruleset | None = None, at_level: int | None = None
) -> LoadedCharacter:
    """Load a character file and replay it, as it is or as of ``at_level``."""
    opened = load_document(reader.load(path), path, ruleset)
    return opened if at_level is None else as_of_level(opened, at_level)


def as_of_level(opened: LoadedCharacter, level: int) -> LoadedCharacter:
    """Return the character as it stood just before it advanced beyond ``level``.

    What was edited later counts at its place, as it does now.
    """
    loaded = opened.document
    if not 1 <= level <= loaded.level:
        raise UsageError(f"{loaded.name} has reached level {loaded.level}, so 1 to {loaded.level}")
    end = next((n for n, event in enumerate(loaded.log) if _beyond(event, level)), None)
    log = loaded.log[:end]
    met = {event.decision for event in log if isinstance(event, AnswerEvent)}
    later = tuple(
        event
        for event in loaded.log[len(log) :]
        if isinstance(event, AnswerEvent) and not event.now and event.decision in met
    )
    return replay_document(loaded.model_copy(update={"log": (*log, *later)}), opened.ruleset)


def _beyond(event: AnyEvent, level: int) -> bool:
    return isinstance(event, AdvanceEvent) and event.unit is None and event.level > level


def replay_document(document: Document, ruleset: Ruleset) -> LoadedCharacter:
    """Replay a document's log; its header and summary then say what the log makes."""
    character = engine.replay(ruleset, document.answers, name=document.name, log=document.log)
    return with_summary(document, ruleset, character)


def with_summary(document: Document, ruleset: Ruleset, character: Character) -> LoadedCharacter:
    """Return a document opened whose header and summary say what its log makes."""
    name = logged_name(document.log) or document.name
    character = replace(character, name=name)
    made = document.model_copy(
        update={
            "name": name,
            "plan": planned_answers(document.log),
            "character": summary(character),
        }
    )
    return LoadedCharacter(made, ruleset, character)


def load_document(loaded: Document, path: Path, ruleset: Ruleset | None = None) -> LoadedCharacter:
    """Replay a document. Raises MissingPack when its ruleset, or a pack of it, is not here."""
    wanted = (loaded.ruleset, _amending(loaded))
    if ruleset is None or (ruleset.id, tuple(p.id for p in ruleset.packs)) != wanted:
        ruleset = load_rules(loaded, path)
    most = ruleset.head.advancement.maximum
    if loaded.level > most:
        raise DocumentError(
            path, f"it has level {loaded.level}; {ruleset.head.name} ends at {most}"
        )
    character = engine.replay(ruleset, loaded.answers, name=loaded.name, log=loaded.log)
    return LoadedCharacter(loaded, ruleset, character)


def _amending(loaded: Document) -> tuple[str, ...]:
    return tuple(pin.id for pin in loaded.packs if pin.id != loaded.ruleset)


def load_rules(
    loaded: Document, path: Path, instead: Mapping[str, Path] = MappingProxyType({})
) -> Ruleset:
    """Load the rules of a document; ``instead`` are folders that stand for packs, by id.

    Raises MissingPack with every pack that is not here.
    """
    amending = _amending(loaded)
    known = {*loader.available(), *instead}
    if loaded.ruleset not in known or not {*amending} <= {*loader.installed(), *instead}:
        here = {*known, *loader.installed()}
        versions = {pin.id: pin.version for pin in loaded.packs}
        needed = (loaded.ruleset, *amending)
        gone = [(name, versions.get(name, "")) for name in needed if name not in here]
        raise MissingPack(path, gone, nearest(gone[0][0], here) if gone else "")
    return packs.load(loaded.ruleset, amending, instead)


def _problems(opened: LoadedCharacter) -> Iterator[Problem]:
    character, loaded = opened.character, opened.document
    yield from character.problems
    broken = {problem.decision for problem in character.problems}
    for decision in character.open:
        if decision.id not in broken:
            yield Problem("open", decision.id, f"unanswered: {decision.question.label}")
    known = [decision.id for decision in character.asked]
    hints = HINTS
    for name in character.dormant:
        if not may_be_asked(opened.ruleset, name):
            near = did_you_mean(name, known) if hints > 0 else ""
            hints -= 1
            yield Problem("unknown", name, f"nothing can ever ask for this answer{near}")
    for name, value in loaded.rules.items():
        try:
            check_rules(opened.ruleset, {name: value})
        except UnknownId as error:
            yield Problem("rule", name, str(error))
    levels = [e.level for e in loaded.log if isinstance(e, AdvanceEvent) and e.unit is None]
    if levels != list(range(2, 2 + len(levels))):
        yield Problem("levels", "", f"the levels of the log do not follow each other: {levels}")
    yield from _header_problems(loaded)
    stale = ", ".join(_stale(opened))
    if stale and not pack_notes(opened):
        yield Problem("summary", "", f"the summary differs from what the log makes: {stale}")


def _stale(opened: LoadedCharacter) -> Iterator[str]:
    """Yield what the summary has otherwise than the log makes it, where that is complete."""
    character, loaded = opened.character, opened.document
    if not character.open and not character.problems:
        yield from _differing(loaded.character, summary(character))


def _overridden(character: Character) -> Iterator[str]:
    for found in character.overridden:
        by, why = found.override.by, found.override.reason
        yield f"override {found.decision}: {'; '.join(found.reasons)} ({by}: {why})"


def _dormant(character: Character) -> Iterator[str]:
    for name in character.dormant:
        if may_be_asked(character.state.ruleset, name):
            yield f"dormant {name}: it has no effect now, and counts again once it can"


def _header_problems(loaded: Document) -> Iterator[Problem]:
    """Yield what of the header the seed, the log or this installation does not bear out."""
    if loaded.id != character_id(loaded.seed):
        yield Problem("id", "", "the id does not belong to the seed: the header was edited")
    name = logged_name(loaded.log)
    if not name:
        yield Problem("name", "", f"the header names {loaded.name!r}, the log nobody")
    elif name != loaded.name:
        yield Problem("name", "", f"the header names {loaded.name!r}, the log {name!r}")
    if loaded.plan != planned_answers(loaded.log):
        yield Problem("plan", "", "the header's plan differs from what the log intends")
    try:
        check_name(loaded.name)
    except UsageError as error:
        yield Problem("name", "", error.reason)
    if loaded.ruleset not in (pin.id for pin in loaded.packs):
        yield Problem("pin", "", f"the header names no version of {loaded.ruleset}")
    if updated_pins(loaded.log) not in ((), loaded.packs):
        yield Problem("pin", "", "the header's packs are not those that the log was updated to")


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for key in dict.fromkeys([*new, *old]):
        if old.get(key) == new.get(key):
            continue
        if isinstance(old.get(key), dict) and isinstance(new.get(key), dict):
            inner = _differing(old[key], new[key])
            yield from (f"{key} {name}" for name in inner)
        else:
            yield key


def pack_notes(opened: LoadedCharacter) -> tuple[str, ...]:
    """Say where the installed pack is not the one the character was made with."""
    here = {one.id: one for one in pins(opened.ruleset)}
    return tuple(
        f"made with {pin.id} {pin.version} ({pin.hash}), "
        f"read with {here[pin.id].version} ({here[pin.id].hash}); "
        "charforge update says what differs and takes it"
        for pin in opened.document.packs
        if pin.id in here and pin != here[pin.id]
    )
