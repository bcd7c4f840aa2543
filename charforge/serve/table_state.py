"""The state of a table: foes, the order of turns, what others see, and the log of the evening.

It is kept across restarts. All of it but the log is one file, with what can be undone; it is
written whole before a change counts. The log is a file of lines that only grows: one that a crash
cut off is left out. A new evening begins another log.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from threading import RLock
from typing import BinaryIO, Literal

from charforge.errors import RuleRefusal
from charforge.json_model import JsonModel
from charforge.language import N_, _
from charforge.paths import read_cache_file, write_cache_file
from charforge.sheet.text_filters import markdown, markdown_start

NOT_LOGGED = N_("Saved, but the log of the evening could not be written.")
STATE_FILE = "evening"  # the file of everything but the log
BROKEN = "evening.broken"
SHOWN = 2_000  # entries of the log that a page can show
MOST_UNDONE = 30  # changes that can be undone
DATE = 10  # characters of a time that are its date; the time of day follows them
TIME = slice(11, 16)
Visibility = Literal["all", "vitals", "name"]
VISIBILITIES: tuple[Visibility, ...] = ("all", "vitals", "name")


class Foe(JsonModel):
    """Somebody without a character file; a ``hidden`` one is unknown to the players."""

    id: str
    name: str
    hit_points: int | None = None
    max_hit_points: int | None = None
    conditions: str = ""
    notes: str = ""
    hidden: bool = False


class TurnPlace(JsonModel):
    """A place in the order of turns: of a character's ``seat``, of a ``foe``, or of a name.

    ``extra_turns`` are taken before the first round; ``dice`` tells in words what was rolled.
    """

    id: str
    name: str
    seat: str = ""
    foe: str = ""
    figures: tuple[int, ...] = ()
    dice: str = ""
    extra_turns: int = 0
    misses_first_turn: bool = False


class Turns(JsonModel):
    """The order of turns, and whose turn it is: the turn with a ``number`` of a ``round``.

    Round 0 has the extra turns before combat. Without places there is no combat.
    """

    places: tuple[TurnPlace, ...] = ()
    round: int = 0
    number: int = 0

    @classmethod
    def of(cls, places: Sequence[TurnPlace]) -> Turns:
        """Return the first turn of a new combat."""
        return cls(places=tuple(places))._from_round(0)

    @property
    def acting(self) -> TurnPlace | None:
        """Whose turn it is; None without combat."""
        return self._place(self._ids(self.round)[self.number]) if self.places else None

    @property
    def key(self) -> str:
        """The name of this turn in forms."""
        return f"{self.round}-{self.number}"

    def next(self) -> Turns:
        """Return the turn after this one. Raises RuleRefusal without combat."""
        self._refuse_no_combat()
        if self.number + 1 < len(self._ids(self.round)):
            return self.model_copy(update={"number": self.number + 1})
        return self._from_round(self.round + 1)

    def previous(self) -> Turns:
        """Return the turn before this one. Raises RuleRefusal for the first turn."""
        self._refuse_no_combat()
        if self.number:
            return self.model_copy(update={"number": self.number - 1})
        for number in range(self.round - 1, max(self.round - 3, -1), -1):  # two can be empty
            if turns := len(self._ids(number)):
                return self.model_copy(update={"round": number, "number": turns - 1})
        raise RuleRefusal(_("this is the first turn"))

    def with_places(self, places: Sequence[TurnPlace]) -> Turns:
        """Return other places with the same turn; if its place is gone, it is the one after it."""
        if not self.places or not places:
            return Turns.of(places)
        changed = self.model_copy(update={"places": tuple(places)})
        now, done = changed._ids(self.round), self._ids(self.round)[: self.number]
        acting = self._ids(self.round)[self.number]
        turns = [number for number, id in enumerate(now) if id == acting]
        if len(turns) > (earlier := done.count(acting)):
            return changed.model_copy(update={"number": turns[earlier]})
        left = sum(id in now for id in done)
        if left < len(now):
            return changed.model_copy(update={"number": left})
        return changed._from_round(self.round + 1)

    def _from_round(self, number: int) -> Turns:
        """Return the first turn of a round, or of the next one in which somebody acts."""
        while self.places and not self._ids(number):
            number += 1
        return self.model_copy(update={"round": number, "number": 0})

    def _ids(self, number: int) -> tuple[str, ...]:
        """Return the places that act in a round, in order; with extra turns one several times."""
        if number:
            return tuple(p.id for p in self.places if number > 1 or not p.misses_first_turn)
        most = max((place.extra_turns for place in self.places), default=0)
        return tuple(p.id for turn in range(most) for p in self.places if p.extra_turns > turn)

    def _place(self, id: str) -> TurnPlace:
        return next(place for place in self.places if place.id == id)

    def _refuse_no_combat(self) -> None:
        if not self.places:
            raise RuleRefusal(_("there is no combat now"))


class TableState(JsonModel):
    """Everything that is known at a table, but for its characters and the log.

    ``number`` is that of the log; ``logs`` counts the logs, ``next_id`` the ids of foes and places.
    ``seen_by_others`` is how much of the characters in the seats others see, ``foe_vitals`` whether
    players see the hit points and conditions of foes; with ``run_turns`` the turns, and the end of
    combat, also run the rules for them.
    """

    number: int = 1
    logs: int = 1
    next_id: int = 1
    foes: tuple[Foe, ...] = ()
    turns: Turns = Turns()
    seen_by_others: dict[str, Visibility] = {}
    foe_vitals: bool = False
    run_turns: bool = True

    def foe(self, id: str) -> Foe | None:
        """Return a foe; None if there is none with this id."""
        return next((foe for foe in self.foes if foe.id == id), None)

    def name_of(self, place: TurnPlace, names: Mapping[str, str]) -> str:
        """Return the name of who has a place, as it is now; ``names`` are those of the seats."""
        foe = self.foe(place.foe)
        return foe.name if foe is not None else names.get(place.seat, place.name)

    def seen(self, seat: str) -> Visibility:
        """Return what others see of the character in a seat."""
        return self.seen_by_others.get(seat, "vitals")


class Undoable(JsonModel):
    """A change that can be undone, or done again: what it was, and the state on its other side."""

    text: str
    state: TableState


class SavedTable(JsonModel):
    """The content of the file of a table; ``changes`` counts all changes, undoing among them."""

    state: TableState = TableState()
    changes: int = 0
    undo: tuple[Undoable, ...] = ()
    redo: tuple[Undoable, ...] = ()


class LogEntry(JsonModel):
    """An entry of the log: who did something, what it was, and the date and time."""

    at: str
    who: str
    lines: tuple[str, ...]

    @property
    def time(self) -> str:
        """The time of day."""
        return self.at[TIME]


class TableStore:
    """The state and the log of a table, kept in a folder."""

    def __init__(self, folder: Path, saved: SavedTable, broken: Path | None = None) -> None:
        self.broken = broken
        self._folder, self._saved, self._lock = folder, saved, RLock()
        self._entries = deque(_read_log(self._log_file), SHOWN)

    @classmethod
    def open(cls, folder: Path) -> TableStore:
        """Return what a folder keeps of a table, or a new evening.

        A file that cannot be used is kept aside, and is ``broken`` then. Raises OSError if that is
        impossible.
        """
        file, broken = folder / STATE_FILE, None
        try:
            saved = SavedTable.model_validate_json(read_cache_file(file))
        except FileNotFoundError:
            saved = SavedTable()
        except (OSError, ValueError):
            saved, broken = SavedTable(), folder / BROKEN
            file.replace(broken)
        return cls(folder, saved, broken)

    @property
    def saved(self) -> SavedTable:
        """Everything but the log, with what can be undone."""
        return self._saved

    @property
    def state(self) -> TableState:
        """The present state."""
        return self._saved.state

    @property
    def entries(self) -> tuple[LogEntry, ...]:
        """The last entries of the log, the oldest first."""
        with self._lock:
            return tuple(self._entries)

    def change(self, act: Callable[[TableState], tuple[TableState, str]]) -> str:
        """Change the state, and return what was changed, in words, when it is saved.

        ``act`` returns both. Changes at the same time come one after the other. Raises what
        ``act`` does, OSError.
        """
        with self._lock:
            before, (after, text) = self.state, act(self.state)
            if after != before:
                undo = (*self._saved.undo, Undoable(text=readable(text), state=before))
                self._save(after, undo[-MOST_UNDONE:], ())
            return text

    def undo(self, seen: int) -> str:
        """Undo the last change, and return what it was. Raises RuleRefusal, OSError.

        ``seen`` is the number of changes that the page shows: others may be quicker.
        """
        with self._lock:
            text, state, undo, redo = self._moved(self._saved.undo, self._saved.redo, seen)
            self._save(state, undo, redo)
            return text

    def redo(self, seen: int) -> str:
        """Do again what was undone last, as ``undo`` does."""
        with self._lock:
            text, state, redo, undo = self._moved(self._saved.redo, self._saved.undo, seen)
            self._save(state, undo, redo)
            return text

    def _moved(
        self, start: Sequence[Undoable], end: Sequence[Undoable], seen: int
    ) -> tuple[str, TableState, Sequence[Undoable], Sequence[Undoable]]:
        """Return the last change of ``start``, the state after it is moved to ``end``, and both.

        In this state nothing new gets the id of something that was there.
        """
        if seen != self._saved.changes:
            raise RuleRefusal(_("somebody has changed something meanwhile"))
        if not start:
            raise RuleRefusal(_("there is nothing to undo or redo"))
        last, counted = start[-1], {"next_id": self.state.next_id, "logs": self.state.logs}
        back = Undoable(text=last.text, state=self.state)
        return last.text, last.state.model_copy(update=counted), start[:-1], (*end, back)

    def _save(self, state: TableState, undo: Sequence[Undoable], redo: Sequence[Undoable]) -> None:
        number = self.state.number
        saved = SavedTable(
            state=state, changes=self._saved.changes + 1, undo=tuple(undo), redo=tuple(redo)
        )
        self._folder.mkdir(parents=True, exist_ok=True)
        write_cache_file(self._folder / STATE_FILE, saved.model_dump_json().encode(), True)
        self._saved = saved
        if state.number != number:
            self._entries = deque(_read_log(self._log_file), SHOWN)

    def log(self, at: str, who: str, lines: Sequence[str]) -> bool:
        """Return whether what somebody did is in the log now.

        It is no error if it is not: what was done is done.
        """
        entry = LogEntry(at=at, who=readable(who), lines=tuple(map(readable, lines)))
        line = json.dumps(entry.model_dump()).encode() + b"\n"
        with self._lock:
            try:
                self._append(line)
            except OSError:
                return False
            self._entries.append(entry)
            return True

    def _append(self, line: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        with open(self._log_file, "a+b", opener=_private) as file:
            if not _ends_with_line(file):
                line = b"\n" + line
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def markdown(self) -> str:
        """Return the log of the evening as Markdown."""
        with self._lock:
            entries = list(_read_log(self._log_file))
        parts = ["# " + _("Log of the evening")]
        for day, of_day in groupby(entries, lambda entry: entry.at[:DATE]):
            parts += [f"## {markdown(day)}", "\n".join(map(_markdown_entry, of_day))]
        return "\n\n".join(parts) + "\n"

    @property
    def _log_file(self) -> Path:
        return self._folder / f"log-{self.state.number}.jsonl"


def _markdown_entry(entry: LogEntry) -> str:
    who = f"**{markdown(entry.who)}**"
    if len(entry.lines) == 1:
        return f"- {markdown(entry.time)} {who}: {markdown(entry.lines[0])}"
    lines = (f"  - {markdown_start(markdown(line))}" for line in entry.lines)
    return "\n".join((f"- {markdown(entry.time)} {who}", *lines))


def _read_log(file: Path) -> Iterator[LogEntry]:
    """Yield the entries of a log without the lines that cannot be read."""
    try:
        lines = file.read_bytes().splitlines()
    except OSError:
        return
    for line in lines:
        with suppress(ValueError):
            yield LogEntry.model_validate_json(line)


def readable(text: str) -> str:
    """Return a text that any file can hold; a character's file may have half a character."""
    return text.encode(errors="replace").decode()


def _private(name: str, flags: int) -> int:
    """Open a file that others may not read."""
    return os.open(name, flags, 0o600)


def _ends_with_line(file: BinaryIO) -> bool:
    """Return whether a file is empty, or its last line is complete."""
    if not file.seek(0, os.SEEK_END):
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"
