"""A log told to its player: what was decided, rolled, gained and played, an event a line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from charforge.character.events import AdvanceEvent, AnyEvent, Event
from charforge.describe.events import Teller
from charforge.replay.loaded import LoadedCharacter

CREATION = "Creation"


@dataclass(frozen=True, slots=True)
class Told:
    """One event in words; ``event`` is what the log has, ``level`` when it happened."""

    event: AnyEvent
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """What happened at one level of the character, creation apart."""

    level: int
    label: str
    events: tuple[Told, ...]


def history(opened: LoadedCharacter) -> tuple[Chapter, ...]:
    """Return the log in words, level by level."""
    label = opened.ruleset.head.advancement.label
    chapters: dict[tuple[int, str], list[Told]] = {}
    for one in tell(opened):
        title = f"{label} {one.level}" if one.event.group > 1 else CREATION
        chapters.setdefault((one.level, title), []).append(one)
    return tuple(Chapter(*key, tuple(events)) for key, events in chapters.items())


def tell(opened: LoadedCharacter) -> tuple[Told, ...]:
    """Return every event of the log in words."""
    teller = Teller(opened)
    level, found = 1, []
    for event in opened.document.log:
        if isinstance(event, AdvanceEvent) and event.unit is None:
            level += 1
        found.append(Told(event, level, teller.sentence(event)))
    return tuple(found)


def events(opened: LoadedCharacter, meant: Iterable[Event]) -> tuple[Told, ...]:
    """Return some events of the log in words."""
    numbers = {event.n for event in meant}
    return tuple(one for one in tell(opened) if one.event.n in numbers)


def as_data(found: Told) -> dict[str, Any]:
    """Return an event as ``history --json`` prints it: as the log has it, and in words."""
    return {**found.event.model_dump(), "level": found.level, "told": found.text}
