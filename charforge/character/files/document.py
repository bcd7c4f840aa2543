"""The document: the content of a character file, and its text in JSON.

Only the log counts. ``character`` is a summary for other tools, written at
each save and never read back. Files are human-readable, with one event per
line and a stable order of keys, so that they compare well in version control.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

from charforge.character.files.events import (
    FIRST_ONLY,
    LIST_ERRORS,
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    Event,
    FilePart,
    LoggedEvent,
    Pin,
    Pins,
    PlanEvent,
    Printable,
    Separate,
    SetEvent,
    SharedChange,
    printable,
)
from charforge.expressions.template import has_unprintable
from charforge.language import _

Entries = Mapping[str, tuple[str, int | str]]  # by id: a label and a value


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs; ``old`` or ``new`` is None where one side does not have it.

    ``topic`` is one of name, level, rule, unit, value, holding, condition,
    choice, text, figure (a number of the rules of an entity) and rules (hashes of the rest);
    ``unit`` names the companion or vehicle it concerns. ``kind`` is the label of a holding's kind.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    topic: Printable
    id: Printable
    label: Printable
    old: int | Printable | None
    new: int | Printable | None
    unit: Printable = ""
    kind: Printable = ""


class PackChange(Event):
    """The changes of a character by replaced packs, as the next save found them.

    It is no event of the log, which only a player adds to: undo leaves it.
    ``n`` and ``group`` are those of the event that follows it. ``former`` are
    the packs of the character and ``packs`` those that it was saved with.
    """

    do: Literal["packs"] = "packs"
    former: Pins
    packs: Pins
    changes: Annotated[tuple[Difference, ...], FIRST_ONLY, LIST_ERRORS]


def entry_differences(
    topic: str,
    old: Entries,
    new: Entries,
    unit_id: str = "",
    kind_of: Callable[[str], str] = lambda _id: "",
) -> Iterator[Difference]:
    """Yield the entries whose values differ: in the order of ``new``, then those only in ``old``.

    ``kind_of`` returns the kind of an entry by its id.
    """
    for name in dict.fromkeys([*new, *old]):
        before, after = old.get(name), new.get(name)
        old_value, new_value = before and before[1], after and after[1]
        if old_value != new_value:
            label = (after or before or ("", ""))[0]
            yield Difference(topic, name, label, old_value, new_value, unit_id, kind_of(name))


FILE_FORMAT = 1
ALWAYS_WRITTEN = ("n", "group", "do", "answer")  # keys of an event, written even as defaults
WRITTEN_LAST = ("author", "at", "shared", "change")  # keys that any event can have
EVENT_LISTS = ("log", "undone", "pack_changes")  # keys of a document that hold events
LONGEST_NAME = 200


LoggedEvents = Annotated[tuple[LoggedEvent, ...], FIRST_ONLY, LIST_ERRORS]
GroupCount = Annotated[int, Field(ge=1, strict=True)]
LABELS = "labels"  # the key of a summary with the labels of its ids
RULES = "rules"  # the key of a summary with the rules of its entities: figures, and hashes
ReadChange = Annotated[PackChange, Separate(PackChange, PackChange.model_validate)]
PackChanges = Annotated[tuple[ReadChange, ...], FIRST_ONLY, LIST_ERRORS]


class Document(FilePart):
    """One character.

    ``id`` derives from the seed; ``name``, ``plan`` and, after an update,
    ``packs`` repeat what the log says. ``undone`` are the events that undo
    removed, in the order that they had in the log. ``undos`` is the number of
    groups that each undo removed, the last undo first; an undo without a
    number removed one. ``pack_changes`` is what replaced packs changed.
    """

    charforge: int = Field(FILE_FORMAT, ge=1)
    id: Printable
    ruleset: Printable
    packs: Pins
    name: Annotated[str, StringConstraints(max_length=LONGEST_NAME), AfterValidator(printable)]
    seed: Printable
    character: dict[str, Any] = {}
    plan: dict[str, Any] = {}
    undone: LoggedEvents = ()
    undos: Annotated[tuple[GroupCount, ...], FIRST_ONLY, LIST_ERRORS] = ()
    pack_changes: PackChanges = ()
    log: LoggedEvents

    @field_validator("log")
    @classmethod
    def check_numbers(cls, log: tuple[AnyEvent, ...]) -> tuple[AnyEvent, ...]:
        """Refuse a log whose events or groups do not count up from 1."""
        _check_numbers(log, 0, 0)
        return log

    @model_validator(mode="after")
    def check_undone(self) -> Self:
        """Refuse undone events that do not continue the log."""
        if self.undone and self.undone[0].group == self.group:
            raise ValueError(
                _("the undone changes continue in the middle of group {group}").format(
                    group=self.group
                )
            )
        _check_numbers(self.undone, len(self.log), self.group)
        groups = len({event.group for event in self.undone})
        if sum(self.undos) > groups:
            raise ValueError(
                _('"undos" counts {sum} groups, but {groups} were undone').format(
                    sum=sum(self.undos), groups=groups
                )
            )
        return self

    @property
    def level(self) -> int:
        """The level the log has reached."""
        return 1 + sum(isinstance(event, AdvanceEvent) and event.unit is None for event in self.log)

    @property
    def answers(self) -> dict[str, Any]:
        """The last answer of each decision that counts at its own place, by decision id.

        In the order in which the decisions were first answered.
        """
        return {
            event.decision: event.answer
            for event in self.log
            if isinstance(event, AnswerEvent) and not event.now
        }

    @property
    def rules(self) -> dict[str, str]:
        """The table rules that the log sets: option id by rule id."""
        return {
            event.rule: event.value
            for event in self.log
            if isinstance(event, SetEvent) and event.rule is not None and event.value is not None
        }

    @property
    def summary(self) -> dict[str, Any]:
        """The summary without labels and rules: what the log leads to, in ids and numbers."""
        return {key: value for key, value in self.character.items() if key not in (LABELS, RULES)}

    @property
    def labels(self) -> dict[str, str]:
        """The labels of the ids in the summary. Anything else in a damaged file is ignored."""
        return self._saved_texts(LABELS)

    @property
    def held_rules(self) -> dict[str, str]:
        """The rules of the entities in the summary; a damaged or older file may have none."""
        return self._saved_texts(RULES)

    def _saved_texts(self, key: str) -> dict[str, str]:
        saved = self.character.get(key)
        entries = saved.items() if isinstance(saved, dict) else ()
        return {
            name: text
            for name, text in entries
            if isinstance(text, str) and not has_unprintable(text)
        }

    @property
    def pending_pack_changes(self) -> tuple[PackChange, ...]:
        """The changes by replaced packs since the packs were last pinned."""
        return tuple(record for record in self.pack_changes if record.former == self.packs)

    @property
    def summary_packs(self) -> tuple[Pin, ...]:
        """The packs that the summary was made with."""
        pending = self.pending_pack_changes
        return pending[-1].packs if pending else self.packs

    @property
    def changes_of_shared(self) -> tuple[SharedChange, ...]:
        """The changes of the log that were saved in two files, in order."""
        return shared_changes(self.log)

    @property
    def group(self) -> int:
        """The number of the last group of the log; 0 for an empty log."""
        return max((event.group for event in self.log), default=0)


def shared_changes(events: Iterable[AnyEvent]) -> tuple[SharedChange, ...]:
    """Return the changes among some events that were saved in two files, in order."""
    return tuple(event.change for event in events if event.change is not None)


def _check_numbers(events: Iterable[AnyEvent], number: int, group: int) -> None:
    """Raise ValueError for events that do not count on from ``number`` and ``group``."""
    for expected, event in enumerate(events, number + 1):
        if event.n != expected:
            raise ValueError(
                _("event {n} is in the place of event {expected}").format(
                    n=event.n, expected=expected
                )
            )
        if event.group not in (max(group, 1), group + 1):
            after = _("after group {group}").format(group=group) if group else _("at the start")
            raise ValueError(
                _("event {n} has group {group} {after}").format(
                    n=event.n, group=event.group, after=after
                )
            )
        group = event.group


def planned_answers(log: Iterable[AnyEvent]) -> dict[str, Any]:
    """Return the planned answers at the end of a log, by decision id.

    A decision leaves the plan when it is answered.
    """
    plan: dict[str, Any] = {}
    for event in log:
        if isinstance(event, PlanEvent | AnswerEvent):
            plan.pop(event.decision, None)
        if isinstance(event, PlanEvent) and not event.drop:
            plan[event.decision] = event.answer
    return plan


def logged_name(log: Iterable[AnyEvent]) -> str:
    """Return the character's name at the end of a log; empty where it has none."""
    named = [event for event in log if isinstance(event, SetEvent) and event.unit is None]
    return next((event.name for event in reversed(named) if event.name is not None), "")


