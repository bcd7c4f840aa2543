"""What happened on the page of a sheet comes into the character's log, as one group.

A page knows the log up to its event ``n``. Where the log went on since,
both may have told of the same blow: who knows decides, not this.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charforge.character.events import AnyEvent, Event
from charforge.character.played_events import PlayedEvents
from charforge.errors import AnswersError, DocumentError
from charforge.replay.loaded import LoadedCharacter
from charforge.rules.yaml_source import locate
from charforge.usecases.change import EventDraft, TrialChange, commit_change, try_change

OWN = ("n", "group")


@dataclass(frozen=True)
class PlayedMerge:
    """A page and a log: what each tells since they parted.

    ``since`` is what the log has that the page does not know, ``fresh``
    what the page has that the log does not. ``behind`` says that the log
    ends before the page was made: something was undone.
    """

    opened: LoadedCharacter
    page: PlayedEvents
    path: Path
    since: tuple[AnyEvent, ...]
    fresh: tuple[Event, ...]
    behind: bool

    @property
    def parted(self) -> bool:
        """Whether the character has moved on without the page."""
        return self.behind or bool(self.since)


def compare_played(opened: LoadedCharacter, page: PlayedEvents, path: Path) -> PlayedMerge:
    """Set a page beside its character. Raises DocumentError for that of another one.

    What was imported from the same page before is not taken twice.
    """
    document = opened.document
    if page.id != document.id:
        told = f"this was played with another character (id {page.id}, not {document.id})"
        raise DocumentError(path, told, "Give that one's file to --into.")
    since = document.log[page.n :]
    fresh: tuple[Event, ...] = page.events
    if since and [_said(event) for event in since] == [_said(e) for e in fresh[: len(since)]]:
        since, fresh = (), fresh[len(since) :]
    return PlayedMerge(opened, page, path, since, fresh, page.n > len(document.log))


def try_merge(met: PlayedMerge) -> TrialChange:
    """Return what the page's events would make of the character.

    Raises AnswersError with the line of each event that cannot happen.
    """
    found = try_change(met.opened, [EventDraft(type(event), _said(event)) for event in met.fresh])
    places = {f"event.{event.n}": place for place, event in enumerate(found.events)}
    reasons = [(p.decision, p.message) for p in found.problems if p.decision in places]
    reasons += [(name, "what this is about is not there") for name in found.dormant]
    first = len(met.page.events) - len(met.fresh)
    faults = [
        (locate(met.path, ("events", first + places[name]))[0], reason)
        for name, reason in reasons
        if name in places
    ]
    if faults:
        raise AnswersError(met.path, sorted(faults))
    return found


def merge_played(met: PlayedMerge) -> LoadedCharacter:
    """Let what the page tells happen to the character now. Raises as ``attempt`` does."""
    return commit_change(try_merge(met)) if met.fresh else met.opened


def _said(event: Event) -> dict[str, Any]:
    """Return what an event says, without its place in a log."""
    return event.model_dump(exclude={*OWN})
