"""The events of a session that were recorded on an HTML sheet, to be merged into the log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from charforge.character.files import reader
from charforge.character.files.events import (
    FIRST_ONLY,
    LIST_ERRORS,
    CarryEvent,
    ConditionEvent,
    CooldownEvent,
    Printable,
    ResourceEvent,
)
from charforge.errors import DocumentError, shorten
from charforge.language import _
from charforge.rules.errors import schema_errors

SheetEvent = ResourceEvent | ConditionEvent | CooldownEvent | CarryEvent
LOG_KEYS = ("n", "group")  # keys that an event has only in a log


class SheetEvents(BaseModel):
    """The events recorded on the HTML sheet of the character ``id``.

    ``n`` is the number of the last event of the log that the sheet shows. In
    the JSON the events have no numbers; here they are numbered from 1, in
    group 1.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Printable
    n: int = Field(ge=1, strict=True)
    events: Annotated[
        tuple[Annotated[SheetEvent, Field(discriminator="do")], ...], FIRST_ONLY, LIST_ERRORS
    ]

    @field_validator("events", mode="before")
    @classmethod
    def number_events(cls, events: Any) -> Any:
        """Number the events from 1; refuse events that already have a number or group."""
        if not isinstance(events, list):
            return events
        for number, event in enumerate(events, 1):
            keys = [key for key in LOG_KEYS if isinstance(event, dict) and key in event]
            if keys:
                raise ValueError(
                    _("event {number}: the key {keys} is only allowed in a character file").format(
                        number=number, keys=shorten(keys[0])
                    )
                )
        return [
            {**event, "n": number, "group": 1} if isinstance(event, dict) else event
            for number, event in enumerate(events, 1)
        ]


def is_sheet_events(data: Any) -> bool:
    """Whether parsed JSON is a file of played events, even if an invalid one."""
    return isinstance(data, dict) and "events" in data and "charforge" not in data


def parse_sheet_events(text: str, path: Path) -> SheetEvents:
    """Return the played events in the text of a file; ``path`` is for errors only.

    Raises DocumentError with every mistake.
    """
    data = reader.parse_json(text, path)
    if not is_sheet_events(data):
        raise DocumentError(
            path,
            _("this file is not a saved session of an HTML sheet"),
            _("Import it without --into."),
        )
    reader.refuse_many_events(data, ("events",), path)
    try:
        return SheetEvents.model_validate(data)
    except ValidationError as error:
        raise reader.format_error(schema_errors(error, data), path) from error