def logged_portrait(log: Iterable[AnyEvent]) -> str:
    """Return the file name of the portrait at the end of a log; empty where it has none."""
    files = [event.portrait for event in log if isinstance(event, SetEvent)]
    return next((file for file in reversed(files) if file is not None), "")


def logged_lines(log: Iterable[AnyEvent]) -> dict[int, str]:
    """Return the lines at the head of the sheet at the end of a log, by number."""
    lines: dict[int, str] = {}
    for event in log:
        if isinstance(event, SetEvent) and event.line is not None:
            lines[event.line] = event.value or ""
    return lines


def updated_pins(log: Iterable[AnyEvent]) -> tuple[Pin, ...]:
    """Return the packs that a log was last updated to; empty if it never was."""
    updates = [event.packs for event in log if isinstance(event, SetEvent)]
    return next((packs for packs in reversed(updates) if packs is not None), ())


def former_pins(events: Iterable[AnyEvent]) -> tuple[Pin, ...]:
    """Return the packs before the first update among some events; empty if none is an update."""
    updates = (event.former for event in events if isinstance(event, SetEvent))
    return next((packs for packs in updates if packs is not None), ())


def signed(document: Document, already_signed: int, author: str, at: str) -> Document:
    """Return a document with who made its new events and when; an empty text sets nothing.

    New are all but the first ``already_signed`` events. The first new event of each
    group is signed.
    """
    log, group = list(document.log), 0
    for index in range(already_signed, len(log)):
        event = log[index]
        if event.group != group:
            stamp = {
                name: text for name, text in (("author", author), ("at", event.at or at)) if text
            }
            log[index] = event.model_copy(update=stamp)
        group = event.group
    return document.model_copy(update={"log": tuple(log)})


