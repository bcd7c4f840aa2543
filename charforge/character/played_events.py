"""Events recorded by an HTML sheet, to be merged into the log.

``n`` is the last event of the log that the page was made from; the events
are those of a log without their numbers, which they get where they are
put in.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from charforge.character import reader
from charforge.character.events import (
    AbilityEvent,
    ConditionEvent,
    CooldownEvent,
    NoteEvent,
    Printable,
    ProcedureEvent,
    ResourceEvent,
)
from charforge.errors import DocumentError

SheetEvent = (
    ResourceEvent | ConditionEvent | CooldownEvent | ProcedureEvent | AbilityEvent | NoteEvent
)
KEYS = ("n", "group")  # what only the log says of an event


class PlayedEvents(BaseModel):
    """The events that a page kept of the character ``id``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Printable
    n: int = Field(ge=1, strict=True)
    events: tuple[Annotated[SheetEvent, Field(discriminator="do")], ...]

    @field_validator("events", mode="before")
    @classmethod
    def numbered(cls, events: Any) -> Any:
        """Number the events among themselves; refuse those that come with a place of their own."""
        if not isinstance(events, list):
            return events
        for number, event in enumerate(events, 1):
            own = [key for key in KEYS if isinstance(event, dict) and key in event]
            if own:
                raise ValueError(f"event {number}: the key {own[0]!r} belongs to a log alone")
        return [
            {**event, "n": number, "group": 1} if isinstance(event, dict) else event
            for number, event in enumerate(events, 1)
        ]


def is_played_events(data: Any) -> bool:
    """Whether JSON is what a page saves, a faulty one included."""
    return isinstance(data, dict) and "events" in data and "charforge" not in data


def parse_played_events(text: str, path: Path) -> PlayedEvents:
    """Read what a page saved; ``path`` names it in errors. Raises DocumentError with each fault."""
    data = reader.parse_json(text, path)
    if not is_played_events(data):
        raise DocumentError(
            path, "this is not what a sheet saves of a game", "Leave --into out to import it."
        )
    try:
        return PlayedEvents.model_validate(data)
    except ValidationError as error:
        raise reader.format_error(error, data, path) from error
