"""Saving a changed character, and with it what its group owns if the change concerns that too.

Each change of a member that changes a shared value is also a group of events in the log of what
the group owns, with the same id. Undo and redo of such a change do the same in both files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from charforge.character.files import storage
from charforge.character.files.document import Document, shared_changes
from charforge.character.files.events import (
    AbilityEvent,
    AnyEvent,
    ProcedureEvent,
    ResourceEvent,
    SharedChange,
)
from charforge.character.files.storage import ChangedFile, save_together
from charforge.errors import ChangedMeanwhile, RuleRefusal
from charforge.language import _
from charforge.procedures.abilities import ability_of
from charforge.replay.loaded_character import (
    NAME_SHARED_FILE,
    LoadedCharacter,
    LoadedShared,
    load_shared,
)
from charforge.verbs.change import change_character, draft_event, redo_groups, undo_groups


class _Differences(NamedTuple):
    """The changes in two files that a changed document has lost, has again, and has first."""

    undone: tuple[SharedChange, ...]
    redone: tuple[SharedChange, ...]
    new: tuple[AnyEvent, ...]

    @property
    def changes(self) -> tuple[SharedChange, ...]:
        """All of them."""
        return (*self.undone, *self.redone, *shared_changes(self.new))


def save_character(before: LoadedCharacter, after: LoadedCharacter, path: Path) -> None:
    """Replace a character file by its changed version; with it the file of what its group owns.

    Both files are replaced, or none. Raises ChangedMeanwhile if one of them is not what was read,
    RuleRefusal if what its group owns does not allow the change, WriteError.
    """
    differences = _differences(before.document, after.document)
    if not differences.changes:
        storage.save_changed(before.document, after.document, path)
        return
    owned = _owned(before, path, differences.changes)
    changed = owned.loaded
    if differences.undone:
        _refuse_others(owned, differences.undone, changed.document.log)
        changed = undo_groups(changed, len(differences.undone))[0]
    if differences.redone:
        _refuse_others(owned, differences.redone, changed.document.undone, first=True)
        changed = redo_groups(changed, len(differences.redone))[0]
    if differences.new and owned.reading != before.character.state.shared:
        raise ChangedMeanwhile(
            owned.path, _("another program changed it in the meantime"), _("Run the command again.")
        )
    for event in differences.new:
        changed = _with_change(changed, event, after)
    save_together([
        ChangedFile(path, before.document, after.document),
        ChangedFile(owned.path, owned.loaded.document, changed.document),
    ])  # fmt: skip


def _differences(before: Document, after: Document) -> _Differences:
    """Return the changes of what the group owns by which two versions of a member differ."""
    old, new = dict(_members_changes(before.log)), dict(_members_changes(after.log))
    restored = dict(_members_changes(before.undone))
    return _Differences(
        shared_changes(event for id, event in old.items() if id not in new),
        shared_changes(event for id, event in new.items() if id not in old and id in restored),
        tuple(event for id, event in new.items() if id not in old and id not in restored),
    )


def _members_changes(events: Iterable[AnyEvent]) -> Iterator[tuple[str, AnyEvent]]:
    """Yield the events that changed what the group owns, with the id of that change."""
    for event in events:
        if event.change is not None and event.change.is_members:
            yield event.change.id, event


def _owned(before: LoadedCharacter, path: Path, changes: Sequence[SharedChange]) -> LoadedShared:
    """Return what the group owns. Raises RuleRefusal if it is not the one of these changes."""
    owned, spec = load_shared(path.parent, before.ruleset), before.ruleset.head.shared
    if owned is None or any(one.other != owned.loaded.document.id for one in changes):
        shared = before.character.state.shared
        name = "" if shared is None else shared.name
        raise RuleRefusal(
            _("this also changes {name}, whose file is not here").format(
                name=name or ("" if spec is None else spec.label)
            ),
            _(NAME_SHARED_FILE),
        )
    return owned


def _refuse_others(
    owned: LoadedShared,
    changes: Sequence[SharedChange],
    events: Sequence[AnyEvent],
    first: bool = False,
) -> None:
    """Raise RuleRefusal unless the last (or ``first``) groups of some events are these changes."""
    groups = list(dict.fromkeys(event.group for event in events))
    count = len(changes)
    nearest = groups[:count] if first else groups[-count:]
    found = [one.id for one in shared_changes(e for e in events if e.group in nearest)]
    if found == [one.id for one in changes] and len(nearest) == count:
        return
    name = owned.loaded.document.name
    if first:
        raise RuleRefusal(_("{name} has changed since").format(name=name))
    raise RuleRefusal(
        _("this also changed {name}, which has changed again since").format(name=name),
        _("Undo the later changes first: charforge history {file} lists them.").format(
            file=owned.path
        ),
    )


def _reason(event: AnyEvent, member: LoadedCharacter) -> str:
    """Return why a member changed what the group owns: the name of the move, or a note."""
    if isinstance(event, ProcedureEvent):
        return member.ruleset.procedure(event.procedure).label
    if isinstance(event, ResourceEvent):
        return event.note
    if isinstance(event, AbilityEvent):
        state = member.character.state
        ability = ability_of(state, event.unit, event.holding, event.ability)
        return event.ability if ability is None else ability.name
    return ""


def _with_change(
    owned: LoadedCharacter, event: AnyEvent, member: LoadedCharacter
) -> LoadedCharacter:
    """Return what the group owns with a change of a member, as a group of events."""
    assert event.change is not None
    reason = _reason(event, member)
    why = f"{member.document.name}: {reason}" if reason else member.document.name
    drafts = [
        draft_event(ResourceEvent, value=name, by=by, note=why)
        for name, by in event.change.by.items()
    ]
    after = change_character(owned, *drafts)
    log, start = list(after.document.log), len(owned.document.log)
    change = SharedChange(id=event.change.id, other=member.document.id)
    stamp = {"change": change, "author": event.author, "at": event.at}
    log[start] = log[start].model_copy(update=stamp)
    document = after.document.model_copy(update={"log": tuple(log)})
    return LoadedCharacter(document, after.ruleset, after.character)