def character_id(seed: str) -> str:
    """Return the id of a character made from a seed: 16 hexadecimal digits."""
    return hashlib.sha256(f"charforge character {seed}".encode()).hexdigest()[:16]


def to_text(document: Document) -> str:
    """Return the text of the file: one event per line, keys in a stable order."""
    data = document.model_dump(exclude={*EVENT_LISTS})
    data |= {key: list(map(_written_keys, getattr(document, key))) for key in EVENT_LISTS}
    lines = []
    for key in Document.model_fields:
        value = data[key]
        if key in ("undos", "pack_changes") and not value:
            continue  # each undo removed one group, and no pack was replaced
        if key in EVENT_LISTS and value:
            inner = ",\n".join("  " + _json_line(event) for event in value)
            lines.append(f' "{key}": [\n{inner}\n ]')
        elif key == "character":
            lines.append(f' "{key}": ' + _one_key_per_line(value))
        else:
            lines.append(f' "{key}": ' + _json_line(value))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _written_keys(event: Event) -> dict[str, Any]:
    """Return the keys of an event without those that have their default values.

    As Python objects, because JSON mode would fail for a lone surrogate in
    the keys of an answer.
    """
    fields = type(event).model_fields
    data = event.model_dump()
    data |= {name: data.pop(name) for name in WRITTEN_LAST}
    return {
        name: value
        for name, value in data.items()
        if name in ALWAYS_WRITTEN or value != fields[name].default
    }


def _json_line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _one_key_per_line(summary: dict[str, Any]) -> str:
    inner = ",\n".join(f'  "{key}": {_json_line(value)}' for key, value in summary.items())
    return "{\n" + inner + "\n }" if inner else "{}"


# Functions that return data of the next format version, by the version they read.
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def migrate(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a file in the present format version."""
    version = data.get("charforge", FILE_FORMAT)
    while version in MIGRATIONS:
        data = MIGRATIONS[version](data)
        version += 1
    return data
