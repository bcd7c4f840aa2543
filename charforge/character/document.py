"""The shape of a character file, and its one spelling in JSON.

The log is the truth; ``character`` is a summary for other tools, written
at each save and never read back. Files are human-readable, one event a
line, with a stable order of keys, so that they diff well.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

from charforge.character.events import (
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    Pin,
    PlanEvent,
    Printable,
    SetEvent,
    printable,
)

VERSION = 1
ALWAYS = ("n", "group", "do", "answer")  # of an event, even where it is the default
LONGEST_NAME = 200


LoggedEvent = Annotated[AnyEvent, Field(discriminator="do")]


class Document(BaseModel):
    """One character.

    ``id`` derives from the seed; ``name``, ``plan`` and, once they were
    updated, ``packs`` repeat what the log last made of them. ``undone`` are
    the groups that undo took off, in their order: the log went on with them.
    ``undos`` says how many of them each undo took, the last undo first; one
    that it does not count took one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    charforge: int = Field(VERSION, ge=1)
    id: Printable
    ruleset: Printable
    packs: tuple[Pin, ...]
    name: Annotated[str, StringConstraints(max_length=LONGEST_NAME), AfterValidator(printable)]
    seed: Printable
    character: dict[str, Any] = {}
    plan: dict[str, Any] = {}
    undone: tuple[LoggedEvent, ...] = ()
    undos: tuple[Annotated[int, Field(ge=1, strict=True)], ...] = ()
    log: tuple[LoggedEvent, ...]

    @field_validator("log")
    @classmethod
    def numbered(cls, log: tuple[AnyEvent, ...]) -> tuple[AnyEvent, ...]:
        """Refuse a log whose events, or their groups, do not count up from 1."""
        _count(log, 0, 0)
        return log

    @model_validator(mode="after")
    def goes_on(self) -> Self:
        """Refuse what was undone where it does not continue the log."""
        if self.undone and self.undone[0].group == self.group:
            raise ValueError(f"what was undone goes on in the middle of group {self.group}")
        _count(self.undone, len(self.log), self.group)
        groups = len({event.group for event in self.undone})
        if sum(self.undos) > groups:
            raise ValueError(f'"undos" counts {sum(self.undos)} groups, and {groups} were undone')
        return self

    @property
    def level(self) -> int:
        """The level the log has reached."""
        return 1 + sum(isinstance(e, AdvanceEvent) and e.unit is None for e in self.log)

    @property
    def answers(self) -> dict[str, Any]:
        """The last answer of each decision at its place, in the order of the first ones."""
        return {e.decision: e.answer for e in self.log if isinstance(e, AnswerEvent) and not e.now}

    @property
    def rules(self) -> dict[str, str]:
        """The table rules in force where they are not the ruleset's defaults."""
        return {
            event.rule: event.value
            for event in self.log
            if isinstance(event, SetEvent) and event.rule is not None and event.value is not None
        }

    @property
    def group(self) -> int:
        """The last group of the log."""
        return max((event.group for event in self.log), default=0)


def _count(events: Iterable[AnyEvent], number: int, group: int) -> None:
    """Raise ValueError where events do not count on from ``number`` and ``group``."""
    for wanted, event in enumerate(events, number + 1):
        if event.n != wanted:
            raise ValueError(f"event {event.n} stands where event {wanted} belongs")
        if event.group not in (max(group, 1), group + 1):
            after = f"after group {group}" if group else "at the start"
            raise ValueError(f"event {event.n} is of group {event.group} {after}")
        group = event.group


def planned_answers(log: Iterable[AnyEvent]) -> dict[str, Any]:
    """Return the intentions that stand at the end of a log, by decision."""
    found: dict[str, Any] = {}
    for event in log:
        if isinstance(event, PlanEvent):
            found.pop(event.decision, None)
            if not event.drop:
                found[event.decision] = event.answer
        elif isinstance(event, AnswerEvent):
            found.pop(event.decision, None)
    return found


def logged_name(log: Iterable[AnyEvent]) -> str:
    """Return the character's name at the end of a log; empty where it has none."""
    names = [
        e.name for e in log if isinstance(e, SetEvent) and e.name is not None and e.unit is None
    ]
    return names[-1] if names else ""


def logged_portrait(log: Iterable[AnyEvent]) -> str:
    """Return the file name of the portrait at the end of a log; empty where it has none."""
    files = [e.portrait for e in log if isinstance(e, SetEvent) and e.portrait is not None]
    return files[-1] if files else ""


def updated_pins(log: Iterable[AnyEvent]) -> tuple[Pin, ...]:
    """Return the packs that a log was last updated to; none where it never was."""
    taken = [e.packs for e in log if isinstance(e, SetEvent) and e.packs is not None]
    return taken[-1] if taken else ()


def former_pins(gone: Iterable[AnyEvent]) -> tuple[Pin, ...]:
    """Return the packs that stood before the first update among events; none where none was."""
    left = [e.former for e in gone if isinstance(e, SetEvent) and e.former is not None]
    return left[0] if left else ()


def character_id(seed: str) -> str:
    """Return the id of a character made from a seed."""
    return hashlib.sha256(f"charforge character {seed}".encode()).hexdigest()[:16]


def to_text(document: Document) -> str:
    """Return the file's text: one event a line, stable order of keys."""
    data = document.model_dump(exclude={"log", "undone"})
    data["log"] = [_event(event) for event in document.log]
    data["undone"] = [_event(event) for event in document.undone]
    lines = []
    for key in Document.model_fields:
        value = data[key]
        if key == "undos" and not value:
            continue  # each undo took one group: nothing to say
        if key in ("log", "undone") and value:
            inner = ",\n".join("  " + _line(event) for event in value)
            lines.append(f' "{key}": [\n{inner}\n ]')
        elif key == "character":
            lines.append(f' "{key}": ' + _folded(value))
        else:
            lines.append(f' "{key}": ' + _line(value))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _event(event: AnyEvent) -> dict[str, Any]:
    """Return an event without what it does not say; an answer may be nothing at all.

    As Python has it: JSON's own way would stumble over a broken sign in an answer's keys.
    """
    fields = type(event).model_fields
    data = event.model_dump()
    return {
        name: value
        for name, value in data.items()
        if name in ALWAYS or value != fields[name].default
    }


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _folded(summary: dict[str, Any]) -> str:
    inner = ",\n".join(f'  "{key}": {_line(value)}' for key, value in summary.items())
    return "{\n" + inner + "\n }" if inner else "{}"


MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}  # by the version they read


def migrate(data: dict[str, Any]) -> dict[str, Any]:
    """Return a file's data in the present format version, one migration after the other."""
    version = data.get("charforge", VERSION)
    while version in MIGRATIONS:
        data = MIGRATIONS[version](data)
        version += 1
    return data
