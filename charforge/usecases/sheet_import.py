"""Importing a sheet: what was played or filled in on it becomes changes of its character.

The events of an HTML page are merged into the log as one group. The page was made from the log up
to event ``n``. If the log has grown since, both may have recorded the same thing: the player
decides.

A field of a PDF counts if it differs from the sheet as it was made. It says how the character
stands now, so a sheet can be read again after more was filled in: what the character already has is
no change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from charforge.character.files import reader
from charforge.character.files.events import (
    EVENT_KINDS,
    FIRST_ONLY,
    LIST_ERRORS,
    LONGEST_NOTE,
    AnyEvent,
    CarryEvent,
    ConditionEvent,
    CooldownEvent,
    Event,
    NoteEvent,
    Printable,
    ResourceEvent,
    SetEvent,
)
from charforge.character.files.pdf_attachments import PdfField
from charforge.character.files.reader import line_of
from charforge.errors import AnswersError, DocumentError, UnreadableField, UsageError, shorten
from charforge.expressions.template import MINUS, has_unprintable, keyboard_minus, number_text
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.errors import schema_errors
from charforge.sheet.form_fields import FieldForm, FieldName, note_heading, parse_name, plate_number
from charforge.sheet.trackers import PageTracker, page_units
from charforge.usecases.edit import check_line
from charforge.verbs.change import EventDraft, TrialChange, commit_change, draft_event, try_change

SheetEvent = ResourceEvent | ConditionEvent | CooldownEvent | CarryEvent
LOG_KEYS = ("n", "group")  # keys that an event has only in a log
# A number with or without a unit.
FILLED_NUMBER = re.compile(rf"\s*([+{MINUS}-]?)\s*(\d{{1,9}})\s*\D{{0,12}}")


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
    """Return whether parsed JSON is a file of played events, even if an invalid one."""
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
    return event.model_dump(exclude={*LOG_KEYS})


# ------------------------------------------------------------------ fields of a PDF


@dataclass(frozen=True)
class FormChange:
    """The changes that a filled-in form makes.

    ``labels`` are the labels of the fields, one for each draft. ``not_added`` are sentences about
    fields that change nothing, ``conflicts`` about those whose value in the character has changed
    since the sheet was made.
    """

    opened: LoadedCharacter
    drafts: tuple[EventDraft, ...]
    labels: tuple[str, ...]
    not_added: tuple[str, ...]
    conflicts: tuple[str, ...]


def compare_form(
    opened: LoadedCharacter, printed: LoadedCharacter, fields: Iterable[PdfField], at: str
) -> FormChange:
    """Return the changes from a character to what a form says about it.

    ``printed`` is the character of which the sheet was made, ``at`` the time for notes.
    """
    before, now = _trackers(printed), _trackers(opened)
    drafts: list[EventDraft] = []
    labels: list[str] = []
    not_added: list[str] = []
    conflicts: list[str] = []
    for key, parts in _filled_in(fields).items():
        is_box = key in before and parts[0][0].form != "value"
        label = before[key].label if is_box else parts[0][1].label or key
        heading = note_heading(key)
        if heading is not None:
            notes, unreadable = _notes(opened, heading, parts, at)
            drafts += notes
            labels += [label] * len(notes)
            not_added += unreadable
            continue
        number = plate_number(key)
        try:
            if number is not None and number in range(1, len(printed.ruleset.head.sheet.plate) + 1):
                text = _line_text(label, parts)
                was, is_now = (each.character.lines.get(number, "") for each in (printed, opened))
                if text == is_now:
                    continue
                if is_now != was:
                    conflicts.append(_conflict(label, f"“{was}”", f"“{is_now}”", f"“{text}”"))
                drafts.append(draft_event(SetEvent, line=number, value=text))
                labels.append(label)
                continue
            if key not in before:
                raise UnreadableField(f"{label}: {_as_filled_in(parts)}")
            if key not in now:
                raise UnreadableField(
                    _("{label}: the character no longer has it").format(label=label)
                )
            target = _target(label, parts, before[key])
            draft = _draft(label, target, now[key])
        except (UnreadableField, UsageError) as error:
            not_added.append(error.reason)
            continue
        if draft is None:
            continue
        if now[key].start != before[key].start:
            numbers = map(number_text, (before[key].start, now[key].start, target))
            conflicts.append(_conflict(label, *numbers))
        drafts.append(draft)
        labels.append(label)
    return FormChange(opened, tuple(drafts), tuple(labels), tuple(not_added), tuple(conflicts))


def _conflict(label: str, printed: str, now: str, on_sheet: str) -> str:
    """Return the sentence about a field that has changed since the sheet was made."""
    return _("{label}: {n} when the sheet was printed, {now} now, {on_sheet} on the sheet").format(
        label=label, n=printed, now=now, on_sheet=on_sheet
    )


def try_form(change: FormChange) -> tuple[TrialChange, tuple[str, ...]]:
    """Return the change that a form makes, for ``commit_change``, and what was left out of it.

    A change that the rules refuse is left out, with the reason.
    """
    drafts, labels = list(change.drafts), list(change.labels)
    refused: list[str] = []
    while True:
        trial = try_change(change.opened, drafts)
        places = {f"event.{event.n}": place for place, event in enumerate(trial.events)}
        reasons = {p.decision: p.message for p in trial.problems if p.decision in places}
        reasons |= {name: _("it has no effect") for name in trial.dormant if name in places}
        if not reasons:
            return trial, tuple(refused)
        for name in sorted(reasons, key=places.__getitem__, reverse=True):
            refused.append(f"{labels.pop(places[name])}: {reasons[name]}")
            drafts.pop(places[name])


def _trackers(loaded: LoadedCharacter) -> dict[str, PageTracker]:
    """Return everything that a sheet keeps count of, by its key."""
    groups = (group for unit in page_units(loaded.character) for group in unit.groups)
    return {tracker.key: tracker for group in groups for tracker in group.trackers}


def _filled_in(fields: Iterable[PdfField]) -> dict[str, list[tuple[FieldName, PdfField]]]:
    """Return the fields with a known name by their key, for the keys with a changed field."""
    by_key: dict[str, list[tuple[FieldName, PdfField]]] = {}
    for field in fields:
        name = parse_name(field.name)
        if name is not None:
            by_key.setdefault(name.key, []).append((name, field))
    return {key: parts for key, parts in by_key.items() if any(f.changed for _name, f in parts)}


def _as_filled_in(parts: Iterable[tuple[FieldName, PdfField]]) -> str:
    """Return what was filled in, in words."""
    texts = (field.value for _name, field in parts if field.changed)
    return ", ".join(text if isinstance(text, str) else (_("no"), _("yes"))[text] for text in texts)


# ------------------------------------------------------------------ values


def _target(label: str, parts: Sequence[tuple[FieldName, PdfField]], printed: PageTracker) -> int:
    """Return the value that the fields of a tracker state. Raises UnreadableField."""
    copies: dict[tuple[FieldForm, int], list[tuple[FieldName, PdfField]]] = {}
    for name, field in parts:
        copies.setdefault((name.form, name.copy), []).append((name, field))
    targets: list[int] = []
    for (form, _copy), fields in copies.items():
        if not any(field.changed for _name, field in fields):
            continue
        if form == "value":
            targets += [_value(label, field, printed) for _name, field in fields if field.changed]
        elif form == "at":
            targets.append(_step(label, fields))
        else:
            targets.append(_counted(form, fields, printed))
    if len(set(targets)) > 1:
        numbers = _(" and ").join(map(number_text, dict.fromkeys(targets)))
        raise UnreadableField(
            _("{label}: the sheet says {numbers}").format(label=label, numbers=numbers)
        )
    return targets[0]


def _value(label: str, field: PdfField, printed: PageTracker) -> int:
    """Return the number in a field; a ticked box keeps the amount that there was, or is 1."""
    if isinstance(field.value, bool):
        return max(printed.start, 1) if field.value else 0
    match = FILLED_NUMBER.fullmatch(field.value)
    if match is None:
        text = (
            _("“{value}” is not a number").format(value=field.value)
            if field.value.strip()
            else _("the field is empty")
        )
        raise UnreadableField(f"{label}: {text}")
    return int(keyboard_minus(match[1]) + match[2])


def _step(label: str, fields: Iterable[tuple[FieldName, PdfField]]) -> int:
    """Return the step of a track that was ticked."""
    ticked = [name.number for name, field in fields if field.value and field.changed]
    if len(ticked) != 1:
        raise UnreadableField(
            _("{label}: tick exactly one step ({count} ticked)").format(
                label=label, count=len(ticked) or _("none")
            )
        )
    return ticked[0]


def _counted(form: str, fields: Sequence[tuple[FieldName, PdfField]], printed: PageTracker) -> int:
    """Return the value that boxes state: that of the sheet, changed by the boxes that differ."""
    difference = sum(
        name.worth * (bool(field.value) - bool(field.before)) for name, field in fields
    )
    if form == "used":
        difference = -difference
    low, high = printed.low, printed.high
    if all(field.value for _name, field in fields):  # the last box may count less than the others
        full = low if form == "used" else high
        if full is not None:
            return full
    target = max(printed.start + difference, low)
    return target if high is None else min(target, high)


def _draft(label: str, target: int, tracker: PageTracker) -> EventDraft | None:
    """Return the event that brings a tracker to a value; None if it has it already.

    Raises UnreadableField for a value beyond its limits.
    """
    if target < tracker.low or (tracker.high is not None and target > tracker.high):
        limit = (
            _("at least {n}").format(n=number_text(tracker.low))
            if target < tracker.low
            else _("at most {high}").format(high=tracker.high)
        )
        raise UnreadableField(
            _("{label} must be {limit}, not {n}").format(
                label=label, n=number_text(target), limit=limit
            )
        )
    by = target - tracker.start
    if by == 0:
        return None
    fields = {**tracker.event}
    kind = EVENT_KINDS[fields.pop("do")]
    if kind is ResourceEvent:
        return EventDraft(kind, {**fields, "by": by})
    if kind is ConditionEvent and "amount" in fields:
        fields["amount"] = abs(by)
    return EventDraft(kind, {**fields, "off": by < 0})


def _line_text(label: str, parts: Iterable[tuple[FieldName, PdfField]]) -> str:
    """Return what is written in a line at the head of the sheet.

    Raises UnreadableField if it differs from page to page, UsageError for a text that is too long.
    """
    texts = {" ".join(str(field.value).split()) for _name, field in parts if field.changed}
    if len(texts) > 1:
        raise UnreadableField(f"{label}: {_as_filled_in(parts)}")
    text = texts.pop()
    check_line(label, text)
    return text


# ------------------------------------------------------------------ notes


def _notes(
    opened: LoadedCharacter, heading: str, parts: Iterable[tuple[FieldName, PdfField]], at: str
) -> tuple[list[EventDraft], list[str]]:
    """Return a note for each line that the character does not have yet, and what is no note."""
    known = {event.text for event in opened.document.log if isinstance(event, NoteEvent)}
    notes: list[EventDraft] = []
    unreadable: list[str] = []
    for _name, field in parts:
        for line in map(str.strip, str(field.value).replace("\r", "\n").split("\n")):
            text = f"{heading}: {line}" if heading else line
            if len(text) > LONGEST_NOTE:
                much = _("a note can have at most {longest_note} characters, not {count}").format(
                    longest_note=LONGEST_NOTE, count=len(text)
                )
                unreadable.append(f"{field.label}: {much}")
            elif has_unprintable(text):
                unreadable.append(
                    _("{label}: a line contains control characters").format(label=field.label)
                )
            elif line and text not in known:
                known.add(text)
                notes.append(draft_event(NoteEvent, text=text, at=at))
    return notes, unreadable
