"""The shape of a character file, and its one spelling in JSON.

The log is the truth; ``character`` is a summary for other tools, written
at each save and never read back. Files are human-readable, one event a
line, with a stable order of keys, so that they diff well.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
)

from charforge.document.events import Advance, Answered, AnyEvent, Printable, Set, printable

VERSION = 1
LONGEST_NAME = 200


class Pin(BaseModel):
    """A pack as it was when the character was last saved by it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Printable
    version: Printable
    hash: Printable


class Document(BaseModel):
    """One character.

    ``id`` derives from the seed; ``packs`` and ``name`` repeat the last
    ``set`` of each.
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
    undone: tuple[Any, ...] = ()
    log: tuple[Annotated[AnyEvent, Field(discriminator="do")], ...]

    @field_validator("log")
    @classmethod
    def numbered(cls, log: tuple[AnyEvent, ...]) -> tuple[AnyEvent, ...]:
        """Refuse a log whose events, or their groups, do not count up from 1."""
        group = 0
        for wanted, event in enumerate(log, 1):
            if event.n != wanted:
                raise ValueError(f"event {event.n} stands where event {wanted} belongs")
            if event.group not in (max(group, 1), group + 1):
                after = f"after group {group}" if group else "at the start"
                raise ValueError(f"event {event.n} is of group {event.group} {after}")
            group = event.group
        return log

    @property
    def level(self) -> int:
        """The level the log has reached."""
        return 1 + sum(isinstance(event, Advance) for event in self.log)

    @property
    def answers(self) -> dict[str, Any]:
        """The last answer of each decision, in the order of the first ones."""
        return {e.decision: e.answer for e in self.log if isinstance(e, Answered)}

    @property
    def rules(self) -> dict[str, str]:
        """The table rules in force where they are not the ruleset's defaults."""
        return {
            event.rule: event.value
            for event in self.log
            if isinstance(event, Set) and event.rule is not None and event.value is not None
        }


def identity(seed: str) -> str:
    """Return the id of a character made from a seed."""
    return hashlib.sha256(f"charforge character {seed}".encode()).hexdigest()[:16]


def to_text(document: Document) -> str:
    """Return the file's text: one event a line, stable order of keys."""
    data = document.model_dump(mode="json")
    data["log"] = [_event(event) for event in document.log]
    lines = []
    for key in Document.model_fields:
        value = data[key]
        if key in ("log", "undone") and value:
            inner = ",\n".join("  " + _line(event) for event in value)
            lines.append(f' "{key}": [\n{inner}\n ]')
        elif key == "character":
            lines.append(f' "{key}": ' + _folded(value))
        else:
            lines.append(f' "{key}": ' + _line(value))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _event(event: AnyEvent) -> dict[str, Any]:
    """Return an event without what it does not set; an answer may be nothing at all."""
    return event.model_dump(mode="json", exclude_none=not isinstance(event, Answered))


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _folded(summary: dict[str, Any]) -> str:
    inner = ",\n".join(f'  "{key}": {_line(value)}' for key, value in summary.items())
    return "{\n" + inner + "\n }" if inner else "{}"
