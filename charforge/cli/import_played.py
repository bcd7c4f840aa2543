"""``import --into``: what happened on the page of a sheet comes into a character file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from charforge.character import played_events, storage
from charforge.character.events import AnyEvent
from charforge.cli import console
from charforge.errors import UsageError
from charforge.replay.loaded import LoadedCharacter, load_character
from charforge.usecases import history, merge_played
from charforge.usecases.merge_played import Meeting
from charforge.usecases.unit_status import standing

ANYWAY = "Give --anyway to add them all the same, or leave it."


def into(text: str, file: Path, target: Path, anyway: bool) -> None:
    """Add the events of ``file`` to the log of ``target``, save it, and tell them."""
    page = played_events.parse_played_events(text, file)
    before = load_character(target)
    met = merge_played.meet(before, page, file)
    if not met.fresh:
        console.say(f"{file} tells nothing that {target} does not have.")
        return
    after = merge_played.apply(met)
    new = after.document.log[len(before.document.log) :]
    if met.parted and not anyway:
        _agree(met, after, new, target)
    storage.save_changed(before.document, after.document, target)
    for line in _lines(after, new):
        console.result(line)
    for unit in dict.fromkeys(getattr(event, "unit", None) for event in new):
        if unit is not None:
            console.result(standing(after.character.state, unit).line)


def _agree(met: Meeting, after: LoadedCharacter, new: tuple[AnyEvent, ...], target: Path) -> None:
    """Show both sides, and ask. Raises UsageError where the answer is no, or nobody is there."""
    name, known, last = met.opened.document.name, met.page.n, len(met.opened.document.log)
    console.say(f"{name} has moved on since the page was made (event {known}, now {last}).")
    if met.behind:
        console.say(f"In {target} what the page was made from was undone.")
    else:
        console.say(f"In {target} since then:")
        for line in _lines(met.opened, met.since):
            console.say(line)
    console.say("On the page:")
    for line in _lines(after, new):
        console.say(line)
    if not console.somebody_there():
        raise UsageError("nobody is there to say whether both happened", ANYWAY)
    if not console.agreed("Did both happen? Add what the page tells after it?"):
        raise UsageError("nothing was changed")


def _lines(opened: LoadedCharacter, events: Iterable[AnyEvent]) -> Iterable[str]:
    return (f"  {told.text}" for told in history.events(opened, events))
