"""Reading the events played on an HTML sheet, and merging them into the character's log.

They are merged as one group. The page was made from the log up to event ``n``. If the log has
grown since, both may have recorded the same thing: the player decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from charforge.character.files import reader
from charforge.character.files.events import (
    FIRST_ONLY,
    LIST_ERRORS,
    AnyEvent,
    CarryEvent,
    ConditionEvent,
    CooldownEvent,
    Event,
    Printable,
    ResourceEvent,
)
from charforge.character.files.reader import line_of
from charforge.errors import AnswersError, DocumentError, shorten
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.errors import schema_errors
from charforge.verbs.change import EventDraft, TrialChange, commit_change, try_change

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


NUMBERING = {"n", "group"}  # fields of an event that depend on its place in the log


@dataclass(frozen=True)
class SheetMerge:
    """The events by which a page and the log of its character differ.

    ``since`` are those in the log only, ``new_events`` those on the page
    only. ``behind`` says that the log is shorter than when the page was
    made: something was undone.
    """

    opened: LoadedCharacter
    page: SheetEvents
    path: Path
    since: tuple[AnyEvent, ...]
    new_events: tuple[Event, ...]
    behind: bool

    @property
    def diverged(self) -> bool:
        """Return whether the character changed after the page was made."""
        return self.behind or bool(self.since)


def compare_sheet(opened: LoadedCharacter, page: SheetEvents, path: Path) -> SheetMerge:
    """Return how a page and its character differ; events imported before are left out.

    Raises DocumentError for another character's page.
    """
    document = opened.document
    if page.id != document.id:
        reason = _(
            "this session belongs to a different character (id {id}, not {document_id})"
        ).format(id=page.id, document_id=document.id)
        raise DocumentError(path, reason, _("Use the file of that character with --into."))
    since = document.log[page.n :]
    new_events: tuple[Event, ...] = page.events
    if [*map(_content, since)] == [*map(_content, new_events[: len(since)])]:
        since, new_events = (), new_events[len(since) :]
    return SheetMerge(opened, page, path, since, new_events, page.n > len(document.log))


def try_merge(merge: SheetMerge) -> TrialChange:
    """Return the change that the page's events make, for ``commit_change``.

    Raises AnswersError with the line of each event that is not possible.
    """
    drafts = [EventDraft(type(event), _content(event)) for event in merge.new_events]
    trial = try_change(merge.opened, drafts)
    indexes = {f"event.{event.n}": index for index, event in enumerate(trial.events)}
    reasons = [(p.decision, p.message) for p in trial.problems]
    reasons += [(name, _("the character no longer has that")) for name in trial.dormant]
    first = len(merge.page.events) - len(merge.new_events)
    errors = [
        (line_of(merge.path, ("events", first + indexes[name])), reason)
        for name, reason in reasons
        if name in indexes
    ]
    if errors:
        raise AnswersError(merge.path, sorted(errors))
    return trial


def merge_sheet(merge: SheetMerge) -> LoadedCharacter:
    """Return the character with the page's events. Raises as ``try_merge`` does."""
    return commit_change(try_merge(merge)) if merge.new_events else merge.opened


def _content(event: Event) -> dict[str, Any]:
    """Return the fields of an event without its number and group."""
    return event.model_dump(exclude=NUMBERING)
